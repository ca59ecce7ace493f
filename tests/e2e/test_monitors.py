"""monitor=y: MONITOR TIME, WAIT and WAITED, and MONITOR DUMP, compared with programs that know
which thread waits for which monitor, and for how long."""

import math
import signal
import subprocess
import time

import pytest

from support.builds import VIRTUAL_THREADS
from support.checks import check, check_same_output, check_time
from support.live_run import wait_until

NAMES = ("Slow", "Medium", "Quick")


def only(run, items, what):
    check(len(items) == 1, run, f"{len(items)} {what}, should be one")
    return items[0]


def rows_of(profile, signature):
    """Rows of a class of monitors, as (section, row)."""
    return [(section, row) for section in profile.monitor_times for row in section.rows
            if row.monitor == signature]


def check_count(run, profile, signature, name):
    """Waits as counted by the program."""
    rows = rows_of(profile, signature)
    count = sum(row.count for _, row in rows)
    check(count == run.truth[f"{name}.count"], run,
          f"{name}: {count} waits, there were {run.truth[f'{name}.count']}")


def check_waits(run, profile, signature, name, judge=check_time):
    """Those, and their time: at least from when each was seen asleep before the monitor until
    its owner let it go, at most from a clock read before the wait to one read after it."""
    check_count(run, profile, signature, name)
    rows = rows_of(profile, signature)
    shown_ms = sum(section.total_ms * row.self_percent / 100 for section, row in rows)
    # Half of the last digit: the total has whole milliseconds, each row hundredths of 1 %.
    rounded_ms = sum(0.005 / 100 * section.total_ms + row.self_percent / 100
                     for section, row in rows)
    least_ms, most_ms = waited_ms(run, name)
    judge(least_ms - rounded_ms <= shown_ms <= most_ms + rounded_ms, run,
          f"{name}: {shown_ms:.2f} ms, the threads waited {least_ms:.2f} to "
          f"{most_ms:.2f}, rounding {rounded_ms:.2f}")


def waited_ms(run, *names):
    """The least and the most that the threads waited for those monitors."""
    return tuple(sum(run.truth[f"{name}.{end}_ns"] for name in names) / 1e6
                 for end in ("least", "most"))


def check_times(run, profile, judge=check_time):
    for name in NAMES:
        check_waits(run, profile, f"LMonitors${name};", name, judge)


def check_counts(run, profile):
    for name in NAMES:
        check_count(run, profile, f"LMonitors${name};", name)


def send_quit(live, dumps):
    """SIGQUIT; returns when that many dumps have been said."""
    live.signal(signal.SIGQUIT)
    wait_until(lambda: sum("Dumping" in line for line in live.error_lines) >= dumps, live)


def dump_of(java, main, *args, options="monitor=y", java_opts=()):
    """The run, and its MONITOR DUMP at a SIGQUIT when it is ready; it goes on after that."""
    live = java.start(main, options, *args, java_opts=java_opts, stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    send_quit(live, 1)
    live.send_line("dumped")
    run = live.finish()
    check(run.exit_code == 0, run, "exit code")
    profile = run.profile()
    check(len(profile.monitor_dumps) == 2, run,
          f"{len(profile.monitor_dumps)} dumps, should be one at SIGQUIT and one at the end")
    return run, profile, profile.monitor_dumps[0]


def names(threads):
    return sorted(thread.name for thread in threads)


def check_monitor(run, monitor, owner=None, entry_count=None, entering=(), waiting=()):
    """Threads by name."""
    seen = (monitor.owner and monitor.owner.name, monitor.entry_count, names(monitor.entering),
            names(monitor.waiting))
    wanted = (owner, entry_count, sorted(entering), sorted(waiting))
    check(seen == wanted, run, f"{monitor.signature} is {seen}, should be {wanted}")


# ---- MONITOR TIME ----------------------------------------------------------


@pytest.mark.alone
def test_time_and_count_of_each_monitor_are_the_threads_own(run_java):
    run = run_java("Monitors", "monitor=y,cutoff=0", "contend", 100)
    profile = run.profile()
    section = only(run, profile.monitor_times, "MONITOR TIME sections")
    check_times(run, profile)
    ranked = [row.monitor for row in section.rows if row.monitor.startswith("LMonitors$")]
    check(sorted(ranked) == sorted(f"LMonitors${name};" for name in NAMES), run, f"rows {ranked}")
    spans = [waited_ms(run, sig[10:-1]) for sig in ranked]
    # One may come after another unless it has surely waited longer.
    check_time(all(later[0] <= span[1] for span, later in zip(spans, spans[1:])), run,
               f"ranked {ranked}, which waited {spans} ms")
    check_time([row.monitor for row in section.rows[:3]] == ranked, run,
               f"the first rows are {section.rows[:3]}")
    for row in section.rows:
        check(row.monitor not in ranked or
              row.names == ["Monitors$Duel.enter"] + ["Monitors$Duel.enterDeeply"] * 3, run,
              f"trace is {row.names}")


@pytest.mark.any_jvm
def test_rows_below_the_cutoff_count_in_the_total_alone(run_java):
    run = run_java("Monitors", "monitor=y,costs=y,cutoff=0.34", "contend", 80)
    profile = run.profile()
    section = only(run, profile.monitor_times, "sections")
    # Besides, threads of the JVM may have waited for monitors of its own.
    own_ms = sum(ns for serial, ns in profile.trace_costs[0].ns.items()
                 if profile.traces[serial].names[:1] != ["Monitors$Duel.enter"]) / 1e6
    least_ms, most_ms = (own_ms + ms for ms in waited_ms(run, *NAMES))
    check_time(math.floor(least_ms) <= section.total_ms <= most_ms, run, f"total {section.total_ms}, the "
               f"threads waited {least_ms:.0f} to {most_ms:.0f}, {own_ms:.0f} for others")
    rows = {row.monitor for row in section.rows}
    for name in NAMES:
        least, most = waited_ms(run, name)
        check(f"LMonitors${name};" in rows or least < 0.34 * section.total_ms + 1, run,
              f"{name} waited {least:.0f} ms and has no row")
        check(f"LMonitors${name};" not in rows or most >= 0.34 * section.total_ms - 1, run,
              f"{name} waited {most:.0f} ms and has a row")
    # Three times 0.34 is more than all, whoever waited longer than planned.
    check(len(rows) == len(section.rows) and len(rows) < len(NAMES), run, f"rows {section.rows}")


@pytest.mark.parametrize("depth", [0, 1, 64, 65, 3000])
def test_traces_have_depth_frames(run_java, depth):
    run = run_java("Monitors", f"monitor=y,depth={depth},cutoff=0.01", "contend", 20)
    profile = run.profile()
    for section, row in rows_of(profile, "LMonitors$Slow;"):
        # enter, 101 of enterDeeply, wantIt, and what runs a thread
        check(min(depth, 104) <= len(row.names) <= depth, run, f"{len(row.names)} frames")
        check(row.names[:1] == ["Monitors$Duel.enter"][:depth], run, f"trace {row.names}")
        check(row.trace.empty == (depth == 0), run, "trace")
    check_counts(run, profile)


@pytest.mark.asan
@pytest.mark.emulated
def test_each_thread_has_traces_of_its_own_with_thread_y(run_java):
    run = run_java("Monitors", "monitor=y,thread=y,cutoff=0", "contend", 40)
    profile = run.profile()
    rows = rows_of(profile, "LMonitors$Quick;")
    threads = [profile.threads[row.trace.thread].name for _, row in rows]
    check(sorted(threads) == ["Quick-0", "Quick-1", "Quick-2"], run, f"threads {threads}")
    check(all(row.count == 5 for _, row in rows), run, "each has waited five times")
    check_counts(run, profile)


@pytest.mark.alone
def test_sections_of_many_dumps_add_up(java):
    live = java.start("Monitors", "monitor=y,cutoff=0", "contend", 150)
    live.wait_stdout("ready=1")
    for i in range(3):
        live.wait_stdout(f"Quick.over={i + 1}$")
        send_quit(live, i + 1)
    run = live.finish()
    profile = run.profile()
    check(len(profile.monitor_times) == len(profile.monitor_dumps) == 4, run,
          f"{len(profile.monitor_times)} sections and {len(profile.monitor_dumps)} dumps, "
          "should be 4 of each")
    check_times(run, profile)
    check(sum(1 for section in profile.monitor_times if section.rows) >= 3, run,
          "the waits should be spread over the sections")


@pytest.mark.any_jvm
def test_a_killed_jvm_leaves_times_but_no_dump(java):
    live = java.start("Monitors", "monitor=y,cutoff=0", "contend", 300)
    live.wait_stdout("Quick.over=1$")
    # What was over is in the file after a second or so; the program goes on for longer.
    wait_until(lambda: b"LMonitors$Quick;" in live.run.output.read_bytes(), live)
    live.signal(signal.SIGKILL)
    run = live.finish()
    profile = run.profile()
    section = only(run, profile.monitor_times, "MONITOR TIME sections")
    check(any(row.monitor == "LMonitors$Quick;" for row in section.rows), run,
          f"rows {section.rows}")
    check(not profile.monitor_dumps, run, "a MONITOR DUMP is not provisional")


@pytest.mark.any_jvm
def test_doe_n_dumps_at_sigquit_alone(java):
    live = java.start("Monitors", "monitor=y,doe=n", "deadlock", stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    send_quit(live, 1)
    live.send_line("dumped")
    profile = live.finish().profile()
    check(len(profile.monitor_dumps) == len(profile.monitor_times) == 1, live.run,
          "one of each wanted")


# ---- MONITOR DUMP ----------------------------------------------------------


@pytest.mark.emulated
@pytest.mark.asan
def test_a_dump_shows_the_cycle_of_a_deadlock(java):
    run, profile, dump = dump_of(java, "Monitors", "deadlock")
    for each in (dump, profile.monitor_dumps[1]):
        check_monitor(run, only(run, each.of("LMonitors$Fork;"), "forks"), "left", 2, ["right"])
        check_monitor(run, only(run, each.of("LMonitors$Knife;"), "knives"), "right", 1,
                      ["left", "third"])
        for name in ("left", "right", "third"):
            check(each.status[name] == "MW", run, f"{name} is {each.status[name]}")
            check(each.traces[name].frames[0].name.startswith("Monitors.lambda$deadlock$"), run,
                  f"{name} is in {each.traces[name]}")
    check(dump.status["main"] == "CW", run, "main sleeps")
    check(dump.status["Signal Dispatcher"] == "R", run, "who makes the dump runs")
    running = {thread.name for thread in profile.threads.values()
               if thread.name not in ("DestroyJavaVM", "hprof")}
    check(running <= set(dump.status), run, f"threads {running - set(dump.status)} are missing")


@pytest.mark.asan
def test_a_dump_lists_who_waits_and_the_lines_tell_how_long(java):
    run, profile, dump = dump_of(java, "Monitors", "wait", 1500)
    before = ("notified", "notified-too", "interrupted")
    check_monitor(run, only(run, dump.of("LMonitors$Bell;"), "bells"), waiting=before)
    for name in before:
        check(dump.status[name] == "CW", run, f"{name} is {dump.status[name]}")
    for name in (*before, "timed"):
        wait, waited = (w for w in profile.waits
                        if w.thread.name == name and w.monitor == "LMonitors$Bell;")
        timeout = {"interrupted": 100000, "timed": 1500}.get(name, 0)
        check((wait.kind, wait.ms, waited.kind) == ("WAIT", timeout, "WAITED"), run,
              f"{name}: {wait}, {waited}")
        # It waited at least from when it was seen to wait until what ended that, or for its
        # timeout, and no longer than by a clock read before the wait and after it.
        least_ms, most_ms = (run.truth[f"{name}.{end}_ns"] / 1e6 for end in ("least", "most"))
        check_time(math.floor(least_ms) <= waited.ms <= most_ms, run,
                   f"{name} waited {waited.ms} ms, from {least_ms:.3f} to {most_ms:.3f}")
    check(dump.status["busy"] == "I|R", run, f"busy is {dump.status['busy']}")


def test_a_storm_of_contention_and_dumps_harms_nothing(java):
    live = java.start("Monitors", "monitor=y,cutoff=0,thread=y", "storm", 16, 2500)
    live.wait_stdout("ready=1")
    for i in range(8):
        time.sleep(0.1)
        send_quit(live, i + 1)
    run = live.finish()
    check(run.exit_code == 0 and run.truth["lost"] == 0, run, "the program failed")
    profile = run.profile()
    check(len(profile.monitor_dumps) == 9, run, f"{len(profile.monitor_dumps)} dumps")
    check({row.monitor for section in profile.monitor_times for row in section.rows}
          >= {"LMonitors$Slow;", "[I"}, run, "contention is missing")


# ---- with other modes ------------------------------------------------------


@pytest.mark.alone
def test_sections_of_other_modes_follow(run_java):
    run = run_java("Monitors", "monitor=y,cpu=samples,msa=y,cutoff=0", "contend", 80)
    profile = run.profile()
    check(len(profile.sections) == len(profile.lives) == len(profile.monitor_dumps) == 1, run,
          "one of each section")
    check_counts(run, profile)
    lck_ms = sum(life.ms["lck"] for life in profile.lives[0]
                 if life.thread.name.startswith(NAMES) and "holder" not in life.thread.name)
    least_ms, most_ms = waited_ms(run, *NAMES)
    check(least_ms - 1 <= lck_ms <= most_ms + 1, run,
          f"LCK of {lck_ms:.2f} ms, the threads waited {least_ms:.2f} to {most_ms:.2f}")
    check(any("Dumping contended monitor usage, CPU usage" in line for line in run.agent_lines),
          run, "the line of the dump")


@pytest.mark.thorough
def test_times_of_calls_go_with_it(run_java):
    run = run_java("Monitors", "monitor=y,cpu=times,cutoff=0", "contend", 60)
    profile = run.profile()
    check_counts(run, profile)
    check(len(profile.titled("CPU TIME")) == 1, run, "CPU TIME is missing")


@pytest.mark.thorough
def test_the_table_of_cpu_old_goes_with_it(run_java):
    run = run_java("Monitors", "monitor=y,cpu=old", "contend", 60)
    profile = run.profile()
    check_counts(run, profile)
    check(len(profile.pairs) == 1, run, "the table is missing")


@pytest.mark.parametrize("main, args", [("TimesOutput", ()), ("ExitCode", ())])
def test_what_the_program_prints_does_not_change(run_java, main, args):
    plain = run_java(main, None, *args, exit_code=None)
    run = run_java(main, "monitor=y,verbose=n", *args, exit_code=plain.exit_code)
    check_same_output(run, plain)


# ---- virtual threads -------------------------------------------------------


@pytest.fixture
def virtual(jdk):
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads before 21")


FEW_CARRIERS = ("-Djdk.virtualThreadScheduler.parallelism=2",
                "-Djdk.virtualThreadScheduler.maxPoolSize=4")
HOLDS_CARRIERS_UNTIL = 24  # before, a virtual thread at or in a monitor keeps its carrier


def carriers(jdk):
    """Fewer than threads that wait, where these give theirs up."""
    if jdk.version >= HOLDS_CARRIERS_UNTIL:
        return FEW_CARRIERS
    return ("-Djdk.virtualThreadScheduler.parallelism=16",)


@pytest.mark.alone
@pytest.mark.usefixtures("virtual")
def test_a_virtual_thread_s_wait_is_its_own_on_whatever_carrier(jdk, run_java):
    run = run_java("MonitorsVirtual", "monitor=y,cutoff=0", "contend", 1000,
                   java_opts=carriers(jdk))
    profile = run.profile()
    check_waits(run, profile, "LMonitorsVirtual$Door;", "Door")
    guests = [thread for thread in profile.threads.values() if thread.name.startswith("guest-")]
    check(len(guests) == 8 and all(thread.ended for thread in guests), run,
          f"guests {guests}")


@pytest.mark.emulated_more
@pytest.mark.asan
@pytest.mark.usefixtures("virtual")
def test_a_dump_shows_virtual_threads_off_their_carriers(java, jdk):
    run, profile, dump = dump_of(java, "MonitorsVirtual", "dump", java_opts=carriers(jdk))
    entries = "-" if jdk.version >= HOLDS_CARRIERS_UNTIL else 1
    for each in profile.monitor_dumps[:1]:
        def monitor(name, each=each):
            return only(run, each.of(f"LMonitorsVirtual${name};"), name)
        check_monitor(run, monitor("Asleep"), "sleeper", entries,
                      ["virtual-guest", "platform-guest"])
        check_monitor(run, monitor("Busy"), "spinner", entries, ["busy-guest"])
        check_monitor(run, monitor("Bell"), waiting=["listener"])
        check_monitor(run, monitor("Fork"), "left", entries, ["right"])
        check_monitor(run, monitor("Knife"), "right", entries, ["left"])
        status = {name: each.status.get(name) for name in (
            "sleeper", "spinner", "virtual-guest", "busy-guest", "listener", "left", "right",
            "idle")}
        check(status == {"sleeper": "CW", "spinner": "R", "virtual-guest": "MW",
                         "busy-guest": "MW", "listener": "CW", "left": "MW", "right": "MW",
                         "idle": None}, run, f"status {status}")
    check(dump.traces["left"].frames[0].name == "MonitorsVirtual.eatWith", run,
          f"left is in {dump.traces['left']}")
    sleeper = next(t for t in profile.threads.values() if t.name == "sleeper")
    check(sleeper.group == "VirtualThreads", run, f"group {sleeper.group}")


@pytest.mark.usefixtures("virtual")
def test_a_dump_asks_nothing_of_a_virtual_thread_under_construction(java, jdk):
    """The VM reads fields of such a thread that are not set yet, and ends."""
    run, _, dump = dump_of(java, "MonitorsVirtual", "dump_unfinished", java_opts=carriers(jdk))
    asleep = only(run, dump.of("LMonitorsVirtual$Asleep;"), "Asleep")
    check(asleep.owner and asleep.owner.name == "sleeper", run, f"owner {asleep.owner}")


@pytest.mark.asan
@pytest.mark.usefixtures("virtual")
def test_a_storm_of_virtual_threads_and_dumps_harms_nothing(java):
    live = java.start("MonitorsVirtual", "monitor=y,cutoff=0", "storm", 60, 2500,
                      java_opts=FEW_CARRIERS)
    live.wait_stdout("ready=1")
    for i in range(8):
        time.sleep(0.1)
        send_quit(live, i + 1)
    run = live.finish()
    check(run.exit_code == 0 and run.truth["lost"] == 0, run, "the program failed")
    profile = run.profile()
    left = [t.name for t in profile.threads.values() if t.name == "storm" and not t.ended]
    check(not left, run, f"{len(left)} virtual threads have no THREAD END")


@pytest.mark.usefixtures("virtual")
def test_a_dump_does_not_start_what_virtual_threads_need(java):
    _, profile, _ = dump_of(java, "Monitors", "wait", 100)
    extra = [t.name for t in profile.threads.values() if "Virtual" in t.name]
    check(not extra, java.live[-1].run, f"threads {extra}")
