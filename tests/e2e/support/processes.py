"""Processes that tests start: they end with the test that started them. The stacks of those
that hang are printed before they are killed.

start() gives a process its own session, and so its own process group; end_group() ends the
process and everything that it has started. If the tests themselves are killed, the kernel
ends the process (PR_SET_PDEATHSIG, set by setpriv of util-linux, where that exists). A
process whose parent was killed before that was set sees another parent, and exits.
"""

import contextlib
import os
import shutil
import signal
import subprocess
from pathlib import Path

_SETPRIV = shutil.which("setpriv")
_IF_CHILD = '[ "$PPID" = "$0" ] && exec "$@"'
_ASK_S = 15
_KILL_S = 30


def start(command, **how):
    """A subprocess.Popen of the command. From a thread that lives as long as the process."""
    dies_with_us = []
    if _SETPRIV:
        dies_with_us = [_SETPRIV, "--pdeathsig", "KILL", "sh", "-c", _IF_CHILD, str(os.getpid())]
    return subprocess.Popen([*dies_with_us, *map(str, command)], start_new_session=True, **how)


def bind_to_two():
    """For start(preexec_fn=): the process has two CPUs. Linux."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])


def end_group(process):
    """Kills the process and all of its group, also what is left of one that has ended."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    try:
        process.wait(_KILL_S)
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"process {process.pid} still exists {_KILL_S} s after "
                           f"SIGKILL\n{_kernel_stacks(process.pid)}") from error
    # A JVM that was killed leaves its attach socket, which is in the way of a later one with the
    # same number.
    with contextlib.suppress(PermissionError):
        Path(f"/tmp/.java_pid{process.pid}").unlink(missing_ok=True)


@contextlib.contextmanager
def busy(count):
    """That many processes that want a CPU all the time."""
    loops = [start(["sh", "-c", "while :; do :; done"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            end_group(loop)


def is_stopped(pid):
    """Whether SIGSTOP has reached all of its threads."""
    return all(path.read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()[0] == "T"
               for path in Path(f"/proc/{pid}/task").glob("*/stat"))


def stacks(pid, jcmd=None):
    """Where the threads of a process are: by that jcmd, by gdb, by the kernel."""
    parts = []
    if jcmd:
        parts.append(_ask("jcmd", [jcmd, pid, "Thread.print"]))
    if shutil.which("gdb"):
        parts.append(_ask("gdb", ["gdb", "-batch", "-nx", "-p", pid, "-ex",
                                  "set print thread-events off", "-ex",
                                  "thread apply all backtrace 30"]))
    parts.append(_kernel_stacks(pid))
    return "\n".join(parts)


def _ask(title, command):
    """What a command prints about a process; a program that stands still may not answer."""
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("JAVA_TOOL_OPTIONS", "LD_PRELOAD")}
    asker = start(command, env=environment, stdin=subprocess.DEVNULL,
                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        text = asker.communicate(timeout=_ASK_S)[0].decode("utf-8", "backslashreplace")
    except subprocess.TimeoutExpired:
        text = f"(no answer in {_ASK_S} s)"
    finally:
        end_group(asker)
    return f"--- {title}\n{text}"


def _kernel_stacks(pid):
    """State and wait channel of each thread, which needs nothing of the process."""
    lines = ["--- threads: name, state, where it waits in the kernel"]
    for task in sorted(Path(f"/proc/{pid}/task").glob("*"), key=lambda path: int(path.name)):
        try:
            name = (task / "comm").read_text(encoding="utf-8", errors="replace").strip()
            state = (task / "stat").read_text(encoding="utf-8",
                                              errors="replace").rsplit(")", 1)[1].split()[0]
            where = (task / "wchan").read_text(encoding="utf-8", errors="replace").strip()
        except (OSError, IndexError):
            continue
        lines.append(f"{task.name} {name!r} {state} {where}")
    return "\n".join(lines)
