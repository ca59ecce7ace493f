"""Errors on the command line: one line that names the option and where the others are listed."""

import re

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
