#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the cases of the accuracy bench under SimGrid's smpirun, and writes tests/realnet/references/simgrid_*.csv.

Usage: simgrid_cases.py [--references FOLDER]

The platform files and the places of ranks are those of measure.py. SMPI has its default network model and parameters,
no computation, and the algorithms of collectives of the measured library (smpi/coll-selector).
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import tempfile

import measure
import simulated_cases

SELECTORS = simulated_cases.ALGORITHMS


def host_file(platform, ranks, folder):
    hosts = measure.PLACES.get((platform, ranks), " ".join(f"h{i}" for i in range(ranks))).split()
    file = folder / f"{platform}_{ranks}.smpi"
    file.write_text("".join(f"{host}\n" for host in hosts))
    return file


def version():
    text = subprocess.run(["smpirun", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"(?:SimGrid|SMPI)\D*([\d.]+\d)", text)
    return found.group(1) if found else "unknown"


def run(program, platform, ranks, library, folder):
    cases = [case for group in simulated_cases.GROUPS.values() for case in group]
    most = 1 << 30 if ranks == 2 else 1 << 20
    words = ["smpirun", "-np", ranks, "-platform", measure.HERE / "platforms" / f"{platform}.xml", "-hostfile",
             host_file(platform, ranks, folder), "--cfg=smpi/simulate-computation:no",
             f"--cfg=smpi/coll-selector:{SELECTORS[library]}", "--log=root.thres:critical", program, 0,
             most, 1, measure.SIMULATED_HEAD_START, *cases]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, cwd=folder)
    times = simulated_cases.read_times(done.stdout)
    if done.returncode != 0 or not times:
        raise SystemExit(f"simgrid_cases: {' '.join(map(str, words))}: {done.stderr.strip()}")
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--references", type=pathlib.Path, default=measure.HERE / "references")
    given = parser.parse_args()
    if not shutil.which("smpirun"):
        raise SystemExit("simgrid_cases: smpirun is not here (Debian: libsimgrid-dev)")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "real_bench"
        subprocess.run(["smpicc", "-O2", "-w", *measure.sources(), "-o", program], check=True)
        for platform in measure.PLATFORMS:
            lines = []
            for library in measure.LIBRARIES:
                for ranks in simulated_cases.RANKS:
                    times = run(program, platform, ranks, library, folder)
                    lines += [f"{library},{case},{size},{ranks},{seconds:.9f}\n"
                              for (case, size, ranks), seconds in times.items()]
            (given.references / f"simgrid_{platform}.csv").write_text(
                f"# Times of SimGrid's SMPI {version()}, default parameters, by tests/realnet/simgrid_cases.py\n"
                "algorithms,case,bytes,ranks,seconds\n" + "".join(sorted(lines)))


if __name__ == "__main__":
    main()
