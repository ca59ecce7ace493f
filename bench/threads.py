r"""Cost of options of the agent for a program of many threads that compute for a short time and wait; see README.md
beside this file.

    HPROF_AGENT=build/libhprof.so python3 bench/threads.py
    HPROF_AGENT=build/libhprof.so python3 bench/threads.py --than cpu=samples cpu=samples,msa=y
    HPROF_AGENT=build/libhprof.so python3 bench/threads.py --virtual --threads 100000 --turns 1 \
        --jdk /usr/lib/jvm/temurin-25-jdk-amd64 --than cpu=times cpu=times,vthreads=y
"""

import argparse
import os
import resource
import subprocess
import time

from lib.agents import NO_AGENT, agent, copy_agent
from lib.figures import spread
from lib.jdks import add_jdk_option, compile_java, find_jdks
from lib.machine import show_machine
from lib.order import in_turn
from lib.workplace import BENCH, WORK, BenchError, alone, run_as_script

SOURCE = BENCH / "java" / "PoolWork.java"
TIMEOUT_S = 600


def run(jdk, classes, options, arguments):
    """(wall, CPU seconds, output) of one run."""
    command = [jdk.home / "bin" / "java"]
    if options != NO_AGENT:
        command.append(f"-agentpath:{agent()}={options},file={classes / 'profile.txt'},verbose=n")
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([*command, "-cp", classes, "PoolWork", *arguments], check=False,
                          stdout=subprocess.PIPE, timeout=TIMEOUT_S)
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise BenchError(f"exit code {done.returncode} with {options}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def compare(jdk, classes, chosen, arguments):
    """Runs in pairs, one after the other in alternating order."""
    both = (chosen.options, chosen.than)
    reference = run(jdk, classes, NO_AGENT, arguments)[2]
    ratios = {"wall": [], "cpu": []}
    for pair in range(chosen.pairs):
        done = {}
        for options in in_turn(both, pair):
            wall, cpu, output = done[options] = run(jdk, classes, options, arguments)
            if output != reference:
                raise BenchError(f"the output differs with {options}")
        ratios["wall"].append(done[both[0]][0] / done[both[1]][0])
        ratios["cpu"].append(done[both[0]][1] / done[both[1]][1])
        print(f"JDK {jdk.version}, pair {pair + 1}: " + ", ".join(
            f"{options} {done[options][0]:.2f} s, CPU {done[options][1]:.2f} s" for options in both),
              flush=True)
    for metric, values in ratios.items():
        found = spread(values)
        print(f"JDK {jdk.version}: {metric} {found.median:.3f} times "
              f"({found.low:.3f}-{found.high:.3f}, {found.count} pairs)", flush=True)


def main():
    """True when all went well."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("options", nargs="?", default="cpu=samples,msa=y")
    parser.add_argument("--than", default=NO_AGENT, help="what it is compared with")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--threads", type=int, default=200)
    parser.add_argument("--turns", type=int, default=1500)
    parser.add_argument("--virtual", action="store_true", help="virtual threads, JDK 21 on")
    add_jdk_option(parser)
    chosen = parser.parse_args()
    jdks = find_jdks(chosen.jdk)
    with alone():
        show_machine(jdks)
        copy_agent()
        classes = WORK / "threads"
        os.makedirs(classes, exist_ok=True)
        compile_java(jdks, [SOURCE], classes)
        for jdk in jdks:
            compare(jdk, classes, chosen, [str(chosen.threads), str(chosen.turns),
                                           *(["virtual"] if chosen.virtual else [])])
    return True


if __name__ == "__main__":
    run_as_script(main)
