"""Attaches the agent to a running JVM by the JVM's attach protocol, as jcmd does, but
without starting a second JVM."""

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from .builds import AGENT

WAIT_S = 60
REMOVED_S = 10  # then a JVM that has the signal has lost its socket


def handles_sigquit(pid):
    """Whether the JVM has installed its handler, so that the signal does not kill it."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"^SigCgt:\s*(\w+)", status, re.M)[1], 16) >> signal.SIGQUIT - 1 & 1


def _has_listener(pid):
    """Whether the JVM has got the signal: the thread that opens the socket is there."""
    for name in Path(f"/proc/{pid}/task").glob("*/comm"):
        try:
            if name.read_text(encoding="utf-8").strip() == "Attach Listener":
                return True
        except OSError:
            pass  # the thread has ended meanwhile
    return False


def _socket_of(live):
    """The path of the JVM's socket, which the JVM creates on request."""
    pid = live.process.pid
    path = Path(f"/tmp/.java_pid{pid}")
    if path.exists():
        return path
    while live.alive() and not handles_sigquit(pid):
        time.sleep(0.001)
    trigger = Path(f"/proc/{pid}/cwd/.attach_pid{pid}")
    try:
        first = time.monotonic()
        end = first + WAIT_S
        again = 0
        while not path.exists():
            if not live.alive() or time.monotonic() > end:
                pytest.fail(live.run.describe("the JVM does not open its attach socket"),
                            pytrace=False)
            # A JVM that starts forgets signals that came too early, and removes files. One that
            # has the signal takes the next for a request of a thread dump.
            now = time.monotonic()
            if now > again and (now > first + REMOVED_S or not _has_listener(pid)):
                trigger.touch()
                live.signal(signal.SIGQUIT)
                again = now + 0.5
            time.sleep(0.005)
    finally:
        trigger.unlink(missing_ok=True)
    return path


def attach(live, options):
    """Has the JVM load the agent with options. Returns what the agent returned, or None if
    the JVM does not accept agents yet."""
    path = _socket_of(live)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(WAIT_S * 2)
        connection.connect(str(path))
        words = ["1", "load", str(AGENT), "true", options]
        connection.sendall(b"".join(word.encode() + b"\0" for word in words))
        answer = b""
        while part := connection.recv(4096):
            answer += part
    found = re.search(rb"return code: (-?\d+)", answer)
    if b"live phase" in answer:
        return None
    if not found:
        live.kill()
        pytest.fail(live.run.describe(f"the JVM answered {answer!r}"), pytrace=False)
    return int(found[1])


def jcmd(jdk, live, *words, pid=None):
    """What jcmd prints. pid: the JVM's, if it has another one than its process has here."""
    env = {key: value for key, value in os.environ.items() if key != "JAVA_TOOL_OPTIONS"}
    done = subprocess.run([jdk.part("bin/jcmd"), str(pid or live.process.pid), *words], env=env,
                          capture_output=True, text=True, timeout=2 * WAIT_S, check=False)
    return done.stdout + done.stderr
