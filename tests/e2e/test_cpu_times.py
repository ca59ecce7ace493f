"""cpu=times, compared with programs that count their own calls and measure their times."""

import functools
import re
import signal
import subprocess
import zipfile

import pytest

from support.builds import VIRTUAL_THREADS, compile_here
from support.checks import check, check_same_output, without_agent_lines
from support.live_run import let_use, sigquit
from support.times_checks import (calls_of, check_between, check_calls, check_total,
                                  counts_by_names, late_ms, moved_ms, step_ms, total_ms, wait_shown)

thorough = pytest.mark.thorough
SECTION = "CPU TIME"
OFF_SECTION = "OFF-CPU TIME"
# The clocks are read at each call and return, as where the system lacks timers or marks.
CLOCKED = "msa=y,engine=clock"


def precision(msa, *marks):
    """Of the two values of msa=, make check has this one."""
    other = "n" if msa == "y" else "y"
    return pytest.mark.parametrize("msa", [pytest.param(msa, marks=marks),
                                           pytest.param(other, marks=thorough)])


def run_calls(run_java, main, *args, options="", **how):
    """Runs the program and checks the calls that it says."""
    run = run_java(main, f"cpu=times,cutoff=0{options}", *args, **how)
    profile = run.profile()
    check_calls(run, profile, main)
    return run, profile


# ---- calls --------------------------------------------------------------


@pytest.mark.parametrize("depth, msa", [
    (1, "n"), pytest.param(2, "y", marks=pytest.mark.emulated), (4, "n"),
    pytest.param(16, "n", marks=thorough)])
def test_each_call_is_counted_at_its_trace(run_java, depth, msa):
    run_calls(run_java, "TimesCalls", 20000, options=f",depth={depth},msa={msa}")


@pytest.mark.emulated_more
@precision("y")
def test_exceptions_leave_the_calls_after_them_in_place(run_java, msa):
    run_calls(run_java, "TimesThrows", 3000, options=f",depth=6,msa={msa}")


@pytest.mark.emulated_more
@precision("n")
def test_calls_that_come_by_other_ways_are_counted(run_java, msa):
    run_calls(run_java, "TimesWays", 300, options=f",depth=8,msa={msa}")


LEAVES = ["count", "getX", "setX", "larger", "name", "kind"]
LEAF_OR_NOT = LEAVES + ["nextX", "value", "ratio", "held"]


@precision("y", pytest.mark.asan)
def test_calls_of_leaf_methods_are_counted_and_their_time_is_their_caller_s(run_java, msa):
    """Code that the JVM runs in a method that is none is called from there."""
    run, profile = run_calls(run_java, "TimesLeaves", 300000, options=f",depth=5,msa={msa}")
    (section,) = profile.titled(SECTION)
    for name in LEAF_OR_NOT:
        shown = sum(row.self_percent for row in section.rows
                    if row.names[:1] == [f"TimesLeaves$Point.{name}"])
        check(shown == 0 or name not in LEAVES, run, f"{name} has {shown}% of the time")


# Methods that compilers replace, by the method that calls each of them once a round, and
# ways to call them that no call site names.
REPLACED = {
    "max": ["java.lang.Math.max"], "sqrt": ["java.lang.Math.sqrt"],
    "sin": ["java.lang.Math.sin"], "exact": ["java.lang.Math.addExact"],
    "bits": ["java.lang.Integer.bitCount"],
    "box": ["java.lang.Integer.valueOf", "java.lang.Integer.intValue"],
    "build": ["java.lang.StringBuilder.<init>", "java.lang.StringBuilder.toString"],
    "cast": ["java.lang.Class.cast"], "copy": ["java.util.Arrays.copyOf"],
    "bridge": ["java.lang.StringBuilder.<init>"],
}
UNNAMED = {"reflect": "java.lang.Math.max", "handle": "java.lang.Math.max",
           "number": "java.lang.Integer.intValue"}
COMPILERS = ["", "-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"]
INCLUDED = ",include=java.lang.Math"
# Of all combinations these are in make check.
COMBINED = [("", ""), ("", "-XX:-TieredCompilation"), (",msa=y", "-XX:TieredStopAtLevel=1"),
            (INCLUDED, ""), (INCLUDED, "-Xint")]


@pytest.mark.parametrize("more, compiler", [
    pytest.param(more, compiler, marks=() if (more, compiler) in COMBINED else thorough)
    for more in ("", ",msa=y", INCLUDED) for compiler in COMPILERS])
def test_calls_of_methods_that_compilers_replace_are_counted(run_java, compiler, more):
    n = 2000 if compiler == "-Xint" else 20000  # often enough to be compiled
    vm = [compiler] if compiler else []
    run = run_java("TimesIntrinsics", f"cpu=times,cutoff=0,depth=3{more}", n, java_opts=vm)
    profile = run.profile()
    (section,) = [s for s in profile.sections if s.title == SECTION]
    if more == INCLUDED:
        for name in ("sqrt", "sin", "addExact"):
            seen = counts_by_names(section.rows).get((f"java.lang.Math.{name}",), 0)
            check(n <= seen <= n + 2000, run, f"{name}: {n} calls, {seen} counted")
        return
    counts = {}
    for names, count in counts_by_names(section.rows).items():
        counts[names[:2]] = counts.get(names[:2], 0) + count
    for caller, callees in REPLACED.items():
        for callee in callees:
            seen = counts.get((callee, f"TimesIntrinsics.{caller}"), 0)
            check(seen == n, run, f"{callee}: {n} calls by {caller}, {seen} counted")
    seen = counts.get(("java.lang.Math.min", "TimesIntrinsics$Derived.<init>"), 0)
    check(seen == n, run, f"Math.min: {n} calls by Derived, {seen} counted")
    # Three methods of one name.
    seen = counts.get(("java.lang.StringBuilder.append", "TimesIntrinsics.build"), 0)
    check(seen == 3 * n, run, f"append: {3 * n} calls by build, {seen} counted")
    # The bridge runs, whose call of the other counts.
    append = "java.lang.StringBuilder.append"
    seen = sum(row.count for row in section.rows
               if row.names == [append, append, "TimesIntrinsics.bridge"])
    check(seen == n, run, f"append: {n} calls by its bridge, {seen} counted")
    for caller, callee in UNNAMED.items():
        seen = counts.get((callee, f"TimesIntrinsics.{caller}"), 0)
        check(seen <= n, run, f"{callee}: {n} calls by {caller}, {seen} counted")


def test_a_note_states_which_calls_of_intrinsics_are_not_counted(run_java):
    run = run_java("TimesIntrinsics", "cpu=times,cutoff=0,depth=2", 100)
    run.profile()
    notes = [note for note in run.notes if "call counts of intrinsics" in note]
    check(len(notes) == 1, run, f"notes are {notes}")


@precision("n")
def test_calls_after_stack_overflows_are_counted_at_their_trace(run_java, msa):
    times = 100
    run = run_java("TimesOverflow", f"cpu=times,cutoff=0,depth=3,msa={msa}", times)
    profile = run.profile()
    check_calls(run, profile, "TimesOverflow", but=("dive", "leaf", "guardedDive"))
    for name, said in (("dive", "dives"), ("leaf", "leaves"), ("guardedDive", "guards")):
        real, seen = run.truth[said], calls_of(profile, f"TimesOverflow.{name}")
        check(real > 100 * times and abs(seen - real) <= times, run,
              f"{name}: {real} calls, {seen} counted")


@pytest.mark.parametrize("thread, msa", [
    pytest.param("n", "n", marks=thorough), ("n", "y"), ("y", "n")])
def test_threads_at_once_dying_and_staying_are_all_counted(run_java, thread, msa):
    run, profile = run_calls(run_java, "TimesThreads", 8, 30000, 3, exit_code=3,
                             options=f",depth=5,thread={thread},msa={msa}")
    if thread == "n":
        return
    for number in range(8):
        (at,) = [t for t in profile.threads.values() if t.name == f"caller-{number}"]
        rows = [row for row in profile.titled(SECTION)[0].rows if row.trace.thread == at.id]
        counts = {row.names[1]: row.count for row in rows
                  if row.names[:1] == ["TimesThreads.leaf"]}
        check(counts == {"TimesThreads.left": 30000, "TimesThreads.right": 60000}, run,
              f"leaf on {at.name}: {counts}")


@precision("n", pytest.mark.asan)
def test_calls_of_threads_that_end_while_sections_are_written_are_in_one_of_them(java, msa):
    live = java.start("TimesDying", f"cpu=times,cutoff=0,include=TimesDying,msa={msa}", 4,
                      stdin=subprocess.PIPE)
    live.wait_stdout("ready=1")
    for _ in range(20):
        sigquit(live)
    live.send_line("end")
    run = live.finish()
    sections = run.profile().titled(SECTION)
    check(len(sections) == 21, run, f"{len(sections)} sections")
    calls = sum(row.count for section in sections for row in section.rows
                if row.names[:1] == ["TimesDying.step"])
    check(calls == run.truth["calls"], run, f"{calls} calls of {run.truth['calls']}")


@pytest.mark.parametrize("msa, vthreads", [
    pytest.param("n", "n", marks=thorough), ("y", "n"),
    pytest.param("n", "y", marks=pytest.mark.emulated_more), pytest.param("y", "y", marks=thorough)])
def test_ten_thousand_virtual_threads_keep_their_calls_over_parking(jdk, run_java, msa, vthreads):
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads before 21")
    run, _ = run_calls(run_java, "TimesVirtual", 10000, 4, 20,
                       options=f",depth=5,msa={msa},vthreads={vthreads}",
                       java_opts=["-Djdk.virtualThreadScheduler.parallelism=4"])
    check(run.truth["parks"] == 80000, run, f"{run.truth['parks']} times parked")


@pytest.mark.parametrize("vthreads", ["n", pytest.param("y", marks=thorough)])
def test_virtual_threads_disturb_no_calls_on_the_carrier_that_they_have_left(jdk, run_java,
                                                                             vthreads):
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads before 21")
    run, _ = run_calls(run_java, "TimesHops", 100, 200, 200, options=f",depth=6,vthreads={vthreads}",
                       java_opts=["-Djdk.virtualThreadScheduler.parallelism=4"])
    check(run.truth["hops"] > 1000, run, f"{run.truth['hops']} times on another carrier")


# ---- time ---------------------------------------------------------------


@pytest.mark.ports
@pytest.mark.alone
@pytest.mark.parametrize("options", ["msa=n", "msa=y", "engine=clock", CLOCKED])
def test_self_times_are_the_shares_of_the_cpu_time(run_java, options):
    """By turns, a hundred times each. Besides what they measured, there is what lies between."""
    run = run_java("TimesShares", f"cpu=times,cutoff=0,depth=8,lineno=n,{options}", 2000)
    (section,) = run.profile().titled(SECTION)
    callers = ["TimesShares.inner", "TimesShares.middle", "TimesShares.outer",
               "TimesShares.main"]
    # What they spend in reading the clock is theirs.
    clock = ("Truth.cpuNs", "sun.", "com.sun.", "java.lang.management.")

    def owner(row):
        names = row.names
        while names and names[0].startswith(clock):
            names = names[1:]
        at = callers.index(names[0]) if names and names[0] in callers else 0
        return names[0] if names and names == callers[at:at + len(names)] else None

    def slack(stretches):
        if options == "engine=clock":
            return late_ms(run, stretches)
        return moved_ms(step_ms(run), stretches)

    least = {name: run.truth[f"{name.split('.')[1]}.cpu_ns"] for name in callers[:3]}
    total_ns = run.truth["total.cpu_ns"]
    between_ns = total_ns - sum(least.values())
    for name, ns in least.items():
        check_between(run, name, section, lambda row, at=name: owner(row) == at, ns, ns + between_ns,
                      slack(100))
    check_between(run, "all of them", section, lambda row: owner(row) in least, sum(least.values()),
                  total_ns, slack(1))


@pytest.mark.ports
@pytest.mark.alone
@pytest.mark.parametrize("options", ["msa=y", CLOCKED])
def test_msa_tells_computing_from_sleeping(run_java, options):
    run = run_java("TimesSleep", f"cpu=times,cutoff=0,depth=8,{options}", 2000, 1000)
    profile, truth = run.profile(), run.truth
    (cpu,) = profile.titled(SECTION)
    (off,) = profile.titled(OFF_SECTION)
    for name in ("compute", "rest"):
        least_ns = truth.get(f"{name}.least_cpu_ns", 0)
        check_total(run, cpu, f"TimesSleep.{name}", least_ns, truth[f"{name}.cpu_ns"],
                    moved_ms(step_ms(run), 1))
        check_total(run, off, f"TimesSleep.{name}",
                    *(truth[f"{name}.{end}_off_ns"] for end in ("least", "most")))


@pytest.mark.alone
@pytest.mark.parametrize("options", ["msa=y", CLOCKED])
def test_short_methods_have_the_time_of_recursion_and_of_waiting(run_java, options):
    """Although most of their calls don't look at the clocks, where those are read."""
    run = run_java("TimesShort", f"cpu=times,cutoff=0,depth=4,{options}", 600, 500)
    profile, truth = run.profile(), run.truth
    (cpu,) = profile.titled(SECTION)
    (off,) = profile.titled(OFF_SECTION)
    calls = sum(row.count for row in cpu.rows if row.names[:1] == ["TimesShort.fibonacci"])
    check(calls == 21891 * truth["rounds"], run, f"{calls} calls in {truth['rounds']} rounds")
    # Of each round, the outermost calls and the program's own clocks are their caller's.
    check_total(run, cpu, "TimesShort.fibonacci", 0.9 * truth["fibonacci.cpu_ns"],
                truth["fibonacci.cpu_ns"])
    check_between(run, "enter", off, lambda row: row.names[:1] == ["TimesShort$Comer.enter"],
                  *(truth[f"enter.{end}_ns"] for end in ("least", "most")))


@pytest.mark.any_jvm
@pytest.mark.ports
def test_without_msa_there_is_no_off_cpu_section(run_java):
    """Stacks have the frames from reading clocks out to the method that does."""
    run = run_java("TimesSleep", "cpu=times,cutoff=0,depth=32", 100, 200)
    profile = run.profile()
    check(len(profile.titled(SECTION)) == 1 and not profile.titled(OFF_SECTION), run,
          f"sections: {[section.title for section in profile.sections]}")
    # A CPU that its host takes away is a step of CPU time in which no timer expires.
    steps_ms = 2 * run.truth["compute.step_ns"] / 1e6
    check_total(run, profile.sections[0], "TimesSleep.compute", run.truth["compute.least_cpu_ns"],
                run.truth["compute.cpu_ns"], moved_ms(step_ms(run), 1) + steps_ms)


@pytest.mark.any_jvm
def test_rows_below_the_cutoff_and_their_traces_are_left_out(run_java):
    run = run_java("TimesSleep", "cpu=times,cutoff=0.1", 0, 500)
    profile = run.profile()
    (section,) = profile.titled(SECTION)
    check(1 <= len(section.rows) <= 10, run, f"{len(section.rows)} rows")
    used = {row.trace.serial for row in section.rows} | {300000}
    # A table of the time so far, which a JVM that is killed would leave, is written once a
    # second at most, and has no more than 10 rows of a tenth and more; the last one replaces it.
    others = set(profile.traces) - used
    check(used <= set(profile.traces) and len(others) <= 10 * int(run.wall_s), run,
          f"traces without a row: {sorted(others)[:20]}")


# ---- dumps --------------------------------------------------------------


@pytest.mark.emulated_more
@precision("n")
def test_sections_of_many_dumps_add_up(java, msa):
    live = java.start("TimesDumps", f"cpu=times,cutoff=0,depth=16,msa={msa}", 4)
    for number in range(3):
        live.wait_stdout(f"round={number}")
        let_use(live, 0.1)  # into the round
        sigquit(live)
    run = live.finish()
    check(run.exit_code == 0, run, "exit code")
    profile = run.profile()
    sections = profile.titled(SECTION)
    check(len(sections) == 4, run, f"{len(sections)} sections, should be 4")
    check(len(profile.titled(OFF_SECTION)) == (4 if msa == "y" else 0), run, "OFF-CPU sections")
    check_calls(run, profile, "TimesDumps")
    shares = [sum(row.count for row in section.rows if row.names[:1] == ["TimesDumps.leaf"])
              for section in sections]
    check(min(shares) > 0, run, f"calls of leaf in the sections: {shares}")
    check_total(run, sections, "TimesDumps.work", run.truth["work.cpu_ns"], run.truth["work.most_ns"],
                moved_ms(step_ms(run), 4))


@pytest.mark.thorough
def test_doe_n_writes_no_section_at_exit(java):
    live = java.start("TimesDumps", "cpu=times,cutoff=0,doe=n", 2)
    live.wait_stdout("round=0")
    sigquit(live)
    run = live.finish()
    sections = run.profile().titled(SECTION)
    check(len(sections) == 1, run, f"{len(sections)} sections, should be the one of the signal")


@pytest.mark.any_jvm
def test_a_killed_jvm_leaves_a_table(java):
    live = java.start("TimesSleep", "cpu=times", 0, 60000)

    def compute_ms(profile):
        return sum(total_ms(section, "TimesSleep.compute") for section in profile.titled(SECTION))

    wait_shown(live, lambda profile: compute_ms(profile) > 300)
    run = live.kill_between_writes()
    check(run.exit_code == -signal.SIGKILL, run, "the test failed to kill it")
    profile = run.profile()
    check(len(profile.titled(SECTION)) == 1, run,
          f"{len(profile.titled(SECTION))} sections, should be 1")
    check(compute_ms(profile) > 300, run, f"{compute_ms(profile):.0f} ms of compute")


# ---- what must not change -----------------------------------------------


@precision("n")
def test_what_the_program_sees_and_prints_is_as_without_the_agent(run_java, msa):
    plain = run_java("TimesOutput", None, 7, exit_code=7)
    run = run_java("TimesOutput", f"cpu=times,msa={msa}", 7, exit_code=7)
    check_same_output(without_agent_lines(run), plain)


HUGE = """
public final class TimesHuge {
    static int sink;
    static void leaf() { sink++; }
    static void caller() { huge(1); }
    static void fine() { leaf(); }
    static int huge(int i) {
        switch (i) { case 0: return 0; default: leaf(); }
        try { LONG } catch (RuntimeException e) { leaf(); }
        return i;
    }
    public static void main(String[] args) {
        for (int i = 0; i < 1000; i++) { caller(); fine(); }
        System.out.println("sink=" + sink);
    }
}
""".replace("LONG", 10914 * "i += 12345;")  # 6 bytes each


def test_a_method_near_64_kib_is_left_alone_and_noted(jdk, java, tmp_path):
    """Its callees are then called from its caller. The method has a few bytes less
    than the 65,535 that a method can have."""
    directory = compile_here(jdk, tmp_path / "huge", {"TimesHuge.java": HUGE}, 11)
    java.class_path = [directory]
    plain = java.run("TimesHuge", None)
    run = java.run("TimesHuge", "cpu=times,cutoff=0,depth=3")
    check_same_output(run, plain, streams=("stdout",))
    profile = run.profile()
    (section,) = profile.titled(SECTION)
    counts = {tuple(row.names): row.count for row in section.rows
              if row.names and row.names[0].startswith("TimesHuge.")}
    wanted = {("TimesHuge.main",): 1,
              ("TimesHuge.caller", "TimesHuge.main"): 1000,
              ("TimesHuge.fine", "TimesHuge.main"): 1000,
              ("TimesHuge.leaf", "TimesHuge.fine", "TimesHuge.main"): 1000,
              ("TimesHuge.leaf", "TimesHuge.caller", "TimesHuge.main"): 1000}
    check(counts == wanted, run, f"counts are {counts}")
    check(any("instrumented" in note for note in section.notes), run,
          f"a note should say that a method was left alone; notes: {section.notes}")


MANY_INTRINSICS = """
public final class TimesMany {
    static int few(int x) { int r = x; FEW return r; }
    static int many(int x) { int r = x; MANY return r; }
    static int thrower(int x) {
        int r = x;
        try { MANY r = few(r); throw new RuntimeException(); } catch (RuntimeException e) { r++; }
        return r;
    }
    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 100; i++) { sum += few(i) + many(i) + thrower(i); }
        System.out.println("sum=" + sum);
    }
}
""".replace("FEW", 50 * "r = Math.max(r, x);").replace("MANY", 7000 * "r = Math.max(r, x);")


@pytest.mark.parametrize("more", ["", pytest.param(",msa=y", marks=thorough)])
def test_methods_with_too_many_calls_of_intrinsics_are_counted_without_these(
        jdk, java, tmp_path, more):
    """7,000 calls are 49,000 bytes of code, and would be 98,000 with their counts."""
    java.class_path = [compile_here(jdk, tmp_path / "many",
                                    {"TimesMany.java": MANY_INTRINSICS}, 11)]
    plain = java.run("TimesMany", None)
    run = java.run("TimesMany", f"cpu=times,cutoff=0,depth=3{more}")
    check_same_output(run, plain, streams=("stdout",))
    section = run.profile().titled(SECTION)[0]
    counts = {tuple(row.names): row.count for row in section.rows
              if row.names and row.names[-1] == "TimesMany.main"
              and re.match(r"TimesMany|java\.lang\.Math\.max", row.names[0])}
    few, many, thrower, main = (f"TimesMany.{name}" for name in ("few", "many", "thrower", "main"))
    wanted = {(main,): 1, (few, main): 100, (many, main): 100, (thrower, main): 100,
              (few, thrower, main): 100, ("java.lang.Math.max", few, main): 5000}
    check(counts == wanted, run, f"counts are {counts}")
    check(any("2 methods are too long for all of the counting code" in note
              for note in section.notes), run, f"notes are {section.notes}")


OLD = """
public class TimesOld {
    static int sink;
    interface Step { void go(int i); }
    static void leaf() { sink++; }
    static void third(int i) { if (i % 3 == 0) throw new RuntimeException(); }
    static void step(int i) {
        try { third(i); } catch (RuntimeException e) { leaf(); } finally { leaf(); }
    }
    class Inner implements Step {
        public void go(int i) { step(i); }
    }
    static String text(int i) { return "i" + i; }
    static void each(String which) {
        switch (which) { case "i1": leaf(); break; default: break; }
    }
    public static void main(String[] args) {
        Step inner = new TimesOld().new Inner();
        for (int i = 0; i < 900; i++) { inner.go(i); each(text(i % 2)); }
    }
}
"""


def test_old_class_files_are_instrumented(jdk, java, tmp_path):
    java.class_path = [compile_here(jdk, tmp_path / "old", {"TimesOld.java": OLD}, 8)]
    run = java.run("TimesOld", "cpu=times,cutoff=0,depth=3")
    (section,) = run.profile().titled(SECTION)
    counts = {}
    for row in section.rows:
        if row.names and row.names[0].startswith("TimesOld"):
            counts[row.names[0]] = counts.get(row.names[0], 0) + row.count
    wanted = {"TimesOld.main": 1, "TimesOld.<init>": 1, "TimesOld$Inner.<init>": 1,
              "TimesOld$Inner.go": 900, "TimesOld.step": 900, "TimesOld.third": 900,
              "TimesOld.text": 900, "TimesOld.each": 900, "TimesOld.leaf": 900 + 300 + 450}
    check(counts == wanted, run, f"counts are {counts}")


# ---- beside another agent ------------------------------------------------


BESIDE_AGENT = """
import java.lang.instrument.*;
import java.nio.*;
import java.nio.file.*;
import java.security.ProtectionDomain;

public final class BesideAgent implements ClassFileTransformer {
    static Instrumentation instrumentation;
    static byte[] other;
    static volatile boolean on;
    static volatile int transformed;
    public static void premain(String how, Instrumentation given) throws Exception {
        instrumentation = given;
        other = Files.readAllBytes(Paths.get(how.substring(1)));
        on = how.charAt(0) == 'l';
        given.addTransformer(new BesideAgent(), true);
    }
    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
                            ProtectionDomain domain, byte[] bytes) {
        if (!"Beside".equals(name)) {
            return null;
        }
        transformed++;
        ByteBuffer changed = ByteBuffer.wrap(bytes.clone());
        for (int at = 0; on && at + 8 <= bytes.length; at++) {
            if (changed.getLong(at) == 1000001L) {
                changed.putLong(at, 2000002L);
            }
        }
        return on ? changed.array() : null;
    }
    public static void retransform(Class<?> of) throws Exception {
        on = true;
        instrumentation.retransformClasses(of);
    }
    public static void redefine(Class<?> of) throws Exception {
        instrumentation.redefineClasses(new ClassDefinition(of, other));
    }
}
"""

BESIDE = """
public final class Beside {
    public static long seen;
    static void leaf(int i) { seen += STEP; if (i % 3 == 0) throw new RuntimeException(); }
    static void work(int i) { try { leaf(i); } catch (RuntimeException e) { seen++; } }
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3000; i++) { work(i); }
        if (args[0].equals("retransform")) BesideAgent.retransform(Beside.class);
        if (args[0].equals("redefine")) BesideAgent.redefine(Beside.class);
        for (int i = 0; i < 3000; i++) { work(i); }
        System.out.println("seen=" + seen);
        System.out.println("transformed=" + BesideAgent.transformed);
    }
}
"""


@pytest.fixture(scope="session")
def besides(tmp_path_factory):
    """besides(jdk): a directory with the program, its other version, and the agent."""
    @functools.cache
    def make(jdk):
        directory = tmp_path_factory.mktemp("beside")
        program = compile_here(jdk, directory / "program", {
            "BesideAgent.java": BESIDE_AGENT, "Beside.java": BESIDE.replace("STEP", "1000001L")})
        other = compile_here(jdk, directory / "other", {
            "Beside.java": BESIDE.replace("STEP", "3000003L")}, class_path=program)
        with zipfile.ZipFile(directory / "agent.jar", "w") as jar:
            jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n"
                         "Premain-Class: BesideAgent\nCan-Retransform-Classes: true\n"
                         "Can-Redefine-Classes: true\n")
            jar.write(program / "BesideAgent.class", "BesideAgent.class")
        return program, other / "Beside.class", directory / "agent.jar"
    return make


@pytest.mark.parametrize("how, order", [
    ("load", "before"), pytest.param("load", "after", marks=thorough),
    pytest.param("retransform", "before", marks=thorough), ("retransform", "after"),
    ("redefine", "after")])
def test_another_agent_s_instrumentation_and_ours_both_work(jdk, java, besides, how, order):
    program, other, jar = besides(jdk)
    java.class_path = [program]
    given = f"-javaagent:{jar}={'l' if how == 'load' else 'o'}{other}"
    options = "cpu=times,cutoff=0,depth=3"
    if order == "before":
        run = java.run("Beside", options, how, java_opts=[given])
    else:  # the runner puts ours in front of the class, so theirs takes its place
        run = java.run(given, options, "Beside", how)
    step = 1000001
    steps = {"load": (2 * step, 2 * step), "retransform": (step, 2 * step),
             "redefine": (step, 3 * step)}[how]
    check(run.truth["seen"] == 3000 * sum(steps) + 2000, run,
          f"the other agent's code did not run as it should: {steps} a call")
    check(run.truth["transformed"] >= 1, run, "the other agent saw no class")
    (section,) = run.profile().titled(SECTION)
    counts = {}
    for row in section.rows:
        if row.names and row.names[0].startswith("Beside."):
            counts[tuple(row.names)] = counts.get(tuple(row.names), 0) + row.count
    wanted = {("Beside.main",): 1, ("Beside.work", "Beside.main"): 6000,
              ("Beside.leaf", "Beside.work", "Beside.main"): 6000}
    check(counts == wanted, run, f"counts are {counts}")
