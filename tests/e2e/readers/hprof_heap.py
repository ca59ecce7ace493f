"""Heap dumps as the tests' own judge sees them, read from either format.

Written from the reference documents alone; shares nothing with the agent. Both
readers make a Heap: objects, classes, arrays and roots by id, and their references.
hprof_binary and hprof_text call the two readers for the records inside a dump.
"""

import re
from dataclasses import dataclass, field

_SIZES = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
TYPE_NAMES = {4: "boolean", 5: "char", 6: "float", 7: "double", 8: "byte", 9: "short",
              10: "int", 11: "long"}
ROOT_KINDS = {0xFF: "unknown", 0x01: "JNI global ref", 0x02: "JNI local ref", 0x03: "Java stack",
              0x04: "native stack", 0x05: "system class", 0x06: "thread block",
              0x07: "busy monitor", 0x08: "thread"}
NO_FRAME = -1


@dataclass
class HeapClass:
    id: int
    name: str
    trace: int
    super: int = 0
    loader: int = 0
    signers: int = 0
    domain: int = 0
    instance_size: int = 0
    statics: dict = field(default_factory=dict)    # name to value, or to id
    constants: list = field(default_factory=list)  # ids
    fields: list = field(default_factory=list)     # (name, type), its own; binary

    def references(self):
        parts = [self.super, self.loader, self.signers, self.domain, *self.constants,
                 *(value for kind, value in self.statics.values() if kind == 2)]
        return {part for part in parts if part}


@dataclass
class HeapObject:
    id: int
    class_id: int
    trace: int
    size: int = None           # text
    refs: list = field(default_factory=list)    # (field name or index, id), not null
    values: dict = field(default_factory=dict)  # binary: (class, field) to value
    length: int = None         # of an array
    element: int = None        # of a primitive array: type
    data: bytes = b""          # of a primitive array, binary
    raw: bytes = b""


@dataclass
class Root:
    kind: str
    id: int
    thread: int = None
    frame: int = None
    trace: int = None
    name: str = None


@dataclass
class Heap:
    classes: dict = field(default_factory=dict)
    objects: dict = field(default_factory=dict)
    roots: list = field(default_factory=list)
    when: str = None
    dangling: list = field(default_factory=list)  # references that lead to nothing
    declared: tuple = None  # text: objects and bytes of the first line

    def class_name(self, thing):
        if thing.class_id:
            return self.classes[thing.class_id].name
        return TYPE_NAMES[thing.element] + "[]"

    def named(self, name):
        """The class of that name; there is exactly one."""
        found = [cls for cls in self.classes.values() if cls.name == name]
        assert len(found) == 1, f"{len(found)} classes {name}"
        return found[0]

    def instances(self, name):
        return [thing for thing in self.objects.values() if self.class_name(thing) == name]

    def histogram(self):
        counts = {}
        for thing in self.objects.values():
            name = self.class_name(thing)
            counts[name] = counts.get(name, 0) + 1
        return counts

    def reachable(self):
        """Ids that the roots lead to."""
        seen = set()
        todo = [root.id for root in self.roots]
        while todo:
            at = todo.pop()
            if at == 0 or at in seen:
                continue
            seen.add(at)
            if at in self.classes:
                todo.extend(self.classes[at].references())
            elif at in self.objects:
                thing = self.objects[at]
                todo.append(thing.class_id)
                todo.extend(ref for _, ref in thing.refs)
        return seen


def read_binary(body, heap, strings, classes, fail):
    """One sub-record of a binary dump into heap; answers it. classes: id to name, by LOAD
    CLASS."""
    tag = body.u1()
    if tag in ROOT_KINDS:
        root = Root(ROOT_KINDS[tag], body.id())
        if tag == 0x01:
            body.id()
        if tag in (0x02, 0x03, 0x04, 0x06, 0x08):
            root.thread = body.u4()
        if tag in (0x02, 0x03):
            root.frame = body.i4()
        if tag == 0x08:
            root.trace = body.u4()
        heap.roots.append(root)
        return root
    if tag == 0x20:
        return _binary_class(body, heap, strings, classes, fail)
    if tag == 0x21:
        thing = HeapObject(body.id(), None, body.u4())
        thing.class_id = body.id()
        thing.raw = body.bytes(body.u4())
        return _add(heap, thing, fail)
    if tag == 0x22:
        thing = HeapObject(body.id(), None, body.u4())
        thing.length = body.u4()
        thing.class_id = body.id()
        thing.refs = [(index, ref) for index, ref in enumerate(body.ids(thing.length)) if ref]
        return _add(heap, thing, fail)
    if tag == 0x23:
        thing = HeapObject(body.id(), 0, body.u4())
        thing.length = body.u4()
        thing.element = body.u1()
        if thing.element not in _SIZES:
            fail(f"primitive array of type {thing.element}")
        thing.data = body.bytes(thing.length * _SIZES[thing.element])
        return _add(heap, thing, fail)
    return fail(f"unknown heap sub-tag {tag:#x}")


def _value(body, kind, fail):
    if kind == 2:
        return body.id()
    if kind not in _SIZES:
        fail(f"unknown basic type {kind}")
    return body.number(_SIZES[kind])


def _string(body, strings, fail):
    key = body.id()
    if key not in strings:
        fail(f"name {key} was not defined before")
    return strings[key]


def _binary_class(body, heap, strings, classes, fail):
    object_id, trace = body.id(), body.u4()
    if object_id not in classes:
        fail(f"class {object_id:#x} has no LOAD CLASS")
    cls = HeapClass(object_id, classes[object_id], trace, body.id(), body.id(), body.id(),
                    body.id())
    if body.id() or body.id():
        fail("reserved fields are not 0")
    cls.instance_size = body.u4()
    for _ in range(body.u2()):
        body.u2()
        kind = body.u1()
        value = _value(body, kind, fail)
        if kind == 2 and value:
            cls.constants.append(value)
    for _ in range(body.u2()):
        name, kind = _string(body, strings, fail), body.u1()
        cls.statics[name] = (kind, _value(body, kind, fail))
    for _ in range(body.u2()):
        name, kind = _string(body, strings, fail), body.u1()
        if kind != 2 and kind not in _SIZES:
            fail(f"field of type {kind}")
        cls.fields.append((name, kind))
    if object_id in heap.classes:
        fail(f"class {cls.name} is dumped twice")
    heap.classes[object_id] = cls
    return cls


def _add(heap, thing, fail):
    if thing.id == 0 or thing.id in heap.objects:
        fail(f"object {thing.id:#x} is dumped twice")
    heap.objects[thing.id] = thing
    return thing


def finish_binary(heap, id_size, fail):
    """When the dump is over: what instances hold, by the fields of their classes."""
    for thing in heap.objects.values():
        if thing.element is not None:
            continue
        if thing.class_id not in heap.classes:
            fail(f"object {thing.id:#x} of class {thing.class_id:#x}, which is not dumped")
        if thing.length is not None:
            continue
        at, cls = 0, heap.classes[thing.class_id]
        if cls.instance_size != len(thing.raw):
            fail(f"instance of {cls.name} has {len(thing.raw)} bytes, its class says "
                 f"{cls.instance_size}")
        while cls is not None:
            for name, kind in cls.fields:
                size = id_size if kind == 2 else _SIZES[kind]
                value = int.from_bytes(thing.raw[at:at + size], "big")
                if len(thing.raw) < at + size:
                    fail(f"fields of {heap.class_name(thing)} exceed its values")
                at += size
                thing.values[cls.name, name] = value
                if kind == 2 and value:
                    thing.refs.append((name, value))
            cls = heap.classes.get(cls.super)
        if at != len(thing.raw):
            fail(f"fields of {heap.class_name(thing)} take {at} of {len(thing.raw)} bytes")
    check_references(heap, fail)


def check_references(heap, fail):
    """References lead to something in the dump."""
    known = {0, *heap.objects, *heap.classes}

    def lost(ref, what):
        heap.dangling.append(f"{what} refers to {ref:x}, which is not in the dump")
    for cls in heap.classes.values():
        for ref in cls.references() - known:
            lost(ref, f"class {cls.name}")
    for thing in heap.objects.values():
        for name, ref in thing.refs:
            if ref not in known:
                lost(ref, f"{heap.class_name(thing)} {thing.id:x}, {name},")
    for root in heap.roots:
        if root.id not in known:
            lost(root.id, f"root {root.kind}")
    if heap.dangling:
        fail(f"{len(heap.dangling)} references to nothing: {heap.dangling[:5]}")


# ---- text -----------------------------------------------------------------

_HEX = "([1-9a-f][0-9a-f]*)"
BEGIN = re.compile(r"HEAP DUMP BEGIN \((\d+) objects, (\d+) bytes\) (.*)")
END = "HEAP DUMP END"
_ROOT = re.compile(rf"ROOT {_HEX} \(kind=<([^>]+)>(.*)\)")
_CLASS = re.compile(rf"CLS {_HEX} \(name=(.+), trace=(\d+)\)")
_OBJECT = re.compile(rf"OBJ {_HEX} \(sz=(\d+), trace=(\d+), class=(.+)@{_HEX}\)")
_ARRAY = re.compile(rf"ARR {_HEX} \(sz=(\d+), trace=(\d+), nelems=(\d+), "
                    rf"elem type=(.+\[\])(?:@{_HEX})?\)")
_PART = re.compile(rf"\t(super|loader|signers|domain)\t\t{_HEX}")
_STATIC = re.compile(rf"\tstatic (.+)\t{_HEX}")
_CONSTANT = re.compile(rf"\tconstant\[(\d+)\]\t{_HEX}")
_FIELD = re.compile(rf"\t([^\t]+)(\t\t?){_HEX}")
_ELEMENT = re.compile(rf"\t\[(\d+)\]\t\t{_HEX}")
_ROOT_PARTS = {"unknown": "", "JNI global ref": r", id=[0-9a-f]+, trace=(?P<trace>\d+)",
               "JNI local ref": r", thread=(?P<thread>\d+), frame=(?P<frame>-?\d+)",
               "Java stack": r", thread=(?P<thread>\d+), frame=(?P<frame>-?\d+)",
               "native stack": r", thread=(?P<thread>\d+)",
               "system class": r", name=(?P<name>.+)",
               "thread block": r", thread=(?P<thread>\d+)", "busy monitor": "",
               "thread": r", id=(?P<thread>\d+), trace=(?P<trace>\d+)"}


class TextReader:
    """Reads the lines between HEAP DUMP BEGIN and END."""

    def __init__(self, match, fail):
        self.heap = Heap(declared=(int(match[1]), int(match[2])), when=match[3])
        self.fail = fail
        self.names = []  # (id, name) that objects give their classes
        self.last = None

    def line(self, line):
        if line.startswith("\t"):
            self.part(line)
        elif line.startswith("OBJ "):
            self.object(line)
        elif line.startswith("ARR "):
            self.array(line)
        elif line.startswith("CLS "):
            self.cls(line)
        elif line.startswith("ROOT "):
            self.root(line)
        else:
            self.fail("unknown line in a heap dump")

    def root(self, line):
        match = _ROOT.fullmatch(line)
        if not match or match[2] not in _ROOT_PARTS:
            self.fail("bad ROOT")
        parts = re.fullmatch(_ROOT_PARTS[match[2]], match[3])
        if not parts:
            self.fail("bad ROOT")
        found = {key: value if key == "name" else int(value)
                 for key, value in parts.groupdict().items()}
        self.heap.roots.append(Root(match[2], int(match[1], 16), **found))
        self.last = None

    def cls(self, line):
        match = _CLASS.fullmatch(line)
        if not match:
            self.fail("bad CLS")
        self.last = HeapClass(int(match[1], 16), match[2], int(match[3]))
        if self.last.id in self.heap.classes:
            self.fail("class is dumped twice")
        self.heap.classes[self.last.id] = self.last

    def object(self, line):
        match = _OBJECT.fullmatch(line)
        if not match:
            self.fail("bad OBJ")
        self.last = HeapObject(int(match[1], 16), int(match[5], 16), int(match[3]), int(match[2]))
        self.names.append((self.last.class_id, match[4]))
        _add(self.heap, self.last, self.fail)

    def array(self, line):
        match = _ARRAY.fullmatch(line)
        if not match:
            self.fail("bad ARR")
        kinds = [kind for kind, name in TYPE_NAMES.items() if name + "[]" == match[5]]
        self.last = HeapObject(int(match[1], 16), int(match[6], 16) if match[6] else 0,
                               int(match[3]), int(match[2]), length=int(match[4]),
                               element=kinds[0] if kinds else None)
        if (match[6] is None) != bool(kinds):
            self.fail("bad element type")
        if match[6]:
            self.names.append((self.last.class_id, match[5]))
        _add(self.heap, self.last, self.fail)

    def part(self, line):
        if isinstance(self.last, HeapClass):
            if match := _PART.fullmatch(line):
                setattr(self.last, match[1], int(match[2], 16))
            elif match := _STATIC.fullmatch(line):
                self.last.statics[match[1]] = (2, int(match[2], 16))
            elif match := _CONSTANT.fullmatch(line):
                self.last.constants.append(int(match[2], 16))
            else:
                self.fail("bad line of a class")
        elif self.last is not None and self.last.length is not None:
            match = _ELEMENT.fullmatch(line)
            if not match or int(match[1]) >= self.last.length:
                self.fail("bad element")
            if self.last.refs and self.last.refs[-1][0] >= int(match[1]):
                self.fail("elements out of order")
            self.last.refs.append((int(match[1]), int(match[2], 16)))
        elif self.last is not None:
            match = _FIELD.fullmatch(line)
            if not match or len(match[2]) != (2 if len(match[1].encode()) < 8 else 1):
                self.fail("bad field")
            self.last.refs.append((match[1], int(match[3], 16)))
        else:
            self.fail("part of nothing")

    def finish(self):
        heap = self.heap
        found = (len(heap.objects), sum(thing.size for thing in heap.objects.values()))
        if found != heap.declared:
            self.fail(f"{found} objects and bytes, {heap.declared} in the first line")
        for class_id, name in self.names:
            if class_id not in heap.classes or heap.classes[class_id].name != name:
                self.fail(f"class {class_id:x} is not {name}")
        check_references(heap, self.fail)
        return heap
