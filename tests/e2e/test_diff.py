"""hprof diff: two runs of a program, compared with what independent readers find in each."""

import re
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

from readers.hprof_text_states import STATES
from support.builds import COMMAND
from support.command import expected_stacks
from support.live_run import TIMEOUT_S
from support.runner import Runner

OPTIONS = "cpu=times,heap=sites,live=n,depth=1024,cutoff=0,lineno=n"
SVG = "{http://www.w3.org/2000/svg}"


def diff(*arguments, exit_code=0):
    done = subprocess.run([COMMAND, "diff", *map(str, arguments)], text=True, capture_output=True,
                          check=False, timeout=TIMEOUT_S)
    assert done.returncode == exit_code, (done.stdout[-2000:], done.stderr)
    return done.stdout if exit_code == 0 else done.stderr


@pytest.fixture(scope="module")
def runs(jdk, class_path, tmp_path_factory):
    """Two runs: the second has one more call, one more allocation, and calls of find."""
    runner = Runner(jdk, class_path, tmp_path_factory.mktemp("diff"))
    more = ("call", "allocation", "salted")
    pair = [runner.run("GateWork", OPTIONS, *arguments) for arguments in ((), more)]
    assert all(run.exit_code == 0 for run in pair)
    yield pair
    runner.close()


@pytest.fixture(scope="module")
def files(runs):
    return [run.output for run in runs]


def collapsed(path):
    return {stack: (int(old), int(new)) for stack, old, new in
            (line.rsplit(" ", 2) for line in path.read_text().splitlines())}


def test_collapsed_stacks_have_the_calls_of_both(runs, files, tmp_path):
    diff("--of", "calls", "-o", tmp_path / "calls.collapsed", *files)
    found = collapsed(tmp_path / "calls.collapsed")
    for side, run in enumerate(runs):
        rows = run.profile().rows
        expected = expected_stacks(rows, lambda row: row.count)
        assert {stack: pair[side] for stack, pair in found.items() if pair[side]} == expected
    parse = "GateWork.main;GateWork.parse"
    assert found[parse] == (200, 200)
    assert found[f"{parse};GateWork.added"] == (0, 1)


@pytest.mark.any_jvm
def test_tables_show_what_was_added(jdk, files):
    text = diff("--top", "0", *files)
    assert text.startswith(f"old: {files[0]}\nnew: {files[1]}\n")
    calls = text.split("\nCALLS, calls, by stack\n")[1]
    assert re.search(r"^ +0 +1 +\+1 +new GateWork.added\n\t\tGateWork.parse\n\t\tGateWork.main$", calls,
                     re.MULTILINE)
    if jdk.version == 11:
        return  # its allocations are reported by the JVM, which leaves some out
    sites = text.split("\nSITES, bytes, by stack\n")[1]
    assert re.search(r"^ +0 +16 +\+16 +new byte\[\]\n\t\tGateWork.parse\n\t\tGateWork.main$", sites,
                     re.MULTILINE)
    assert "CPU SAMPLES" not in text and "only" not in text


def test_states_are_those_of_both(java, tmp_path):
    """By state, and by method and stack of one, from the rows of TRACE MICROSTATES alone."""
    runs = [java.run("TimesSleep", "cpu=times,msa=y,depth=16,cutoff=0", 100, sleep)
            for sleep in (100, 150)]
    sums, stacks, known = [], [], []
    for run in runs:
        [states] = run.profile().states
        sums.append(states.sums())
        stacks.append(expected_stacks(states.rows, lambda row: round((row.ms["slp"] or 0) * 1e6)))
        known.append({name for name in STATES if any(row.ms[name] for row in states.rows)})
    files = [run.output for run in runs]
    table = diff("--of", "states", "--top", "0", *files).split("\n\n")[1]
    found = {name: (old, new) for old, new, name in
             re.findall(r"^ *([\d,.]+) +([\d,.]+) +\S+ +\S+ (\S+)$", table, re.MULTILINE)}
    assert known[0] | known[1] == set(found) - {"total"}
    for name in known[0] | known[1]:
        shown = [float(text.replace(",", "")) for text in found[name]]
        assert shown == pytest.approx([sums[0][name], sums[1][name]], abs=0.0006)
    diff("--of", "slp", "-o", tmp_path / "slp.collapsed", *files)
    pairs = collapsed(tmp_path / "slp.collapsed")
    for side in (0, 1):
        assert {stack: pair[side] for stack, pair in pairs.items() if pair[side]} == stacks[side]
    diff("--of", "states", "-o", tmp_path / "states.collapsed", *files)
    assert {stack: pair for stack, pair in collapsed(tmp_path / "states.collapsed").items()
            if stack.endswith(";slp")} == {f"{stack};slp": pair for stack, pair in pairs.items()}


@pytest.mark.any_jvm
def test_a_profile_compared_with_itself_has_no_change(files, tmp_path):
    text = diff(files[0], files[0])
    changes = re.findall(r"^ +[\d,.]+ +[\d,.]+ +(\S+) +\S+ ", text, re.MULTILINE)
    assert len(changes) > 20 and set(changes) <= {"0", "0.000"}, set(changes)
    diff("--of", "sites", "-o", tmp_path / "same.collapsed", files[0], files[0])
    assert all(old == new for old, new in collapsed(tmp_path / "same.collapsed").values())


@pytest.mark.any_jvm
def test_flame_graphs_are_coloured_by_the_change(runs, files, tmp_path):
    total = sum(row.count for row in runs[1].profile().rows)
    diff("--of", "calls", "-o", tmp_path / "calls.svg", *files)
    assert (tmp_path / "calls.svg").stat().st_mode & 0o777 == 0o600
    root = ElementTree.fromstring((tmp_path / "calls.svg").read_text())
    titles = {group.find(f"{SVG}title").text: group.find(f"{SVG}rect").get("fill")
              for group in root.iter(f"{SVG}g")}
    top = next(title for title in titles if title.startswith("all ("))
    assert f"({total} calls, 100.00%; before: " in top
    colours = {title.split(" (")[0]: colour for title, colour in titles.items()}
    assert colours["GateWork.parse"] == "rgb(238,238,238)", colours
    assert colours["GateWork.find"] == "rgb(238,48,48)", colours


@pytest.mark.any_jvm
def test_normalized_totals_are_equal(files):
    text = diff("--normalize", "--of", "sites", *files)
    old, new = re.search(r"^ +([\d,]+) +([\d,]+) +0 +\+0\.0% total$", text, re.MULTILINE).groups()
    assert old == new


@pytest.mark.any_jvm
def test_sections_of_one_alone_are_named(java, files, tmp_path):
    other = java.run("GateWork", "heap=sites,depth=8")
    text = diff(files[0], other.output)
    assert f"only {files[0]} has CPU TIME\n" in text and "SITES, bytes, by class" in text
    message = diff("--of", "times", files[0], other.output, exit_code=1)
    assert "no section of times in common" in message and message.count("\n") == 1
    message = diff("--of", "calls", "-o", tmp_path / "x.svg", files[0], other.output, exit_code=1)
    assert "no section of calls in common" in message
    assert not (tmp_path / "x.svg").exists()


@pytest.mark.any_jvm
def test_the_command_line_is_checked(files, tmp_path):
    assert "two profiles are required" in diff(files[0], exit_code=2)
    assert "two profiles are required" in diff(*files, files[0], exit_code=2)
    assert "--of nothing is invalid" in diff("--of", "nothing", *files, exit_code=2)
    assert ".svg or .html" in diff("-o", tmp_path / "x.pdf", *files, exit_code=2)
    assert "--top requires a value" in diff(*files, "--top", exit_code=2)
    assert "unknown option --flame" in diff("--flame", *files, exit_code=2)
    assert "can't read" in diff(files[0], tmp_path / "none", exit_code=1)


@pytest.mark.any_jvm
@pytest.mark.parametrize("form", ["txt", "collapsed", "svg", "html"])
def test_a_profile_that_ends_early_leaves_no_file(files, tmp_path, form):
    """Whichever of the two it is, and whatever would be written."""
    whole = files[1].read_bytes()
    cut = tmp_path / "cut.txt"
    # In a line: between lines, an early end before all sections is that of a whole profile.
    cut.write_bytes(whole[:whole.index(b"\n", len(whole) * 2 // 3) - 1])
    for names in ((files[0], cut), (cut, files[0])):
        message = diff("-o", tmp_path / f"x.{form}", *names, exit_code=1)
        assert f"{cut}: line " in message and message.count("\n") == 1
        assert not (tmp_path / f"x.{form}").exists()
