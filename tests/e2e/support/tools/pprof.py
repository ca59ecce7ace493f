"""Go's pprof: what it prints of a profile."""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass

from support.command import LIMIT_S
from support.tools import fetched

_LOCATION = re.compile(r" *(\d+): 0x0 (?:M=\d+ )?(.*) (\S*):\d+:\d+ s=\d+(?:\(.*\))?")
_UNITS = {"count": "count", "nanoseconds": "ns", "bytes": "B"}


@dataclass
class Raw:
    types: list    # of (type, unit)
    default: str   # type
    samples: list  # of (values, stack of names, outermost first)

    def stacks(self, name):
        at = [kind for kind, _ in self.types].index(name)
        stacks = Counter()
        for values, stack in self.samples:
            if values[at] != 0:
                stacks[stack] += values[at]
        return stacks


def _run(path, *options):
    done = subprocess.run([fetched("pprof/pprof"), *options, path], capture_output=True, check=False,
                          text=True, timeout=LIMIT_S)
    assert done.returncode == 0, done.stderr
    assert done.stderr in ("", "Main binary filename not available.\n"), done.stderr
    return done.stdout


def raw(path):
    """-raw: all samples, with the names that the other reports have, too."""
    text = _run(path, "-raw")
    types, samples = re.search(r"^Samples:\n(.*)\n((?:.*\n)*?)Locations\n", text, re.MULTILINE).groups()
    lines = re.search(r"^Locations\n((?:.*\n)*?)Mappings\n", text, re.MULTILINE)[1].splitlines()
    names = dict(_LOCATION.fullmatch(line).groups()[:2] for line in lines)
    result = Raw([tuple(one.removesuffix("[dflt]").split("/")) for one in types.split()],
                 next(one.split("/")[0] for one in types.split() if one.endswith("[dflt]")), [])
    for values, numbers in re.findall(r"^ *(\d+(?: +\d+)*): ((?:\d+ )+)$", samples, re.MULTILINE):
        stack = tuple(names[number] for number in reversed(numbers.split()))
        result.samples.append((list(map(int, values.split())), stack))
    return result


def top(path, sample_type, unit):
    """-top: {name: (flat, cumulative)} and the total."""
    text = _run(path, "-top", "-trim=false", f"-sample_index={sample_type}", f"-unit={_UNITS[unit]}")
    assert f"Type: {sample_type}" in text.splitlines()

    def number(words):
        digits = words if unit == "count" or words == "0" else words.removesuffix(_UNITS[unit])
        return int(digits)
    shown, total = re.search(r"^Showing nodes accounting for (\w+), 100% of (\w+) total$", text, re.MULTILINE).groups()
    assert shown == total
    rows = re.findall(r"^ *(\w+) +\S+% +\S+% +(\w+) +\S+%  (.*)$", text, re.MULTILINE)
    assert len({name for _, _, name in rows}) == len(rows)
    return {name: (number(flat), number(cumulative)) for flat, cumulative, name in rows}, number(total)
