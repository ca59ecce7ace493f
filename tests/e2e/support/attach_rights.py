"""Targets of `hprof attach` that belong to another user or run in another namespace."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from . import processes
from .builds import AGENT, COMMAND

NOBODY = 65534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="becoming another user takes root")


def can_unshare(*flags):
    return shutil.which("unshare") and subprocess.run(
        ["unshare", *flags, "true"], capture_output=True, check=False).returncode == 0


needs_pid_namespace = pytest.mark.skipif(not can_unshare("--pid", "--fork", "--mount-proc"),
                                         reason="no PID namespaces for this user")


@pytest.fixture
def started():
    """started(command): runs it with its output in a pipe; it is killed at the end."""
    running = []

    def start(command, **how):
        process = processes.start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)
        running.append(process)
        return process
    yield start
    for process in running:
        processes.end_group(process)
        process.communicate()


@pytest.fixture
def place(class_path):
    """A directory of nobody's, which everybody may enter, with the command, the library and a
    program in it that are root's."""
    directory = Path(tempfile.mkdtemp(prefix="hprof-attach-"))
    directory.chmod(0o755)
    bin_directory = directory / "bin"
    bin_directory.mkdir()
    shutil.copy(COMMAND, bin_directory / "hprof")
    shutil.copy(AGENT, bin_directory / AGENT.name)
    shutil.copy(class_path[0] / "SleepThenExit.class", bin_directory)
    work = directory / "work"
    work.mkdir()
    if os.geteuid() == 0:
        os.chown(work, NOBODY, NOBODY)
    yield directory
    shutil.rmtree(directory)


def inner_pid(process):
    """What the program says of its own number, once it runs."""
    lines = [process.stdout.readline() for _ in range(2)]
    found = re.fullmatch(rb"pid=(\d+)\n", lines[0])
    if not found:
        process.kill()
        pytest.fail(f"{lines}, {process.communicate()}")
    return int(found[1])


def child_of(pid):
    """The only child of a process."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return int(text[0]) if text else None
