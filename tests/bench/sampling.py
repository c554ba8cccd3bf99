#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sampled runs against runs that execute all code: processor time, and dates. Needs a machine without other work.

Usage:  sampling.py [--build BUILD] [--repeat N] [--blocks N]
Output: a line for each demand: measured value, limit. Exit status 1: a demand is not met.
Each run is repeated; dates and counts are medians, processor times (user and system, of all processes of a run) the
smallest.
"""
import argparse
import json
import math
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Bench:
    def __init__(self, build, repeat, folder):
        self.rehearse, self.repeat, self.folder = build / "bin" / "rehearse", repeat, folder
        self.is_good = True

    def compile(self, name):
        subprocess.run([self.rehearse, "cc", "-O2", ROOT / "examples" / "sampling" / f"{name}.c", "-o",
                        self.folder / name, "-lm"], check=True)
        return self.folder / name

    def run(self, *words):
        """The report of a run, and its processor time."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        report = self.folder / "report.json"
        subprocess.run([str(word) for word in (self.rehearse, "run", "--quiet", "--json", report, *words)], check=True,
                       stdout=subprocess.DEVNULL, cwd=self.folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return json.loads(report.read_text()), seconds

    def several(self, *runs, repeat=None):
        """The reports, date and processor time of each of these runs, which take turns."""
        done = [[] for _ in runs]
        for _ in range(repeat or self.repeat):
            for results, words in zip(done, runs):
                results.append(self.run(*words))
        return [([report for report, _ in results],
                 statistics.median(report["simulated_seconds"] for report, _ in results),
                 min(seconds for _, seconds in results)) for results in done]

    def demand(self, text, value, least, most):
        is_met = least <= value <= most
        self.is_good &= is_met
        print(f"{'good' if is_met else 'BAD '}  {text}: {value:.4g} (from {least:g} to {most:g})", flush=True)


def quantiles(times):
    """At most 100 times with about the same distribution, as a file of samples has them."""
    times = sorted(times)
    parts = min(len(times), 100)
    return [statistics.mean(times[i * len(times) // parts:(i + 1) * len(times) // parts]) for i in range(parts)]


def write_part(file, samples, pick):
    """The file of samples with a part of the executions of each class: those that pick() chooses from their list."""
    classes = []
    for each in samples["classes"]:
        times = pick(each["sequence"])
        classes.append({**each, "cold": times[:1], "warm": quantiles(times[1:]), "sequence": times})
    file.write_text(json.dumps({**samples, "classes": classes}))


def quarter_of_one_run(bench, program, common, blocks):
    """The speed of the machine changes by some percent between two runs, and within a run. A quarter of the times of
    one run, spread over it, has the same changes as all: what differs is the error of sampling."""
    every, quarter = bench.folder / "every.json", bench.folder / "quarter.json"
    spread, first = [], []
    for _ in range(bench.repeat):
        every.unlink(missing_ok=True)
        report, _ = bench.run(*common, "--sample-error", "0", "--sample-scope", "rank", "--sample-most", blocks,
                              "--sample-file", every, program, blocks)
        for ratios, pick in ((spread, lambda times: times[::4]), (first, lambda times: times[:len(times) // 4])):
            write_part(quarter, json.loads(every.read_text()), pick)
            drawn, _ = bench.run(*common, "--sample-scope", "rank", "--sample-file", quarter, program, blocks)
            ratios.append(drawn["simulated_seconds"] / report["simulated_seconds"])
    bench.demand("ep, 25 % of the blocks of a run, spread over it: date, by that of all, median",
                 statistics.median(spread), 0.99, 1.01)
    print("      in each run: " + ", ".join(f"{ratio:.3f}" for ratio in spread))
    print("      ep, the first 25 % of one run: date, by that of all, which the machine's speed changes: "
          + ", ".join(f"{ratio:.3f}" for ratio in first))


def dates_of(runs):
    return [report["simulated_seconds"] for report in runs[0]]


def disturbed_part(runs, executions):
    counts = [sum(each["disturbed"] for each in report["sampling"]["classes"]) for report in runs[0]]
    return sum(counts) / (executions * len(counts))


def ratio_of(ones, others):
    """The geometric mean of the ratios of paired values, and its standard error."""
    logs = [math.log(one / other) for one, other in zip(ones, others)]
    return math.exp(statistics.mean(logs)), statistics.stdev(logs) / math.sqrt(len(logs))


def dates_of_short_runs(bench, common, all_blocks, program, blocks):
    """Many short runs take turns, so that the drift of the machine averages out. Equal runs show what remains of it.
    The ranks run one after another, and the date of a run is that of its slowest rank. So where each rank measures its
    own blocks, the drift makes the date later; a class of the whole run is compared by the mean of its times."""
    every, again, some, stop = bench.several([*common, *all_blocks, blocks, program, blocks],
                                             [*common, *all_blocks, blocks, program, blocks],
                                             [*common, *all_blocks, blocks // 4, program, blocks],
                                             [*common, program, blocks], repeat=15 * bench.repeat)

    def means(of):
        return [statistics.mean(each["mean_seconds"] for each in report["sampling"]["classes"]) for report in of[0]]

    for text, (ratio, error) in (("date", ratio_of(dates_of(again), dates_of(every))),
                                 ("mean time of a block", ratio_of(means(again), means(every)))):
        print(f"      ep, all blocks: {text}, by that of an equal run: {ratio:.4f} +- {error:.4f}")
    ratio, error = ratio_of(dates_of(some), dates_of(every))
    bench.demand(f"ep, 25 % of the blocks: date, by that of all in other runs (+- {error:.4f})", ratio, 0.99, 1.01)
    ratio, error = ratio_of(means(stop), means(every))
    bench.demand(f"ep, adaptive: mean time, by that of all in other runs (+- {error:.4f})", ratio, 0.98, 1.02)
    ratio, error = ratio_of(dates_of(stop), dates_of(every))
    print(f"      ep, adaptive: date, by that of all in other runs, which the drift makes later: {ratio:.4f} +- "
          f"{error:.4f}")


def embarrassingly_parallel(bench, blocks):
    program = bench.compile("ep")
    common = ["-n", 4, "--network", "lv08"]
    quarter_of_one_run(bench, program, common, blocks)
    quarter = ["--sample-error", "0", "--sample-scope", "rank", "--sample-most"]
    every, some, few, stop = bench.several(
        [*common, *quarter, blocks, program, blocks], [*common, *quarter, blocks // 4, program, blocks],
        [*common, *quarter, blocks // 100, program, blocks], [*common, program, blocks])
    bench.demand("ep, 25 % of the blocks: processor time, by that of all", some[2] / every[2], 0.25, 0.30)
    bench.demand("ep, 1 % of the blocks: processor time, by that of all", few[2] / every[2], 0, 0.03)
    # An interruption of this process makes the times of one run vary, and that run rightly executes more.
    executed = sorted(max(each["executed"] for each in report["sampling"]["classes"]) for report in stop[0])
    bench.demand("ep, adaptive: most executions of a class, median of the runs", statistics.median(executed), 0, 50)
    print(f"      ep, adaptive: most executions of a class in each run: {', '.join(map(str, executed))}")
    print(f"      ep, all blocks: {every[1]:.4f} s simulated, {every[2]:.2f} s of processor time, "
          f"{disturbed_part(every, 4 * blocks):.1%} of the executions disturbed")
    dates_of_short_runs(bench, common, quarter, program, blocks // 4)


def two_modes(bench):
    """Each date is a sum of 100 maxima of 64 times. The measured code between two samples adds 2 to 10 % to it if the
    samples run, because it then finds cold caches and interruptions. So only the sampled code counts here; the other
    lines show the rest."""
    program = bench.compile("two_modes")
    common = ["-n", 64, "--network", "constant", "--delay", "1e-6", "--on", "cluster:64"]
    all_rounds = ["--sample-error", "0", "--sample-most", 1000000]

    def runs(unit, *options, repeat=None):
        words = [*common, *options]
        return bench.several([*words, *all_rounds, program, 100, unit], [*words, program, 100, unit],
                             [*words, "--sample-as", "mean", program, 100, unit], repeat=repeat)

    every, draw, mean = runs(300000, "--compute", "none")
    ratio, error = ratio_of(dates_of(draw), dates_of(every))
    bench.demand(f"two modes, drawn: date, by that of all (+- {error:.4f})", ratio, 0.97, 1.03)
    bench.demand("two modes, mean: date, by that of all", mean[1] / every[1], 0, 0.75)
    print(f"      two modes, all rounds: {disturbed_part(every, 6400):.1%} of the executions disturbed")
    for text, unit, repeat in (("", 300000, bench.repeat), (", unit of 0.03 ms", 30000, 5 * bench.repeat)):
        every, draw, _ = runs(unit, repeat=repeat)
        ratio, error = ratio_of(dates_of(draw), dates_of(every))
        print(f"      two modes{text}, with the code between the samples: drawn {ratio:.4f} +- {error:.4f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--blocks", type=int, default=4000, help="blocks of each rank of ep")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given.build.resolve(), given.repeat, pathlib.Path(folder))
        embarrassingly_parallel(bench, given.blocks)
        two_modes(bench)
    sys.exit(0 if bench.is_good else 1)


if __name__ == "__main__":
    main()
