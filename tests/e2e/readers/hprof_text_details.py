"""Reads the sections behind a table for hprof_text, as strictly: SAMPLE TIMES and TRACE COSTS.

Each follows its table, and must agree with it.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

_TIMES = re.compile(
    r"SAMPLE TIMES BEGIN \(bucket = ([1-9]\d*) ms, start = ([1-9]\d*)\) (.+)")
_TIMES_END = "SAMPLE TIMES END"
_TIMES_ROW = re.compile(r"([1-9]\d*)((?: (?:0|[1-9]\d*):[1-9]\d*)+)")
_COSTS = re.compile(r"TRACE COSTS BEGIN \((CPU TIME|OFF-CPU TIME|MONITOR TIME), "
                    r"total = (0|[1-9]\d*) ns\) (.+)")
_COSTS_END = "TRACE COSTS END"
_COSTS_ROW = re.compile(r"([1-9]\d*) (0|[1-9]\d*) (0|[1-9]\d*)")
_FIRST_BUCKET_MS = 100
_NS_PER_MS = 1_000_000
_SHARE = 0.005 + 1e-9  # the rounding of a share

STARTS = ("SAMPLE TIMES ", "TRACE COSTS ")


@dataclass
class SampleTimes:
    bucket_ms: int
    start_ms: int
    buckets: dict = field(default_factory=dict)  # by serial: bucket to samples

    def when(self, serials):
        """Samples by bucket of the traces with these serials."""
        found = Counter()
        for serial in serials:
            found.update(self.buckets.get(serial, {}))
        return found


@dataclass
class TraceCosts:
    title: str
    total_ns: int
    ns: dict = field(default_factory=dict)  # by serial
    counts: dict = field(default_factory=dict)


class DetailRecords:
    """What hprof_text's parser needs to know of timeline=y and costs=y."""

    def detail_record(self, line):
        if line.startswith("SAMPLE TIMES "):
            self.sample_times(line)
        else:
            self.trace_costs(line)

    def rows_until(self, end, pattern):
        """Each match of a row with its serial, in the order of the serials."""
        last = 0
        while (line := self.next(end)) != end:
            match = pattern.fullmatch(line)
            if not match:
                self.fail("bad row", self.at - 1)
            serial = int(match[1])
            if serial <= last:
                self.fail("trace out of order", self.at - 1)
            if serial not in self.profile.traces:
                self.fail("row of a trace not seen before", self.at - 1)
            last = serial
            yield serial, match

    def sample_times(self, line):
        match = _TIMES.fullmatch(line)
        if not match:
            self.fail("bad SAMPLE TIMES BEGIN", self.at - 1)
        self.date(match[3])
        times = SampleTimes(int(match[1]), int(match[2]))
        factor, rest = divmod(times.bucket_ms, _FIRST_BUCKET_MS)
        if rest or factor & (factor - 1):
            self.fail("the length of a bucket is not 100 ms, doubled", self.at - 1)
        for serial, row in self.rows_until(_TIMES_END, _TIMES_ROW):
            pairs = [tuple(map(int, pair.split(":"))) for pair in row[2].split()]
            if any(a[0] >= b[0] for a, b in zip(pairs, pairs[1:])):
                self.fail("bucket out of order", self.at - 1)
            times.buckets[serial] = dict(pairs)
        self.check_times(times)
        self.profile.sample_times.append(times)

    def check_times(self, times):
        """They are those of the last CPU SAMPLES."""
        sections = self.profile.titled("CPU SAMPLES")
        if len(sections) != len(self.profile.sample_times) + 1:
            self.fail("SAMPLE TIMES without its CPU SAMPLES", self.at - 1)
        section = sections[-1]
        sums = {serial: sum(buckets.values()) for serial, buckets in times.buckets.items()}
        for row in section.rows:
            if sums.get(row.trace.serial) != row.count:
                self.fail(f"{sums.get(row.trace.serial)} times of trace {row.trace.serial} with "
                          f"{row.count} samples", self.at - 1)
        if sum(sums.values()) != section.total:
            self.fail(f"{sum(sums.values())} times of {section.total} samples", self.at - 1)

    def trace_costs(self, line):
        match = _COSTS.fullmatch(line)
        if not match:
            self.fail("bad TRACE COSTS BEGIN", self.at - 1)
        self.date(match[3])
        costs = TraceCosts(match[1], int(match[2]))
        for serial, row in self.rows_until(_COSTS_END, _COSTS_ROW):
            costs.ns[serial] = int(row[2])
            costs.counts[serial] = int(row[3])
            if costs.ns[serial] == costs.counts[serial] == 0:
                self.fail("a trace without cost", self.at - 1)
        if sum(costs.ns.values()) != costs.total_ns:
            self.fail(f"rows sum to {sum(costs.ns.values())} ns", self.at - 1)
        self.check_costs(costs)
        self.profile.trace_costs.append(costs)

    def check_costs(self, costs):
        """They are those of the last table of that title."""
        monitor = costs.title == "MONITOR TIME"
        tables = self.profile.monitor_times if monitor else self.profile.titled(costs.title)
        before = [other for other in self.profile.trace_costs if other.title == costs.title]
        if len(tables) != len(before) + 1:
            self.fail(f"TRACE COSTS without its {costs.title}", self.at - 1)
        table = tables[-1]
        total_ms = table.total_ms if monitor else table.total
        if costs.total_ns // _NS_PER_MS != total_ms:
            self.fail(f"{costs.total_ns} ns, the table's total is {total_ms} ms", self.at - 1)
        self.check_rows(costs, table.rows)

    def check_rows(self, costs, rows):
        """Counts are the same, and shares to their rounding. The rows of one trace, which
        MONITOR TIME has for each class of monitor, can have others below the cutoff."""
        by_trace = {}
        for row in rows:
            by_trace.setdefault(row.trace.serial, []).append(row)
        for serial, its_rows in by_trace.items():
            count = sum(row.count for row in its_rows)
            if serial not in costs.ns or costs.counts[serial] < count or (
                    costs.title != "MONITOR TIME" and costs.counts[serial] != count):
                self.fail(f"counts of trace {serial} differ", self.at - 1)
            exact = 100 * costs.ns[serial] / costs.total_ns if costs.total_ns else 0
            shown = sum(row.self_percent for row in its_rows)
            if abs(exact - shown) > len(its_rows) * _SHARE and (
                    costs.title != "MONITOR TIME" or exact < shown or not self.cutoff):
                self.fail(f"share of trace {serial} is {shown}, should be {exact:.4f}",
                          self.at - 1)
        self.check_left_out(costs, by_trace)

    def check_left_out(self, costs, by_trace):
        """Only what is below the cutoff has no row."""
        for serial, ns in costs.ns.items():
            if serial not in by_trace and self.cutoff is not None and (
                    ns > self.cutoff * costs.total_ns * (1 + 1e-9)):
                self.fail(f"trace {serial} with {ns} ns has no row", self.at - 1)
