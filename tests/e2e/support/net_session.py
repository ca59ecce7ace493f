"""A program that is profiled over net= in binary, and the peer that commands it."""

import struct
import subprocess

import pytest

from readers import hprof_binary

from . import net_peer
from .live_run import wait_until
from .net_peer import Peer, cutoff_body

ID = 8  # bytes, as the header says


class Session:
    """A Commanded program under a peer that commands it."""

    def __init__(self, java, options="", kept=0, java_opts=()):
        self.peer = Peer()
        self.live = java.start("Commanded", f"cpu=samples,interval=1,format=b{options},"
                               f"net=127.0.0.1:{self.peer.port}", kept,
                               java_opts=java_opts, stdin=subprocess.PIPE)
        self.live.wait_stdout("ready=1")
        # The settings at the start are not the answer to a command.
        self.peer.wait(lambda: any(tag == net_peer.SETTINGS for tag, _ in self.peer.records()),
                       "CONTROL SETTINGS")

    def samples(self, cutoff=0.0):
        """The rows of CPU SAMPLES: (total, [(count, trace serial)])."""
        body = self.peer.ask(net_peer.CPU_SAMPLES, cutoff_body(0, cutoff), net_peer.CPU_RECORD)
        total, count = struct.unpack_from(">II", body)
        return total, [struct.unpack_from(">II", body, 8 + 8 * i) for i in range(count)]

    def let_have(self, count):
        """Until the profile has that many more samples, by asking for their number."""
        had = self.samples()[0]
        wait_until(lambda: self.samples()[0] >= had + count, self.live)

    def profile(self):
        """What has come so far, parsed strictly."""
        with self.peer.changed:
            data = bytes(self.peer.data)
        end = data.find(b"\0") + 1 + 4 + 8
        while end + 9 <= len(data):
            length = struct.unpack_from(">I", data, end + 5)[0]
            if end + 9 + length > len(data):
                break
            end += 9 + length
        return hprof_binary.parse(data[:end])

    def by_method(self, rows):
        """Samples of the threads, by the innermost of their own methods."""
        traces = self.profile().traces
        found = {"alpha": 0, "beta": 0, "other": 0}
        for count, serial in rows:
            names = [frame.name for frame in traces[serial].frames]
            which = next((w for w in ("alpha", "beta") if f"Commanded.{w}" in names), "other")
            found[which] += count
        return found

    def thread_id(self, name):
        """Object id of the thread, from its START THREAD, which may be still to come."""
        def find():
            strings = {}
            for tag, body in self.peer.records():
                if tag == net_peer.STRING:
                    strings[body[:ID]] = body[ID:]
                if tag == net_peer.START_THREAD and strings[body[8 + ID:8 + 2 * ID]] == name.encode():
                    return body[4:4 + ID]
            return None
        return self.peer.wait(find, f"START THREAD of {name}")

    def end(self):
        """Ends the program by the command; the finished run and its whole profile."""
        self.peer.send(net_peer.EXIT_VM)
        run = self.live.finish()
        return run, self.parse(run)

    def parse(self, run):
        try:
            return hprof_binary.parse(self.peer.all())
        except hprof_binary.FormatError as error:
            pytest.fail(run.describe(f"the stream breaks the format: {error}"), pytrace=False)
