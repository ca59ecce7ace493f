"""Profiles where the system refuses what the agent would like to use: performance events, timers,
new system calls, as a container does, and more queued signals than a user may have. Calls and
objects are exact all the same, samples and times are right, and a NOTE says what is less precise."""

import errno

import pytest

from readers.hprof_binary import parse as parse_binary
from support.checks import check, check_cpu, check_same_output, samples, without_agent_lines
from support.refusals import CALLS, refuse
from support.times_checks import check_calls

pytestmark = pytest.mark.any_jvm
thorough = pytest.mark.thorough

TIMERS = ("perf_event_open", "timer_create")
REFUSED = "the system refuses it"
BY_CLOCK = "reading every thread's CPU clock"


def refusals(*others):
    """Each call alone and all together with EPERM; all with other errors."""
    cases = [((call,), errno.EPERM) for call in CALLS] + [(CALLS, errno.EPERM)]
    cases += [((call,), error) for call in CALLS for error in (errno.ENOSYS, errno.EAGAIN)]
    cases += [(CALLS, error) for error in (errno.ENOSYS, errno.EAGAIN)]
    quick = [(CALLS, errno.EPERM), *others]
    return pytest.mark.parametrize("calls, error", [
        pytest.param(calls, error, id=f"{'-'.join(calls)}-{errno.errorcode[error]}",
                     marks=() if (calls, error) in quick else thorough)
        for calls, error in cases])


@refusals((("perf_event_open",), errno.ENOSYS), (("timer_create",), errno.EPERM))
def test_samples_are_right(run_java, calls, error):
    run = run_java("Burn", "cpu=samples,cutoff=0", 500, preexec=refuse(calls, error))
    profile = run.profile()
    check_cpu(run, "work", samples(profile, "Burn.work"), run.truth["work.cpu_ns"])
    by_clock = any(BY_CLOCK in note for note in run.notes)
    check(by_clock == (set(TIMERS) <= set(calls)), run, "the NOTE has another engine")


@refusals()
@pytest.mark.parametrize("mode", ["times", pytest.param("times,msa=y", marks=thorough)])
def test_calls_are_exact(run_java, calls, error, mode):
    run = run_java("TimesCalls", f"cpu={mode},cutoff=0,depth=8", 2000,
                   preexec=refuse(calls, error))
    check_calls(run, run.profile(), "TimesCalls")


@pytest.mark.parametrize("options", ["cpu=old", "heap=sites", "heap=dump,format=b", "monitor=y",
                                     "cpu=samples,msa=y", "cpu=samples,vthreads=y,thread=y"])
@thorough
def test_every_mode_leaves_the_program_as_it_is(run_java, options):
    def burn(options, **how):
        return run_java("Burn", options, 100, 3, exit_code=3, **how)

    run = burn(options, preexec=refuse(CALLS))
    if "format=b" in options:
        parse_binary(run.output.read_bytes())
    elif options != "cpu=old":
        check(run.profile().sections or not options.startswith("cpu"), run, "no section")
    plain = burn(None)
    for one in (run, plain):
        one.stdout = "\n".join(line.split("=")[0] for line in one.stdout.splitlines())
    check_same_output(without_agent_lines(run), plain)


def many(run_java, options):
    """40 threads of 100 ms of CPU time, most of which the system refuses a timer."""
    run = run_java("ManyThreads", options, 40, 40, 0, 100_000,
                   preexec=refuse(["perf_event_open"], queued_signals=12))
    check(run.truth["ended"] == 40, run, "the threads did not come to their end")
    profile = run.profile()
    by_clock = any(BY_CLOCK in note for note in run.notes)
    notes = [note for note in profile.sections[-1].notes if REFUSED in note]
    lines = [line for line in run.agent_lines if REFUSED in line]
    # The user's other processes count: what they have queued may leave no timer at all.
    check(by_clock or len(lines) == len(notes) == 1, run, "it should be reported once")
    return run


def test_threads_without_a_timer_are_sampled_by_their_clocks(run_java):
    run = many(run_java, "cpu=samples,cutoff=0,depth=8")
    profile = run.profile()
    count = samples(profile, "ManyThreads.body")
    ended_early = sum(row.count for row in profile.rows
                      if row.names[:1] in (["<no_stack>.thread_ended_early"],
                                               ["<no_stack>.thread_ending"]))
    # What each has used since its last sample has no stack: less than the two intervals for which a
    # thread that is not running is not sampled, and one that is not over.
    check(ended_early <= 3 * 40, run, f"{ended_early} samples are of threads that ended early")
    check_cpu(run, "bodies", count + ended_early, run.truth["workers.cpu_ns"], percent=10)


def test_calls_of_threads_without_a_timer_are_exact(run_java):
    run = many(run_java, "cpu=times,cutoff=0,depth=1")
    section = run.profile().titled("CPU TIME")[-1]
    rows = {row.names[0]: row for row in section.rows if row.names}
    bodies = rows["ManyThreads.body"].count
    check(bodies == 2 * 40, run, f"{bodies} calls of body, should be {2 * 40}")
    spins_ms = rows["ManyThreads.spin"].self_percent * section.total / 100
    check(spins_ms > 0, run, "spin has no time")
