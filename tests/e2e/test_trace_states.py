"""cpu=times,msa=y: TRACE MICROSTATES, compared with a program whose methods each spend a known time
in one state, nested in each other (TimesStates.java)."""

import resource
import subprocess
import time
from pathlib import Path

import pytest

from support import processes
from support.builds import PLATFORM
from support.checks import check
from support.live_run import sigquit
from support.times_checks import BOTH_WAYS, moved_ms, step_ms

# The state that a method spends its time in, besides what it computes.
STATE_OF = {"compute": "usr", "read": "i/o", "lock": "lck", "park": "lck", "sleep": "slp",
            "runnable": "lat", "collect": "stw"}
CLOCKS = {"TimesStates.startClocks", "TimesStates.endClocks"}
READING = {"TimesStates.begin", "TimesStates.end"}  # which call those
NOT_THEIRS = READING | {"TimesStates.start", "TimesStates.awaitHolder"}
OFF_CPU = ("lck", "slp", "i/o", "lat", "stw")
OPTIONS = "cpu=times,msa=y,cutoff=0,depth=32,thread=y"
LINUX = pytest.mark.skipif(not PLATFORM.startswith("linux"), reason="uses limits of Linux")
ACCOUNTS = pytest.mark.skipif(not PLATFORM.startswith(("linux", "solaris")),
                              reason="waits for a CPU are not accounted there")


def place_of(names, besides=NOT_THEIRS):
    """(method, its caller or "none") of a trace below measured(): of the methods that have a
    state, the two innermost. What they spend on starting other threads, on waiting for them, and on
    reading clocks is not theirs."""
    if "TimesStates.measured" not in names or not besides.isdisjoint(names):
        return None
    program = [name.removeprefix("TimesStates.") for name in names
               if name.startswith("TimesStates.")]
    methods = [name for name in program if name in STATE_OF]
    return (methods[0], methods[1] if len(methods) > 1 else "none") if methods else None


def reads_clocks(names, methods=READING):
    return "TimesStates.measured" in names and not methods.isdisjoint(names)


def rounded(section):
    """By how much its rows are off at most, whose times are rounded to a microsecond."""
    return 0.001 * len(section.rows)


def true_states(truth, method, caller):
    """What the program and the kernel say of a method, called by another: ms by state, and how much
    of it may be lat instead of slp."""
    wall, cpu, lat = (truth[f"{method}.{caller}.{what}_ns"] / 1e6
                      for what in ("wall", "cpu", "queued"))
    true = {name: 0 for name in (*OFF_CPU, "usr")}
    true["usr"] = cpu
    true["lat"] = lat
    state = STATE_OF[method]
    rest = wall - cpu - lat
    # The JVM's own locks, which a busy machine makes a thread wait for, have no state. In a virtual
    # machine the host can have had the CPU, for which the kernel has no account of the thread.
    is_ready = state in ("usr", "lat")
    true["slp" if is_ready else state] = rest
    return true, rest if is_ready else 0


def wrong_states(sums, true, host, beside, reading, slack):
    """The states that differ by more than slack ms. Up to host ms of slp may be lat; of waits for a CPU
    before the clocks are read and after it, up to beside ms are the method's, too; and of what a thread
    that is ready has, up to that of reading the clocks, before the first or after the last, may be
    missing."""
    more = max(0, sums["lat"] - true["lat"])
    true = {**true, "lat": true["lat"] + min(host + beside, more), "slp": true["slp"] - min(host, more)}
    for state in ("lat", "usr", "slp"):
        true[state] -= max(0, min(reading[state], true[state] - sums[state]))
    return [f"{state} is {sums[state]:.1f} ms, should be {ms:.1f}"
            for state, ms in true.items() if abs(sums[state] - ms) > slack]


@ACCOUNTS
@pytest.mark.alone
@BOTH_WAYS
def test_each_method_has_its_time_in_its_state(run_java, clocks):
    """Each state within 2% of the elapsed time or 5 ms."""
    run = run_java("TimesStates", OPTIONS + clocks, 100, timeout_s=120)
    profile, truth = run.profile(), run.truth
    [section] = profile.states
    wrong = []
    for method in STATE_OF:
        for caller in (*STATE_OF, "none"):
            sums = section.sums(lambda row, at=(method, caller): place_of(row.names) == at)
            true, host = true_states(truth, method, caller)
            slack = max(0.02 * sum(true.values()), 5)
            reading = section.sums(lambda row, at=(method, caller): reads_clocks(row.names) and
                                   place_of(row.names, besides=set()) == at)
            others = section.sums(lambda row, at=(method, caller): place_of(row.names) != at and
                                  place_of(row.names, besides=READING) == at)
            beside = max(0, truth[f"{method}.{caller}.beside_ns"] / 1e6 - others["lat"])
            wrong += [f"{method} in {caller}: {line}"
                      for line in wrong_states(sums, true, host, beside, reading, slack)]
    check(not wrong, run, f"{len(wrong)} are wrong:\n" + "\n".join(wrong))
    reading = section.sums(lambda row: reads_clocks(row.names, CLOCKS))["wall"]
    least, most = (truth[f"reading.{end}_ns"] / 1e6 for end in ("least", "most"))
    slack = rounded(section) + moved_ms(step_ms(run), 2 * len(STATE_OF) * (len(STATE_OF) + 1))
    check(least - slack <= reading <= most + slack, run,
          f"reading the clocks took {least:.2f} to {most:.2f} ms, its rows sum to {reading:.2f}, by up to "
          f"{slack:.2f} off")


@ACCOUNTS
@pytest.mark.alone
def test_rows_of_a_thread_sum_to_its_life_also_while_it_is_blocked(run_java):
    """A life begins before the thread does, and is read after the rows. Nor does a thread begin and
    end with its first and last call."""
    run = run_java("TimesStates", "cpu=times,msa=y,cutoff=0,depth=2,thread=y", 10, timeout_s=120)
    profile, truth = run.profile(), run.truth
    [section], [lives] = profile.states, profile.lives
    blocked = truth["stays.wall_ns"] / 1e6
    total = 0
    for life in lives:
        rows = section.sums(lambda row, at=life.thread.id: row.trace.thread == at)
        total += rows["wall"]
        check(rows["wall"] <= life.ms["life"] + 10, run,
              f"rows of {life.thread.name} sum to {rows}, its life is {life.ms['life']:.0f} ms")
        if life.thread.name in ("parked", "waiting", "reading"):
            state = "i/o" if life.thread.name == "reading" else "slp"
            check(min(rows["wall"], rows[state]) >= blocked - rounded(section), run,
                  f"{life.thread.name} was blocked for {blocked:.3f} ms, its rows sum to {rows}")
    check(abs(total - section.total) <= 1 + rounded(section), run,
          f"threads with rows have {total:.0f} ms of {section.total}")


@pytest.mark.any_jvm
@pytest.mark.ports
def test_waits_for_pages_are_known_where_the_system_accounts_them(run_java):
    run = run_java("Lives", "cpu=times,msa=y,cutoff=0", "sleep", 10)
    [section] = run.profile().states
    known = {state for row in section.rows for state in ("tfl", "dfl") if row.ms[state] is not None}
    check(known == ({"tfl", "dfl"} if PLATFORM == "solaris" else set()), run, f"{known} are known")
    check(all(row.ms["sys"] is None for row in section.rows), run, "sys is known")


@ACCOUNTS
@pytest.mark.ports
@pytest.mark.alone
def test_rows_of_a_thread_that_ends_sum_to_what_it_saw(run_java):
    run = run_java("Lives", "cpu=times,msa=y,cutoff=0,thread=y", "mixed", 1000)
    profile = run.profile()
    [mixed] = [thread for thread in profile.threads.values() if thread.name == "mixed"]
    rows = profile.states[0].sums(lambda row: row.trace.thread == mixed.id)
    lived = run.truth["mixed.wall_ns"] / 1e6
    [life] = [life for life in profile.lives[0] if life.thread.id == mixed.id]
    check(lived - rounded(profile.states[0]) <= rows["wall"] <= life.ms["life"] + 10, run,
          f"rows sum to {rows}, the thread saw {lived:.1f} ms of its {life.ms['life']:.1f}")


@pytest.mark.emulated_more
@ACCOUNTS
def test_states_are_those_of_the_other_sections(run_java):
    """usr is CPU TIME, and the rest is OFF-CPU TIME, except for waits that have not ended."""
    run = run_java("TimesSleep", "cpu=times,cutoff=0,depth=8,msa=y,costs=y", 200, 200)
    profile = run.profile()
    [section] = profile.states
    costs = {cost.title: cost for cost in profile.trace_costs}
    for row in section.rows:
        serial = row.trace.serial
        check(row.ms["usr"] >= costs["CPU TIME"].ns.get(serial, 0) / 1e6 - 0.002, run,
              f"usr of {row.names[:1]} is {row.ms['usr']}")
        off = sum(row.ms[state] for state in OFF_CPU)
        check(off >= costs["OFF-CPU TIME"].ns.get(serial, 0) / 1e6 - 0.01, run,
              f"{row.names[:1]} has {off} ms off the CPU")
        check(row.calls == costs["CPU TIME"].counts.get(serial, 0), run,
              f"{row.names[:1]} has {row.calls} calls")
    slept = section.sums(lambda row: "TimesSleep.rest" in row.names)
    off = sum(slept[state] for state in OFF_CPU)
    least, most = (run.truth[f"rest.{end}_off_ns"] / 1e6 for end in ("least", "most"))
    check(least - rounded(section) <= off <= most + rounded(section) and
          slept["slp"] >= 200 - rounded(section), run,
          f"rest has {slept}, slept for 200 ms and more, and was off its CPU for {least:.3f} to {most:.3f}")


def check_sums_over_dumps(java, options, slack_ms=0):
    """What a section shows of a wait that has not ended, the next ones leave out."""
    live = java.start("Lives", f"{options},cutoff=0,thread=y", "sleep", 1500, 1, "stays",
                      stdin=subprocess.PIPE)
    live.wait_stdout("begun=1")
    for _ in range(3):
        sigquit(live)
    live.wait_stdout("ready=1")
    live.send_line("end")
    run = live.finish()
    profile = run.profile()
    check(len(profile.states) == 4, run, f"{len(profile.states)} sections, should be 4")
    sleeper = next(t for t in profile.threads.values() if t.name == "sleeper")
    slept = sum(section.sums(lambda row: row.trace.thread == sleeper.id)["wall"]
                for section in profile.states)
    slack_ms += sum(map(rounded, profile.states))
    least = run.truth["sleeper.wall_ns"] / 1e6
    most = (run.truth["sleeper.ended_ns"] - run.truth["sleeper.begun_ns"]) / 1e6
    check(least - slack_ms <= slept <= most + slack_ms, run,
          f"rows sum to {slept:.3f} ms, should be {least:.3f} to {most:.3f}")


def kernel_accounts(live, prefix):
    """What the kernel says of the threads with such names while they live: {name: [(when, ms on a CPU,
    ms waiting for one)]}; and {name: when it had ended, at the latest}."""
    read, ended = {}, {}
    while live.alive():
        seen = set()
        for task in Path(f"/proc/{live.process.pid}/task").glob("*"):
            try:
                name = (task / "comm").read_text(encoding="utf-8").strip()
                used, waited = (task / "schedstat").read_text(encoding="ascii").split()[:2]
            except OSError:
                continue
            if name.startswith(prefix):
                seen.add(name)
                read.setdefault(name, []).append((time.monotonic(), int(used) / 1e6, int(waited) / 1e6))
        for name in read.keys() - seen:
            ended.setdefault(name, time.monotonic())
        time.sleep(0.002)
    return read, ended


def last_unchanged(accounts):
    """Of readings, the time of the one before the last change. The kernel counts a wait for a CPU when
    it is over: one that the last readings do not have can have begun then."""
    changes = [at for at in range(1, len(accounts)) if accounts[at][1:] != accounts[at - 1][1:]]
    return accounts[changes[-1] - 1 if changes else 0][0]


@LINUX
@pytest.mark.alone
def test_states_are_what_another_process_reads_of_the_kernel(java):
    """Before the first reading a thread can have run without being a Java thread, and after the last
    one that shows it running it can have run, or waited, until it was gone."""
    live = java.start("Lives", "cpu=times,msa=y,cutoff=0,thread=y", "busy", 2000, 4,
                      preexec=processes.bind_to_two)
    read, ended = kernel_accounts(live, "busy-")
    run = live.finish()
    profile = run.profile()
    [section] = profile.states
    check(len(read) == 4, run, f"threads {sorted(read)} were seen, should be 4")
    for name, accounts in read.items():
        [thread] = [thread for thread in profile.threads.values() if thread.name == name]
        sums = section.sums(lambda row, at=thread.id: row.trace.thread == at)
        unseen = (ended.get(name, time.monotonic()) - last_unchanged(accounts)) * 1000
        for state, at in (("usr", 1), ("lat", 2)):
            first, last = accounts[0][at], accounts[-1][at]
            check(last - first - rounded(section) <= sums[state] <= last + unseen + rounded(section), run,
                  f"{state} of {name} is {sums[state]:.3f} ms, should be {last - first:.3f} to "
                  f"{last + unseen:.3f}")


@ACCOUNTS
def test_sections_of_many_dumps_add_up(java):
    check_sums_over_dumps(java, "cpu=times,msa=y")


@pytest.mark.any_jvm
@LINUX
def test_without_descriptors_waits_for_a_cpu_are_sleep_and_the_profile_says_so(java):
    def few_descriptors():
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

    run = java.run("Lives", "cpu=times,msa=y,cutoff=0,thread=y", "crowd", 200, 40,
                   preexec=few_descriptors)
    [section] = run.profile().states
    check(any("no file descriptor" in note for note in section.notes), run, str(section.notes))
    unknown = [row for row in section.rows if row.ms["lat"] is None]
    known = [row for row in section.rows if row.ms["lat"] is not None]
    check(unknown and known, run, f"{len(unknown)} rows without lat, {len(known)} with it")


def test_without_performance_data_pauses_are_those_of_collections(run_java):
    run = run_java("TimesStates", "cpu=times,msa=y,cutoff=0,depth=16", 20,
                   java_opts=["-XX:-UsePerfData"], timeout_s=120)
    [section] = run.profile().states
    check(any("UsePerfData" in note for note in section.notes), run, str(section.notes))
    collect = section.sums(lambda row: (place_of(row.names) or [None])[0] == "collect")
    true_ms = sum(value for key, value in run.truth.items()
                  if key.startswith("collect.") and key.endswith("wall_ns")) / 1e6
    check(collect["stw"] >= 0.5 * true_ms, run, f"collect has {collect} in {true_ms:.0f} ms")


@pytest.mark.any_jvm
def test_without_msa_there_is_no_section(run_java):
    run = run_java("TimesSleep", "cpu=times,cutoff=0", 10, 10)
    check(not run.profile().states, run, "a section that nobody asked for")


@pytest.mark.any_jvm
def test_rows_below_the_cutoff_are_left_out(run_java):
    """The parser holds the rows against the cutoff."""
    run = run_java("TimesSleep", "cpu=times,cutoff=0.2,msa=y", 100, 200)
    [section] = run.profile().states
    check(1 <= len(section.rows) <= 5, run, f"{len(section.rows)} rows")
