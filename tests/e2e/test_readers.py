"""Existing programs that read text profiles accept ours and find its contents."""

from collections import Counter

import pytest

from readers import hprof_text
from readers.others import Refused, gin, hprof2flamegraph, orbit
from support.checks import check

pytestmark = pytest.mark.any_jvm


def thorough(*options):
    return [pytest.param(each, marks=pytest.mark.thorough) for each in options]


SAMPLES = ["cpu=samples,interval=1,depth=30", "cpu=samples,interval=1,lineno=n",
           "cpu=samples,interval=1,depth=0",
           "cpu=samples,interval=1,exclude=Twins.*,exclude=java.*",
           "cpu=samples,interval=1,timeline=y,msa=y,cutoff=0",
           "cpu=samples,interval=1,timeline=y,heap=sites",
           *thorough("cpu=samples,interval=1,cutoff=0", "cpu=samples,interval=1,msa=y",
                     "cpu=samples,interval=1,cutoff=0,engine=clock",
                     "cpu=samples,interval=1,heap=sites", "cpu=samples,interval=1,timeline=y",
                     "cpu=samples,interval=1,heap=dump,depth=1")]
BY_THREAD = ["cpu=samples,interval=1,thread=y,timeline=y",
             *thorough("cpu=samples,interval=1,thread=y",
                       "cpu=samples,interval=1,thread=y,lineno=n")]
TIMES = ["cpu=times,msa=y", "cpu=times,thread=y", "cpu=times,depth=0",
         "cpu=times,costs=y,heap=sites",
         *thorough("cpu=times", "cpu=times,lineno=n,cutoff=0", "cpu=times,heap=sites",
                   "cpu=times,heap=dump", "cpu=times,costs=y",
                   "cpu=times,costs=y,msa=y,cutoff=0")]
SITES = ["heap=sites,lineno=n,depth=0", "heap=all", "heap=sites,live=n", "cpu=old,heap=sites",
         *thorough("heap=sites", "heap=sites,msa=y", "heap=sites,notes=y")]
OTHERS = ["monitor=y,thread=y", "cpu=old,msa=y",
          "monitor=y,cpu=samples,interval=1,timeline=y,costs=y", "monitor=y,cpu=times,costs=y",
          *thorough("heap=dump", "monitor=y", "monitor=y,cpu=samples,interval=1",
                    "monitor=y,cpu=times", "monitor=y,costs=y")]


def program_of(options):
    if "monitor=y" in options:
        return ("Monitors", "contend", 60)
    return ("TimesCalls", 300) if "cpu=times" in options or "cpu=old" in options else (
        "Twins", 200, 100)


def read(run, reader):
    """What a reader makes of the output; the test fails where it would."""
    text = run.output.read_text("utf-8")
    try:
        return reader(text)
    except Refused as reason:
        check(False, run, f"{reader.__module__}.{reader.__name__} fails: {reason}")


def runs(*modes):
    return pytest.mark.parametrize("options", [option for mode in modes for option in mode])


def run_mode(jdk, shared_run, options):
    main, *args = program_of(options)
    run = shared_run(jdk, main, options, *args)
    return run, run.profile()


def shown(frame):
    """A frame as hprof2flamegraph shows it."""
    return frame.name if frame.line == hprof_text.UNKNOWN_LINE else f"{frame.name}:{frame.line}"


def check_stacks(run, profile):
    """The stacks of hprof2flamegraph are those of the file."""
    found = read(run, hprof2flamegraph.stacks)
    expected = {str(serial): [shown(frame) for frame in trace.frames] +
                ([f"Thread {trace.thread}"] if trace.thread else [])
                for serial, trace in profile.traces.items() if not trace.empty}
    check(found == expected, run, "stacks differ")


@runs(SAMPLES, BY_THREAD)
def test_hprof2flamegraph_reads_samples(jdk, shared_run, options):
    run, profile = run_mode(jdk, shared_run, options)
    (section,) = profile.titled("CPU SAMPLES")
    found = read(run, hprof2flamegraph.collapse)
    check(len(found) == len(section.rows) and section.rows, run, f"{len(found)} rows")
    check([count for _, count in found] == [row.count for row in section.rows], run, "counts")
    tops = [stack.split(";")[-1] for stack, _ in found]
    check(tops == [shown(row.frames[0]) for row in section.rows], run, "tops differ")
    check_stacks(run, profile)


@runs(SAMPLES)
def test_gin_reads_samples(jdk, shared_run, options):
    run, profile = run_mode(jdk, shared_run, options)
    (section,) = profile.titled("CPU SAMPLES")
    found = read(run, gin.samples)
    check(found == [(row.count, shown(row.frames[0])) for row in section.rows], run,
          "methods differ")


@runs(SAMPLES, BY_THREAD)
def test_orbit_reads_samples(jdk, shared_run, options):
    run, profile = run_mode(jdk, shared_run, options)
    (section,) = profile.titled("CPU SAMPLES")
    check_orbit(run, section)


@runs(TIMES)
def test_orbit_reads_times(jdk, shared_run, options):
    run, profile = run_mode(jdk, shared_run, options)
    section = profile.titled("CPU TIME")[0]
    check_orbit(run, section)


def check_orbit(run, section):
    """Counts and percents are the section's, and stacks begin with those of its traces: what
    stands between two traces, such as a thread's start, Orbit takes for frames."""
    found = read(run, orbit.calls)
    check([(count, percent) for count, percent, _ in found] ==
          [(row.count, row.self_percent) for row in section.rows], run, "rows differ")
    for (_, _, frames), row in zip(found, section.rows):
        check([frame.split("(")[0] for frame in frames[:len(row.frames)]] == row.names, run,
              f"frames of trace {row.trace.serial} differ: {frames}")


@runs(SITES)
def test_gin_reads_allocations(jdk, shared_run, options):
    run, profile = run_mode(jdk, shared_run, options)
    expected = [(row.allocated_bytes,
                 "<empty>" if row.trace.empty else shown(row.trace.frames[0]))
                for row in profile.sites[0].rows]
    check(read(run, gin.allocations) == expected and expected, run, "sites differ")


@runs(SITES, OTHERS, TIMES)
def test_no_reader_takes_a_profile_for_another_or_stumbles_over_it(jdk, shared_run, options):
    """Traces are read in every mode; samples are found where there are some, and traced
    calls only where calls were traced."""
    run, profile = run_mode(jdk, shared_run, options)
    check_stacks(run, profile)
    if "thread=y" not in options:
        found = Counter(count for count, _ in read(run, gin.samples))
        check(found == Counter(row.count for section in profile.titled("CPU SAMPLES")
                               for row in section.rows), run, "samples differ")
    text = run.output.read_text("utf-8")
    refusal = None
    try:
        hprof2flamegraph.collapse(text)
    except Refused as reason:
        refusal = str(reason)
    wanted = ("calls were traced, not sampled" if "cpu=times" in options else
              None if "cpu=samples" in options else "no samples")
    check(refusal == wanted, run, f"refused: {refusal}, should be: {wanted}")
