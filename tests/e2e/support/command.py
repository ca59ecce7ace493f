"""Runs the hprof command, and reads what it prints."""

import os
import re
import subprocess
from collections import Counter

from .builds import COMMAND
from .checks import stable_name
from .live_run import TIMEOUT_S

LIMIT_S = 60


def hprof(*arguments, exit_code=0, **how):
    """Runs the command to its end; what it wrote. exit_code: None for any."""
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, check=False,
                          timeout=TIMEOUT_S, **how)
    assert exit_code in (None, done.returncode), (arguments, done.stdout[-500:], done.stderr)
    return done


def collapsed(*arguments):
    """The stacks of a report, outermost first, with what they cost."""
    stacks = {}
    for line in hprof("report", "--collapsed", *arguments).stdout.decode().splitlines():
        stack, cost = line.rsplit(" ", 1)
        assert stack not in stacks, stack
        stacks[stack] = int(cost)
    return stacks


def expected_stacks(rows, cost, leaf=lambda row: []):
    """The same of the rows that an independent reader has found."""
    stacks = Counter()
    for row in rows:
        names = [frame.name for frame in reversed(row.trace.frames)] or ["<empty trace>"]
        stacks[stable_name(";".join([*names, *leaf(row)]))] += cost(row)
    return {stack: cost for stack, cost in stacks.items() if cost}


def java_command(jdk, class_path, *words):
    return [jdk.java, "-cp", os.pathsep.join(map(str, class_path)), *map(str, words)]


def clean_environment(**added):
    left_out = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_HOME")
    kept = {key: value for key, value in os.environ.items() if key not in left_out}
    return {**kept, **added}


def help_of(*arguments):
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=LIMIT_S,
                          check=True).stdout


def subcommands():
    """Those of hprof help, with the options that their own help lists."""
    names = re.findall(r"^  hprof (\S+)", help_of("help"), re.MULTILINE)
    return {name: re.findall(r"^  (-{1,2}[\w-]+)", help_of(name, "--help"), re.MULTILINE)
            for name in names}
