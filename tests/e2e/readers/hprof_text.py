"""Reads the text format, strictly, as the tests' own judge of it.

Written from the reference documents alone; shares nothing with the agent. Every
line of a file must be one that the format knows: anything else is a FormatError
that names the line. Nothing is repaired and nothing is guessed.

    profile = hprof_text.parse(open("java.hprof.txt", "rb").read(), cutoff=0)
    profile.sections[0].rows[0].frames[0].method
"""

import re
import time
from dataclasses import dataclass, field
from functools import cached_property

from . import hprof_heap, hprof_old, hprof_text_details, hprof_text_monitors, hprof_text_states

EMPTY_TRACE = 300000
FIRST_THREAD = 200001
UNKNOWN_LINE = "Unknown line"
NATIVE_METHOD = "Native method"
UNKNOWN_SOURCE = "<Unknown Source>"
NO_STACK = "<no_stack>"  # the class of the one frame of a trace without a stack

_DATE = r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ 1-3]\d \d\d:\d\d:\d\d \d{4}"
_FIRST_LINE = re.compile(r"JAVA PROFILE 1\.0\.1, created (" + _DATE + r")")
_THREAD_START = re.compile(
    r'THREAD START \(obj=([1-9a-f][0-9a-f]*), id = ([1-9]\d*), name="(.*)", group="([^"]*)"\)')
_THREAD_END = re.compile(r"THREAD END \(id = ([1-9]\d*)\)")
_TRACE = re.compile(r"TRACE ([1-9]\d*):(?: \(thread=([1-9]\d*)\))?")
_FRAME = re.compile(r"\t([^\t]+)\.([^.\t]+)\(([^\t()]+):([^\t:()]+)\)")
_CPU_SAMPLES = re.compile(r"CPU SAMPLES BEGIN \(total = (0|[1-9]\d*)\) (" + _DATE + r")")
_CPU_TIME = re.compile(r"((?:OFF-)?CPU TIME) \(ms\) BEGIN \(total = (0|[1-9]\d*)\) (" + _DATE + r")")
_CPU_HEADING = "rank   self  accum   count trace method"
_CPU_ROW = re.compile(r" *(\d+) +(\d+\.\d\d)% +(\d+\.\d\d)% +(\d+) +(\d+) (.+)")
_SITES = re.compile(r"SITES BEGIN \(ordered by (live|allocated) bytes((?:, [^,()]+)*)\) (" + _DATE
                    + r")")
_SITES_HEADINGS = ["          percent          live          alloc'ed  stack class",
                   " rank   self  accum     bytes objs     bytes  objs trace name"]
_SITES_ROW = re.compile(r" *(\d+) +(\d+\.\d\d)% +(\d+\.\d\d)% +(\d+) +(\d+) +(\d+) +(\d+) (\d+) (.+)")
_STATES = ("usr", "sys", "trp", "tfl", "dfl", "lck", "slp", "lat")
_SWITCHES = ("vcx", "icx")
_MICROSTATES = re.compile(
    r"THREAD MICROSTATES \(ms\) BEGIN \(threads = (0|[1-9]\d*)\) (" + _DATE + r")")
_MICROSTATES_HEADING = ("thread" + "".join(f"{name:>12}" for name in ("life", *_STATES))
                        + "".join(f"{name:>9}" for name in _SWITCHES) + " name")
_MICROSTATES_ROW = re.compile(
    r" *(\d+)((?: +(?:\d+\.\d{3}|-)){9})((?: +(?:\d+|-)){2}) \"(.*)\"")
_MICROSTATES_END = "THREAD MICROSTATES (ms) END"
_DASHES = "--------"
# What readers search the file for must not be in the preamble.
_MARKER = re.compile(r"^(?:TRACE|THREAD START) |(?:SITES|SAMPLES|\(ms\)|DUMP|TIME|TIMES|COSTS) (?:BEGIN|END)")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]")


class FormatError(Exception):
    """The file breaks the format; says where."""


@dataclass(frozen=True)
class Frame:
    class_name: str
    method: str
    source: str
    line: object  # int, UNKNOWN_LINE or NATIVE_METHOD

    @cached_property
    def name(self):
        return f"{self.class_name}.{self.method}"


@dataclass
class Trace:
    serial: int
    thread: object  # thread id, or None
    frames: list = field(default_factory=list)
    empty: bool = False

    @cached_property
    def names(self):
        """Names of the frames, innermost first."""
        return [frame.name for frame in self.frames]

    @property
    def stackless(self):
        """Its one frame is the reason why there is no stack."""
        return bool(self.frames) and self.frames[0].class_name == NO_STACK


@dataclass
class Thread:
    id: int
    name: str
    group: str
    obj: int
    ended: bool = False


@dataclass
class Row:
    rank: int
    self_percent: float
    accum_percent: float
    count: int
    trace: Trace
    method: str

    @property
    def frames(self):
        return self.trace.frames

    @property
    def names(self):
        """Names of the frames, innermost first."""
        return self.trace.names


@dataclass
class Section:
    total: int
    when: str
    notes: list = field(default_factory=list)
    rows: list = field(default_factory=list)
    title: str = "CPU SAMPLES"  # or CPU TIME, OFF-CPU TIME: the total is in ms
    serials: set = field(default_factory=set)  # of the rows' traces
    written: int = 0  # sum of the rows' counts


@dataclass
class Site:
    """A row of SITES."""
    rank: int
    self_percent: float
    accum_percent: float
    live_bytes: int
    live_objects: int
    allocated_bytes: int
    allocated_objects: int
    trace: Trace
    class_name: str


@dataclass
class Sites:
    """A SITES section."""
    by_allocation: bool
    remarks: list  # what else its title says
    when: str
    notes: list = field(default_factory=list)
    rows: list = field(default_factory=list)

    def of(self, class_name, method=None):
        """The rows of a class, and of a method on top of the trace if one is given."""
        return [row for row in self.rows if row.class_name == class_name and
                (method is None or [f.name for f in row.trace.frames][:1] == [method])]


@dataclass
class Life:
    """A row of THREAD MICROSTATES; None where the file has "-"."""
    thread: Thread
    ms: dict  # life and the states
    switches: dict

    def known(self, *names):
        """Sum of those of the states that are reported."""
        return sum(self.ms[name] or 0 for name in names or _STATES)


@dataclass
class Profile:
    created: str
    preamble: list
    notes: list = field(default_factory=list)  # of no section
    threads: dict = field(default_factory=dict)
    traces: dict = field(default_factory=dict)
    sections: list = field(default_factory=list)
    sites: list = field(default_factory=list)
    heaps: list = field(default_factory=list)  # a hprof_heap.Heap for each heap dump
    lives: list = field(default_factory=list)  # a list of rows for each THREAD MICROSTATES
    states: list = field(default_factory=list)  # a section for each TRACE MICROSTATES
    waits: list = field(default_factory=list)  # of monitor=y, as are the next two
    monitor_times: list = field(default_factory=list)
    monitor_dumps: list = field(default_factory=list)
    pairs: list = field(default_factory=list)  # a list of hprof_old rows for each table
    sample_times: list = field(default_factory=list)  # of timeline=y
    trace_costs: list = field(default_factory=list)  # of costs=y

    @property
    def rows(self):
        return [row for section in self.sections for row in section.rows]

    @property
    def total(self):
        return sum(section.total for section in self.sections)

    def titled(self, title):
        """Sections of one kind, in the order of the file."""
        return [section for section in self.sections if section.title == title]


class _Parser(hprof_text_monitors.MonitorRecords, hprof_text_details.DetailRecords,
              hprof_text_states.StateRecords):
    def __init__(self, lines, cutoff, thread_in_traces, native):
        self.lines = lines
        self.at = 0
        self.cutoff = cutoff
        self.thread_in_traces = thread_in_traces
        self.native = native
        self.notes = None  # of what is above
        self.profile = None
        self.known_frames = {}  # by line: there are many of few
        self.last_waits = {}  # by thread

    def fail(self, reason, at=None):
        at = self.at if at is None else at
        line = self.lines[at] if at < len(self.lines) else "(end of file)"
        raise FormatError(f"line {at + 1}: {reason}: {line!r}")

    def peek(self):
        return self.lines[self.at] if self.at < len(self.lines) else None

    def next(self, wanted):
        if self.at >= len(self.lines):
            self.fail(f"file ends where {wanted} should be")
        line = self.lines[self.at]
        self.at += 1
        return line

    def date(self, text):
        try:
            moment = time.strptime(text, "%a %b %d %H:%M:%S %Y")
        except ValueError as error:
            self.fail(f"bad date ({error})", self.at - 1)
        if time.strftime("%a %b ", moment) + f"{moment.tm_mday:2d}" != text[:10]:
            self.fail("date is not written as asctime writes it", self.at - 1)
        return text

    def parse(self):
        first = _FIRST_LINE.fullmatch(self.next("the first line"))
        if not first:
            self.fail("not a first line", 0)
        created = self.date(first[1])
        preamble = []
        while (line := self.next(f"the line {_DASHES}")) != _DASHES:
            if _MARKER.search(line):
                self.fail("a mark of a record in the preamble", self.at - 1)
            preamble.append(line)
        self.profile = Profile(created, preamble)
        self.notes = self.profile.notes
        if self.peek() == "":
            self.at += 1
        while self.peek() is not None:
            self.record()
        return self.profile

    def record(self):
        line = self.next("a record")
        if line.startswith("NOTE: "):
            self.notes.append(line[len("NOTE: "):])
            return
        self.notes = self.profile.notes
        if line.startswith("THREAD START "):
            self.thread_start(line)
        elif line.startswith("THREAD END "):
            self.thread_end(line)
        elif line.startswith("THREAD MICROSTATES "):
            self.microstates(line)
        elif line.startswith("HEAP DUMP BEGIN "):
            self.heap_dump(line)
        elif line == hprof_old.HEADING:
            self.call_pairs()
        elif line.startswith(hprof_text_details.STARTS):
            self.detail_record(line)
        elif line.startswith(hprof_text_states.START):
            self.trace_states(line)
        elif line.startswith("TRACE "):
            self.trace(line)
        elif line.startswith(hprof_text_monitors.STARTS):
            self.monitor_record(line)
        elif line.startswith("SITES BEGIN "):
            self.alloc_sites(line)
        elif line.startswith("CPU SAMPLES BEGIN "):
            self.cpu_samples(line)
        elif line.startswith(("CPU TIME ", "OFF-CPU TIME ")):
            self.cpu_time(line)
        else:
            self.fail("unknown record", self.at - 1)

    def thread_start(self, line):
        match = _THREAD_START.fullmatch(line)
        if not match:
            self.fail("bad THREAD START", self.at - 1)
        thread = Thread(int(match[2]), match[3], match[4], int(match[1], 16))
        if thread.id < FIRST_THREAD or thread.id >= EMPTY_TRACE:
            self.fail("thread id out of its range", self.at - 1)
        before = self.profile.threads.setdefault(thread.id, thread)
        if before is not thread:
            self.rename(before, thread)

    def rename(self, thread, again):
        """The same thread again, under another name."""
        if (thread.ended or thread.name == again.name or
                (thread.group, thread.obj) != (again.group, again.obj)):
            self.fail("thread id used twice", self.at - 1)
        thread.name = again.name

    def thread_end(self, line):
        match = _THREAD_END.fullmatch(line)
        if not match:
            self.fail("bad THREAD END", self.at - 1)
        thread = self.profile.threads.get(int(match[1]))
        if thread is None:
            self.fail("end of a thread that never started", self.at - 1)
        if thread.ended:
            self.fail("thread ends twice", self.at - 1)
        thread.ended = True

    def microstates(self, line):
        match = _MICROSTATES.fullmatch(line)
        if not match:
            self.fail("bad THREAD MICROSTATES BEGIN", self.at - 1)
        self.date(match[2])
        if self.next("the heading") != _MICROSTATES_HEADING:
            self.fail("bad heading", self.at - 1)
        lives = []
        while (line := self.next(_MICROSTATES_END)) != _MICROSTATES_END:
            lives.append(self.life(line))
            if len(lives) > 1 and lives[-2].thread.id >= lives[-1].thread.id:
                self.fail("threads out of order", self.at - 1)
        if len(lives) != int(match[1]):
            self.fail(f"{len(lives)} rows, should be {match[1]}", self.at - 1)
        self.profile.lives.append(lives)

    def heap_dump(self, line):
        match = hprof_heap.BEGIN.fullmatch(line)
        if not match:
            self.fail("bad HEAP DUMP BEGIN", self.at - 1)
        self.date(match[3])
        reader = hprof_heap.TextReader(match, lambda reason: self.fail(reason, self.at - 1))
        while (line := self.next(hprof_heap.END)) != hprof_heap.END:
            reader.line(line)
        heap = reader.finish()
        traces = {thing.trace for thing in [*heap.objects.values(), *heap.classes.values(),
                                            *heap.roots] if thing.trace is not None}
        if unknown := traces - set(self.profile.traces):
            self.fail(f"traces {unknown} of the dump not seen before", self.at - 1)
        self.profile.heaps.append(heap)

    def call_pairs(self):
        table = []
        while (line := self.peek()) is not None and (row := hprof_old.parse_row(line)):
            table.append(row)
            self.at += 1
        try:
            hprof_old.check_pairs(table)
        except hprof_old.FormatError as error:
            self.fail(str(error), self.at - 1)
        self.profile.pairs.append(table)

    def life(self, line):
        match = _MICROSTATES_ROW.fullmatch(line)
        if not match:
            self.fail("bad row", self.at - 1)
        times, switches = match[2].split(), match[3].split()
        shape = (f"{match[1]:>6}" + "".join(f" {text:>11}" for text in times)
                 + "".join(f" {text:>8}" for text in switches) + f' "{match[4]}"')
        if line != shape:
            self.fail(f"columns of a row, should be {shape!r}", self.at - 1)
        thread = self.profile.threads.get(int(match[1]))
        if thread is None or thread.name != match[4]:
            self.fail("row of a thread that never started", self.at - 1)
        life = Life(thread,
                    {name: None if text == "-" else float(text)
                     for name, text in zip(("life", *_STATES), times)},
                    {name: None if text == "-" else int(text)
                     for name, text in zip(_SWITCHES, switches)})
        if life.ms["life"] is not None and abs(life.known() - life.ms["life"]) > 0.01:
            self.fail(f"states sum to {life.known():.3f}", self.at - 1)
        return life

    def trace(self, line):
        match = _TRACE.fullmatch(line)
        if not match:
            self.fail("bad TRACE", self.at - 1)
        trace = Trace(int(match[1]), int(match[2]) if match[2] else None)
        if trace.serial < EMPTY_TRACE:
            self.fail("trace serial below its range", self.at - 1)
        if trace.serial in self.profile.traces:
            self.fail("trace written twice", self.at - 1)
        if not self.profile.threads:
            self.fail("trace before the first thread", self.at - 1)
        if trace.thread is not None:
            if self.thread_in_traces is False:
                self.fail("thread in a trace with thread=n", self.at - 1)
            if trace.thread not in self.profile.threads:
                self.fail("trace of a thread that never started", self.at - 1)
        while (line := self.peek()) is not None and line.startswith("\t"):
            self.at += 1
            if line == "\t<empty>":
                trace.empty = True
            else:
                if line not in self.known_frames:
                    self.known_frames[line] = self.frame(line)
                trace.frames.append(self.known_frames[line])
        if self.thread_in_traces and trace.thread is None and not (
                trace.empty or trace.stackless):
            self.fail("trace without its thread with thread=y", self.at - 1)
        if trace.stackless and len(trace.frames) != 1:
            self.fail("more than a reason in a trace without a stack", self.at - 1)
        if trace.empty == bool(trace.frames):
            self.fail("trace must have either frames or <empty>", self.at - 1)
        if trace.empty != (trace.serial == EMPTY_TRACE):
            self.fail("300000 and only 300000 is the empty trace", self.at - 1)
        self.profile.traces[trace.serial] = trace

    def frame(self, line):
        match = _FRAME.fullmatch(line)
        if not match:
            self.fail("bad frame", self.at - 1)
        number = match[4]
        if number == NATIVE_METHOD and not self.native:
            self.fail("a native method is marked without native=y", self.at - 1)
        if number not in (UNKNOWN_LINE, NATIVE_METHOD):
            if not re.fullmatch(r"[1-9]\d*", number):
                self.fail("bad line in a frame", self.at - 1)
            number = int(number)
        return Frame(match[1], match[2], match[3], number)

    def alloc_sites(self, line):
        match = _SITES.fullmatch(line)
        if not match:
            self.fail("bad SITES BEGIN", self.at - 1)
        sites = Sites(match[1] == "allocated", match[2].split(", ")[1:], self.date(match[3]))
        for heading in _SITES_HEADINGS:
            if self.next("a heading") != heading:
                self.fail("bad heading", self.at - 1)
        while (line := self.next("SITES END")) != "SITES END":
            self.site_row(sites, line)
        self.profile.sites.append(sites)
        self.notes = sites.notes

    def site_row(self, sites, line):
        match = _SITES_ROW.fullmatch(line)
        if not match:
            self.fail("bad row", self.at - 1)
        trace = self.profile.traces.get(int(match[8]))
        if trace is None:
            self.fail("row of a trace not seen before", self.at - 1)
        row = Site(int(match[1]), float(match[2]), float(match[3]),
                   *[int(match[i]) for i in range(4, 8)], trace, match[9])
        shape = (f"{row.rank:5d} {row.self_percent:5.2f}% {row.accum_percent:5.2f}% "
                 f"{row.live_bytes:9d} {row.live_objects:4d} {row.allocated_bytes:9d} "
                 f"{row.allocated_objects:5d} {trace.serial} {row.class_name}")
        if line != shape:
            self.fail(f"columns of a row, should be {shape!r}", self.at - 1)
        if row.rank != len(sites.rows) + 1:
            self.fail("rank out of order", self.at - 1)
        if row.live_bytes > row.allocated_bytes or row.live_objects > row.allocated_objects:
            self.fail("more is live than was allocated", self.at - 1)
        cost = (lambda r: r.allocated_bytes) if sites.by_allocation else (lambda r: r.live_bytes)
        if sites.rows and cost(row) > cost(sites.rows[-1]):
            self.fail("row out of order", self.at - 1)
        above = sites.rows[-1].accum_percent if sites.rows else 0
        if abs(above + row.self_percent - row.accum_percent) > 0.015:
            self.fail("accum is not that of the row above plus self", self.at - 1)
        self.check_cutoff((sites.rows or [row])[0].self_percent, row.self_percent)
        sites.rows.append(row)
        return row

    def cpu_samples(self, line):
        match = _CPU_SAMPLES.fullmatch(line)
        if not match:
            self.fail("bad CPU SAMPLES BEGIN", self.at - 1)
        section = Section(int(match[1]), self.date(match[2]))
        if self.next("the heading") != _CPU_HEADING:
            self.fail("bad heading", self.at - 1)
        while (line := self.next("CPU SAMPLES END")) != "CPU SAMPLES END":
            self.cpu_row(section, line)
            self.samples_row(section, section.rows[-1])
        if section.written > section.total or (
                self.cutoff == 0 and section.written != section.total):
            self.fail(f"rows sum to {section.written}, total is {section.total}", self.at - 1)
        self.profile.sections.append(section)
        self.notes = section.notes

    def cpu_row(self, section, line):
        match = _CPU_ROW.fullmatch(line)
        if not match:
            self.fail("bad row", self.at - 1)
        rank, count, serial = int(match[1]), int(match[4]), int(match[5])
        self_percent, accum_percent = float(match[2]), float(match[3])
        shape = (f"{rank:4d} {self_percent:5.2f}% {accum_percent:5.2f}% "
                 f"{count:7d} {serial:5d} {match[6]}")
        if line != shape:
            self.fail(f"columns of a row, should be {shape!r}", self.at - 1)
        if rank != len(section.rows) + 1:
            self.fail("rank out of order", self.at - 1)
        if serial in section.serials:
            self.fail("trace twice in one section", self.at - 1)
        section.serials.add(serial)
        trace = self.profile.traces.get(serial)
        if trace is None:
            self.fail("row of a trace not seen before", self.at - 1)
        if trace.empty:
            self.fail("row of the empty trace", self.at - 1)
        method = trace.frames[0].name
        if match[6] != method:
            self.fail(f"method of a row is not its trace's, {method!r}", self.at - 1)
        section.rows.append(Row(rank, self_percent, accum_percent, count, trace, match[6]))
        section.written += count

    def samples_row(self, section, row):
        """What the columns of CPU SAMPLES say of one another."""
        above = section.rows[-2] if len(section.rows) > 1 else None
        if row.count < 1 or (above and row.count > above.count):
            self.fail("count out of order", self.at - 1)
        running = section.written
        if running > section.total:
            self.fail("rows exceed the total", self.at - 1)
        for what, shown, exact in (
                ("self", row.self_percent, 100 * row.count / section.total),
                ("accum", row.accum_percent, 100 * running / section.total)):
            if abs(shown - exact) > 0.005 + 1e-9:
                self.fail(f"{what} should be {exact:.4f}", self.at - 1)
        if self.cutoff and row.count / section.total < self.cutoff:
            self.fail(f"row below the cutoff {self.cutoff}", self.at - 1)

    def cpu_time(self, line):
        match = _CPU_TIME.fullmatch(line)
        if not match:
            self.fail("bad CPU TIME BEGIN", self.at - 1)
        section = Section(int(match[2]), self.date(match[3]), title=match[1])
        if self.next("the heading") != _CPU_HEADING:
            self.fail("bad heading", self.at - 1)
        end = f"{match[1]} (ms) END"
        while (line := self.next(end)) != end:
            self.cpu_row(section, line)
            self.time_row(section)
        if self.cutoff == 0 and section.rows and section.total > 0 and (
                section.rows[-1].accum_percent < 99.99):
            self.fail("rows do not sum to the total", self.at - 1)
        self.profile.sections.append(section)
        self.notes = section.notes

    def check_cutoff(self, first_percent, percent):
        """Where nothing has a cost, and so the first row has none, no row is left out."""
        if self.cutoff and first_percent > 0 and percent + 0.005 < 100 * self.cutoff:
            self.fail(f"row below the cutoff {self.cutoff}", self.at - 1)

    def time_row(self, section):
        """What the columns of CPU TIME say of one another: a row's time itself is
        not in it, only its share, rounded."""
        row = section.rows[-1]
        above = section.rows[-2] if len(section.rows) > 1 else None
        if above and row.self_percent > above.self_percent:
            self.fail("self out of order", self.at - 1)
        running = row.self_percent + (above.accum_percent if above else 0)
        if row.accum_percent > 100 or abs(row.accum_percent - running) > 0.015 + 1e-9:
            self.fail(f"accum should be about {running:.2f}", self.at - 1)
        self.check_cutoff(section.rows[0].self_percent, row.self_percent)


def parse(data, cutoff=None, thread_in_traces=None, native=False):
    """The whole file as a Profile, or FormatError.

    cutoff: the run's, where its rows are to be checked against it. thread_in_traces:
    the run's thread option; None to take either. native: that one of the run.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"byte {error.start}: not UTF-8") from error
    if not text.endswith("\n"):
        raise FormatError("the last line is not ended")
    lines = text[:-1].split("\n")
    for number, line in enumerate(lines, 1):
        if bad := _CONTROL.search(line):
            raise FormatError(f"line {number}: control character {bad[0]!r}: {line!r}")
        if "\t" in line[1:] and not line.startswith("\t"):
            raise FormatError(f"line {number}: tab inside a line: {line!r}")
    return _Parser(lines, cutoff, thread_in_traces, native).parse()
