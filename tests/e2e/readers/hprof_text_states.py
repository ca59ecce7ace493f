"""Reads TRACE MICROSTATES for hprof_text, as strictly: the states of a row sum to its wall time, the
rows to the total, and they are in order."""

import re
from dataclasses import dataclass, field

STATES = ("usr", "sys", "tfl", "dfl", "lck", "slp", "i/o", "lat", "stw")
START = "TRACE MICROSTATES "
_BEGIN = re.compile(r"TRACE MICROSTATES \(ms\) BEGIN \(total = (0|[1-9]\d*), (exact|sampled)\) (.+)")
_HEADING = "rank" + "".join(f"{name:>12}" for name in ("wall", *STATES))
_COUNT = {"exact": "calls", "sampled": "samples"}
_ROW = re.compile(r" *(\d+)((?: +(?:\d+\.\d{3}|-)){10}) +(\d+) ([1-9]\d*) (.+)")
_END = "TRACE MICROSTATES (ms) END"
_ROUNDED = 0.001  # times are cut to that


@dataclass
class StateRow:
    wall: float
    ms: dict  # by state; None where the file has "-"
    calls: int  # or samples
    trace: object

    @property
    def names(self):
        return self.trace.names


@dataclass
class TraceStates:
    total: int
    sampled: bool
    rows: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def sums(self, chosen=lambda row: True):
        """The sum of each state, and of wall, over the rows that are chosen."""
        rows = [row for row in self.rows if chosen(row)]
        sums = {name: sum(row.ms[name] or 0 for row in rows) for name in STATES}
        sums["wall"] = sum(row.wall for row in rows)
        return sums


class StateRecords:
    """What hprof_text's parser needs to know of TRACE MICROSTATES."""

    def trace_states(self, line):
        match = _BEGIN.fullmatch(line)
        if not match:
            self.fail("bad TRACE MICROSTATES BEGIN", self.at - 1)
        self.date(match[3])
        section = TraceStates(int(match[1]), match[2] == "sampled")
        if self.next("the heading") != f"{_HEADING} {_COUNT[match[2]]:>8} trace method":
            self.fail("bad heading", self.at - 1)
        while (line := self.next(_END)) != _END:
            self.states_row(section, line)
        self.check_states(section)
        self.profile.states.append(section)
        self.notes = section.notes

    def states_row(self, section, line):
        match = _ROW.fullmatch(line)
        if not match:
            self.fail("bad row", self.at - 1)
        times = match[2].split()
        trace = self.profile.traces.get(int(match[4]))
        if trace is None or trace.empty:
            self.fail("row of a trace not seen before", self.at - 1)
        shape = (f"{len(section.rows) + 1:4d}" + "".join(f" {text:>11}" for text in times)
                 + f" {int(match[3]):8d} {trace.serial} {trace.names[0]}")
        if line != shape:
            self.fail(f"columns of a row, should be {shape!r}", self.at - 1)
        ms = {name: None if text == "-" else float(text) for name, text in zip(STATES, times[1:])}
        if times[0] == "-":
            self.fail("a row without wall time", self.at - 1)
        row = StateRow(float(times[0]), ms, int(match[3]), trace)
        known = [time for time in ms.values() if time is not None]
        short = row.wall - sum(known)
        if not -1e-6 <= short <= _ROUNDED * len(known):
            self.fail(f"states sum to {sum(known):.3f}", self.at - 1)
        if section.rows and row.wall > section.rows[-1].wall:
            self.fail("row out of order", self.at - 1)
        if self.cutoff and section.total and row.wall < self.cutoff * section.total - _ROUNDED:
            self.fail(f"row below the cutoff {self.cutoff}", self.at - 1)
        section.rows.append(row)

    def check_states(self, section):
        serials = [row.trace.serial for row in section.rows]
        if len(set(serials)) != len(serials):
            self.fail("trace twice in one section", self.at - 1)
        wall = sum(row.wall for row in section.rows)
        if wall > section.total + 1 + 1e-6 * len(serials) or (
                self.cutoff == 0 and wall < section.total - _ROUNDED * len(serials)):
            self.fail(f"rows sum to {wall:.3f} ms of {section.total}", self.at - 1)
