"""The time and the memory that the hprof command takes are in proportion to the file, whatever is
in it. Needs neither a JDK nor the agent."""

import os
import resource
import subprocess

import pytest

from support import hostile_profiles as hostile
from support.builds import COMMAND, PLATFORM
from support.checks import TIMES_JUDGED

pytestmark = pytest.mark.any_jvm

# Things in the larger file, and by how many times the smaller one has fewer. What is in proportion
# to the file takes as many times the time, and its square the square of it. The limit is between
# them.
MOST, TIMES = 16000, 16
LIMIT = 4 * TIMES

# Bytes of address space that a command may take for each of the file, and beside them: its window, its
# libraries, its tables, and names that are joined, for which it has a limit of 64 MiB.
PER_BYTE, FREE = 150, 128 << 20

TABLES = [("report", "--top", "0"), ("report", "--by", "line"), ("report", "--by", "class"),
          ("report", "--tree", "--min", "0"), ("report", "--json", "--top", "0"),
          ("report", "--json", "--tree", "--min", "0")]
STACKS = [("report", "-o", "x.html"), ("report", "-o", "x.svg"), ("report", "-o", "x.collapsed"),
          ("report", "-o", "x.firefox.json"), ("report", "-o", "x.json"),
          ("report", "-o", "x.pb.gz")]
DIFF = [("diff",), ("diff", "--json"), ("diff", "-o", "x.svg"), ("diff", "-o", "x.html")]

CASES = {
    hostile.rows_of_one_trace: [*TABLES, *STACKS, *DIFF, ("report", "--traces", "--top", "0"),
                                ("report", "--filter", "m1$")],
    hostile.classes_of_one_trace: [*TABLES, *STACKS, *DIFF, ("diff", "-o", "x.collapsed")],
    hostile.states_of_one_trace: [("report", "--by", "state"), *STACKS],
    hostile.times_of_one_trace: STACKS,
    hostile.frames_of_their_own: [*TABLES, *STACKS, *DIFF],
    hostile.threads: [("report", "--by", "thread", "--top", "0"),
                      *[(*stacks, "--threads") for stacks in STACKS], ("diff", "--threads")],
    hostile.short_times: [*STACKS, TABLES[0]],
    hostile.short_sites: [*TABLES, *STACKS, *DIFF, ("check", "--baseline"),
                         ("check", "--json", "--top", "0", "--baseline")],
    hostile.notes_before_costs: [TABLES[0], STACKS[0]],
    hostile.binary_rows_of_one_trace: [*TABLES, *STACKS, *DIFF],
    hostile.long_names: [*TABLES, *STACKS, *DIFF, ("check",)],
    hostile.chain_of_classes: [("check",), TABLES[0]],
    hostile.short_dumps: [("check",), TABLES[0], STACKS[0]],
    hostile.divided_object: [("check",), TABLES[0]],
}


def last_words(directory):
    with open(directory / "printed", "rb") as printed:
        printed.seek(max(0, printed.seek(0, os.SEEK_END) - 500))
        return printed.read()


def cost_of(arguments, directory):
    """CPU time in seconds. The arguments that are names of files say how much memory it may
    have."""
    files = [directory / name for name in arguments if (directory / name).is_file()]
    most = FREE + PER_BYTE * sum(path.stat().st_size for path in files)
    for left in directory.glob("x.*"):
        left.unlink()
    with open(directory / "printed", "wb") as printed:
        done = subprocess.Popen([COMMAND, *arguments], cwd=directory, stdout=printed,
                                stderr=printed, preexec_fn=lambda: resource.setrlimit(
                                    resource.RLIMIT_AS, (most, most)))
        _, status, usage = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    assert 0 <= done.returncode <= 2, (arguments, done.returncode)
    assert b"memory" not in last_words(directory), (arguments, most)
    return usage.ru_utime + usage.ru_stime


def least_cost(arguments, directory, often):
    return min(cost_of(arguments, directory) for _ in range(often))


def check_costs(arguments, small, large, directory):
    """The files are the last arguments; a comparison has the same one twice."""
    start = least_cost(["--version"], directory, 2)
    little = least_cost([*arguments, *small], directory, 2)
    limit = LIMIT * (little + start)
    much = cost_of([*arguments, *large], directory)
    if much > limit:
        much = least_cost([*arguments, *large], directory, 2)
    if not is_limited(directory):
        assert not TIMES_JUDGED or much <= limit, (arguments, start, little, much)


def is_limited(directory):
    """Whether the last command ended since its output was too large for the file: up to
    there, formats that write each stack out take as long as they have stacks."""
    said = b"repeat the same stacks too often" in last_words(directory)
    assert not said or not list(directory.glob("x.*")), "part of an output is left"
    return said


def write(path, contents):
    path.write_bytes(contents.encode() if isinstance(contents, str) else contents)


@pytest.mark.skipif(PLATFORM != "linux", reason="asks Linux what a process took")
@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_costs_are_in_proportion_to_the_file(make, tmp_path):
    write(tmp_path / "small", make(MOST // TIMES))
    write(tmp_path / "large", make(MOST))
    for arguments in CASES[make]:
        pair = 2 if arguments[0] == "diff" or "--baseline" in arguments else 1
        check_costs(arguments, ["small"] * pair, ["large"] * pair, tmp_path)


@pytest.mark.skipif(PLATFORM != "linux", reason="asks Linux what a process took")
def test_costs_of_a_budget_are_too(tmp_path):
    for name, count in (("small", MOST // TIMES), ("large", MOST)):
        write(tmp_path / f"{name}.old", hostile.grown(count, 8))
        write(tmp_path / f"{name}.new", hostile.grown(count, 16))
    write(tmp_path / "budget", "q.* +1\n")
    for how in (("--junit", "x.xml"), ("--json", "--top", "0")):
        check_costs(["check", "--budget", "budget", *how, "--baseline"],
                    ["small.old", "small.new"], ["large.old", "large.new"], tmp_path)
