"""The rules of Gin's profiler for CPU samples and for allocation sites: what is on top of
each trace."""

import re

from . import Refused

_TRACE = re.compile(r"^TRACE (\d+):(?:\r\n|\r|\n)^\t(.*)\(.*:(.*)\)$", re.M)
_EMPTY = re.compile(r"^TRACE (\d+):(?:\r\n|\r|\n)^\t<empty>$", re.M)
_SAMPLES = re.compile(r"rank   self  accum   count trace method$(.*?)CPU SAMPLES END",
                      re.M | re.S)
_SITES = re.compile(
    r"rank   self  accum     bytes objs     bytes  objs trace name$(.*?)SITES END", re.M | re.S)


def _tops(text):
    """The method and line on top of each trace; None for a line that is not known."""
    tops = {}
    for number, method, line in _TRACE.findall(text):
        if line != "Unknown line" and not re.fullmatch(r"[+-]?\d+", line):
            raise Refused(f"the line of trace {number} is {line!r}, no number")
        tops[number] = (method, None if line == "Unknown line" else int(line))
    return tops


def _labelled(method, line):
    return method if line is None else f"{method}:{line}"


def _rows(pattern, text):
    table = pattern.search(text)
    return [row.split() for row in table[1].splitlines() if row] if table else []


def samples(text):
    """Count, and method with line, of each row."""
    tops = _tops(text)
    found = []
    for row in _rows(_SAMPLES, text):
        if len(row) < 6 or not row[3].isdigit():
            raise Refused(f"row {row}")
        if row[4] not in tops:
            raise Refused(f"trace {row[4]} of a row has no frames")
        found.append((int(row[3]), _labelled(row[5], tops[row[4]][1])))
    return found


def allocations(text):
    """Allocated bytes, and method with line, of each row of the first SITES."""
    tops = _tops(text)
    tops.update((number, ("<empty>", None)) for number in _EMPTY.findall(text))
    found = []
    for row in _rows(_SITES, text):
        if row[7] not in tops:
            raise Refused(f"trace {row[7]} of a row does not exist")
        found.append((int(row[5]), _labelled(*tops[row[7]])))
    return found
