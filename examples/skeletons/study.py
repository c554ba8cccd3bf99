#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A study with the many-node method: from 8 ranks on a laptop to 65,536 ranks.

Usage: study.py [--largest RANKS] [--check RANKS] [--replicas N] [--folder FOLDER] [--jobs J]

Prints a table for each question, in the form of docs/many-node.md:
1. What does a profile of 8 ranks say about the computation?
2. Is the prediction right where the program itself can still be run?
3. What would help at 4,096 ranks: steadier nodes, faster ones, or a faster network?
4. How does the time grow up to --largest ranks, and what do mean times make of it?
5. What are these predictions based on?
"""
import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE, SKELETON = HERE.parents[1] / "tests/manynode/noisy.c", HERE / "stencil.json"
PROFILED, TURNS, SEEDS, REMEDY_RANKS = 8, 20, 3, 4096
# Ranks of a large machine are not simulated message by message where only the collective of all needs it.
LARGE = ["--collective-times", "alone"]


def table(head, rows):
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    print("\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n", flush=True)


def shown(seconds):
    return f"{1e3 * seconds:.1f} ms"


def percent(part):
    return f"{100 * part:+.1f} %"


class Study:
    def __init__(self, options):
        self.options = options
        self.temporary = tempfile.TemporaryDirectory(prefix="rehearse-study-")
        self.folder = Path(options.folder or self.temporary.name)
        self.folder.mkdir(exist_ok=True)
        self.all_ranks = [ranks for ranks in (4 ** k for k in range(3, 20)) if ranks <= options.largest]

    def rehearse(self, *words):
        done = subprocess.run(["rehearse", *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"rehearse {' '.join(map(str, words))}: status {done.returncode}: {done.stderr}")
        return done.stdout

    def sweep(self, *words):
        return json.loads(self.rehearse("sweep", SKELETON, "--profile", "profile.json", "--jobs", self.options.jobs,
                                        "--json", "-", *words))

    def profile(self):
        self.rehearse("cc", "-O2", SOURCE, "-o", "noisy", "-lm")
        self.rehearse("profile", "record", "-n", PROFILED, "--on", f"cluster:{PROFILED}", "--markers", "user",
                      "--quiet", "-o", "samples.csv", "./noisy", "stencil", 1, 500)
        profile = json.loads(self.rehearse("profile", "analyse", "samples.csv", "-o", "profile.json", "--json", "-"))
        rows = []
        for marker in profile["markers"]:
            for number, mode in enumerate(marker["modes"]):
                tail = f"{mode['tail']['shape']:.2f}" if "tail" in mode else "-"
                rows.append((marker["id"], str(marker["samples"]), str(number), shown(mode["mean"]), shown(mode["sd"]),
                             shown(mode["max"]), tail))
        table(("marker", "samples", "mode", "mean", "sd", "largest", "shape of the tail"), rows)

    def check(self):
        rows = []
        for ranks in sorted({16, self.options.check}):
            runs = [json.loads(self.rehearse("run", "-n", ranks, "--on", f"cluster:{ranks}", "--compute", "none",
                                             "--json", "-", "./noisy", "stencil", 100 + seed, TURNS))
                    for seed in range(SEEDS)]
            truth = statistics.fmean(run["simulated_seconds"] for run in runs)
            points = self.sweep("--ranks", ranks, "--replicas", 10, "--variability", "full,mean")["points"]
            rows.append((str(ranks), shown(truth), *(f"{shown(each['mean'])} ({percent(each['mean'] / truth - 1)})"
                                                     for each in points)))
        table(("ranks", "the program itself", "prediction", "with mean times"), rows)

    def scaling(self):
        report = self.sweep("--ranks", ",".join(map(str, self.all_ranks)), "--variability", "full,mean",
                            "--replicas", self.options.replicas, *LARGE)
        points = {(each["ranks"], each["variability"]): each for each in report["points"]}
        rows = []
        for ranks in self.all_ranks:
            full, mean = points[ranks, "full"], points[ranks, "mean"]
            half = (full["ci95"][1] - full["ci95"][0]) / 2
            rows.append((f"{ranks:,}", f"{shown(full['mean'])} +- {shown(half)}",
                         *(f"{100 * full[key] / full['mean']:.0f} %" for key in
                           ("compute_seconds", "communication_seconds", "waiting_seconds")), shown(mean["mean"])))
        table(("ranks", "prediction", "computation", "transfer", "waiting", "with mean times"), rows)
        self.show_support(report)

    def show_support(self, report):
        rows = []
        for each in report["support"]:
            low, high = each["slowest_band95"]
            rows.append((f"{each['ranks']:,}", f"{each['draws']:,} of {each['samples']:,} samples",
                         shown(each["slowest"]), f"{shown(low)} to {shown(high)}", shown(each["slowest_measured"])))
        table(("ranks", "draws", "slowest rank", "with the error of the tail (95 %)", "by the samples alone"), rows)
        for warning in report["warnings"]:
            print(f"warning: {warning}\n")

    def remedies(self):
        ranks = min(self.all_ranks[-1], REMEDY_RANKS)
        before, rows = None, []
        for name, words in (("as it is", []), ("half the spread of times", ["--vary", "noise=0.5"]),
                            ("no spread of times", ["--vary", "noise=0"]),
                            ("processors twice as fast", ["--vary", "speed=2"]),
                            ("four times the bandwidth", ["--vary", "bandwidth=4"]),
                            ("a quarter of the latency", ["--vary", "latency=0.25"])):
            point = self.sweep("--ranks", ranks, "--replicas", self.options.replicas, *words, *LARGE)["points"][0]
            before = before or point["mean"]
            rows.append((name, shown(point["mean"]), percent(point["mean"] / before - 1)))
        table((f"{ranks:,} ranks", "prediction", "change"), rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--largest", type=int, default=65536, help="number of ranks")
    parser.add_argument("--check", type=int, default=64, help="ranks with which the program itself is run")
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--folder", help="where to leave the files (default: nowhere)")
    study = Study(parser.parse_args())
    if not study.all_ranks:
        parser.error(f"--largest {study.options.largest}; accepted: 64 ranks or more")
    for part in (study.profile, study.check, study.remedies, study.scaling):
        part()


if __name__ == "__main__":
    main()
