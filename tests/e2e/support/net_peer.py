"""The peer of net=: a protocol client written from the manual alone.

It accepts one connection, keeps everything that it receives, can stop reading for a while,
sends commands and waits for the records that answer them.
"""

import socket
import struct
import threading
import time

import pytest

FORCE_GC, DUMP_HEAP, ALLOC_SITES, HEAP_SUMMARY = 0x01, 0x02, 0x03, 0x04
EXIT_VM, DUMP_TRACES, CPU_SAMPLES, CONTROL, EOF = 0x05, 0x06, 0x07, 0x08, 0xFF
ALLOC_TRACES_ON, ALLOC_TRACES_OFF, SAMPLING_ON, SAMPLING_OFF, CLEAR, MAX_DEPTH = range(1, 7)

STRING, STACK_TRACE, START_THREAD, CPU_RECORD, SETTINGS = 0x01, 0x05, 0x0A, 0x0D, 0x0E
SUMMARY_RECORD = 0x07
TIMEOUT_S = 90


def command(tag, body=b"", serial=1):
    return struct.pack(">BII", tag, serial, len(body)) + body


def cutoff_body(flags, cutoff):
    return struct.pack(">Hf", flags, cutoff)


class Peer:
    """Listens on host; port is the one to connect to."""

    def __init__(self, host="127.0.0.1", receive_buffer=None):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listener = socket.socket(family, socket.SOCK_STREAM)
        if receive_buffer:
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.listener.bind((host, 0))
        self.listener.listen()
        self.port = self.listener.getsockname()[1]
        self.changed = threading.Condition()
        self.connection = None
        self.data = bytearray()
        self.ended = False  # no more will come
        self.most = None  # stops reading at so many bytes
        self.serial = 0
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        self.listener.settimeout(TIMEOUT_S)
        try:
            connection, _ = self.listener.accept()
        except OSError:
            return
        with self.changed:
            self.connection = connection
            self.changed.notify_all()
        try:
            while True:
                with self.changed:
                    self.changed.wait_for(lambda: self.most is None or len(self.data) < self.most)
                piece = connection.recv(65536)
                if not piece:
                    break
                with self.changed:
                    self.data += piece
                    self.changed.notify_all()
        except OSError:
            pass
        with self.changed:
            self.ended = True
            self.changed.notify_all()
        connection.close()

    def wait(self, condition, what):
        """Until condition() is true; its answer."""
        with self.changed:
            if not self.changed.wait_for(condition, TIMEOUT_S):
                pytest.fail(f"the peer waited in vain for {what}; {len(self.data)} bytes came, "
                            f"ended: {self.ended}, tags {[r[0] for r in self.records()][-30:]}",
                            pytrace=False)
            return condition()

    def stop_reading_at(self, most):
        """Reads no further than so many bytes in all, and so far if it had stopped."""
        with self.changed:
            self.most = most
            self.changed.notify_all()

    def read_on(self):
        with self.changed:
            self.most = None
            self.changed.notify_all()

    def records(self):
        """(tag, body) of each whole record that has come."""
        found = []
        at = self.data.find(b"\0") + 1 + 4 + 8
        while at and at + 9 <= len(self.data):
            tag, _, length = struct.unpack_from(">BII", self.data, at)
            if at + 9 + length > len(self.data):
                break
            found.append((tag, bytes(self.data[at + 9:at + 9 + length])))
            at += 9 + length
        return found

    def send_raw(self, data):
        self.wait(lambda: self.connection, "a connection")
        self.connection.sendall(data)

    def send(self, tag, body=b""):
        self.serial += 1
        self.send_raw(command(tag, body, self.serial))

    def ask(self, tag, body, answer):
        """Sends a command; the body of the first record of tag answer that comes after."""
        with self.changed:
            seen = len(self.records())
        self.send(tag, body)
        return self.wait(lambda: next((r[1] for r in self.records()[seen:] if r[0] == answer),
                                      None), f"record {answer:#x}")

    def control(self, option, operand=b""):
        """Sends CONTROL; the (flags, depth) that it is answered by."""
        return struct.unpack(">IH", self.ask(CONTROL, struct.pack(">H", option) + operand,
                                             SETTINGS))

    def all(self):
        """Reads on to the end and closes; all that came."""
        self.read_on()
        self.thread.join(TIMEOUT_S)
        self.listener.close()
        return bytes(self.data)

    def wait_quiet(self, seconds):
        """Until nothing has come for that long."""
        length = -1
        while length != len(self.data):
            length = len(self.data)
            time.sleep(seconds)
