"""The test harness: no process outlives the tests, and a process that hangs shows its stacks."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support import builds, processes

ENDS_S = 60

pytestmark = pytest.mark.any_jvm


def ended(pid):
    """Whether the process is gone, or a zombie."""
    end = time.monotonic() + ENDS_S
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if state in "ZX":
            return True
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    return False


def test_a_jvm_that_stands_still_is_ended_with_its_stacks(java):
    live = java.start("SleepThenExit", None, 600_000)
    live.wait_stdout("ready=1")
    live.timeout_s = time.monotonic() - live.start + 3
    with pytest.raises(pytest.fail.Exception) as failure:
        live.finish()
    text = str(failure.value)
    assert re.search(r"still running after [\d.]+ s", text)
    assert "SleepThenExit.main" in text, "no stack of the program's thread by jcmd"
    assert "--- threads" in text
    assert not live.alive()
    assert "SleepThenExit.main" in (live.run.directory / "stacks.txt").read_text(encoding="utf-8")


def test_children_end_with_the_process():
    process = processes.start(["sh", "-c", "sleep 600 & echo $!; exec sleep 600"],
                              stdout=subprocess.PIPE)
    child = int(process.stdout.readline())
    processes.end_group(process)
    process.stdout.close()
    assert ended(child)


def test_children_that_outlive_the_process_are_ended():
    process = processes.start(["sh", "-c", "sleep 600 & echo $!"], stdout=subprocess.PIPE)
    child = int(process.stdout.readline())
    process.wait(ENDS_S)
    processes.end_group(process)
    process.stdout.close()
    assert ended(child)


@pytest.mark.skipif(sys.platform != "linux", reason="by setpriv, of Linux")
def test_a_process_ends_when_the_tests_are_killed():
    script = ("import time\nfrom support import processes\n"
              "print(processes.start(['sleep', '600']).pid, flush=True)\n"
              "time.sleep(600)\n")
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE,
                          cwd=Path(__file__).parent) as tests:
        pid = int(tests.stdout.readline())
        tests.kill()
        assert ended(pid)


@pytest.mark.thorough
def test_programs_are_compiled_once_for_the_same_sources(tmp_path, monkeypatch):
    monkeypatch.setattr(builds, "JAVA_SOURCES", tmp_path)
    monkeypatch.setattr(builds, "PROGRAMS", tmp_path / "programs")
    monkeypatch.setattr(builds, "VIRTUAL_THREADS", 1000)
    source = tmp_path / "One.java"
    source.write_text("class One { }", encoding="ascii")
    first = builds.compile_programs()[0]
    when = (first / "One.class").stat().st_mtime_ns
    assert builds.compile_programs() == [first]
    assert (first / "One.class").stat().st_mtime_ns == when
    source.write_text("class One { class Two { } }", encoding="ascii")
    second = builds.compile_programs()[0]
    assert (second / "One$Two.class").is_file() and not (first / "One$Two.class").exists()
    source.write_text("class One {", encoding="ascii")
    for _ in range(2):
        with pytest.raises(pytest.fail.Exception, match="javac failed"):
            builds.compile_programs()
