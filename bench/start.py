"""What the agent adds to a program that prints one line and ends; see README.md beside this file.

    HPROF_AGENT=build/libhprof.so python3 bench/start.py
    HPROF_AGENT=build/libhprof.so python3 bench/start.py --options cpu=samples --runs 51
"""

import argparse
import subprocess
import time
from pathlib import Path

from lib.agents import agent, copy_agent
from lib.contestants import QUICK_MODES, agent_contestant
from lib.figures import spread
from lib.jdks import add_jdk_option, compile_java, find_jdks
from lib.machine import show_machine
from lib.order import in_turn
from lib.workplace import BENCH, WORK, BenchError, alone, run_as_script

SOURCE = BENCH / "java" / "ShortWork.java"
NO_AGENT = "no agent"
BEFORE = " before"
TIMEOUT_S = 60


def run(jdk, classes, words):
    """(milliseconds, output) of one run."""
    begun = time.monotonic()
    done = subprocess.run([jdk.home / "bin" / "java", *words, "-cp", classes, SOURCE.stem],
                          check=False, capture_output=True, cwd=classes, timeout=TIMEOUT_S)
    wall_ms = (time.monotonic() - begun) * 1e3
    if done.returncode != 0:
        raise BenchError(f"exit code {done.returncode} with {words}: {done.stderr.decode()}")
    return wall_ms, done.stdout


def compare(jdk, classes, words_of, runs):
    """Runs all in turn, again and again, and prints the medians. A first run of each, not counted,
    fills the page cache."""
    reference = run(jdk, classes, [])[1]
    walls = {label: [] for label in words_of}
    for turn in range(runs + 1):
        for label in in_turn(tuple(words_of), turn):
            wall_ms, output = run(jdk, classes, words_of[label])
            if output != reference:
                raise BenchError(f"the output differs with {label}")
            if turn > 0:
                walls[label].append(wall_ms)
    alone_ms = spread(walls[NO_AGENT]).median
    for label, values in walls.items():
        found = spread(values)
        print(f"{jdk.version:>3} {label:24} {found.median:7.1f} ms ({found.low:.1f}-{found.high:.1f})"
              f"  {found.median - alone_ms:+7.1f} ms", flush=True)


def parse_arguments():
    """The command line's options."""
    parser = argparse.ArgumentParser(
        description="What the agent adds to a short program; see bench/README.md.")
    parser.add_argument("--options", action="append", metavar="OPTIONS",
                        help=f"the agent's options; may be repeated (default {' '.join(QUICK_MODES)})")
    parser.add_argument("--agent-before", type=Path, metavar="PATH",
                        help="another agent, under the same options")
    parser.add_argument("--runs", type=int, default=31, metavar="N",
                        help="runs of each (default %(default)s)")
    add_jdk_option(parser)
    return parser.parse_args()


def main():
    """True when all runs went well."""
    chosen = parse_arguments()
    jdks = find_jdks(chosen.jdk)
    with alone():
        show_machine(jdks)
        copy_agent()
        words_of = {NO_AGENT: []}
        for options in chosen.options or QUICK_MODES:
            if chosen.agent_before is not None:
                other = chosen.agent_before.resolve()
                words_of[options + BEFORE] = agent_contestant(other, options).words
            words_of[options] = agent_contestant(agent(), options).words
        classes = compile_java(jdks, [SOURCE], WORK / "start-classes")
        print(f"JDK, median of {chosen.runs} (least-most), and what the agent adds")
        for jdk in jdks:
            compare(jdk, classes, words_of, chosen.runs)
    return True


if __name__ == "__main__":
    run_as_script(main)
