"""Measures what a peer of net= that stops reading in the middle of a heap dump costs the
program, by the program's own count of iterations. For test_net_stall.py and, with longer
times, bench/stall.py."""

import re
import signal
import subprocess
import time
from collections import namedtuple
from pathlib import Path

import pytest

from .checks import check
from .net_peer import DUMP_HEAP, Peer

EXIT_CODE = 7
DELIVERY_S = 120
# Threads that carry out dumps, as the kernel has their names: on SIGQUIT the JVM's.
WRITERS = {"a": "Signal Dispatch", "b": "hprof commands"}
TAIL = 1 << 20  # where the end of a dump is looked for


# By the clock of System.nanoTime(); waited_ns: of that, for a CPU that others had.
Span = namedtuple("Span", "begin_ns end_ns waited_ns")


class Stall:
    """Runs it; the times are seconds. megabytes: of byte arrays, of arrays of references."""

    def __init__(self, java, format_, megabytes, stall_s, free_s, warm_up_s):
        self.format = format_
        self.peer = Peer(receive_buffer=1 << 16)
        self.live = java.start("Iterating",
                               f"heap=dump,format={format_},net=127.0.0.1:{self.peer.port}",
                               *megabytes, java_opts=["-Xmx1g"], stdin=subprocess.PIPE,
                               timeout_s=DELIVERY_S + stall_s + 2 * free_s + warm_up_s)
        self.live.wait_stdout("ready=1")
        # What a dump does to the program for good, such as the collection before it, is
        # not the stall's doing.
        self._ask_for_dump()
        self._wait_for_dump()
        time.sleep(warm_up_s)
        self.before = self._pass(free_s)
        self._dump_until_stalled_at(megabytes[1] * 1_000_000)
        # Nobody reads any more, but the agent still has the rest of the dump to write to
        # its temporary files, which takes a CPU as with any reader.
        self.writing = self._pass_until(self._dump_is_written)
        self.stalled = self._pass(stall_s)
        self.bytes_at_stall = len(self.peer.data) - self.bytes_before
        self.peer.read_on()
        self._wait_for_dump()
        self.after = self._pass(free_s)
        self.live.send_line("end")
        self.run = self.live.finish()
        self.data = self.peer.all()
        check(self.run.exit_code == EXIT_CODE, self.run, f"exit code {self.run.exit_code}")
        self.ticks = [(int(found[1]), int(found[2])) for found in
                      re.finditer(r"^tick (\d+) (\d+)$", self.run.stdout, re.M)]

    def _pass(self, seconds):
        """Lets the time pass, and reports it."""
        return self._pass_until(lambda: time.sleep(seconds) or True)

    def _pass_until(self, condition):
        begin_ns, (_, waited_ns) = time.monotonic_ns(), self._thread("iterating")
        while not condition():
            pass
        return Span(begin_ns, time.monotonic_ns(), self._thread("iterating")[1] - waited_ns)

    def _dump_is_written(self):
        """After a moment: whether the thread that carries out the dump rests."""
        before_ns, _ = self._thread(WRITERS[self.format])
        time.sleep(0.3)
        return self._thread(WRITERS[self.format])[0] - before_ns < 1_000_000

    def _thread(self, name):
        """How long it has run, and how long it was ready to and had no CPU."""
        for task in Path(f"/proc/{self.live.process.pid}/task").iterdir():
            if (task / "comm").read_text(encoding="utf-8").strip() == name:
                words = (task / "schedstat").read_text(encoding="ascii").split()
                return int(words[0]), int(words[1])
        pytest.fail(self.live.run.describe(f"no thread {name}"), pytrace=False)

    def _ask_for_dump(self):
        self.bytes_before = len(self.peer.data)
        if self.format == "b":
            self.peer.send(DUMP_HEAP)
        else:
            self.live.signal(signal.SIGQUIT)

    def _dump_until_stalled_at(self, more):
        """Asks for a dump; when so many bytes of it have come no more is read."""
        most = len(self.peer.data) + more
        self.peer.stop_reading_at(most)
        self._ask_for_dump()
        self.peer.wait(lambda: len(self.peer.data) >= most, "the first part of the dump")

    def _wait_for_dump(self):
        """Until the dump that was asked for has come."""
        deadline = time.monotonic() + DELIVERY_S
        while not self._dump_has_come():
            check(time.monotonic() < deadline, self.live.run, "the dump does not come")
            time.sleep(0.2)

    def _dump_has_come(self):
        with self.peer.changed:
            tail = bytes(self.peer.data[max(self.bytes_before, len(self.peer.data) - TAIL):])
        if self.format == "a":
            return b"\nHEAP DUMP END\n" in tail
        # HEAP DUMP END: its tag, the time, and a body of no bytes.
        return re.search(rb"\x2c....\0{4}", tail, re.S) is not None

    def rate(self, *spans, but_waits=False):
        """Iterations in a second of the spans, as the program counts them; but_waits: of
        the seconds in which other programs did not keep it from a CPU."""
        iterations, seconds = 0, 0
        for span in spans:
            inside = self._ticks_in(span)
            check(len(inside) > 1, self.run, "the program stood still")
            iterations += inside[-1][1] - inside[0][1]
            share = 1 - span.waited_ns / (span.end_ns - span.begin_ns) if but_waits else 1
            seconds += share * (inside[-1][0] - inside[0][0]) / 1e9
        return iterations / seconds

    def _ticks_in(self, span):
        return [tick for tick in self.ticks if span.begin_ns <= tick[0] <= span.end_ns]

    @property
    def longest_ns(self):
        """The longest time between two ticks in the stall."""
        times = [tick[0] for tick in self._ticks_in(self.stalled)]
        return max(later - tick for tick, later in zip(times, times[1:]))

    def ratio(self, but_waits=False):
        """Of the throughput in the stall to that before it and after it."""
        return (self.rate(self.stalled, but_waits=but_waits)
                / self.rate(self.before, self.after, but_waits=but_waits))

    def check_stream(self, megabytes):
        """All has come: the two dumps that were asked for, and that of the end."""
        profile = self.run.parse(self.data)
        check(len(profile.heaps) == 3, self.run, f"{len(profile.heaps)} dumps, should be 3")
        for heap in profile.heaps:
            kept = sum(thing.length for thing in heap.objects.values()
                       if thing.length == 1000 and heap.class_name(thing) == "byte[]")
            check(kept >= megabytes[0] * 1_000_000, self.run, f"{kept} bytes of the arrays")
        return profile
