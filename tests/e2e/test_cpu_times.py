"""cpu=times, compared with programs that count their own calls and measure their times."""

import functools
import os
import signal
import subprocess
import zipfile

import pytest

from builds import PLATFORM, VIRTUAL_THREADS
from checks import check
from live_run import let_use, wait_until
from times_checks import calls_of, check_calls, counts_by_names, total_ms

PRECISIONS = pytest.mark.parametrize("msa", ["n", "y"])
SECTION = "CPU TIME"
OFF_SECTION = "OFF-CPU TIME"


def run_calls(run_java, main, *args, options="", **how):
    """Runs the program and checks the calls that it says."""
    run = run_java(main, f"cpu=times,cutoff=0{options}", *args, **how)
    profile = run.profile()
    check_calls(run, profile, main)
    return run, profile


def sigquit(live):
    """Sends it, and waits until the agent has said the dump."""
    before = live.stderr_count("hprof: ")
    live.signal(signal.SIGQUIT)
    wait_until(lambda: live.stderr_count("hprof: ") > before, live)


# ---- calls --------------------------------------------------------------


@pytest.mark.parametrize("depth, msa", [(1, "n"), (2, "y"), (4, "n"), (16, "n")])
def test_each_call_is_counted_at_its_trace(run_java, depth, msa):
    run_calls(run_java, "TimesCalls", 20000, options=f",depth={depth},msa={msa}")


@PRECISIONS
def test_exceptions_leave_the_calls_after_them_in_place(run_java, msa):
    run_calls(run_java, "TimesThrows", 3000, options=f",depth=6,msa={msa}")


@PRECISIONS
def test_calls_that_come_by_other_ways_are_counted(run_java, msa):
    run_calls(run_java, "TimesWays", 300, options=f",depth=8,msa={msa}")


LEAVES = ["count", "getX", "setX", "larger", "name", "kind"]
LEAF_OR_NOT = LEAVES + ["nextX", "value", "ratio", "held"]


@pytest.mark.asan
@PRECISIONS
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


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("more", ["", ",msa=y", ",include=java.lang.Math"])
def test_calls_of_methods_that_compilers_replace_are_counted(run_java, compiler, more):
    n = 20000
    vm = [compiler] if compiler else []
    run = run_java("TimesIntrinsics", f"cpu=times,cutoff=0,depth=3{more}", n, java_opts=vm)
    profile = run.profile()
    (section,) = [s for s in profile.sections if s.title == SECTION]
    if more == ",include=java.lang.Math":
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


@PRECISIONS
def test_calls_after_stack_overflows_are_counted_at_their_trace(run_java, msa):
    times = 100
    run = run_java("TimesOverflow", f"cpu=times,cutoff=0,depth=3,msa={msa}", times)
    profile = run.profile()
    check_calls(run, profile, "TimesOverflow", but=("dive", "leaf", "guardedDive"))
    for name, said in (("dive", "dives"), ("leaf", "leaves"), ("guardedDive", "guards")):
        real, seen = run.truth[said], calls_of(profile, f"TimesOverflow.{name}")
        check(real > 100 * times and abs(seen - real) <= times, run,
              f"{name}: {real} calls, {seen} counted")


@pytest.mark.parametrize("thread, msa", [("n", "n"), ("n", "y"), ("y", "n")])
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


@PRECISIONS
def test_ten_thousand_virtual_threads_keep_their_calls_over_parking(jdk, run_java, msa):
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads before 21")
    run, _ = run_calls(run_java, "TimesVirtual", 10000, 4, 20, options=f",depth=5,msa={msa}",
                       java_opts=["-Djdk.virtualThreadScheduler.parallelism=4"])
    check(run.truth["parks"] == 80000, run, f"{run.truth['parks']} times parked")


# ---- time ---------------------------------------------------------------


@pytest.mark.ports
@pytest.mark.alone
@pytest.mark.parametrize("options, points", [
    ("msa=n", 8 if PLATFORM == "solaris" else 2),  # its timers expire at ticks of the clock
    ("msa=y", 1),
    ("engine=clock", 6)])
def test_self_times_are_the_shares_of_the_cpu_time(run_java, options, points):
    run = run_java("TimesShares", f"cpu=times,cutoff=0,depth=8,lineno=n,{options}", 2000)
    (section,) = run.profile().titled(SECTION)
    callers = ["TimesShares.inner", "TimesShares.middle", "TimesShares.outer",
               "TimesShares.main"]
    # What they spend in reading the clock is theirs.
    clock = ("Truth.cpuNs", "sun.", "com.sun.", "java.lang.management.")
    seen = {}
    for at, name in enumerate(("inner", "middle", "outer")):
        own = 0
        for row in section.rows:
            names = row.names
            while names and names[0].startswith(clock):
                names = names[1:]
            if names and names == callers[at:at + len(names)]:
                own += row.self_percent
        seen[name] = own
    real = {name: run.truth[f"{name}.cpu_ns"] for name in seen}
    for name, percent in seen.items():
        share = 100 * percent / sum(seen.values())
        wanted = 100 * real[name] / sum(real.values())
        check(abs(share - wanted) <= points, run,
              f"{name} has {share:.2f}% of the three, its CPU time is {wanted:.2f}%")
    ms = sum(seen.values()) * section.total / 100
    check(abs(ms - sum(real.values()) / 1e6) <= 0.02 * ms, run,
          f"the three have {ms:.0f} ms, they measured {sum(real.values()) / 1e6:.0f}")


@pytest.mark.ports
@pytest.mark.alone
def test_msa_tells_computing_from_sleeping(run_java):
    run = run_java("TimesSleep", "cpu=times,cutoff=0,depth=8,msa=y", 2000, 1000)
    profile, truth = run.profile(), run.truth
    (cpu,) = profile.titled(SECTION)
    (off,) = profile.titled(OFF_SECTION)
    # By the clocks that are read in the method, and by those around its call.
    for section, name, least_ns, most_ns, slack_ms in (
            (cpu, "TimesSleep.compute", truth["compute.cpu_ns"], truth["compute.cpu_ns"], 30),
            (off, "TimesSleep.rest", truth["rest.least_ns"], truth["rest.wall_ns"], 40),
            (cpu, "TimesSleep.rest", 0, 0, 20),
            (off, "TimesSleep.compute", truth["compute.least_off_ns"],
             truth["compute.most_off_ns"], 40)):
        shown = total_ms(section, name)
        check(least_ns / 1e6 - slack_ms <= shown <= most_ns / 1e6 + slack_ms, run,
              f"{section.title} of {name}: {shown:.0f} ms, should be {least_ns / 1e6:.0f} to "
              f"{most_ns / 1e6:.0f}")


@pytest.mark.alone
def test_short_methods_have_the_time_of_recursion_and_of_waiting(run_java):
    """Although most of their calls don't look at the clocks."""
    run = run_java("TimesShort", "cpu=times,cutoff=0,depth=4,msa=y", 600, 500)
    profile, truth = run.profile(), run.truth
    (cpu,) = profile.titled(SECTION)
    (off,) = profile.titled(OFF_SECTION)
    calls = sum(row.count for row in cpu.rows if row.names[:1] == ["TimesShort.fibonacci"])
    check(calls == 21891 * truth["rounds"], run, f"{calls} calls in {truth['rounds']} rounds")
    shown = total_ms(cpu, "TimesShort.fibonacci") / (truth["recurse.cpu_ns"] / 1e6)
    check(0.9 < shown < 1.02, run, f"fibonacci has {shown:.0%} of the time that it took")
    waited = sum(row.self_percent for row in off.rows
                 if row.names[:1] == ["TimesShort$Comer.enter"]) / 100 * off.total
    least, most = (truth[f"enter.{end}_ns"] / 1e6 for end in ("least", "most"))
    check(least - 40 < waited < most + 40, run,
          f"enter waited {waited:.0f} ms, should be {least:.0f} to {most:.0f}")


@pytest.mark.ports
def test_without_msa_there_is_no_off_cpu_section(run_java):
    run = run_java("TimesSleep", "cpu=times,cutoff=0", 100, 200)
    profile = run.profile()
    check(len(profile.titled(SECTION)) == 1 and not profile.titled(OFF_SECTION), run,
          f"sections: {[section.title for section in profile.sections]}")
    shown = total_ms(profile.sections[0], "TimesSleep.compute")
    used = run.truth["compute.cpu_ns"] / 1e6
    check(abs(shown - used) <= 15, run, f"compute has {shown:.0f} ms of {used:.0f}")


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


@PRECISIONS
def test_sections_of_many_dumps_add_up(java, msa):
    live = java.start("TimesDumps", f"cpu=times,cutoff=0,depth=4,msa={msa}", 4)
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
    shown = sum(total_ms(section, "TimesDumps.work") for section in sections)
    real = run.truth["work.cpu_ns"] / 1e6
    check(abs(shown - real) <= 0.05 * real, run, f"work has {shown:.0f} ms of {real:.0f}")


def test_doe_n_writes_no_section_at_exit(java):
    live = java.start("TimesDumps", "cpu=times,cutoff=0,doe=n", 2)
    live.wait_stdout("round=0")
    sigquit(live)
    run = live.finish()
    sections = run.profile().titled(SECTION)
    check(len(sections) == 1, run, f"{len(sections)} sections, should be the one of the signal")


def test_a_killed_jvm_leaves_a_table(java):
    live = java.start("TimesSleep", "cpu=times", 0, 30000)
    live.wait_stdout("rest.wall_ns")
    let_use(live, 2.5)
    live.signal(signal.SIGKILL)
    run = live.finish()
    check(run.exit_code == -signal.SIGKILL, run, "the test failed to kill it")
    sections = run.profile().titled(SECTION)
    check(len(sections) == 1, run, f"{len(sections)} sections, should be 1")
    shown = total_ms(sections[0], "TimesSleep.compute")
    check(shown > 300, run, f"{shown:.0f} ms of compute, which ran for 2.5 s")


# ---- what must not change -----------------------------------------------


@PRECISIONS
def test_what_the_program_sees_and_prints_is_as_without_the_agent(run_java, msa):
    plain = run_java("TimesOutput", None, 7, exit_code=7)
    run = run_java("TimesOutput", f"cpu=times,msa={msa}", 7, exit_code=7)
    for stream in ("stdout", "stderr"):
        wanted = getattr(plain, stream).splitlines()
        seen = [line for line in getattr(run, stream).splitlines()
                if not line.startswith("hprof: ")]
        differing = [pair for pair in zip(wanted, seen) if pair[0] != pair[1]]
        check(wanted == seen, run, f"{stream} has {len(seen)} lines instead of {len(wanted)}, "
                                   f"the first that differ are {differing[:1]}")


def compile_here(jdk, directory, sources, *options, class_path=""):
    """Compiles Java text to directory; sources by file name."""
    directory.mkdir(exist_ok=True)
    for name, text in sources.items():
        (directory / name).write_text(text, encoding="utf-8")
    subprocess.run([jdk.javac, "-nowarn", "-d", directory, *options, "-cp",
                    f"{directory}{os.pathsep}{class_path}", *[directory / name for name in sources]],
                   check=True, capture_output=True, timeout=120)
    return directory


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
    directory = compile_here(jdk, tmp_path / "huge", {"TimesHuge.java": HUGE}, "--release", "11")
    java.class_path = [directory]
    plain = java.run("TimesHuge", None)
    run = java.run("TimesHuge", "cpu=times,cutoff=0,depth=3")
    check(run.stdout == plain.stdout, run, f"stdout should be {plain.stdout!r}")
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
    java.class_path = [compile_here(jdk, tmp_path / "old", {"TimesOld.java": OLD},
                                    "--release", "8")]
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


@pytest.mark.parametrize("how, order", [("load", "before"), ("load", "after"),
                                        ("retransform", "before"), ("retransform", "after"),
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
