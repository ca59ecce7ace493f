"""Compares the counts of cpu=times with the calls that a program says it made, in lines
"calls COUNT METHOD|CALLER|..." (TimesTruth.java), and times with those that it measured."""

import contextlib
import math
import re
import time
from pathlib import Path

import pytest
from readers import hprof_text
from readers.hprof_text import NO_STACK, UNKNOWN_LINE

from .builds import PLATFORM
from .checks import check, check_time
from .live_run import wait_until

ANY = "~"  # in a path: any frames


def expected_calls(run):
    """(path, count) of each line; a path is innermost first."""
    return [(path.split("|"), int(count))
            for count, path in re.findall(r"^calls (\d+) (\S+)$", run.stdout, re.M)]


def fits(names, path, cut):
    """Whether a stack as path says gives the trace with these names, of which the
    outer end is missing when cut."""
    if not names:
        return cut or all(name == ANY for name in path)
    if not path:
        return False
    if path[0] == ANY:
        return fits(names, path[1:], cut) or fits(names[1:], path, cut)
    return names[0] == path[0] and fits(names[1:], path[1:], cut)


def counts_by_names(rows):
    """Calls by the names of the frames, which other descriptors, threads and
    sections share."""
    counts = {}
    for row in rows:
        names = tuple(row.names)
        counts[names] = counts.get(names, 0) + row.count
    return counts


def compare_calls(expected, rows, depth, program):
    """What is wrong, a line each. Paths that only outer frames tell apart are one
    in traces of that depth, so that their counts are compared together."""
    counts = {names: count for names, count in counts_by_names(rows).items()
              if not names[0].startswith(f"{NO_STACK}.")}
    by_first = {}
    for names in counts:
        by_first.setdefault(names[0], []).append(names)
    group_of = {}  # names: the group of paths that they belong to
    groups = []
    for path, count in expected:
        fitting = [names for names in by_first.get(path[0], [])
                   if fits(list(names), path, len(names) == depth)]
        joined = {id(group_of[names]): group_of[names] for names in fitting
                  if names in group_of}
        group = {"paths": [path], "count": count, "names": set(fitting)}
        for other in joined.values():
            group["paths"] += other["paths"]
            group["count"] += other["count"]
            group["names"] |= other["names"]
            groups.remove(other)
        groups.append(group)
        for names in group["names"]:
            group_of[names] = group
    wrong = []
    for group in groups:
        seen = sum(counts[names] for names in group["names"])
        if seen != group["count"]:
            wrong.append(f"{' or '.join('|'.join(path) for path in group['paths'])}: "
                         f"{group['count']} calls, {seen} counted")
    for names, count in counts.items():
        class_name = names[0].rpartition(".")[0]
        ours = class_name == program or (class_name.startswith(f"{program}$")
                                         and not class_name.startswith(f"{program}$Expected"))
        if ours and count > 0 and names not in group_of:
            wrong.append(f"{'|'.join(names)}: never called so, {count} counted")
    return wrong


def filtered(expected, wanted):
    """The same calls as they are where only the wanted methods are instrumented."""
    kept = []
    for path, count in expected:
        if wanted(path[0]):
            kept.append(([name for name in path if name == ANY or wanted(name)], count))
    return kept


def check_calls(run, profile, program, but=(), wanted=None):
    """Every call that the program made is counted at its trace, and no other; but
    for those of some methods, and with those alone instrumented that are wanted."""
    depth = int(run.option("depth", "4"))
    expected = expected_calls(run)
    check(expected, run, "the program says no calls")
    if wanted is not None:
        expected = filtered(expected, wanted)
    left_out = [f"{program}.{name}" for name in but]
    rows = [row for section in profile.titled("CPU TIME") for row in section.rows
            if row.names[:1] and row.names[0] not in left_out]
    wrong = compare_calls(expected, rows, depth, program)
    check(not wrong, run, f"{len(wrong)} counts are wrong:\n" + "\n".join(wrong[:20]))
    lines = {frame.line for row in rows for frame in row.frames}
    check(lines <= {UNKNOWN_LINE}, run, f"lines of frames are {sorted(map(str, lines))[:5]}")


def calls_of(profile, name):
    """Calls of a method, from wherever."""
    return sum(row.count for section in profile.titled("CPU TIME") for row in section.rows
               if row.names[:1] == [name])


def total_ms(section, name):
    """Self time of the traces that have the method in any frame."""
    percent = sum(row.self_percent for row in section.rows if name in row.names)
    return percent * section.total / 100


def check_between(run, what, sections, chosen, least_ns, most_ns, slack_ms=0.0):
    """The self time of the chosen rows is between what a program measured in a method and what it
    measured around it, but for slack, and for rounding: of each row by half of the last digit, and of
    the total, which lacks a part of a millisecond."""
    shown = 0
    for section in sections if isinstance(sections, list) else [sections]:
        for row in filter(chosen, section.rows):
            shown += row.self_percent * section.total / 100
            slack_ms += 0.005 / 100 * section.total + row.self_percent / 100
    check_time(least_ns / 1e6 - slack_ms <= shown <= most_ns / 1e6 + slack_ms, run,
               f"{what} has {shown:.2f} ms, it measured {least_ns / 1e6:.2f} to {most_ns / 1e6:.2f}, and "
               f"can be {slack_ms:.2f} off")


def check_total(run, sections, name, *measured):
    """The same of the rows that have the method in any frame."""
    check_between(run, name, sections, lambda row: name in row.names, *measured)


# Normally distributed errors exceed so many standard deviations as rarely as FALSE_ALARM says.
DEVIATIONS = 5.5
TICK_MS = 10 if PLATFORM == "solaris" else 1000 * time.clock_getres(
    getattr(time, "CLOCK_MONOTONIC_COARSE", 6))


def step_ms(run):
    """How far apart in CPU time the timer of cpu=times charges, as the last profile parsed says: perf's is
    exact, others expire at ticks of the kernel. 0 where the clocks are read at each call."""
    if any("both clocks read at each" in note for note in run.notes):
        return 0
    return 1 if any("time by perf" in note for note in run.notes) else max(1, TICK_MS)


# With msa=y: CPU time by a timer, or by the clocks at each call, as where the system lacks timers or marks.
BOTH_WAYS = pytest.mark.parametrize("clocks", ["", ",engine=clock"])


def moved_ms(step, stretches):
    """By how much the time of a method can be off that ran for so many stretches, when all time since
    the last of steps so far apart is charged to what runs at each: the beginning and the end of a
    stretch are anywhere in a step, with a variance of a twelfth each."""
    return step * min(2 * stretches, DEVIATIONS * math.sqrt(stretches / 6))


_CLOCKS_READ = re.compile(r"the CPU clocks of threads were read every (\d+\.\d\d) ms .*, "
                          r"at most (\d+\.\d\d) ms of CPU time apart")


def late_ms(run, stretches):
    """The same where a thread of the agent charges, which runs when the system lets it. A NOTE says how
    far apart that was, as a root mean square and at most. One long distance has little weight in a
    mean over all, and is no normally distributed error of the few stretches that it falls on."""
    apart_ms = [tuple(map(float, match.groups())) for note in run.notes if (match := _CLOCKS_READ.match(note))]
    check(apart_ms, run, "no NOTE says how far apart the CPU clocks were read")
    usual, most = apart_ms[-1]
    return min(stretches * most, max(2 * most, usual * DEVIATIONS * math.sqrt(stretches * 2 / 3)))


def thread_cpu_ns(live, *names):
    """CPU time of the program's threads that the kernel knows by these names, as of its last tick."""
    total = 0
    for task in Path(f"/proc/{live.process.pid}/task").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            if (task / "comm").read_text(encoding="utf-8").strip() in names:
                total += int((task / "schedstat").read_text(encoding="ascii").split()[0])
    return total


def wait_shown(live, shows):
    """Until the file, as a JVM that is killed then leaves it, shows what it should: all is in it after
    a while."""
    def is_shown():
        with contextlib.suppress(FileNotFoundError, hprof_text.FormatError):
            return shows(hprof_text.parse(live.run.output.read_bytes()))
        return False
    wait_until(is_shown, live)
