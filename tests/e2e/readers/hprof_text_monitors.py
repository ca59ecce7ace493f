"""Reads the text records of monitor=y for hprof_text, as strictly."""

import re
from dataclasses import dataclass, field

_SIGNATURE = r"(\[*(?:[BCDFIJSZ]|L[^;,\s][^;,]*;))"
_WAIT = re.compile(rf"(WAIT): MONITOR {_SIGNATURE}, timeout=(0|[1-9]\d*), thread ([1-9]\d*)")
_WAITED = re.compile(
    rf"(WAITED): MONITOR {_SIGNATURE}, time_waited=(0|[1-9]\d*), thread ([1-9]\d*)")
_TIME = re.compile(r"MONITOR TIME BEGIN \(total = (0|[1-9]\d*) ms\) (.+)")
_TIME_HEADING = "rank   self  accum   count trace monitor"
_TIME_END = "MONITOR TIME END"
_TIME_ROW = re.compile(
    r" *(\d+) +(\d+\.\d\d)% +(\d+\.\d\d)% +(\d+) +(\d+) " + _SIGNATURE + r" \(Java\)")
_DUMP_BEGIN = "MONITOR DUMP BEGIN"
_DUMP_END = "MONITOR DUMP END"
_DUMP_THREAD = re.compile(
    r"    THREAD ([1-9]\d*), trace ([1-9]\d*), status: ((?:S\|)?(?:I\|)?(?:R|MW|CW|ZO))")
_DUMP_MONITOR = re.compile(rf"    MONITOR {_SIGNATURE}( unowned)?")
_OWNER = re.compile(r"\towner: (thread [1-9]\d*|<unknown thread>), entry count: ([1-9]\d*|-)")
_ENTERING = "\twaiting to enter: "
_WAITING = "\twaiting to be notified: "

STARTS = ("WAIT: ", "WAITED: ", "MONITOR ")


@dataclass
class Wait:
    kind: str  # WAIT or WAITED
    monitor: str
    ms: int
    thread: object


@dataclass
class TimeRow:
    self_percent: float
    accum_percent: float
    count: int
    trace: object
    monitor: str

    @property
    def names(self):
        return [frame.name for frame in self.trace.frames]


@dataclass
class MonitorTime:
    total_ms: int
    rows: list = field(default_factory=list)


@dataclass
class Monitor:
    signature: str
    owner: object = None  # a thread, or None
    entry_count: object = None  # int, or "-"
    entering: list = field(default_factory=list)
    waiting: list = field(default_factory=list)


@dataclass
class MonitorDump:
    status: dict = field(default_factory=dict)  # by name of the thread
    traces: dict = field(default_factory=dict)
    monitors: list = field(default_factory=list)

    def of(self, signature):
        return [monitor for monitor in self.monitors if monitor.signature == signature]


class MonitorRecords:
    """What hprof_text's parser needs to know of monitor=y."""

    def monitor_record(self, line):
        if line.startswith(("WAIT: ", "WAITED: ")):
            self.wait(line)
        elif line == _DUMP_BEGIN:
            self.monitor_dump()
        else:
            self.monitor_time(line)

    def thread_of(self, number):
        thread = self.profile.threads.get(int(number))
        if thread is None:
            self.fail(f"thread {number} never started", self.at - 1)
        return thread

    def trace_of(self, number):
        trace = self.profile.traces.get(int(number))
        if trace is None:
            self.fail(f"trace {number} was not seen before", self.at - 1)
        return trace

    def wait(self, line):
        match = _WAIT.fullmatch(line) or _WAITED.fullmatch(line)
        if not match:
            self.fail("bad WAIT", self.at - 1)
        thread = self.thread_of(match[4])
        if thread.ended:
            self.fail("wait of a thread that has ended", self.at - 1)
        wait = Wait(match[1], match[2], int(match[3]), thread)
        before = self.last_waits.get(thread.id)
        if wait.kind == "WAITED" and not (before and before.kind == "WAIT"
                                          and before.monitor == wait.monitor):
            self.fail("WAITED without its WAIT", self.at - 1)
        self.last_waits[thread.id] = wait
        self.profile.waits.append(wait)

    def monitor_time(self, line):
        match = _TIME.fullmatch(line)
        if not match:
            self.fail("bad MONITOR TIME BEGIN", self.at - 1)
        self.date(match[2])
        section = MonitorTime(int(match[1]))
        if self.next("the heading") != _TIME_HEADING:
            self.fail("bad heading", self.at - 1)
        while (line := self.next(_TIME_END)) != _TIME_END:
            self.monitor_row(section, line)
        if self.cutoff == 0 and section.rows and section.rows[-1].accum_percent < 99.99:
            self.fail("rows do not sum to the total", self.at - 1)
        self.profile.monitor_times.append(section)

    def monitor_row(self, section, line):
        match = _TIME_ROW.fullmatch(line)
        if not match:
            self.fail("bad row", self.at - 1)
        row = TimeRow(float(match[2]), float(match[3]), int(match[4]), self.trace_of(match[5]),
                      match[6])
        shape = (f"{len(section.rows) + 1:4d} {row.self_percent:5.2f}% "
                 f"{row.accum_percent:5.2f}% {row.count:7d} {row.trace.serial:5d} "
                 f"{row.monitor} (Java)")
        if line != shape:
            self.fail(f"columns of a row, should be {shape!r}", self.at - 1)
        above = section.rows[-1] if section.rows else None
        if row.count < 1 or (above and row.self_percent > above.self_percent):
            self.fail("self out of order", self.at - 1)
        running = row.self_percent + (above.accum_percent if above else 0)
        if row.accum_percent > 100 or abs(row.accum_percent - running) > 0.015 + 1e-9:
            self.fail(f"accum should be about {running:.2f}", self.at - 1)
        self.check_cutoff((section.rows or [row])[0].self_percent, row.self_percent)
        section.rows.append(row)

    def monitor_dump(self):
        dump = MonitorDump()
        last = 0
        while (line := self.next(_DUMP_END)) != _DUMP_END:
            if match := _DUMP_THREAD.fullmatch(line):
                if dump.monitors or int(match[1]) <= last:
                    self.fail("thread out of order", self.at - 1)
                last = int(match[1])
                thread = self.thread_of(last)
                dump.status[thread.name] = match[3]
                dump.traces[thread.name] = self.trace_of(match[2])
            elif match := _DUMP_MONITOR.fullmatch(line):
                dump.monitors.append(self.monitor(match))
            else:
                self.fail("bad line in MONITOR DUMP", self.at - 1)
        self.profile.monitor_dumps.append(dump)

    def monitor(self, match):
        monitor = Monitor(match[1])
        if not match[2]:
            owner = _OWNER.fullmatch(self.next("the owner"))
            if not owner:
                self.fail("bad owner", self.at - 1)
            monitor.owner = self.named_thread(owner[1])
            monitor.entry_count = owner[2] if owner[2] == "-" else int(owner[2])
        monitor.entering = self.waiters(_ENTERING)
        monitor.waiting = self.waiters(_WAITING)
        if not (match[2] is None or monitor.entering or monitor.waiting):
            self.fail("neither owned nor waited for", self.at - 1)
        return monitor

    def named_thread(self, text):
        if text == "<unknown thread>":
            return text
        return self.thread_of(text.removeprefix("thread "))

    def waiters(self, title):
        line = self.peek()
        if line is None or not line.startswith(title):
            return []
        self.at += 1
        words = line[len(title):].split(", ")
        for word in words:
            if not re.fullmatch(r"thread [1-9]\d*|<unknown thread>", word):
                self.fail("bad list of threads", self.at - 1)
        return [self.named_thread(word) for word in words]
