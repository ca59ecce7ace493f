"""What every end-to-end test stands on: the JDKs, the compiled Java programs and
a way to run one of them under the agent and keep all that was seen.

Environment
    HPROF_TEST_JDKS         JDK homes (jdks.py)
    HPROF_AGENT             the library under test (default build/libhprof.so)
    HPROF_TEST_JAVA_OPTS    options added to every java command
    HPROF_TEST_ENV_PRELOAD  LD_PRELOAD of every JVM (a sanitizer's runtime)
    HPROF_TEST_ASAN_OPTIONS ASAN_OPTIONS of every JVM
    HPROF_TEST_PLATFORM     the system that the library is built for, where that is
                            another one than it runs on (tests/solaris/shim)
"""

import fcntl
import os
import re
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import hprof_binary
import hprof_text
import jdks
import processes
from checks import samples_lost

ROOT = Path(__file__).resolve().parents[2]
JAVA_SOURCES = ROOT / "tests" / "java"
AGENT = Path(os.environ.get("HPROF_AGENT", ROOT / "build" / "libhprof.so")).resolve()
PLATFORM = os.environ.get("HPROF_TEST_PLATFORM", sys.platform)
VIRTUAL_THREADS = 21
TIMEOUT_S = 120  # of a run: several times what one takes on a busy machine
STACKS_SHOWN = 40_000  # characters, in a failure's message


try:
    JDKS = jdks.find_jdks()
except ValueError as error:
    raise pytest.UsageError(str(error)) from error


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "asan: run under the sanitizers too (pytest -m asan): together these tests "
        "go every way through the agent that the unit tests can't")
    config.addinivalue_line(
        "markers", "ports: run with other platforms' layers too (pytest -m ports): together "
        "these tests go every way through src/os that the unit tests can't")
    config.addinivalue_line(
        "markers", "alone: measures by the wall clock, or how the system shares out its "
        "processors, and so runs when no other test does (pytest -m alone)")


def pytest_report_header():
    return [f"agent: {AGENT}", f"JDKs: {', '.join(f'{j} {j.home}' for j in JDKS) or 'none'}"]


def pytest_generate_tests(metafunc):
    if "jdk" in metafunc.fixturenames:
        metafunc.parametrize("jdk", JDKS, ids=repr, scope="session")


def _compile(jdk, release, sources, target, class_path=()):
    if failure := jdks.compile_java(jdk, release, sources, target, class_path):
        pytest.fail(failure, pytrace=False)


@pytest.fixture(scope="session")
def class_path(tmp_path_factory):
    """Folders of the compiled programs, made once for all workers: those for any JDK,
    and those with virtual threads where a JDK can compile them."""
    if not JDKS:
        pytest.fail("no JDK with javac, version 11 or later, was found", pytrace=False)
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folders = [shared / "classes"]
    with_virtual_threads = [jdk for jdk in JDKS if jdk.version >= VIRTUAL_THREADS]
    if with_virtual_threads:
        folders.append(shared / "classes21")
    made = shared / "classes.made"
    with open(shared / "classes.lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            _compile(JDKS[0], jdks.OLDEST, JAVA_SOURCES.glob("*.java"), folders[0])
            if with_virtual_threads:
                sources = (JAVA_SOURCES / "jdk21").glob("*.java")
                _compile(with_virtual_threads[0], VIRTUAL_THREADS, sources, folders[1],
                         folders[:1])
            made.touch()
    return folders


@pytest.fixture(scope="session")
def native_library(tmp_path_factory):
    """native_library(name): the library made of tests/java/native/name.c."""
    folder = tmp_path_factory.mktemp("native")

    def library(name):
        made = folder / f"lib{name}.so"
        if not made.is_file():
            headers = JDKS[0].home / "include"
            folders = [headers, *(path.parent for path in headers.glob("*/jni_md.h"))]
            command = [os.environ.get("CC", "gcc"), "-shared", "-fPIC", "-O1", "-Wall", "-Wextra",
                       "-Werror", *(f"-I{path}" for path in folders), "-o", made,
                       JAVA_SOURCES / "native" / f"{name}.c"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S,
                                  check=False)
            if done.returncode:
                pytest.fail(f"the compiler failed:\n{done.stderr}", pytrace=False)
        return made
    return library


def cut(text, most=6000):
    half = most // 2
    return text if len(text) <= most else text[:half] + "\n[...]\n" + text[-half:]


class Run:
    """One run of a Java program: what it was and all that was seen of it."""

    def __init__(self, command, folder, output, options, binary):
        self.command = command
        self.folder = folder
        self.output = output
        self.options = options
        self.binary = binary
        self.exit_code = None
        self.stdout = ""
        self.stderr = ""
        self.wall_s = None
        self.lost = 0  # samples_lost() of the last profile parsed
        self.notes = []

    def option(self, name, default=None):
        """Value of an agent's option in this run."""
        found = re.search(rf"(?:^|,){name}=([^,]*)", self.options or "")
        return found[1] if found else default

    @property
    def truth(self):
        """The key=value lines of stdout; values are numbers where they can be."""
        pairs = re.findall(r"^([\w.-]+)=(.*)$", self.stdout, re.M)
        return {key: int(value) if re.fullmatch(r"-?\d+", value) else value
                for key, value in pairs}

    @property
    def agent_lines(self):
        """The agent's own lines on stderr."""
        return [line for line in self.stderr.splitlines() if line.startswith("hprof: ")]

    @property
    def interval_ns(self):
        return int(self.option("interval", "10")) * 1_000_000

    def profile(self, path=None):
        """The output, parsed strictly; a break of the format fails the test."""
        path = path or self.output
        if not path.is_file():
            pytest.fail(self.seen(f"no output at {path.name}; the folder holds "
                                  f"{sorted(p.name for p in self.folder.iterdir())}"),
                        pytrace=False)
        profile = self.parse(path.read_bytes())
        if not self.binary:
            self.notes = profile.notes + [
                note for section in profile.sections for note in section.notes]
        return profile

    def parse(self, data):
        cutoff = float(self.option("cutoff", "0.0001"))
        parser = hprof_binary if self.binary else hprof_text
        try:
            if self.binary:
                profile = hprof_binary.parse(data, cutoff=cutoff)
            else:
                profile = hprof_text.parse(data, cutoff=cutoff,
                                           thread_in_traces=self.option("thread", "n") == "y",
                                           native=self.option("native", "n") == "y")
        except parser.FormatError as error:
            kept = self.folder / "rejected-output"
            kept.write_bytes(data)
            pytest.fail(self.seen(f"output breaks the format: {error} (kept as {kept})"),
                        pytrace=False)
        self.lost = samples_lost(profile)
        return profile

    def seen(self, reason):
        """reason, and below it the run, for a failure's message."""
        return "\n".join([reason, f"$ {cut(shlex.join(self.command), 2000)}", f"in {self.folder}",
                          f"exit code {self.exit_code} after {self.wall_s} s",
                          *[f"the output's note: {note}" for note in self.notes],
                          "--- stdout", cut(self.stdout), "--- stderr", cut(self.stderr)])


class Live:
    """A run that goes on: its stdout is read line by line by a thread."""

    def __init__(self, run, jdk, env, timeout_s, preexec=None, stdin=subprocess.DEVNULL,
                 stderr=subprocess.PIPE):
        self.run = run
        self.jdk = jdk
        self.timeout_s = timeout_s
        self.start = time.monotonic()
        self.changed = threading.Condition()
        self.lines = []
        self.error_lines = []
        self.process = processes.start(
            run.command, cwd=run.folder, env=env, stdin=stdin,
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
                    lines.append(line.decode("utf-8", "backslashreplace"))
                    self.changed.notify_all()

    def _wait_line(self, lines, pattern):
        """Until a line matches pattern; the match."""
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

    def say(self, line):
        """Writes a line to the program's standard input, a pipe."""
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def last(self, key):
        """The last number that the program has printed as key=number."""
        return [int(line.split("=")[1]) for line in self.lines if line.startswith(f"{key}=")][-1]

    def said(self, start):
        """Lines on stderr so far that start so."""
        return sum(line.startswith(start) for line in self.error_lines)

    def signal(self, number):
        self.process.send_signal(number)

    def alive(self):
        return self.process.poll() is None

    def finish(self):
        """Waits for the end and fills in the run; too late is a failure."""
        try:
            self.process.wait(max(0.1, self.start + self.timeout_s - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._fail_with_stacks(f"still running after {self.timeout_s} s")
        return self._collect()

    def kill(self):
        processes.end_group(self.process)
        return self._collect()

    def _fail_with_stacks(self, reason):
        """Ends the run, with where its threads stand in the failure and in its folder."""
        stacks = ""
        if self.alive():
            stacks = processes.stacks(self.process.pid, self.jdk.home)
            kept = self.run.folder / "stacks.txt"
            kept.write_text(stacks, encoding="utf-8")
            reason += f"; stacks at the end and in {kept}"
        self.kill()
        pytest.fail(self.run.seen(reason) + "\n" + cut(stacks, STACKS_SHOWN), pytrace=False)

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
    """Until it holds, the program has ended, or so much time has gone by; whether it holds."""
    end = time.monotonic() + seconds
    while not condition():
        if not live.alive() or time.monotonic() > end:
            return condition()
        time.sleep(0.01)
    return True


def cpu_s(live):
    """CPU time of the program so far."""
    stat = Path(f"/proc/{live.process.pid}/stat").read_text(encoding="ascii")
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def let_use(live, cpu):
    """Waits until the program has used so many seconds of CPU time more, or has ended."""
    due_s = cpu_s(live) + cpu
    wait_until(lambda: cpu_s(live) >= due_s, live)


class Runner:
    """Runs programs under one JDK; each run gets a folder of its own."""

    def __init__(self, jdk, class_path, folder):
        self.jdk = jdk
        self.class_path = class_path
        self.folder = folder
        self.runs = 0
        self.live = []

    def start(self, main, options, *args, java_opts=(), how="agentpath", env=None, folder=None,
              timeout_s=TIMEOUT_S, preexec=None, stdin=subprocess.DEVNULL,
              stderr=subprocess.PIPE):
        """Starts main under the agent with options; options None is without it.

        how: agentpath, agentlib, xrun, or tool_options (JAVA_TOOL_OPTIONS).
        """
        if options is not None and not AGENT.is_file():
            pytest.fail(f"no agent at {AGENT}: build it, or set HPROF_AGENT", pytrace=False)
        self.runs += 1
        if folder is None:
            folder = self.folder / f"run{self.runs}"
            folder.mkdir(parents=True)
        environment = {key: value for key, value in os.environ.items()
                       if key not in ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS")}
        if preload := os.environ.get("HPROF_TEST_ENV_PRELOAD"):
            environment["LD_PRELOAD"] = preload
        if asan_options := os.environ.get("HPROF_TEST_ASAN_OPTIONS"):
            environment["ASAN_OPTIONS"] = asan_options
        argument = []
        if options is not None:
            suffix = f"={options}" if options != "" else ""
            if how == "agentpath":
                argument = [f"-agentpath:{AGENT}{suffix}"]
            elif how == "tool_options":
                environment["JAVA_TOOL_OPTIONS"] = f"-agentpath:{AGENT}{suffix}"
            else:
                environment["LD_LIBRARY_PATH"] = str(AGENT.parent)
                argument = [f"-agentlib:hprof{suffix}" if how == "agentlib"
                            else f"-Xrunhprof{suffix.replace('=', ':', 1)}"]
        environment.update(env or {})
        added = shlex.split(os.environ.get("HPROF_TEST_JAVA_OPTS", ""))
        command = [str(self.jdk.java), *added, *java_opts, *argument,
                   "-cp", os.pathsep.join(map(str, self.class_path)), main, *map(str, args)]
        binary = bool(re.search(r"(^|,)format=b(,|$)", options or ""))
        output = folder / ("java.hprof" if binary else "java.hprof.txt")
        named = re.search(r"(^|,)file=([^,]+)", options or "")
        if named:
            output = folder / named[2]
        run = Run(command, folder, output, options, binary)
        live = Live(run, self.jdk, environment, timeout_s, preexec, stdin, stderr)
        self.live.append(live)
        return live

    def run(self, main, options, *args, exit_code=0, **how):
        """Runs to the end; exit_code None takes any."""
        done = self.start(main, options, *args, **how).finish()
        if exit_code is not None and done.exit_code != exit_code:
            pytest.fail(done.seen(f"exit code {done.exit_code}, should be {exit_code}"),
                        pytrace=False)
        return done

    def close(self):
        for live in self.live:
            if live.alive():
                live.kill()


@pytest.fixture
def java(jdk, class_path, tmp_path):
    """A Runner in the test's own folder."""
    runner = Runner(jdk, class_path, tmp_path)
    yield runner
    runner.close()


@pytest.fixture
def run_java(java):
    """run_java(main, options, *args): the finished Run."""
    return java.run


@pytest.fixture(scope="session")
def shared_run(class_path, tmp_path_factory):
    """shared_run(jdk, main, options, *args): the same as run_java, but the same
    call gives the same run, so that one long run can serve many tests."""
    done = {}

    def run(jdk, main, options, *args, java_opts=()):
        key = (jdk.version, main, options, args, tuple(java_opts))
        if key not in done:
            runner = Runner(jdk, class_path, tmp_path_factory.mktemp(main.lower()))
            try:
                done[key] = runner.run(main, options, *args, java_opts=java_opts)
            except BaseException as failure:
                done[key] = failure
            finally:
                runner.close()
        if isinstance(done[key], BaseException):
            raise done[key]
        return done[key]
    return run
