"""What the agent costs eight real programs; see README.md beside this file.

    HPROF_AGENT=build/libhprof.so python3 bench/suite.py --quick
    HPROF_AGENT=build/libhprof.so python3 bench/suite.py --pairs 3 --json results.json
    HPROF_AGENT=build/libhprof.so python3 bench/suite.py --hottest
    python3 bench/suite.py --plot results.json out.svg
"""

import argparse
import shutil
import time
from pathlib import Path

from lib import results
from lib.agents import agent, copy_agent
from lib.contestants import BEFORE, MODES, QUICK_MODES, contestants
from lib.hottest import compare as compare_hottest
from lib.hottest import hottest_text
from lib.jdks import add_jdk_option, find_jdks
from lib.machine import describe, show_machine
from lib.measure import Measurement, prepare
from lib.plot import plot_svg
from lib.programs import PROGRAMS
from lib.programs.program import FULL, SMALL
from lib.report import report_text
from lib.workplace import FAILURES, WORK, BenchError, alone, run_as_script

QUICK_NOTE = ("--quick: one pair of each, on small inputs: this shows the order of magnitude, "
              "and no more.")


def parse_arguments(words=None):
    """The command line's options."""
    parser = argparse.ArgumentParser(
        description="Cost of the agent on eight programs; see bench/README.md.")
    parser.add_argument("--programs", metavar="NAME,...", default=",".join(
        program.name for program in PROGRAMS), help="default all: %(default)s")
    parser.add_argument("--options", action="append", metavar="OPTIONS",
                        help=f"the agent's options; may be repeated (default {' '.join(MODES)})")
    add_jdk_option(parser)
    parser.add_argument("--pairs", type=int, metavar="N",
                        help="pairs of each program, JDK and options (default 3)")
    parser.add_argument("--quick", action="store_true",
                        help=f"small inputs, one pair, {' '.join(QUICK_MODES)}: the order of "
                             "magnitude in some ten minutes")
    parser.add_argument("--agent-before", type=Path, metavar="PATH",
                        help="another agent, in a column of its own beside that of each mode")
    parser.add_argument("--async-profiler", type=Path, metavar="PATH",
                        help="libasyncProfiler.so, for columns with cpu and alloc")
    parser.add_argument("--jfr", action="store_true",
                        help="a column with JFR's settings profile")
    parser.add_argument("--jfr-timing", metavar="FILTER",
                        help="a column with JFR's timing of methods (from JDK 25 on)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result there, too")
    parser.add_argument("--hottest", action="store_true",
                        help="in place of the cost: do samples and counted times name the same "
                             "methods?")
    parser.add_argument("--plot", type=Path, nargs=2, metavar=("RESULT", "SVG"),
                        help="in place of a measurement: draw the one in a file of --json")
    arguments = parser.parse_args(words)
    names = arguments.programs.split(",")
    unknown = set(names) - {program.name for program in PROGRAMS}
    if unknown:
        parser.error(f"--programs: no {', '.join(sorted(unknown))}")
    arguments.programs = [program for program in PROGRAMS if program.name in names]
    arguments.pairs = arguments.pairs or (1 if arguments.quick else 3)
    if arguments.pairs < 1:
        parser.error("--pairs: at least 1")
    arguments.options = arguments.options or (QUICK_MODES if arguments.quick else MODES)
    arguments.size = SMALL if arguments.quick else FULL
    return arguments


def copy_before(path):
    """A copy of the other agent, beside that of the agent."""
    if not path.is_file():
        raise BenchError(f"--agent-before: no file {path}")
    return Path(shutil.copy(path, WORK / "libhprof-before.so"))


def cost(arguments, jdks):
    """All pairs, their tables and their file; true when all went well."""
    before = arguments.agent_before and copy_before(arguments.agent_before)
    columns = contestants(agent(), arguments.options, before,
                          arguments.async_profiler and arguments.async_profiler.resolve(),
                          arguments.jfr, arguments.jfr_timing)
    agents = {"agent": agent(), **({BEFORE: before} if before else {})}
    result = results.new_result(describe(), jdks, arguments.programs, agents,
                                [column.label for column in columns])
    programs, missing = prepare(arguments.programs, jdks)
    measurement = Measurement(arguments.size)
    result.update(size=arguments.size, pairs=arguments.pairs, unavailable=missing,
                  failures=measurement.failures, runs=measurement.runs)

    def save():
        if arguments.json:
            results.write(arguments.json, result)

    ready = measurement.add_references(programs, jdks)
    measurement.measure(ready, jdks, columns, arguments.pairs, save)
    save()
    print("\n" + report_text(result))
    if not measurement.failures and not missing:
        print("\nAll outputs are those of the programs without an agent.")
    if arguments.quick:
        print("\n" + QUICK_NOTE)
    return show_failures(missing, measurement.failures)


def hottest(arguments, jdks):
    """The check of ranks; true when all programs ran."""
    programs, missing = prepare(arguments.programs, jdks)
    result = results.new_result(describe(), jdks, arguments.programs, {"agent": agent()}, [])
    result["hottest"], failures = [], []
    for program in programs:
        for jdk in jdks:
            try:
                entry = compare_hottest(program, jdk, arguments.size, agent())
            except FAILURES as reason:
                failures.append({"program": program.name, "jdk": jdk.version,
                                 "column": "--hottest", "reason": str(reason)})
                continue
            result["hottest"].append(entry)
            print(f"{program.name} JDK {jdk.version}: {entry['counted']}, noise {entry['noise']}",
                  flush=True)
    if arguments.json:
        results.write(arguments.json, {**result, "unavailable": missing, "failures": failures})
    print("\n" + hottest_text(result["hottest"]))
    return show_failures(missing, failures)


def show_failures(missing, failures):
    """Prints them; true when there are none."""
    for name, reason in missing.items():
        print(f"{name}: not available: {reason}")
    for failure in failures:
        print(f"FAIL {failure['program']} JDK {failure['jdk']} {failure['column']}: "
              f"{failure['reason']}")
    return not missing and not failures


def main():
    """True when all went well."""
    arguments = parse_arguments()
    if arguments.plot:
        source, target = arguments.plot
        target.write_text(plot_svg(results.read(source)), encoding="utf-8")
        return True
    jdks = find_jdks(arguments.jdk)
    begun = time.monotonic()
    with alone():
        show_machine(jdks)
        copy_agent()
        done = (hottest if arguments.hottest else cost)(arguments, jdks)
    print(f"{(time.monotonic() - begun) / 60:.1f} minutes")
    return done


if __name__ == "__main__":
    run_as_script(main)
