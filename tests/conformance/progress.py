# SPDX-License-Identifier: MIT
"""A line of text for each run line as soon as it has run: its number, outcome, seconds and name.

Threads: show() may be called from several threads.
"""
import sys
import threading


class Progress:
    def __init__(self, total, to=None):
        self._total = total
        self._done = 0
        self._to = to or sys.stdout
        self._lock = threading.Lock()

    def show(self, result):
        with self._lock:
            self._done += 1
            outcome = "passed" if result.passed else "FAILED"
            print(f"[{self._done}/{self._total}] {outcome} {result.seconds:.2f} s {result.line.name}", file=self._to,
                  flush=True)
