#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calibrates the platforms of the accuracy bench: runs the calibration program under the real MPI libraries.

Usage: calibration.py --build BUILD [--measure] [--platforms P,...] [--mpi openmpi,mpich]

Writes calibrated/PLATFORM_MPI.calibrated.xml from the measurements calibrated/PLATFORM_MPI_RANKS.csv; --measure makes
those of the star, and of other platforms that have some, first, over the network of measure.py. A platform without
measurements gets the settings of the star: its times are predictions from another platform. Exit status 77 where the
machine permits no namespaces.
"""
import argparse
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

import measure

FOLDER = measure.HERE / "calibrated"
MEASURED = "star"  # the platform whose settings the others get
SECONDS = 400  # after which a job is cut


@dataclass
class Part:
    """A job of the calibration program. The time factor gives the ranks the processor time that two cores lack."""
    ranks: int
    time_factor: float
    options: tuple


PARTS = (
    Part(2, 2, ("--repetitions", 3, "--seconds", 75)),
    Part(4, 5, ("--repetitions", 3, "--seconds", 30, "--sizes", 20, "--max-bytes", 262144)),
)


def program_of(bench, library):
    return bench.folder / f"calibrate.{library}"


def compile_programs(bench):
    subprocess.run([bench.rehearse, "calibrate", "--program", bench.folder / "calibrate.c"], check=True)
    for library in measure.LIBRARIES:
        subprocess.run([f"mpicc.{library}", "-O2", bench.folder / "calibrate.c", "-o", program_of(bench, library),
                        "-lm"], check=True)


def files_of(platform, library):
    return [FOLDER / f"{platform}_{library}_{part.ranks}.csv" for part in PARTS]


def measure_one(bench, platform, library):
    for part, file in zip(PARTS, files_of(platform, library)):
        words = [program_of(bench, library), *part.options]
        for attempt in range(3):
            lines = bench.attached(platform, library, part.ranks, part.time_factor, words, SECONDS)
            if measure.has_ended(lines):
                break
            print(f"calibration: {platform}, {library}, {part.ranks} ranks: attempt {attempt + 1} did not end",
                  flush=True)
        else:
            raise SystemExit(f"calibration: {platform}, {library}, {part.ranks} ranks: no measurement")
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"calibration: {platform}, {library}, {part.ranks} ranks: {len(lines)} lines", flush=True)


def calibrate(rehearse, platform, library):
    files = [file for file in files_of(platform, library) if file.exists()]
    nominal = measure.HERE / "platforms" / f"{platform}.xml"
    calibrated = FOLDER / f"{platform}_{library}.calibrated.xml"
    if files:
        subprocess.run([rehearse, "calibrate", *files, "--on", nominal, "--quiet", "--platform", calibrated],
                       check=True)
        return
    source = FOLDER / f"{MEASURED}_{library}.calibrated.xml"
    settings = re.search(r" *<config.*?</config>\n", source.read_text(encoding="utf-8"), re.DOTALL).group(0)
    text = nominal.read_text(encoding="utf-8")
    calibrated.write_text(re.sub(r"(<platform [^>]*>\n)", lambda found: found.group(1) + settings, text),
                          encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--measure", action="store_true", help="run the program under the real libraries first")
    parser.add_argument("--platforms", default=",".join(measure.PLATFORMS))
    parser.add_argument("--mpi", default=",".join(measure.LIBRARIES))
    given = parser.parse_args()
    bench = measure.Bench(given.build.resolve(), None, 1)
    FOLDER.mkdir(exist_ok=True)
    if given.measure:
        reason = bench.refusal()
        if reason:
            print(f"skipped: {reason}")
            return measure.SKIPPED
        compile_programs(bench)
    for platform in given.platforms.split(","):
        for library in given.mpi.split(","):
            if given.measure and (platform == MEASURED or files_of(platform, library)[0].exists()):
                measure_one(bench, platform, library)
            calibrate(bench.rehearse, platform, library)
    return 0


if __name__ == "__main__":
    sys.exit(main())
