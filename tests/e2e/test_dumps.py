"""When samples are written: at exit, at SIGQUIT, several times in one run, and what remains of
a run that was killed."""

import re
import signal
import time
from pathlib import Path

import pytest

from support.checks import check, check_cpu, check_time, samples, samples_lost
from support.live_run import sigquit, wait_until
from support.times_checks import thread_cpu_ns


def dump_lines(run):
    """The agent's lines after the one of the start."""
    return run.agent_lines[1:]


@pytest.mark.any_jvm
def test_doe_n_writes_no_section_at_exit(run_java):
    run = run_java("Burn", "cpu=samples,doe=n", 300)
    profile = run.profile()
    check(not profile.sections, run, f"{len(profile.sections)} sections")
    check(any("Burn.work" in [f.name for f in t.frames] for t in profile.traces.values()), run,
          "the traces themselves should be in the file")
    check(len(run.agent_lines) == 1, run, "one line at the start and none for a dump wanted")


def let_burn(live, cpu_s):
    """Waits until the program's main thread has used so much more CPU time. It has the name of the
    process: java, or that of an emulator."""
    name = Path(f"/proc/{live.process.pid}/comm").read_text(encoding="utf-8").strip()
    due_ns = thread_cpu_ns(live, name) + cpu_s * 1e9
    wait_until(lambda: thread_cpu_ns(live, name) >= due_ns, live)


def burned(run, cpu_s):
    """At least so many samples stand for that, by the rule of check_cpu(): its clock is a tick behind."""
    return (0.95 * cpu_s * 1e9 - 2 * run.interval_ns) / run.interval_ns - run.lost


def send_quits(live, count, apart_s):
    """Sends SIGQUIT count times, so much CPU time apart; returns after the agent has said
    each dump."""
    live.wait_stdout("ready=1")
    for _ in range(count):
        let_burn(live, apart_s)
        sigquit(live)


@pytest.mark.emulated
@pytest.mark.parametrize("format_", [pytest.param("a", marks=pytest.mark.asan),
                                     pytest.param("b", marks=pytest.mark.thorough)])
def test_sections_of_many_dumps_add_up_without_loss_or_double_counting(java, format_):
    live = java.start("Burn", f"cpu=samples,cutoff=0,depth=16,format={format_}", 2500)
    send_quits(live, 4, 0.35)
    run = live.finish()
    check(run.exit_code == 0, run, "exit code")
    profile = run.profile()
    check(len(profile.sections) == 5, run,
          f"{len(profile.sections)} sections, should be one for each of 4 signals and the exit")
    check(len(dump_lines(run)) == 5, run, "each dump should have a line on stderr")
    check_cpu(run, "all sections", samples(profile, "Burn.work"), run.truth["work.cpu_ns"])
    each = [sum(row.count for row in section.rows if "Burn.work" in row.names)
            for section in profile.sections]
    check(sum(each) > 0, run, "no samples of Burn.work")
    check_time(min(each[:4]) >= burned(run, 0.35), run,
               f"sections should share the samples, they have {each}")


@pytest.mark.any_jvm
def test_doe_n_still_dumps_at_sigquit(java):
    live = java.start("Burn", "cpu=samples,cutoff=0,depth=16,doe=n", 1200)
    send_quits(live, 2, 0.3)
    run = live.finish()
    profile = run.profile()
    check(len(profile.sections) == 2, run, f"{len(profile.sections)} sections, should be 2")
    check(samples(profile, "Burn.work") * run.interval_ns < run.truth["work.cpu_ns"], run,
          "two dumps before the end can't hold all of it")


def test_the_jvm_answers_sigquit_as_ever(java):
    live = java.start("Burn", "cpu=samples", 800)
    send_quits(live, 1, 0.2)
    run = live.finish()
    check("Full thread dump" in run.stdout, run, "the JVM's own thread dump is missing")


@pytest.mark.parametrize("gap_ms", [pytest.param(0, marks=pytest.mark.asan), 3,
                                    pytest.param(20, marks=pytest.mark.thorough)])
def test_sigquit_during_exit_neither_hangs_nor_spoils(java, gap_ms):
    live = java.start("Burn", "cpu=samples,cutoff=0,depth=16", 200, 7, 150)
    live.wait_stdout("ready=1")
    while live.alive():
        live.signal(signal.SIGQUIT)
        time.sleep(gap_ms / 1000 or 0.0005)
    run = live.finish()
    check(run.exit_code == 7, run, f"exit code {run.exit_code}, should be 7")
    profile = run.profile()
    check(profile.sections, run, "no section")
    # Both the program's main thread and its hook burn in the same method. A thread that the
    # VM stops again and again, for its own thread dumps, is often found where no stack can be
    # walked: such samples are counted, and may be those that Burn.work lacks.
    shown_ms = samples(profile, "Burn.work") * 10
    lost_ms = samples_lost(profile) * 10
    # Such a line may follow a part of one of the VM's.
    burned = re.findall(r"work\.cpu_ns=(\d+)$", run.stdout, re.M)
    check(len(burned) == 2, run, f"{burned} of the main thread and the hook")
    burned_ms = sum(map(int, burned)) / 1e6
    check_time(0.9 * burned_ms - 20 - lost_ms <= shown_ms <= 1.1 * burned_ms + 20, run,
               f"Burn.work has {shown_ms} ms and lacks up to {lost_ms}, should have "
               f"{burned_ms:.0f}")


def test_system_exit_writes_the_dump_and_keeps_its_code(run_java):
    run = run_java("ExitCode", "cpu=samples", exit_code=3)
    check(len(run.profile().sections) == 1, run, "one section wanted")


@pytest.mark.asan
def test_halt_writes_the_dump_and_keeps_its_code(run_java):
    run = run_java("Halt", "cpu=samples,cutoff=0,depth=16", 500, exit_code=4)
    profile = run.profile()
    check(len(profile.sections) == 1, run, f"{len(profile.sections)} sections, should be 1")
    check_cpu(run, "Burn.work", samples(profile, "Burn.work"), run.truth["work.cpu_ns"])


def test_an_uncaught_exception_writes_the_dump_and_keeps_the_jvm_s_code(run_java):
    run = run_java("Burn", "cpu=samples", "not-a-number", exit_code=1)
    check("NumberFormatException" in run.stderr, run, "the JVM's own message is missing")
    check(len(run.profile().sections) == 1, run, "one section wanted")


@pytest.mark.any_jvm
@pytest.mark.parametrize("format_", [pytest.param("a", marks=pytest.mark.asan),
                                     pytest.param("b", marks=pytest.mark.thorough)])
def test_a_killed_jvm_leaves_a_valid_file_with_the_samples_up_to_a_second_before(java, format_):
    live = java.start("Phases", f"cpu=samples,cutoff=0,depth=8,format={format_}", 400)
    live.wait_stdout("over=6")
    run = live.kill_between_writes()
    check(run.exit_code == -signal.SIGKILL, run, "the test failed to kill it")
    profile = run.profile()
    for number in range(4):  # over for 1.2 s and more
        check_cpu(run, f"phase{number}", samples(profile, f"Phases.phase{number}"),
                  run.truth[f"phase{number}.cpu_ns"])


def test_a_terminated_jvm_writes_the_dump(java):
    live = java.start("Burn", "cpu=samples,cutoff=0", 30000)
    live.wait_stdout("ready=1")
    let_burn(live, 0.7)
    live.signal(signal.SIGTERM)
    run = live.finish()
    check(run.exit_code == 128 + signal.SIGTERM, run, f"exit code {run.exit_code}")
    profile = run.profile()
    count = samples(profile, "Burn.work")
    check(len(profile.sections) == 1 and count > 0, run, "a section with samples wanted")
    check_time(count >= burned(run, 0.7), run, f"{count} samples of 0.7 s")
