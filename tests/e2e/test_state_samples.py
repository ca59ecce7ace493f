"""cpu=samples,msa=y: TRACE MICROSTATES by sampling, compared with programs that know how long they
were in each state."""

import math

import pytest

from support.builds import PLATFORM, VIRTUAL_THREADS
from support.checks import check, check_time
from support.times_checks import DEVIATIONS
from test_trace_states import (ACCOUNTS, STATE_OF, check_sums_over_dumps, place_of, rounded,
                               true_states)

OPTIONS = "cpu=samples,msa=y,cutoff=0,depth=32"
LINUX = pytest.mark.skipif(not PLATFORM.startswith("linux"), reason="reads accounts of Linux")
SAMPLER = "hprof state"
INTERVAL_MS = 10


# Of a loop that C2 has compiled together with the start of a thread, the debugging information of JDK 25
# names the constructor of Thread, so that samples of the loop would seem to be before its time begins.
NOT_INLINED = ("-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,TimesStates.start")


def section_of(run):
    [section] = run.profile().states
    check(section.sampled, run, "the section is called exact")
    return section


@ACCOUNTS
@pytest.mark.alone
def test_each_method_has_its_time_in_its_state(run_java):
    """In each of 28 halves, a method is in its state for 100 ms. What it was since its last look counts
    elsewhere, and what was before the first look counts for it: both are anywhere between two looks. These
    are as far apart as there are looks, on average, and around such a moment the more, the later the
    sampler runs; for usr, an interval. Of waits for a CPU and of pauses there is nothing before: the next
    CPU sample has them, and a later look."""
    run = run_java("TimesStates", OPTIONS, 200, "pace", timeout_s=120, java_opts=NOT_INLINED)
    section, wrong = section_of(run), []
    late = run.truth["pace_ns"] / 1e6 / INTERVAL_MS
    for method, state in STATE_OF.items():
        true = {}
        for caller in (*STATE_OF, "none"):
            for name, ms in true_states(run.truth, method, caller)[0].items():
                true[name] = true.get(name, 0) + ms
        rows = [row for row in section.rows if (place_of(row.names) or [None])[0] == method]
        apart = late * sum(true.values()) / sum(row.calls for row in rows)
        for name in {state, "usr"}:
            ms = sum(row.ms[name] for row in rows)
            spread = DEVIATIONS * math.sqrt(28 / 12) * (INTERVAL_MS if name == "usr" else apart)
            least = true[name] - (28 * apart if name in ("lat", "stw") else spread)
            if not least <= ms <= true[name] + spread:
                wrong.append(f"{name} of {method} is {ms:.0f} ms, should be {true[name]:.0f}, at least "
                             f"{least:.0f}, at most {true[name] + spread:.0f}: looks are {apart:.0f} apart")
    check(not wrong, run, "\n".join(wrong))


def shares(section):
    """Of the time of the three methods, and how many looks found each."""
    rows = {name: [row for row in section.rows if f"WaitMix.{name}" in row.names]
            for name in ("sleeping", "parking", "waiting")}
    ms = {name: sum(row.wall - row.ms["usr"] for row in found) for name, found in rows.items()}
    looks = sum(row.calls for found in rows.values() for row in found)
    return {name: part / sum(ms.values()) for name, part in ms.items()}, looks


@pytest.mark.parametrize("threads, ms", [
    (1, 6000), pytest.param(100, 4000, marks=pytest.mark.thorough)])
def test_short_waits_have_their_share_also_at_the_pace_of_the_sampler(run_java, threads, ms):
    """Looks find a wait with the probability of its share. A look counts for the time since the one
    before, which varies: that at most doubles the variance."""
    run = run_java("WaitMix", OPTIONS, threads, ms, SAMPLER, timeout_s=120)
    found, looks = shares(section_of(run))
    check(looks >= 100, run, f"{looks} looks")
    total = sum(run.truth[f"{name}_ns"] for name in found)
    for name, share in found.items():
        true = run.truth[f"{name}_ns"] / total
        slack = DEVIATIONS * (2 * true * (1 - true) / looks) ** 0.5
        check(abs(share - true) <= slack, run,
              f"{name} has {share:.3f} of the time, should be {true:.3f} ({looks} looks)")


def waited_ms(run):
    """How long all threads of WaitMix waited, as they saw it."""
    return sum(run.truth[f"{name}_ns"] for name in ("sleeping", "parking", "waiting")) / 1e6


@LINUX
def test_looks_use_a_hundredth_of_a_cpu_however_many_threads_there_are(run_java):
    """CPU time by the kernel's account; a look that is under way may exceed the budget. However rarely a
    thread was seen to wait, its rows have all of its life; usr is a whole number of intervals."""
    run = run_java("WaitMix", f"{OPTIONS},interval=1,thread=y", 300, 3000, SAMPLER, timeout_s=120)
    used, wall = run.truth["named.cpu_ns"] / 1e6, run.truth["wall_ns"] / 1e6
    check(used > 0, run, f"no thread is called {SAMPLER}")
    check(used <= 0.01 * wall + 20, run, f"{used:.1f} ms of CPU time in {wall:.0f} ms")
    turns = {thread.id for thread in run.profile().threads.values() if thread.name.startswith("turn-")}
    rows = section_of(run).sums(lambda row: row.trace.thread in turns)["wall"]
    least, most = waited_ms(run) - 300, run.truth["lived_ns"] / 1e6 + 300
    check(len(turns) == 300 and least <= rows <= most, run,
          f"rows of {len(turns)} threads sum to {rows:.0f} ms, should be {least:.0f} to {most:.0f}")


@ACCOUNTS
@pytest.mark.ports
def test_rows_of_a_thread_sum_to_its_life(run_java):
    """usr of a thread is a whole number of intervals, and the kernel knows the beginning of a life to
    half of its tick of 10 ms. A life begins before the thread does; that of the first thread begins with
    the JVM, and another thread has its number after it."""
    run = run_java("Lives", f"{OPTIONS},thread=y", "mixed", 1000, 4)
    section = section_of(run)
    slack = INTERVAL_MS + rounded(section)
    for life in run.profile().lives[0]:
        wall = section.sums(lambda row, at=life.thread.id: row.trace.thread == at)["wall"]
        least = run.truth.get(f"{life.thread.name}.wall_ns", 0) / 1e6  # of the program's own
        check(least - slack <= wall <= life.ms["life"] + 5 + slack, run, f"rows of {life.thread.name} sum "
              f"to {wall:.0f} ms, it saw {least:.0f} of its {life.ms['life']:.0f}")


@ACCOUNTS
def test_sections_of_many_dumps_add_up(java):
    """usr is a whole number of intervals."""
    check_sums_over_dumps(java, "cpu=samples,msa=y", INTERVAL_MS)


@pytest.mark.emulated_more
def test_usr_is_what_the_cpu_samples_are(run_java):
    run = run_java("TimesSleep", f"{OPTIONS},interval=1", 300, 200, "pace")
    [states], [samples] = run.profile().states, run.profile().sections
    usr = {row.trace.serial: row.ms["usr"] for row in states.rows if row.ms["usr"] > 0}
    check(usr == {row.trace.serial: row.count for row in samples.rows}, run,
          f"usr {usr} is not {samples.rows}")
    slept = states.sums(lambda row: "TimesSleep.rest" in row.names)
    # A thread that waits on is looked at once in 16 intervals, so that the end of its wait may count for
    # the next one; so may short ones that no look sees: for rest there is what compute waits for a CPU, and
    # what main waited for one before: a busy machine can keep the looks from the JVM, too.
    pace, longest = run.truth["pace_ns"] / 1e6, run.truth["pace.longest_ns"] / 1e6
    least, most, more = (run.truth[f"{what}_off_ns"] / 1e6
                         for what in ("rest.least", "rest.most", "compute.most"))
    check_time(least - 16 * pace <= slept["wall"] - slept["usr"] <= most + more + 16 * pace + longest, run,
               f"rest has {slept}, was off its CPU for {least:.1f} to {most:.1f} ms, and compute for up to "
               f"{more:.1f}; looks are {pace:.1f} apart, {longest:.1f} at most")


@pytest.mark.any_jvm
def test_filtered_stacks_begin_in_methods_that_are_included(run_java):
    run = run_java("WaitMix", f"{OPTIONS},include=WaitMix", 2, 500, SAMPLER)
    names = {row.names[0] for row in section_of(run).rows}
    check({"WaitMix.sleeping", "WaitMix.parking", "WaitMix.waiting"} <= names, run, str(names))
    check(all(name.startswith(("WaitMix.", "<no_stack>.")) for name in names), run, str(names))


def test_the_clock_engine_has_the_same_section(run_java):
    run = run_java("WaitMix", f"{OPTIONS},engine=clock", 2, 1000, SAMPLER, "pace")
    rows = section_of(run).sums(lambda row: "WaitMix.turns" in row.names)
    # What each has waited since the last look at its end is in none of them.
    slack = 2 * 2 * run.truth["pace_ns"] / 1e6
    check(abs(rows["wall"] - waited_ms(run)) <= slack, run,
          f"two threads waited {waited_ms(run):.0f} ms, their rows sum to {rows}, slack {slack:.1f}")


def test_a_virtual_thread_s_waits_are_not_its_carrier_s(jdk, run_java):
    """It is on no carrier then; what the sampler sees on carriers, it sees of virtual threads, too."""
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads before 21")
    run = run_java("VirtualStates", OPTIONS, 4, 100,
                   java_opts=["-Djdk.virtualThreadScheduler.parallelism=2"], timeout_s=120)
    section = section_of(run)
    rested = section.sums(lambda row: "VirtualStates.rest" in row.names)
    computed = section.sums(lambda row: "VirtualStates.compute" in row.names)
    check(rested["slp"] <= 0.1 * computed["usr"] and computed["usr"] > 0, run,
          f"rest has {rested}, compute {computed}")
    check(not any(name.startswith(("jdk.internal.vm.Continuation.enter", "java.util.concurrent."))
                  for row in section.rows if "VirtualStates.compute" in row.names
                  for name in row.names), run, "rows with frames of the carrier")


@pytest.mark.any_jvm
def test_binary_files_have_no_states(run_java):
    run = run_java("WaitMix", "cpu=samples,msa=y,format=b", 1, 100, SAMPLER)
    check(run.exit_code == 0 and "TRACE" not in run.stderr, run, "the JVM failed")
