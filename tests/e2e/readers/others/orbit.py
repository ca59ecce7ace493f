"""The rules of Orbit's parser: first a thread, then traces up to the CPU section, line by
line. Whatever stands between a trace and the next is taken for a frame."""

import re

from . import Refused

_ENDS = {"CPU SAMPLES BEGIN": "CPU SAMPLES END", "CPU TIME (ms) BEGIN": "CPU TIME (ms) END"}


class _Lines:
    def __init__(self, text):
        self._lines = text.split("\n")[:-1]
        self._at = 0

    def next(self, wanted):
        if self._at == len(self._lines):
            raise Refused(f"the file ends before {wanted}")
        self._at += 1
        return self._lines[self._at - 1]

    def seek(self, beginning):
        while not (line := self.next(f"a line {beginning!r}")).startswith(beginning):
            pass
        return line


def _frame(line):
    """The line without what is between its last colon and its last parenthesis."""
    colon, parenthesis = line.rfind(":"), line.rfind(")")
    if colon >= 0 and parenthesis < colon:
        raise Refused(f"a colon without a parenthesis after it in {line!r}")
    return line if colon < 0 else line[:colon] + line[parenthesis:]


def _traces(lines, line):
    """The traces by number, and the line that begins the section."""
    traces = {}
    while not line.startswith(tuple(_ENDS)):
        words = [word for word in re.split(r"[( =:)]", line) if word]
        if words[:1] != ["TRACE"] or not words[1].isdigit():
            raise Refused(f"not a trace: {line!r}")
        number, frames = int(words[1]), []
        while True:
            line = lines.next("a CPU section").strip()
            if not line or line.startswith(("TRACE", *_ENDS)):
                break
            frames.append(_frame(line))
        traces[number] = frames
    return traces, line


def calls(text):
    """Of each row of the first CPU section: count, percent, frames (innermost first)."""
    lines = _Lines(text)
    if not lines.next("the first line").startswith("JAVA PROFILE"):
        raise Refused("not the first line of a profile")
    lines.seek("THREAD START (")
    traces, title = _traces(lines, lines.seek("TRACE"))
    end = next(end for beginning, end in _ENDS.items() if title.startswith(beginning))
    if not re.search(r"total = \d+\)", title):
        raise Refused(f"no total in {title!r}")
    lines.seek("rank")
    found = []
    while not (row := lines.next(end)).startswith(end):
        words = row.split()
        if len(words) < 6 or not words[1].endswith("%"):
            raise Refused(f"row {row!r}")
        if int(words[4]) not in traces:
            raise Refused(f"trace {words[4]} of a row not found")
        found.append((int(words[3]), float(words[1][:-1]), traces[int(words[4])]))
    return found
