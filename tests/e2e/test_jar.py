"""hprof.jar: `java -jar hprof.jar` unpacks the command and the agent, and is the command to whoever
runs it: arguments, streams, exit codes and signals are its own. Nothing that another user can
exchange is run.

Environment
    HPROF_JAR  the jar under test; `make check-jar` sets it, and without it nothing is tested
"""

import os
import shutil
import signal
import subprocess
import tempfile
import zipfile
from pathlib import Path

import pytest

from support.attach_rights import (AS_NOBODY, NOBODY, inner_pid, place, root_only,
                                   started)  # noqa: F401 (fixtures)
from support.command import clean_environment, java_command
from support.live_run import TIMEOUT_S

JAR = os.environ.get("HPROF_JAR")
pytestmark = pytest.mark.skipif(JAR is None, reason="HPROF_JAR names no jar: make check-jar")

PLATFORM = "linux-x64"
FILES = {"hprof": 0o500, "libhprof.so": 0o400}


class Launcher:
    """The jar in a JVM, with a home and a directory for temporary files of the test's own."""

    def __init__(self, jdk, directory):
        self.jdk = jdk
        self.home = directory / "home"
        self.temporary = directory / "tmp"
        for made in (self.home, self.temporary):
            made.mkdir()
        self.jar = Path(shutil.copy(JAR, directory))  # where each user can read it
        self.jar.chmod(0o644)
        self.cache = self.home / ".cache" / "hprof"

    def line(self, *arguments):
        return [self.jdk.java, f"-Djava.io.tmpdir={self.temporary}", "-jar", self.jar, *arguments]

    def environment(self, **added):
        left_out = ("XDG_CACHE_HOME", "HPROF_CACHE")
        kept = {key: value for key, value in clean_environment().items() if key not in left_out}
        return {**kept, "HOME": str(self.home), **added}

    def run(self, *arguments, prefix=(), env=None, exit_code=0, **how):
        done = subprocess.run([*prefix, *self.line(*arguments)], capture_output=True, check=False,
                              timeout=TIMEOUT_S, env=self.environment(**(env or {})), **how)
        assert exit_code in (None, done.returncode), done
        return done

    def unpacked(self, **how):
        """The directory that it uses."""
        library = Path(self.run("--libpath", **how).stdout.decode().removesuffix("\n"))
        assert library.name == "libhprof.so"
        return library.parent


@pytest.fixture
def launcher(jdk):
    directory = Path(tempfile.mkdtemp(prefix="hprof-jar-"))
    directory.chmod(0o755)
    yield Launcher(jdk, directory)
    shutil.rmtree(directory)


def refused(done, *words):
    """One line that has all the words."""
    said = done.stderr.decode()
    assert done.stdout == b"" and said.startswith("hprof: ") and said.count("\n") == 1, done
    assert all(word in said for word in words), (words, said)


def check_unpacked(directory, owner=None):
    """What the jar has, in files that nobody else can change."""
    assert directory.stat().st_mode & 0o7777 == 0o700
    assert sorted(path.name for path in directory.iterdir()) == sorted(FILES)
    with zipfile.ZipFile(JAR) as jar:
        for name, mode in FILES.items():
            found = (directory / name).lstat()
            assert found.st_mode & 0o7777 == mode and found.st_uid == (owner or os.getuid())
            assert (directory / name).read_bytes() == jar.read(f"{PLATFORM}/{name}")


# ---- the command ---------------------------------------------------------------------------

def test_a_program_is_profiled_and_reported(launcher, jdk, class_path, tmp_path):
    done = launcher.run("run", "-o", "é x.txt", "--", *java_command(jdk, class_path, "Burn", 300),
                        cwd=tmp_path, env={"LC_ALL": "C"})
    assert done.stdout.startswith(b"pid=")
    assert (tmp_path / "é x.txt").is_file()
    report = launcher.run("report", "--by", "method", "é x.txt", cwd=tmp_path, env={"LC_ALL": "C"})
    assert b"Burn.work" in report.stdout
    check_unpacked(launcher.unpacked())


@pytest.mark.parametrize("argument", [b"\xc3\xa9 x", b"\xff", b"\xc3\xa9\n\n", b"'\\$(\xe9)"])
def test_bytes_of_an_argument_pass(launcher, argument):
    """In the locale C, too, in which Java loses them."""
    shown = subprocess.run([launcher.unpacked() / "hprof", "report", argument, ""],
                           capture_output=True, check=False, timeout=TIMEOUT_S)
    for locale in ("C", "C.UTF-8"):
        done = launcher.run("report", argument, "", env={"LC_ALL": locale}, exit_code=2)
        assert done.stderr == shown.stderr


def test_streams_and_exit_codes_are_those_of_the_command(launcher, jdk, tmp_path):
    assert launcher.run("--version").stdout.startswith(b"hprof ")
    assert launcher.run("report", "-", input=b"no profile", exit_code=None).returncode == 1
    refused(launcher.run("unknown", exit_code=2), "unknown")
    (tmp_path / "ExitWith.java").write_text(
        "class ExitWith { public static void main(String[] a) { System.exit(7); } }")
    java = [jdk.java, tmp_path / "ExitWith.java"]
    launcher.run("run", "-o", tmp_path / "a.txt", "--", *java, exit_code=7)


def test_java_of_the_launcher_is_run_where_path_has_none(launcher, tmp_path):
    done = launcher.run("run", "-o", tmp_path / "a.txt", "--", "java", "-version",
                        env={"PATH": str(tmp_path)}, exit_code=None)
    assert f'version "{launcher.jdk.version}' in done.stderr.decode(), done
    named = tmp_path / "java"
    named.write_text("#!/bin/sh\nexit 9\n")
    named.chmod(0o755)
    launcher.run("run", "-o", tmp_path / "b.txt", "--", "java", env={"PATH": str(tmp_path)}, exit_code=9)


def test_a_jvm_is_attached_to_twice(launcher, jdk, class_path, tmp_path, started):
    process = started(java_command(jdk, class_path, "SleepThenExit", 60000), cwd=tmp_path)
    pid = inner_pid(process)
    for name in ("a.txt", "b.txt"):
        launcher.run("attach", "-d", "1", "-o", name, str(pid), cwd=tmp_path)
        assert b"CPU SAMPLES END" in (tmp_path / name).read_bytes()
    assert process.poll() is None


def test_another_system_is_refused(jdk):
    done = subprocess.run([jdk.java, "-Dos.arch=aarch64", "-jar", JAR, "--version"],
                          capture_output=True, check=False, timeout=TIMEOUT_S)
    assert done.returncode == 2
    refused(done, PLATFORM, "linux-aarch64", "source")


# ---- signals -------------------------------------------------------------------------------

def profiled(launcher, started, java, output):
    """A program that sleeps, run by the jar; its process ID."""
    process = started(launcher.line("run", "-o", output, "--", *java), env=launcher.environment())
    return process, inner_pid(process)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("to_group", [True, False])
def test_a_signal_ends_the_program_and_its_profile_is_whole(launcher, jdk, class_path, started,
                                                            tmp_path, number, to_group):
    """Of the group, as Ctrl-C, or sent to the launcher alone."""
    if number == signal.SIGINT and not to_group:
        pytest.skip("left to the command, as by the command to its program")
    output = tmp_path / "a.txt"
    process, pid = profiled(launcher, started, java_command(jdk, class_path, "SleepThenExit", 60000),
                            output)
    (os.killpg if to_group else os.kill)(process.pid, number)
    process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 128 + number
    assert b"CPU SAMPLES END" in output.read_bytes()
    assert not Path(f"/proc/{pid}").exists()


def test_ctrl_c_for_the_launcher_alone_is_left_to_the_command(launcher, jdk, class_path, started, tmp_path):
    process, _ = profiled(launcher, started, java_command(jdk, class_path, "SleepThenExit", 3000),
                          tmp_path / "a.txt")
    os.kill(process.pid, signal.SIGINT)
    process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 0


# ---- where it unpacks ----------------------------------------------------------------------

def test_the_directory_stays_the_same(launcher):
    first = launcher.unpacked()
    number = (first / "libhprof.so").stat().st_ino
    assert first.parent == launcher.cache and launcher.unpacked() == first
    assert (first / "libhprof.so").stat().st_ino == number


def test_two_starts_at_once(launcher):
    both = [subprocess.Popen(launcher.line("--version"), env=launcher.environment(),
                             stdout=subprocess.PIPE) for _ in range(4)]
    assert all(one.communicate(timeout=TIMEOUT_S)[0].startswith(b"hprof ") for one in both)
    assert [one.returncode for one in both] == [0] * len(both)
    check_unpacked(launcher.unpacked())


def exchange(path):
    text = bytearray(path.read_bytes())
    text[len(text) // 2] ^= 1
    path.chmod(0o700)
    path.write_bytes(text)
    path.chmod(FILES[path.name])


def replace_by_link(path):
    path.rename(path.parent.parent / "elsewhere")
    path.symlink_to(path.parent.parent / "elsewhere")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("harm", [exchange, replace_by_link, Path.unlink,
                                  lambda path: path.chmod(0o777),
                                  lambda path: os.truncate(path, 1000),
                                  lambda path: path.parent.chmod(0o777)])
def test_a_file_that_has_changed_is_replaced(launcher, harm, name):
    directory = launcher.unpacked()
    harm(directory / name)
    launcher.run("--version")
    check_unpacked(directory)


def link_to(directory, other):
    other.mkdir(mode=0o700)
    directory.symlink_to(other)


def foreign(directory, _):
    directory.mkdir(mode=0o755)
    os.chown(directory, NOBODY, NOBODY)


def open_to_all(directory, _):
    directory.mkdir()
    directory.chmod(0o777)


def a_file(directory, _):
    directory.write_text("")


@pytest.mark.parametrize("harm, reason", [(link_to, "symbolic link"), (open_to_all, "others can write"),
                                          (a_file, "not a directory"),
                                          pytest.param(foreign, f"user {NOBODY}", marks=root_only)])
def test_a_hostile_directory_is_left_alone(launcher, harm, reason, tmp_path):
    launcher.cache.parent.mkdir()
    harm(launcher.cache, tmp_path / "other")
    directory = launcher.unpacked()
    assert directory.parent == launcher.temporary / f"hprof-{os.getuid()}"
    check_unpacked(directory)
    assert harm is a_file or not list(launcher.cache.iterdir())
    done = launcher.run("--version", env={"HPROF_CACHE": str(launcher.cache)}, exit_code=1)
    refused(done, str(launcher.cache), reason, "set HPROF_CACHE")


@root_only
def test_root_uses_no_directory_below_that_of_a_user(launcher):
    os.chown(launcher.home, NOBODY, NOBODY)
    assert launcher.unpacked().parent == launcher.temporary / "hprof-0"


def test_variables_choose_the_directory(launcher, tmp_path):
    for variable, directory in (("XDG_CACHE_HOME", tmp_path / "xdg" / "hprof"),
                                ("HPROF_CACHE", tmp_path / "own" / "x")):
        chosen = directory if variable == "HPROF_CACHE" else directory.parent
        assert launcher.unpacked(env={variable: str(chosen)}).parent == directory


@root_only
def test_a_user_without_a_home(launcher):
    launcher.temporary.chmod(0o1777)
    directory = launcher.unpacked(prefix=AS_NOBODY, cwd="/")
    assert directory.parent == launcher.temporary / f"hprof-{NOBODY}"
    check_unpacked(directory, NOBODY)


@root_only
def test_no_place_can_be_written(launcher):
    launcher.temporary.chmod(0o755)
    done = launcher.run("--version", prefix=AS_NOBODY, cwd="/", exit_code=1)
    refused(done, str(launcher.cache), str(launcher.temporary), "Permission denied", "set HPROF_CACHE")


@root_only
def test_a_place_where_no_program_runs(launcher):
    launcher.cache.mkdir(parents=True)
    script = 'mount -t tmpfs -o noexec,mode=0700 none "$0" && exec "$@"'
    noexec = ["unshare", "--mount", "sh", "-c", script, launcher.cache]
    if subprocess.run([*noexec, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this user can't mount a file system")
    assert launcher.unpacked(prefix=noexec).parent == launcher.temporary / "hprof-0"
    done = launcher.run("--version", prefix=noexec, env={"HPROF_CACHE": str(launcher.cache)}, exit_code=1)
    refused(done, str(launcher.cache), "noexec", "HPROF_CACHE")


@root_only
def test_root_can_give_the_library_to_another_users_jvm(launcher, jdk, place, started):
    """Not the one that is unpacked, which is private, but a copy."""
    process = started([*AS_NOBODY, *java_command(jdk, [place / "bin"], "SleepThenExit", 60000)],
                      cwd=place / "work")
    pid = inner_pid(process)
    refused(launcher.run("attach", str(pid), "cpu=samples", exit_code=1), "can't read", f"user {NOBODY}")
    copy = place / "work" / "copied.so"
    shutil.copy(launcher.unpacked() / "libhprof.so", copy)
    copy.chmod(0o755)
    output = place / "work" / "a.txt"
    launcher.run("attach", "--libpath", str(copy), "-d", "1", "-o", str(output), str(pid))
    assert b"CPU SAMPLES END" in output.read_bytes()
