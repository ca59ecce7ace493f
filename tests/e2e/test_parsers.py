"""The parsers of these tests: they accept the examples of the reference and reject corrupted
files. Needs neither a JDK nor the agent."""

import struct

import pytest

from readers import hprof_binary, hprof_text

pytestmark = pytest.mark.any_jvm

TEXT = """\
JAVA PROFILE 1.0.1, created Sat Nov 21 02:55:43 2026

Anything may stand here.
    TRACE 1: even this
--------

THREAD START (obj=500001c3, id = 200004, name="Notification Thread", group="system")
THREAD START (obj=500001c3, id = 200001, name="main", group="main")
TRACE 300000:
	<empty>
TRACE 300129:
	Sample.work(Sample.java:6)
	Sample.locked(Sample.java:7)
	Sample.lambda$main$1(Sample.java:12)
	Sample$$Lambda/0x00007ff014002800.run(<Unknown Source>:Unknown line)
THREAD START (obj=500001c3, id = 200006, name="apples", group="main")
TRACE 300131:
	java.lang.Object.<init>(Object.java:Unknown line)
TRACE 300132:
	<no_stack>.not_walkable(<Unknown Source>:Unknown line)
THREAD END (id = 200006)
NOTE: of no section
CPU SAMPLES BEGIN (total = 437) Sat Nov 21 02:55:43 2026
rank   self  accum   count trace method
   1 33.41% 33.41%     146 300129 Sample.work
   2 29.98% 63.39%     131 300131 java.lang.Object.<init>
   3  3.89% 67.28%      17 300132 <no_stack>.not_walkable
CPU SAMPLES END
NOTE: something to know
THREAD END (id = 200001)
"""


def test_text_takes_what_the_reference_shows():
    profile = hprof_text.parse(TEXT.encode(), thread_in_traces=False)
    assert profile.preamble == ["", "Anything may stand here.", "    TRACE 1: even this"]
    assert [thread.ended for thread in profile.threads.values()] == [False, True, True]
    top = profile.sections[0].rows[0]
    assert (top.count, top.names[0], top.frames[0].line) == (146, "Sample.work", 6)
    assert top.frames[3].class_name == "Sample$$Lambda/0x00007ff014002800"
    assert profile.traces[300131].frames[0].line == hprof_text.UNKNOWN_LINE
    assert [serial for serial, trace in profile.traces.items() if trace.stackless] == [300132]
    assert profile.notes == ["of no section"]
    assert profile.sections[0].notes == ["something to know"]
    assert profile.total == 437


TIMES = TEXT[:TEXT.index("NOTE:")] + """\
CPU TIME (ms) BEGIN (total = 1108) Sat Nov 21 02:55:44 2026
rank   self  accum   count trace method
   1 60.85% 60.85%      50 300129 Sample.work
   2 39.14% 99.99%     500 300131 java.lang.Object.<init>
   3  0.01% 100.00%       0 300132 <no_stack>.not_walkable
CPU TIME (ms) END
NOTE: something to know
OFF-CPU TIME (ms) BEGIN (total = 20) Sat Nov 21 02:55:44 2026
rank   self  accum   count trace method
   1 90.00% 90.00%      50 300129 Sample.work
OFF-CPU TIME (ms) END
"""


SITES = TEXT[:TEXT.index("NOTE:")] + """\
SITES BEGIN (ordered by live bytes) Sat Nov 21 02:55:45 2026
          percent          live          alloc'ed  stack class
 rank   self  accum     bytes objs     bytes  objs trace name
    1 14.36% 14.36%     21936  500     21936   500 300129 long[]
    2  4.84% 19.20%      7392    8      7400     9 300131 java.util.Map$Entry[]
    3  1.76% 20.96%      2696    8      2696     8 300000 java.lang.Thread
SITES END
SITES BEGIN (ordered by allocated bytes, live not counted, sampled every 65536 bytes) \
Sat Nov 21 02:55:45 2026
          percent          live          alloc'ed  stack class
 rank   self  accum     bytes objs     bytes  objs trace name
SITES END
"""


def test_text_takes_sites():
    first, second = hprof_text.parse(SITES.encode(), cutoff=0.01).sites
    assert not first.by_allocation and first.remarks == [] and len(first.rows) == 3
    row = first.of("java.util.Map$Entry[]", "java.lang.Object.<init>")[0]
    assert (row.live_bytes, row.live_objects, row.allocated_bytes, row.allocated_objects) == (
        7392, 8, 7400, 9)
    assert second.by_allocation and second.remarks == ["live not counted",
                                                       "sampled every 65536 bytes"]


@pytest.mark.parametrize("old, new", [
    ("14.36% 14.36%", "14.36% 14.40%"), ("  7400     9", "  7391     9"),
    ("    2  4.84%", "    3  4.84%"), ("300131 java.util", "300130 java.util"),
    ("  500 300129", " 500 300129"), ("alloc'ed  stack", "alloc'ed stack"),
    ("21936  500     21936   500", "  936  500     21936   500"), ("SITES END\nSITES", "SITES"),
])
def test_text_refuses_spoiled_sites(old, new):
    assert old in SITES
    with pytest.raises(hprof_text.FormatError):
        hprof_text.parse(SITES.replace(old, new, 1).encode(), cutoff=0.01)


def test_text_takes_the_sections_of_times():
    profile = hprof_text.parse(TIMES.encode(), cutoff=0.0001)
    cpu, off = profile.sections
    assert (cpu.title, cpu.total, cpu.notes) == ("CPU TIME", 1108, ["something to know"])
    assert [(row.count, row.self_percent) for row in cpu.rows] == [
        (50, 60.85), (500, 39.14), (0, 0.01)]
    assert profile.titled("OFF-CPU TIME") == [off] and off.rows[0].names[0] == "Sample.work"


@pytest.mark.parametrize("old, new", [
    ("   1 60.85% 60.85%", "   1 30.85% 30.85%"),  # the order of self
    ("39.14% 99.99%", "39.14% 98.99%"),  # accum
    ("CPU TIME (ms) END\nNOTE", "OFF-CPU TIME (ms) END\nNOTE"),
    ("50 300129 Sample.work\n   2", "50 300129 Sample.play\n   2"),
    ("500 300131", "500 300129"),  # a trace twice
    (" (ms) BEGIN (total = 1108)", " (ms) BEGIN (total = 1108.5)"),
    ("CPU TIME (ms) END\nNOTE", "CPU TIME (ms) END\nnote"),
])
def test_text_refuses_corrupted_sections_of_times(old, new):
    assert TIMES.count(old) == 1
    with pytest.raises(hprof_text.FormatError):
        hprof_text.parse(TIMES.replace(old, new).encode(), cutoff=0.0001)


STATES = TEXT[:TEXT.index("NOTE:")] + """\
TRACE MICROSTATES (ms) BEGIN (total = 1108, exact) Sat Nov 21 02:55:44 2026
rank        wall         usr         sys         tfl         dfl         lck         slp         i/o\
         lat         stw    calls trace method
   1    1000.120     400.000           -           -           -     100.110       0.000     200.000\
     300.009       0.000       50 300129 Sample.work
   2     100.000     100.000           -           -           -       0.000       0.000       0.000\
           -       0.000      500 300131 java.lang.Object.<init>
   3       8.400       8.400           -           -           -       0.000       0.000       0.000\
       0.000       0.000        0 300132 <no_stack>.not_walkable
TRACE MICROSTATES (ms) END
NOTE: something to know
"""


def test_text_takes_the_states_of_traces():
    [section] = hprof_text.parse(STATES.encode(), cutoff=0).states
    assert (section.total, len(section.rows), section.notes) == (1108, 3, ["something to know"])
    first, second, _ = section.rows
    assert (first.wall, first.ms["lck"], first.ms["sys"], first.calls) == (
        1000.120, 100.110, None, 50)
    assert second.ms["lat"] is None and second.names == ["java.lang.Object.<init>"]
    assert section.sums(lambda row: row.calls)["usr"] == 500


@pytest.mark.parametrize("old, new", [
    ("total = 1108", "total = 1110"), ("total = 1108", "total = 1106"), ("   2     1", "   3     1"),
    ("300.009", "299.009"), ("300.009", "300.031"), ("      50 300129", "     50 300129"),
    ("500 300131", "500 300130"), ("300131 java", "300132 java"), ("300129 Sample", "300129 Simple"),
    ("   1    1000.120     400.000", "   1       0.120       0.000"), ("1000.120", "1000.12"),
    ("    1000.120", "           -"), ("0 300132 <no_stack>.not_walkable", "0 300131 java.lang.Object.<init>"),
    ("slp         i/o", "i/o         slp"), ("(ms) END", "END"),
])
def test_text_refuses_corrupted_states_of_traces(old, new):
    assert old in STATES
    with pytest.raises(hprof_text.FormatError):
        hprof_text.parse(STATES.replace(old, new, 1).encode(), cutoff=0)


DETAILS = TEXT[:TEXT.index("TRACE 300131")] + """\
TRACE 300131:
	java.lang.Object.<init>(Object.java:Unknown line)
CPU SAMPLES BEGIN (total = 11) Sat Nov 21 02:55:43 2026
rank   self  accum   count trace method
   1 90.91% 90.91%      10 300129 Sample.work
CPU SAMPLES END
NOTE: something to know
SAMPLE TIMES BEGIN (bucket = 200 ms, start = 1795229743123) Sat Nov 21 02:55:43 2026
300129 0:4 7:6
300131 7:1
SAMPLE TIMES END
CPU TIME (ms) BEGIN (total = 2) Sat Nov 21 02:55:44 2026
rank   self  accum   count trace method
   1 80.00% 80.00%      50 300129 Sample.work
CPU TIME (ms) END
TRACE COSTS BEGIN (CPU TIME, total = 2500000 ns) Sat Nov 21 02:55:44 2026
300129 2000000 50
300131 500000 0
TRACE COSTS END
MONITOR TIME BEGIN (total = 1 ms) Sat Nov 21 02:55:44 2026
rank   self  accum   count trace monitor
   1 60.00% 60.00%       3 300129 Ljava/lang/Object; (Java)
   2 40.00% 100.00%       1 300129 LLock; (Java)
MONITOR TIME END
TRACE COSTS BEGIN (MONITOR TIME, total = 1000000 ns) Sat Nov 21 02:55:44 2026
300129 1000000 4
TRACE COSTS END
"""


def test_text_takes_the_details_of_tables():
    profile = hprof_text.parse(DETAILS.encode(), cutoff=0.3)
    (times,) = profile.sample_times
    assert (times.bucket_ms, times.start_ms) == (200, 1795229743123)
    assert times.buckets == {300129: {0: 4, 7: 6}, 300131: {7: 1}}
    assert times.when([300129, 300131]) == {0: 4, 7: 7}
    cpu, monitor = profile.trace_costs
    assert (cpu.title, cpu.total_ns, cpu.counts) == ("CPU TIME", 2500000, {300129: 50, 300131: 0})
    assert (monitor.title, monitor.ns) == ("MONITOR TIME", {300129: 1000000})


NO_TIME = """\
OFF-CPU TIME (ms) BEGIN (total = 0) Sat Nov 21 02:55:44 2026
rank   self  accum   count trace method
   1  0.00%  0.00%       2 300129 Sample.work
OFF-CPU TIME (ms) END
TRACE COSTS BEGIN (OFF-CPU TIME, total = 0 ns) Sat Nov 21 02:55:44 2026
300129 0 2
TRACE COSTS END
"""


def test_text_takes_calls_of_which_none_took_time():
    profile = hprof_text.parse((DETAILS + NO_TIME).encode(), cutoff=0.3)
    assert profile.trace_costs[-1].counts == {300129: 2}
    with pytest.raises(hprof_text.FormatError):
        hprof_text.parse((DETAILS + NO_TIME.replace(" 0.00%", "50.00%")).encode(), cutoff=0.3)


@pytest.mark.parametrize("old, new", [
    ("bucket = 200", "bucket = 300"), ("bucket = 200", "bucket = 50"),
    ("0:4 7:6", "0:5 7:6"), ("0:4 7:6", "7:6 0:4"), ("0:4 7:6", "7:4 7:6"), ("0:4 7:6", "0:0 7:10"),
    ("300131 7:1\n", ""), ("300131 7:1", "300130 7:1"), ("300131 7:1", "300131"),
    ("300129 0:4 7:6\n300131 7:1", "300131 7:1\n300129 0:4 7:6"),
    ("SAMPLE TIMES END\n", "SAMPLE TIMES END\nSAMPLE TIMES BEGIN (bucket = 200 ms, start = 1) "
     "Sat Nov 21 02:55:43 2026\n300129 0:4 7:6\n300131 7:1\nSAMPLE TIMES END\n"),
    ("(CPU TIME, total", "(OFF-CPU TIME, total"), ("total = 2500000", "total = 2500001"),
    ("300129 2000000 50", "300129 2000000 51"), ("300131 500000 0\n", ""),
    ("300129 2000000 50\n300131 500000 0", "300129 1999000 50\n300131 501000 0"),
    ("300129 2000000 50\n300131 500000 0", "300129 1000000 50\n300131 1500000 0"),
    ("300131 500000 0", "300131 500000 0\n300132 0 0"), ("300129 1000000 4", "300129 1000000 3"),
    ("ns) Sat Nov 21 02:55:44 2026\n300129 2", "ns)\n300129 2"),
])
def test_text_refuses_details_that_are_not_those_of_their_table(old, new):
    assert old in DETAILS
    with pytest.raises(hprof_text.FormatError):
        hprof_text.parse(DETAILS.replace(old, new, 1).encode(), cutoff=0.3)


def test_text_takes_the_columns_of_the_reference():
    rows = ["   1 33.41% 33.41%     146 300129 Sample.work",
            "   2 29.98% 63.39%     131 300128 Sample.work",
            "   3 25.17% 88.56%     110 300127 Sample.work",
            "   4  3.89% 92.45%      17 300130 Sample.locked",
            "   5  3.89% 96.34%      17 300131 Sample.locked",
            "   6  0.23% 96.57%       1 300007 java.net.URL.<init>"]
    traces = "".join(f"TRACE {row.split()[4]}:\n\t{row.split()[5]}(X.java:1)\n" for row in rows)
    text = (TEXT[:TEXT.index("TRACE 300000")] + traces +
            "CPU SAMPLES BEGIN (total = 437) Sat Nov 21 02:55:43 2026\n"
            "rank   self  accum   count trace method\n" + "\n".join(rows) +
            "\nCPU SAMPLES END\n")
    assert len(hprof_text.parse(text.encode()).rows) == 6


def test_text_takes_a_trace_with_its_thread():
    text = TEXT.replace("TRACE 300131:", "TRACE 300131: (thread=200006)")
    text = text.replace("TRACE 300129:", "TRACE 300129: (thread=200001)")
    profile = hprof_text.parse(text.encode(), thread_in_traces=True)
    assert profile.traces[300132].thread is None
    assert profile.traces[300131].thread == 200006


@pytest.mark.parametrize("old, new", [
    ("PROFILE 1.0.1", "PROFILE 1.0.0"),
    ("created Sat Nov 21", "created Sat Nov 31"),
    ("--------\n", "-------\n"),
    ("    TRACE 1: even", "TRACE 1: not even"),
    ("TRACE 1: even this", "CPU TIME (ms) BEGIN"),
    ("TRACE 1: even this", "from SITES BEGIN (ordered by) on"),
    ("    TRACE 1: even", "THREAD START (not even"),
    ("--------\n", "--------\n\n"),
    ("--------\n", "--------\nfree text after the dashes\n"),
    ("--------\n", "--------\r\n"),
    ("id = 200001", "id=200001"),
    ("id = 200006, name", "id = 200004, name"),
    ("id = 200006, name", "id = 6, name"),
    ("obj=500001c3, id = 200001", "obj=0, id = 200001"),
    ('name="apples"', 'name="app\tles"'),
    ('name="apples"', 'name="app\x1bles"'),
    ('name="apples", ', 'name=apples, '),
    ("THREAD END (id = 200001)\n", "THREAD END (id = 200002)\n"),
    ("THREAD END (id = 200001)\n", "THREAD END (id = 200001)"),
    ("THREAD END (id = 200001)\n", "THREAD END (id = 200006)\n"),
    ("\tSample.locked(", "    Sample.locked("),
    ("\tSample.locked(", "\t\tSample.locked("),
    ("(Sample.java:7)", "(Sample.java:0)"),
    ("(Sample.java:7)", "(Sample.java)"),
    ("(Sample.java:7)", "(Sample.java:seven)"),
    ("TRACE 300131:\n", "TRACE 300129:\n"),
    ("TRACE 300131:\n", "TRACE 300131: (thread=200009)\n"),
    ("TRACE 300131:\n", "TRACE 300131: (thread=200006)\n"),
    ("\t<empty>\n", ""),
    ("TRACE 300000:", "TRACE 300001:"),
    ("\tjava.lang.Object.<init>(Object.java:Unknown line)\n", ""),
    ("(Object.java:Unknown line)", "(Object.java:Native method)"),
    ("\t<no_stack>.not_walkable", "\t<no_stack>.a(X.java:1)\n\t<no_stack>.not_walkable"),
    ("NOTE: ", "NOTE "),
    ("total = 437", "total = 438"),
    ("total = 437", "total = 290"),
    ("rank   self  accum   count trace method", "rank  self  accum   count trace method"),
    ("   1 33.41%", "  1 33.41%"),
    ("   1 33.41%", "   1  33.41%"),
    ("33.41% 33.41%", "33.41% 33.42%"),
    ("33.41% 33.41%", "33.40% 33.41%"),
    ("33.41% 33.41%", "33.4% 33.41%"),
    ("    146 300129", "   146 300129"),
    ("   2 29.98%", "   3 29.98%"),
    ("     131 300131 java.lang.Object.<init>", "     131 300129 Sample.work"),
    ("300129 Sample.work\n", "300128 Sample.work\n"),
    ("300129 Sample.work\n", "300129 Sample.locked\n"),
    ("300132 <no_stack>.not_walkable", "300000 <empty trace>"),
    ("CPU SAMPLES END\n", ""),
    ("CPU SAMPLES END\n", "CPU SAMPLES END\n\n"),
    ("CPU SAMPLES END\n", "CPU SAMPLES END\nSOMETHING ELSE\n"),
])
def test_text_refuses_corruption(old, new):
    assert old in TEXT
    with pytest.raises(hprof_text.FormatError):
        hprof_text.parse(TEXT.replace(old, new, 1).encode(), thread_in_traces=False)


def test_text_takes_native_methods_where_they_are_marked():
    text = TEXT.replace("(Object.java:Unknown line)", "(Object.java:Native method)")
    profile = hprof_text.parse(text.encode(), native=True)
    assert profile.traces[300131].frames[0].line == hprof_text.NATIVE_METHOD


def test_text_refuses_traces_before_threads():
    begin, end = TEXT.index("TRACE 300000"), TEXT.index("TRACE 300129")
    moved = TEXT[:begin] + TEXT[end:]
    first = moved.index("THREAD START")
    with pytest.raises(hprof_text.FormatError, match="before the first thread"):
        hprof_text.parse((moved[:first] + TEXT[begin:end] + moved[first:]).encode())


def test_text_refuses_rows_out_of_order():
    swapped = TEXT.replace("   1 33.41% 33.41%     146 300129 Sample.work\n"
                           "   2 29.98% 63.39%     131 300131 java.lang.Object.<init>",
                           "   1 29.98% 29.98%     131 300131 java.lang.Object.<init>\n"
                           "   2 33.41% 63.39%     146 300129 Sample.work")
    assert swapped != TEXT
    with pytest.raises(hprof_text.FormatError, match="count out of order"):
        hprof_text.parse(swapped.encode())


def test_text_holds_rows_against_the_cutoff():
    with pytest.raises(hprof_text.FormatError, match="rows sum to 294, total is 437"):
        hprof_text.parse(TEXT.encode(), cutoff=0)
    with pytest.raises(hprof_text.FormatError, match="below the cutoff"):
        hprof_text.parse(TEXT.encode(), cutoff=0.04)
    hprof_text.parse(TEXT.encode(), cutoff=0.0389)


def test_text_takes_rows_without_a_cost_where_no_row_has_any():
    free = TIMES.replace("total = 20)", "total = 0)").replace("90.00% 90.00%", " 0.00%  0.00%")
    assert free != TIMES
    profile = hprof_text.parse(free.encode(), cutoff=0.0001)
    assert [row.count for row in profile.sections[1].rows] == [50]
    with pytest.raises(hprof_text.FormatError, match="below the cutoff"):
        hprof_text.parse(TIMES.encode(), cutoff=0.01)


def test_text_refuses_what_is_not_utf8():
    surrogates = TEXT.replace("apples", "\ud83d\ude00").encode("utf-8", "surrogatepass")
    with pytest.raises(hprof_text.FormatError, match="not UTF-8"):
        hprof_text.parse(surrogates)


def test_text_refuses_every_cut():
    """A file cut anywhere but at the end of a line, or inside a section, is refused."""
    data = TEXT.encode()
    section = range(data.index(b"CPU SAMPLES BEGIN"), data.index(b"CPU SAMPLES END\n") + 15)
    for size in range(len(data)):
        if data[:size].endswith(b"\n") and size > data.index(b"--------\n") + 8:
            if size - 1 not in section and not data[:size].endswith((b"300000:\n", b":\n")):
                continue
        with pytest.raises(hprof_text.FormatError):
            hprof_text.parse(data[:size])


def _record(tag, body):
    return struct.pack(">BII", tag, 17, len(body)) + body


def _records(size):
    """A whole small file, as a list of its pieces, with identifiers of size bytes."""
    def key(number):
        return number.to_bytes(size, "big")

    def u4(number):
        return struct.pack(">I", number & 0xFFFFFFFF)

    strings = ["Sample", "work", "(I)V", "Sample.java", "main", "system"]
    return [
        b"JAVA PROFILE 1.0.1\0" + u4(size) + struct.pack(">Q", 1795229743000),
        *(_record(1, key(n) + text.encode()) for n, text in enumerate(strings, 1)),
        _record(5, u4(300000) + u4(0) + u4(0)),
        _record(14, u4(2) + struct.pack(">H", 4)),
        _record(10, u4(200001) + key(77) + u4(300000) + key(5) + key(5) + key(6)),
        _record(2, u4(1) + key(99) + u4(300000) + key(1)),
        _record(4, key(1) + key(2) + key(3) + key(4) + u4(1) + u4(6)),
        _record(4, key(2) + key(2) + key(3) + key(0) + u4(1) + u4(-3)),
        _record(5, u4(300001) + u4(200001) + u4(2) + key(1) + key(2)),
        _record(5, u4(300002) + u4(0) + u4(1) + key(1)),
        _record(13, u4(5) + u4(2) + u4(3) + u4(300001) + u4(2) + u4(300002)),
        _record(3, u4(1)),
        _record(11, u4(200001)),
    ]


@pytest.mark.parametrize("size", [4, 8])
def test_binary_takes_what_the_manual_says(size):
    profile = hprof_binary.parse(b"".join(_records(size)), cutoff=0)
    row = profile.sections[0].rows[0]
    assert (row.count, row.names) == (3, ["Sample.work", "Sample.work"])
    assert [frame.line for frame in row.frames] == [6, -3]
    assert profile.threads[200001].name == "main" and profile.threads[200001].ended
    assert profile.classes[1].unloaded
    assert (profile.settings[0].cpu_sampling, profile.settings[0].depth) == (True, 4)
    assert profile.created_ms == 1795229743000


def test_binary_refuses_a_missing_record():
    """Each record but the last ones that nothing refers to is needed by another."""
    pieces = _records(4)
    free = {0, 8, 15, 16, 17}  # settings, samples, unload, end of thread; 0 is the header
    for left_out in range(1, len(pieces)):
        data = b"".join(pieces[:left_out] + pieces[left_out + 1:])
        if left_out in free:
            hprof_binary.parse(data)
        else:
            with pytest.raises(hprof_binary.FormatError):
                hprof_binary.parse(data)


def test_binary_refuses_a_record_written_twice():
    pieces = _records(4)
    may_repeat = {7, 8, 13, 14, 15}  # traces, settings and samples
    for twice in range(1, len(pieces)):
        data = b"".join(pieces[:twice + 1] + pieces[twice:])
        if twice in may_repeat:
            hprof_binary.parse(data)
        else:
            with pytest.raises(hprof_binary.FormatError):
                hprof_binary.parse(data)


def test_binary_refuses_a_use_before_its_definition():
    pieces = _records(4)
    for first in (1, 7, 9, 10, 11, 13, 14):
        late = pieces[:first] + pieces[first + 1:] + [pieces[first]]
        with pytest.raises(hprof_binary.FormatError):
            hprof_binary.parse(b"".join(late))


def test_binary_refuses_every_cut():
    data = b"".join(_records(8))
    ends, at = set(), 0
    for piece in _records(8):
        at += len(piece)
        ends.add(at)
    for size in range(len(data)):
        if size in ends:
            hprof_binary.parse(data[:size])
        else:
            with pytest.raises(hprof_binary.FormatError):
                hprof_binary.parse(data[:size])


def test_binary_refuses_wrong_lengths():
    for number, piece in enumerate(_records(4)[1:], 1):
        for longer in (piece + b"\0", piece[:-1]):
            if number <= 6:
                continue  # a string may have any length
            body = longer[9:]
            wrong = longer[:5] + struct.pack(">I", len(body)) + body
            pieces = _records(4)
            pieces[number] = wrong
            with pytest.raises(hprof_binary.FormatError):
                hprof_binary.parse(b"".join(pieces))


@pytest.mark.parametrize("number, at, value", [
    (0, 12, b"9"),                       # version
    (0, 22, b"\x05"),                    # size of identifiers
    (1, 0, b"\x55"),                     # unknown tag
    (1, 13, b"\xff"),                    # not UTF-8
    (3, 13, b"["),                       # not a method signature
    (8, 12, b"\x06"),                    # unknown settings flag
    (11, 29, b"\xff\xff\xff\xf0"),       # impossible line
    (15, 12, b"\x04"),                   # total less than the rows
    (15, 20, b"\x01"),                   # counts that rise
])
def test_binary_refuses_corruption(number, at, value):
    pieces = _records(4)
    piece = pieces[number]
    pieces[number] = piece[:at] + value + piece[at + len(value):]
    assert pieces[number] != piece
    with pytest.raises(hprof_binary.FormatError):
        hprof_binary.parse(b"".join(pieces))


def test_binary_walks_a_heap_dump():
    def u4(number):
        return struct.pack(">I", number)
    pieces = _records(4)[:11]
    class_dump = (b"\x20" + u4(99) + u4(300000) + 6 * u4(0) + u4(4) +
                  struct.pack(">H", 0) +
                  struct.pack(">H", 1) + u4(2) + b"\x0a" + u4(5) +
                  struct.pack(">H", 1) + u4(2) + b"\x02")
    heap = (b"\x05" + u4(99) + b"\x03" + u4(7) + u4(200001) + u4(0xffffffff) + class_dump +
            b"\x21" + u4(7) + u4(300000) + u4(99) + u4(4) + u4(0) +
            b"\x22" + u4(8) + u4(300000) + u4(1) + u4(99) + u4(7) +
            b"\x23" + u4(9) + u4(300000) + u4(3) + b"\x05" + b"abcdef")
    pieces.append(_record(0x0C, heap))
    hprof_binary.parse(b"".join(pieces))
    for spoiled in (heap[:-1], heap + b"\x99", heap.replace(u4(300000), u4(300009)),
                    heap.replace(u4(0xffffffff), u4(0))):
        pieces[-1] = _record(0x0C, spoiled)
        with pytest.raises(hprof_binary.FormatError):
            hprof_binary.parse(b"".join(pieces))
    pieces[0] = pieces[0].replace(b"1.0.1", b"1.0.2")
    pieces[-1] = _record(0x1C, heap)
    with pytest.raises(hprof_binary.FormatError, match="without HEAP DUMP END"):
        hprof_binary.parse(b"".join(pieces))
    pieces.append(_record(0x2C, b""))
    hprof_binary.parse(b"".join(pieces))
