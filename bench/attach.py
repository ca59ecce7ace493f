"""Whether the agent can come and go while a real program runs.

Attaches to the Closure compiler in mid-run, detaches some seconds later, and holds
the program's output and the profile against what they must be; see README.md beside
this file.

    HPROF_AGENT=build/libhprof.so python3 bench/attach.py
    HPROF_AGENT=build/libhprof.so python3 bench/attach.py --mode cpu=times --jdk 17
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections import namedtuple

import closure
from lib.agents import NO_AGENT, agent, copy_agent
from lib.jdks import add_jdk_option, find_jdks
from lib.machine import show_machine
from lib.programs.closure import Workload
from lib.workplace import ROOT, WORK, BenchError, alone, run_as_script

# The judges of profiles are those of the end-to-end tests.
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
# pylint: disable-next=import-error,wrong-import-position
from readers import hprof_binary, hprof_old, hprof_text

JCMD_TIMEOUT_S = 120
NODE = "com.google.javascript.rhino.Node"  # there are many in each run
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
# Of the CPU time that threads were seen to use between attach and detach, what a profile
# must have at least: cpu=times runs some of it before the classes are rewritten.
LEAST_SHARE = {"cpu=samples": 0.9, "cpu=times": 0.5}
# Of the objects of a dump, those that no root leads to: what only instance fields of
# java.lang.Class refer to, for which the format has no place, and what the JVM keeps for
# itself.
LOST_SHARE = 0.02


# ---- the truth -----------------------------------------------------------


class CpuTimes:
    """What a process and its threads have used so far, in seconds, by the kernel."""

    def __init__(self, pid):
        self.tasks = {}  # id: (name, seconds)
        for task in os.listdir(f"/proc/{pid}/task"):
            directory = f"/proc/{pid}/task/{task}"
            try:
                with open(f"{directory}/comm", encoding="utf-8", errors="replace") as file:
                    name = file.read().strip()
                with open(f"{directory}/schedstat", encoding="ascii") as file:
                    self.tasks[task] = (name, int(file.read().split()[0]) / 1e9)
            except (FileNotFoundError, ProcessLookupError):
                pass  # it has just ended
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
        self.process = (int(words[11]) + int(words[12])) * TICK_S

    def _used_since(self, before, wanted):
        return sum(seconds - before.tasks.get(task, (name, 0))[1]
                   for task, (name, seconds) in self.tasks.items() if wanted(name))

    def java_since(self, before):
        """What Java threads that are alive have used since then, at least."""
        return self._used_since(before, lambda name: not closure.JVM_THREAD.match(name)
                                and not closure.AGENT_THREAD.match(name))

    def java_since_at_most(self, before):
        """What Java threads can have used since then: those that have ended are not
        distinguished from the JVM's own that have."""
        return (self.process - before.process + 2 * TICK_S
                - self._used_since(before, lambda name: closure.JVM_THREAD.match(name)
                                   and name != "Attach Listener"))


# ---- a run ----------------------------------------------------------------


class AttachedRun(closure.Run):
    """The compiler, with an agent that comes at one moment and goes at another."""

    def __init__(self, workload, jdk, mode, after_s, for_s):
        self.jdk = jdk
        self.mode = mode
        self.after_s = after_s
        self.for_s = for_s
        super().__init__(workload, jdk, NO_AGENT)

    def meanwhile(self, process):
        time.sleep(self.after_s)
        outer = CpuTimes(process.pid)
        self.attach_s = self._load(process, f"{self.mode},file={self.profile}")
        inner = CpuTimes(process.pid)
        time.sleep(self.for_s)
        self._must_run(process, "before the detach")
        self.java_least = CpuTimes(process.pid).java_since(inner)
        self.stop_s = self._load(process, "stop")
        self.java_most = CpuTimes(process.pid).java_since_at_most(outer)
        self._must_run(process, "before it was looked at after the detach")

    def _must_run(self, process, moment):
        if process.poll() is not None:
            raise BenchError(f"the compiler has ended {moment}, with status "
                             f"{process.returncode}; choose smaller --after and --for, or look "
                             f"into {self.log}")

    def _load(self, process, options):
        """Has the JVM load the agent; seconds that took."""
        self._must_run(process, f"before {options}")
        words = [str(self.jdk.home / "bin" / "jcmd"), str(process.pid), "JVMTI.agent_load",
                 str(agent()), f'"{options}"']
        start = time.monotonic()
        done = subprocess.run(words, capture_output=True, text=True, timeout=JCMD_TIMEOUT_S,
                              check=False)
        if "return code: 0" not in done.stdout:
            raise BenchError(f"{' '.join(words)}\nsaid {done.stdout}{done.stderr}; the "
                             f"JVM's messages are in {self.log}")
        return time.monotonic() - start

    def agent_messages(self):
        """What the agent has said, except what it always says."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.startswith("hprof: ") and "Dumping " not in line
                and not line.startswith("hprof: profiling ")]


def said_by_program(run):
    """What the program has said: not the agent, nor the JVM of agents and the like."""
    lines = run.log.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith(("hprof: ", "WARNING: "))]


# ---- what a profile must be ------------------------------------------------


class Wrong(Exception):
    """The run or its profile is not what it must be."""


def must(condition, reason):
    """Fails unless condition."""
    if not condition:
        raise Wrong(reason)


def only(sections, what):
    """The one section that a profile of one attach and one detach has."""
    must(len(sections) == 1, f"{len(sections)} sections {what}, should be one")
    return sections[0]


def check_cpu(run, seconds):
    """Shown CPU time is not above what was profiled, and not far below."""
    mode = run.mode.split(",")[0]
    least = run.java_least * LEAST_SHARE[mode]
    must(seconds <= run.java_most, f"{seconds:.2f} s CPU shown, Java threads used at most "
                                   f"{run.java_most:.2f} s while it was profiled")
    must(seconds >= least, f"{seconds:.2f} s CPU shown, Java threads used at least "
                           f"{run.java_least:.2f} s while it was profiled")
    return f"CPU {seconds:.2f} s of {run.java_least:.2f} to {run.java_most:.2f}"


def text_of(run):
    """The profile in text."""
    return hprof_text.parse(run.profile.read_bytes(), cutoff=0, thread_in_traces=False)


def check_samples(run):
    """cpu=samples"""
    profile = text_of(run)
    section = only(profile.titled("CPU SAMPLES"), "CPU SAMPLES")
    lost = sum(row.count for row in section.rows if row.trace.stackless)
    must(lost < 0.02 * section.total, f"{lost} of {section.total} samples without a stack")
    return f"{section.total} samples, {len(profile.traces)} traces; " + check_cpu(
        run, section.total * closure.interval_of(run.mode))


def check_times(run):
    """cpu=times"""
    profile = text_of(run)
    section = only(profile.titled("CPU TIME"), "CPU TIME")
    calls = sum(row.count for row in section.rows)
    must(calls > 1_000_000, f"{calls} calls")
    must(any(row.method.startswith(NODE) and row.count for row in section.rows), "none of Node")
    return f"{calls} calls, {len(profile.traces)} traces; " + check_cpu(run, section.total / 1e3)


def check_old(run):
    """cpu=old: times are those of callees with all they call, so no row exceeds the whole
    time."""
    rows = only(hprof_old.parse(run.profile.read_bytes()), "of pairs")
    calls = sum(row.count for row in rows)
    must(calls > 1_000_000, f"{calls} calls")
    most = max(row.ms for row in rows) / 1e3
    must(0 < most <= run.java_most, f"a pair has {most:.2f} s CPU, Java threads used at most "
                                    f"{run.java_most:.2f} s while it was profiled")
    return f"{calls} calls, {len(rows)} pairs; largest {most:.2f} s of {run.java_most:.2f}"


def check_sites_of(profile, live):
    """SITES of a text profile."""
    sites = only(profile.sites, "SITES")
    allocated = sum(row.allocated_bytes for row in sites.rows)
    kept = sum(row.live_bytes for row in sites.rows)
    must(allocated > 1_000_000, f"{allocated} bytes allocated")
    must(abs(sites.rows[-1].accum_percent - 100) < 0.01,
         f"rows accumulate to {sites.rows[-1].accum_percent}%")
    must(kept <= allocated and (kept > 0) == live, f"{kept} bytes live of {allocated}")
    must(any(row.class_name.startswith(NODE) and row.trace.frames for row in sites.rows),
         "no site of Node")
    return f"{allocated / 1e6:.0f} MB allocated, {kept / 1e6:.0f} MB live, {len(sites.rows)} sites"


def check_sites(run):
    """heap=sites"""
    return check_sites_of(text_of(run), "live=n" not in run.mode)


def check_heap_of(profile):
    """The heap dump of a profile in either format."""
    heap = only(profile.heaps, "HEAP DUMP")
    reached = heap.reachable()
    lost = sum(key not in reached for key in heap.objects)
    must(lost <= LOST_SHARE * len(heap.objects), f"{lost} of {len(heap.objects)} objects hang "
                                                 "in the air")
    nodes = sum(count for name, count in heap.histogram().items() if name.startswith(NODE))
    must(nodes > 1000, f"{nodes} objects Node")
    return f"{len(heap.objects)} objects, {nodes} Node, {len(heap.roots)} roots"


def check_dump(run):
    """heap=dump in either format"""
    if "format=b" in run.mode:
        return check_heap_of(hprof_binary.parse(run.profile.read_bytes()))
    return check_heap_of(text_of(run))


def check_all(run):
    """heap=all: objects that were allocated since have their traces."""
    profile = text_of(run)
    text = check_sites_of(profile, True) + "; " + check_heap_of(profile)
    traced = sum(thing.trace != hprof_text.EMPTY_TRACE
                 for thing in profile.heaps[0].objects.values())
    must(traced > 1000, f"{traced} objects of the dump have traces")
    return f"{text}, {traced} with traces"


def check_monitors(run):
    """monitor=y"""
    profile = text_of(run)
    section = only(profile.monitor_times, "MONITOR TIME")
    dump = only(profile.monitor_dumps, "MONITOR DUMP")
    must("main" in dump.status, f"threads of MONITOR DUMP are {sorted(dump.status)}")
    return f"{len(section.rows)} rows, {section.total_ms} ms; {len(dump.status)} threads"


Mode = namedtuple("Mode", "options check")
MODES = [
    Mode("cpu=samples,cutoff=0", check_samples),
    Mode("cpu=times,cutoff=0", check_times),
    Mode("cpu=old", check_old),
    Mode("heap=sites,cutoff=0", check_sites),
    Mode("heap=sites,live=n,cutoff=0", check_sites),
    Mode("heap=dump", check_dump),
    Mode("heap=dump,format=b", check_dump),
    Mode("heap=all,cutoff=0", check_all),
    Mode("monitor=y,cutoff=0", check_monitors),
]


# ---- all runs ----------------------------------------------------------------


def check_run(run, reference):
    """What is to be said of a run; Wrong when something is."""
    must(run.output.read_bytes() == reference.output_bytes, "the compiler's output differs")
    said = said_by_program(run)
    must(said == reference.said, f"the compiler said {said[:5]}, should be {reference.said[:5]}")
    must(not run.agent_messages(), f"the agent said {run.agent_messages()[:5]}")
    check = next(mode.check for mode in MODES if mode.options == run.mode)
    try:
        return check(run)
    except (hprof_text.FormatError, hprof_binary.FormatError, hprof_old.FormatError) as error:
        raise Wrong(f"the profile breaks the format: {error}") from error


Reference = namedtuple("Reference", "output_bytes said wall")


def reference_of(workload, jdk):
    """A run without the agent."""
    run = closure.Run(workload, jdk, NO_AGENT)
    return Reference(run.output.read_bytes(), said_by_program(run), run.wall)


def print_run(run, ok, text):
    """One line."""
    size = run.profile.stat().st_size / 1e6 if run.profile.is_file() else 0
    print(f"{run.jdk.version:>3} {run.mode:<27} {run.attach_s:6.2f} {run.stop_s:6.2f} "
          f"{run.wall:6.2f} {size:7.1f}  {'ok  ' if ok else 'FAIL'} {text}", flush=True)


def attach_and_check(workload, jdk, mode, arguments, reference):
    """One run; true when all is as it must be. What is wrong is kept."""
    run = AttachedRun(workload, jdk, mode, arguments.after, arguments.time)
    try:
        print_run(run, True, check_run(run, reference))
        return True
    except Wrong as wrong:
        print_run(run, False, wrong)
        kept = WORK / f"attach-{jdk.version}-{mode.replace('=', '-').replace(',', '-')}"
        shutil.rmtree(kept, ignore_errors=True)
        run.output.parent.rename(kept)
        print(f"    (kept in {kept})", flush=True)
        return False


def parse_arguments():
    """The command line's options."""
    parser = argparse.ArgumentParser(
        description="Attaches the agent to the Closure compiler in mid-run and detaches it; see "
                    "bench/README.md.")
    parser.add_argument("--mode", action="append", metavar="MODE",
                        help="only modes whose options begin so; may be repeated")
    add_jdk_option(parser)
    parser.add_argument("--after", type=float, default=4, metavar="S",
                        help="seconds from the start to the attach (default 4)")
    parser.add_argument("--for", type=float, default=4, metavar="S", dest="time",
                        help="seconds from the attach to the detach (default 4)")
    arguments = parser.parse_args()
    arguments.modes = [mode.options for mode in MODES if not arguments.mode
                       or any(mode.options.startswith(wanted) for wanted in arguments.mode)]
    if not arguments.modes:
        parser.error(f"--mode: there are {', '.join(mode.options for mode in MODES)}")
    return arguments


def main():
    """True when all went well."""
    arguments = parse_arguments()
    jdks = find_jdks(arguments.jdk)
    with alone():
        workload = Workload()
        show_machine(jdks)
        copy_agent()
        print("JDK mode                        attach   stop   wall      MB")
        results = []
        for jdk in jdks:
            reference = reference_of(workload, jdk)
            print(f"{jdk.version:>3} {NO_AGENT:<27} {'':6} {'':6} {reference.wall:6.2f}",
                  flush=True)
            results += [attach_and_check(workload, jdk, mode, arguments, reference)
                        for mode in arguments.modes]
    print(f"{sum(results)} of {len(results)} runs are right.")
    return all(results)


if __name__ == "__main__":
    run_as_script(main)
