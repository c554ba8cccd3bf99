#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A client of rehearse-ns3 in a few lines: the frames of simcore/ns3/protocol.hpp, written a second time.

Usage:  with Simulator(PROGRAM) as simulator: simulator.hello(); simulator.link(...); ...; simulator.until(DATE)
Units:  picoseconds, bytes, bytes per second.
"""
import socket
import struct
import subprocess

READY, AT, LEFT, TOTALS, PROGRESS, PROBLEM = 101, 102, 103, 104, 105, 106
NEVER = (1 << 63) - 1


def frame(kind, layout="", *values):
    content = struct.pack("<B" + layout, kind, *values)
    return struct.pack("<I", len(content)) + content


def list_of(numbers):
    return struct.pack("<I%dI" % len(numbers), len(numbers), *numbers)


class Simulator:
    def __init__(self, program):
        self.ours, theirs = socket.socketpair()
        self.process = subprocess.Popen([program], stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        theirs.close()
        self.received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ours.close()
        self.process.wait(timeout=20)
        self.process.stderr.close()

    def put(self, content):
        self.ours.sendall(content)

    def take(self):
        """The next frame but Progress: (kind, fields); None: the end."""
        while True:
            if len(self.received) >= 4:
                size = struct.unpack_from("<I", self.received)[0]
                if len(self.received) >= 4 + size:
                    kind, fields = self.received[4], self.received[5:4 + size]
                    self.received = self.received[4 + size:]
                    if kind != PROGRESS:
                        return kind, fields
                    continue
            try:
                part = self.ours.recv(65536)
            except ConnectionResetError:
                part = b""
            if not part:
                return None
            self.received += part

    def hello(self, version=1, congestion=b"reno", delayed_ack=1, window=1 << 24, initial_window=10, framing=2):
        self.put(frame(1, "7I3qQI%ds2B" % len(congestion), version, 1448, 1500, framing, window, initial_window,
                       delayed_ack, 40_000_000_000, 200_000_000_000, 0, 1, len(congestion), congestion, 1, 1))
        return self.take()

    def link(self, rate, latency, queue_bytes=0, queue_packets=0, ecn=0, loss=0.0, error=0.0):
        self.put(frame(2, "dqQQQdd", rate, latency, queue_bytes, queue_packets, ecn, loss, error))

    def path(self, source, destination, forward, back):
        content = struct.pack("<BII", 3, source, destination) + list_of(forward) + list_of(back)
        self.put(struct.pack("<I", len(content)) + content)

    def connection(self, path):
        self.put(frame(4, "I", path))

    def send(self, connection, size, message):
        self.put(frame(5, "IQQ", connection, size, message))

    def pace(self, connection, rate):
        self.put(frame(6, "Id", connection, rate))

    def close(self, connection):
        self.put(frame(7, "I", connection))

    def change(self, link, rate, latency, is_on):
        self.put(frame(8, "IdqB", link, rate, latency, is_on))

    def until(self, limit):
        """(date, next event, [(message, retransmissions, timeouts, drops)])"""
        self.put(frame(9, "q", limit))
        kind, fields = self.take()
        if kind != AT:
            raise ValueError("kind %d: %r" % (kind, fields))
        date, following, count = struct.unpack_from("<qqI", fields)
        return date, following, [struct.unpack_from("<4Q", fields, 20 + 32 * i) for i in range(count)]

    def left(self, message):
        self.put(frame(10, "Q", message))
        return struct.unpack("<Q", self.take()[1])[0]

    def totals(self):
        """(events, [(packets, bytes, drops, losses, marks, longest queue)])"""
        self.put(frame(11))
        fields = self.take()[1]
        events, count = struct.unpack_from("<QI", fields)
        return events, [struct.unpack_from("<6Q", fields, 12 + 48 * i) for i in range(count)]
