"""net= in binary: the commands for the heap, with heap=all."""

import struct
import time

import pytest

from support import net_peer
from support.checks import check
from support.net_peer import cutoff_body
from support.net_session import Session

KEPT = 20_000
SITES_RECORD, HEAP_END_RECORD = 0x06, 0x2C
INCREMENTAL, BY_ALLOCATION, FORCE_GC = 0x1, 0x2, 0x4
ALLOC_TRACES = 0x1


def alloc_sites(session, flags, cutoff=0.0):
    """The record's flags, its sums and its rows: dicts of what each has."""
    body = session.peer.ask(net_peer.ALLOC_SITES, cutoff_body(flags, cutoff), SITES_RECORD)
    shown, _, live_bytes, live, allocated_bytes, allocated, count = struct.unpack_from(
        ">HfIIQQI", body)
    names = ("array", "class", "trace", "live_bytes", "live", "allocated_bytes", "allocated")
    rows = [dict(zip(names, struct.unpack_from(">BIIIIII", body, 34 + 25 * i)))
            for i in range(count)]
    check(len(body) == 34 + 25 * count, session.live.run, f"{len(body)} bytes, {count} rows")
    sums = {"live_bytes": live_bytes, "live": live, "allocated_bytes": allocated_bytes,
            "allocated": allocated}
    return shown, sums, rows


def rows_of(session, rows, name):
    serials = {c.serial for c in session.profile().classes.values() if c.name == name}
    check(serials, session.live.run, f"no class {name}")
    return [row for row in rows if row["class"] in serials]


@pytest.mark.emulated
def test_alloc_sites_answers_with_what_the_flags_ask_for(java):
    session = Session(java, options=",heap=all", kept=KEPT)
    run = session.live.run
    shown, sums, rows = alloc_sites(session, FORCE_GC)
    check(shown == FORCE_GC, run, f"flags {shown:#x}")
    live = [row["live_bytes"] for row in rows]
    check(live == sorted(live, reverse=True), run, "not ordered by live bytes")
    kept = max(row["live"] for row in rows_of(session, rows, "long[]"))
    check(kept == KEPT, run, f"{kept} kept objects, should be {KEPT}")
    check(sums["live"] == sum(row["live"] for row in rows), run, "the sums differ")

    shown, _, rows = alloc_sites(session, BY_ALLOCATION)
    allocated = [row["allocated_bytes"] for row in rows]
    check(shown == BY_ALLOCATION and allocated == sorted(allocated, reverse=True), run,
          "not ordered by allocated bytes")

    _, first, _ = alloc_sites(session, INCREMENTAL)
    shown, second, _ = alloc_sites(session, INCREMENTAL)
    check(shown == INCREMENTAL and second["allocated"] < first["allocated"] / 2, run,
          f"{second['allocated']} objects allocated since {first['allocated']} were reported")

    _, _, all_rows = alloc_sites(session, 0)
    _, _, large = alloc_sites(session, 0, cutoff=0.05)
    check(0 < len(large) < len(all_rows), run, f"{len(large)} rows of {len(all_rows)}")
    session.end()


@pytest.mark.emulated_more
@pytest.mark.any_jvm
def test_heap_summary_tells_what_was_allocated(java):
    session = Session(java, options=",heap=sites", kept=KEPT)
    body = session.peer.ask(net_peer.HEAP_SUMMARY, b"", net_peer.SUMMARY_RECORD)
    live_bytes, live, allocated_bytes, allocated = struct.unpack(">IIQQ", body)
    check(allocated >= live >= KEPT and allocated_bytes >= live_bytes > 16 * KEPT,
          session.live.run, f"{live} live objects of {allocated}")
    session.end()


def wait_for_dumps(session, count):
    """Looks now and then: to look at all that has come takes a while."""
    deadline = time.monotonic() + net_peer.TIMEOUT_S
    while sum(tag == HEAP_END_RECORD for tag, _ in session.peer.records()) < count:
        check(time.monotonic() < deadline, session.live.run, f"dump {count} does not come")
        time.sleep(0.3)


@pytest.mark.emulated
def test_dump_heap_sends_a_whole_dump_each_time_it_is_asked(java):
    session = Session(java, options=",heap=dump", kept=KEPT)
    for number in (1, 2):
        session.peer.send(net_peer.DUMP_HEAP)
        wait_for_dumps(session, number)
    run, profile = session.end()
    check(len(profile.heaps) == 3, run, f"{len(profile.heaps)} dumps, with that of the exit")
    for heap in profile.heaps:
        objects = heap.histogram()["long[]"]
        check(objects >= KEPT, run, f"{objects} objects, should be {KEPT} or a few more")


@pytest.mark.any_jvm
def test_control_turns_traces_of_allocations_off_and_on(java):
    session = Session(java, options=",heap=sites")
    for option, wanted in ((net_peer.ALLOC_TRACES_OFF, 0),
                           (net_peer.ALLOC_TRACES_ON, ALLOC_TRACES)):
        flags, _ = session.peer.control(option)
        check(flags & ALLOC_TRACES == wanted, session.live.run, f"flags {flags:#x}")
    _, depth = session.peer.control(net_peer.MAX_DEPTH, struct.pack(">H", 7))
    check(depth == 7, session.live.run, f"depth {depth}")
    session.end()
