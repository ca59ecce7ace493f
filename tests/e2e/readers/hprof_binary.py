"""Reads the binary format, strictly, as the tests' own judge of it.

Written from the reference documents alone; shares nothing with the agent. Every
byte of a file must belong to a record, every record's length must be that of its
fields, and every reference must lead to a record that came before. What breaks
this is a FormatError that names the offset.

    profile = hprof_binary.parse(open("java.hprof", "rb").read())
    profile.sections[0].rows[0].frames[0].method
"""

import re
import struct
from dataclasses import dataclass, field

from . import hprof_heap

EMPTY_TRACE = 300000
# Thread serials that stand for no thread in particular (a trace shared by all).
NO_THREAD = (0, 200000)
_DESCRIPTOR = re.compile(
    r"\((\[*([BCDFIJSZ]|L[^;\[]+;))*\)(V|\[*([BCDFIJSZ]|L[^;\[]+;))")
# Basic types of primitives.
_BASIC_TYPES = range(4, 12)


class FormatError(Exception):
    """The file breaks the format; says where."""


@dataclass(frozen=True)
class Frame:
    class_name: str
    method: str
    signature: str
    source: str
    line: int  # > 0, 0 none, -1 unknown, -2 compiled, -3 native

    @property
    def name(self):
        return f"{self.class_name}.{self.method}"


@dataclass
class Class:
    serial: int
    object_id: int
    name: str
    trace: int = None
    unloaded: bool = False


@dataclass
class Trace:
    serial: int
    thread: int
    frames: list


@dataclass
class Thread:
    id: int
    name: str
    group: str
    parent_group: str
    object_id: int
    ended: bool = False


@dataclass
class Row:
    count: int
    trace: Trace

    @property
    def frames(self):
        return self.trace.frames

    @property
    def names(self):
        """Names of the frames, innermost first."""
        return [frame.name for frame in self.trace.frames]


@dataclass
class Section:
    total: int
    rows: list


@dataclass
class Site:
    array_type: int
    loaded: Class
    trace: Trace
    live_bytes: int
    live_objects: int
    allocated_bytes: int
    allocated_objects: int


@dataclass
class Sites:
    """An ALLOC SITES record; sums as of HEAP SUMMARY."""
    flags: int
    cutoff: float
    sums: tuple
    rows: list = field(default_factory=list)


@dataclass
class Settings:
    alloc_traces: bool
    cpu_sampling: bool
    depth: int


@dataclass
class Profile:
    version: str
    id_size: int
    created_ms: int
    strings: dict = field(default_factory=dict)
    classes: dict = field(default_factory=dict)
    frames: dict = field(default_factory=dict)
    traces: dict = field(default_factory=dict)
    threads: dict = field(default_factory=dict)
    sections: list = field(default_factory=list)
    settings: list = field(default_factory=list)
    sites: list = field(default_factory=list)
    summaries: list = field(default_factory=list)
    tags: list = field(default_factory=list)  # of all records, in file order
    heaps: list = field(default_factory=list)  # a hprof_heap.Heap for each heap dump
    last_us: int = 0  # the latest time of a record

    @property
    def rows(self):
        return [row for section in self.sections for row in section.rows]

    @property
    def total(self):
        return sum(section.total for section in self.sections)


class _Body:
    """A cursor over one record's body, or over the file's header."""

    def __init__(self, data, start, end, id_size, what):
        self.data, self.at, self.end = data, start, end
        self.id_size, self.what = id_size, what

    def fail(self, reason):
        raise FormatError(f"offset {self.at}: {self.what}: {reason}")

    def bytes(self, count):
        if self.end - self.at < count:
            self.fail(f"{count} bytes wanted, {self.end - self.at} left")
        piece = self.data[self.at:self.at + count]
        self.at += count
        return piece

    def number(self, size):
        at = self.at
        if self.end - at < size:
            self.bytes(size)
        self.at = at + size
        return int.from_bytes(self.data[at:at + size], "big")

    def u1(self):
        return self.number(1)

    def u2(self):
        return self.number(2)

    def u4(self):
        return self.number(4)

    def i4(self):
        return struct.unpack(">i", self.bytes(4))[0]

    def u8(self):
        return self.number(8)

    def id(self):
        return self.number(self.id_size)

    def ids(self, count):
        """So many at once: arrays have millions."""
        return struct.unpack(f">{count}{'Q' if self.id_size == 8 else 'I'}",
                             self.bytes(count * self.id_size))

    def left(self):
        return self.end - self.at


class _Parser:
    def __init__(self, data, cutoff):
        self.data = data
        self.cutoff = cutoff
        self.profile = None
        self.in_segments = False
        self.heap = None       # of the dump that is being read
        self.frames_named = {} # by its roots: thread to the highest frame
        self.class_names = {}  # by object id
        self.handlers = {
            0x01: ("STRING", self.string),
            0x02: ("LOAD CLASS", self.load_class),
            0x03: ("UNLOAD CLASS", self.unload_class),
            0x04: ("STACK FRAME", self.stack_frame),
            0x05: ("STACK TRACE", self.stack_trace),
            0x06: ("ALLOC SITES", self.alloc_sites),
            0x07: ("HEAP SUMMARY", self.heap_summary),
            0x0A: ("START THREAD", self.start_thread),
            0x0B: ("END THREAD", self.end_thread),
            0x0C: ("HEAP DUMP", self.heap_dump),
            0x0D: ("CPU SAMPLES", self.cpu_samples),
            0x0E: ("CONTROL SETTINGS", self.control_settings),
            0x1C: ("HEAP DUMP SEGMENT", self.heap_dump_segment),
            0x2C: ("HEAP DUMP END", self.heap_dump_end),
        }

    def parse(self):
        at = self.header()
        while at < len(self.data):
            at = self.record(at)
        if self.in_segments:
            raise FormatError("heap dump segments without HEAP DUMP END")
        return self.profile

    def header(self):
        end = self.data.find(b"\0", 0, 32)
        name = self.data[:max(end, 0)]
        if name not in (b"JAVA PROFILE 1.0.1", b"JAVA PROFILE 1.0.2"):
            raise FormatError(f"offset 0: header is {self.data[:32]!r}")
        head = _Body(self.data, end + 1, len(self.data), 0, "header")
        id_size = head.u4()
        if id_size not in (4, 8):
            head.fail(f"size of identifiers {id_size}")
        created_ms = head.u4() << 32 | head.u4()
        self.profile = Profile(name.decode(), id_size, created_ms)
        return head.at

    def record(self, at):
        head = _Body(self.data, at, len(self.data), 0, "record header")
        tag, time_us, length = head.u1(), head.u4(), head.u4()
        if tag not in self.handlers:
            raise FormatError(f"offset {at}: unknown tag {tag:#x}")
        name, handle = self.handlers[tag]
        if length > len(self.data) - head.at:
            raise FormatError(f"offset {at}: {name}: length {length}, "
                              f"{len(self.data) - head.at} bytes left in the file")
        body = _Body(self.data, head.at, head.at + length, self.profile.id_size, name)
        handle(body)
        if body.left():
            body.fail(f"{body.left()} bytes too many")
        self.profile.tags.append(tag)
        self.profile.last_us = max(self.profile.last_us, time_us)
        return body.end

    def look_up(self, body, table, key, what, allowed=()):
        if key in allowed:
            return None
        found = getattr(self.profile, table).get(key)
        if found is None:
            body.fail(f"{what} {key} was not defined before")
        return found

    def look_up_string(self, body, what, optional=False):
        text = self.look_up(body, "strings", body.id(), what, (0,) if optional else ())
        return text or ""

    def look_up_trace(self, body):
        return self.look_up(body, "traces", body.u4(), "stack trace")

    def define(self, body, table, key, value):
        if key == 0:
            body.fail("defines number 0")
        if key in getattr(self.profile, table):
            body.fail(f"defines {key} twice")
        getattr(self.profile, table)[key] = value

    def string(self, body):
        key = body.id()
        raw = body.bytes(body.left())
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            body.fail(f"not UTF-8: {raw!r}")
        self.define(body, "strings", key, text)

    def load_class(self, body):
        serial, object_id = body.u4(), body.id()
        trace = self.look_up_trace(body)
        name = self.look_up_string(body, "class name")
        if not name or "/" in name.split("/0x")[0] or ";" in name:
            body.fail(f"class name is not as Java writes it: {name!r}")
        if object_id == 0:
            body.fail("class object id 0")
        self.define(body, "classes", serial, Class(serial, object_id, name, trace))
        self.class_names[object_id] = name

    def unload_class(self, body):
        loaded = self.look_up(body, "classes", body.u4(), "class")
        if loaded.unloaded:
            body.fail(f"class {loaded.serial} is unloaded twice")
        loaded.unloaded = True

    def stack_frame(self, body):
        key = body.id()
        method = self.look_up_string(body, "method name")
        signature = self.look_up_string(body, "method signature")
        source = self.look_up_string(body, "source file name", optional=True)
        owner = self.look_up(body, "classes", body.u4(), "class")
        line = body.i4()
        if not method or "." in method:
            body.fail(f"bad method name {method!r}")
        if not _DESCRIPTOR.fullmatch(signature):
            body.fail(f"bad method signature {signature!r}")
        if line < -3:
            body.fail(f"bad line {line}")
        self.define(body, "frames", key, Frame(owner.name, method, signature, source, line))

    def stack_trace(self, body):
        serial, thread, count = body.u4(), body.u4(), body.u4()
        self.look_up(body, "threads", thread, "thread", NO_THREAD)
        if body.left() != count * body.id_size:
            body.fail(f"{count} frames in {body.left()} bytes")
        if serial < EMPTY_TRACE or (serial == EMPTY_TRACE) != (count == 0):
            body.fail(f"trace {serial} with {count} frames")
        frames = [self.look_up(body, "frames", body.id(), "stack frame") for _ in range(count)]
        # The answer to DUMP TRACES reports traces again that are out already.
        if self.profile.traces.get(serial) != Trace(serial, thread, frames):
            self.define(body, "traces", serial, Trace(serial, thread, frames))

    def start_thread(self, body):
        serial, object_id = body.u4(), body.id()
        self.look_up_trace(body)
        name = self.look_up_string(body, "thread name")
        group = self.look_up_string(body, "thread group name", optional=True)
        parent = self.look_up_string(body, "parent group name", optional=True)
        if serial in NO_THREAD or serial >= EMPTY_TRACE or object_id == 0:
            body.fail(f"thread serial {serial}, object {object_id}")
        before = self.profile.threads.get(serial)
        if before is None:
            self.define(body, "threads", serial, Thread(serial, name, group, parent, object_id))
            return
        # The same thread again, under another name.
        again = Thread(serial, before.name, group, parent, object_id)
        if again != before or name == before.name:
            body.fail(f"thread {serial} is defined twice")
        before.name = name

    def end_thread(self, body):
        thread = self.look_up(body, "threads", body.u4(), "thread")
        if thread.ended:
            body.fail(f"thread {thread.id} ends twice")
        thread.ended = True

    def cpu_samples(self, body):
        section = Section(body.u4(), [])
        for _ in range(body.u4()):
            count = body.u4()
            row = Row(count, self.look_up_trace(body))
            if not row.frames:
                body.fail("row of the empty trace")
            if count < 1 or (section.rows and count > section.rows[-1].count):
                body.fail(f"count {count} out of order")
            if any(row.trace is other.trace for other in section.rows):
                body.fail(f"trace {row.trace.serial} twice in one section")
            if self.cutoff and count / section.total < self.cutoff:
                body.fail(f"count {count} of {section.total} is below the cutoff")
            section.rows.append(row)
        written = sum(row.count for row in section.rows)
        if written > section.total or (self.cutoff == 0 and written != section.total):
            body.fail(f"rows sum to {written}, total is {section.total}")
        self.profile.sections.append(section)

    def control_settings(self, body):
        flags, depth = body.u4(), body.u2()
        if flags & ~3:
            body.fail(f"flags {flags:#x}")
        self.profile.settings.append(Settings(bool(flags & 1), bool(flags & 2), depth))

    def alloc_sites(self, body):
        flags = body.u2()
        if flags & ~7:
            body.fail(f"flags {flags:#x}")
        ratio = struct.unpack(">f", body.bytes(4))[0]
        if not 0 <= ratio <= 1:
            body.fail(f"cutoff ratio {ratio}")
        sites = Sites(flags, ratio, (body.u4(), body.u4(), body.u8(), body.u8()))
        for _ in range(body.u4()):
            kind = body.u1()
            if kind and kind != 2 and kind not in _BASIC_TYPES:
                body.fail(f"array of type {kind}")
            row = Site(kind, self.look_up(body, "classes", body.u4(), "class"),
                       self.look_up_trace(body), body.u4(), body.u4(), body.u4(), body.u4())
            if bool(kind) != row.loaded.name.endswith("[]"):
                body.fail(f"array type {kind} of {row.loaded.name}")
            sites.rows.append(row)
        self.profile.sites.append(sites)

    def heap_summary(self, body):
        self.profile.summaries.append((body.u4(), body.u4(), body.u8(), body.u8()))

    def heap_dump(self, body):
        self.heap_records(body)
        self.end_heap(body)

    def heap_records(self, body):
        if self.heap is None:
            self.heap = hprof_heap.Heap()
        while body.left():
            thing = hprof_heap.read_binary(body, self.heap, self.profile.strings,
                                           self.class_names, body.fail)
            if thing.trace is not None and thing.trace not in self.profile.traces:
                body.fail(f"stack trace {thing.trace} was not defined before")
            if isinstance(thing, hprof_heap.Root) and thing.thread is not None:
                self.root_of_thread(body, thing)

    def root_of_thread(self, body, root):
        thread = self.look_up(body, "threads", root.thread, "thread")
        if root.kind == "thread" and root.id != thread.object_id:
            body.fail(f"thread {thread.id} is object {root.id:#x}, {thread.object_id:#x} in its "
                      "START THREAD")
        if root.frame is not None and root.frame >= 0:
            self.frames_named[root.thread] = max(root.frame,
                                                 self.frames_named.get(root.thread, 0))

    def end_heap(self, body):
        hprof_heap.finish_binary(self.heap, self.profile.id_size, body.fail)
        depths = {root.thread: len(self.profile.traces[root.trace].frames)
                  for root in self.heap.roots if root.kind == "thread"}
        for thread, frame in self.frames_named.items():
            if frame >= depths.get(thread, 0):
                body.fail(f"frame {frame} of thread {thread}, whose root's trace has "
                          f"{depths.get(thread, 0)}")
        self.frames_named = {}
        self.profile.heaps.append(self.heap)
        self.heap = None

    def heap_dump_segment(self, body):
        if self.profile.version != "JAVA PROFILE 1.0.2":
            body.fail(f"segment in a file of {self.profile.version}")
        self.in_segments = True
        self.heap_records(body)

    def heap_dump_end(self, body):
        if not self.in_segments:
            body.fail("no segment before it")
        self.in_segments = False
        self.end_heap(body)


def parse(data, cutoff=None):
    """The whole file as a Profile, or FormatError.

    cutoff: the run's, where its samples are to be checked against it.
    """
    return _Parser(data, cutoff).parse()
