"""cpu=samples, compared with programs that measure their own CPU time."""

import os
import re
import time
from pathlib import Path

import pytest

from readers.hprof_text import NO_STACK
from support import processes
from support.builds import JAVA_SOURCES, PLATFORM, VIRTUAL_THREADS
from support.checks import (at_least, at_most, check, check_cpu, check_stacks, check_time,
                            judges_times, samples, samples_lost, samples_on_top,
                            samples_without_stack)

BLOCKED = {"Shares.sleeper": 3, "Shares.acceptor": 1, "Shares.waiter": 1}
thorough = pytest.mark.thorough
CALIBRATED = [("async", "steady"), pytest.param("async", "pulsed", marks=thorough),
              # It looks at the threads when the system lets it.
              pytest.param("clock", "steady", marks=pytest.mark.alone)]
# In binary, too, by check-all.
in_text = pytest.mark.parametrize("format_", [pytest.param("a", marks=pytest.mark.asan),
                                              pytest.param("b", marks=thorough)])


def shares(shared_run, jdk, engine, rhythm):
    return shared_run(jdk, "Shares", f"cpu=samples,engine={engine},cutoff=0,depth=16,lineno=n",
                      rhythm, 3000)


@pytest.mark.ports
@pytest.mark.parametrize("engine, rhythm", CALIBRATED)
def test_busy_threads_have_their_shares(jdk, shared_run, engine, rhythm):
    run = shares(shared_run, jdk, engine, rhythm)
    profile, truth = run.profile(), run.truth
    busy_ns = truth["heavy.cpu_ns"] + truth["light.cpu_ns"]
    counts = {name: samples(profile, f"Shares.{name}") for name in ("heavy", "light")}
    total = sum(counts.values())
    # One of each thread, early or late, and those without a stack can be of either.
    off = 2 + samples_without_stack(profile)
    for name, count in counts.items():
        real = total * truth[f"{name}.cpu_ns"] / busy_ns
        check_time(abs(count - real) <= off, run, f"{name} has {count} of {total} samples, {real:.1f} by "
                   f"its CPU time, and can be {off} off ({counts})")


@pytest.mark.ports
@pytest.mark.parametrize("engine, rhythm", CALIBRATED)
def test_samples_times_interval_is_the_cpu_time_of_each_busy_thread(
        jdk, shared_run, engine, rhythm):
    run = shares(shared_run, jdk, engine, rhythm)
    profile = run.profile()
    for name in ("heavy", "light"):
        check_cpu(run, name, samples(profile, f"Shares.{name}"), run.truth[f"{name}.cpu_ns"])


@pytest.mark.skipif(PLATFORM != "linux", reason="the program reads an account of Linux")
@pytest.mark.parametrize("engine", ["async", "clock"])
@judges_times
def test_what_the_agent_does_before_main_is_no_sample(run_java, engine):
    """heap=sites rewrites classes then, without a Java frame, on the thread that calls main(). Most of
    what that has used when main() begins is this."""
    run = run_java("StartTruth", f"cpu=samples,heap=sites,interval=1,cutoff=0,engine={engine}")
    shown_ns = run.interval_ns * samples_without_stack(run.profile())
    begun = run.truth["begun.cpu_ns"]
    check(shown_ns < 0.3 * begun, run, f"{shown_ns / 1e6:.0f} ms have no stack; {begun / 1e6:.0f} ms had "
                                       "been used when main() began")


@pytest.mark.parametrize("rhythm", ["steady", pytest.param("pulsed", marks=thorough)])
def test_rows_name_the_method_that_burns_and_not_the_next_safepoint(jdk, shared_run, rhythm):
    """The loop asks for the CPU time now and then by a native method, which costs
    little, but is where a thread that is stopped at a safepoint is found."""
    run = shares(shared_run, jdk, "async", rhythm)
    profile = run.profile()
    busy = samples(profile, "Shares.heavy") + samples(profile, "Shares.light")
    loop = samples_on_top(profile, "Shares.spin")
    check(loop >= at_least(busy, 0.97), run, f"{loop} of {busy} samples are in Shares.spin")


@pytest.mark.ports
@pytest.mark.parametrize("engine, rhythm", CALIBRATED)
def test_the_total_is_the_cpu_time_of_all_java_threads(jdk, shared_run, engine, rhythm):
    """What the main thread used before main, in part before the agent could see
    it, is the doubt between the two ends."""
    run = shares(shared_run, jdk, engine, rhythm)
    truth, total_ns = run.truth, run.profile().total * run.interval_ns
    most = truth["live.cpu_ns"] + truth["heavy.cpu_ns"] + truth["light.cpu_ns"]
    least = most - truth["main.start_cpu_ns"]
    # The main thread goes on to its end, and the JVM with it, after it has read the clocks.
    check(0.95 * least - 2 * run.interval_ns <= total_ns <= 1.05 * most + 3 * run.interval_ns,
          run, f"total of {total_ns / 1e6:.0f} ms, should be between {least / 1e6:.0f} "
               f"and {most / 1e6:.0f}")


@pytest.mark.ports
@pytest.mark.parametrize("engine, rhythm", [
    pytest.param("async", "steady", marks=pytest.mark.asan), *CALIBRATED[1:]])
def test_blocked_threads_are_absent(jdk, shared_run, engine, rhythm):
    """One sample is what a blocked thread's start and end may cost."""
    run = shares(shared_run, jdk, engine, rhythm)
    profile = run.profile()
    check(samples(profile, "Shares.heavy") > 0, run, "no samples of a busy thread")
    for name, threads in BLOCKED.items():
        count = samples(profile, name)
        check_time(count <= threads, run, f"{name} has {count} samples")
    # In pulsed the busy threads sleep too; their naps cost next to nothing.
    asleep = sum(row.count for row in profile.rows if row.names and row.names[0] in (
        "java.lang.Thread.sleep", "java.lang.Thread.sleep0", "java.lang.Object.wait",
        "java.lang.Object.wait0", "sun.nio.ch.Net.accept", "sun.nio.ch.Net.poll"))
    check_time(asleep <= at_most(profile.total, 0.05), run,
               f"{asleep} of {profile.total} samples are in methods that only wait")


@pytest.mark.ports
@pytest.mark.parametrize("engine, rhythm", CALIBRATED)
def test_all_but_one_percent_of_samples_have_a_stack(jdk, shared_run, engine, rhythm):
    run = shares(shared_run, jdk, engine, rhythm)
    check_stacks(run, run.profile())


def test_samples_in_stubs_and_in_the_vm_have_their_stack(jdk, run_java, tmp_path):
    """javac starts up in the interpreter and the first compiler, whose code is often
    in small stubs without a frame, or in the VM through them: with this option it
    calls the VM every few invocations."""
    if not jdk.has_module("jdk.compiler"):
        pytest.skip("this image has no javac of its own, the program that is profiled")
    run = run_java("com.sun.tools.javac.Main", "cpu=samples,engine=async,interval=1,cutoff=0",
                   "-proc:none", "-nowarn", "-d", tmp_path / "classes",
                   *sorted(JAVA_SOURCES.glob("*.java")),
                   java_opts=["-XX:Tier3InvokeNotifyFreqLog=3", "--add-modules", "jdk.compiler"])
    profile = run.profile()
    check(profile.total >= 500, run, f"only {profile.total} samples")
    check_stacks(run, profile, 0.005)


@pytest.mark.alone
def test_verbose_prints_what_is_profiled_and_each_dump_and_the_file_names_the_engine(
        jdk, shared_run):
    notes = {}
    for engine in ("async", "clock"):
        run = shares(shared_run, jdk, engine, "steady")
        check(len(run.agent_lines) == 2, run,
              "verbose=y should print one line at the start and one for the dump")
        check(run.stderr.splitlines() == run.agent_lines, run, "other lines on stderr")
        start = (f"hprof: profiling cpu=samples every {run.option('interval', '10')} ms "
                 f"to {run.option('file', 'java.hprof.txt')}")
        check(run.agent_lines[0] == start, run, f"the first line should be {start!r}")
        run.profile()
        notes[engine] = [note for note in run.notes if note.startswith("cpu=samples: ")]
        check(len(notes[engine]) == 1 and "; clocks: " in notes[engine][0], run,
              f"one NOTE should name engine and clocks: {run.notes}")
    check(notes["async"] != notes["clock"], run, f"both engines have {notes['clock']}")


def test_a_hot_loop_without_a_safepoint_poll_is_named(run_java):
    run = run_java("HotLoop", "cpu=samples,engine=async,interval=1,cutoff=0,lineno=n", 2500, java_opts=[
        "-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0",
        "-XX:CompileCommand=quiet", "-XX:CompileCommand=dontinline,HotLoop::*"])
    profile, truth = run.profile(), run.truth
    hot, cheap = (samples_on_top(profile, f"HotLoop.{name}") for name in ("hot", "cheap"))
    check(profile.rows[0].names[0] == "HotLoop.hot", run,
          f"the first row is {profile.rows[0].names}")
    real = truth["hot.cpu_ns"] / (truth["hot.cpu_ns"] + truth["cheap.cpu_ns"])
    least, most = at_least(hot + cheap, real), at_most(hot + cheap, real)
    check_time(least <= hot <= most, run, f"hot has {hot} of {hot + cheap} samples, should have {least} "
               f"to {most} for {real:.1%} of the CPU time")
    check_cpu(run, "HotLoop.hot", hot, truth["hot.cpu_ns"])


def test_an_interval_of_1_ms_is_kept(jdk, shared_run):
    run = shared_run(jdk, "Twins", "cpu=samples,interval=1,cutoff=0,thread=y", 1200, 800)
    profile = run.profile()
    check_cpu(run, "Twins.burn", samples(profile, "Twins.burn"),
              run.truth["apples.cpu_ns"] + run.truth["oranges.cpu_ns"])


@pytest.mark.thorough
def test_an_interval_of_50_ms_is_kept(run_java):
    run = run_java("Twins", "cpu=samples,interval=50,cutoff=0", 1200, 800)
    profile = run.profile()
    check_cpu(run, "Twins.burn", samples(profile, "Twins.burn"),
              run.truth["apples.cpu_ns"] + run.truth["oranges.cpu_ns"])


@pytest.mark.emulated_more
def test_thread_y_keeps_the_threads_apart(jdk, shared_run):
    run = shared_run(jdk, "Twins", "cpu=samples,interval=1,cutoff=0,thread=y", 1200, 800)
    profile = run.profile()
    for name in ("apples", "oranges"):
        (thread,) = [t for t in profile.threads.values() if t.name == name]
        count = sum(row.count for row in profile.rows
                    if row.trace.thread == thread.id and "Twins.burn" in row.names)
        check_cpu(run, name, count, run.truth[f"{name}.cpu_ns"])


@pytest.mark.emulated_more
def test_thread_y_keeps_the_threads_apart_in_binary(run_java):
    run = run_java("Twins", "cpu=samples,cutoff=0,thread=y,format=b", 900, 600)
    profile = run.profile()
    for name in ("apples", "oranges"):
        (thread,) = [t for t in profile.threads.values() if t.name == name]
        check(thread.group == "main" and thread.parent_group == "system", run,
              f"{name} is in {thread.group} of {thread.parent_group}")
        count = sum(row.count for row in profile.rows
                    if row.trace.thread == thread.id and "Twins.burn" in row.names)
        check_cpu(run, name, count, run.truth[f"{name}.cpu_ns"])


@pytest.mark.any_jvm
def test_thread_n_shares_traces_between_threads(run_java):
    run = run_java("Twins", "cpu=samples,cutoff=0,lineno=n,depth=1", 500, 500)
    rows = [row for row in run.profile().rows if row.names == ["Twins.burn"]]
    check(len(rows) == 1, run, f"{len(rows)} rows of one method in two threads")


def test_line_numbers_are_those_of_the_loop(jdk, shared_run):
    source = (JAVA_SOURCES / "Twins.java").read_text().splitlines()
    begin, end = (next(i for i, line in enumerate(source, 1) if f"burn {what}" in line)
                  for what in ("begins", "ends"))
    run = shared_run(jdk, "Twins", "cpu=samples,interval=1,cutoff=0,thread=y", 1200, 800)
    total = inside = 0
    for row in run.profile().rows:
        if row.names[:1] == ["Twins.burn"]:
            top = row.frames[0]
            check(top.source == "Twins.java", run, f"source is {top.source}")
            total += row.count
            inside += row.count if isinstance(top.line, int) and begin < top.line < end else 0
    check(total > 0 and inside >= at_least(total, 0.95), run,
          f"{inside} of {total} samples are on lines {begin + 1} to {end - 1}")


@pytest.mark.any_jvm
def test_lineno_n_writes_no_line_and_merges_the_lines_of_a_method(run_java):
    run = run_java("Methods", "cpu=samples,lineno=n,cutoff=0", 400)
    profile = run.profile()
    with_line = [frame for trace in profile.traces.values() for frame in trace.frames
                 if isinstance(frame.line, int)]
    check(not with_line, run, f"frames with a line: {with_line[:3]}")
    rows = [row for row in profile.rows
            if row.names[:2] == ["Methods.loop", "Methods.most"]]
    check(len(rows) == 1, run, f"{len(rows)} rows for one stack")


def test_native_methods_are_called_so_where_that_is_asked_for(run_java):
    """Reading the CPU clock is a native method, which each busy thread is now and
    then sampled in; where it wasn't, other native methods of the start-up were. The
    parser refuses such frames in all other runs."""
    run = run_java("Twins", "cpu=samples,interval=1,cutoff=0,native=y", 1200, 800)
    native = {frame.name for trace in run.profile().traces.values() for frame in trace.frames
              if frame.line == "Native method"}
    check(native, run, "no native method in any trace of 2,000 samples")
    check("Twins.burn" not in native, run, "a Java method is called native")


@pytest.mark.thorough
def test_the_cutoff_leaves_rows_out_but_not_of_the_total(run_java):
    run = run_java("Methods", "cpu=samples,lineno=n,cutoff=0.2,depth=2", 1500)
    (section,) = run.profile().sections
    shown = [row.names for row in section.rows]
    check(["Methods.loop", "Methods.most"] in shown
          and ["Methods.loop", "Methods.some"] in shown, run, f"rows are {shown}")
    check(["Methods.loop", "Methods.little"] not in shown, run, "a tenth passed a cutoff of 0.2")
    check(section.total * run.interval_ns >= 0.95 * run.truth["worker.cpu_ns"], run,
          f"a total of {section.total} leaves out what was cut off")


@pytest.mark.thorough
def test_methods_of_one_thread_have_their_counts(run_java):
    run = run_java("Methods", "cpu=samples,cutoff=0", 1000)
    profile = run.profile()
    for name in ("most", "some", "little"):
        check_cpu(run, name, samples(profile, f"Methods.{name}"), run.truth[f"{name}.cpu_ns"])


@pytest.mark.parametrize("depth", [1, pytest.param(4, marks=thorough)])
def test_traces_have_at_most_depth_frames(run_java, depth):
    run = run_java("DeepRecursion", f"cpu=samples,cutoff=0,depth={depth}", 100, 2000, 400)
    profile = run.profile()
    deepest = max(len(trace.frames) for trace in profile.traces.values())
    check(deepest == depth, run, f"the deepest trace has {deepest} frames")
    check_cpu(run, "spinShallow", samples(profile, "DeepRecursion.spinShallow"),
              run.truth["spinShallow.cpu_ns"])


@pytest.mark.parametrize("format_, interval", [
    pytest.param("a", 10, marks=thorough), ("b", 10), pytest.param("a", 1, marks=pytest.mark.asan)])
def test_deep_stacks_are_whole_up_to_depth_1024(run_java, format_, interval):
    run = run_java("DeepRecursion", f"cpu=samples,cutoff=0,depth=1024,format={format_},"
                   f"interval={interval}", 100, 2000, 400)
    profile = run.profile()
    check_stacks(run, profile)
    whole = ["DeepRecursion.spinShallow"] + 100 * ["DeepRecursion.shallow"] + [
        "DeepRecursion.main"]
    cut = ["DeepRecursion.spinDeep"] + 1023 * ["DeepRecursion.deep"]
    for wanted in (whole, cut):
        # Reading the clock puts a frame or more on top now and then.
        found = total = 0
        for row in profile.rows:
            if wanted[0] in row.names:
                total += row.count
                at = row.names.index(wanted[0])
                found += row.count if row.names[at:] == wanted[:len(row.names) - at] and (
                    len(row.names) == at + len(wanted) or len(row.names) == 1024) else 0
        check_cpu(run, wanted[0], total, run.truth[f"{wanted[0].split('.')[1]}.cpu_ns"])
        check(found > 0, run, f"no sample under {wanted[0]} has the stack as it was")
        check_time(found >= at_least(total, 0.95), run,
                   f"{found} of {total} samples under {wanted[0]} have the stack as it was")


def waits_ms(live, name):
    """How long the thread of that name waited for a CPU in each few milliseconds of the run."""
    waits, known = [], None
    while live.alive():
        for task in Path(f"/proc/{live.process.pid}/task").glob("*"):
            try:
                if (task / "comm").read_text(encoding="utf-8").strip() == name:
                    waited = int((task / "schedstat").read_text(encoding="ascii").split()[1])
                    waits.append((waited - (waited if known is None else known)) / 1e6)
                    known = waited
            except OSError:
                continue
        time.sleep(0.005)
    return waits


@pytest.mark.alone
@judges_times
@pytest.mark.skipif(PLATFORM != "linux", reason="waits for a CPU are in /proc/PID/task/TID/schedstat")
def test_no_deep_stack_is_lost_while_other_processes_want_the_cpus(java):
    """A thread's buffer has room for 32 stacks of 1,024 frames, and the agent's thread is woken
    when half of it is used: a stack is lost only if that thread waits for a CPU for longer than
    the other half lasts."""
    with processes.busy(2 * os.cpu_count()):
        live = java.start("DeepRecursion", "cpu=samples,cutoff=0,depth=1024,interval=1",
                          100, 2000, 800)
        waits = waits_ms(live, "hprof")
        run = live.finish()
    profile = run.profile()
    check(len(waits) > 10, run, "the agent's thread was not seen")
    lost = samples(profile, f"{NO_STACK}.buffer_full")
    allowed = sum(max(0, wait - 16) for wait in waits)
    check(lost <= allowed, run, f"{lost} of {profile.total} samples were lost, though the agent's "
                                f"thread waited for a CPU for {max(waits):.1f} ms at most at a time")


@in_text
def test_samples_in_unloaded_classes_keep_their_names(run_java, format_):
    run = run_java("Unloading", f"cpu=samples,cutoff=0,depth=8,format={format_}", 16, 100)
    profile, truth = run.profile(), run.truth
    check(truth["unloaded"] >= 15, run, "the program failed to unload its classes")
    wrong = {}
    sampled = 0
    lost = samples_lost(profile)
    for number in range(1, 17):
        name = f"Burner{number:02d}"
        count = samples(profile, f"{name}.applyAsLong")
        # The first sample can be a little early, and the last one late: they are not of it then.
        intervals = truth[f"{name}.cpu_ns"] // run.interval_ns
        if not intervals - 2 - lost <= count <= intervals + 2:
            wrong[name] = count
        sampled += count
        sources = {frame.source for row in profile.rows for frame in row.frames
                   if frame.class_name == name}
        check(sources <= {f"{name}.java"}, run, f"sources of {name}: {sources}")
        check_time(sources, run, f"no sample of {name}")
    check(sampled > 0, run, "no sample of any of the classes")
    check_time(not wrong, run, f"10 samples of each wanted, but {wrong}")
    check_stacks(run, profile)


def test_binary_tells_which_classes_were_unloaded(run_java):
    run = run_java("Unloading", "cpu=samples,cutoff=0,depth=8,format=b", 12, 50)
    profile = run.profile()
    unloaded = {c.name for c in profile.classes.values() if c.unloaded}
    ours = {name for name in unloaded if name.startswith("Burner")}
    check(len(ours) >= run.truth["unloaded"] - 1, run,
          f"{run.truth['unloaded']} classes were unloaded, the file reports {sorted(ours)}")
    check("Unloading" not in unloaded and "java.lang.Object" not in unloaded, run,
          f"live classes are called unloaded: {sorted(unloaded - ours)}")


@in_text
def test_lambdas_and_hidden_classes_have_readable_names(run_java, format_):
    run = run_java("Lambdas", f"cpu=samples,cutoff=0,depth=16,format={format_}", 300)
    profile, truth = run.profile(), run.truth
    proxies = {frame.class_name for row in profile.rows for frame in row.frames
               if frame.class_name.startswith("Lambdas$$")}
    check(len(proxies) >= 2, run, f"classes after the lambda and the reference: {proxies}")
    odd = [name for name in proxies
           if not re.fullmatch(r"Lambdas\$\$Lambda(\$\d+)?/0x[0-9a-f]+", name)]
    check(not odd or "hidden.name" not in truth, run, f"unreadable names: {odd}")
    check(truth["lambda.name"] in proxies or "hidden.name" not in truth, run,
          f"Java's own name {truth['lambda.name']} is not among {proxies}")
    check_cpu(run, "lambda", samples(profile, "Lambdas.lambda$main$0"), truth["lambda.cpu_ns"])
    check_cpu(run, "method reference", samples(profile, "Lambdas.byReference"),
              truth["reference.cpu_ns"])
    if "hidden.name" in truth:
        check_cpu(run, "hidden class", samples(profile, f"{truth['hidden.name']}.accept"),
                  truth["hidden.cpu_ns"])


@pytest.mark.any_jvm
def test_binary_has_the_settings_signatures_and_classes_of_the_run(run_java):
    run = run_java("Methods", "cpu=samples,cutoff=0,format=b,depth=7", 300)
    profile = run.profile()
    check(profile.settings and profile.settings[0].cpu_sampling
          and not profile.settings[0].alloc_traces and profile.settings[0].depth == 7, run,
          f"control settings are {profile.settings}")
    loops = {(f.signature, f.source) for f in profile.frames.values()
             if f.name == "Methods.loop"}
    check(loops == {("(J)J", "Methods.java")}, run, f"Methods.loop is {loops}")
    # The time stamps are microseconds since the header's moment.
    check(100_000 < profile.last_us < (run.wall_s + 1) * 1e6, run,
          f"the last record is {profile.last_us} us after the header, the run took {run.wall_s} s")


def test_main_and_system_threads_are_reported(run_java):
    run = run_java("Hello", "cpu=samples")
    threads = {thread.name: thread for thread in run.profile().threads.values()}
    for name, group in (("main", "main"), ("Finalizer", "system"),
                        ("Reference Handler", "system")):
        check(name in threads and threads[name].group == group, run,
              f"no thread {name} of group {group}: {sorted(threads)}")
    check(threads["main"].ended, run, "main has ended, the file doesn't say so")


@pytest.mark.asan
def test_callers_of_virtual_threads_are_not_mixed_up(jdk, run_java):
    """Callers that lack on the carrier's stack are asked for later, when another
    virtual thread may be on it."""
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads before 21")
    run = run_java("VirtualCallers", "cpu=samples,interval=1,cutoff=0,depth=64,lineno=n",
                   4, 100, 1_000_000)
    profile = run.profile()
    total = samples(profile, "VirtualCallers.burst")
    counts = {name: samples(profile, f"VirtualCallers.{name}") for name in ("red", "blue")}
    known = sum(counts.values())
    check(min(counts.values()) > 0, run, f"samples by caller are {counts}")
    check_time(known >= at_least(total, 0.75), run,
               f"{known} of {total} samples have their callers")
    check_time(at_least(known, 2 / 3) <= counts["red"] <= at_most(known, 2 / 3), run,
               f"two of three should be of red: {counts}")


VIRTUAL = ("VirtualBurn", "cpu=samples,cutoff=0,depth=64,lineno=n", 4, 40)


@pytest.fixture
def virtual_run(jdk, shared_run):
    """A run of virtual threads that did move between carriers."""
    if jdk.version < VIRTUAL_THREADS:
        pytest.skip("no virtual threads before 21")
    run = shared_run(jdk, *VIRTUAL)
    check(run.truth["carriers.count"] >= 2, run, "the threads stayed on one carrier")
    return run


def test_virtual_threads_have_all_their_cpu_time(virtual_run):
    profile = virtual_run.profile()
    check_cpu(virtual_run, "virtualWork", samples(profile, "VirtualBurn.virtualWork"),
              virtual_run.truth["carriers.cpu_ns"])
    check_stacks(virtual_run, profile)


def test_stacks_of_virtual_threads_end_where_the_virtual_thread_does(virtual_run):
    rows = [row for row in virtual_run.profile().rows if "VirtualBurn.virtualWork" in row.names]
    mixed = [row for row in rows
             if "java.util.concurrent.ForkJoinWorkerThread.run" in row.names]
    limit = at_most(sum(r.count for r in rows), 0.02)
    check(sum(r.count for r in mixed) <= limit, virtual_run,
          f"{sum(r.count for r in mixed)} of {sum(r.count for r in rows)} samples have the "
          f"carrier's frames too, as {mixed[:1] and mixed[0].names}")


def test_stacks_of_virtual_threads_keep_their_callers_after_parking(virtual_run):
    """A thread that was parked comes back with its innermost frames only; the
    callers are still in the heap, and still its callers."""
    rows = [row for row in virtual_run.profile().rows if "VirtualBurn.virtualWork" in row.names]
    whole = [row for row in rows if "VirtualBurn.lambda$main$0" in row.names]
    other = [row for row in rows if row not in whole]
    limit = at_least(sum(r.count for r in rows), 0.95)
    check(sum(r.count for r in whole) >= limit, virtual_run,
          f"{sum(r.count for r in whole)} of {sum(r.count for r in rows)} samples have the "
          f"callers of virtualWork, others are {other[:1] and other[0].names}")
