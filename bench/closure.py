"""What the agent costs, and how true its samples are, on a real program.

The program is the Closure compiler at work on four JavaScript libraries; see
README.md beside this file for what is measured and how to read it.

    HPROF_AGENT=build/libhprof.so python3 bench/closure.py
    HPROF_AGENT=build/libhprof.so python3 bench/closure.py --accuracy
"""

import argparse
import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import time
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BENCH = Path(__file__).resolve().parent
WORK = ROOT / "build" / "bench"
OLDEST_JDK = 11
RUN_TIMEOUT_S = 1800
MAIN_CLASS = "com.google.javascript.jscomp.CommandLineRunner"
NO_AGENT = "none"
DEFAULT_OPTIONS = "cpu=samples"

# npm package, version, the file wanted of it, SHA-256 of the package.
Package = namedtuple("Package", "name version wanted sha256")
PACKAGES = [
    Package("google-closure-compiler-java", "20240317.0.0", "compiler.jar",
            "cff3836ed826a326ca89e4d2be8422018ea499a813ae5bfc8d83ce8e5981afc2"),
    Package("lodash", "4.17.21", "lodash.js",
            "6a087ac9e5702a0c9d60fbcd48696012646ec8df1491dea472b150e79fcaf804"),
    Package("jquery", "3.7.1", "dist/jquery.js",
            "68a9f787516da47c680e09c187bcbac4536b6f85d90eb882844e12919e583f53"),
    Package("three", "0.128.0", "build/three.js",
            "df6a5d06dcd9a361831669f1b6dd081b2a43f9933d7b16de532417cc8d7c6153"),
    Package("d3", "7.9.0", "dist/d3.js",
            "7e36605710a2ba54846797c8c6d888911341b215ae53257dc32a49a0b824355e"),
]

TENTH = "jquery"

# Accuracy bars.
CPU_TOLERANCE = 0.05
NO_STACK_LIMIT = 0.02
TRUTHS_MAY_DIFFER = 0.02

# Names of threads that run no Java code, as the kernel has them (15 characters).
JVM_THREAD = re.compile(
    r"C1 Compiler|C2 Compiler|GC Thread#|G1 |ParGC|VM Thread|VM Periodic|Sweeper thread"
    r"|Service Thread|Monitor Deflati|Signal Dispatch|Attach Listener")
AGENT_THREAD = re.compile(r"hprof")


class BenchError(Exception):
    """The benchmark can't be run, or what it ran has failed."""


# ---- the workload ------------------------------------------------------


def fetch(package, member=None):
    """A file of an npm package, by default the wanted one; the package is fetched once."""
    member = member or package.wanted
    wanted = WORK / package.name / member
    if wanted.is_file():
        return wanted
    archive = WORK / f"{package.name}-{package.version}.tgz"
    if not archive.is_file():
        npm = shutil.which("npm")
        if npm is None:
            raise BenchError("npm not found: install it (Debian: npm)")
        print(f"fetching {package.name} {package.version}", flush=True)
        WORK.mkdir(parents=True, exist_ok=True)
        subprocess.run([npm, "pack", "--silent", f"{package.name}@{package.version}"],
                       cwd=WORK, stdout=subprocess.DEVNULL, check=True)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != package.sha256:
        raise BenchError(f"{archive} is not the expected file: SHA-256 {digest}")
    wanted.parent.mkdir(parents=True, exist_ok=True)
    partial = wanted.with_name(wanted.name + ".part")
    with tarfile.open(archive) as files:
        with files.extractfile(f"package/{member}") as source, \
                open(partial, "wb") as target:
            shutil.copyfileobj(source, target)
    partial.rename(wanted)
    return wanted


class Workload:
    """The compiler and what it compiles: all libraries, or one that has 11% of their bytes."""

    def __init__(self, tenth=False):
        wanted = [package for package in PACKAGES
                  if not tenth or package.name in (PACKAGES[0].name, TENTH)]
        self.jar, *self.libraries = [fetch(package) for package in wanted]

    def arguments(self, output):
        """The compiler's own arguments."""
        inputs = [word for library in self.libraries for word in ("--js", str(library))]
        return ["--language_out", "ECMASCRIPT_2015", *inputs, "--js_output_file", str(output)]


# ---- JDKs --------------------------------------------------------------


Jdk = namedtuple("Jdk", "version home")


def jdk_version(home):
    """Major version of the JDK at home, or None if there is none."""
    java = home / "bin" / "java"
    if not os.access(java, os.X_OK):
        return None
    shown = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    found = re.search(r'version "(?:1\.)?(\d+)', shown.stderr + shown.stdout)
    return int(found[1]) if found else None


def installed_jdks():
    """Homes that may be JDKs."""
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    return homes + sorted(Path("/usr/lib/jvm").glob("*/"))


def find_jdks(chosen):
    """JDKs to run with, oldest first, one of each major version. chosen: major
    versions or homes; all that are found when empty."""
    named = os.environ.get("HPROF_TEST_JDKS")
    if named:
        homes = [Path(home) for home in named.split(":") if home]
    else:
        homes = installed_jdks()
    homes = [Path(word) for word in chosen if not word.isdigit()] + homes
    found = {}
    for home in dict.fromkeys(home.resolve() for home in homes):
        version = jdk_version(home)
        if version is not None and version >= OLDEST_JDK:
            found.setdefault(version, Jdk(version, home))
    wanted = {int(word) if word.isdigit() else jdk_version(Path(word)) for word in chosen}
    if wanted - set(found):
        raise BenchError(f"--jdk {' '.join(chosen)}: not all found; there are "
                         f"{sorted(found) or 'none'}")
    if not found:
        raise BenchError(f"no JDK from {OLDEST_JDK} on found; set JAVA_HOME or HPROF_TEST_JDKS")
    return [found[version] for version in sorted(wanted or found)]


def find_javac(jdks):
    """The compiler of the first JDK that has one, or else of an installed JDK."""
    for home in [*(jdk.home for jdk in jdks), *installed_jdks()]:
        javac = home / "bin" / "javac"
        if os.access(javac, os.X_OK):
            return javac
    raise BenchError("no javac in any of the JDKs")


# ---- one run -----------------------------------------------------------


class Run:
    """One run of the compiler: wall, user and system seconds, and its files."""

    def __init__(self, workload, jdk, options, measured=None):
        directory = WORK / "run"
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        self.output = directory / "out.js"
        self.profile = directory / "profile.txt"
        self.truth = directory / "truth.txt"
        self.log = directory / "log.txt"

        command = [str(jdk.home / "bin" / "java"), "-Xmx2g"]
        if options != NO_AGENT:
            # A name without a directory: QEMU with -L shows the agent another root.
            command.append(f"-agentpath:{agent()}={options},file={self.profile.name}")
        if measured is None:
            command += ["-jar", str(workload.jar)]
        else:
            class_path = os.pathsep.join([str(measured), str(workload.jar)])
            command += ["-cp", class_path, f"-Dmeasured.file={self.truth}", "Measured",
                        MAIN_CLASS]
        self._execute(command + workload.arguments(self.output))

    def meanwhile(self, process):
        """What a kind of run does while the compiler is at work."""

    def _execute(self, command):
        with open(self.log, "wb") as log:
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT,
                                       cwd=self.output.parent)
            try:
                self.meanwhile(process)
                status, usage = self._wait(process, start + RUN_TIMEOUT_S)
            except BaseException:
                process.kill()
                process.wait()
                raise
            self.wall = time.monotonic() - start
        self.user = usage.ru_utime
        self.system = usage.ru_stime
        if status != 0:
            raise BenchError(f"{' '.join(command)}\nended with status {status}; "
                             f"its messages are in {self.log}")

    @staticmethod
    def _wait(process, deadline):
        """Exit status and resource use; polled, for a bound on the time."""
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode, usage
            if time.monotonic() > deadline:
                raise BenchError(f"a run took longer than {RUN_TIMEOUT_S} s")
            time.sleep(0.002)

    @property
    def cpu(self):
        """User and system time."""
        return self.user + self.system


def agent_original():
    """The agent's library as it was built."""
    path = Path(os.environ.get("HPROF_AGENT", ROOT / "build" / "libhprof.so")).resolve()
    if not path.is_file():
        raise BenchError(f"no agent at {path}: run make, or set HPROF_AGENT")
    return path


def agent():
    """The copy of it that runs, so that a build meanwhile changes nothing."""
    return WORK / "libhprof.so"


# ---- the ratio to no agent ---------------------------------------------


METRICS = ("wall", "user", "cpu")


class Comparison:
    """The pairs of one JDK and one option string."""

    def __init__(self, jdk, options):
        self.jdk = jdk
        self.options = options
        self.pairs = []

    def add_pair(self, workload, reference, agent_first):
        """Runs one pair; every run's output must equal the reference."""
        runs = {}
        for with_agent in (agent_first, not agent_first):
            options = self.options if with_agent else NO_AGENT
            run = Run(workload, self.jdk, options)
            if run.output.read_bytes() != reference:
                raise BenchError(f"JDK {self.jdk.version}, options {options}: {run.output} "
                                 "differs from that of the first run without an agent")
            runs[with_agent] = run
        self.pairs.append((runs[False], runs[True]))
        self._print_pair(agent_first)

    def _print_pair(self, agent_first):
        without, profiled = self.pairs[-1]
        print(f"{self.jdk.version:>3} {self.options:<24} {len(self.pairs):>4} "
              f"{'agent' if agent_first else 'none':<5} "
              f"{without.wall:7.2f} {profiled.wall:7.2f} "
              f"{without.user:7.2f} {profiled.user:7.2f} "
              f"{without.system:6.2f} {profiled.system:6.2f}  "
              + " ".join(f"{self._ratio(self.pairs[-1], metric):6.3f}" for metric in METRICS),
              flush=True)

    @staticmethod
    def _ratio(pair, metric):
        without, profiled = pair
        return getattr(profiled, metric) / getattr(without, metric)

    def print_summary(self):
        """Medians of the pairs' ratios, with the smallest and the largest."""
        for metric in METRICS:
            ratios = [self._ratio(pair, metric) for pair in self.pairs]
            print(f"{self.jdk.version:>3} {self.options:<24} {metric:<5} "
                  f"median {statistics.median(ratios):.3f}  "
                  f"min {min(ratios):.3f}  max {max(ratios):.3f}  pairs {len(ratios)}")


def compare(workload, jdks, all_options, pair_count):
    """Interleaved pairs; pairs of all JDKs and options take turns, so that a
    slow change of the machine touches all of them alike."""
    comparisons = [Comparison(jdk, options) for jdk in jdks for options in all_options]
    references = {}
    for jdk in jdks:
        references[jdk] = Run(workload, jdk, NO_AGENT).output.read_bytes()

    print("JDK options                  pair first  wall s: none, agent; user s: none, agent; "
          "system s: none, agent; ratios: wall user user+system")
    for number in range(pair_count):
        for comparison in comparisons:
            comparison.add_pair(workload, references[comparison.jdk], number % 2 == 1)
    print("\nRatio of a run with the agent to the one without it in the same pair:")
    for comparison in comparisons:
        comparison.print_summary()
    print("All output files are equal to those without the agent.")
    return True


# ---- accuracy ----------------------------------------------------------


def compile_java(jdks, sources, target):
    """Compiles with the first JDK that can, or else with an installed one; returns the directory
    target."""
    subprocess.run([find_javac(jdks), "--release", str(OLDEST_JDK), "-d", target, *sources],
                   check=True)
    return target


class Truth:
    """CPU time of the Java threads, by the kernel and by ThreadMXBean."""

    def __init__(self, path):
        self.tasks = []  # (thread id, seconds, name) of threads alive at the end
        self.threads = []  # (seconds, name) of Java threads
        for line in path.read_text(encoding="utf-8").splitlines():
            kind, *words = line.split(" ")
            if kind == "task":
                self.tasks.append((int(words[0]), int(words[1]) / 1e9, " ".join(words[2:])))
            elif kind == "thread":
                self.threads.append((int(words[0]) / 1e9, " ".join(words[1:])))
            elif kind == "process":
                self.process = int(words[0]) / 1e9
            elif kind == "before_main":
                self.before_main = int(words[0]) / 1e9
            elif kind == "pid":
                self.launcher_id = int(words[0])

    def _sum(self, predicate):
        return sum(seconds for task_id, seconds, name in self.tasks
                   if predicate(task_id, name))

    @property
    def jvm(self):
        """The JVM's own threads, and the first one, which only waits for main."""
        return self._sum(lambda task_id, name:
                         task_id == self.launcher_id or JVM_THREAD.match(name))

    @property
    def agent(self):
        """The agent's own threads."""
        return self._sum(lambda task_id, name: AGENT_THREAD.match(name))

    @property
    def java(self):
        """All else that the process used, threads that have ended included."""
        return self.process - self.jvm - self.agent

    @property
    def java_by_mxbean(self):
        """The same, as the JVM's management interface has it."""
        return sum(seconds for seconds, name in self.threads if not AGENT_THREAD.match(name))


class Samples:
    """What the last CPU SAMPLES section of a text profile says."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        begin = text.rfind("\nCPU SAMPLES BEGIN (total = ")
        if begin < 0:
            raise BenchError(f"{path} has no CPU SAMPLES section")
        self.total = int(re.match(r"\nCPU SAMPLES BEGIN \(total = (\d+)\)", text[begin:])[1])
        rows = re.findall(r"^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +\d+ (.*)", text[begin:], re.M)
        if sum(int(count) for count, _ in rows) != self.total:
            raise BenchError(f"{path}: the rows don't sum to the total {self.total}; "
                             "the options need cutoff=0")
        self.no_stack = sum(int(count) for count, method in rows
                            if method.startswith("<no_stack>."))
        self.notes = [line for line in text.splitlines() if line.startswith("NOTE: ")]


def interval_of(options):
    """Seconds of CPU time that a sample stands for."""
    found = re.search(r"(?:^|,)interval=(\d+)", options)
    return int(found[1]) / 1000 if found else 0.010


def accuracy_of(workload, jdk, options, measured):
    """One run checked against the truth; true when all is within bounds."""
    run = Run(workload, jdk, options, measured)
    truth, samples = Truth(run.truth), Samples(run.profile)
    seconds = samples.total * interval_of(options)
    error = seconds / truth.java - 1
    disagreement = truth.java_by_mxbean / truth.java - 1
    no_stack = samples.no_stack / samples.total if samples.total else 1.0
    checks = [
        (abs(error) <= CPU_TOLERANCE,
         f"samples x interval against the Java threads' CPU time: {error:+.2%} "
         f"(at most {CPU_TOLERANCE:.0%} either way)"),
        (no_stack < NO_STACK_LIMIT,
         f"samples without a stack: {samples.no_stack} of {samples.total}, {no_stack:.2%} "
         f"(less than {NO_STACK_LIMIT:.0%})"),
        (abs(disagreement) <= TRUTHS_MAY_DIFFER,
         f"ThreadMXBean against the kernel's account of Java threads: {disagreement:+.2%} "
         f"(at most {TRUTHS_MAY_DIFFER:.0%} either way, else the truth itself is in doubt)"),
    ]
    print(f"JDK {jdk.version}, {options}")
    print(f"  process {truth.process:.2f} s CPU = Java threads {truth.java:.2f} (main thread "
          f"before main {truth.before_main:.2f}) + the JVM's own {truth.jvm:.2f} + the agent's "
          f"own {truth.agent:.2f}; Java threads by ThreadMXBean {truth.java_by_mxbean:.2f}; "
          f"samples {seconds:.2f}")
    for note in samples.notes:
        print(f"  {note}")
    for passed, text in checks:
        print(f"  {'ok  ' if passed else 'FAIL'} {text}", flush=True)
    kept = WORK / f"accuracy-{jdk.version}"
    shutil.rmtree(kept, ignore_errors=True)
    run.output.parent.rename(kept)
    return all(passed for passed, _ in checks)


def check_accuracy(workload, jdks, all_options):
    """One run of each JDK and options."""
    measured = compile_java(jdks, [BENCH / "Measured.java"], WORK / "classes")
    results = [accuracy_of(workload, jdk, options, measured)
               for options in all_options for jdk in jdks]
    return all(results)


# ---- command line ------------------------------------------------------


def parse_arguments():
    """The command line's options."""
    parser = argparse.ArgumentParser(
        description="Cost and accuracy of the agent on the Closure compiler; see bench/README.md.")
    parser.add_argument("--accuracy", action="store_true",
                        help="check the samples against the threads' CPU time, once per JDK")
    parser.add_argument("--tenth", action="store_true",
                        help=f"compile {TENTH} alone, 11%% of the bytes: for JVMs under QEMU")
    parser.add_argument("--pairs", type=int, default=5, metavar="N",
                        help="pairs of runs with and without the agent (default 5)")
    parser.add_argument("--options", action="append", metavar="OPTIONS",
                        help="the agent's options; may be repeated (default cpu=samples, with "
                             "--accuracy cpu=samples,cutoff=0; none: no agent, shows the noise)")
    parser.add_argument("--jdk", action="append", default=[], metavar="VERSION|HOME",
                        help="a JDK to use; may be repeated (default all that are found)")
    arguments = parser.parse_args()
    if arguments.pairs < 1:
        parser.error("--pairs: at least 1")
    default = DEFAULT_OPTIONS + (",cutoff=0" if arguments.accuracy else "")
    arguments.options = arguments.options or [default]
    if arguments.accuracy and NO_AGENT in arguments.options:
        parser.error("--options none: there are no samples to check")
    return arguments


@contextlib.contextmanager
def alone():
    """No other benchmark is at work in the directory meanwhile."""
    WORK.mkdir(parents=True, exist_ok=True)
    with open(WORK / "lock", "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BenchError(f"another benchmark is at work in {WORK}") from None
        yield


def show_machine(jdks):
    """What is measured on."""
    print(f"machine: {os.cpu_count()} CPUs, load average {os.getloadavg()[0]:.2f} "
          f"at the start, {os.uname().machine}")
    for jdk in jdks:
        print(f"JDK {jdk.version}: {jdk.home}")


def copy_agent():
    """Makes the copy of the agent that runs, and says which it is."""
    shutil.copy(agent_original(), agent())
    show_agent(agent())


def show_agent(library):
    """Which agent runs."""
    digest = hashlib.sha256(library.read_bytes()).hexdigest()
    print(f"agent: {agent_original()}, SHA-256 {digest[:16]}", flush=True)


def main():
    """True when all went well."""
    arguments = parse_arguments()
    jdks = find_jdks(arguments.jdk)
    with alone():
        workload = Workload(arguments.tenth)
        show_machine(jdks)
        if arguments.options != [NO_AGENT]:
            copy_agent()
        if arguments.accuracy:
            return check_accuracy(workload, jdks, arguments.options)
        return compare(workload, jdks, arguments.options, arguments.pairs)


def run_as_script(script):
    """Exits as script, a function that returns whether all went well, ends."""
    try:
        sys.exit(0 if script() else 1)
    except (BenchError, OSError, subprocess.SubprocessError) as failure:
        sys.exit(f"bench: {failure}")


if __name__ == "__main__":
    run_as_script(main)
