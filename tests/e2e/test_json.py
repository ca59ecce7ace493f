"""--json of hprof report, diff and check: valid by the published schemas, and with the numbers of
the text, which is printed again from the JSON and compared line by line."""

import functools
import re
import subprocess

import pytest

from readers import json_reports
from support import hostile_profiles as hostile
from support.builds import PLATFORM
from support.command import hprof
from support.runner import Runner

pytestmark = pytest.mark.any_jvm

RUNS = {
    "samples": ("Burn", "cpu=samples,interval=2,depth=1024,thread=y,timeline=y,notes=y", (300,)),
    "cut": ("Burn", "cpu=samples,interval=2,depth=2,cutoff=0.1", (300,)),
    "times": ("TimesCalls", "cpu=times,costs=y,depth=16,notes=y", (200,)),
    "states": ("TimesSleep", "cpu=times,msa=y,depth=16,thread=y,cutoff=0", (300, 100)),
    "sites": ("Burn", "heap=sites,depth=20,notes=y", (10,)),
    "monitors": ("Monitors", "monitor=y,costs=y", ("contend", 60)),
    "heap": ("Burn", "heap=dump,format=b", (10,)),
}
GATE = "cpu=times,heap=sites,live=n,depth=1024,cutoff=0,lineno=n,notes=y"


@functools.cache
def is_built():
    """A build without the library refuses the option with one line, before it reads anything."""
    commands = ("report",), ("diff", "none"), ("check",), ("check", "none", "--baseline")
    said = [hprof(*command, "none", "--json", exit_code=None).stderr.decode()
            for command in commands]
    assert all(line.count("\n") == 1 for line in said)
    unavailable = "hprof: --json is unavailable: this hprof was built without jansson; "
    refused = [line.startswith(unavailable) for line in said]
    assert len(set(refused)) == 1, said
    return not refused[0]


@pytest.fixture(autouse=True)
def built():
    if not is_built():
        pytest.skip("built without jansson")


@pytest.fixture(scope="module")
def profiles(jdk, class_path, tmp_path_factory):
    """By name in RUNS."""
    runner = Runner(jdk, class_path, tmp_path_factory.mktemp("json"))
    runs = {name: runner.run(program, options, *arguments)
            for name, (program, options, arguments) in RUNS.items()}
    assert all(run.exit_code == 0 for run in runs.values())
    yield {name: run.output for name, run in runs.items()}
    runner.close()


@pytest.fixture(scope="module")
def pair(jdk, class_path, tmp_path_factory):
    """Two profiles; the second has one more call and one more allocation."""
    runner = Runner(jdk, class_path, tmp_path_factory.mktemp("json-pair"))
    runs = [runner.run("GateWork", GATE, *more) for more in ((), ("call", "allocation"))]
    assert all(run.exit_code == 0 for run in runs)
    yield [run.output for run in runs]
    runner.close()


def text(*arguments, exit_code=0):
    return hprof(*arguments, exit_code=exit_code).stdout.decode()


def document(name, *arguments, exit_code=0, schema=None):
    printed = hprof(name, "--json", *arguments, exit_code=exit_code).stdout
    return json_reports.read(printed, schema or name)


# ---- report -----------------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--top", "3"), ("--of", "KIND"), ("--last",)],
                         ids=" ".join)
@pytest.mark.parametrize("by", ["method", "line", "class", "package", "thread"])
@pytest.mark.parametrize("name", ["samples", "cut", "times", "states", "sites", "monitors"])
def test_costs_are_those_of_the_text(profiles, name, by, options):
    kind = {"cut": "samples", "states": "lck"}.get(name, name)
    options = [kind if word == "KIND" else word for word in options]
    if name == "states" and "--of" in options:
        options[-1] = "slp"
    arguments = ["--by", by, *options, profiles[name]]
    found = document("report", *arguments)
    assert json_reports.costs(found) == json_reports.parts(text("report", *arguments))
    assert "tables" not in found and all(part["rows"] for part in found["costs"])


@pytest.mark.parametrize("name", RUNS)
def test_the_whole_report_is_that_of_the_text(profiles, name):
    """The summary, the costs, and each table with all frames."""
    found = document("report", "--top", "0", profiles[name])
    printed = json_reports.parts(text("report", "--top", "0", profiles[name]))
    facts = json_reports.facts(found)
    assert printed[0][:len(facts)] == facts
    costs = json_reports.costs(found)
    assert printed[1:len(costs) + 1] == costs
    check_tables(found["tables"], found["notes"], profiles[name], "0")


@pytest.mark.parametrize("name", RUNS)
def test_tables_alone_have_the_rows_that_top_leaves(profiles, name):
    found = document("report", "--traces", "--top", "2", profiles[name])
    assert "costs" not in found
    check_tables(found["tables"], found["notes"], profiles[name], "2")


def check_tables(tables, notes, profile, top):
    """The text has notes before, between and after the tables."""
    printed = text("report", "--traces", "--top", top, profile).splitlines()
    for table in tables:
        at = printed.index(table["title"])
        if table["of"] in ("thread-states", "trace-states"):
            check_states(table, printed[at:])
            continue
        lines = json_reports.table_lines(table)
        at += 1 if table["of"] == "lines" else 2
        shown = [json_reports.shown_frame(line) for line in printed[at:at + len(lines)]]
        assert shown == lines
        del printed[at - 1:at + len(lines)]
    assert all(note in printed for note in notes)
    facts = ("NOTE: program: ", "NOTE: JVM: ", "NOTE: options: ", "NOTE: profiled for ")
    assert notes == [line for line in printed
                     if line.startswith("NOTE: ") and not line.startswith(facts)]


def us(milliseconds):
    return None if milliseconds == "-" else int(milliseconds.replace(".", ""))


def name_words(row):
    return len(row["thread_name"].split()) or 1


def check_states(table, printed):
    """The numbers of the lines, which are those of the file."""
    heading = printed[1].split()
    first = heading.index("usr")
    lines = [line.split() for line in printed[2:] if not line.startswith("\t")]
    assert heading[first:first + len(table["states"])] == table["states"]
    for row, words in zip(table["rows"], lines):
        assert row["us"] == [us(word) for word in words[first:first + len(row["us"])]]
        if table["of"] == "trace-states":
            assert row["cost"] == us(words[1]) * 1000
            assert [str(row["count"]), str(row["trace"])] == words[-3:-1]
        else:
            assert str(row["thread"]) == words[0] and row["life_us"] == us(words[1])
            assert [str(row[key]) for key in ("voluntary_switches", "involuntary_switches")] == \
                words[-2 - name_words(row):][:2]
    assert table["rows"]


@pytest.mark.parametrize("options", [(), ("--min", "0"), ("--min", "20"), ("--threads",), ("--inverted",),
                                     ("--inverted", "--threads", "--min", "0")],
                         ids=" ".join)
@pytest.mark.parametrize("name", ["samples", "times", "states", "sites", "monitors"])
def test_trees_are_those_of_the_text(profiles, name, options):
    arguments = ["--tree", *options, profiles[name]]
    found = document("report", *arguments)
    printed = [[json_reports.unindented(line) for line in part]
               for part in json_reports.parts(text("report", *arguments))]
    assert [json_reports.tree_lines(tree) for tree in found["trees"]] == printed
    for tree in found["trees"]:
        json_reports.check_depths(tree)


@pytest.mark.parametrize("options", [(), ("--top", "1"), ("--last",)], ids=" ".join)
def test_states_are_those_of_the_text(profiles, options):
    arguments = ["--by", "state", *options, profiles["states"]]
    found = document("report", *arguments)
    assert json_reports.states(found) == json_reports.parts(text("report", *arguments))


@pytest.mark.skipif(PLATFORM == "windows", reason="has no regular expressions")
@pytest.mark.parametrize("options", [("--filter", "Burn"), ("--ignore", "Burn")], ids=" ".join)
def test_filters_select_the_same(profiles, options):
    arguments = ["--by", "method", *options, profiles["samples"]]
    found = document("report", *arguments)
    assert json_reports.costs(found) == json_reports.parts(text("report", *arguments))


def test_the_same_profile_gives_the_same_bytes(profiles, tmp_path):
    for name, profile in profiles.items():
        printed = hprof("report", "--json", profile).stdout
        assert hprof("report", "--json", "-o", tmp_path / f"{name}.any", profile).stdout == b""
        assert (tmp_path / f"{name}.any").read_bytes() == printed


def test_a_profile_without_states_is_refused_as_for_the_text(profiles):
    arguments = ["--by", "state", profiles["times"]]
    failed = hprof("report", "--json", *arguments, exit_code=1)
    assert failed.stderr == hprof("report", *arguments, exit_code=1).stderr
    assert "states" not in json_reports.read(failed.stdout, "report")


# ---- hostile profiles -------------------------------------------------------------------

NAMES = b"a.\xff\xfe\"\\B.c\x01\xc2\x85\xe2\x80\xa8\xed\xa0\x80\xf0\x9f\x98\x80"
SHOWN = 'a.\ufffd\ufffd"\\B.c\\u0001\\u0085\\u2028\ufffd\ufffd\ufffd\U0001f600'
BIG = 2 ** 64 - 1


def hostile_text():
    rows = hostile.samples([(3, 300001, "@@")])
    body = hostile.HEAD + hostile.trace(300001, ["@@(##:12)", "x(Native)", "a.b(:"]) + rows
    return body.encode().replace(b"@@", NAMES).replace(b"##", b"\xff\xff")


def test_names_of_any_bytes_are_valid_utf_8(tmp_path):
    (tmp_path / "a").write_bytes(hostile_text())
    found = document("report", tmp_path / "a")
    assert found["costs"][0]["rows"][0]["name"] == SHOWN
    frames = found["tables"][0]["rows"][0]["frames"]
    assert frames[0] == {"class": SHOWN.rpartition(".")[0], "method": SHOWN.rpartition(".")[2],
                         "file": "\ufffd\ufffd", "line": 12}
    assert frames[1] == {"method": "x", "file": "Native"}
    nodes = document("report", "--tree", tmp_path / "a")["trees"][0]["rows"]
    assert nodes[-1]["name"] == SHOWN
    assert document("diff", tmp_path / "a", tmp_path / "a")["parts"]


def test_numbers_stay_in_the_range_of_the_schema(tmp_path):
    (tmp_path / "a").write_text(hostile.HEAD + hostile.trace(300001, ["a.B.c(B.java:1)"])
                                + hostile.samples([(BIG, 300001, "a.B.c")]))
    (tmp_path / "b").write_text(hostile.HEAD)
    found = document("report", tmp_path / "a")
    assert found["costs"][0]["total"] == 2 ** 63 - 1


def test_part_of_a_file_says_so(tmp_path):
    whole = hostile_text()
    (tmp_path / "a").write_bytes(whole[:-30])
    found = document("report", tmp_path / "a", exit_code=1)
    assert not found["profile"]["is_whole"]
    hprof("report", "--json", "-o", tmp_path / "b", tmp_path / "a", exit_code=1)
    assert json_reports.read((tmp_path / "b").read_bytes(), "report")["profile"] == found["profile"]


# ---- diff -------------------------------------------------------------------------------


def check_stacks(table, lines):
    """The callers, of which the text has twelve."""
    printed = iter(line for line in lines if not line.startswith("... "))
    shown = next(printed, None)
    for row in table["rows"]:
        callers = []
        shown = next(printed, None)
        while shown is not None and shown.startswith("\t\t"):
            callers.append(shown.strip())
            shown = next(printed, None)
        if callers and callers[-1].startswith("... and "):
            assert callers.pop() == f"... and {len(row['stack']) - 13} more"
        assert row["stack"][0] == row["name"] and row["stack"][1:13] == callers


@pytest.mark.parametrize("options", [(), ("--top", "0"), ("--top", "1"), ("--normalize",),
                                     ("--of", "calls")], ids=" ".join)
def test_diff_has_the_rows_of_the_text(pair, options):
    check_diff(pair, options)


@pytest.mark.parametrize("options", [(), ("--of", "states"), ("--of", "slp"), ("--of", "lck")],
                         ids=" ".join)
def test_diff_has_the_states_of_the_text(profiles, options):
    kinds = check_diff((profiles["states"], profiles["states"]), options)
    assert kinds == list(options[1:]) or {"times", "calls", "states"} <= set(kinds)


def check_diff(pair, options):
    """The kinds of the parts, which have the rows of the text."""
    found = document("diff", *options, *pair)
    printed = json_reports.parts(text("diff", *options, *pair))
    assert printed[0][:2] == [f"old: {found['old']['file']}", f"new: {found['new']['file']}"]
    assert found["is_normalized"] == ("--normalize" in options)
    tables = iter(printed[1:])
    for part in found["parts"]:
        unit = part["unit"]
        names = next(tables)
        title = f"{part['title']}, {'ms' if unit == 'ns' else unit}, by {part['by']}"
        assert names[0] == title
        total = json_reports.diff_rows(names[2:3], unit)[0]
        assert total[:2] == (json_reports.rounded(part["total"]["old"], unit), json_reports.rounded(part["total"]["new"], unit))
        json_reports.check_diff_table(part["names"], names[3:], unit)
        stacks = next(tables)
        assert stacks[0] == f"{title.rpartition(' by ')[0]} by stack"
        json_reports.check_diff_table(part["stacks"], stacks[2:], unit)
        check_stacks(part["stacks"], stacks[2:])
    assert next(tables, None) is None
    return [part["of"] for part in found["parts"]]


def test_diff_shows_what_appeared_and_what_only_one_has(pair, profiles):
    found = document("diff", "--of", "calls", "--top", "0", *pair)
    added = [row for row in found["parts"][0]["names"]["rows"] if row["name"] == "GateWork.added"]
    assert [(row["old"], row["new"], row["status"]) for row in added] == [(0, 1, "appeared")]
    only = document("diff", profiles["times"], pair[0])["only_one_has"]
    assert {"of": "sites", "side": "new"} in only


def test_diff_writes_json_whatever_the_suffix(pair, tmp_path):
    for name in ("x.svg", "x.json", "x"):
        hprof("diff", "-o", tmp_path / name, "--json", *pair)
        assert json_reports.read((tmp_path / name).read_bytes(), "diff")


# ---- check ------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", ["", "GateWork.added +0 calls\n* +3 calls\n", "* +1%\n* +10\n"])
def test_check_has_the_verdict_of_the_text(jdk, pair, tmp_path, budget):
    if jdk.version == 11:
        pytest.skip("its allocations are reported by the JVM")
    (tmp_path / "budget").write_text(budget)
    arguments = ["--budget", tmp_path / "budget", "--top", "0"]
    for new, exit_code in ((pair[0], 0), (pair[1], 1)):
        command = ["--baseline", pair[0], *arguments, new]
        found = document("check", *command, exit_code=exit_code)
        assert json_reports.verdict(found) == text("check", *command, exit_code=exit_code).splitlines()
        assert found["passed"] == (exit_code == 0)
        lines = [f"{rule['pattern']} +{rule['amount']}{'%' * rule['is_percent']}"
                 f"{'' if rule['of_bytes'] else ' calls'}" for rule in found["budget"]]
        assert lines == budget.splitlines()


def test_check_writes_json_to_a_file_and_junit_beside_it(jdk, pair, tmp_path):
    if jdk.version == 11:
        pytest.skip("its allocations are reported by the JVM")
    files = ["-o", tmp_path / "gate.json", "--junit", tmp_path / "gate.xml"]
    done = hprof("check", "--json", *files, "--baseline", *pair, exit_code=1)
    assert done.stdout == b"" and (tmp_path / "gate.xml").exists()
    found = json_reports.read((tmp_path / "gate.json").read_bytes(), "check")
    assert found["measures"][0]["rows"][0]["stack"][0] == "GateWork.added"
    refused = hprof("check", "-o", tmp_path / "x", "--baseline", *pair, exit_code=2)
    assert b"--json" in refused.stderr and not (tmp_path / "x").exists()


@pytest.mark.parametrize("cut", [0, 20])
def test_check_of_a_file_has_the_counts_and_errors_of_the_text(profiles, tmp_path, cut):
    path = tmp_path / "file.hprof"
    data = profiles["heap"].read_bytes()
    path.write_bytes(data[:len(data) - cut])
    printed = text("check", path, exit_code=bool(cut)).splitlines()
    found = document("check", path, exit_code=bool(cut), schema="check-file")
    assert printed[0].startswith(f"{path}: {found['header']['version']}, identifiers of "
                                 f"{found['header']['id_size']} bytes, ")
    counts = [(row["name"], str(row["number"]), str(row["bytes"]))
              for row in found["records"] + found["subrecords"]]
    rows = [re.fullmatch(r" *(.+?) +(\d+) +(\d+)", line) for line in printed[2:]]
    assert counts == [row.groups() for row in rows if row and row[1] != "all records"]
    errors = [f"{path}: offset {error['offset']}: {error['text']}" for error in found["errors"]]
    assert [line for line in printed if ": offset " in line] == errors
    assert found["is_valid"] == (not cut) and found["error_count"] == len(errors)
    warned = re.search(r"at least (\d+) objects? that", "\n".join(printed))
    assert found["missing_objects"] == (int(warned[1]) if warned else 0)
    hprof("check", "-o", tmp_path / "x", path, exit_code=2)
    hprof("check", "-o", tmp_path / "x", "--json", path, exit_code=bool(cut))
    assert cut or json_reports.read((tmp_path / "x").read_bytes(), "check-file") == found


# ---- the examples -----------------------------------------------------------------------


def test_the_examples_of_the_guide_run(jdk, pair, tmp_path):
    if jdk.version == 11:
        pytest.skip("its allocations are reported by the JVM")
    guide = (json_reports.ROOT / "docs" / "CI.md").read_text()
    example = guide.split("python3 - <<'END'\n")[1].split("    END\n")[0]
    script = "".join(line[4:] if line.startswith("    ") else line
                     for line in example.splitlines(keepends=True))
    hprof("check", "--json", "-o", tmp_path / "gate.json", "--baseline", *pair, exit_code=1)
    done = subprocess.run(["/usr/bin/env", "python3", "-c", script], cwd=tmp_path, check=True,
                          capture_output=True, text=True, timeout=60)
    assert "+1 GateWork.added" in done.stdout.splitlines()


def test_the_limit_of_the_guide_finds_a_method_far_from_the_top(pair):
    """Its script fails for the share of a method that has little cost of its own."""
    guide = (json_reports.ROOT / "docs" / "CI.md").read_text()
    options, script = re.search(r"    hprof report (--json .*) new[.]txt[.]gz [|] python3 -c '\n(.*?)'\n",
                                guide, re.S).groups()
    script = script.replace("\n    ", "\n").strip().replace("com.acme.Parser.parse", "GateWork.main")
    printed = hprof("report", *options.split(), pair[0]).stdout
    for limit, exit_code in (("> 0", 1), ("> 100", 0)):
        done = subprocess.run(["/usr/bin/env", "python3", "-c", script.replace("> 20", limit)],
                              input=printed, check=False, timeout=60)
        assert done.returncode == exit_code
