"""The command line: which options are refused, with which messages, and what help prints."""

import re

import pytest

from support.checks import check, check_refused

pytestmark = pytest.mark.any_jvm

OPTIONS = ["heap", "cpu", "monitor", "format", "file", "net", "depth", "interval", "cutoff",
           "lineno", "thread", "doe", "msa", "force", "verbose", "gc_okay", "help", "live",
           "heapinterval"]
YES_NO = ["monitor", "lineno", "thread", "doe", "msa", "force", "verbose", "gc_okay"]

# The option string, and the words that its one line must have: the option's
# name and the legal values.
BAD = [
    # unknown options
    ("nonsense=1", ["nonsense", "heap", "cpu", "verbose"]),
    ("nonsense", ["nonsense", "heap", "cpu", "verbose"]),
    ("cpu=samples,dept=4", ["dept", "depth"]),
    ("CPU=samples", ["CPU", "cpu"]),
    # values out of a list
    ("cpu=fast", ["cpu", "samples", "times", "old"]),
    ("cpu=sample", ["cpu", "samples", "times", "old"]),
    ("cpu=samples2", ["cpu", "samples", "times", "old"]),
    ("cpu=samples depth=4", ["cpu", "samples", "times", "old"]),
    ("cpu=", ["cpu", "samples", "times", "old"]),
    ("cpu", ["cpu", "samples", "times", "old"]),
    ("heap=some", ["heap", "dump", "sites", "all"]),
    ("cpu=samples,format=c", ["format", "a", "b"]),
    ("cpu=samples,format=binary", ["format", "a", "b"]),
    ("cpu=samples,engine=magic", ["engine", "async", "clock"]),
    *[(f"cpu=samples,{name}=maybe", [name, "y", "n"]) for name in YES_NO],
    ("cpu=samples,lineno=yes", ["lineno", "y", "n"]),
    ("cpu=samples,lineno", ["lineno", "y", "n"]),
    # numbers
    ("cpu=samples,depth=-1", ["depth", "0"]),
    ("cpu=samples,depth=4x", ["depth", "0"]),
    ("cpu=samples,depth=0x10", ["depth", "0"]),
    ("cpu=samples,depth=", ["depth", "0"]),
    ("cpu=samples,depth=99999999999999999999", ["depth", "0"]),
    ("cpu=samples,interval=0", ["interval", "1"]),
    ("cpu=samples,interval=-5", ["interval", "1"]),
    ("cpu=samples,interval=10ms", ["interval", "1"]),
    ("cpu=samples,interval=1.5", ["interval", "1"]),
    ("cpu=samples,interval=4294967297", ["interval", "1"]),
    ("cpu=samples,cutoff=2", ["cutoff", "0", "1"]),
    ("cpu=samples,cutoff=-0.1", ["cutoff", "0", "1"]),
    ("cpu=samples,cutoff=few", ["cutoff", "0", "1"]),
    ("cpu=samples,cutoff=nan", ["cutoff", "0", "1"]),
    ("cpu=samples,cutoff=0.1.2", ["cutoff", "0", "1"]),
    # files and hosts
    ("cpu=samples,file=", ["file"]),
    ("cpu=samples,net=localhost", ["net", "host", "port"]),
    ("cpu=samples,net=localhost:", ["net", "host", "port"]),
    ("cpu=samples,net=:4000", ["net", "host", "port"]),
    ("cpu=samples,net=localhost:0", ["net", "host", "port"]),
    ("cpu=samples,net=localhost:65536", ["net", "host", "port"]),
    ("cpu=samples,net=localhost:http", ["net", "host", "port"]),
    # given twice, and contradictions
    ("cpu=samples,cpu=samples", ["cpu"]),
    ("cpu=samples,depth=4,depth=8", ["depth"]),
    ("cpu=samples,verbose=y,verbose=n", ["verbose"]),
    ("cpu=samples,file=a.txt,net=localhost:4000", ["file", "net"]),
    ("cpu=samples,format=b,monitor=y", ["format=b", "monitor=y"]),
    ("monitor=y,cpu=samples,format=b", ["format=b", "monitor=y"]),
    ("cpu=times,format=b", ["format=b", "cpu=times"]),
    ("format=b,cpu=old", ["format=b", "cpu=old"]),
]


@pytest.mark.parametrize("options, words", BAD, ids=[options or "none" for options, _ in BAD])
def test_a_bad_option_ends_the_jvm_by_one_line_that_says_what_is_legal(run_java, options, words):
    run = run_java("Hello", options, exit_code=None)
    check_refused(run, words)
    check(not list(run.directory.iterdir()), run,
          f"left {[p.name for p in run.directory.iterdir()]}")


def test_a_very_long_option_is_refused_by_one_line_of_bearable_length(run_java):
    run = run_java("Hello", "cpu=samples," + "x" * 20000 + "=1", exit_code=None)
    check_refused(run, [])
    check(len(run.stderr) < 4000, run, f"a line of {len(run.stderr)} bytes")


def test_control_characters_in_a_bad_option_do_not_reach_the_terminal(run_java):
    run = run_java("Hello", "cpu=samples,in\x1b[31mter\nval=3", exit_code=None)
    check_refused(run, [])
    check("\x1b" not in run.stderr, run, "an escape character on stderr")


def test_help_prints_every_option_and_exits_0_without_running_main(run_java):
    run = run_java("Hello", "help", exit_code=0)
    check("of stdout" not in run.stdout and "one line of stderr" not in run.stderr, run,
          "main was run")
    check(not list(run.directory.iterdir()), run, "help left a file")
    missing = [name for name in OPTIONS
               if not re.search(rf"\b{name}\b", run.stdout)]
    check(not missing, run, f"help is silent about {missing}")
    for name, default in (("depth", "4"), ("interval", "10"), ("cutoff", "0.0001"),
                          ("lineno", "y"), ("thread", "n"), ("doe", "y"), ("force", "y")):
        check(re.search(rf"^ *{name}=.*\b{re.escape(default)} *$", run.stdout, re.M), run,
              f"no line of help has {name}= and ends with its default {default}")
    check("engine=" not in run.stdout, run, "engine is for tests and not in the help")
    check("\x1b" not in run.stdout, run, "escape characters in the help")


# The options, values and defaults of the manual's help, in its order.
MANUAL = """\
heap=dump|sites|all all
cpu=samples|times|old off
monitor=y|n n
format=a|b a
file=<file> java.hprof[{.txt}]
net=<host>:<port> off
depth=<size> 4
interval=<ms> 10
cutoff=<value> 0.0001
lineno=y|n y
thread=y|n n
doe=y|n y
msa=y|n n
force=y|n y
verbose=y|n y""".splitlines()


def section(text, title):
    """The lines under a title and its rule, up to an empty line."""
    found = re.search(rf"^{re.escape(title)}\n-[- ]*\n((?:.+\n)+)", text, re.M)
    return found.group(1).splitlines() if found else None


def test_help_has_the_layout_options_and_defaults_of_the_manual(run_java):
    run = run_java("Hello", "help", exit_code=0)
    table = section(run.stdout, "Option Name and Value  Description                    Default")
    check(table is not None, run, "the heading is not that of the manual")
    check([f"{line[:23].strip()} {line[54:]}" for line in table] == MANUAL, run,
          "the options are not those of the manual")
    check(all(line[22] == " " and line[53] == " " and line[23:53].strip() for line in table), run,
          "the columns are not those of the manual")
    check("hprof usage: java -agentlib:hprof=[help]|[<option>=<value>, ...]\n" in run.stdout, run,
          "the usage line is not that of the manual")
    titles = [line for line, rule in zip(run.stdout.splitlines(), run.stdout.splitlines()[1:])
              if re.fullmatch(r"-+", rule)]
    check(titles == ["Additional Options", "Obsolete Options", "Examples", "Notes", "Warnings"],
          run, f"the sections are {titles}")
    check(section(run.stdout, "Obsolete Options") == ["gc_okay=y|n"], run,
          "the obsolete options are not those of the manual")
    added = " ".join(section(run.stdout, "Additional Options"))
    check(all(f"{name}=" in added for name in ("live", "heapinterval", "include", "exclude")),
          run, "our own options have no section of their own")


@pytest.mark.parametrize("option", ["gc_okay=y", "logflags=4", "debugflags=0x1", "X=1",
                                    "coredump=y", "errorexit=y", "pause=y", "debug=y",
                                    "primfields=n", "primarrays=n"])
def test_an_option_without_effect_is_accepted_with_one_line(run_java, option):
    run = run_java("Hello", "cpu=samples," + option)
    name = option.split("=")[0]
    lines = [line for line in run.agent_lines if f"option {name} " in line]
    check(len(lines) == 1 and "no effect" in lines[0] and len(run.agent_lines) == 3, run,
          f"one line that names {name} wanted, besides those of the start and the dump")
    run.profile()


def test_every_legal_option_at_once_is_accepted(run_java):
    run = run_java("Hello", "cpu=samples,monitor=n,format=a,file=all.txt,depth=8,interval=20,"
                   "cutoff=0,lineno=y,thread=n,doe=y,force=y,verbose=n")
    check(run.stderr == "one line of stderr\n", run, "verbose=n should print nothing")
    run.profile()
