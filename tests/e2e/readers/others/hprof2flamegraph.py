"""The rules of hprof2flamegraph (stackcollapse-hprof): stacks with their samples."""

import re

from . import Refused

_FIRST = re.compile(r"JAVA PROFILE \d.\d.\d, created \w+ \w+ +\d+ \d\d:\d\d:\d\d \d{4}")
# Wherever this stands, the file is taken for one of traced calls.
_TRACED = re.compile(r"CPU TIME \(ms\) BEGIN")
_TRACE = re.compile(r"TRACE ([0-9]+):(?: \(thread=([0-9]+)\))?\n((?:\t.+\n)+)")
_FRAME = re.compile(r"(.+)\((.+):(.+)\)")
_SAMPLES = re.compile(
    r"CPU SAMPLES BEGIN \(total = \d+\).+\nrank[^\n]+\n((?:[^\n]+\n)+)CPU SAMPLES END")


def _frame(line):
    match = _FRAME.match(line.strip())
    if not match:
        raise Refused(f"frame {line!r} has no (source:line)")
    return match[1] if match[3] == "Unknown line" else f"{match[1]}:{match[3]}"


def stacks(text):
    """The frames of each trace, innermost first, and last its thread, by the number."""
    found = {}
    for number, thread, lines in _TRACE.findall(text):
        if "<empty>" in lines:
            continue
        frames = [_frame(line) for line in lines.split("\n") if line]
        found[number] = frames + ([f"Thread {thread}"] if thread else [])
    return found


def collapse(text):
    """The samples of each stack, the outermost frame first, joined by semicolons."""
    if not _FIRST.match(text):
        raise Refused("not the first line of a profile")
    if _TRACED.search(text):
        raise Refused("calls were traced, not sampled")
    by_number = stacks(text)
    section = _SAMPLES.search(text)
    if not section:
        raise Refused("no samples")
    if not by_number:
        raise Refused("no traces")
    lines = []
    for row in section[1].splitlines():
        _rank, _self, _accum, count, number = row.split()[:5]
        if number not in by_number:
            raise Refused(f"trace {number} of a row has no frames")
        lines.append((";".join(reversed(by_number[number])), int(count)))
    return lines
