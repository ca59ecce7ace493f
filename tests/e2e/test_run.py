"""`hprof run` with -e or -o, or with neither and no options: a program is profiled and reported
in one command. The program notices nothing: its streams, signals and exit code are its own."""

import contextlib
import gzip
import os
import pty
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from readers import hprof_binary, hprof_text
from support import processes
from support.builds import AGENT, COMMAND
from support.checks import LOST, check_cpu
from support.command import clean_environment, collapsed, hprof, java_command
from support.live_run import TIMEOUT_S
from support.runner import sanitizer_environment
from support.terminal import read_to_end

OPTIONS = "cpu=samples,depth=1024,cutoff=0,thread=y,timeline=y,lineno=y,msa=y,verbose=n"

pytestmark = pytest.mark.any_jvm


def can_mount():
    """Whether this user may mount a file system."""
    script = "mount -t tmpfs -o size=100k none /mnt"
    return shutil.which("unshare") and subprocess.run(
        ["unshare", "--mount", "sh", "-c", script], capture_output=True, check=False).returncode == 0


needs_tmpfs = pytest.mark.skipif(not can_mount(), reason="this user can't mount a file system")


@contextlib.contextmanager
def mounted(directory, size):
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", directory], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", directory], check=True)


@pytest.fixture
def java(jdk, class_path):
    return lambda *words: java_command(jdk, class_path, *words)


def run(*arguments, cwd, exit_code=0, **how):
    environment = clean_environment(**sanitizer_environment(), **how.pop("env", {}))
    return hprof("run", *arguments, cwd=cwd, exit_code=exit_code, env=environment, **how)


def lines(done, count):
    """The lines on stderr, which are that many."""
    found = done.stderr.decode().splitlines()
    assert len(found) == count, found
    return found


def last_line(done):
    return done.stderr.decode().splitlines()[-1]


def kept(directory, pattern="java-*.hprof.txt"):
    found = list(directory.glob(pattern))
    assert len(found) == 1, list(directory.iterdir())
    assert found[0].stat().st_mode & 0o777 == 0o600
    return found[0]


def check_work(done, stacks, interval_ms):
    """The samples of Burn.work are the CPU time that it printed."""
    def count(names):
        return sum(int(cost) for stack, cost in stacks.items() if names & set(stack.split(";")))

    run = SimpleNamespace(interval_ns=interval_ms * 1_000_000, lost=count(LOST),
                          describe=lambda reason: f"{reason}\n{done.stdout}\n{done.stderr}")
    check_cpu(run, "Burn.work", count({"Burn.work"}),
              int(re.search(rb"^work\.cpu_ns=(\d+)", done.stdout, re.M)[1]))


# ---- outputs -------------------------------------------------------------------------------

@pytest.mark.asan
@pytest.mark.ports
def test_without_options_cpu_samples_are_summarized_and_kept(java, tmp_path):
    done = run("--", *java("Burn", 500), cwd=tmp_path)
    profile = kept(tmp_path)
    text = profile.read_bytes()
    assert f"options: {OPTIONS},".encode() in text
    assert b"SITES BEGIN" not in text and b"HEAP DUMP BEGIN" not in text
    parsed = hprof_text.parse(text)
    assert sum(row.count for row in parsed.rows) == parsed.total
    check_work(done, collapsed(profile), 10)
    assert done.stdout.startswith(b"pid=") and b"hprof" not in done.stdout
    said = done.stderr.decode()
    assert "Burn.work" in said and str(parsed.total) in said
    assert last_line(done) == f"hprof: wrote {profile.name}; print it with: hprof report {profile.name}"


def test_two_profiles_are_kept_beside_each_other(java, tmp_path):
    for _ in range(2):
        run("--", *java("Hello"), cwd=tmp_path)
    assert len(list(tmp_path.glob("java-*.hprof.txt"))) == 2


def test_a_text_output_is_the_agents_own_file(java, tmp_path):
    done = run("-o", "a %p.txt", "interval=1", "--", *java("Burn", 300), cwd=tmp_path)
    output = tmp_path / "a %p.txt"
    assert output.stat().st_mode & 0o777 == 0o600
    parsed = hprof_text.parse(output.read_bytes())
    check_work(done, collapsed(output), 1)
    assert max(len(row.trace.frames) for row in parsed.rows) > 4
    assert done.stderr.decode().splitlines() == [
        "hprof: wrote a %p.txt; print it with: hprof report a %p.txt"]
    assert [path.name for path in tmp_path.iterdir()] == ["a %p.txt"]


def test_collapsed_stacks_have_every_sample_and_leave_no_profile(java, tmp_path):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    done = run("-o", tmp_path / "a.collapsed", "interval=1", "--", *java("Burn", 300),
               cwd=tmp_path, env={"TMPDIR": str(temporary)})
    stacks = dict(line.rsplit(" ", 1) for line in (tmp_path / "a.collapsed").read_text().splitlines())
    check_work(done, stacks, 1)
    assert any(stack.endswith("Burn.main;Burn.work") for stack in stacks), stacks
    assert not list(temporary.iterdir())
    assert last_line(done).startswith(f"hprof: wrote {tmp_path}/a.collapsed; ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.collapsed", "tmp"]


def test_a_flame_graph_is_a_picture(java, tmp_path):
    done = run("-o", "a.svg", "--", *java("Burn", 300), cwd=tmp_path)
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")
    assert last_line(done) == "hprof: wrote a.svg; open it in a browser"


def test_binary_and_compressed_outputs(java, tmp_path):
    run("-o", "a.hprof", "--", *java("Burn", 300), cwd=tmp_path)
    hprof("check", tmp_path / "a.hprof")
    assert hprof_binary.parse((tmp_path / "a.hprof").read_bytes()).tags
    done = run("-o", "a.txt.gz", "--", *java("Burn", 300), cwd=tmp_path)
    assert (tmp_path / "a.txt.gz").read_bytes()[:2] == b"\x1f\x8b"
    check_work(done, collapsed(tmp_path / "a.txt.gz"), 10)


@pytest.mark.parametrize("mode, sections", [
    ("cpu", [b"CPU SAMPLES BEGIN", b"SAMPLE TIMES BEGIN", b"THREAD MICROSTATES"]),
    ("calls", [b"CPU TIME (ms) BEGIN", b"TRACE COSTS BEGIN"]),
    ("offcpu", [b"OFF-CPU TIME", b"THREAD MICROSTATES"]),
    ("live", [b"SITES BEGIN (ordered by live bytes)"]),
    ("alloc", [b"SITES BEGIN (ordered by allocated bytes, live not counted)"]),
    ("monitors", [b"MONITOR TIME BEGIN", b"TRACE COSTS BEGIN (MONITOR TIME"]),
])
def test_each_mode_has_its_sections(java, tmp_path, mode, sections):
    program = java("Monitors", "contend", 50) if mode == "monitors" else java("Burn", 200)
    run("-e", mode, "-o", "a.txt", "--", *program, cwd=tmp_path)
    text = (tmp_path / "a.txt").read_bytes()
    for section in sections:
        assert section in text, (section, re.findall(rb"^.* BEGIN.*$", text, re.M))
    assert b"HEAP DUMP BEGIN" not in text


def test_a_large_profile_is_kept_compressed_and_says_that_stacks_are_cut(java, tmp_path):
    done = run("-e", "calls", "--", *java("Burn", 200), cwd=tmp_path)
    profile = kept(tmp_path, "java-*.hprof.txt.gz")
    said = done.stderr.decode()
    assert re.search(r"^Stacks +at most 8 frames; a higher depth= keeps more$", said, re.M), said
    assert last_line(done).endswith(f"hprof report {profile.name}")
    text = gzip.decompress(profile.read_bytes())
    traces = re.findall(rb"^TRACE .*\n((?:\t.*\n)*)", text, re.M)
    assert max(frames.count(b"\n") for frames in traces) == 8
    done = run("-e", "calls", "depth=200", "--", *java("Burn", 200), cwd=tmp_path)
    assert b"at most" not in done.stderr


def test_a_path_with_a_comma(java, tmp_path):
    """The agent's options can't contain it: the command copies what the agent wrote elsewhere."""
    directory = tmp_path / "a,b"
    directory.mkdir()
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    for name in ("a,b/c.txt", "a,b/c,d.hprof", "a,b/c.collapsed"):
        run("-o", name, "--", *java("Burn", 200), cwd=tmp_path, env={"TMPDIR": str(temporary)})
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    assert b"CPU SAMPLES END" in (directory / "c.txt").read_bytes()
    run("--", *java("Burn", 200), cwd=directory, env={"TMPDIR": str(temporary)})
    assert b"CPU SAMPLES END" in kept(directory).read_bytes()
    assert not list(temporary.iterdir())
    done = run("-o", "b.html", "--", "/nonexistent/java", cwd=tmp_path, exit_code=1,
               env={"TMPDIR": str(directory)})
    assert len(done.stderr.splitlines()) == 1 and b"comma; set TMPDIR" in done.stderr
    assert not list(directory.glob(".*"))


def test_a_dump_is_binary_unless_the_output_says_otherwise(java, tmp_path):
    run("-e", "dump", "--", *java("HeapGraph", 500), cwd=tmp_path)
    assert hprof_binary.parse(kept(tmp_path, "java-*.hprof").read_bytes()).heaps
    run("-e", "dump", "-o", "a.txt", "--", *java("HeapGraph", 500), cwd=tmp_path)
    assert b"HEAP DUMP BEGIN" in (tmp_path / "a.txt").read_bytes()


# ---- the program -----------------------------------------------------------------------------

@pytest.mark.ports
def test_streams_and_exit_code_are_those_of_the_program(java, tmp_path):
    done = run("-o", "a.txt", "--", *java("ExitCode"), cwd=tmp_path, exit_code=3)
    assert b"exiting" in done.stdout and b"hprof" not in done.stdout
    assert b"CPU SAMPLES END" in (tmp_path / "a.txt").read_bytes()


class Live:
    """A `hprof run` in its own process group, whose program runs."""

    def __init__(self, arguments, cwd):
        self.process = processes.start([COMMAND, "run", *arguments], cwd=cwd, env=clean_environment(),
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        lines = []
        while not lines or b"ready=1" not in lines[-1]:
            lines.append(self.process.stdout.readline())
            assert lines[-1], (lines, self.process.stderr.read())
        self.java = int(re.search(rb"pid=(\d+)", b"".join(lines))[1])
        assert self.java != self.process.pid

    def end(self):
        said = self.process.communicate(timeout=TIMEOUT_S)[1].decode()
        return self.process.returncode, said


@pytest.fixture
def start(tmp_path):
    started = []

    def begin(*arguments):
        live = Live(arguments, tmp_path)
        started.append(live.process)
        return live
    yield begin
    for process in started:
        processes.end_group(process)
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_is_passed_on(start, java, tmp_path, number):
    live = start("-o", "a.txt", "--", *java("SleepThenExit", 60000))
    live.process.send_signal(number)
    code, said = live.end()
    assert code == 128 + number, said
    assert b"CPU SAMPLES END" in (tmp_path / "a.txt").read_bytes()
    assert "wrote a.txt" in said


def test_ctrl_c_is_the_programs_and_the_profile_is_reported(start, java, tmp_path):
    live = start("--", *java("SleepThenExit", 60000))
    os.killpg(live.process.pid, signal.SIGINT)
    code, said = live.end()
    assert code == 128 + signal.SIGINT, said
    assert kept(tmp_path).name in said


def test_ctrl_c_to_the_command_alone_is_ignored(start, java):
    live = start("--", *java("SleepThenExit", 1500))
    live.process.send_signal(signal.SIGINT)
    code, said = live.end()
    assert code not in (-signal.SIGINT, 128 + signal.SIGINT), said


def test_impatient_ctrl_c_loses_no_report_and_leaves_no_file(start, java, tmp_path, monkeypatch):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    live = start("-e", "calls", "-o", "a.html", "--", *java("SleepThenExit", 60000))
    while live.process.poll() is None:
        os.killpg(live.process.pid, signal.SIGINT)
        time.sleep(0.002)
    code, said = live.end()
    assert code == 128 + signal.SIGINT, said
    assert "wrote a.html" in said and (tmp_path / "a.html").read_text().startswith("<!")
    assert not list(temporary.iterdir())


def test_a_request_to_the_whole_group(start, java, tmp_path):
    """As a shell does when its terminal is closed."""
    live = start("-o", "a.html", "--", *java("SleepThenExit", 60000))
    os.killpg(live.process.pid, signal.SIGHUP)
    code, said = live.end()
    assert code == 128 + signal.SIGHUP, said
    assert (tmp_path / "a.html").read_text().startswith("<!")


def test_a_reader_that_ends_early_changes_nothing(java, tmp_path):
    """As with 2>&1 | head: the summary and the last line have no reader, the program has its own."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    reading, writing = os.pipe()
    os.close(reading)
    for output, code in (("a.html", 0), (None, 1)):
        arguments = ["-o", output] if output else []
        done = subprocess.run([COMMAND, "run", *arguments, "--", *map(str, java("Burn", 200))], cwd=tmp_path,
                              check=False, stdout=subprocess.PIPE, stderr=writing, timeout=TIMEOUT_S,
                              env=clean_environment(TMPDIR=str(temporary)))
        assert done.returncode == code and done.stdout.startswith(b"pid="), done
    os.close(writing)
    assert (tmp_path / "a.html").read_text().startswith("<!")
    assert b"CPU SAMPLES END" in kept(tmp_path).read_bytes()
    assert not list(temporary.iterdir())


def test_what_a_killed_command_has_left_is_removed_by_the_next(start, java, tmp_path, monkeypatch):
    """The program runs on. Its profile stays until then."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    live = start("-o", "a.html", "--", *java("SleepThenExit", 60000))
    os.kill(live.process.pid, signal.SIGKILL)
    live.process.wait(TIMEOUT_S)
    os.kill(live.java, 0)
    left, = temporary.iterdir()
    assert {path.name for path in left.iterdir()} == {"held", "profile.txt.gz"}
    run("-o", "b.collapsed", "--", *java("Burn", 200), cwd=tmp_path)
    assert not list(temporary.iterdir())
    os.kill(live.java, 0)


def test_a_killed_jvm_leaves_a_profile_that_is_reported(start, java, tmp_path):
    live = start("-o", "a.collapsed", "--", *java("Burn", 60000))
    time.sleep(3)
    os.kill(live.java, signal.SIGKILL)
    code, said = live.end()
    assert code == 128 + signal.SIGKILL, said
    assert "signal 9" in said and "wrote a.collapsed" in said
    assert "Burn.work" in (tmp_path / "a.collapsed").read_text()


def test_signals_that_were_ignored_stay_ignored(java, tmp_path):
    """nohup: the program must not be ended by SIGHUP either."""
    script = 'trap "" HUP; exec "$@"'
    process = processes.start(["sh", "-c", script, "sh", COMMAND, "run", "-o", "a.txt", "--",
                               *java("SleepThenExit", 60000)], cwd=tmp_path,
                              env=clean_environment(), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
    try:
        pid = int(re.search(rb"pid=(\d+)", process.stdout.readline())[1])
        for number in (process.pid, pid):
            ignored = int(re.search(r"SigIgn:\s*(\w+)", Path(f"/proc/{number}/status").read_text())[1], 16)
            assert ignored >> signal.SIGHUP - 1 & 1, number
    finally:
        processes.end_group(process)
        process.communicate()


# ---- what can't be ---------------------------------------------------------------------------

def test_a_jvm_that_does_not_start_leaves_nothing(java, tmp_path):
    done = run("-o", "a.txt", "--", java("Hello")[0], "-XX:NoSuchOption", "Hello", cwd=tmp_path,
               exit_code=1)
    assert b"NoSuchOption" in done.stderr and b"hprof:" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_program_that_does_not_exist(tmp_path):
    done = run("-o", "a.txt", "--", "/nonexistent/java", "Hello", cwd=tmp_path, exit_code=1)
    assert done.stderr.decode().splitlines() == [
        "hprof: can't run /nonexistent/java: No such file or directory"]
    assert not list(tmp_path.iterdir())


def test_launchers_and_child_processes(java, tmp_path):
    """A script named java works, another is refused; a second agent is refused by the first."""
    words = list(map(str, java("Hello")))
    for name in ("java", "mvn"):
        (tmp_path / name).write_text(f'#!/bin/sh\nexec {words[0]} "$@"\n')
        (tmp_path / name).chmod(0o755)
    run("-o", "a.txt", "--", tmp_path / "java", *words[1:], cwd=tmp_path, env={"JAVA_TOOL_OPTIONS": "-Dx=y"})
    assert b"CPU SAMPLES END" in (tmp_path / "a.txt").read_bytes()
    done = run("-o", "b.txt", "--", tmp_path / "mvn", *words[1:], cwd=tmp_path, exit_code=2)
    assert b"mvn is not java" in done.stderr and b"JAVA_TOOL_OPTIONS" in done.stderr
    twice = {"JAVA_TOOL_OPTIONS": f"-agentpath:{AGENT}=cpu=samples,verbose=n,file={tmp_path}/c.txt"}
    done = run("-o", "b.txt", "--", *words, cwd=tmp_path, exit_code=1, env=twice)
    assert b"the agent is given twice" in done.stderr
    assert not (tmp_path / "b.txt").exists()


@needs_tmpfs
def test_a_full_disk(java, tmp_path):
    """The profile is kept where there is room, or the last line says where it is."""
    small = tmp_path / "small"
    small.mkdir()
    with mounted(small, "100k"):
        done = run("-e", "calls", "-o", "small/a.html", "--", *java("Burn", 200), cwd=tmp_path, exit_code=1)
        first, last = lines(done, 2)
        assert first == "hprof: can't write small/a.html: No space left on device"
        profile = kept(tmp_path, "java-*.hprof.txt.gz")
        assert profile.name in last and b"CPU TIME (ms) END" in gzip.decompress(profile.read_bytes())
        assert not list(small.iterdir())
        done = run("-e", "calls", "-o", "a,b.txt", "--", *java("Burn", 200), cwd=small, exit_code=1)
        first, last = lines(done, 2)
        assert first == "hprof: can't copy the profile to a,b.txt: No space left on device"
        where = Path(re.fullmatch("hprof: the profile is (/.*)", last)[1])
        assert b"CPU TIME (ms) END" in where.read_bytes()
        run("--", *java("Burn", 50), cwd=tmp_path)
        assert where.exists(), "the next command has removed it"
        shutil.rmtree(where.parent)


@pytest.mark.parametrize("arguments, words", [
    (["-e", "bogus"], "write one of: cpu calls offcpu"),
    (["-e", "cpu", "cpu=times"], "exclude each other"),
    (["-e", "calls", "-o", "a.hprof"], "format=b"),
    (["-o", "a.txt", "depth=x"], "depth"),
    (["-o", "a.bogus"], ".txt"),
    (["-o", "a.txt", "file=b.txt"], "-o FILE"),
    (["-o", "a.txt", "net=localhost:1"], "net"),
])
def test_what_is_wrong_is_refused_before_java_starts(tmp_path, arguments, words):
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\ntouch started\n")
    java.chmod(0o755)
    done = run(*arguments, "--", java, cwd=tmp_path, exit_code=2)
    said = done.stderr.decode()
    assert words in said and said.count("\n") == 1, said
    assert [path.name for path in tmp_path.iterdir()] == ["java"]


def test_an_output_that_exists_is_refused_before_java_starts(tmp_path):
    for name in ("a.txt", "a.svg"):
        (tmp_path / name).write_text("mine")
        done = run("-o", name, "--", "/nonexistent/java", cwd=tmp_path, exit_code=1)
        assert b"exists already" in done.stderr
        assert (tmp_path / name).read_text() == "mine"
    for name in ("no/a.svg", "no/a.txt"):
        done = run("-o", name, "--", "/nonexistent/java", cwd=tmp_path, exit_code=1)
        assert done.stderr.decode().splitlines() == [
            f"hprof: can't write {name}: No such file or directory; write -o with a name that can be written"]


def test_what_can_not_be_converted_is_kept(java, tmp_path):
    """A profile of monitors nobody waited for has no stacks."""
    done = run("-e", "dump", "-o", "a.svg", "--", *java("Hello"), cwd=tmp_path, exit_code=1)
    assert not (tmp_path / "a.svg").exists()
    profile = kept(tmp_path, "java-*.hprof.txt.gz")
    assert b"HEAP DUMP BEGIN" in gzip.decompress(profile.read_bytes())
    assert profile.name in last_line(done)


def test_the_summary_is_on_a_terminal_too(java, tmp_path):
    """The program's terminal is the command's: what it reads is the program's."""
    leader, follower = pty.openpty()
    process = processes.start([COMMAND, "run", "--", *java("Burn", 300)], cwd=tmp_path,
                              env=clean_environment(), stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    said = read_to_end(leader)
    assert process.wait(TIMEOUT_S) == 0
    assert b"Burn.work" in said and kept(tmp_path).name.encode() in said.splitlines()[-1]
