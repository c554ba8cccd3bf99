#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse trace replay --sweep and what-ifs, trace efficiency, trace profile: identities that hold for every trace.

answers_test.py --build DIR [--random FIRST COUNT]

Random traces of random_traces.py, and a recording of random_mix.c, on platforms with contention: the products of the
efficiencies, the ideal time against a replay without a network, the parts of the critical path against the simulated
time, the time of each rank against its end, and what-ifs against traces and platforms that have the changed numbers.
"""
import csv
import json
import math
import pathlib
import re
import sys

import random_traces
import trace_tests

HERE = pathlib.Path(__file__).resolve().parent
PLATFORMS = ("cluster:4", "fat-tree:16")


class Answers(trace_tests.Checks):
    def report(self, *words):
        done = self.call(*words, "--json", "-")
        self.check(" ".join(map(str, words)), done.returncode == 0, f"status {done.returncode}: {done.stderr[-300:]}")
        return json.loads(done.stdout) if done.returncode == 0 else None

    def seconds(self, *words):
        report = self.report("trace", "replay", *words)
        return report["simulated_seconds"] if report else math.nan

    def efficiency(self, trace, *options):
        """Products to 1e-12; the ideal time is that of a replay whose messages take no time."""
        report = self.report("trace", "efficiency", trace, "--ladder", "--windows", 7, *options)
        if report is None:
            return
        name = f"efficiency {trace} {' '.join(options)}"
        parts, found = report["analysis"], report["analysis"]["efficiency"]
        self.free_wildcards(name, trace, report["caveats"], *options)
        load, serialisation, transfer = (found[key] for key in ("load_balance", "serialisation", "transfer"))
        if None not in (load, serialisation, transfer):
            self.check(name, abs(serialisation * transfer - found["communication"]) <= 1e-12, "communication")
            self.check(name, abs(load * found["communication"] - found["parallel"]) <= 1e-12, "parallel")
        mean = sum(rank["compute_seconds"] for rank in report["ranks"]) / len(report["ranks"])
        self.check(name, abs(mean / report["simulated_seconds"] - found["parallel"]) <= 1e-12, "mean / time")
        self.parts_of_efficiency(name, parts, mean)
        silent = self.seconds(trace, *options[:2], "--network", "constant", "--delay", "0", "--reduction-flops", "0")
        self.check(name, silent == parts["ideal_seconds"], f"ideal {parts['ideal_seconds']}, replay {silent}")
        ladder = {step["what_if"]: step["simulated_seconds"] for step in parts["ladder"]}
        self.check(name, ladder["as recorded"] == report["simulated_seconds"], "as recorded")
        for word, option in (("no latency", "--scale-latency=0"), ("infinite bandwidth", "--scale-bandwidth=inf"),
                             ("no contention", "--contention=no")):
            alone = self.seconds(trace, *options, option)
            self.check(name, alone == ladder[word], f"{word}: {ladder[word]}, replay {alone}")
        if trace.suffix != ".ti":
            return  # polls of a recording may have other answers at the same dates
        free = [f"--{name}=0:0:0" for name in ("os", "ois", "or")]
        both = self.seconds(trace, *options, "--scale-latency=0", "--scale-bandwidth=inf", "--reduction-flops=0", *free)
        self.check(name, abs(both - parts["ideal_seconds"]) <= 1e-9, f"no network {both}")

    def parts_of_efficiency(self, name, parts, mean):
        """The computation of all windows, and of all regions, is that of the run; the products hold in each."""
        seconds = parts["simulated_seconds"]
        self.check(name, len(parts.get("windows", [])) == 7 or seconds == 0, "windows")
        for key in ("windows", "regions"):
            rows = parts.get(key, [])
            of_rows = sum(row["mean_compute_seconds"] for row in rows)
            self.check(name, not rows or math.isclose(of_rows, mean, abs_tol=1e-9), f"{key}: {of_rows} of {mean}")
            for row in rows:
                length = row.get("seconds", seconds)
                if row["load_balance"] is None:
                    continue
                product = row["load_balance"] * row["communication"]
                self.check(name, abs(product - row["parallel"]) <= 1e-12, f"{key}: product {product}")
                self.check(name, abs(row["mean_compute_seconds"] / length - row["parallel"]) <= 1e-12, f"{key}: mean")

    def free_wildcards(self, name, trace, caveats, *options):
        """If receives took the recorded messages, a caveat has the time of the other rule."""
        taken = [word for word in caveats if "with a wildcard" in word]
        free = [word for word in caveats if "--wildcards free the replay" in word]
        self.check(name, len(taken) == len(free), f"caveats {caveats}")
        if free and "takes" in free[0]:
            seconds = self.seconds(trace, *options, "--wildcards", "free")
            self.check(name, f"takes {seconds:.9f} s" in free[0], f"{free[0]}, replay {seconds}")

    def profile(self, trace, *options):
        """The critical path takes the simulated time; each rank spends its time up to its end."""
        report = self.report("trace", "profile", trace, *options)
        if report is None:
            return
        name, parts = f"profile {trace} {' '.join(options)}", report["analysis"]
        total = sum(parts["critical_path"].values())
        self.check(name, math.isclose(total, report["simulated_seconds"], abs_tol=1e-10), f"path {total}")
        for rank, times in zip(report["ranks"], parts["ranks"]):
            spent, end = sum(times["time"].values()), rank["stopped_picoseconds"] * 1e-12
            self.check(name, math.isclose(spent, end, abs_tol=1e-10), f"rank {rank['rank']}: {spent} of {end}")
            self.check(name, math.isclose(times["time"]["computation_seconds"], rank["compute_seconds"],
                                          abs_tol=1e-10), f"rank {rank['rank']}: computation")
        for key in ("actions", "regions", "sites"):
            for kind in ("time", "critical_path"):
                of_rows = sum(sum(row[kind].values()) for row in parts[key])
                of_ranks = sum(sum(rank[kind].values()) for rank in parts["ranks"])
                self.check(name, math.isclose(of_rows, of_ranks, abs_tol=1e-9), f"{key}: {of_rows} of {of_ranks}")
        self.check(name, sum(pair["bytes"] for pair in parts["pairs"]) == sum(size["bytes"] for size in parts["sizes"]),
                   "bytes of pairs and of sizes")

    def volumes(self, seed, text):
        """A factor of computation is the same as other volumes in the trace."""
        trace, other = self.folder / "volumes.ti", self.folder / "other.ti"
        trace.write_text(text)
        changed = re.sub(r"(?m)^(\d+) compute (\S+)$",
                         lambda found: f"{found[1]} compute {float(found[2]) * (1.5 if found[1] == '1' else 0.5)!r}",
                         text)
        other.write_text(changed)
        options = ("--on", "cluster:4")
        wanted = self.seconds(other, *options)
        # Factors are for the volumes of reductions, too; traces of this test have none.
        got = self.seconds(trace, *options, "--scale-compute", "0.5,rank:1=3")
        self.check(f"seed {seed}: --scale-compute", got == wanted, f"{got}, expected {wanted}")

    def sweep(self, trace):
        table = self.folder / "table.csv"
        done = self.call("trace", "replay", "--on", "cluster:4", "--sweep", "scale-latency=0,1,10", "--sweep",
                         "scale-bandwidth=0.5;1", "--csv", table, "--json", "sweep.json", trace)
        self.check("sweep", done.returncode == 0, done.stderr)
        report = json.loads((self.folder / "sweep.json").read_text())
        rows = list(csv.DictReader(table.read_text().splitlines()))
        self.check("sweep", len(rows) == 6 and len(report["replays"]) == 6 and len(done.stdout.splitlines()) == 7,
                   "6 replays expected")
        for row, replay in zip(rows, report["replays"]):
            alone = self.seconds(trace, "--on", "cluster:4", "--scale-latency", row["scale-latency"],
                                 "--scale-bandwidth", row["scale-bandwidth"])
            self.check("sweep", replay["simulated_seconds"] == alone, f"{row}: {alone}")
            self.check("sweep", math.isclose(float(row["simulated_seconds"]), alone, rel_tol=1e-11), f"{row}: csv")

    def wrong(self, words, *parts):
        self.refused(2, parts, "trace", *words)

    def refusals(self, trace, recording):
        self.wrong(["replay", "--scale-compute", "x=y", trace], "--scale-compute", "'x=y'", "FACTOR")
        self.wrong(["replay", "--scale-compute", "solve=2", trace], "'solve'", "no places", "rank:N=FACTOR")
        self.wrong(["replay", "--scale-compute", "no_such=2", recording], "'no_such'", "main")
        self.wrong(["replay", "--scale-compute", "rank:900=2", trace], "rank 900")
        self.wrong(["replay", "--noise", "normal:x", trace], "--noise", "normal:x", "lognormal")
        self.wrong(["replay", "--map", "spiral", trace], "--map", "spiral", "cyclic")
        self.wrong(["replay", "--scale-bandwidth", "0", trace], "--scale-bandwidth", "inf")
        self.wrong(["replay", "--sweep", "eager", trace], "NAME=VALUE")
        self.wrong(["replay", "--sweep", "egaer=1,2", trace], "egaer", "eager")
        self.wrong(["replay", "--sweep", "eager=1,x", trace], "--eager", "'x'")
        self.wrong(["replay", "--eager", "1", "--sweep", "eager=1,2", trace], "--eager")
        self.wrong(["replay", "--timeline", "t.html", "--sweep", "eager=1,2", trace], "--timeline", "--sweep")
        self.wrong(["replay", "--network", "loggops", "--map", "block", trace], "--map", "loggops")
        self.wrong(["efficiency", "--scaling", "weak", trace], "--reference")
        self.wrong(["profile", "--by", "colour", trace], "--by", "colour", "peer")

    def recording(self):
        program = self.folder / "random_mix"
        done = self.call("cc", "-g", HERE / "random_mix.c", "-o", program)
        self.check("random_mix", done.returncode == 0, done.stderr)
        trace = self.folder / "mix.rtrace"
        done = self.call("run", "-n", 4, "--trace", trace, "--no-summary", program, 1)
        self.check("random_mix", done.returncode == 0, done.stderr)
        self.efficiency(trace, "--on", "cluster:4")
        self.profile(trace, "--on", "cluster:4")
        report = self.report("trace", "profile", trace)
        if report:
            files = {row.get("file", "").rpartition("/")[2] for row in report["analysis"]["sites"]}
            self.check("random_mix", "random_mix.c" in files, f"places in {files}")
            words = " ".join(report["caveats"])
            self.check("random_mix", "wildcard" in words, f"caveats: {words}")
        report = self.report("trace", "replay", "--eager", "100", trace)
        words = " ".join(report["caveats"]) if report else ""
        self.check("random_mix", "another protocol" in words and "65480" in words, f"caveats: {words}")
        whole, none = self.seconds(trace, "--scale-compute", "1"), self.seconds(trace, "--scale-compute", "main=1")
        self.check("random_mix", whole == none == self.seconds(trace), f"{whole}, {none}")
        page = self.folder / "page.html"
        done = self.call("trace", "profile", "--quiet", "--report", page, trace)
        self.check("page", done.returncode == 0 and "critical path" in page.read_text(), done.stderr)
        return trace


def work(answers, options):
    first, count = options.random
    trace = answers.folder / "random.ti"
    for seed in range(first, first + count):
        trace.write_text(random_traces.text(random_traces.trace(seed)))
        machine = ("--on", PLATFORMS[seed % 2])
        answers.efficiency(trace, *machine)
        answers.profile(trace, *machine)
        answers.profile(trace, *machine, "--eager", "0", "--os", "0:1e-6:1e-10", "--or", "0:2e-6:1e-10")
        answers.volumes(seed, random_traces.text(random_traces.trace(seed, features=())))
    answers.sweep(trace)
    answers.refusals(trace, answers.recording())


def main():
    return trace_tests.run_tests(Answers, trace_tests.make_parser(__doc__, random=(0, 15)).parse_args(), work)


if __name__ == "__main__":
    sys.exit(main())
