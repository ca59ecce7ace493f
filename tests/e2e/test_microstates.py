"""msa=y: THREAD MICROSTATES, compared with threads that measure their own states."""

import signal
import subprocess
import sys

import pytest

from support import processes
from support.builds import PLATFORM
from support.checks import check, check_time

TICK_MS = 10
MODES = pytest.mark.parametrize("cpu", ["samples", "times"])


def life_of(run, profile, name, section=-1):
    """The row of a thread by its name."""
    rows = [life for life in profile.lives[section] if life.thread.name == name]
    check(len(rows) == 1, run, f"{len(rows)} rows of {name!r}")
    return rows[0]


def check_life(run, life, name, judge=check_time):
    """usr and sys are the CPU time that the thread measured at its end, and its
    life is no shorter than what it saw of it."""
    cpu_ms = run.truth[f"{name}.cpu_ns"] / 1e6
    shown_ms = life.known("usr", "sys")
    judge(abs(shown_ms - cpu_ms) <= max(TICK_MS, cpu_ms / 100), run,
          f"{name}: usr + sys is {shown_ms:.3f} ms, the thread measured {cpu_ms:.3f}")
    wall_ms = run.truth[f"{name}.wall_ns"] / 1e6
    judge(life.ms["life"] >= wall_ms - TICK_MS, run,
          f"{name}: life of {life.ms['life']:.3f} ms, the thread saw {wall_ms:.3f}")


@pytest.mark.emulated_more
@pytest.mark.ports
@MODES
def test_each_thread_has_a_row_whose_states_sum_to_its_life(run_java, cpu):
    """The parser holds the sums of all rows."""
    run = run_java("Lives", f"cpu={cpu},msa=y", "mixed", 1000)
    profile = run.profile()
    check(len(profile.lives) == 1, run, f"{len(profile.lives)} sections, should be one")
    rows = {life.thread.id for life in profile.lives[0]}
    check(rows == set(profile.threads), run,
          f"threads without a row: {set(profile.threads) - rows}")
    check_life(run, life_of(run, profile, "mixed"), "mixed")


@pytest.mark.alone
@pytest.mark.skipif(PLATFORM == "solaris", reason="LCK is the kernel's there, and more than this")
@MODES
def test_waits_for_a_monitor_are_lck(run_java, cpu):
    run = run_java("Lives", f"cpu={cpu},msa=y", "locks", 400)
    profile = run.profile()
    waiter = life_of(run, profile, "waiter")
    least_ms, most_ms = (run.truth[f"waiter.{end}_ns"] / 1e6 for end in ("least", "most"))
    check(least_ms - 1 <= waiter.ms["lck"] <= most_ms + 1, run,
          f"lck is {waiter.ms['lck']:.3f} ms, the thread waited {least_ms:.3f} to {most_ms:.3f}")
    holder = life_of(run, profile, "holder")
    # A sleep is no shorter than asked for; what else a life has is not slept. The end of a wait
    # for a monitor, in which the thread waits for a CPU, is a part of both lck and lat, and slp
    # is what they leave.
    for name, life in (("waiter", waiter), ("holder", holder)):
        slept_ms, used_ms = (run.truth[f"{name}.{what}_ns"] / 1e6 for what in ("slept", "cpu"))
        most_slept_ms = life.ms["life"] - (least_ms if name == "waiter" else 0) - used_ms
        check(slept_ms - life.ms["lat"] - TICK_MS <= life.ms["slp"] <= most_slept_ms + 2 * TICK_MS, run,
              f"slp of {name} is {life.ms['slp']:.3f} ms, it slept {slept_ms:.0f} ms and more, "
              f"at most {most_slept_ms:.0f}")
    # The JVM's own monitors apart, for which it may wait, too, in what it does not see of its life.
    unseen_ms = holder.ms["life"] + TICK_MS / 2 - run.truth["holder.wall_ns"] / 1e6
    check(holder.ms["lck"] <= unseen_ms or run.truth["holder.blocked"] > 0, run,
          f"the holder waited as well: {holder.ms['lck']} ms")
    for name, life in (("waiter", waiter), ("holder", holder)):
        check_life(run, life, name)


@pytest.mark.ports
@pytest.mark.alone
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="binds to CPUs")
@MODES
def test_four_busy_threads_on_two_processors_show_lat(java, cpu):
    run = java.run("Lives", f"cpu={cpu},msa=y", "busy", 1500, 4, preexec=processes.bind_to_two)
    profile = run.profile()
    lives = [life_of(run, profile, f"busy-{i}") for i in range(4)]
    for i, life in enumerate(lives):
        check_life(run, life, f"busy-{i}")
        # By the kernel's account, which the thread has read near its end.
        queued_ms, wall_ms = (run.truth[f"busy-{i}.{what}_ns"] / 1e6 for what in ("queued", "wall"))
        most_ms = queued_ms + life.ms["life"] + TICK_MS / 2 - wall_ms
        # After a wait for a monitor, the wait for a CPU may count as lck, too.
        least_ms = queued_ms - life.ms["lck"]
        check(queued_ms > 0 and least_ms <= life.ms["lat"] + 0.001 and life.ms["lat"] <= most_ms, run,
              f"lat is {life.ms['lat']:.3f} ms, should be {least_ms:.3f} to {most_ms:.3f}, of which "
              f"lck may have {life.ms['lck']:.3f}")
        check(life.switches["icx"] > 0, run, "a busy thread never lost its CPU")


@pytest.mark.ports
def test_sleep_is_slp(run_java):
    run = run_java("Lives", "cpu=samples,msa=y", "sleep", 1500)
    profile = run.profile()
    life = life_of(run, profile, "sleeper")
    check(1500 - TICK_MS <= life.ms["slp"] <= life.ms["life"], run, f"slp is {life.ms['slp']}")
    check(life.switches["vcx"] > 0, run, "it never gave up its CPU")
    check_life(run, life, "sleeper")


@pytest.mark.ports
@pytest.mark.skipif(PLATFORM != "solaris", reason="what Solaris reports")
def test_solaris_tells_every_state(run_java):
    run = run_java("Lives", "cpu=samples,msa=y", "sleep", 10)
    for life in run.profile().lives[0]:
        lacking = [name for name, ms in life.ms.items() if ms is None]
        check(not lacking, run, f"{lacking} of {life.thread.name} are not reported")


@pytest.mark.any_jvm
@pytest.mark.skipif(not PLATFORM.startswith("linux"), reason="what Linux reports")
def test_what_the_system_does_not_tell_is_a_dash(run_java):
    run = run_java("Lives", "cpu=samples,msa=y", "sleep", 10)
    for life in run.profile().lives[0]:
        reported = [name for name in ("trp", "tfl", "dfl") if life.ms[name] is not None]
        check(not reported, run, f"{reported} are unknown on this system")


def test_ended_threads_are_in_the_next_section_alone(java):
    live = java.start("Lives", "cpu=samples,msa=y", "sleep", 100, 1, "stays",
                      stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    live.signal(signal.SIGQUIT)
    live.wait_stderr("hprof: Dumping .*done")
    live.send_line("end")
    run = live.finish()
    profile = run.profile()
    check(len(profile.lives) == 2, run, f"{len(profile.lives)} sections, should be 2")
    named = [[life.thread.name for life in section] for section in profile.lives]
    check("sleeper" in named[0] and "sleeper" not in named[1], run, f"threads {named}")
    check("main" in named[0] and "main" in named[1], run, f"threads {named}")
    first, second = (life_of(run, profile, "main", at) for at in (0, 1))
    check(first.ms["life"] < second.ms["life"], run, "lives begin with their threads")


@MODES
def test_what_main_did_is_not_of_the_thread_that_waits_for_the_others(run_java, cpu):
    """Both are the same thread of the system."""
    run = run_java("Lives", f"cpu={cpu},msa=y", "sleep", 1000, 1, "leaves")
    profile = run.profile()
    main, waits = (life_of(run, profile, name) for name in ("main", "DestroyJavaVM"))
    main_ms = run.truth["main.cpu_ns"] / 1e6
    check(main.known("usr", "sys") >= main_ms - TICK_MS > waits.known("usr", "sys"), run,
          f"main has {main.ms}, measured {main_ms:.0f} ms of CPU time; after it there is {waits.ms}")
    lives_ms = main.ms["life"] + waits.ms["life"]
    check(waits.ms["slp"] > 0 and lives_ms <= run.wall_s * 1000 + TICK_MS, run,
          f"lives of {lives_ms:.0f} ms, the JVM's was {run.wall_s * 1000:.0f}")


@pytest.mark.any_jvm
def test_without_msa_there_is_no_section(run_java):
    run = run_java("Lives", "cpu=samples", "sleep", 10)
    check(not run.profile().lives, run, "a section that nobody asked for")


@pytest.mark.any_jvm
def test_binary_has_no_section_and_the_agent_says_so(run_java):
    run = run_java("Lives", "cpu=samples,msa=y,format=b", "sleep", 10)
    check(any("THREAD MICROSTATES" in line for line in run.agent_lines), run, "not said")
    run = run_java("Lives", "cpu=samples,msa=y,format=b,verbose=n", "sleep", 10)
    check(not run.agent_lines, run, "said with verbose=n")
