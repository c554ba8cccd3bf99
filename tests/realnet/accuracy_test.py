#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Simulates all cases of the accuracy bench, and compares the errors with the expected ones.

Usage: accuracy_test.py --build BUILD

Then shows that the comparison can fail: with smaller expected errors, without an expected model, and with simulated
times that are twice as long. The quantiles and errors are compared with small examples.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import measure
import simulated_cases
import traced_cases
import traced_runs

HERE = pathlib.Path(__file__).resolve().parent


class AccuracyTest:
    def __init__(self, build, folder):
        self.build = build
        self.folder = folder
        self.saved = folder / "times.json"
        self.passed = self.failed = 0

    def check(self, what, holds, shown=""):
        self.passed += bool(holds)
        self.failed += not holds
        print(f"{'good' if holds else 'BAD '}  {what}{f': {shown}' if shown != '' else ''}", flush=True)

    def accuracy(self, saved, expected):
        return subprocess.run([sys.executable, "-B", HERE / "accuracy.py", "--build", self.build, "--check", "--saved",
                               saved, "--expected", expected], capture_output=True, text=True)

    def expect(self, what, text, change_times=None, change_expected=None):
        """A comparison with changed values, which must fail with this text."""
        times = json.loads(self.saved.read_text())
        expected = json.loads((HERE / "expected.json").read_text())
        if change_times:
            change_times(*times)
        if change_expected:
            change_expected(expected)
        saved, file = self.folder / "changed_times.json", self.folder / "changed.json"
        saved.write_text(json.dumps(times))
        file.write_text(json.dumps(expected))
        done = self.accuracy(saved, file)
        self.check(what, done.returncode == 1 and text in done.stdout, done.stdout + done.stderr)

    def comparisons(self):
        done = self.accuracy(self.saved, HERE / "expected.json")
        self.check("no error has grown by more than a point", done.returncode == 0, done.stdout + done.stderr)
        if not self.saved.exists():
            return

        def slower(times, _):
            times["packet"] = [[key, 2 * seconds] for key, seconds in times["packet"]]

        def slower_replays(_, traced):
            traced["mpi"] = [[key, [1.5 * seconds, 1.5 * scaled]] for key, (seconds, scaled) in traced["mpi"]]

        def lower(expected):
            expected["raw"]["collectives"] -= 1.5

        self.expect("times that are twice as long are found", "packet, point-to-point: the error is", slower)
        self.expect("replays that are half as long again are found", "mpi, traces, communication: the error is",
                    slower_replays)
        self.expect("an error that has grown by 1.5 points is found", "raw, collectives: the error is",
                    change_expected=lower)
        self.expect("a model that is not simulated is found", "none_such: not simulated",
                    change_expected=lambda expected: expected.update(none_such={"collectives": 1}))
        self.expect("a model without expected errors is found", "cm02: not in the expected errors",
                    change_expected=lambda expected: expected.pop("cm02"))

    def formulas(self):
        self.check("a quantile lies between two values", measure.quantile([1, 2, 4], 0.75) == 3)
        one = simulated_cases.summary([(2, {"min": 1, "p90": 1.5}), (0.5, {"min": 1, "p90": 1})])
        self.check("twice and half as long: 75 % on average, 100 % logarithmic",
                   math.isclose(one["mape"], 75) and math.isclose(one["logarithmic"], 100) and one["inside_band"] == 0)

    def best_affine(self):
        """Of half round trips on a line with 1.5 times the latency and 0.8 times the bandwidth of the star."""
        lines = [f"pingpong,2,{size},1,{1.5 * 200e-6 + size / (0.8 * 12.5e6)!r}" for size in (0, 100, 1000, 10 ** 6)]
        options = simulated_cases.best_affine(["# comment", *lines, "incast,2,0,1,9"])
        self.check("the best line through points on a line is this line",
                   math.isclose(options[1], 1.5, rel_tol=1e-9) and math.isclose(options[3], 0.8, rel_tol=1e-9), options)

    def traced(self):
        lines = ["# comment", "[0.4] 0 MPI_Barrier of 2 ranks, 0 bytes 0.3",
                 "[0.5] 0 MPI_Barrier of 1 ranks, 0 bytes 0.1",
                 "[0.9] 0 compute 1e9 0.4", "[1.0] 0 MPI_Send: send to 1, tag 2, 8 bytes 0.1",
                 "[1.1] 1 MPI_Barrier of 1 ranks, 0 bytes 0", "[1.2] 0 compute 0.2",
                 "[1.3] 0 MPI_Barrier of 1 ranks, 0 bytes 0.1", "[2.1] 1 MPI_Barrier of 1 ranks, 0 bytes 0",
                 "[3.0] 0 compute 1.7"]
        parts = traced_cases.measured_parts(traced_cases.actions_of(lines), 2)
        self.check("a measured part lies between two barriers",
                   all(math.isclose(one, other) for part, wanted in zip(parts, [(0.8, 0.6), (1.0, 0.0)])
                       for one, other in zip(part, wanted)), parts)
        real = traced_cases.RealRun(("star", "mpich", "lu", 2), 2.0, [1.0, 1.0], 1.9, 2.1)
        errors = traced_cases.parts_of_error(real, 2.5, 2.2)
        self.check("the parts of an error add up: 25 % are 15 % and 10 %",
                   all(math.isclose(value, wanted) for value, wanted in zip(errors.values(), (25, 15, 10))), errors)
        calls = traced_runs.unmetered_calls("MPI_Send(x); MPI_Ssend (y); MPI_Ibarrier(z); MPI_Barrier(c);",
                                            traced_runs.REGION.read_text())
        self.check("a call that the meter does not know is found", calls == ["MPI_Ibarrier", "MPI_Ssend"], calls)
        runs = list(traced_cases.real_runs())
        jobs = traced_runs.jobs_of(measure.LIBRARIES, traced_runs.PROGRAMS, ["plain"])
        places = {(*place, name, library) for place, library, name, _ in jobs}
        self.check("each program has a real run in each of its places",
                   {(real.place[0], real.place[3], real.place[2], real.place[1]) for real in runs} == places, len(runs))
        wrong = [real.place for real in runs if not 0 < real.least <= real.seconds <= real.highest
                 or len(real.computed) != real.place[3] or not 0 < max(real.computed) < real.seconds
                 or not traced_cases.recording_of(real.place[2], real.place[3], real.place[1]).exists()]
        self.check("the real runs have computation of each rank, and a recording", not wrong, wrong)

    def jobs(self):
        runs = {platform: {ranks: cases for ranks, _, cases in measure.runs_of(platform)}
                for platform in measure.PLATFORMS}
        self.check("16 ranks scatter and exchange on star16 only",
                   runs["star16"] == {16: measure.MANY_RANKS} and sorted(runs["star"]) == [2, 4, 8], runs["star16"])
        self.check("a selection of cases leaves out the other jobs",
                   [(job.ranks, job.cases) for job in measure.jobs_of("star", [2, 4], ["pairs", "ep"])]
                   == [(2, ["ep"]), (4, ["pairs", "ep"]), (4, ["pairs"])])

    def references(self):
        real = simulated_cases.references()
        places = {(key[0], key[1]) for key in real}
        self.check("each platform and library has references",
                   places == {(p, m) for p in measure.PLATFORMS for m in measure.LIBRARIES}, sorted(places))
        ordered = ("min", "p10", "median", "p90")
        wrong = [key for key, one in real.items() if not 0 < one["min"] <= one["highest_minimum"]
                 or [one[name] for name in ordered] != sorted(one[name] for name in ordered)]
        self.check("the quantiles of a case are in order", not wrong, wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        test = AccuracyTest(given.build.resolve(), pathlib.Path(folder))
        test.formulas()
        test.best_affine()
        test.traced()
        test.jobs()
        test.references()
        test.comparisons()
    print(f"{test.passed} passed, {test.failed} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
