"""The CPU timers of threads: what remains of them when a profile has ended, and what happens
when the program uses their signal itself."""

import os
import signal
import subprocess
import time

import pytest

from support.attach import attach
from support.builds import PLATFORM
from support.checks import check, check_cpu, samples
from support.net_peer import EOF, Peer
from support.runner import preloading
from support.times_checks import check_total, late_ms, moved_ms, step_ms

ON_LINUX = PLATFORM.startswith("linux")
OURS = signal.SIGURG if ON_LINUX else signal.SIGPROF
OTHERS = [signal.SIGSTKFLT] if hasattr(signal, "SIGSTKFLT") else []  # that the timers use then
ALL = [OURS, *OTHERS]
TAKEN = f"the program has taken the signal {OURS.name}; "
CPU_MS = 1000

pytestmark = pytest.mark.any_jvm
thorough = pytest.mark.thorough
has_default = pytest.mark.skipif(not ON_LINUX, reason="SIGPROF's default ends a process")


def perf_descriptors(pid):
    names = []
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            names.append(os.readlink(f"/proc/{pid}/fd/{number}"))
        except FileNotFoundError:
            pass  # closed meanwhile
    return names.count("anon_inode:[perf_event]")


@pytest.mark.skipif(not ON_LINUX, reason="perf timers are Linux's")
def test_idle_threads_have_no_timer_after_the_profile_has_ended(java):
    """The peer ends the profile, while most threads never run again."""
    live = java.start("Attached", None, stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    live.send_line("threads 40")
    live.wait_stdout("did threads=")
    peer = Peer()
    options = f"cpu=samples,interval=1,format=b,net=127.0.0.1:{peer.port}"
    assert attach(live, options) == 0
    live.send_line("calls 1000")
    live.wait_stdout("did calls=")
    before = perf_descriptors(live.process.pid)
    peer.send(EOF)
    live.wait_stderr(".*profiling has ended")
    end = time.monotonic() + 60
    while (left := perf_descriptors(live.process.pid)) and time.monotonic() < end:
        time.sleep(0.05)
    live.send_line("threads 5")  # these get none
    live.send_line("end")
    run = live.finish()
    check(run.exit_code == 0, run, f"exit code {run.exit_code}")
    if before == 0:
        pytest.skip("perf is not permitted to this user")
    check(left == 0, run, f"{left} of {before} perf timers are left")


def take(run_java, native_library, options, numbers, how, *cpu_ms, **more):
    run = run_java("SignalTaken", options, native_library("signal_taken"),
                   ",".join(str(int(number)) for number in numbers), how,
                   *(cpu_ms or [CPU_MS]), **more)
    check(run.truth.get("ended") == 1, run, "the program did not come to its end")
    return run


def lines_about_it(run):
    return [line for line in run.agent_lines if TAKEN in line]


def has_other(taken):
    """Whether the agent's timers go on by another signal."""
    return bool(OTHERS) and OTHERS[0] not in taken


def check_both(run, profile):
    for name in ("before", "after"):
        check_cpu(run, name, samples(profile, f"SignalTaken.{name}"),
                  run.truth[f"{name}.cpu_ns"])


@pytest.mark.parametrize("engine, how, signals", [
    ("samples", "keep", ALL), ("old", "keep", ALL), ("samples", "keep", [OURS]),
    pytest.param("samples", "setDefault", [OURS], marks=has_default),
    pytest.param("samples", "ignore", [OURS], marks=thorough),
    pytest.param("old", "ignore", [OURS], marks=thorough),
    pytest.param("old", "setDefault", [OURS], marks=[thorough, has_default])])
def test_samples_go_on_when_the_program_takes_signals(
        run_java, native_library, engine, how, signals):
    """By another signal that is free, else by the threads' CPU clocks."""
    run = take(run_java, native_library, f"cpu={engine},cutoff=0,depth=8", signals, how)
    check(len(lines_about_it(run)) == 1, run, "it should be reported once")
    if engine == "old":
        return
    profile = run.profile()
    goes_on = OTHERS[0].name if has_other(signals) else "agent thread"
    check([note for note in profile.sections[-1].notes if TAKEN in note and goes_on in note],
          run, "no NOTE")
    check_both(run, profile)


@pytest.mark.parametrize("mode, how", [
    ("samples", "keep"), ("times", "ignore"),
    pytest.param("samples", "ignore", marks=thorough),
    pytest.param("times", "keep", marks=thorough)])
def test_a_signal_taken_just_before_the_end_is_reported(run_java, native_library, mode, how):
    run = take(run_java, native_library, f"cpu={mode},cutoff=0,depth=8", [OURS], how, 200, 1)
    check(len(lines_about_it(run)) == 1, run, "it should be reported once")
    notes = [note for section in run.profile().sections for note in section.notes]
    check([note for note in notes if TAKEN in note], run, "no NOTE")


@pytest.mark.skipif(not OTHERS, reason="there is no other signal")
def test_a_signal_that_the_program_has_before_the_agent_stays_its_own(run_java, native_library):
    library = native_library("signal_taken")
    run = take(run_java, native_library, "cpu=samples,cutoff=0,depth=8", [OURS], "nothing",
               env={"SIGNAL_TAKEN_AT_START": str(int(OURS)), **preloading(library)})
    check(not lines_about_it(run), run, "nothing should be reported")
    check(run.truth["received"] == 0, run, "the program's handler got signals of the agent")
    check_both(run, run.profile())


def test_samples_go_on_when_the_programs_handler_calls_ours(run_java, native_library):
    run = take(run_java, native_library, "cpu=samples,cutoff=0,depth=8", [OURS], "handOn")
    check(not lines_about_it(run), run, "it should not be reported")
    check_both(run, run.profile())


@pytest.mark.parametrize("how, signals", [
    ("keep", ALL), pytest.param("ignore", [OURS], marks=thorough),
    pytest.param("setDefault", [OURS], marks=[thorough, has_default])])
def test_call_times_are_charged_otherwise_when_the_program_takes_signals(
        run_java, native_library, how, signals):
    run = take(run_java, native_library, "cpu=times,cutoff=0,depth=8", signals, how)
    check(len(lines_about_it(run)) == 1, run, "it should be reported once")
    section = run.profile().titled("CPU TIME")[-1]
    check([note for note in section.notes if TAKEN in note], run, "no NOTE")
    by_timer = moved_ms(step_ms(run), 1)
    after = by_timer if has_other(signals) else late_ms(run, 1)
    for name, slack in (("before", by_timer), ("after", after)):
        check_total(run, section, f"SignalTaken.{name}",
                    *(run.truth[f"{name}.{end}_ns"] for end in ("cpu", "most")), slack)


@pytest.mark.skipif(not ON_LINUX, reason="the agent's timers use SIGPROF there")
@pytest.mark.parametrize("mode", ["samples", pytest.param("times", marks=thorough)])
def test_sigprof_is_the_programs(run_java, native_library, mode):
    """A profiler in the program has a timer of its own on CPU time."""
    run = take(run_java, native_library, f"cpu={mode},cutoff=0,depth=8", [signal.SIGPROF],
               "timer")
    check(not lines_about_it(run), run, "nothing should be reported")
    received = run.truth["received"]
    due = run.truth["after.cpu_ns"] // 10_000_000  # the last one perhaps at the next tick
    check(received >= due - 1, run, f"the program's handler saw {received} expirations of {due}")
    if mode == "samples":
        check_both(run, run.profile())
