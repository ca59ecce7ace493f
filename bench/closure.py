"""What the agent costs, and how true its samples are, on a real program.

The program is the Closure compiler at work on four JavaScript libraries; see
README.md beside this file for what is measured and how to read it.

    HPROF_AGENT=build/libhprof.so python3 bench/closure.py
    HPROF_AGENT=build/libhprof.so python3 bench/closure.py --accuracy
"""

import argparse
import os
import re
import shutil

from lib.agents import NO_AGENT, agent, copy_agent
from lib.figures import spread
from lib.jdks import add_jdk_option, compile_java, find_jdks
from lib.machine import show_machine
from lib.order import in_turn
from lib.programs.closure import HEAP, MAIN_CLASS, TENTH, Workload
from lib.runs import JavaRun
from lib.workplace import BENCH, WORK, BenchError, alone, run_as_script

DEFAULT_OPTIONS = "cpu=samples"

# Accuracy bars.
CPU_TOLERANCE = 0.05
NO_STACK_LIMIT = 0.02
TRUTHS_MAY_DIFFER = 0.02

# Names of threads that run no Java code, as the kernel has them (15 characters).
JVM_THREAD = re.compile(
    r"C1 Compiler|C2 Compiler|GC Thread#|G1 |ParGC|VM Thread|VM Periodic|Sweeper thread"
    r"|Service Thread|Monitor Deflati|Signal Dispatch|Attach Listener")
AGENT_THREAD = re.compile(r"hprof")


# ---- one run -----------------------------------------------------------


class Run(JavaRun):
    """One run of the compiler, and its files."""

    def __init__(self, workload, jdk, options, measured=None):
        directory = WORK / "run"
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        self.output = directory / "out.js"
        self.profile = directory / "profile.txt"
        self.truth = directory / "truth.txt"

        command = [str(jdk.home / "bin" / "java"), HEAP]
        if options != NO_AGENT:
            # A name without a directory: QEMU with -L shows the agent another root.
            command.append(f"-agentpath:{agent()}={options},file={self.profile.name}")
        if measured is None:
            command += ["-jar", str(workload.jar)]
        else:
            class_path = os.pathsep.join([str(measured), str(workload.jar)])
            command += ["-cp", class_path, f"-Dmeasured.file={self.truth}", "Measured",
                        MAIN_CLASS]
        super().__init__(command + workload.arguments(self.output), directory,
                         directory / "log.txt")


# ---- the ratio to no agent ---------------------------------------------


METRICS = ("wall", "user", "cpu")


class Comparison:
    """The pairs of one JDK and one option string."""

    def __init__(self, jdk, options):
        self.jdk = jdk
        self.options = options
        self.pairs = []

    def add_pair(self, workload, reference, number):
        """Runs one pair; every run's output must equal the reference."""
        runs = {}
        order = in_turn([False, True], number)
        for with_agent in order:
            options = self.options if with_agent else NO_AGENT
            run = Run(workload, self.jdk, options)
            if run.output.read_bytes() != reference:
                raise BenchError(f"JDK {self.jdk.version}, options {options}: {run.output} "
                                 "differs from that of the first run without an agent")
            runs[with_agent] = run
        self.pairs.append((runs[False], runs[True]))
        self._print_pair(order[0])

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
            ratios = spread([self._ratio(pair, metric) for pair in self.pairs])
            print(f"{self.jdk.version:>3} {self.options:<24} {metric:<5} "
                  f"median {ratios.median:.3f}  min {ratios.low:.3f}  max {ratios.high:.3f}  "
                  f"pairs {ratios.count}")


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
            comparison.add_pair(workload, references[comparison.jdk], number)
    print("\nRatio of a run with the agent to the one without it in the same pair:")
    for comparison in comparisons:
        comparison.print_summary()
    print("All output files are equal to those without the agent.")
    return True


# ---- accuracy ----------------------------------------------------------


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
    add_jdk_option(parser)
    arguments = parser.parse_args()
    if arguments.pairs < 1:
        parser.error("--pairs: at least 1")
    default = DEFAULT_OPTIONS + (",cutoff=0" if arguments.accuracy else "")
    arguments.options = arguments.options or [default]
    if arguments.accuracy and NO_AGENT in arguments.options:
        parser.error("--options none: there are no samples to check")
    return arguments


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


if __name__ == "__main__":
    run_as_script(main)
