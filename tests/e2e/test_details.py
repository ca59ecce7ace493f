"""The details behind a table (timeline=y, costs=y) and about a run (notes=y), and messages=.

The reader checks each section against its table: sums, shares, what is left out.
"""

import re
import signal
import stat
import subprocess
import time

import pytest

from support.attach import attach, jcmd
from support.checks import check, check_cpu, check_time, samples
from support.live_run import let_use, wait_until

thorough = pytest.mark.thorough
engines = pytest.mark.parametrize("engine", ["async", pytest.param("clock", marks=thorough)])
PHASES = 4
PHASE_MS = 600
PHASE_NAMES = [f"Phases.phase{number}" for number in range(PHASES)]


def when(profile, name, number=0):
    """Samples by bucket of the traces that have the method in any frame."""
    serials = [serial for serial, trace in profile.traces.items() if name in trace.names]
    return profile.sample_times[number].when(serials)


def one_timeline(run, profile):
    check(len(profile.sections) == len(profile.sample_times) == 1, run,
          f"{len(profile.sample_times)} SAMPLE TIMES for {len(profile.sections)} sections")
    return profile.sample_times[0]


# ---- timeline=y --------------------------------------------------------------

@pytest.mark.any_jvm
@pytest.mark.parametrize("cutoff, engine", [
    pytest.param("0", "clock", marks=pytest.mark.asan), ("0.2", "async"),
    pytest.param("0", "async", marks=thorough), pytest.param("0.2", "clock", marks=thorough)])
def test_every_sample_has_its_time(run_java, engine, cutoff):
    begun_ms = time.time() * 1000
    run = run_java("ManyThreads",
                   f"cpu=samples,interval=1,depth=16,timeline=y,cutoff={cutoff},engine={engine}",
                   60, 6, 800, 20000)
    ended_ms = time.time() * 1000
    times = one_timeline(run, run.profile())
    check(times.bucket_ms == 100, run, f"buckets of {times.bucket_ms} ms")
    check(begun_ms - 1 <= times.start_ms <= ended_ms, run,
          f"starts at {times.start_ms}, the run was from {begun_ms} to {ended_ms}")
    last = max(bucket for buckets in times.buckets.values() for bucket in buckets)
    check(times.start_ms + last * 100 <= ended_ms, run, f"bucket {last} is after the end")


def phases_under(java, engine, how):
    """A run of Phases that ends after the first PHASES of them."""
    live = java.start("Phases", f"cpu=samples,interval=5,depth=16,cutoff=0,timeline=y,"
                                f"engine={engine}", PHASE_MS)
    live.wait_stdout(f"over={PHASES - 1}")
    if how == signal.SIGKILL:
        time.sleep(2)
        return live.kill_between_writes()
    live.signal(how)
    return live.finish()


def check_phase(run, name, count):
    """So many samples are the CPU time that the phase measured. A clock's come in lumps, of which a part
    may be in the next phase."""
    check(count > 0, run, f"{name} has no samples")
    used_ns = run.truth[f"{name.split('.')[1]}.cpu_ns"]
    if run.option("engine") == "async":
        check_cpu(run, name, count, used_ns)
    else:
        check_time(count * run.interval_ns > used_ns / 2, run, f"{name} has {count} samples")


def check_phases(run, profile):
    """The samples of each phase lie before those of the next one."""
    one_timeline(run, profile)
    found = [when(profile, name) for name in PHASE_NAMES]
    for name, buckets in zip(PHASE_NAMES, found):
        count = sum(buckets.values())
        check(count == samples(profile, name), run, f"{name} has {count} samples")
        check_phase(run, name, count)
        check(len(buckets) >= PHASE_MS // 100 // 2, run, f"{name} is in {len(buckets)} buckets")
    for (name, buckets), after in zip(zip(PHASE_NAMES, found), found[1:]):
        check(max(buckets) <= min(after), run,
              f"{name} is in {sorted(buckets)}, the next phase in {sorted(after)}")


@pytest.mark.any_jvm
@engines
def test_the_times_show_the_phases_of_a_program(java, engine):
    run = phases_under(java, engine, signal.SIGTERM)
    check_phases(run, run.profile())


@pytest.mark.thorough
def test_a_killed_jvm_leaves_the_times(java):
    """The provisional end of the file is whole, and has the length of the profile."""
    run = phases_under(java, "async", signal.SIGKILL)
    profile = run.profile()
    check_phases(run, profile)
    length = profiled_s(run, profile)
    check(PHASES * PHASE_MS / 1000 <= length <= run.wall_s, run, f"profiled for {length} s")


def step(live, number):
    """Runs one phase. Returns when it began and ended at the earliest and latest, in ms since 1970."""
    begun_ms = time.time() * 1000
    live.send_line("")
    live.wait_stdout(f"over={number}")
    return begun_ms, time.time() * 1000


@pytest.mark.any_jvm
@engines
def test_each_dump_has_its_own_times(java, engine):
    """After a dump the times begin anew, where the dump before ended. The program waits for each
    dump, so that each has one phase and no other, however busy the machine is."""
    live = java.start("Phases", f"cpu=samples,interval=5,depth=16,cutoff=0,timeline=y,engine={engine}",
                      PHASE_MS, "step", stdin=subprocess.PIPE)
    spans = []
    for number in range(3):
        spans.append(step(live, number))
        dumps = live.stderr_count("hprof: Dumping")
        live.signal(signal.SIGQUIT if number < 2 else signal.SIGTERM)
        wait_until(lambda before=dumps: live.stderr_count("hprof: Dumping") > before, live)
    run = live.finish()
    profile = run.profile()
    check(len(profile.sample_times) == 3, run, f"{len(profile.sample_times)} SAMPLE TIMES")
    for number, (times, span) in enumerate(zip(profile.sample_times, spans)):
        check(times.bucket_ms == 100, run, f"buckets of {times.bucket_ms} ms")
        for name in PHASE_NAMES[:3]:
            buckets = when(profile, name, number)
            if name != PHASE_NAMES[number]:
                check(not buckets, run, f"{name} is in {sorted(buckets)} of dump {number}")
                continue
            check_phase(run, name, sum(buckets.values()))
            check(span[0] <= times.start_ms + (min(buckets) + 1) * 100 and
                  times.start_ms + max(buckets) * 100 <= span[1], run,
                  f"{name} is in {sorted(buckets)} from {times.start_ms}, and was run in {span}")
        if number > 0:
            check(spans[number - 1][1] <= times.start_ms + 1 and times.start_ms <= span[0] + 1, run,
                  f"dump {number} starts at {times.start_ms}; its phase was run in {span}")


@pytest.mark.any_jvm
def test_attached_the_times_begin_with_the_profile(java):
    live = java.start("Phases", None, PHASE_MS)
    live.wait_stdout("over=0")
    attached_ms = time.time() * 1000
    output = live.run.directory / "late.txt"
    check(attach(live, f"cpu=samples,interval=5,depth=16,cutoff=0,timeline=y,file={output}") == 0,
          live.run, "attach")
    live.wait_stdout("over=2")
    check(attach(live, "stop") == 0, live.run, "stop")
    stopped_ms = time.time() * 1000
    run = live.kill()
    run.options = "cutoff=0"
    profile = run.profile(output)
    times = one_timeline(run, profile)
    check(attached_ms - 1 <= times.start_ms <= stopped_ms, run,
          f"starts at {times.start_ms}, attached at {attached_ms}")
    check(max(when(profile, PHASE_NAMES[1])) <= min(when(profile, PHASE_NAMES[2])), run,
          "phases out of order")
    length = profiled_s(run, profile)
    check(length * 1000 <= stopped_ms - attached_ms, run, f"profiled for {length} s")


# ---- costs=y -----------------------------------------------------------------

@pytest.mark.any_jvm
@pytest.mark.parametrize("options", [
    "cutoff=0.3", "depth=0", pytest.param("msa=y,cutoff=0", marks=pytest.mark.asan),
    pytest.param("engine=clock", marks=pytest.mark.asan),
    *[pytest.param(options, marks=thorough) for options in (
        "cutoff=0", "thread=y", "depth=1,msa=y")]])
def test_costs_are_those_of_the_table(run_java, options):
    run = run_java("TimesShares", f"cpu=times,costs=y,{options}", 300)
    profile = run.profile()
    titles = ["CPU TIME", "OFF-CPU TIME"] if "msa=y" in options else ["CPU TIME"]
    check([costs.title for costs in profile.trace_costs] == titles, run,
          f"costs of {[costs.title for costs in profile.trace_costs]}")
    for costs in profile.trace_costs:
        (section,) = profile.titled(costs.title)
        check(costs.ns and len(costs.ns) >= len(section.rows), run,
              f"{len(costs.ns)} costs for {len(section.rows)} rows of {costs.title}")
    if "cutoff=0.3" in options:
        check(len(profile.trace_costs[0].ns) > 100, run, "costs below the cutoff are missing")


@pytest.mark.any_jvm
def test_the_calls_below_the_cutoff_are_exact(run_java):
    """The same counts of the program's calls, whatever the cutoff."""
    def calls(cutoff):
        run = run_java("TimesCalls", f"cpu=times,depth=1,costs=y,cutoff={cutoff}", 300)
        profile = run.profile()
        (costs,) = profile.trace_costs
        return {profile.traces[serial].names[0]: count for serial, count in costs.counts.items()
                if profile.traces[serial].names[0].startswith("TimesCalls.")}
    everything = calls("0")
    assert calls("1") == everything and len(everything) > 3, everything


@pytest.mark.any_jvm
def test_costs_of_monitors(run_java):
    run = run_java("Monitors", "monitor=y,costs=y,cutoff=0", "contend", 60)
    profile = run.profile()
    (costs,), (table,) = profile.trace_costs, profile.monitor_times
    check(costs.title == "MONITOR TIME" and table.rows, run, "no costs, or no rows")
    check(sum(costs.counts.values()) == sum(row.count for row in table.rows), run, "counts")


@pytest.mark.any_jvm
@pytest.mark.asan
def test_each_dump_has_its_own_costs(java):
    live = java.start("Monitors", "monitor=y,cpu=times,msa=y,costs=y,cutoff=0", "contend", 60)
    live.wait_stderr("hprof: profiling")
    live.signal(signal.SIGQUIT)
    live.wait_stderr("hprof: Dumping")
    run = live.finish()
    profile = run.profile()
    check(len(profile.trace_costs) == 6, run, f"{len(profile.trace_costs)} TRACE COSTS")


# ---- notes=y -----------------------------------------------------------------

def profiled_s(run, profile):
    """How long the profile says that it is."""
    notes = profile.notes + [note for section in profile.sections for note in section.notes]
    found = [m[1] for note in notes if (m := re.fullmatch(r"profiled for (\d+\.\d{3}) s", note))]
    check(len(found) == 1, run, f"the length of the profile: {found}")
    return float(found[0])


def first_notes(run):
    """The NOTE lines before the first thread, by their first word."""
    text = run.output.read_text("utf-8")
    lines = text[:text.index("\nTHREAD START ")].split("\n")
    return dict(line[len("NOTE: "):].split(": ", 1) for line in lines if line.startswith("NOTE: "))


@pytest.mark.parametrize("mode", [
    "cpu=samples,timeline=y", pytest.param("cpu=times,costs=y", marks=thorough),
    "monitor=y,costs=y", "heap=sites,notes=y", pytest.param("heap=dump,notes=y", marks=thorough),
    "cpu=samples,notes=y", "cpu=old,msa=y,notes=y"])
def test_notes_name_program_jvm_options_and_length(jdk, run_java, mode):
    options = f"{mode},depth=5"
    run = run_java("Hello", options, "an argument", "über", "line\nend")
    notes = first_notes(run)
    check(notes.get("program") == "Hello an argument über line\\x0aend", run, f"notes {notes}")
    version = subprocess.run([jdk.java, "-version"], capture_output=True, text=True,
                             check=True).stderr
    number, _, name = notes.get("JVM", "").partition(" ")
    check(name and name in version and f"(build {number}," in version, run,
          f"the JVM is {notes.get('JVM')!r}, not one of {version!r}")
    check(notes.get("options") == options, run, f"options {notes.get('options')!r}")
    last = run.output.read_text("utf-8").split("\n")[-2]
    match = re.fullmatch(r"NOTE: profiled for (\d+\.\d{3}) s", last)
    check(match and float(match[1]) < run.wall_s, run, f"the last line is {last!r}")
    run.profile()


@pytest.mark.any_jvm
def test_without_the_option_there_are_no_such_notes(run_java):
    text = run_java("Hello", "cpu=samples").output.read_text("utf-8")
    assert not re.search(r"^(NOTE: (program|JVM|options|profiled)|SAMPLE TIMES|TRACE COSTS)",
                         text, re.M), text


@pytest.mark.any_jvm
def test_doe_n_still_has_the_length(run_java):
    run = run_java("Hello", "cpu=samples,timeline=y,doe=n")
    profiled_s(run, run.profile())


@pytest.mark.any_jvm
def test_a_long_command_line_is_cut_off(run_java):
    run = run_java("Hello", "cpu=samples,notes=y", *["argument"] * 1000)
    program = first_notes(run)["program"]
    check(1000 < len(program) < 1024 and program.endswith("..."), run, f"{len(program)} bytes")
    run.profile()


@pytest.mark.any_jvm
def test_a_command_line_in_no_encoding_is_escaped(run_java):
    run = run_java("Hello", "cpu=samples,notes=y", "\udcff\udcfe")
    check(first_notes(run)["program"] == "Hello \\xff\\xfe", run, f"{first_notes(run)}")
    run.profile()


# ---- messages= ---------------------------------------------------------------

def messages(run, name="messages.txt"):
    return (run.directory / name).read_text("utf-8").splitlines()


@pytest.mark.any_jvm
@pytest.mark.asan
def test_messages_go_to_the_file_and_not_to_standard_error(run_java):
    run = run_java("Hello", "messages=messages.txt,cpu=samples,errorexit=y")
    check(run.stderr == "one line of stderr\n", run, "standard error is the program's alone")
    lines = messages(run)
    starts = ("hprof: option errorexit", "hprof: profiling cpu=samples", "hprof: Dumping CPU")
    check(len(lines) == 3 and all(map(str.startswith, lines, starts)), run, f"messages {lines}")
    mode = stat.S_IMODE((run.directory / "messages.txt").stat().st_mode)
    check(mode == 0o600, run, f"mode {mode:o}")
    run.profile()


@pytest.mark.any_jvm
def test_messages_are_appended(java, tmp_path):
    kept = tmp_path / "kept.txt"
    kept.write_text("older\n")
    for _ in range(2):
        java.run("Hello", f"cpu=samples,messages={kept}")
    lines = kept.read_text("utf-8").splitlines()
    assert lines[0] == "older" and len(lines) == 5, lines


@pytest.mark.any_jvm
@pytest.mark.parametrize("options", ["messages=messages.txt,cpu=fast",
                                     "depth=x,messages=messages.txt",
                                     "nonsense,messages=messages.txt,more",
                                     "timeline=y,messages=messages.txt,cpu=times",
                                     "cpu=samples,messages=messages.txt,file=/nonexistent/file"])
def test_a_refusal_goes_to_the_file(run_java, options):
    run = run_java("Hello", options, exit_code=1)
    check(run.stdout == run.stderr == "", run, "nothing should be printed")
    lines = messages(run)
    check(len(lines) == 1 and lines[0].startswith("hprof: "), run, f"messages {lines}")


@pytest.mark.any_jvm
@pytest.mark.parametrize("mode", ["samples", "fast"])
@pytest.mark.parametrize("name", ["/nonexistent/messages.txt", "/", "link"])
def test_a_file_that_can_not_be_written_is_refused_before_main(java, tmp_path, name, mode):
    directory = tmp_path / "there"
    directory.mkdir()
    other = directory / "other"
    other.write_text("another name\n")
    (directory / "link").hardlink_to(other)
    run = java.run("Hello", f"cpu={mode},messages={name}", exit_code=1, directory=directory)
    check(run.stdout == "", run, "the program should not have run")
    lines = run.stderr.splitlines()
    check(len(lines) == 1 and f"can't write {name}: " in lines[0] and "messages=" in lines[0],
          run, f"standard error {lines}")
    check(other.read_text() == "another name\n", run, "the file was changed")
    check(not (directory / "java.hprof.txt").exists(), run, "a profile was begun")


@pytest.mark.any_jvm
def test_messages_of_an_attach(java):
    """A refused attach reports to its file and leaves the running profile and its messages
    alone; one that replaces it gets all lines; after a stop they go to standard error."""
    live = java.start("Phases", "cpu=samples,messages=first.txt", PHASE_MS)
    live.wait_stdout("over=0")
    run = live.run
    check(attach(live, "cpu=fast,messages=refused.txt") != 0, run, "a bad option is accepted")
    check(attach(live, "cpu=samples,file=/nonexistent/x,messages=refused.txt") != 0, run, "file")
    lines = messages(run, "refused.txt")
    check(len(lines) == 2 and "cpu=fast" in lines[0] and "/nonexistent/x" in lines[1], run,
          f"{lines}")
    jcmd(java.jdk, live, "JVMTI.data_dump")
    check(len(messages(run, "first.txt")) == 2, run, f"{messages(run, 'first.txt')}")
    check(attach(live, "cpu=samples,file=second.hprof.txt,messages=second.txt") == 0, run, "attach")
    let_use(live, 0.1)
    check(attach(live, "stop,messages=third.txt") == 0, run, "stop")
    check(attach(live, "stop") != 0, run, "a stop without a profile")
    run = live.kill()
    check(len(messages(run, "second.txt")) == 2, run, f"{messages(run, 'second.txt')}")
    check(len(messages(run, "third.txt")) == 1, run, f"{messages(run, 'third.txt')}")
    check(run.agent_lines == ["hprof: there is no profile to stop"], run, "standard error")
    descriptors = [line for line in run.stdout.splitlines() if "messages" in line]
    check(not descriptors, run, f"{descriptors}")


@pytest.mark.any_jvm
def test_attaching_often_leaves_no_file_open(java):
    live = java.start("Phases", None, PHASE_MS)
    live.wait_stdout("over=0")
    for _ in range(20):
        check(attach(live, "cpu=fast,messages=refused.txt") != 0, live.run, "accepted")
        check(attach(live, "cpu=samples,messages=messages.txt") == 0, live.run, "attach")
        check(attach(live, "stop") == 0, live.run, "stop")
    links = subprocess.run(["ls", "-l", f"/proc/{live.process.pid}/fd"], capture_output=True,
                           text=True, check=True).stdout
    run = live.kill()
    check("messages.txt" not in links and "refused.txt" not in links, run, links)
    check(run.agent_lines == [], run, "standard error should have no line")
    check(len(messages(run)) == 40 and len(messages(run, "refused.txt")) == 20, run, "lines")


