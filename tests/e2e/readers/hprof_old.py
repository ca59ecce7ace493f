"""Reads the table of cpu=old, strictly, as the tests' own judge of it.

Written from the reference documents alone; shares nothing with the agent.
"""

import re
from dataclasses import dataclass

HEADING = "count callee caller time"
_METHOD = r"([^ (]+\.[^ .(]+)(\([^ )]*\)[^ ]+)"
_ROW = re.compile(rf"([1-9]\d*) {_METHOD} (?:{_METHOD}|<unknown caller>) (0|[1-9]\d*)")


class FormatError(Exception):
    """The file breaks the format; says where."""


@dataclass
class Row:
    count: int
    callee: str
    signature: str
    caller: object  # str, or None
    caller_signature: object
    ms: int

    @property
    def pair(self):
        return (self.callee, self.signature, self.caller, self.caller_signature)

    @property
    def names(self):
        """The callee, and the caller if it is known."""
        return [self.callee] if self.caller is None else [self.callee, self.caller]


def parse_row(line):
    """The row that a line is, or None."""
    match = _ROW.fullmatch(line)
    return Row(int(match[1]), *match.groups()[1:5], int(match[6])) if match else None


def check_pairs(table):
    """FormatError, unless the rows come by count and each pair has one."""
    if any(above.count < row.count for above, row in zip(table, table[1:])):
        raise FormatError("count out of order")
    if len({row.pair for row in table}) != len(table):
        raise FormatError("a pair has two rows")


def parse(data):
    """The tables of the file, each a list of rows, or FormatError."""
    text = data.decode("utf-8")
    if not text.endswith("\n"):
        raise FormatError("the last line is not ended")
    tables = []
    for number, line in enumerate(text[:-1].split("\n"), 1):
        if line == HEADING:
            tables.append([])
            continue
        row = parse_row(line)
        if row is None or not tables:
            raise FormatError(f"line {number}: {line!r}")
        tables[-1].append(row)
    for table in tables:
        check_pairs(table)
    return tables
