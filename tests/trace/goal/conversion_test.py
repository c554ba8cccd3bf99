#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse trace convert and trace replay --network loggops: traces of calls as GOAL schedules, and back.

conversion_test.py --build DIR [--random FIRST COUNT]

A converted trace equals the conversion of ../reference.py, compared in the binary form, and its replay has the dates of
log_gops_reference.py. Traces without collectives and exchanges become calls again, with the same dates.
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent))

import log_gops_reference  # noqa: E402
import random_traces  # noqa: E402
import reference  # noqa: E402
import trace_tests  # noqa: E402


class Conversions(trace_tests.Checks):
    def trace(self, *words):
        return self.call("trace", *words)

    def ends(self, path):
        end = self.trace("replay", "--network", "loggops", "--speed", "1e6", "--json", "-", path)
        if end.returncode == 2:
            return end.stderr
        return [rank["end_seconds"] and round(rank["end_seconds"] * 1e9) for rank in json.loads(end.stdout)["ranks"]]

    def check_trace(self, name, trace):
        """Converts the trace, and replays it both as it is and converted."""
        ranks = log_gops_reference.parse_text(reference.to_goal(reference.read(str(trace))))
        binary = self.folder / "trace.bin"
        end = self.trace("convert", "--to", "goal-binary", "--speed", "1e6", trace, binary)
        if end.returncode != 0:
            return self.judge(name, end.stderr)
        if binary.read_bytes() != log_gops_reference.write_binary(ranks):
            return self.judge(name, "the binary form differs from the reference's")
        wanted = log_gops_reference.simulate(ranks)
        stuck = {rank for rank, _ in wanted["stuck"]}
        dates = [None if rank in stuck else date or 0 for rank, date in enumerate(wanted["ends"])]
        got = self.ends(trace)
        return self.judge(name, "" if got == dates else f"{got}, expected {dates}")

    def check_calls(self, name, trace):
        """To GOAL text and to calls again: the same dates."""
        schedule, calls = self.folder / "trace.goal", self.folder / "calls.ti"
        for words in (("--to", "goal", "--speed", "1e6", trace, schedule),
                      ("--to", "ti", "--speed", "1e6", schedule, calls)):
            end = self.trace("convert", *words)
            if end.returncode != 0:
                return self.judge(name, end.stderr)
        dates, again = self.ends(trace), self.ends(calls)
        return self.judge(name, "" if dates == again else f"{again}, expected {dates}")

    def check_refused(self):
        """A trace that GOAL cannot express, a schedule that is no sequence of calls."""
        end = self.trace("convert", "--to", "goal", HERE.parent / "cases/waitany.ti", self.folder / "x")
        words = end.returncode == 3 and "waitAny" in end.stderr and "waitany.ti:" in end.stderr
        self.judge("waitany", "" if words else end.stderr)
        end = self.trace("convert", "--to", "ti", HERE / "cases/exchange.goal", self.folder / "x")
        words = end.returncode == 2 and "exchange.goal:5: rank 0: recv 1b from 1" in end.stderr
        self.judge("exchange", "" if words else end.stderr)
        self.judge("refused", "a file is left" if (self.folder / "x").exists() else "")


def work(conversions, options):
    compared = 0
    for case in json.loads((HERE.parent / "cases.json").read_text()):
        path = HERE.parent / "cases" / (case["name"] + ".ti")
        if "bad" in case:
            continue
        try:
            reference.to_goal(reference.read(str(path)))
        except (reference.TraceError, OSError, ValueError, IndexError, KeyError, StopIteration):
            continue
        compared += 1
        conversions.check_trace(case["name"], path)
    conversions.judge("cases", "" if compared >= 40 else f"only {compared} were compared")
    first, count = options.random
    for seed in range(first, first + count):
        trace = conversions.folder / "trace.ti"
        trace.write_text(random_traces.text(random_traces.trace(
            seed, features=["large", "coll", "v", "types", "ssend"] if seed % 3 else ["large", "types", "ssend"])))
        conversions.check_trace(f"seed {seed}", trace)
    for case in ("ping_pong", "overlap_irecv", "overlap_isend", "wait_in_order", "left_open", "compute", "ssend"):
        conversions.check_calls(case, HERE.parent / "cases" / (case + ".ti"))
    conversions.check_refused()


def main():
    return trace_tests.run_tests(Conversions, trace_tests.make_parser(__doc__, random=(0, 150)).parse_args(), work)


if __name__ == "__main__":
    sys.exit(main())
