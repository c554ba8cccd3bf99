#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The benchmarks of examples/traces (LU, CG, FT and EP): their results, and their recordings.

npb_test.py --build DIR [--only PROGRAM]

Each program verifies its own result. Its replay gives every rank the date of the run, to the picosecond. Under each MPI
that is installed, a normal recording, a folded one (all ranks on one core) and a composite one (half of the ranks of
each) have the actions and bytes of rehearse run --trace. The recording of LU's wave meets the demands on its size.
"""
import csv
import json
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import recordings  # noqa: E402
import trace_tests  # noqa: E402

SOURCES = trace_tests.TREE / "examples/traces"
# Ranks of replays; ranks and arguments of recordings: few, as ranks of a real MPI that share a core take turns slowly.
PROGRAMS = {"ep": (4, 4, ["S"]), "cg": (8, 4, ["S", "1"]), "ft": (8, 4, ["S", "1"]), "lu": (8, 8, ["S", "1"])}
OTHER_ARGUMENTS = {"cg": ["S", "2"], "ft": ["S", "2"], "lu": ["S", "2"]}  # other actions


class Tests(trace_tests.Checks):
    # The results do not depend on the number of ranks; one that divides nothing is refused.
    def results(self, name):
        done = self.call("cc", "-O2", "-Wall", "-Wextra", "-Werror", SOURCES / f"{name}.c", "-o", name, "-lm")
        self.expect(f"compile {name}", done, 0)
        for ranks in (1, 2, 4, 8):
            done = self.call("run", "-n", ranks, "--quiet", f"./{name}", "S")
            self.expect(f"{name} on {ranks} ranks", done, 0, f"{name.upper()} class S, {ranks} ranks: verified")
        done = self.call("run", "-n", 3, f"./{name}", "Q" if name == "ep" else "S")
        reason = "a class (S, W, A or B)" if name == "ep" else "the number of ranks must"
        self.expect(f"{name}: refused", done, 1, reason, "ended with exit status 2")

    def replays(self, name, ranks):
        for platform, compute in (("cluster:8", "none"), ("cluster:8", "measured"), ("fat-tree:16", "measured")):
            machine = ["--on", platform, "--json", "report.json", "--quiet"]
            self.expect(f"{name} recorded on {platform}",
                        self.call("run", "-n", ranks, "--compute", compute, "--trace", "run.rtrace", *machine,
                                  f"./{name}", "S"), 0, "verified")
            wanted = json.loads((self.folder / "report.json").read_text())["ranks"]
            self.expect(f"{name} replayed on {platform}", self.call("trace", "replay", *machine, "run.rtrace"), 0)
            got = json.loads((self.folder / "report.json").read_text())["ranks"]
            dates = [[rank["stopped_picoseconds"] for rank in report] for report in (wanted, got)]
            self.check(f"{name} on {platform}, {compute}: dates", dates[0] == dates[1] and len(dates[0]) == ranks,
                       f"run {dates[0]}, replay {dates[1]}")

    # The numbers and the bytes of what ranks exchange.
    def counts(self, trace):
        return re.findall(r"^  (?:send|receive|observe|collective): .*$", self.call("trace", "info", trace).stdout,
                          re.MULTILINE)

    def acquisitions(self, name, ranks, arguments, mpis):
        own = f"{name}.rtrace"
        run = ["run", "-n", ranks, "--quiet", "--trace"]
        self.expect(f"{name}: own recording", self.call(*run, own, f"./{name}", *arguments), 0, "verified")
        one_core = {min(os.sched_getaffinity(0))}
        streams = []
        for mpi in mpis:
            built = self.run(f"mpicc.{mpi}", "-O2", "-g", SOURCES / f"{name}.c", "-o", f"{name}.{mpi}", "-lm")
            self.expect(f"compile {name} under {mpi}", built, 0)
            for mode, cores in (("normal", None), ("folded", one_core)):
                trace = f"{name}.{mpi}.{mode}.rtrace"
                done = self.call("trace", "record", "--real", "-n", ranks, "--keep-streams", "-o", trace, "--",
                                 f"./{name}.{mpi}", *arguments, cores=cores)
                self.expect(f"record {trace}", done, 0, "verified")
                self.same(own, trace)
                streams.append(f"{trace}.streams")
        if streams:
            self.composite(name, own, ranks, streams[0], streams[-1])
        if name in OTHER_ARGUMENTS:
            self.call(*run, "other.rtrace", f"./{name}", *OTHER_ARGUMENTS[name])
            self.expect(f"{name}: more steps", self.call("trace", "compare", own, "other.rtrace"), 1)

    def same(self, own, trace):
        self.expect(f"compare {own} and {trace}", self.call("trace", "compare", own, trace), 0)
        counts = [self.counts(file) for file in (own, trace)]
        self.check(f"bytes of {own} and {trace}", counts[0] and counts[0] == counts[1], counts)
        self.expect(f"replay {trace}", self.call("trace", "replay", "--on", "cluster:4", trace), 0, "ranks took")

    # The lower half of the ranks of one recording, and the upper half of another, perhaps under another MPI.
    def composite(self, name, own, ranks, low, high):
        site = self.folder / f"{name}.sites"
        for rank in range(ranks):
            folder = site / ("low" if rank < ranks // 2 else "high")
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.folder / (low if rank < ranks // 2 else high) / f"rank.{rank}.stream", folder)
        trace = f"{name}.composite.rtrace"
        done = self.call("trace", "gather", "-o", trace, site / "low", site / "high")
        expected = ["different MPIs"] if "mpich" in high and "openmpi" in low else []
        self.expect(f"gather {trace}", done, 0, f"of {ranks} ranks", *expected)
        self.same(own, trace)

    # The format on LU's wave with noise: bytes an action, and ratios to the text and its gzip.
    def sizes(self):
        row, wrong = recordings.sweep_row(self.rehearse, self.folder, rounds=1000)
        self.check("sizes", row[1] == "288,000" and not wrong, wrong or row)

    # The study of docs/traces.md: its conclusions, with wide margins for the machine.
    def study(self):
        factors = {}
        for name in ("cg", "ft"):
            trace = f"{name}.study.rtrace"
            self.expect(f"study: {name}", self.call("run", "-n", 8, "--quiet", "--on", "cluster:8", "--trace", trace,
                                                    f"./{name}", "W"), 0, "verified")
            self.expect(f"study: sweep of {name}",
                        self.call("trace", "replay", "--on", "cluster:8", "--sweep", "scale-bandwidth=1,4", "--sweep",
                                  "scale-latency=1,0.5", "--csv", "study.csv", trace), 0)
            with open(self.folder / "study.csv") as table:
                seconds = [float(row["simulated_seconds"]) for row in csv.DictReader(table)]
            factors[name] = [seconds[0] / each for each in seconds]
        for name, less_latency, more_bandwidth, both in (("cg", (1.02, 1.3), (1.02, 1.3), (1.05, 1.5)),
                                                         ("ft", (1, 1.2), (1.05, 1.5), (1.05, 2))):
            wanted = [(1, 1), less_latency, more_bandwidth, both]
            self.check(f"study: factors of {name}",
                       all(least <= factor <= most for factor, (least, most) in zip(factors[name], wanted)) and
                       len(factors[name]) == 4, f"{factors[name]}, expected {wanted}")
        # A call that is inlined in three places is one row.
        profile = self.call("trace", "profile", "--on", "cluster:8", "--by", "site", "cg.study.rtrace").stdout
        rows = re.findall(r"^(\S+:\d+ in \w+) +(\w+) ", profile, re.MULTILINE)
        self.check("study: profile", len(rows) > 5 and len(rows) == len(set(rows)), profile)


def work(tests, options):
    mpis = tests.mpis_here()
    for name, (ranks, recorded_ranks, arguments) in PROGRAMS.items():
        if options.only in (None, name):
            tests.results(name)
            tests.replays(name, ranks)
            tests.acquisitions(name, recorded_ranks, arguments, mpis)
    if options.only is None:
        tests.study()
        tests.sizes()


def main():
    parser = trace_tests.make_parser(__doc__)
    parser.add_argument("--only", choices=sorted(PROGRAMS), help="only this program")
    return trace_tests.run_tests(Tests, parser.parse_args(), work)


if __name__ == "__main__":
    sys.exit(main())
