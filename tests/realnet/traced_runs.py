#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures programs with computation under real MPI libraries, and records them, for the comparison with replays.

Usage: traced_runs.py --build BUILD [--sessions N] [--programs lu,cg,ft,ep] [--mpi openmpi,mpich]
                      [--kinds plain,metered,recorded] [--raw FOLDER]

The programs are those of examples/traces, with the marks of programs/region.h. A session runs each of them once in each
place: as it is, with a meter of computation, and recorded by `rehearse trace record --real`. The network is that of
measure.py. Then references/traced_runs.csv is made of all sessions in the folder RAW, and recordings/ gets the
recording of each program with the least computation. Exit status 77 where the machine permits no namespaces.
"""
import argparse
import csv
import datetime
import pathlib
import re
import shutil
import subprocess
import sys

import measure
import traced_cases

SOURCES = measure.HERE.parent.parent / "examples" / "traces"
REGION = measure.HERE / "programs" / "region.h"
# Without optimisation, so that computation is a part of the time that counts on networks of 100 Mbit/s.
COMPILER_OPTIONS = ("-O0",)
PROGRAMS = {"lu": ("W", 2), "cg": ("W", 1), "ft": ("S", 2), "ep": ("S",)}  # and their arguments
PLACES = {("star", 4): tuple(PROGRAMS), ("mixed", 4): ("lu", "cg")}
RECORDED_ON = "star"
FLOPS_PER_SECOND = "1e9"  # of the hosts of the platforms: a replay takes the recorded times
# Ranks that share two cores must not wait for them while they compute, so the longest computation gets more time.
TIME_FACTORS = {4: 20}
LONG_COMPUTATION = {"ep": 3}  # factor of the time factor
KINDS = ("plain", "metered", "recorded")
SECONDS = 240  # after which a job is cut
HEAD = ["platform", "mpi", "program", "ranks", "kind", "seconds", "computed", "waited", "recording"]
RESULT = re.compile(r"[A-Z]+ class .*, (\d+) ranks: verified, ([0-9.]+) s")
# What a program may call outside of its measured part, or without effect on it.
UNMETERED = {"MPI_Init", "MPI_Finalize", "MPI_Wtime", "MPI_Abort", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Barrier",
             "MPI_Bcast"}


def unmetered_calls(text, header):
    """Calls of a program that the meter would take for computation."""
    metered = set(re.findall(r"#define (MPI_\w+)\(\.\.\.\)", header))
    return sorted(set(re.findall(r"\b(MPI_[A-Z][a-z]\w*) *\(", text)) - metered - UNMETERED)


def jobs_of(libraries, names, kinds):
    """The arguments of TracedBench.run() for each run of a session."""
    for place, programs in PLACES.items():
        for name in programs:
            for library in libraries:
                for kind in kinds:
                    if name in names and (kind != "recorded" or place[0] == RECORDED_ON):
                        yield place, library, name, kind


class TracedBench:
    def __init__(self, bench):
        self.bench = bench
        self.raw = bench.raw

    def program(self, name, library, kind):
        return self.bench.folder / f"{name}.{library}{'.metered' if kind == 'metered' else ''}"

    def compile(self, names):
        for name in names:
            text = "".join((SOURCES / file).read_text() for file in (f"{name}.c", "benchmark.h"))
            forgotten = unmetered_calls(text, REGION.read_text())
            if forgotten:
                raise SystemExit(f"traced_runs: {name}: {', '.join(forgotten)}: not in {REGION.name}")
            for library in measure.LIBRARIES:
                for kind, options in (("plain", []), ("metered", ["-DMETER"])):
                    subprocess.run([f"mpicc.{library}", *COMPILER_OPTIONS, *options, "-include", REGION,
                                    SOURCES / f"{name}.c", "-o", self.program(name, library, kind), "-lm"], check=True)

    def run(self, place, library, name, kind):
        """A row of a session, or None if the job did not come to its end."""
        platform, ranks = place
        recording = self.raw / f"{name}_{ranks}_{library}_{datetime.datetime.now():%Y%m%d_%H%M%S}.rtrace"
        launch = None
        if kind == "recorded":
            launch = ["--start", library, self.bench.rehearse, "trace", "record", "--real", "-n", ranks, "-o",
                      recording, "--rate", FLOPS_PER_SECOND, "--mpi", library, "--launcher", f"mpirun.{library}",
                      "--quiet", "--", *self.bench.first]
        words = [self.program(name, library, kind), *PROGRAMS[name]]
        lines = self.bench.attached(platform, library, ranks, TIME_FACTORS[ranks] * LONG_COMPUTATION.get(name, 1),
                                    words, SECONDS, launch, 60 if kind == "recorded" else 2)
        results = [found for found in map(RESULT.fullmatch, lines) if found]
        meters = [line.split(",") for line in lines if line.startswith("computed,")]
        if len(results) != 1 or len(meters) != (ranks if kind == "metered" else 0):
            return None
        if kind == "recorded" and not traced_cases.is_whole(self.bench.rehearse, recording, ranks):
            return None
        return [platform, library, name, ranks, kind, results[0][2], *(";".join(meter[i] for meter in meters)
                                                                       for i in (2, 3)),
                recording.name if kind == "recorded" else ""]

    def session(self, libraries, names, kinds):
        file = self.raw / f"traced_{datetime.datetime.now():%Y%m%d_%H%M%S}.csv"
        with open(file, "w", encoding="utf-8") as out:
            out.write(",".join(HEAD) + "\n")
            for job in jobs_of(libraries, names, kinds):
                row = self.run(*job) or self.run(*job)
                print(f"traced_runs: {job}: {row[5] if row else 'no end'}", flush=True)
                if row:
                    out.write(",".join(map(str, row)) + "\n")
                    out.flush()


def read_sessions(raw):
    """{(platform, mpi, program, ranks): {kind: [row, ...]}}, rows by their seconds."""
    result = {}
    for file in sorted(raw.glob("traced_*.csv")):
        with open(file, encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                key = row["platform"], row["mpi"], row["program"], int(row["ranks"])
                result.setdefault(key, {kind: [] for kind in KINDS})[row["kind"]].append(row)
    for kinds in result.values():
        for rows in kinds.values():
            rows.sort(key=lambda row: float(row["seconds"]))
    return result


def reference_row(key, kinds):
    plain, metered = ([float(row["seconds"]) for row in kinds[kind]] for kind in ("plain", "metered"))
    real = sorted([*plain, *metered])
    fastest = kinds["metered"][0]  # its time and its computation belong together
    factor = TIME_FACTORS[key[3]] * LONG_COMPUTATION.get(key[2], 1)
    waited = max(float(text) for text in fastest["waited"].split(";")) / factor
    numbers = [metered[0], plain[0], measure.quantile(real, 0.5), real[0], real[-1], waited]
    recorded = [float(row["seconds"]) for row in kinds["recorded"]]
    return [*key, *(f"{x:.6f}" for x in numbers), f"{recorded[0]:.6f}" if recorded else "", len(real),
            fastest["computed"]]


def write_references(rehearse, raw, folder, recordings, date):
    sessions = read_sessions(raw)
    with open(folder / "traced_runs.csv", "w", encoding="utf-8") as out:
        versions = ", ".join(measure.version_of(library) for library in measure.LIBRARIES)
        out.write("# Times of the programs of examples/traces under real MPI libraries in seconds, by "
                  "tests/realnet/traced_runs.py.\n"
                  f"# mpi: {versions}\n# machine: {measure.machine_text()}\n# date: {date}\n"
                  f"# network: PLATFORM.xml, {measure.PACKETS}, transport of the kernel\n"
                  f"# compiled with: {' '.join(COMPILER_OPTIONS)}\n"
                  f"# arguments: {', '.join(' '.join(map(str, (name, *words))) for name, words in PROGRAMS.items())}\n"
                  "# metered: the fastest run with the meter; plain: the fastest one without it\n"
                  "# median, least, highest: of both kinds; recorded: the fastest run with the recorder\n"
                  "# computed: of each rank in the run `metered`; waited: the most of a rank there, ready but without "
                  "a core\n"
                  f"{','.join(traced_cases.COLUMNS)}\n")
        for key, kinds in sorted(sessions.items()):
            if kinds["plain"] and kinds["metered"] and key[2] in PLACES.get((key[0], key[3]), ()):
                out.write(",".join(map(str, reference_row(key, kinds))) + "\n")
    recordings.mkdir(exist_ok=True)
    for (platform, library, name, ranks), kinds in sessions.items():
        files = [raw / row["recording"] for row in kinds["recorded"]]
        if files:
            least = min(files, key=lambda file: sum(traced_cases.computation_of(rehearse, file, ranks)))
            shutil.copy(least, traced_cases.recording_of(name, ranks, library, recordings))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--sessions", type=int, default=1, help="0: only write the references")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--mpi", default=",".join(measure.LIBRARIES))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--raw", type=pathlib.Path, help="folder of the measurements (BUILD/realnet/raw)")
    given = parser.parse_args()
    bench = measure.Bench(given.build.resolve(), given.raw and given.raw.resolve(), 1)
    if given.sessions:
        reason = bench.refusal()
        if reason:
            print(f"skipped: {reason}")
            return measure.SKIPPED
        traced = TracedBench(bench)
        traced.compile(given.programs.split(","))
        for _ in range(given.sessions):
            traced.session(given.mpi.split(","), given.programs.split(","), given.kinds.split(","))
    write_references(bench.rehearse, bench.raw, traced_cases.REFERENCES.parent, traced_cases.RECORDINGS,
                     datetime.date.today().isoformat())
    return 0


if __name__ == "__main__":
    sys.exit(main())
