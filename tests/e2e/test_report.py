"""hprof report on a terminal: what it prints of real profiles, compared with what the independent
readers find in them, and with its own collapsed stacks."""

import re
import subprocess
from collections import Counter

import pytest

from support.builds import COMMAND, PLATFORM
from support.checks import TIMES_JUDGED, check_cpu, samples, stable_name
from support.command import clean_environment, collapsed, expected_stacks, hprof
from support.terminal import read_to_end

REST = "[below the cutoff]"
FILTERED = "[filtered out]"
WITHOUT_REGEX = PLATFORM == "windows"

pytestmark = pytest.mark.any_jvm


def report(*arguments):
    return hprof("report", *arguments).stdout.decode()


def blocks(text):
    """The parts of a report that begin with a title and are ended by an empty line."""
    return {part.split(":", 1)[0]: part for part in text.split("\n\n") if ":" in part}


SAMPLED = re.compile(r" *(\d*) +([\d.]+)% +([\d.]+)- *([\d.]+)% +([\d.]+)% +(?:(\d+) +(\d+) +)?"
                     r"(\d+) (.*)")
TIMED = re.compile(r" *(\d*) +([\d.]+)% +([\d.]+)% +([\d.]+) +([\d.]+) +(\d*) (.*)")


def costs(text, title, shape):
    """The rows of a table of costs, as tuples of the columns."""
    lines = blocks(text)[title].splitlines()
    rows = [shape.fullmatch(line) for line in lines[2:] if not line.startswith("...")]
    assert rows and all(rows), lines[:5]
    return [row.groups() for row in rows]


def self_and_total(stacks):
    """What each method has in collapsed stacks."""
    own, total = Counter(), Counter()
    for stack, cost in stacks.items():
        names = stack.split(";")
        own[names[-1]] += cost
        for name in set(names):
            total[name] += cost
    return own, total


def near(text, value):
    return abs(float(text) - value) < 0.0101


def check_sampled(text, stacks):
    """Every row has the shares that the stacks give, and the rows add up."""
    own, total = self_and_total(stacks)
    whole = sum(stacks.values())
    rows = costs(text, "CPU SAMPLES", SAMPLED)
    names = [row[-1] for row in rows]
    assert len(set(names)) == len(names)
    assert set(names) == set(total)
    for _, self_share, low, high, total_share, _, _, samples, name in rows:
        assert int(samples) == own[name]
        assert near(self_share, 100 * own[name] / whole)
        assert near(total_share, 100 * total[name] / whole)
        assert float(low) <= float(self_share) <= float(high)
    assert sum(int(row[7]) for row in rows) == whole
    ranked = [int(row[7]) for row in rows if row[0]]
    assert ranked == sorted(ranked, reverse=True)
    return rows


@pytest.mark.asan
def test_hot_methods_are_those_of_the_collapsed_stacks(run_java):
    run = run_java("Burn", "cpu=samples,interval=1,depth=1024,cutoff=0,timeline=y", 500)
    profile = run.profile()
    stacks = collapsed(run.output)
    text = report("--top", 0, run.output)
    rows = check_sampled(text, stacks)
    assert "Burn.work" in [row[-1] for row in rows]
    assert not TIMES_JUDGED or rows[0][-1] == "Burn.work"
    check_cpu(run, "Burn.work", samples(profile, "Burn.work"), run.truth["work.cpu_ns"])
    first = blocks(text)["CPU SAMPLES"].splitlines()[0]
    assert first.startswith(f"CPU SAMPLES: {profile.total} samples of 1 ms CPU time"), first
    assert int(rows[0][5]) == int(rows[0][7])  # a sample is 1 ms
    summary = text.split("\n\n")[0]
    assert re.search(r"^Program +Burn 500$", summary, re.M), summary
    assert re.search(r"^JVM +\d+\.", summary, re.M), summary
    assert re.search(r"^Options +cpu=samples,interval=1,", summary, re.M), summary
    assert re.search(rf"^Created +{re.escape(profile.created)}$", summary, re.M), summary
    lasted_s = float(re.search(r"^Duration +([\d.]+) s$", summary, re.M)[1])
    assert not TIMES_JUDGED or lasted_s + 0.001 > run.truth["work.cpu_ns"] / 1e9
    # After them, all rows of the file.
    traces = re.findall(r"^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +(\d+) \S", text, re.M)
    assert [(int(count), int(trace)) for count, trace in traces] == [
        (row.count, row.trace.serial) for row in profile.rows]


@pytest.mark.parametrize("form", ["a", pytest.param("b", marks=pytest.mark.thorough)])
def test_what_a_cutoff_left_out_is_a_row_and_a_frame(run_java, form):
    run = run_java("Burn", f"cpu=samples,interval=1,depth=8,cutoff=0.1,format={form}", 500)
    profile = run.profile()
    listed = sum(row.count for row in profile.rows)
    assert 0 < listed < profile.total
    stacks = collapsed(run.output)
    assert stacks[REST] == profile.total - listed
    assert sum(stacks.values()) == profile.total
    wanted = expected_stacks(profile.rows, lambda row: row.count)
    assert {stack: cost for stack, cost in stacks.items() if stack != REST} == wanted
    text = report("--top", 0, run.output)
    check_sampled(text, stacks)
    share = 100 * (profile.total - listed) / profile.total
    title = blocks(text)["CPU SAMPLES"].splitlines()[0]
    assert near(re.search(r"([\d.]+)% \[below the cutoff\]", title)[1], share), title
    tree = report("--tree", "--min", 0, run.output)
    rest = re.search(r"^ *([\d.]+)% +[\d.]+% +(\d+) \+ \[below the cutoff\]$", tree, re.M)
    assert int(rest[2]) == profile.total - listed and near(rest[1], share)


def exact_costs(profile, title):
    """The TRACE COSTS of a section."""
    found = [section for section in profile.trace_costs if section.title == title]
    assert len(found) == 1
    return found[0]


def test_times_are_exact_with_trace_costs(run_java):
    run = run_java("TimesCalls", "cpu=times,costs=y,depth=64,cutoff=0.01", 3000)
    profile = run.profile()
    section = exact_costs(profile, "CPU TIME")
    whole = section.total_ns
    ns = sum(section.ns.values())
    assert ns <= whole
    stacks = collapsed("--of", "times", run.output)
    assert sum(stacks.values()) == whole
    wanted = Counter()
    calls = Counter()
    for serial, cost in section.ns.items():
        frames = profile.traces[serial].frames
        names = [stable_name(frame.name) for frame in reversed(frames)] or ["<empty trace>"]
        wanted[";".join(names)] += cost
        calls[names[-1]] += section.counts[serial]
    if whole > ns:
        wanted[REST] += whole - ns
    assert stacks == {stack: cost for stack, cost in wanted.items() if cost}
    text = report("--top", 0, "--by", "method", run.output)
    rows = costs(text, "CPU TIME", TIMED)
    assert "\u2248" not in text
    own, total = self_and_total(wanted)
    for _, self_share, total_share, self_ms, total_ms, count, name in rows:
        assert near(self_share, 100 * own[name] / whole)
        assert near(total_share, 100 * total[name] / whole)
        assert abs(float(self_ms) - own[name] / 1e6) < 0.0011
        assert abs(float(total_ms) - total[name] / 1e6) < 0.0011
        assert (int(count) if count else 0) == calls[name], name
    assert abs(sum(float(row[3]) for row in rows) - whole / 1e6) < 0.001 * len(rows)


def test_times_without_costs_are_marked(run_java):
    # A row is of a millisecond at least. One of 20 milliseconds or more would have no rest.
    run = run_java("TimesCalls", "cpu=times,depth=8,cutoff=0.05", 3000)
    section = run.profile().titled("CPU TIME")[0]
    text = report("--by", "method", "--top", 0, run.output)
    assert f"CPU TIME: \u2248 {section.total}.000 ms" in text
    rows = costs(text, "CPU TIME", TIMED)
    assert rows[-1][-1] == REST
    assert abs(sum(float(row[3]) for row in rows) - section.total) < 0.001 * len(rows)
    assert sum(collapsed(run.output).values()) == section.total * 10**6


def test_costs_by_thread_class_package_and_line(run_java):
    run = run_java("Burn", "cpu=samples,interval=1,depth=1024,cutoff=0,thread=y", 200, 0, 150)
    profile = run.profile()
    by_thread, lines = Counter(), Counter()
    classes, packages = Counter(), Counter()
    for row in profile.rows:
        thread = profile.threads[row.trace.thread]
        by_thread[f"{thread.id} {thread.name}"] += row.count
        method = stable_name(row.trace.frames[0].name)
        lines[method] += row.count
        name = method.rsplit(".", 1)[0]
        classes[name] += row.count
        packages["<no_stack>" if name == "<no_stack>" else
                 name.rsplit(".", 1)[0] if "." in name else "(no package)"] += row.count
    for group, wanted in (("thread", by_thread), ("class", classes), ("package", packages)):
        text = report("--by", group, "--top", 0, run.output)
        found = {row[-1]: int(row[7]) for row in costs(text, "CPU SAMPLES", SAMPLED)}
        assert {name: count for name, count in found.items() if count} == dict(wanted), group
    assert report("--threads", "--top", 0, run.output) == report("--by", "thread", "--top", 0,
                                                                 run.output)
    text = report("--by", "line", "--top", 0, run.output)
    found = Counter()
    for row in costs(text, "CPU SAMPLES", SAMPLED):
        found[row[-1].rsplit("(", 1)[0]] += int(row[7])
    assert +found == lines


def test_classes_of_sites_are_those_of_the_objects(run_java):
    run = run_java("Burn", "heap=sites,cutoff=0", 10)
    wanted = Counter()
    for row in run.profile().sites[-1].rows:
        wanted[stable_name(row.class_name)] += row.live_bytes
    text = report("--by", "class", "--top", 0, run.output)
    rows = re.findall(r"^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +(\d+) +\d+ (.*)$", text, re.M)
    assert {name: int(own) for own, _, name in rows} == dict(wanted)
    assert all(own == total for own, total, _ in rows)


@pytest.mark.skipif(WITHOUT_REGEX, reason="no regular expressions")
def test_stacks_are_selected_by_expressions(run_java):
    run = run_java("Burn", "cpu=samples,interval=1,depth=1024,cutoff=0,thread=y", 300)
    stacks = collapsed(run.output)
    total = sum(stacks.values())
    for option, kept in (("--filter", lambda stack: "Burn.work" in stack.split(";")),
                         ("--ignore", lambda stack: "Burn.work" not in stack.split(";"))):
        wanted = {stack: cost for stack, cost in stacks.items() if kept(stack)}
        assert 0 < sum(wanted.values()) < total
        wanted[FILTERED] = total - sum(wanted.values())
        assert collapsed(option, r"^Burn[.]work$", run.output) == wanted
        check_sampled(report(option, r"^Burn[.]work$", "--top", 0, run.output), wanted)
    assert collapsed("--ignore", "^main$", run.output) != stacks  # a thread
    refused = hprof("report", "--filter", "(", run.output, exit_code=2).stderr.decode()
    assert refused.startswith("hprof: --filter ( is no regular expression: "), refused


LINE = re.compile(r" *([\d.]+)%(?: +([\d.]+)%)? +([\d.]+) ( *)(\+ )?(.*)")


def stacks_of_tree(lines):
    """The stacks, from the root on, of a tree as text, with the cost of each."""
    rows = [LINE.fullmatch(line) for line in lines]
    assert all(rows), lines[:5]
    # By indentation; a line without + continues the one above.
    found, path = Counter(), []
    for index, row in enumerate(rows[1:]):
        if row[5]:
            indent = len(row[4]) + 2
            while path and path[-1][0] >= indent:
                path.pop()
        else:
            indent = path[-1][0] if path else 0
        path.append((indent, row[6]))
        below = rows[index + 2:]
        deeper = 0
        if below and not below[0][5]:
            deeper = int(below[0][3])
        elif below and len(below[0][4]) + 2 > indent:
            for other in below:
                if other[5] and len(other[4]) + 2 <= indent:
                    break
                if other[5] and len(other[4]) + 2 == indent + 2:
                    deeper += int(other[3])
        found[";".join(name for _, name in path)] += int(row[3]) - deeper
    assert rows[0][6] == "all" and int(rows[0][3]) == sum(found.values())
    return +found


def test_the_tree_adds_up(run_java):
    run = run_java("Burn", "cpu=samples,interval=1,depth=1024,cutoff=0", 300)
    stacks = collapsed(run.output)
    total = sum(stacks.values())
    lines = report("--tree", "--min", 0, run.output).splitlines()
    assert lines[:2] == [f"CPU SAMPLES: {total} samples", "  total    self        samples stack"]
    assert stacks_of_tree(lines[2:]) == stacks
    pruned = report("--tree", run.output)
    assert re.search(r"\(\d+ smaller\)$", pruned, re.M)
    assert len(pruned) < len("\n".join(lines))


def test_the_inverted_tree_has_the_same_stacks_from_their_other_end(run_java):
    run = run_java("Burn", "cpu=samples,interval=1,depth=1024,cutoff=0,thread=y", 300)
    for option in ([], ["--threads"]):
        wanted = Counter()
        for stack, cost in collapsed(*option, run.output).items():
            wanted[";".join(reversed(stack.split(";")))] += cost
        lines = report("--inverted", "--min", 0, *option, run.output).splitlines()
        assert lines[1] == "  total        samples stack"
        assert stacks_of_tree(lines[2:]) == wanted
    # A row of the first level is a hot method with its self cost.
    own, _ = self_and_total(collapsed(run.output))
    lines = report("--inverted", "--min", 0, run.output).splitlines()
    first = {row[6]: int(row[3]) for row in map(LINE.fullmatch, lines[3:])
             if row[5] and not row[4]}
    assert first == +own


def cut_above(stacks, pattern):
    """The stacks from their outermost method that matches."""
    cut = Counter()
    for stack, cost in stacks.items():
        names = stack.split(";")
        places = [i for i, name in enumerate(names) if re.search(pattern, name)]
        cut[";".join(names[places[0]:]) if places else FILTERED] += cost
    return cut


def test_a_tree_below_a_method_has_its_stacks_without_its_callers(run_java):
    run = run_java("Burn", "cpu=samples,interval=1,depth=1024,cutoff=0", 300)
    for pattern in (r"[.]work$", r"^Burn[.]", "no such method"):
        cut = cut_above(collapsed(run.output), pattern)
        assert len(cut) > (pattern != "no such method") and cut[FILTERED] > 0
        lines = report("--below", pattern, "--min", 0, run.output).splitlines()
        assert stacks_of_tree(lines[2:]) == cut
        lines = report("--inverted", "--below", pattern, "--min", 0, run.output).splitlines()
        assert stacks_of_tree(lines[2:]) == {
            ";".join(reversed(stack.split(";"))): cost for stack, cost in cut.items()}


def test_a_tree_of_sites_below_a_method_ends_with_the_class(run_java):
    run = run_java("Burn", "heap=sites,live=n,depth=16,cutoff=0", 10)
    cut = cut_above(collapsed("--of", "sites", run.output), r"^Burn[.]main$")
    assert len(cut) > 1 and cut[FILTERED] > 0
    lines = report("--below", "^Burn[.]main$", "--min", 0, run.output).splitlines()
    assert stacks_of_tree(lines[2:]) == cut


def test_trees_of_sites_begin_or_end_with_the_class(run_java):
    run = run_java("Burn", "heap=sites,live=n,depth=16,cutoff=0", 10)
    stacks = collapsed("--of", "sites", run.output)
    lines = report("--tree", "--min", 0, run.output).splitlines()
    assert lines[1] == "  total    self          bytes stack"
    assert stacks_of_tree(lines[2:]) == stacks
    lines = report("--inverted", "--min", 0, run.output).splitlines()
    assert stacks_of_tree(lines[2:]) == {
        ";".join(reversed(stack.split(";"))): cost for stack, cost in stacks.items()}


def test_views_show_the_section_that_is_chosen(run_java):
    run = run_java("TimesSleep", "cpu=times,msa=y,depth=8,cutoff=0", 30, 50)
    text = report("--of", "off-cpu", run.output)
    assert "OFF-CPU TIME" in text and "\nCPU TIME" not in text
    text = report("--traces", run.output)
    assert text.startswith("NOTE: ") or text.startswith("CPU TIME (ms) (total = ")
    assert "THREAD MICROSTATES (ms)" in text
    hprof("report", "--by", "method", "--of", "sites", run.output, exit_code=1)


def test_states_are_those_of_the_rows(run_java):
    """Each state's time, and that of each method in it, with and without its callees."""
    run = run_java("TimesStates", "cpu=times,msa=y,depth=32,cutoff=0", 5)
    [section] = run.profile().states
    text = report("--by", "state", "--top", 0, run.output)
    assert text.startswith("TRACE MICROSTATES: ")
    summary = re.findall(r"^ +[\d.]+% +([\d.]+)  (\S{3})  \S", text.split("\n\n", 1)[0], re.M)
    sums = section.sums()
    assert {name: float(ms) for ms, name in summary} == pytest.approx(
        {name: ms for name, ms in sums.items() if ms > 0 and name != "wall"}, abs=1e-6)
    assert [float(ms) for ms, _ in summary] == sorted((float(ms) for ms, _ in summary), reverse=True)
    for _, state in summary:
        own, total = Counter(), Counter()
        for row in section.rows:
            ms = row.ms[state] or 0
            names = [stable_name(name) for name in row.names]
            own[names[0]] += ms
            for name in set(names):
                total[name] += ms
        rows = costs(text, state, TIMED)
        assert {row[-1]: (float(row[3]), float(row[4])) for row in rows} == {
            name: (pytest.approx(own[name], abs=1e-6), pytest.approx(ms, abs=1e-6))
            for name, ms in total.items() if ms > 0}


@pytest.mark.thorough
def test_one_state_has_tables_and_a_tree(run_java):
    run = run_java("TimesStates", "cpu=times,msa=y,depth=32,cutoff=0", 5)
    [section] = run.profile().states
    slept = section.sums()["slp"]
    text = report("--of", "slp", "--top", 0, run.output)
    assert f"TRACE MICROSTATES, slp: {slept:.3f} ms" in text
    own = Counter()
    for row in section.rows:
        own[stable_name(row.names[0])] += row.ms["slp"] or 0
    rows = {row[-1]: float(row[3]) for row in costs(text, "TRACE MICROSTATES, slp", TIMED)}
    assert {name: ms for name, ms in rows.items() if ms > 0} == {
        name: pytest.approx(ms, abs=1e-6) for name, ms in own.items() if ms > 0}
    assert "TimesStates.sleep" in report("--of", "slp", "--tree", "--min", 0, run.output)
    assert "usr, sys, tfl, dfl, lck, slp, i/o, lat or stw" in refused("--of", "swap")


def test_states_require_a_profile_that_has_them(run_java):
    run = run_java("TimesSleep", "cpu=times,cutoff=0", 1, 1)
    said = hprof("report", "--by", "state", run.output, exit_code=1).stderr.decode()
    assert "has no TRACE MICROSTATES; msa=y writes them, with cpu=times or cpu=samples" in said
    assert "remove one" in refused("--by", "state", "--of", "times")


def refused(*arguments):
    said = hprof("report", *arguments, "no-such-profile", exit_code=2).stderr.decode()
    assert said.count("\n") == 1
    return said


@pytest.fixture
def on_terminal():
    """on_terminal(columns, variables, *arguments): what hprof prints on a terminal that wide."""
    if PLATFORM == "windows":
        pytest.skip("no pseudoterminals")
    import fcntl  # pylint: disable=import-outside-toplevel
    import os
    import struct
    import termios

    def run(columns, variables, *arguments):
        leader, follower = os.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        environment = {name: value for name, value in clean_environment().items()
                       if name not in ("NO_COLOR", "TERM")}
        with subprocess.Popen([COMMAND, *map(str, arguments)], stdout=follower,
                              env={**environment, **variables}) as process:
            os.close(follower)
            said = read_to_end(leader)
        assert process.returncode == 0
        return said.decode().replace("\r\n", "\n")
    return run


STYLE = re.compile(r"\033\[\d*m")


def test_a_wide_terminal_gets_what_a_file_gets(run_java, on_terminal):
    run = run_java("Burn", "cpu=samples,interval=1,depth=1024,cutoff=0,thread=y", 300)
    for view in ([], ["--tree"], ["--inverted"], ["--by", "line"]):
        plain = report(*view, run.output)
        assert "\033" not in plain
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            assert on_terminal(1000, variables, "report", *view, run.output) == plain
        for variables in ({}, {"TERM": "xterm", "NO_COLOR": ""}):
            styled = on_terminal(1000, variables, "report", *view, run.output)
            assert "\033[1mCPU SAMPLES" in styled and styled.count("\033[") % 2 == 0
            assert STYLE.sub("", styled) == plain


def test_lines_fit_a_narrow_terminal(run_java, on_terminal):
    run = run_java("Burn", "cpu=samples,interval=1,depth=1024,cutoff=0", 300)
    for view in (["--by", "method"], ["--by", "line"], ["--tree"], ["--traces", "--of", "samples"]):
        text = STYLE.sub("", on_terminal(80, {}, "report", "--top", 0, *view, run.output))
        lines = [line.expandtabs() for line in text.splitlines() if not line.startswith("NOTE: ")]
        # What has no room for eight characters of a name is a deep line of a tree.
        long = [line for line in lines if len(line) > 80 and not re.match(r"[ \d.%+]{73}", line)]
        assert len(lines) > 10 and not long
    # Names that have room are whole; the others end as they did, or are cut.
    row = re.compile(r"^ *(?:\d+)? .*% +\d+ (.*)$", re.M)
    view = ("report", "--by", "method", "--top", 0, run.output)
    whole = row.findall(on_terminal(109, {"NO_COLOR": "1"}, *view))
    printed = on_terminal(80, {"NO_COLOR": "1"}, *view)
    room = 80 - printed.splitlines()[1].index("method")
    narrow = row.findall(printed)
    assert "Burn.work" in narrow and len(whole) == len(narrow)
    for full, short in zip(whole, narrow):
        if len(full) <= room:
            assert short == full
        else:
            assert len(short) <= room and (full.endswith(short.split(".")[-1]) or short[-1] == "…")


def test_options_of_tables_are_refused_for_other_formats():
    for option in (["--by", "line"], ["--top", "3"], ["--min", "2"], ["--tree"], ["--inverted"],
                   ["--below", "x"], ["--traces"]):
        for output in ["x.html"], ["x.svg"], ["x.collapsed"]:
            said = refused(*option, "-o", *output)
            assert f"{option[0]} chooses what tables show" in said and output[0][1:] in said
        assert f"{option[0]} chooses what tables show" in refused("--flame", *option)


def test_suffixes_that_report_writes_are_named():
    for name in "x.hprof", "x":
        said = refused("-o", name)
        assert f"-o {name}: " in said and "write one of: .html .svg .collapsed" in said
        assert ".txt" in said and said.count(".hprof") == (name == "x.hprof") * 2
