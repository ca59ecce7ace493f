"""Whether VisualVM's heap library reads the same from the agent's dumps of large heaps as
from the JVM's own; see README.md beside this file. For a small heap
tests/e2e/test_heap_dump.py does that.

    HPROF_AGENT=build/libhprof.so python3 bench/visualvm.py
"""

import argparse
import os
import shutil
import subprocess
import time

import heap_dump
from lib.jdks import add_jdk_option, find_jdks
from lib.programs.closure import MAIN_CLASS, Workload
from lib.workplace import ROOT, WORK, BenchError, run_as_script

LIBRARY = ROOT / "build" / "visualvm" / "org-graalvm-visualvm-lib-jfluid-heap.jar"
DUMP_S = 600
# What comes and goes between two dumps of a program at rest: the JVM's threads' own.
MAY_DIFFER = 0.001


def programs(workload):
    """Name, the arguments of java, and classes whose instances are compared: a part of
    them, as HeapFacts.java says."""
    at_end = ["-cp", f"{WORK / 'classes'}{os.pathsep}{workload.jar}", "HoldAtEnd",
              MAIN_CLASS, *workload.arguments(WORK / "held.js")]
    return [("closure", at_end, [r"com\.google\.javascript\.rhino\..*%50",
                                 r"com\.google\.common\.collect\..*%10",
                                 r"java\.util\.(Hash|LinkedHash)Map%10"]),
            ("1 GB", heap_dump.held_heap(44_000_000), [r"HeldHeap\$Node@100000",
                                                       r"java\.lang\.Long@100000"])]


def facts(jdk, file, names):
    """What the library says of a dump."""
    done = subprocess.run([jdk.home / "bin" / "java", "-Xmx6g", "-cp",
                           f"{LIBRARY}{os.pathsep}{WORK / 'visualvm'}", "HeapFacts", file, *names],
                          capture_output=True, text=True, timeout=DUMP_S * 6, check=False)
    if done.returncode or done.stderr.strip():
        raise BenchError(f"VisualVM's library complains of {file}: {done.stderr}")
    # Hidden classes have names with the JVM's addresses.
    return [line for line in done.stdout.splitlines() if "$$" not in line and "0x" not in line]


def dump(jdk, options, program, directory):
    """The files of the agent's and of the JVM's dump of a program at rest."""
    holder = heap_dump.Holder(jdk, options, program, directory)
    try:
        # The first jcmd loads what any needs.
        holder.jcmd("GC.heap_dump", str(directory / "first.hprof"))
        (directory / "first.hprof").unlink()
        holder.dump(1)
        holder.jcmd("GC.heap_dump", str(directory / "vm.hprof"))
        holder.end()
    finally:
        holder.process.kill()
    return holder.profile, directory / "vm.hprof"


def counts(lines):
    """Instances of each class, and roots of each kind and class."""
    return {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in lines
            if line.startswith(("class ", "root "))}


def without_paths(lines):
    """JVM TI calls more classes roots than the JVM's dumper, so that paths end earlier."""
    return [line.split(" path ")[0] for line in lines]


def compare(jdk, name, program, names, options):
    """One heap by one of the agent's dumpers; true when both dumps read the same."""
    directory = WORK / "visualvm-dumps"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    start = time.monotonic()
    try:
        files = dump(jdk, options, program, directory)
        sizes = [file.stat().st_size / 1e6 for file in files]
        ours, theirs = (facts(jdk, file, names) for file in files)
    finally:
        shutil.rmtree(directory)
    kept = ("instance ", "static ")
    mine, other = ([line for line in lines if line.startswith(kept)] for lines in (ours, theirs))
    by_vm = "depth=0" in options
    if not by_vm:
        mine, other = without_paths(mine), without_paths(other)
    sampled = sum(left != right for left, right in zip(mine, other)) + abs(len(mine) - len(other))
    mine_counts, other_counts = counts(ours), counts(theirs)
    wanted = ("class ", "root ") if by_vm else ("class ",)
    keys = [key for key in {*mine_counts, *other_counts} if key.startswith(wanted)]
    off = {key: (mine_counts.get(key, 0), other_counts.get(key, 0)) for key in keys
           if mine_counts.get(key, 0) != other_counts.get(key, 0)}
    objects = sum(count for key, count in other_counts.items() if key.startswith("class "))
    by = sum(abs(left - right) for left, right in off.values())
    ok = sampled == 0 and len(mine) > 0 and by <= MAY_DIFFER * objects
    print(f"{jdk.version:>3} {name:<8} {options:<18} {sizes[0]:6.0f} {sizes[1]:6.0f} MB; "
          f"{objects} objects of {ours[0].split()[1]} and {theirs[0].split()[1]} classes; {len(off)} of {len(keys)} counts differ, by {by} in all; "
          f"{len(mine)} instances and statics compared, {sampled} differ; "
          f"{time.monotonic() - start:.0f} s  {'ok' if ok else 'FAIL'}", flush=True)
    if not ok:
        for left, right in [pair for pair in zip(mine, other) if pair[0] != pair[1]][:5]:
            print(f"    ours:   {left}\n    theirs: {right}")
        for key, pair in sorted(off.items(), key=lambda item: -abs(item[1][0] - item[1][1]))[:10]:
            print(f"    {key}: ours {pair[0]}, theirs {pair[1]}")
    return ok


def main():
    """True when all dumps read the same."""
    parser = argparse.ArgumentParser(description="Dumps as VisualVM's library reads them; see "
                                     "bench/README.md.")
    add_jdk_option(parser)
    parser.add_argument("--options", action="append", metavar="OPTIONS",
                        help="of the agent (default both dumpers)")
    arguments = parser.parse_args()
    if not LIBRARY.is_file():
        raise BenchError(f"no {LIBRARY}: run make visualvm")
    jdks = find_jdks(arguments.jdk)
    heap_dump.prepare(jdks)
    workload = Workload()
    (WORK / "visualvm").mkdir(exist_ok=True)
    subprocess.run([jdks[0].home / "bin" / "javac", "-nowarn", "-Xlint:none", "-cp", LIBRARY, "-d",
                    WORK / "visualvm", ROOT / "tests" / "visualvm" / "HeapFacts.java"], check=True)
    return all([compare(jdk, name, program, names, options)
                for name, program, names in programs(workload) for jdk in jdks
                for options in arguments.options or [heap_dump.UNTRACKED, heap_dump.TRACKED]])


if __name__ == "__main__":
    run_as_script(main)
