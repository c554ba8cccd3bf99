#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the cases of the accuracy bench under SimGrid's smpirun, and writes tests/realnet/references/simgrid_*.csv.

Usage: simgrid_cases.py [--references FOLDER]

The platform files and the places of ranks are those of measure.py. SMPI has its default network model and parameters,
no computation, and the algorithms of collectives of the measured library (smpi/coll-selector). Where there is a
calibrated platform file, a second run has those of its parameters that SMPI has, too (simgrid_calibrated_*.csv).
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import tempfile
from xml.etree import ElementTree

import measure
import simulated_cases

SELECTORS = simulated_cases.ALGORITHMS
# SMPI's names of the parameters with the same meaning and form. It has no envelopes, and no contention by the number of
# flows.
SHARED = {"network/latency-factor": "smpi/lat-factor", "network/bandwidth-factor": "smpi/bw-factor",
          **{name: name for name in ("network/crosstraffic", "smpi/os", "smpi/ois", "smpi/or",
                                     "smpi/send-is-detached-thresh")}}


def host_file(platform, ranks, folder):
    hosts = measure.PLACES.get((platform, ranks), " ".join(f"h{i}" for i in range(ranks))).split()
    file = folder / f"{platform}_{ranks}.smpi"
    file.write_text("".join(f"{host}\n" for host in hosts))
    return file


def version():
    text = subprocess.run(["smpirun", "--version"], capture_output=True, text=True).stdout
    found = re.search(r"(?:SimGrid|SMPI)\D*([\d.]+\d)", text)
    return found.group(1) if found else "unknown"


def calibrated_options(platform, library):
    """Of the calibrated platform file; None if there is none."""
    file = measure.HERE / "calibrated" / f"{platform}_{library}.calibrated.xml"
    if not file.exists():
        return None
    return [f"--cfg={SHARED[prop.get('id')]}:{prop.get('value')}" for prop in ElementTree.parse(file).iter("prop")
            if prop.get("id") in SHARED]


def run(program, platform, of_ranks, library, folder, options):
    ranks, most, cases = of_ranks
    words = ["smpirun", "-np", ranks, "-platform", measure.HERE / "platforms" / f"{platform}.xml", "-hostfile",
             host_file(platform, ranks, folder), "--cfg=smpi/simulate-computation:no", *options,
             f"--cfg=smpi/coll-selector:{SELECTORS[library]}", "--log=root.thres:critical", program, 0,
             most, 1, measure.SIMULATED_HEAD_START, "sleep", *cases]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, cwd=folder)
    times = simulated_cases.read_times(done.stdout)
    if done.returncode != 0 or not times:
        raise SystemExit(f"simgrid_cases: {' '.join(map(str, words))}: {done.stderr.strip()}")
    return times


def write(program, platform, folder, file, options_of, parameters):
    lines = []
    for library in measure.LIBRARIES:
        options = options_of(platform, library)
        if options is None:
            continue
        for of_ranks in measure.runs_of(platform):
            lines += [f"{library},{case},{size},{ranks},{seconds:.9f}\n" for (case, size, ranks), seconds
                      in run(program, platform, of_ranks, library, folder, options).items()]
    if lines:
        file.write_text(f"# Times of SimGrid's SMPI {version()}, {parameters}, by tests/realnet/simgrid_cases.py\n"
                        "algorithms,case,bytes,ranks,seconds\n" + "".join(sorted(lines)))


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
            write(program, platform, folder, given.references / f"simgrid_{platform}.csv", lambda *_: [],
                  "default parameters")
            write(program, platform, folder, given.references / f"simgrid_calibrated_{platform}.csv",
                  calibrated_options, "parameters of tests/realnet/calibrated")


if __name__ == "__main__":
    main()
