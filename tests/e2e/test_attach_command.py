"""`hprof attach` from a running program to its report: for a time or until Ctrl-C, by process ID or
name, of another user, in another namespace, and what it prints when it can't."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from readers import hprof_binary, hprof_text
from support import processes
from support.attach_rights import (AS_NOBODY, NOBODY, can_unshare, child_of, inner_pid,
                                   needs_pid_namespace, place, root_only, started)  # noqa: F401 (fixtures)
from support.builds import AGENT, COMMAND, PLATFORM
from support.checks import TIMES_JUDGED
from support.command import clean_environment
from support.live_run import TIMEOUT_S
from support.terminal import read_to_end
from support.times_checks import thread_cpu_ns

pytestmark = pytest.mark.skipif(PLATFORM != "linux", reason="jcmd attaches there")


def attach(*arguments, command=COMMAND, prefix=(), exit_code=0, env=None, **how):
    done = subprocess.run([*map(str, prefix), str(command), "attach", *map(str, arguments)],
                          capture_output=True, text=True, check=False, timeout=TIMEOUT_S,
                          env=clean_environment() if env is None else env, **how)
    assert done.returncode == exit_code, (arguments, done.stdout[-500:], done.stderr)
    return done


def lines(done):
    return done.stderr.splitlines()


def exchanged(pid):
    """The files open in the JVM that it writes for the command."""
    found = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            path = os.readlink(link)
        except OSError:
            continue
        if re.match(r"/tmp/hprof-[0-9a-f]{32}\.", path):
            found.append(Path(path))
    return found


def unpacked(path):
    """The text of a file that may be compressed and growing."""
    if path.suffix != ".gz":
        return path.read_bytes()
    return subprocess.run(["gzip", "-dc", path], capture_output=True, check=False).stdout


def check_nothing_left(text):
    """The files that the JVM wrote for the command are removed. A profile has their name."""
    name = re.search(rb"messages=(/tmp/hprof-[0-9a-f]{32})\.log", text)[1].decode()
    assert not list(Path("/tmp").glob(Path(name).name + "*"))


@pytest.fixture
def burn(java):
    """A JVM that uses one CPU for as long as the test needs."""
    live = java.start("Burn", None, 600000)
    live.wait_stdout("ready=1")
    yield live
    live.kill()


def check_samples(text):
    parsed = hprof_text.parse(text)
    assert parsed.total == sum(row.count for row in parsed.rows)
    assert b"Burn.work" in text and b"SITES BEGIN" not in text and b"HEAP DUMP BEGIN" not in text
    assert b"SAMPLE TIMES END" in text
    check_nothing_left(text)
    return parsed.total


def attach_for(seconds, burn, profile, *arguments, cwd):
    """For so long the profile has all that the program used meanwhile: at worst, what it did not use
    while the command ran was missing then. The program's own clock is a tick behind, and a sample
    stands for the interval before it."""
    begun, used_ns = time.monotonic(), thread_cpu_ns(burn, "java")
    done = attach("-d", seconds, *arguments, burn.process.pid, cwd=cwd)
    took = time.monotonic() - begun
    missed = took - (thread_cpu_ns(burn, "java") - used_ns) / 1e9
    assert took >= seconds
    count = check_samples((cwd / profile).read_bytes())
    assert not TIMES_JUDGED or count >= (seconds - missed) / 0.01 - 2, (count, took, missed)
    return done


# ---- a time, and Ctrl-C ---------------------------------------------------------------------

@pytest.mark.asan
def test_for_some_seconds_to_a_file(burn, tmp_path):
    done = attach_for(2, burn, "a.txt", "-o", "a.txt", cwd=tmp_path)
    assert lines(done) == ["hprof: wrote a.txt; print it with: hprof report a.txt"]
    assert done.stdout == ""
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o600
    done = attach("-d", "1s", "-o", "a.collapsed", burn.process.pid, "interval=1", cwd=tmp_path)
    stacks = (tmp_path / "a.collapsed").read_text()
    assert "Burn.main;Burn.work " in stacks, (stacks, done.stderr, burn.error_lines)


@pytest.mark.any_jvm
def test_a_path_with_a_comma(burn, tmp_path):
    attach_for(1, burn, "a,b.txt", "-o", "a,b.txt", cwd=tmp_path)
    assert (tmp_path / "a,b.txt").stat().st_mode & 0o777 == 0o600


@pytest.mark.any_jvm
@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_the_jvm_notices_no_signal_to_the_command(burn, tmp_path, number):
    process = processes.start([COMMAND, "attach", "-o", "a.html", str(burn.process.pid)], cwd=tmp_path,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=clean_environment())
    end = time.monotonic() + TIMEOUT_S
    while not exchanged(burn.process.pid):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)
    while process.poll() is None:
        assert time.monotonic() < end
        os.killpg(process.pid, number)
        time.sleep(0.002)
    said = process.communicate(timeout=TIMEOUT_S)[1]
    assert process.returncode == 0 and "wrote a.html" in said, said
    assert burn.alive() and not exchanged(burn.process.pid)


@pytest.mark.any_jvm
def test_a_summary_without_an_output(burn, tmp_path):
    profile = tmp_path / f"java-{burn.process.pid}.hprof.txt"
    done = attach_for(1, burn, profile, cwd=tmp_path)
    assert "Burn.work" in done.stdout
    assert lines(done) == [f"hprof: wrote {profile.name}; print it with: hprof report {profile.name}"]


@pytest.mark.any_jvm
def test_a_reader_that_ends_early_leaves_nothing_behind(burn, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([COMMAND, "attach", "-d", "0", str(burn.process.pid)], cwd=tmp_path, check=False,
                          stdout=writing, stderr=subprocess.PIPE, timeout=TIMEOUT_S,
                          env=clean_environment())
    os.close(writing)
    assert done.returncode == 1 and b"standard output" in done.stderr, done
    check_nothing_left((tmp_path / f"java-{burn.process.pid}.hprof.txt").read_bytes())


@pytest.mark.any_jvm
@pytest.mark.parametrize("number", [
    signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)])
def test_until_ctrl_c(burn, tmp_path, number):
    process = processes.start([COMMAND, "attach", str(burn.process.pid)], cwd=tmp_path,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=clean_environment())
    profile = tmp_path / f"java-{burn.process.pid}.hprof.txt"
    end = time.monotonic() + TIMEOUT_S
    # The first section can be of the JVM's own threads alone.
    while not all(text in (profile.read_bytes() if profile.exists() else b"")
                  for text in (b"SAMPLES END", b"Burn.work")):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    # As a terminal does: to the whole group, and impatiently.
    os.killpg(process.pid, number)
    os.killpg(process.pid, number)
    out, said = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0, said
    assert "Burn.work" in out and profile.name in said
    assert check_samples(profile.read_bytes()) > 0
    assert burn.alive()
    assert attach(burn.process.pid, "stop", exit_code=1).stderr.count("no profile") == 1


@pytest.mark.any_jvm
def test_ctrl_c_before_the_agent_is_loaded_leaves_nothing(burn, tmp_path):
    process = processes.start([COMMAND, "attach", "-e", "calls", str(burn.process.pid)], cwd=tmp_path,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=clean_environment())
    end = time.monotonic() + TIMEOUT_S
    while not list(tmp_path.glob("java-*")):
        assert time.monotonic() < end
        time.sleep(0.001)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=TIMEOUT_S)
    assert "no profile" in attach(burn.process.pid, "stop", exit_code=1).stderr


@pytest.mark.any_jvm
@pytest.mark.parametrize("options", [(), ("cpu=samples,file=a.txt",), ("stop",)])
def test_ctrl_c_leaves_nothing_beside_a_jvm_that_does_not_answer(java, tmp_path, options):
    at_home = tmp_path / "jvm"
    at_home.mkdir()
    live = java.start("Burn", None, 600000, directory=at_home)
    live.wait_stdout("ready=1")
    pid = live.process.pid
    os.kill(pid, signal.SIGSTOP)
    request = at_home / f".attach_pid{pid}"
    process = processes.start([COMMAND, "attach", str(pid), *options], cwd=tmp_path,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment())
    end = time.monotonic() + TIMEOUT_S
    while not request.exists():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.001)
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=TIMEOUT_S)
    assert process.returncode != 0
    assert not list(at_home.iterdir()) and list(tmp_path.iterdir()) == [at_home]
    assert not Path(f"/tmp/.attach_pid{pid}").exists()
    os.kill(pid, signal.SIGCONT)
    assert live.alive()
    live.kill()


@pytest.mark.any_jvm
def test_the_elapsed_time_is_shown_on_a_terminal(burn, tmp_path):
    leader, follower = os.openpty()
    process = processes.start([COMMAND, "attach", "-d", "3", "-o", "a.txt", str(burn.process.pid)],
                              cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=follower,
                              env=clean_environment())
    os.close(follower)
    said = read_to_end(leader)
    assert process.wait(TIMEOUT_S) == 0
    assert f"profiling {burn.process.pid} Burn 600000: 1 s of 3; Ctrl-C ends it".encode() in said
    assert said.endswith(b"hprof: wrote a.txt; print it with: hprof report a.txt\r\n"), said


@pytest.mark.any_jvm
@pytest.mark.parametrize("how", [
    pytest.param(signal.SIGTERM, marks=pytest.mark.thorough), signal.SIGKILL])
def test_a_jvm_that_ends_first_has_left_its_profile(burn, tmp_path, how):
    process = processes.start([COMMAND, "attach", "-o", "a.collapsed", str(burn.process.pid)],
                              cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=clean_environment())
    end = time.monotonic() + TIMEOUT_S
    # With a provisional section that has the program's work; the first one can be of the JVM's own
    # threads alone. The agent writes one a second.
    section = re.compile(rb"CPU SAMPLES BEGIN[^-]*? Burn\.work\n.*?CPU SAMPLES END", re.DOTALL)
    while not any(section.search(unpacked(path)) for path in exchanged(burn.process.pid)):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    burn.signal(how)
    said = process.communicate(timeout=TIMEOUT_S)[1]
    assert process.returncode == 0, said
    assert "Burn.work" in (tmp_path / "a.collapsed").read_text()


@pytest.mark.any_jvm
def test_a_dump_takes_no_time(burn, tmp_path):
    done = attach("-e", "dump", "-o", "a.hprof", burn.process.pid, cwd=tmp_path)
    assert hprof_binary.parse((tmp_path / "a.hprof").read_bytes()).heaps
    assert lines(done)[-1].startswith("hprof: wrote a.hprof; ")


@pytest.mark.any_jvm
@pytest.mark.parametrize("mode, section", [
    ("calls", b"CPU TIME (ms) BEGIN"), ("live", b"SITES BEGIN"),
    # test_run.py has them all.
    pytest.param("offcpu", b"THREAD MICROSTATES", marks=pytest.mark.thorough),
    pytest.param("alloc", b"SITES BEGIN", marks=pytest.mark.thorough),
    pytest.param("monitors", b"MONITOR TIME BEGIN", marks=pytest.mark.thorough),
])
def test_the_other_modes(burn, tmp_path, mode, section):
    attach("-e", mode, "-d", 1, "-o", "a.txt", burn.process.pid, cwd=tmp_path)
    text = (tmp_path / "a.txt").read_bytes()
    assert section in text
    check_nothing_left(text)


# ---- names ------------------------------------------------------------------------------------

def start_named(jdk, directory, started, name="Named", package="com.acme.x1"):  # noqa: F811
    """A JVM with a main class that no other JVM of this machine has."""
    source = directory / f"{name}.java"
    source.write_text(f"package {package}; class {name} {{ public static void main(String[] a) "
                      "throws Exception { System.out.println(\"ready\"); Thread.sleep(600000); } }")
    subprocess.run([jdk.javac, "--release", str(jdk.version), "-d", directory, source], check=True,
                   timeout=TIMEOUT_S)
    process = started([jdk.java, "-cp", directory, f"{package}.{name}", "a b", "c"])
    assert process.stdout.readline() == b"ready\n"
    return process


@pytest.fixture
def unique():
    return f"Named{os.getpid()}x{time.monotonic_ns()}"


def test_by_main_class_and_jar(jdk, tmp_path, started, unique):  # noqa: F811
    first = start_named(jdk, tmp_path, started, unique)
    for number, name in enumerate((unique, f"com.acme.x1.{unique}")):
        attach("-d", 0, "-o", f"{number}.txt", name, cwd=tmp_path)
        assert f"program: com.acme.x1.{unique} a b c".encode() in (tmp_path / f"{number}.txt").read_bytes()
    attach(unique, "cpu=samples,verbose=n", cwd=tmp_path)
    attach(unique, "stop", cwd=tmp_path)
    jar = tmp_path / "my app" / f"{unique}.jar"
    jar.parent.mkdir()
    subprocess.run([jdk.part("bin/jar"), "--create", "--file", jar, "--main-class",
                    f"com.acme.x1.{unique}", "-C", tmp_path, "com"], check=True, timeout=TIMEOUT_S)
    process = started([jdk.java, "-jar", jar])
    assert process.stdout.readline() == b"ready\n"
    for name in (f"{unique}.jar", jar):
        output = tmp_path / f"jar-{len(str(name))}.txt"
        attach("-d", 0, "-o", output, name, cwd=tmp_path)
        assert f"program: {jar}".encode() in output.read_bytes()
    assert first.poll() is None


@pytest.mark.any_jvm
def test_an_ambiguous_name_lists_the_candidates(jdk, tmp_path, started, unique):  # noqa: F811
    found = [start_named(jdk, tmp_path, started, unique) for _ in range(2)]
    done = attach("-d", 0, "-o", "a.txt", unique, cwd=tmp_path, exit_code=1)
    said = lines(done)
    assert said[0] == f"hprof: 2 JVMs run {unique}; write the process ID of one of them:"
    assert sorted(said[1:]) == sorted(
        f"hprof:   {process.pid} com.acme.x1.{unique} a b c" for process in found)
    assert not (tmp_path / "a.txt").exists()


@pytest.mark.thorough
def test_an_unknown_name_lists_what_runs(jdk, tmp_path, started, unique):  # noqa: F811
    process = start_named(jdk, tmp_path, started, unique)
    said = lines(attach(f"No{unique}", "stop", exit_code=1))
    assert said[0].startswith(f"hprof: no JVM runs No{unique}; ")
    assert f"hprof:   {process.pid} com.acme.x1.{unique} a b c" in said


@pytest.mark.any_jvm
@root_only
def test_files_that_another_user_has_planted_are_not_read(jdk, tmp_path, started, unique):  # noqa: F811
    """A directory of nobody's with a link and a FIFO at the name of root's JVM."""
    process = start_named(jdk, tmp_path, started, unique)
    planted = Path(f"/tmp/hsperfdata_{unique}")
    planted.mkdir()
    try:
        os.chown(planted, NOBODY, NOBODY)
        for plant in (lambda path: path.symlink_to("/dev/zero"), os.mkfifo):
            plant(planted / str(process.pid))
            attach("-d", 0, "-o", tmp_path / f"{time.monotonic_ns()}.txt", unique)
            (planted / str(process.pid)).unlink()
    finally:
        shutil.rmtree(planted)


# ---- refusals ----------------------------------------------------------------------------------

@pytest.mark.any_jvm
@pytest.mark.parametrize("arguments, words", [
    (["-e", "bogus"], "write one of: cpu calls offcpu"),
    (["-d", "1", "-o", "a.bogus"], ".txt"),
    (["-o", "a.txt", "-d", "x"], "-d x is invalid; write a time such as"),
    (["-e", "calls", "-o", "a.hprof"], "format=b"),
])
def test_what_is_wrong_is_refused_before_the_jvm_is_touched(burn, tmp_path, arguments, words):
    done = attach(*arguments, burn.process.pid, cwd=tmp_path, exit_code=2)
    assert len(lines(done)) == 1 and words in done.stderr
    done = attach(burn.process.pid, "cpu=bogus", cwd=tmp_path, exit_code=2)
    assert lines(done) == ["hprof: option cpu=bogus is invalid; write cpu=samples|times|old"]
    assert not list(tmp_path.glob("a.*"))
    assert not Path(f"/tmp/.java_pid{burn.process.pid}").exists()


@pytest.mark.any_jvm
def test_the_refusal_of_the_agent_is_printed_here(burn, tmp_path):
    """It connects first: nobody listens there. In the JVM's log there may be the same."""
    done = attach(burn.process.pid, "cpu=samples,file=/nonexistent/a.txt", exit_code=1)
    assert len(lines(done)) == 1, done.stderr
    assert f"the agent in process {burn.process.pid} refused: can't write /nonexistent/a.txt" in done.stderr
    done = attach("-o", "a.txt", burn.process.pid, "cpu=samples,engine=async,stacks=vm,timeline=n,"
                  "messages=/nonexistent/x", cwd=tmp_path, exit_code=1)
    assert "the standard error of process" in done.stderr
    assert not (tmp_path / "a.txt").exists()
    assert "no profile" in attach(burn.process.pid, "stop", exit_code=1).stderr


@pytest.mark.any_jvm
def test_a_running_profile_is_not_ended_for_another(burn, tmp_path):
    """Two commands at once for one JVM: the second changes nothing, and the first has its profile."""
    first = processes.start([COMMAND, "attach", "-o", "first.txt", str(burn.process.pid)], cwd=tmp_path,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=clean_environment())
    profile = tmp_path / "first.txt"
    end = time.monotonic() + TIMEOUT_S
    while b"SAMPLES END" not in (profile.read_bytes() if profile.exists() else b""):
        assert first.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    for mode in ("cpu", "calls"):
        done = attach("-e", mode, "-d", 0, "-o", "second.txt", burn.process.pid, cwd=tmp_path, exit_code=1)
        assert lines(done) == [
            f"hprof: the agent in process {burn.process.pid} refused: a profile to {profile} is running; "
            "wait for its end, or end it with hprof attach PID stop"]
        assert [path.name for path in tmp_path.glob("*.*")] == ["first.txt"]
    first.send_signal(signal.SIGINT)
    said = first.communicate(timeout=TIMEOUT_S)[1]
    assert first.returncode == 0 and said.splitlines() == [
        "hprof: wrote first.txt; print it with: hprof report first.txt"]
    assert check_samples(profile.read_bytes()) > 0


@pytest.mark.any_jvm
def test_a_profile_that_a_killed_command_has_left_is_named(burn, tmp_path):
    """It goes on, and the next command prints where it is, and how to end it."""
    killed = processes.start([COMMAND, "attach", "-o", "a.html", str(burn.process.pid)], cwd=tmp_path,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=clean_environment())
    end = time.monotonic() + TIMEOUT_S
    while not (left := [path for path in exchanged(burn.process.pid) if path.suffix == ".gz"]):
        assert killed.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    killed.kill()
    killed.wait()
    try:
        said = attach("-d", 0, "-o", "b.txt", burn.process.pid, cwd=tmp_path, exit_code=1).stderr
        assert f"a profile to {left[0]} is running" in said and not list(tmp_path.glob("*.*"))
        attach(burn.process.pid, "stop")
        assert b"CPU SAMPLES END" in unpacked(left[0])
        attach("-d", 0, "-o", "b.txt", burn.process.pid, "replace=y", cwd=tmp_path)
    finally:
        for path in Path("/tmp").glob(left[0].name.split(".")[0] + ".*"):
            path.unlink()


@pytest.mark.any_jvm
def test_a_process_that_is_none(started, tmp_path):  # noqa: F811
    process = started(["true"])
    process.wait()
    done = attach("-o", "a.txt", process.pid, cwd=tmp_path, exit_code=1)
    assert lines(done) == [f"hprof: no process {process.pid}; write the process ID of a running JVM"]
    process = started(["sleep", "60"])
    done = attach("-o", "a.txt", process.pid, cwd=tmp_path, exit_code=1)
    assert len(lines(done)) == 1 and "not a JVM" in done.stderr
    assert process.poll() is None and not list(tmp_path.iterdir())


# ---- others' JVMs, and elsewhere ------------------------------------------------------------------

def sleeping(jdk, directory):
    return [jdk.java, "-Xshare:auto", "-cp", directory / "bin", "SleepThenExit", 600000]


@pytest.mark.any_jvm
@root_only
def test_root_profiles_a_jvm_of_another_user(jdk, place, started, tmp_path):  # noqa: F811
    process = started([*AS_NOBODY, *sleeping(jdk, place)], cwd=place / "work")
    pid = inner_pid(process)
    for name in ("a.txt", "a.html"):
        attach("-d", 1, "-o", name, pid, command=place / "bin" / "hprof", cwd=tmp_path)
        output = tmp_path / name
        assert output.stat().st_uid == 0 and output.stat().st_mode & 0o777 == 0o600
    text = (tmp_path / "a.txt").read_bytes()
    assert b"CPU SAMPLES END" in text
    check_nothing_left(text)
    assert not list((place / "work").iterdir())


@pytest.mark.any_jvm
@root_only
def test_another_user_is_refused(jdk, place, started):  # noqa: F811
    process = started(sleeping(jdk, place))
    pid = inner_pid(process)
    done = attach("-d", 1, "-o", place / "work" / "a.txt", pid, command=place / "bin" / "hprof",
                  prefix=AS_NOBODY, exit_code=1)
    assert len(lines(done)) == 1 and f"process {pid} runs as user 0" in done.stderr
    assert not list((place / "work").iterdir())


@pytest.mark.any_jvm
@root_only
def test_without_a_jdk_or_a_path(jdk, place, started):  # noqa: F811
    process = started([*AS_NOBODY, *sleeping(jdk, place)], cwd=place / "work")
    pid = inner_pid(process)
    attach("-d", 1, "-o", place / "work" / "a.txt", pid, command=place / "bin" / "hprof",
           prefix=[*AS_NOBODY, "env", "-i"])
    assert b"CPU SAMPLES END" in (place / "work" / "a.txt").read_bytes()


@needs_pid_namespace
def test_in_another_pid_namespace(jdk, place, started, tmp_path):  # noqa: F811
    process = started(["unshare", "--pid", "--fork", "--mount-proc", *sleeping(jdk, place)],
                      cwd=place / "work")
    inner = inner_pid(process)
    pid = child_of(process.pid)
    assert pid != inner
    attach("-d", 1, "-o", "a.html", pid, command=place / "bin" / "hprof", cwd=tmp_path)
    assert (tmp_path / "a.html").read_text().startswith("<!")
    assert str(pid) in attach("NoSuchName", "stop", exit_code=1).stderr
    # Within the namespace it has another number, which is another process here, or none. Another
    # such JVM of this machine may have the same.
    said = lines(attach("-d", 1, "-o", "b.txt", inner, cwd=tmp_path, exit_code=1))
    others = [line for line in lines(attach("NoSuchName", "stop", exit_code=1))[1:]
              if f"hprof:   {pid} " not in line and Path(f"/proc/{line.split()[1]}/status").exists()
              and f"\t{inner}\n" in Path(f"/proc/{line.split()[1]}/status").read_text()]
    assert len(said) == 1 and (others or said[0].endswith(f"is process {pid}: write that")), said


def bind_root(directory):
    """A script that makes directory a root directory with this system's files and its own /tmp."""
    mounts = "".join(f'if [ -d /{name} ]; then mkdir -p "$1/{name}"; mount --rbind /{name} "$1/{name}"; fi; '
                     for name in ("bin", "lib", "lib64", "usr", "etc", "proc", "dev", "work", "root"))
    return f'set -e; {mounts} mkdir -m 1777 "$1/tmp"; mkdir "$1/opt"; cp -r "$2" "$1/opt/hprof"; '


@root_only
@pytest.mark.skipif(not can_unshare("--mount"), reason="no mount namespaces for this user")
def test_with_another_root_directory(jdk, place, started, tmp_path):  # noqa: F811
    """A container: its own root, /tmp and PID namespace; the library is there at another path."""
    root = Path(tempfile.mkdtemp(prefix="hprof-root-", dir="/var/tmp"))
    try:
        root.chmod(0o755)
        script = bind_root(root) + 'root=$1; shift 2; exec chroot "$root" "$@"'
        process = started(["unshare", "--mount", "--pid", "--fork", "sh", "-c", script, "sh", root,
                           place / "bin", jdk.java, "-Xshare:auto", "-cp", "/opt/hprof",
                           "SleepThenExit", 600000])
        inner_pid(process)
        pid = child_of(process.pid)
        command = place / "bin" / "hprof"
        done = attach("-d", 1, "-o", "a.txt", pid, command=command, cwd=tmp_path, exit_code=1)
        assert len(lines(done)) == 1 and "--libpath" in done.stderr, done.stderr
        assert not list(tmp_path.iterdir())
        for name in ("a.txt", "a.html"):
            attach("-d", 1, "-o", name, "--libpath", f"/opt/hprof/{AGENT.name}", pid, command=command,
                   cwd=tmp_path)
        assert b"CPU SAMPLES END" in (tmp_path / "a.txt").read_bytes()
        assert not list((root / "tmp").glob("hprof-*"))
        said = attach("NoSuchName", "stop", exit_code=1).stderr
        assert re.search(rf"^hprof:   {pid} SleepThenExit 600000$", said, re.M), said
    finally:
        subprocess.run(["umount", "-R", root], capture_output=True, check=False)
        if not os.path.ismount(root) and not os.path.exists(root / "usr" / "bin" / "env"):
            shutil.rmtree(root)


def test_a_jvm_without_performance_data_has_no_name(java, tmp_path):
    live = java.start("SleepThenExit", None, 600000, java_opts=("-XX:-UsePerfData",))
    live.wait_stdout("ready=1")
    said = attach("NoSuchName", "stop", exit_code=1).stderr
    assert f"  {live.process.pid} " not in said
    attach("-d", 0, "-o", "a.txt", live.process.pid, cwd=tmp_path)
    live.kill()
