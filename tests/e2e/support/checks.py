"""Checks of a profile and of a run, and the statistical limits that they use."""

import collections
import copy
import math
import os
import re

import pytest

from readers import hprof_text

# Whether times, durations, shares and lost samples are judged. Under a sanitizer, Wine or QEMU they
# are not, as no limit is true there; what is exact is judged everywhere.
TIMES_JUDGED = os.environ.get("HPROF_TEST_TIMES", "y") != "n"
judges_times = pytest.mark.skipif(not TIMES_JUDGED, reason="judges times, which are not true here")

# How often a test whose limit comes from at_most() or at_least() may fail by chance.
FALSE_ALARM = 1e-7

LOST = {f"{hprof_text.NO_STACK}.{reason}" for reason in (
    "not_walkable", "garbage_collection", "walker_failed", "buffer_full", "thread_ended_early")}


def samples(profile, name):
    """Samples with a method in any frame. name is Class.method."""
    return sum(row.count for row in profile.rows if name in row.names)


def samples_on_top(profile, name):
    """Samples with a method as the innermost frame."""
    return sum(row.count for row in profile.rows if row.names[:1] == [name])


def samples_without_stack(profile):
    return sum(row.count for row in profile.rows
               if row.frames[0].class_name == hprof_text.NO_STACK)


def reasons_without_stack(profile):
    """How many samples have no stack for each reason, as text."""
    counts = collections.Counter()
    for row in profile.rows:
        if row.frames[0].class_name == hprof_text.NO_STACK:
            counts[row.frames[0].method] += row.count
    return ", ".join(f"{reason} {count}" for reason, count in counts.most_common())


def samples_lost(profile):
    """Of those without a stack the samples that can be of any method: the thread ran Java code,
    or had run it, but its stack could not be walked or kept. The names are the agent's
    (stackless_reason_name() in src/sampling/engine.c)."""
    return sum(row.count for row in profile.rows if row.names and row.names[0] in LOST)


def _tail(count, probability, least):
    """The probability that at least `least` of count independent samples are of a kind that
    has that probability each."""
    def term(k):
        return math.exp(math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1)
                        + k * math.log(probability) + (count - k) * math.log1p(-probability))
    return math.fsum(term(k) for k in range(least, count + 1))


def at_most(count, share):
    """The limit for samples of a kind of which no more than that share of CPU time is: of
    count samples more than the limit are of it with a probability below FALSE_ALARM."""
    limit = int(count * share)
    while limit < count and _tail(count, share, limit + 1) >= FALSE_ALARM:
        limit += 1
    return limit


def at_least(count, share):
    """The same for samples of a kind that has at least that share: fewer than the limit are
    of it with a probability below FALSE_ALARM."""
    return count - at_most(count, 1 - share)


def check_stacks(run, profile, share=0.01):
    """Samples without a stack are no more than that share, by at_most()."""
    lost = samples_without_stack(profile)
    limit = at_most(profile.total, share)
    check_time(lost <= limit, run, f"{lost} of {profile.total} samples have no stack "
                                   f"({reasons_without_stack(profile)}), at most {limit} for a "
                                   f"share of {share:.1%}")


def numbered_lambda(name):
    """The name of a class; of a lambda's without its second number: JDK 11 has two for it."""
    return re.sub(r"(\$\$Lambda\$\d+)[./]\w+", r"\1", name)


# Addresses and counters in the names of classes that the JVM and the JDK generate.
RUN_NUMBERS = re.compile(r"[/.+]0x[0-9a-fA-F]+|(?<=\$\$Lambda)\$\d+|(?<=(?<![\w$])\$Proxy)\d+"
                         r"|(?<=jdk\.proxy)\d+|(?<=MethodAccessor)\d+|(?<=ConstructorAccessor)\d+")


def stable_name(name):
    """A name, or a stack of them, as the command reports it."""
    return RUN_NUMBERS.sub("", name)


def check(condition, run, reason):
    """Fails with the reason and with all that was seen of the run."""
    if not condition:
        pytest.fail(run.describe(reason), pytrace=False)


def check_time(condition, run, reason):
    """As check(), of what is true only where times are judged."""
    if TIMES_JUDGED:
        check(condition, run, reason)


def without_agent_lines(run):
    """The run as if the agent had said nothing: what is left is the program's own."""
    own = copy.copy(run)
    own.stderr = "".join(line for line in run.stderr.splitlines(keepends=True)
                         if not line.startswith("hprof: "))
    return own


def check_same_output(run, plain, streams=("stdout", "stderr")):
    """The program printed what it printed without the agent, in the run plain."""
    for stream in streams:
        shown, should = getattr(run, stream), getattr(plain, stream)
        check(shown == should, run, f"the program's output differs on {stream}: should be {should!r}")


def check_cpu(run, what, count, cpu_ns, percent=5, unknown=1, judge=check_time):
    """count samples stand for cpu_ns of CPU time, within percent, except for the
    intervals that neither side can know. Samples of the last profile parsed that lost their
    stack may be the ones that are missing, as long as they are no more than the share of 1 %
    that the agent may lose."""
    shown_ns = count * run.interval_ns
    slack_ns = cpu_ns * percent / 100 + unknown * run.interval_ns
    lost_ns = min(run.lost, at_most(max(count, 1), 0.01)) * run.interval_ns
    judge(-slack_ns - lost_ns <= shown_ns - cpu_ns <= slack_ns, run,
          f"{what}: {count} samples x {run.interval_ns / 1e6:g} ms = {shown_ns / 1e6:.0f} ms, "
          f"the program measured {cpu_ns / 1e6:.0f} ms of CPU time "
          f"({100 * shown_ns / cpu_ns - 100:+.1f}%, allowed {percent}% and intervals: {unknown}; "
          f"{run.lost} samples of the profile lost their stack)")


def check_refused(run, words):
    """The agent ended the JVM before main, by one line that has all the words."""
    lines = run.stderr.splitlines()
    check(run.exit_code == 1, run, f"exit code {run.exit_code}, should be 1")
    check(run.stdout == "", run, "stdout should be empty")
    check(len(lines) == 1, run, f"{len(lines)} lines on stderr, should be one")
    check(lines[0].startswith("hprof: "), run, "the line should start with 'hprof: '")
    missing = [word for word in words if not _has_word(lines[0], word)]
    check(not missing, run, f"the line should name {missing}")


def _has_word(line, word):
    """word in line, in either case, not as a part of a longer word."""
    line, word = line.lower(), word.lower()
    at = line.find(word)
    while at >= 0:
        before, after = line[at - 1:at], line[at + len(word):at + len(word) + 1]
        whole = not (word[0].isalnum() and before.isalnum())
        if whole and not (word[-1].isalnum() and after.isalnum()):
            return True
        at = line.find(word, at + 1)
    return False
