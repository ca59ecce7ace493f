"""Errors on the command line: one line that names the option and where the others are listed."""

import re
import shutil

import pytest

from support.command import help_of, hprof, subcommands

# hprof check has options with --baseline alone; the options of hprof listen are in its error.
WITH_OPTIONS = {"run": [], "attach": [], "report": [], "diff": [], "check": ["--baseline", "old"]}


def refused(*arguments):
    line = hprof(*arguments, exit_code=2).stderr.decode()
    assert line.startswith("hprof: ") and line.count("\n") == 1, line
    return line


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_an_unknown_option_is_named(name):
    assert refused(name, *WITH_OPTIONS[name], "--unknown", "a") == (
        f"hprof: unknown option --unknown; hprof {name} --help lists the options\n")


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_an_option_without_its_value_is_named(name):
    valued = re.findall(r"^  (-{1,2}\w+) [A-Z]+\b", help_of(name, "--help"), re.MULTILINE)
    assert valued and set(valued) <= set(subcommands()[name])
    for option in valued:
        given = [] if option in WITH_OPTIONS[name] else WITH_OPTIONS[name]
        assert refused(name, *given, option) == (
            f"hprof: {option} requires a value; hprof {name} --help lists the options\n")


def test_an_option_that_is_given_twice_is_named():
    for name, option in (("run", "-e"), ("run", "-o"), ("attach", "-d"), ("attach", "--libpath")):
        assert refused(name, option, "a", option, "b") == (
            f"hprof: {option} is given twice; write it once\n")


def test_a_program_without_its_dashes():
    assert "-- java ARGUMENTS" in refused("run", "java", "Main")


PROFILE = """JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026
--------
TRACE 300001:
\tMain.main(Main.java:9)
CPU SAMPLES BEGIN (total = 1) Sat Nov 21 02:55:43 2026
rank   self  accum   count trace method
   1 100.00% 100.00%       1 300001 Main.main
CPU SAMPLES END
"""


def test_a_file_that_was_written_and_what_to_do_with_it_is_named(tmp_path):
    (tmp_path / "a.hprof.txt").write_text(PROFILE)
    shutil.copy(tmp_path / "a.hprof.txt", tmp_path / "b.hprof.txt")
    steps = {"x.html": "; open it in a browser", "x.svg": "; open it in a browser", "x.txt": "",
             "x.collapsed": "; it is input for tools that draw flame graphs"}
    for name, step in steps.items():
        done = hprof("report", "-o", name, "a.hprof.txt", cwd=tmp_path)
        assert done.stdout == b"" and done.stderr.decode() == f"hprof: wrote {name}{step}\n"
        (tmp_path / name).unlink()
        done = hprof("diff", "-o", name, "a.hprof.txt", "b.hprof.txt", cwd=tmp_path)
        assert done.stdout == b"" and done.stderr.decode() == f"hprof: wrote {name}{step}\n"
    assert hprof("report", "a.hprof.txt", cwd=tmp_path).stderr == b""
