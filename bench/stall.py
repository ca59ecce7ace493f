"""What a peer of net= that stops reading in the midst of a heap dump costs the program.

See README.md beside this file. The scenario is that of tests/e2e/test_net_stall.py.

    HPROF_AGENT=build/libhprof.so python3 bench/stall.py
    HPROF_AGENT=build/libhprof.so python3 bench/stall.py --jdk 25 --format b
"""

import argparse
import os
import statistics
import sys
import tempfile
from pathlib import Path

from lib.agents import show_agent
from lib.jdks import add_jdk_option, compile_java, find_jdks
from lib.machine import show_machine
from lib.workplace import ROOT, WORK, alone, run_as_script

sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from support.builds import AGENT  # pylint: disable=import-error,wrong-import-position
from support.jdks import Jdk  # pylint: disable=import-error,wrong-import-position
from support.runner import Runner  # pylint: disable=import-error,wrong-import-position
from support.stalled_dump import Stall  # pylint: disable=import-error,wrong-import-position

LEAST_RATIO = 0.98


def measure(jdk, format_, classes, arguments):
    """One stall; the ratio of the throughput in it to that before and after."""
    with tempfile.TemporaryDirectory(dir=WORK) as directory:
        runner = Runner(Jdk(jdk.home, jdk.version), [classes], Path(directory))
        try:
            stall = Stall(runner, format_, arguments.megabytes, arguments.stall,
                          arguments.free, arguments.warm_up)
            load = os.getloadavg()[0]
            stall.check_stream(arguments.megabytes)
        finally:
            runner.close()
    writing_s = (stall.writing.end_ns - stall.writing.begin_ns) / 1e9
    print(f"{jdk.version:>3} {format_} {stall.rate(stall.before):8.0f} {writing_s:5.1f} "
          f"{stall.rate(stall.writing):8.0f} "
          f"{stall.rate(stall.stalled):8.0f} {stall.rate(stall.after):8.0f} {stall.ratio():6.3f} {stall.ratio(but_waits=True):6.3f} "
          f"{stall.longest_ns / 1e6:7.0f}  {stall.bytes_at_stall / 1e6:5.0f} "
          f"{len(stall.data) / 1e6:6.0f}  {load:4.1f}", flush=True)
    return stall.ratio()


def measure_rounds(jdk, format_, classes, arguments):
    """Several stalls; true when, going by the median, the program was not slowed down."""
    ratios = sorted(measure(jdk, format_, classes, arguments) for _ in range(arguments.rounds))
    median = statistics.median(ratios)
    ok = median >= LEAST_RATIO
    print(f"{jdk.version:>3} {format_} ratio: median {median:.3f}  min {ratios[0]:.3f}  "
          f"max {ratios[-1]:.3f}  {'ok' if ok else 'FAIL'}", flush=True)
    return ok


def parse_arguments():
    """The command line's options."""
    parser = argparse.ArgumentParser(description="A peer that stalls in the midst of a heap dump; "
                                     "see bench/README.md.")
    add_jdk_option(parser)
    parser.add_argument("--format", action="append", choices=["a", "b"],
                        help="text or binary; may be repeated (default both)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N",
                        help="how often each is measured (default 3)")
    parser.add_argument("--stall", type=float, default=30, metavar="S",
                        help="seconds in which the peer does not read (default 30)")
    parser.add_argument("--free", type=float, default=15, metavar="S",
                        help="seconds before and after it that it is checked against (default 15)")
    parser.add_argument("--warm-up", type=float, default=5, metavar="S",
                        help="seconds before all that (default 5)")
    parser.add_argument("--megabytes", type=int, nargs=2, default=[185, 15],
                        metavar=("BYTES", "REFERENCES"),
                        help="what the program keeps on its heap (default 185 15)")
    return parser.parse_args()


def main():
    """True when no stall slowed the program down."""
    arguments = parse_arguments()
    jdks = find_jdks(arguments.jdk)
    with alone():
        show_machine(jdks)
        show_agent(AGENT)
        print(f"heap {sum(arguments.megabytes)} MB, stall {arguments.stall:g} s")
        print("JDK format: iterations a second before the dump; seconds in which the dump is "
              "written, and iterations a second; the same in and after the stall; ratio, "
              "and without waits for a CPU; longest pause ms; MB read of the dump at the stall, MB of "
              "all three dumps; load")
        sources = [ROOT / "tests" / "java" / name
                   for name in ("Iterating.java", "Truth.java")]
        classes = compile_java(jdks, sources, WORK / "stall-classes")
        results = [measure_rounds(jdk, format_, classes, arguments)
                   for jdk in jdks for format_ in arguments.format or ["a", "b"]]
    return all(results)


if __name__ == "__main__":
    run_as_script(main)
