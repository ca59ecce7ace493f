"""A program that is running: waits for its lines and its CPU time, and ends it.

Environment
    HPROF_TEST_PRESS_BREAK  the program that presses Ctrl-Break in a process (HPROF_TEST_PLATFORM
                            is windows: tests/ports/windows/press_break.c)
"""

import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from . import processes
from .builds import PLATFORM
from .profiled_run import cut

TIMEOUT_S = 120  # of a run: several times what one takes on a busy machine
PRESS_BREAK = os.environ.get("HPROF_TEST_PRESS_BREAK")
LINE_END = "\n" if PLATFORM == "windows" else "\r\n"  # what a program's "\r\n" stands for
KILL_TRIES = 3  # sections are replaced once in a second
STACKS_SHOWN = 40_000  # characters, in a failure's message


class Live:
    """A running program. Threads read its stdout and stderr line by line."""

    def __init__(self, run, env, timeout_s, preexec=None, stdin=subprocess.DEVNULL,
                 stderr=subprocess.PIPE):
        self.run = run
        self.timeout_s = timeout_s
        self.start = time.monotonic()
        self.changed = threading.Condition()
        self.lines = []
        self.error_lines = []
        self.process = processes.start(
            run.command, cwd=run.directory, env=env, stdin=stdin,
            stdout=subprocess.PIPE, stderr=stderr, preexec_fn=preexec)
        streams = [(self.process.stdout, self.lines), (self.process.stderr, self.error_lines)]
        self.readers = [threading.Thread(target=self._read, args=(stream, lines))
                        for stream, lines in streams if stream is not None]
        for reader in self.readers:
            reader.start()

    def _read(self, stream, lines):
        with stream:
            for line in stream:
                with self.changed:
                    lines.append(line.decode("utf-8", "backslashreplace").replace("\r\n", LINE_END))
                    self.changed.notify_all()

    def _wait_line(self, lines, pattern):
        """Waits until a line matches pattern. Returns the match."""
        end = self.start + self.timeout_s
        at = 0
        with self.changed:
            while True:
                while at < len(lines):
                    if match := re.match(pattern, lines[at]):
                        return match
                    at += 1
                left = end - time.monotonic()
                if left <= 0 or (self.process.poll() is not None and
                                 not any(reader.is_alive() for reader in self.readers)):
                    break
                self.changed.wait(min(left, 0.2))
        self._fail_with_stacks(f"never saw a line like {pattern!r}")

    def wait_stdout(self, pattern):
        return self._wait_line(self.lines, pattern)

    def wait_stderr(self, pattern):
        return self._wait_line(self.error_lines, pattern)

    def send_line(self, line):
        """Writes a line to the program's standard input, which must be a pipe."""
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def last_number(self, key):
        """The last number that the program printed as key=number."""
        return [int(line.split("=")[1]) for line in self.lines if line.startswith(f"{key}=")][-1]

    def stderr_count(self, start):
        """How many lines on stderr start with that text so far."""
        return sum(line.startswith(start) for line in self.error_lines)

    def signal(self, number):
        """Sends a signal. For a JVM on Windows SIGQUIT is Ctrl-Break; the program must have
        printed its pid there, which only Wine knows."""
        if PLATFORM == "windows" and number == signal.SIGQUIT:
            subprocess.run([PRESS_BREAK, self.wait_stdout(r"pid=(\d+)")[1]], check=True,
                           timeout=self.timeout_s)
        else:
            self.process.send_signal(number)

    def alive(self):
        return self.process.poll() is None

    def finish(self):
        """Waits for the end and fills in the run. A timeout fails the test."""
        try:
            self.process.wait(max(0.1, self.start + self.timeout_s - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._fail_with_stacks("it did not end")
        return self._collect()

    def kill(self):
        processes.end_group(self.process)
        return self._collect()

    def kill_between_writes(self, is_whole=None):
        """SIGKILL, but not in the instant in which the last section is replaced: a JVM killed then
        leaves none, or a part (the manual's BUGS). A stopped thread has ended its write.

        is_whole: says it of the output, if that of the run is for other files."""
        for _ in range(KILL_TRIES):
            self.process.send_signal(signal.SIGSTOP)
            wait_until(lambda: processes.is_stopped(self.process.pid), self)
            if (is_whole or self.run.is_whole)():
                break
            self.process.send_signal(signal.SIGCONT)
            time.sleep(0.1)
        self.process.send_signal(signal.SIGKILL)
        return self.finish()

    def _fail_with_stacks(self, reason):
        """Ends the run and fails the test, with the stacks of the run's threads in the message
        and in a file in its directory."""
        stacks = ""
        if self.alive():
            if time.monotonic() - self.start >= self.timeout_s:
                reason += f"; still running after {self.timeout_s} s"
            stacks = processes.stacks(self.process.pid, self.run.jdk.part("bin/jcmd"))
            kept = self.run.directory / "stacks.txt"
            kept.write_text(stacks, encoding="utf-8")
            reason += f"; stacks at the end and in {kept}"
        self.kill()
        pytest.fail(self.run.describe(reason) + "\n" + cut(stacks, STACKS_SHOWN), pytrace=False)

    def _collect(self):
        processes.end_group(self.process)
        for reader in self.readers:
            reader.join()
        self.run.exit_code = self.process.returncode
        self.run.stdout = "".join(self.lines)
        self.run.stderr = "".join(self.error_lines)
        self.run.wall_s = round(time.monotonic() - self.start, 3)
        return self.run


def wait_until(condition, live, seconds=TIMEOUT_S):
    """Waits until the condition holds, the program has ended, or the time is up. Returns
    whether it holds."""
    end = time.monotonic() + seconds
    while not condition():
        if not live.alive() or time.monotonic() > end:
            return condition()
        time.sleep(0.01)
    return True


def _said(live):
    """How many lines the agent has written, except those of how far a long dump is."""
    return sum(line.startswith("hprof: ") and "% (" not in line for line in live.error_lines)


def sigquit(live):
    """Sends it, and waits until the agent has said the dump."""
    before = _said(live)
    live.signal(signal.SIGQUIT)
    wait_until(lambda: _said(live) > before, live)


def cpu_s(live):
    """The CPU time that the program has used, in seconds."""
    stat = Path(f"/proc/{live.process.pid}/stat").read_text(encoding="ascii")
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def let_use(live, cpu):
    """Waits until the program has used that many more seconds of CPU time, or has ended."""
    due_s = cpu_s(live) + cpu
    wait_until(lambda: cpu_s(live) >= due_s, live)
