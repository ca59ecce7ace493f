"""cpu=old: the table of pairs, compared with programs that count their own calls."""

import signal

import pytest

from readers import hprof_old
from support.builds import VIRTUAL_THREADS
from support.checks import at_least, at_most, check, check_cpu, check_time
from support.live_run import let_use, wait_until
from support.times_checks import compare_calls, expected_calls


def parse(run):
    """The file's tables, each a list of rows; strictly."""
    try:
        return hprof_old.parse(run.output.read_bytes())
    except hprof_old.FormatError as error:
        pytest.fail(run.describe(f"output breaks the format: {error}"), pytrace=False)


def check_pairs(run, rows, program):
    expected = expected_calls(run)
    check(expected, run, "the program says no calls")
    wrong = compare_calls(expected, rows, 2, program)
    check(not wrong, run, f"{len(wrong)} counts are wrong:\n" + "\n".join(wrong[:20]))


def run_pairs(run_java, main, *args, options="", **how):
    run = run_java(main, f"cpu=old{options}", *args, **how)
    tables = parse(run)
    check(len(tables) == 1, run, f"{len(tables)} tables, should be one")
    check_pairs(run, tables[0], main)
    return run, tables[0]


def find(run, rows, callee, caller):
    found = [row for row in rows if row.names == [callee, caller]]
    check(len(found) == 1, run, f"{len(found)} rows of {callee} called by {caller}")
    return found[0]


@pytest.mark.emulated
@pytest.mark.parametrize("main, args", [
    ("TimesCalls", (20000,)), ("TimesThrows", (3000,)), ("TimesWays", (300,))])
def test_each_call_is_counted_at_its_pair(run_java, main, args):
    run_pairs(run_java, main, *args)


def test_threads_at_once_dying_and_staying_are_all_counted(run_java):
    run_pairs(run_java, "TimesThreads", 8, 30000, 3, exit_code=3)


@pytest.mark.emulated_more
def test_virtual_threads_are_counted(jdk, run_java):
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads before 21")
    run_pairs(run_java, "TimesVirtual", 2000, 4, 10)


def test_main_is_called_by_an_unknown_caller_and_has_its_signature(run_java):
    run, rows = run_pairs(run_java, "TimesCalls", 10)
    (row,) = [row for row in rows if row.callee == "TimesCalls.main"]
    check((row.signature, row.caller, row.count) == ("([Ljava/lang/String;)V", None, 1), run,
          f"main's row is {row}")


def test_times_are_with_all_that_was_called(run_java):
    # The program's rounds take 20 ms: samples of 10 ms would keep step with them. Its
    # methods have the same loop: compiled into one, they share instructions, of which
    # the VM can't tell whose they are.
    run = run_java("TimesShares", "cpu=old,interval=1", 2000,
                   java_opts=("-XX:CompileCommand=quiet",
                              "-XX:CompileCommand=dontinline,TimesShares.*"))
    (rows,) = parse(run)
    ns = {name: run.truth[f"{name}.cpu_ns"] for name in ("outer", "middle", "inner")}
    total = find(run, rows, "TimesShares.outer", "TimesShares.main").ms  # a sample is 1 ms
    check_cpu(run, "outer called by main", total, sum(ns.values()))
    for callee, caller, its_ns in (("middle", "outer", ns["middle"] + ns["inner"]),
                                   ("inner", "middle", ns["inner"])):
        row = find(run, rows, f"TimesShares.{callee}", f"TimesShares.{caller}")
        share = its_ns / sum(ns.values())
        least, most = at_least(total, share), at_most(total, share)
        check_time(least <= row.ms <= most, run, f"{callee} called by {caller}: {row.ms} of {total} "
                   f"ms, should be {least} to {most} for a share of {share:.1%}")


def test_time_of_a_recursion_is_counted_once(run_java):
    run = run_java("DeepRecursion", "cpu=old", 100, 500, 300)
    (rows,) = parse(run)
    for name, depth in (("shallow", 100), ("deep", 500)):
        row = find(run, rows, f"DeepRecursion.{name}", f"DeepRecursion.{name}")
        check(row.count == depth - 1, run, f"{row.count} calls of {name} by itself")
        check_cpu(run, f"{name} called by itself", row.ms * 1_000_000 // run.interval_ns,
                  run.truth[f"spin{name.capitalize()}.cpu_ns"])


@pytest.mark.any_jvm
def test_filters_leave_pairs_of_what_they_want(run_java):
    run = run_java("TimesCalls", "cpu=old,include=TimesCalls.a,include=TimesCalls.main", 1000)
    (rows,) = parse(run)
    seen = {tuple(row.names): row.count for row in rows}
    check(seen == {("TimesCalls.main",): 1, ("TimesCalls.a", "TimesCalls.main"): 5000}, run,
          f"pairs are {seen}")


@pytest.mark.emulated_more
def test_tables_of_many_dumps_add_up(java):
    live = java.start("TimesDumps", "cpu=old", 3)
    for number in range(2):
        live.wait_stdout(f"round={number}")
        let_use(live, 0.1)  # into the round
        live.signal(signal.SIGQUIT)
        wait_until(lambda said=number + 1: live.stderr_count("hprof: Dumping") >= said, live)
    run = live.finish()
    tables = parse(run)
    check(len(tables) == 3, run, f"{len(tables)} tables, should be 3")
    check_pairs(run, [row for table in tables for row in table], "TimesDumps")


@pytest.mark.thorough
def test_a_killed_jvm_leaves_a_table(java):
    live = java.start("TimesSleep", "cpu=old", 0, 60000)
    pair = ["TimesSleep.compute", "TimesSleep.main"]

    def so_far():
        try:
            return hprof_old.parse(live.run.output.read_bytes())
        except (FileNotFoundError, hprof_old.FormatError):
            return []  # it is being replaced
    wait_until(lambda: any(row.names == pair and row.ms > 300 for table in so_far() for row in table),
               live)
    run = live.kill_between_writes(so_far)
    tables = parse(run)
    check(len(tables) == 1, run, f"{len(tables)} tables, should be 1")
    row = find(run, tables[0], "TimesSleep.compute", "TimesSleep.main")
    check(row.count == 1 and row.ms > 300, run, f"compute's row is {row}")


# What stands beside the table, and how the parser shows that it is there.
BESIDE = {
    "heap=sites": lambda profile: profile.sites,
    "heap=dump": lambda profile: profile.heaps,
    "heap=all": lambda profile: profile.sites and profile.heaps,
    "monitor=y": lambda profile: profile.monitor_times and profile.monitor_dumps,
    "msa=y": lambda profile: profile.lives,
    "heap=sites,monitor=y,msa=y": lambda profile: (profile.sites and profile.monitor_times
                                                   and profile.lives),
}


@pytest.mark.any_jvm
@pytest.mark.parametrize("beside", [
    pytest.param(beside, marks=() if beside in ("heap=all", "heap=sites,monitor=y,msa=y")
                 else pytest.mark.thorough) for beside in BESIDE])
def test_beside_other_sections_the_table_is_a_part_of_a_text_profile(run_java, beside):
    run = run_java("TimesCalls", f"cpu=old,{beside}", 2000)
    profile = run.profile()
    check(BESIDE[beside](profile), run, f"nothing of {beside} is in the file")
    check(len(profile.pairs) == 1, run, f"{len(profile.pairs)} tables, should be one")
    check_pairs(run, profile.pairs[0], "TimesCalls")
    check(profile.threads, run, "no thread is in the file")


@pytest.mark.any_jvm
def test_the_table_alone_stays_alone_with_modes_that_are_off(run_java):
    run = run_java("TimesCalls", "cpu=old,monitor=n,msa=n,depth=8,thread=y,verbose=n", 10)
    check(len(parse(run)) == 1, run, "one table wanted")
