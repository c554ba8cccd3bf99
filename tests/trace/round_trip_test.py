#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse trace convert: recordings as time-independent text and as GOAL, and text as recordings.

round_trip_test.py --build DIR [--random FIRST COUNT] [--mix FIRST COUNT]

Text: the recording made from it, and the text made from that, give every rank the date of the first, to the picosecond.
The traces are those of cases/ and random ones; of malformed ones, the conversion gives the message of the replay.
Recordings: of the C programs of examples/ and tests/programs/mpi, and of random_mix.c. The text has the same dates,
unless the conversion reports a loss that can change them. Both have the same GOAL schedule.
"""
import json
import pathlib
import re
import sys

import cases_test
import random_traces
import recording_test
import trace_tests

HERE = pathlib.Path(__file__).resolve().parent
TREE = trace_tests.TREE
REDUCTIONS = "--reduction-flops"  # of the replays of recordings and of their text: the text has no volumes


class RoundTrips(recording_test.Recordings):
    def __init__(self, build, folder):
        super().__init__(build, folder)
        self.platform = self.folder / "platform.xml"
        self.platform.write_text(cases_test.platform(16))
        self.exact = 0

    def convert(self, to, source, target, *words):
        (self.folder / target).unlink(missing_ok=True)
        return self.call("trace", "convert", "--to", to, *words, source, target)

    def dates_of(self, trace, *words):
        """The exit status, and the dates of the ranks."""
        done = self.call("trace", "replay", "--json", "-", *words, trace)
        if done.returncode not in (0, 1):
            return done.returncode, done.stderr
        ranks = json.loads(done.stdout)["ranks"]
        return done.returncode, [(rank["stopped_picoseconds"], rank["end_seconds"]) for rank in ranks]

    def check_text(self, name, trace, words):
        wanted = self.dates_of(trace, *words)
        for to, source, target in (("rtrace", trace, "a.rtrace"), ("ti", "a.rtrace", "b.ti"),
                                   ("rtrace", "b.ti", "c.rtrace"), ("ti", "c.rtrace", "d.ti")):
            done = self.convert(to, source, target)
            if done.returncode != 0:
                return self.judge(name, f"to {target}: status {done.returncode}: {done.stderr[-300:]}")
            if done.stderr:
                return self.judge(name, f"to {target}: {done.stderr[-300:]}")
            got = self.dates_of(target, *words)
            if got != wanted:
                return self.judge(name, f"{target}: {got}, expected {wanted}")
        same = (self.folder / "b.ti").read_text() == (self.folder / "d.ti").read_text()
        self.judge(name, "" if same else "the text of the second round differs from that of the first")
        self.check_same_calls(name, trace)
        if name != "left_open":  # the recording has the wait at its end as an action
            self.check_same_goal(name, trace, "c.rtrace")
        return None

    def check_same_calls(self, name, trace):
        for other in ("a.rtrace", "b.ti"):
            done = self.call("trace", "compare", "--volumes", trace, other)
            self.judge(f"{name} and {other}", done.returncode != 0 and (done.stdout + done.stderr)[:300])

    def check_same_goal(self, name, first, second):
        """The two traces are the same schedule, or have none for the same reason."""
        ends = []
        for source, target in ((first, "first.bin"), (second, "second.bin")):
            done = self.convert("goal-binary", source, target, "--speed", "1e9")
            reason = re.sub(r" in a trace.*", "", done.stderr) if done.returncode == 3 else ""
            ends.append((done.returncode, bool(reason), (self.folder / target).read_bytes() if done.returncode == 0
                         else done.stderr if done.returncode == 2 else b""))
        is_same = ends[0] == ends[1] or (ends[0][0] == ends[1][0] == 2)
        self.judge(f"{name} as GOAL", "" if is_same else f"{[end[:2] for end in ends]} {str(ends)[:300]}")

    def check_disagreement(self, name, first, second, loss=""):
        """Two ranks differ in a count: the text of the recording has the same fault, or the loss is reported."""
        trace = self.folder / "differing.ti"
        trace.write_text(f"0 init\n1 init\n0 {first}\n1 {second}\n")
        made = self.convert("rtrace", trace, "differing.rtrace")
        back = self.convert("ti", "differing.rtrace", "differing_back.ti")
        statuses = [self.call("trace", "check", each).returncode
                    for each in (trace, "differing.rtrace", "differing_back.ti")]
        wanted = [1, 1, 0 if loss else 1]
        is_right = made.stderr == "" and back.stderr.startswith(f"rehearse: lost: {loss}") == bool(loss)
        self.judge(name, "" if is_right and statuses == wanted else f"{statuses}, {made.stderr}{back.stderr}")

    def check_malformed(self, case):
        path = HERE / "cases" / case["name"]
        path = path / "index" if path.is_dir() else path.with_suffix(".ti")
        replay = self.call("trace", "replay", "--on", self.platform, path)
        done = self.convert("rtrace", path, "bad.rtrace")
        if replay.returncode == 2:
            problem = (done.returncode, done.stderr) != (2, replay.stderr) and f"{done.stderr} not {replay.stderr}"
            left = (self.folder / "bad.rtrace").exists() and "a file is left"
            return self.judge(case["name"], problem or left)
        again = self.call("trace", "replay", "--on", self.platform, "bad.rtrace")
        return self.judge(case["name"], again.returncode != replay.returncode and
                          f"status {again.returncode}, expected {replay.returncode}: {again.stderr[-200:]}")

    def check_recording(self, name, trace, platform, costs):
        words = ["--on", platform, REDUCTIONS, "1", *costs]
        wanted = self.dates_of(trace, *words)
        done = self.convert("ti", trace, "calls.ti")
        if done.returncode == 3 and "inconclusive: " in done.stderr:
            return
        if done.returncode != 0:
            self.judge(name, f"to text: status {done.returncode}: {done.stderr[-300:]}")
            return
        losses = [line for line in done.stderr.splitlines() if "other dates" in line and REDUCTIONS not in line]
        got = self.dates_of("calls.ti", *words)
        if not losses:
            self.exact += 1
            differing = [i for i, (a, b) in enumerate(zip(wanted[1], got[1])) if a != b]
            self.judge(name, f"{got} instead of {wanted}, ranks {differing}" if got != wanted else "")
        else:
            self.judge(name, got[0] not in (0, 1) and f"with {losses}: {got}")
        back = self.convert("rtrace", "calls.ti", "back.rtrace")
        again = self.dates_of("back.rtrace", *words) if back.returncode == 0 else back.stderr
        self.judge(f"{name} and back", again != got and f"{again} instead of {got}")
        self.check_same_goal(name, trace, "calls.ti")


def work(trips, options):
    words = ["--on", trips.platform, "--network", "raw"]
    for case in json.loads((HERE / "cases.json").read_text()):
        if "bad" in case:
            trips.check_malformed(case)
            continue
        more = [word for key in ("eager", "handshake") if key in case for word in ("--" + key, case[key])]
        trips.check_text(case["name"], HERE / "cases" / (case["name"] + ".ti"), words + more)
    trips.check_disagreement("differing bcast", "bcast 10 0 1", "bcast 9 0 1")
    trips.check_disagreement("empty bcast", "bcast 10 0 1", "bcast 0 0 1")
    trips.check_disagreement("differing scatter", "scatter 10 10 0 1 1", "scatter 10 9 0 1 1")
    trips.check_disagreement("differing allgatherv", "allgatherv 1 1 2 1 1", "allgatherv 3 1 3 1 1",
                             "collectives whose members do not agree on a count or type: 1 action ")
    first, count = options.random
    for seed in range(first, first + count):
        trace = trips.folder / "trace.ti"
        features = ["large", "coll", "v", "types", "ssend"] + (["any"] if seed % 2 else [])
        trace.write_text(random_traces.text(random_traces.trace(seed, features=features)))
        trips.check_text(f"seed {seed}", trace, words if seed % 3 else ["--on", "fat-tree:16"])
    print(f"text: {trips.done - trips.failures} of {trips.done}")
    for source in sorted([*(TREE / "examples").glob("*.c"), *(TREE / "tests/programs/mpi").glob("*.c")]):
        program = trips.compile(source)
        if program is None:
            continue
        ranks = recording_test.ranks_of(source)
        for platform, compute in (("cluster:4", "none"), ("fat-tree:16", "measured")):
            trace = trips.record_and_replay(source.stem, program, ranks, platform, compute, [])
            if trace is not None:
                trips.check_recording(f"{source.stem} {compute}", trace, platform, [])
    mix = trips.compile(HERE / "random_mix.c")
    first, count = options.mix
    for seed in range(first, first + count):
        costs = recording_test.COSTS if seed % 3 == 0 else []
        platform = recording_test.PLATFORMS[seed % 2]
        trace = trips.record_and_replay(f"mix {seed}", mix, 2 + seed % 7, platform, "measured", costs, (seed,))
        trips.check_recording(f"mix {seed}", trace, platform, costs)
    trips.judge("exact recordings", "" if trips.exact >= 40 else f"only {trips.exact}")
    print(f"{trips.exact} recordings without such a loss")


def main():
    options = trace_tests.make_parser(__doc__, random=(0, 100), mix=(0, 40)).parse_args()
    return trace_tests.run_tests(RoundTrips, options, work)


if __name__ == "__main__":
    sys.exit(main())
