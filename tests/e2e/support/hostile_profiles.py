"""Profiles that are small and ask for a lot: traces of thousands of frames with thousands of rows,
names that thousands of records share, thousands of sections. Each function takes the number of
such things, and the size of its file is in proportion to it."""

import struct

HEAD = "JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026\n--------\n"
TRACE = 300001
THREAD = 200001
EXACT = ("NOTE: options: cpu=times,heap=sites,live=n,depth=65535,cutoff=0\n"
         "NOTE: heap: every allocation (reported by bytecode, objects not tracked)\n")


def trace(serial, frames, thread=0):
    of = f" (thread={thread})" if thread else ""
    return f"TRACE {serial}:{of}\n" + "".join(f"\t{frame}\n" for frame in frames)


def deep(count):
    return [f"p.A.m{i % 7}(A.java:{i % 9 + 1})" for i in range(count)]


def table(name, rows, detail):
    """rows: count, trace, name"""
    lines = [f"{i + 1} 0.00% {100 * (i + 1) / len(rows):.2f}% {count} {serial} {method}\n"
             for i, (count, serial, method) in enumerate(rows)]
    return (f"{name} BEGIN (total = {detail}) Sat Nov 21 02:55:44 2026\n"
            f"rank   self  accum   count trace method\n{''.join(lines)}{name} END\n")


def samples(rows):
    return table("CPU SAMPLES", rows, sum(row[0] for row in rows))


def times(rows):
    return table("CPU TIME (ms)", rows, 1000)


def sites(rows, order="live"):
    """rows: bytes, trace, class"""
    lines = [f"{i + 1} 0.00% {100 * (i + 1) / len(rows):.2f}% {size} 1 {size} 1 {serial} {name}\n"
             for i, (size, serial, name) in enumerate(rows)]
    return (f"SITES BEGIN (ordered by {order} bytes) Sat Nov 21 02:55:44 2026\n"
            f" rank   self  accum     bytes objs     bytes  objs trace name\n"
            f"{''.join(lines)}SITES END\n")


def timeline(lines):
    return ("SAMPLE TIMES BEGIN (start = 1700000000000, bucket = 10 ms) x\n"
            + "".join(f"{line}\n" for line in lines) + "SAMPLE TIMES END\n")


# ---- text ------------------------------------------------------------------------------


def rows_of_one_trace(n):
    return (HEAD + trace(TRACE, deep(2 * n)) + samples([(1, TRACE, "p.A.m0")] * n)
            + times([(1, TRACE, "p.A.m0")] * n))


def classes_of_one_trace(n):
    return HEAD + trace(TRACE, deep(2 * n)) + sites([(8, TRACE, f"C{i}") for i in range(n)])


def states_of_one_trace(n):
    return (HEAD + trace(TRACE, deep(2 * n)) + "TRACE MICROSTATES (ms) BEGIN (total = 10 ms) x\n"
            "rank wall usr sys tfl dfl lck slp i/o lat stw calls trace method\n"
            + f"1 9.000{' 1.000' * 9} 1 {TRACE} p.A.m0\n" * n + "TRACE MICROSTATES (ms) END\n")


def times_of_one_trace(n):
    """One sample each, of two stacks in turn."""
    return (HEAD + trace(TRACE, deep(n)) + trace(TRACE + 1, ["B.b(B.java:1)"] + deep(n))
            + samples([(n, TRACE, "p.A.m0"), (n, TRACE + 1, "B.b")])
            + timeline(f"{TRACE + i % 2} {i}:1" for i in range(n)))


def frames_of_their_own(n):
    return (HEAD + trace(TRACE, [f"p.A.m{i}(A.java:{i + 1})" for i in range(2 * n)])
            + samples([(1, TRACE, "p.A.m0")]))


def threads(n):
    started = "".join(
        f'THREAD START (obj=1, id = {THREAD + i}, name="T", group="main")\n'
        + trace(TRACE + i, ["p.A.m(A.java:1)"], THREAD + i) for i in range(n))
    return HEAD + started + samples([(1, TRACE + i, "p.A.m") for i in range(n)])


def own_traces(n):
    return "".join(trace(TRACE + i, [f"p.A.m{i}(A.java:1)"]) for i in range(n))


def short_times(n):
    """Many sections of times after one of many samples."""
    return (HEAD + own_traces(n) + samples([(1, TRACE + i, f"p.A.m{i}") for i in range(n)])
            + timeline([f"{TRACE} 0:1"]) * n)


def short_sites(n):
    """Many sections of sites after one of many."""
    return (HEAD + EXACT + own_traces(n) + trace(TRACE, deep(n))
            + sites([(8, TRACE + i, f"C{i}") for i in range(n)], "allocated")
            + sites([(8, TRACE, "C0")], "allocated") * n)


def notes_before_costs(n):
    costs = "TRACE COSTS BEGIN (OFF-CPU TIME, total = 10) x\ntrace cost count\nTRACE COSTS END\n"
    return (HEAD + trace(TRACE, deep(1)) + times([(1, TRACE, "p.A.m0")]) + "NOTE: x\n" * 4 * n
            + costs * n)


def grown(n, size):
    """Each class a context that grew, if size does, below as many callers."""
    return (HEAD + EXACT + trace(TRACE, [f"p.A.m{i}(A.java:1)" for i in range(2 * n)])
            + times([(size, TRACE, "p.A.m0")] * n)
            + sites([(size, TRACE, f"C{i}") for i in range(n)], "allocated"))


# ---- binary ----------------------------------------------------------------------------


class Binary:
    def __init__(self):
        self.bytes = bytearray(b"JAVA PROFILE 1.0.2\0" + struct.pack(">IQ", 4, 1700000000000))
        for number, text in enumerate((b"A", b"m", b"A.java"), start=1):
            self.string(number, text)
        self.load_class(1, 100, 1)
        self.frame(50, 2, 3, 5)

    def record(self, tag, body):
        self.bytes += struct.pack(">BII", tag, 0, len(body)) + body

    def string(self, number, text):
        self.record(0x01, struct.pack(">I", number) + text)

    def load_class(self, serial, number, name):
        self.record(0x02, struct.pack(">IIII", serial, number, 0, name))

    def frame(self, number, method, source, line):
        self.record(0x04, struct.pack(">IIIIII", number, method, method, source, 1, line))

    def trace(self, serial, frames):
        frames = list(frames)
        self.record(0x05, struct.pack(f">III{len(frames)}I", serial, 0, len(frames), *frames))

    def samples(self, traces):
        rows = b"".join(struct.pack(">II", 1, serial) for serial in traces)
        self.record(0x0d, struct.pack(">II", len(traces), len(traces)) + rows)

    def sites(self, rows):
        """rows: class, trace"""
        body = b"".join(struct.pack(">BIIIIII", 0, *row, 8, 1, 8, 1) for row in rows)
        self.record(0x06, struct.pack(">HIIIQQI", 0, 0, 0, 0, 0, 0, len(rows)) + body)

    def segment(self, body):
        self.record(0x1c, body)
        self.record(0x2c, b"")


def class_dump(number, above):
    return struct.pack(">BIIIIIIIIIHHH", 0x20, number, 0, above, 0, 0, 0, 0, 0, 16, 0, 0, 0)


def instance(number, of):
    return struct.pack(">BIIII", 0x21, number, 0, of, 0)


def binary_rows_of_one_trace(n):
    file = Binary()
    file.trace(1, [50] * 5 * n)
    file.samples([1] * 3 * n)
    file.sites([(1, 1)] * n)
    return file.bytes


def long_names(n):
    """A name of n bytes in each of n places and methods, and in a stack of n frames."""
    file = Binary()
    file.string(10, b"x" * min(n, 60000))
    file.load_class(7, 700, 10)
    file.frame(59, 10, 3, 1)
    for i in range(n):
        file.frame(60 + i, 2, 10, i + 1)
    file.trace(1, range(60, 60 + n))
    file.trace(2, [59] * n)
    file.samples([1, 2])
    file.sites([(7, 1)] * n)
    return file.bytes


def chain_of_classes(n):
    """Instances of classes with n superclasses, the last of them in no dump or the first again."""
    file = Binary()
    for i in range(2 * n):
        file.load_class(10 + i, 10000 + i, 1)
    open_ended = [class_dump(10000 + i, 10001 + i if i + 1 < n else 1) for i in range(n)]
    circle = [class_dump(10000 + i, 10001 + i if i + 1 < 2 * n else 10000 + n)
              for i in range(n, 2 * n)]
    objects = [instance(5000000 + i, 10000 + i % 7 + n * (i % 2)) for i in range(4 * n)]
    file.segment(b"".join(open_ended + circle + objects))
    return file.bytes


def short_dumps(n):
    file = Binary()
    for _ in range(5 * n):
        file.record(0x0c, struct.pack(">BI", 0xff, 5))
    return file.bytes


def divided_object(n):
    """An object with a segment for each byte."""
    file = Binary()
    file.load_class(2, 200, 1)
    body = struct.pack(">BIIII", 0x21, 300, 0, 200, 8 * n) + bytes(8 * n)
    for i in range(len(body)):
        file.record(0x1c, body[i:i + 1])
    file.record(0x2c, b"")
    return file.bytes
