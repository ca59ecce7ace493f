"""Tests of check.py, failures.py, pytest_failures.py and support/run.sh: stages of a small Makefile
and small tests, of which it is known what must come of them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import check
import failures

HERE = Path(__file__).resolve().parent
RUN_SH = HERE.parent / "support" / "run.sh"

MAKEFILE = f"""
PYTEST = PYTHONPATH={HERE} {sys.executable} -m pytest -q -p no:cacheprovider -p pytest_failures
good: ; @echo fine
compiler: ; @echo 'src/a.c:3:1: error: expected ;' && exit 1
slow: ; @sleep 60
directory: ; @test "$(origin BUILD)" = undefined
python: ; $(PYTEST) tests
parallel: ; $(PYTEST) -n 2 tests
programs:
	@for test in $(PROGRAMS); do sh {RUN_SH} failed $$test; done; test ! -e failed
"""


def run(directory, *arguments, **environment):
    """Exit code and lines of check.py in that directory."""
    done = subprocess.run(
        [sys.executable, HERE / "check.py", *arguments], cwd=directory, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**{name: value for name, value in os.environ.items()
                if name not in ("HPROF_CHECK_BUILD", "MAKEFLAGS", "MAKELEVEL", failures.VARIABLE)},
             **environment})
    return done.returncode, done.stdout.splitlines()


def row(lines, stage):
    """Result of the stage in the table, without its number of tests."""
    return [line.split()[2] for line in lines if line.startswith(f"{stage} ")][-1]


def told(lines, word):
    return [line for line in lines if line.startswith(f"{word} ")]


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "Makefile").write_text(MAKEFILE, encoding="ascii")
    (tmp_path / "tests").mkdir()
    return tmp_path


def program(tree, name, text):
    """A program that stands for a unit test."""
    path = tree / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="ascii")
    path.chmod(0o755)
    return path


def test_all_stages_run_and_the_table_has_each_with_its_log(tree):
    code, lines = run(tree, "compiler", "good")
    assert code == 1
    assert row(lines, "compiler") == "RED" and row(lines, "good") == "green"
    assert told(lines, "RED") == ["RED       compiler: src/a.c:3:1: error: expected ;"]
    assert lines[-1] == "RED"
    assert (tree / "build/check/good.log").read_text(encoding="ascii") == "fine\n"


def test_a_stage_keeps_the_build_directory_of_its_system(tree):
    code, _ = run(tree, "directory", HPROF_CHECK_BUILD="out")
    assert code == 0 and (tree / "out/check/directory.log").exists()


def test_green_stages_side_by_side(tree):
    code, lines = run(tree, "good+python")  # no tests: pytest's exit code is 5
    assert code == 1 and row(lines, "good") == "green" and row(lines, "python") == "RED"
    assert run(tree, "good")[0] == 0


def test_a_stage_without_an_end_is_ended(tree):
    code, lines = run(tree, "slow", "good", HPROF_CHECK_LIMIT="1")
    assert code == 1 and row(lines, "good") == "green"
    assert told(lines, "RED") == ["RED       slow: *** slow was still running after 1 s, and was ended"]


def test_calls_add_up_in_one_summary(tree):
    (tree / "deps.log").write_text("E: no package\n", encoding="ascii")
    assert run(tree, "--ran", "deps", "0", "3", "deps.log") == (0, [])
    assert run(tree, "--go-on", "good")[0] == 0
    code, lines = run(tree, "--summary")
    assert code == 0 and row(lines, "deps") == row(lines, "good") == "green"
    run(tree, "--ran", "deps", "100", "3", "deps.log")
    code, lines = run(tree, "--summary")
    assert code == 1 and told(lines, "RED") == ["RED       deps: E: no package"]
    assert run(tree, "good")[0] == 0  # starts anew


# Passes from run N of it on. Each run leaves a mark.
PASSES_FROM = """
import pathlib
def test_{name}():
    marks = pathlib.Path({marks!r})
    marks.write_text(marks.read_text() + "x" if marks.exists() else "x")
    assert len(marks.read_text()) >= {times}, "lost 35 of 837"
"""


@pytest.mark.parametrize("stage", ["python", "parallel"])
@pytest.mark.parametrize("times, verdict", [(1, "green"), (2, "unstable"), (3, "unstable"), (4, "RED")])
def test_a_test_is_red_if_it_fails_three_times(tree, stage, times, verdict):
    marks = tree / "marks"
    (tree / "tests" / "test_some.py").write_text(
        PASSES_FROM.format(name="some", marks=str(marks), times=times) +
        "def test_other(): pass\n", encoding="ascii")
    code, lines = run(tree, stage)
    assert code == (1 if verdict == "RED" else 0)
    assert row(lines, stage) == verdict
    line = f"{verdict:9} {stage}: tests/test_some.py::test_some: lost 35 of 837"
    assert verdict == "green" or any(shown.startswith(line) for shown in lines), lines
    assert len(marks.read_text(encoding="ascii")) == min(times, 3)


@pytest.mark.parametrize("kind, words", [
    ("sanitizer", "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1"),
    ("sanitizer", "a.c:3:4: runtime error: signed integer overflow"),
    ("crash", "# A fatal error has been detected by the Java Runtime Environment:"),
    ("crash", "exit code -11 after 3.2 s"),
    ("crash", "os.c:1:E:core:test_one:0: (after this point) Received signal 11 (Segmentation fault)"),
    ("crash", "E   assert -11 == 0\nE    +  where -11 = CompletedProcess(args=[], returncode=-11)"),
    ("crash", "wine: Unhandled page fault on read access to 0"),
    ("crash", "qemu: uncaught target signal 11 (Segmentation fault) - core dumped"),
    ("hang", "still running after 120 s; stacks at the end and in stacks.txt"),
    ("hang", "os.c:1:E:core:test_one:0: (after this point) Test timeout expired"),
    ("hang", "jdk17/times/read/3/once: hung: after 60 s"),
    ("output", "the program's output differs on stdout: should be 'a'"),
    ("output", "exit code 3, should be 0"),
    ("output", "jdk17/times/read/3/once: other output: ''"),
])
def test_what_is_no_chance_is_red_at_once(tree, kind, words):
    marks = tree / "marks"
    (tree / "tests" / "test_some.py").write_text(
        f"import pathlib, pytest\ndef test_some():\n    with open({str(marks)!r}, 'a') as file:\n"
        f"        file.write('x')\n    pytest.fail({words!r}, pytrace=False)\n", encoding="ascii")
    code, lines = run(tree, "python")
    assert code == 1 and row(lines, "python") == "RED"
    assert marks.read_text(encoding="ascii") == "x"
    assert failures.kind_of(words) == kind


def test_a_run_again_that_crashes_is_red_at_once(tree):
    marks = tree / "marks"
    (tree / "tests" / "test_some.py").write_text(
        f"import os, pathlib\ndef test_some():\n    marks = pathlib.Path({str(marks)!r})\n"
        "    if marks.exists():\n        marks.write_text('xx')\n"
        "        raise AssertionError('exit code -6 after 1 s')\n"
        "    marks.write_text('x')\n    assert False, 'lost 3'\n", encoding="ascii")
    code, lines = run(tree, "python")
    assert code == 1 and told(lines, "RED") == [
        "RED       python: tests/test_some.py::test_some: crash: E AssertionError: exit code -6 after 1 s"]


@pytest.mark.parametrize("words", [
    "exit code -9 after 1 s", "exit code 143, it was ended", "    signal.SIGSEGV\nE   assert 1 == 2",
    "lost 35 of 837 samples", "a.c:3:F:core:test_one:0: Assertion 'a == b' failed"])
def test_other_words_may_be_chance(words):
    assert failures.kind_of(words) is None


def test_more_than_a_few_are_no_chance(tree):
    (tree / "tests" / "test_some.py").write_text(
        "import pytest\n@pytest.mark.parametrize('i', range(30))\n"
        "def test_some(i):\n    with open('marks', 'a') as file:\n        file.write('x')\n"
        "    assert i < 30 - 11, 'wrong count'\n", encoding="ascii")
    code, lines = run(tree, "python")
    assert code == 1 and "RED (11)" in "\n".join(lines)
    assert told(lines, "RED") == [
        "RED       python: tests/test_some.py::test_some[19] (and 10 more): wrong count"]
    assert len((tree / "marks").read_text(encoding="ascii")) == 30


def test_a_file_that_cannot_be_read_is_red(tree):
    (tree / "tests" / "test_some.py").write_text("import no_such_module\n", encoding="ascii")
    code, lines = run(tree, "python")
    assert code == 1 and row(lines, "python") == "RED"


def test_words_without_a_traceback_are_the_reason_also_in_parallel(tree):
    (tree / "tests" / "test_some.py").write_text(
        "import pytest\n" + "".join(f"def test_{i}(): pytest.fail('lost {i}', pytrace=False)\n"
                                    for i in range(11)), encoding="ascii")
    _, lines = run(tree, "parallel")  # so many are not run again
    assert told(lines, "RED") == [f"RED       parallel: tests/test_some.py::test_{i}: lost {i}"
                                  for i in sorted(range(11), key=str)], lines


def test_a_worker_that_dies_is_a_crash(tree):
    (tree / "tests" / "test_some.py").write_text(
        "import os\ndef test_some(): os.abort()\ndef test_other(): pass\n", encoding="ascii")
    code, lines = run(tree, "parallel")
    assert code == 1 and told(lines, "RED")[0].startswith(
        "RED       parallel: tests/test_some.py::test_some: crash: "), lines


@pytest.mark.parametrize("text, verdict, reason", [
    ("exit 0", "green", None),
    ("echo a_test.c:7:F:core:test_one:0: lost 3; test -e again || { touch again; exit 1; }",
     "unstable", "test_one: lost 3"),
    ("echo a_test.c:7:F:core:test_one:0: lost 3; exit 1", "RED", "test_one: lost 3"),
    ("kill -SEGV $$", "RED", "crash: exit code 139"),
    ("test -z \"$NAMED\" || exit 1; touch again", "green", None),
    ("test \"$HERE\" = \"it's\" || exit 3; test -e again || { touch again; echo once; exit 1; }",
     "unstable", "once"),
])
def test_programs(tree, text, verdict, reason):
    path = program(tree, "a_test", text)
    other = program(tree, "b_test", "exit 0")
    code, lines = run(tree, "programs", PROGRAMS=f"{path} {other}", HERE="it's")
    assert code == (1 if verdict == "RED" else 0) and row(lines, "programs") == verdict, lines
    if reason:
        assert told(lines, verdict)[0].endswith(f"{path}: {reason}"), lines


def test_programs_without_a_judge_name_the_failed(tree):
    path = program(tree, "a_test", "exit 1")
    done = subprocess.run(["make", "-s", "programs", f"PROGRAMS={path}"], cwd=tree, check=False,
                          env={name: value for name, value in os.environ.items()
                               if name not in ("MAKEFLAGS", "MAKELEVEL", failures.VARIABLE)},
                          capture_output=True)
    assert done.returncode != 0
    assert (tree / "failed").read_text(encoding="utf-8") == f"{path}\n"


def test_the_summary_has_at_most_its_lines_and_shows_what_is_no_chance_first():
    stages = [check.Stage(f"stage{i}", 3, log="x") for i in range(22)]
    stages[3].red = [check.Test(f"test_{i}", "lost 3", None) for i in range(40)]
    stages[9].red = [check.Test("test_last", "crash: exit code -11", "crash")]
    stages[5].unstable = [check.Test("test_chance", "late", None)]
    lines = check.summary(stages)
    assert len(lines) == check.LINES_MOST
    assert [line for line in lines if line.startswith("RED ")][0].startswith(
        "RED       stage9: test_last: crash")
    assert lines[-2].startswith("... and ") and lines[-1].startswith("RED; 1 unstable")
