"""include= and exclude=: which methods are instrumented, and with which frame a trace of
cpu=samples starts."""

from fnmatch import fnmatchcase

import pytest

from support.checks import check, check_cpu, check_refused, check_time, samples_without_stack
from support.times_checks import check_between, check_calls, moved_ms, step_ms

N = 3000


def wanted_by(include, exclude):
    """The rule, as a function of a method's full name."""
    def matches(name, pattern):
        class_name = name.rpartition(".")[0]
        return fnmatchcase(name, pattern) or fnmatchcase(class_name, pattern)
    return lambda name: ((not include or any(matches(name, p) for p in include))
                         and not any(matches(name, p) for p in exclude))


def options_of(include, exclude):
    return "".join([f",include={pattern}" for pattern in include]
                   + [f",exclude={pattern}" for pattern in exclude])


def run_filtered(run_java, main, include, exclude, *args, options=""):
    """Checks the counts, and that no trace has a frame that was not wanted."""
    run = run_java(main, f"cpu=times,cutoff=0{options}" + options_of(include, exclude), *args)
    profile = run.profile()
    wanted = wanted_by(include, exclude)
    odd = {name for trace in profile.traces.values() if not trace.stackless
           for name in trace.names if not wanted(name)}
    check(not odd, run, f"instrumented all the same: {sorted(odd)[:5]}")
    check_calls(run, profile, main, wanted=wanted)


@pytest.mark.any_jvm
@pytest.mark.parametrize("include, exclude", [
    (["TimesCalls"], []),
    (["TimesCalls.*"], []),
    (["TimesCalls.a"], []),
    (["TimesCalls.a", "TimesCalls.main", "TimesCalls.deep*0"], []),
    (["*Calls.*e*"], ["TimesCalls.main", "*.odd"]),
    ([], ["java.*", "jdk.*", "sun.*", "TimesTruth"]),
    (["no.such.Class"], []),
])
def test_only_methods_that_the_filter_wants_are_counted(run_java, include, exclude):
    run_filtered(run_java, "TimesCalls", include, exclude, N)


HANDLERS = ["near", "far", "finallyOuter", "rethrowOuter", "lock", "vm", "broken", "main"]


CATCHERS = [f"TimesThrows.{name}" for name in HANDLERS]


@pytest.mark.parametrize("msa, exclude", [
    ("n", ["TimesThrows.third"]),
    ("n", ["TimesThrows.far1", "TimesThrows.far3", "TimesThrows.*Middle"]),
    pytest.param("n", CATCHERS, marks=pytest.mark.thorough), ("y", CATCHERS),
    ("n", ["TimesThrows.constructors"]),
    pytest.param("y", ["TimesThrows.constructors"], marks=pytest.mark.thorough),
    ("n", ["TimesThrows$*"]),
])
def test_exceptions_into_and_out_of_methods_left_out_keep_the_calls(run_java, exclude, msa):
    run_filtered(run_java, "TimesThrows", ["TimesThrows*"], exclude, N,
                 options=f",depth=6,msa={msa}")


@pytest.mark.any_jvm
def test_time_of_a_method_left_out_is_its_caller_s(run_java):
    run = run_java("TimesShares", "cpu=times,cutoff=0,include=TimesShares,"
                   "exclude=TimesShares.middle", 1000)
    (section,) = run.profile().titled("CPU TIME")
    between_ns = run.truth["total.cpu_ns"] - sum(
        run.truth[f"{name}.cpu_ns"] for name in ("outer", "middle", "inner"))
    for name, ns in (("outer", run.truth["outer.cpu_ns"] + run.truth["middle.cpu_ns"]),
                     ("inner", run.truth["inner.cpu_ns"])):  # fifty times by turns
        check_between(run, name, section, lambda row, at=name: row.names[:1] == [f"TimesShares.{at}"],
                      ns, ns + between_ns, moved_ms(step_ms(run), 50))


# ---- cpu=samples --------------------------------------------------------


@pytest.mark.any_jvm
@pytest.mark.parametrize("engine, depth", [
    ("async", 4), ("clock", 1), pytest.param("async", 1, marks=pytest.mark.thorough),
    pytest.param("clock", 4, marks=pytest.mark.thorough)])
def test_samples_start_with_the_first_frame_that_the_filter_wants(run_java, engine, depth):
    run = run_java("Methods", f"cpu=samples,cutoff=0,engine={engine},depth={depth},"
                   "include=Methods.*,exclude=Methods.loop,exclude=Methods.little", 1000)
    profile = run.profile()
    firsts = {}
    for row in profile.rows:
        if not row.trace.stackless:
            firsts[row.names[0]] = firsts.get(row.names[0], 0) + row.count
    # The thread's lambda is little's caller, and as much of the program as it is.
    check(set(firsts) <= {"Methods.most", "Methods.some", "Methods.lambda$main$0",
                          "Methods.main", "Methods.<clinit>"}, run, f"first frames: {firsts}")
    if engine == "clock":
        return  # On a busy machine its samples come in lumps.
    for name, method in (("most", "most"), ("some", "some"), ("little", "lambda$main$0")):
        check_cpu(run, name, firsts.get(f"Methods.{method}", 0), run.truth[f"{name}.cpu_ns"],
                  percent=8)


@pytest.mark.thorough
def test_samples_without_a_frame_that_the_filter_wants_stay_in_the_total(run_java):
    run = run_java("Methods", "cpu=samples,cutoff=0,include=no.such.Class", 500)
    profile = run.profile()
    check(samples_without_stack(profile) == profile.total, run,
          f"{samples_without_stack(profile)} of {profile.total} without a stack")
    check_time(profile.total >= run.truth["worker.cpu_ns"] // run.interval_ns - 1, run,
               f"a total of {profile.total}")


# ---- refusals -----------------------------------------------------------


@pytest.mark.any_jvm
@pytest.mark.parametrize("option", ["include", "exclude"])
@pytest.mark.parametrize("pattern", ["", "com/foo;bar", "a b", "x" * 300, None])
def test_a_pattern_that_can_match_nothing_is_refused(run_java, option, pattern):
    text = option if pattern is None else f"{option}={pattern}"
    run = run_java("Hello", f"cpu=times,{text}", exit_code=None)
    check_refused(run, [option])


@pytest.mark.any_jvm
def test_too_many_patterns_are_refused(run_java):
    run = run_java("Hello", "cpu=times" + 65 * ",include=a.b", exit_code=None)
    check_refused(run, ["include", "64"])


@pytest.mark.any_jvm
@pytest.mark.parametrize("format_", ["a", pytest.param("b", marks=pytest.mark.thorough)])
def test_samples_without_a_frame_are_at_a_trace_of_each_thread_that_says_why(run_java, format_):
    run = run_java("Methods", "cpu=samples,cutoff=0,thread=y,interval=1,include=no.such.Class,"
                   f"format={format_}", 500)
    profile = run.profile()
    names = {tuple(row.names) for row in profile.rows}
    reason = "<no_stack>.left_out_by_include_or_exclude"
    check((reason,) in names and all(name.startswith("<no_stack>.") for (name,) in names), run,
          f"traces are {sorted(names)}")
    threads = [row.trace.thread for row in profile.rows if row.names == [reason]]
    check(len(set(threads)) == len(threads) > 1 and all(threads), run, f"threads are {threads}")
    if format_ == "a":
        (section,) = profile.sections
        # Others are about the timers, which a busy machine can slow down.
        notes = [note for note in section.notes if "no Java stack" in note]
        check(len(notes) == 1 and notes[0].startswith(
            f"{section.total} of {section.total} samples have no Java stack"), run,
            f"notes are {section.notes}")


@pytest.mark.any_jvm
def test_depth_0_counts_samples_by_thread(run_java):
    run = run_java("Methods", "cpu=samples,cutoff=0,thread=y,depth=0", 500)
    profile = run.profile()
    rows = [row for row in profile.rows if row.names == ["<no_stack>.depth_is_0"]]
    worker = max(row.count for row in rows)
    check_cpu(run, "the worker", worker, run.truth["worker.cpu_ns"], percent=8)
    check(len({row.trace.thread for row in rows}) == len(rows) > 1, run, "threads share a row")
