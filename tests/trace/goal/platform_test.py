#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse trace replay --on: GOAL schedules on a platform.

platform_test.py --build DIR [--random FIRST COUNT]

The dates of hand-made schedules were worked out by hand: a wire between each pair of hosts takes 1 ms and 1 us a byte,
and a calculation takes its own time. Schedules that are sequences of calls have the dates of the calls.
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent))

import cases_test  # noqa: E402
import random_traces  # noqa: E402
import trace_tests  # noqa: E402

# Operations of each rank, and the dates at which the ranks end, in microseconds.
BY_HAND = {
    "chain": (["a: calc 1000000\nb: send 100b to 1\nb requires a", "recv 100b from 0"], [1000, 2100]),
    "fork": (["a: calc 2000000 cpu 0\nb: calc 3000000 cpu 1\nc: send 100b to 1\nc requires a\nd: send 100b to 1 tag 1\n"
              "d requires b", "recv 100b from 0\nrecv 100b from 0 tag 1"], [3000, 4100]),
    "join": (["a: calc 2000000 cpu 0\nb: calc 3000000 cpu 1\nc: calc 1000000\nc requires a\nc requires b"], [4000]),
    "one processor": (["a: calc 1000000\nb: calc 2000000\nc: send 100b to 1\nc requires a", "recv 100b from 0"],
                      [3000, 2100]),
    "queue": (["a: calc 1000000\nb: calc 2000000\nc: calc 4000000\nd: send 100b to 1\nd requires b\ne: calc 100000\n"
               "e requires a", "recv 100b from 0"], [7100, 4100]),
    "beside a calculation": (["a: calc 5000000\nr: recv 100b from 1\ns: send 100b to 1 tag 2\ns requires r",
                              "send 100b to 0\nrecv 100b from 0 tag 2"], [5000, 2200]),
    "irequires": (["a: recv 100b from 1\nb: calc 3000000\nb irequires a\nc: calc 1000000\nc requires a\nc requires b",
                   "a: calc 2000000\nb: send 100b to 0\nb requires a"], [4100, 2000]),
    "irequires a calculation": (["a: calc 3000000\nb: send 100b to 1\nb irequires a", "recv 100b from 0"],
                                [3000, 1100]),
    "irequires a waiting calculation": (["a: calc 3000000\nb: calc 1000000\nc: send 100b to 1\nc irequires b",
                                         "recv 100b from 0"], [4000, 4100]),
    "wildcards": (["a: recv 200b from -1 tag -1\nb: calc 1000000\nb requires a\nc: recv 200b from -1 tag -1\n"
                   "c requires b", "a: calc 2000000\nb: send 100b to 0 tag 5\nb requires a", "send 200b to 0 tag 6"],
                  [3100, 2000, 0]),
    "empty calculations": (["a: calc 0\nb: calc 1000000\nb requires a\nc: calc 0\nc requires b\nd: send 0b to 1\n"
                            "d requires c", "recv 0b from 0"], [1000, 2000]),
    "a rank without operations": (["calc 1000000", ""], [1000, 0]),
}


MACHINES = (("--on", "platform.xml", "--network", "raw"),
            ("--on", "platform.xml", "--network", "raw", "--eager", "0"),
            ("--on", "cluster:4", "--network", "smpi"),
            ("--on", "fat-tree:16", "--network", "lv08"),
            ("--on", "cluster:4", "--network", "constant"),
            ("--on", "cluster:3", "--network", "cm02", "--eager", "1000"),
            ("--on", "cluster:4", "--network", "loggps"))


class Platforms(trace_tests.Checks):
    def __init__(self, build, folder):
        super().__init__(build, folder)
        text = cases_test.platform(8).replace('speed="1Mf"', 'speed="1Mf" core="4"')
        (self.folder / "platform.xml").write_text(text)

    def ends(self, trace, *words):
        done = self.call("trace", "replay", "--json", "-", *words, trace)
        if done.returncode != 0:
            print(done.stderr[-300:])
            return []
        return [rank["end_seconds"] for rank in json.loads(done.stdout)["ranks"]]

    def by_hand(self, name, ranks, dates):
        schedule = self.folder / "hand.goal"
        schedule.write_text(f"num_ranks {len(ranks)}\n" +
                            "".join(f"rank {rank} {{\n{text}\n}}\n" for rank, text in enumerate(ranks)))
        wanted = [date * 1e-6 for date in dates]
        got = self.ends(schedule, "--on", "platform.xml", "--network", "raw", "--speed", "1e6")
        same = len(got) == len(wanted) and all(abs(one - other) < 1e-11 for one, other in zip(got, wanted))
        self.check(name, same, f"{got}, expected {wanted}")
        self.good("trace", "convert", "--to", "goal-binary", schedule, "hand.bin")
        again = self.ends("hand.bin", "--on", "platform.xml", "--network", "raw", "--speed", "1e6")
        self.check(f"{name}: binary", got == again, f"{again}, expected {got}")

    def as_calls(self, name, trace):
        self.good("trace", "convert", "--to", "goal", "--speed", "1e6", trace, "calls.goal")
        self.good("trace", "convert", "--to", "ti", "--speed", "1e6", "calls.goal", "calls.ti")
        for machine in MACHINES:
            wanted, got = self.ends("calls.ti", *machine), self.ends("calls.goal", "--speed", "1e6", *machine)
            self.check(f"{name} {' '.join(machine)}", got == wanted, f"{got}, expected {wanted}")

    def as_trace(self, name, trace):
        """The dates of the trace from which the schedule was made; its calculations are whole nanoseconds."""
        self.good("trace", "convert", "--to", "goal", "--speed", "1e6", trace, "trace.goal")
        most = 1e-9 * (1 + trace.read_text().count("compute"))
        for machine in MACHINES[:2]:
            speed = ("--speed", "1e6")
            wanted, got = self.ends(trace, *machine), self.ends("trace.goal", *speed, *machine)
            same = len(wanted) == len(got) and all(abs(one - other) <= most for one, other in zip(wanted, got))
            self.check(f"{name} {' '.join(machine)}", same, f"{got}, expected {wanted}")

    def refusals(self):
        cases = HERE / "cases"
        self.expect("deadlock", self.call("trace", "replay", "--on", "cluster:4", cases / "bad_deadlock.goal"), 1,
                    "violation: deadlock", "never end")
        self.expect("cycle", self.call("trace", "replay", "--on", "cluster:4", cases / "bad_cycle.goal"), 1,
                    "violation: deadlock", "which waits for it")
        self.expect("lost", self.call("trace", "replay", "--verbose", "--on", "cluster:4",
                                      cases / "bad_never_received.goal"), 0, "never received")
        fork = self.folder / "fork.goal"
        fork.write_text("num_ranks 1\nrank 0 {\ncalc 5 cpu 0\ncalc 6 cpu 1\n}\n")
        self.refused(2, "ranks that are chains", "trace", "replay", "--on", "cluster:2", "--timeline", "t.html", fork)
        for option in ("--scale-bytes=2", "--os=0:1e-6:0", "--noise=normal:0.1"):
            self.refused(2, "does not apply to GOAL", "trace", "replay", "--on", "cluster:2", option, fork)
        chain = self.folder / "chain.goal"
        chain.write_text("num_ranks 2\nrank 0 {\nsend 5b to 1\n}\nrank 1 {\nrecv 5b from 0\n}\n")
        self.good("trace", "replay", "--on", "cluster:2", "--timeline", "t.html", chain)


def work(platforms, options):
    for name, (ranks, dates) in BY_HAND.items():
        platforms.by_hand(name, ranks, dates)
    for case in ("ping_pong", "overlap_irecv", "overlap_isend", "wait_in_order", "left_open", "compute"):
        platforms.as_calls(case, HERE.parent / "cases" / (case + ".ti"))
    first, count = options.random
    for seed in range(first, first + count):
        trace = platforms.folder / "trace.ti"
        trace.write_text(random_traces.text(random_traces.trace(seed, features=["large", "types"])))
        platforms.as_trace(f"seed {seed}", trace)
    platforms.refusals()


def main():
    return trace_tests.run_tests(Platforms, trace_tests.make_parser(__doc__, random=(0, 20)).parse_args(), work)


if __name__ == "__main__":
    sys.exit(main())
