"""cpu=times,vthreads=y: virtual threads have their own calls and states, also while they are on no
carrier (VirtualStates.java)."""

import subprocess
import time

import pytest

from support.builds import PLATFORM, VIRTUAL_THREADS
from support.checks import check, check_time
from support.live_run import sigquit
from support.times_checks import BOTH_WAYS, moved_ms, step_ms

OPTIONS = "cpu=times,msa=y,cutoff=0.000002,depth=200"
WORKERS = 4
MS = 100
CARRIERS = ["-Djdk.virtualThreadScheduler.parallelism=2"]
ACCOUNTS = pytest.mark.skipif(not PLATFORM.startswith(("linux", "solaris")),
                              reason="waits for a CPU are not accounted there")


@pytest.fixture(autouse=True)
def virtual_threads(jdk):
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads before 21")


def run_states(run_java, options):
    return run_java("VirtualStates", f"{OPTIONS},{options}", WORKERS, MS, java_opts=CARRIERS,
                    timeout_s=120)


def threads_named(run, profile, name):
    found = [thread for thread in profile.threads.values() if thread.name == name]
    check(len(found) == 1, run, f"{len(found)} threads are called {name}")
    return found[0]


def calls_of(row):
    return [name.removeprefix("VirtualStates.") for name in row.names
            if name.startswith("VirtualStates.")]


def sums_of(section, method, thread=None):
    """Of the rows with the method and, unless it is None, of the thread. The first thread loads
    classes, in many rows below the cutoff."""
    def is_chosen(row):
        calls = calls_of(row)
        return method in calls and "warm" not in calls and \
            (thread is None or row.trace.thread == thread.id)

    return section.sums(is_chosen)


def check_worker(run, section, name, thread=None):
    """What is wrong with the states of the threads whose names begin like that: of one thread, or of
    all. Time may be missing in rows below the cutoff: no more than 2 % or 5 ms. The rows are rounded.
    Each computes before it waits, and after it."""
    def ms(what):
        return sum(value for key, value in run.truth.items()
                   if key.startswith(name) and key.endswith(f".{what}_ns")) / 1e6

    moved = moved_ms(step_ms(run), 2 * (1 if thread else WORKERS))
    wrong = []
    for what, states in (("compute", "usr+lat+stw"), ("rest", "slp+usr+lat+stw"),
                         ("locked", "lck+slp+usr+lat+stw"), ("read", "i/o+usr+lat+stw")):
        sums = sums_of(section, what, thread)
        least, most = ms(f"{what}.least"), ms(f"{what}.most")
        spans = [(states, least, most), ("wall", least, most)]
        if what == "locked":  # it may have computed, or waited for a CPU, before it had to wait
            waited = ms("waited")
            spans.append(("lck", waited - sums["usr"] - sums["lat"] - sums["stw"], waited))
        for states, least, most in spans:
            got = sum(sums[state] for state in states.split("+"))
            if not least - max(0.02 * least, 5) - moved <= got <= most + 0.01 + moved:
                wrong.append(f"{states} of {what} of {name} is {got:.3f} ms, should be {least:.3f} to "
                             f"{most:.3f}, by up to {moved:.3f} off: {sums}")
    return wrong


@ACCOUNTS
@pytest.mark.alone
@BOTH_WAYS
def test_each_virtual_thread_has_its_states(run_java, clocks):
    run = run_states(run_java, f"thread=y,vthreads=y{clocks}")
    profile = run.profile()
    [section] = profile.states
    wrong = []
    for number in range(WORKERS):
        name = f"worker-{number}"
        wrong += check_worker(run, section, name, threads_named(run, profile, name))
    check(not wrong, run, "\n".join(wrong))


@ACCOUNTS
@pytest.mark.alone
def test_rows_of_a_virtual_thread_sum_to_its_life(run_java):
    run = run_states(run_java, "thread=y,vthreads=y")
    profile, truth = run.profile(), run.truth
    [section] = profile.states
    for name in [f"worker-{number}" for number in range(WORKERS)] + ["parked"]:
        thread = threads_named(run, profile, name)
        rows = section.sums(lambda row, at=thread.id: row.trace.thread == at)["wall"]
        life = truth[f"{name}.life_ns"] / 1e6
        # The parked thread is there until the last dump.
        most = truth[f"{name}.there_ns"] / 1e6 if name != "parked" else 1e6
        check(0.99 * life - 5 <= rows <= most + 5, run,
              f"rows of {name} sum to {rows:.1f} ms, it lived {life:.1f} of {most:.1f} ms")


@ACCOUNTS
@pytest.mark.alone
@BOTH_WAYS
def test_without_threads_in_traces_parked_time_is_in_the_trace(run_java, clocks):
    run = run_states(run_java, f"vthreads=y{clocks}")
    [section] = run.profile().states
    wrong = check_worker(run, section, "worker-")
    check(not wrong, run, "\n".join(wrong))


def test_by_default_parked_time_is_in_no_trace_of_the_virtual_thread(run_java):
    run = run_states(run_java, "thread=y")
    profile = run.profile()
    [section] = profile.states
    check(not [t for t in profile.threads.values() if t.name.startswith("worker-")], run,
          "virtual threads have records")
    resting = sums_of(section, "rest")
    check(resting["wall"] < 0.5 * WORKERS * MS, run, f"rest has {resting}")


def test_carriers_have_no_calls_of_virtual_threads(run_java):
    run = run_states(run_java, "thread=y,vthreads=y")
    profile = run.profile()
    [section] = profile.states
    names = {thread.id: thread.name for thread in profile.threads.values()}
    seen = set()
    for row in section.rows:
        name = names[row.trace.thread]
        seen.add(name.rstrip("0123456789"))
        if name.startswith("ForkJoinPool-1-worker"):
            check(not calls_of(row), run, f"{name} has {row.names}")
        elif name.startswith("worker-"):
            check(row.names[-1].startswith("java.lang.VirtualThread"), run,
                  f"{name} has its carrier's {row.names}")
    check(seen >= {"ForkJoinPool-1-worker-", "worker-"}, run, f"only {seen}")


@pytest.mark.asan
def test_calls_are_exact_by_virtual_thread(run_java):
    run = run_java("VirtualStates",
                   "cpu=times,msa=y,cutoff=0,include=VirtualStates,thread=y,vthreads=y",
                   WORKERS, MS, java_opts=CARRIERS, timeout_s=120)
    profile = run.profile()
    [section] = profile.titled("CPU TIME")
    for number in range(WORKERS):
        thread = threads_named(run, profile, f"worker-{number}")
        for method in ("compute", "rest", "locked", "read"):
            calls = sum(row.count for row in section.rows if row.trace.thread == thread.id and
                        row.names[:1] == [f"VirtualStates.{method}"])
            check(calls == 1, run, f"{thread.name} has {calls} calls of {method}")


@ACCOUNTS
@pytest.mark.asan
def test_sections_of_many_dumps_add_up(java):
    """What a section has of a thread that is parked, the next ones leave out."""
    live = java.start("VirtualStates", f"{OPTIONS},thread=y,vthreads=y", WORKERS, MS, "stays",
                      stdin=subprocess.PIPE, java_opts=CARRIERS)
    live.wait_stdout("ready=1")
    for _ in range(3):
        sigquit(live)
    live.send_line("end")
    run = live.finish()
    end_ms = 1000 * time.monotonic() - run.truth["end.at_ns"] / 1e6  # of the same clock
    profile = run.profile()
    check(len(profile.states) == 4, run, f"{len(profile.states)} sections, should be 4")
    thread = threads_named(run, profile, "parked")
    rows = sum(section.sums(lambda row: row.trace.thread == thread.id)["wall"]
               for section in profile.states)
    life, there = (run.truth[f"parked.{what}_ns"] / 1e6 for what in ("life", "there"))
    check_time(0.99 * life - 5 <= rows <= there + end_ms, run,
               f"rows sum to {rows:.0f} ms, it lived {life:.0f} of {there:.0f} ms, and for up to "
               f"{end_ms:.0f} more")


def test_a_program_without_virtual_threads_is_unaffected(run_java):
    run = run_java("TimesSleep", "cpu=times,msa=y,vthreads=y", 10, 10)
    check(run.profile().states, run, "no section")
