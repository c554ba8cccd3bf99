# SPDX-License-Identifier: MIT
"""Kernels like EP, CG and MG of the NAS benchmarks, in Fortran with OpenMP (tests/programs/threads/omp_kernels.f90, one
rank on a host of four cores): the predicted speed-up from one to four threads, and that of the critical path measured
outside of Rehearse. The same source, with gfortran and its own runtime library, measures the processor time of each
thread in each phase; the critical path is the sum of the longest times. All figures are the least of several runs,
which take turns.
"""
import os
import shutil
import subprocess
from pathlib import Path

import measured

REPEATS = 9
KERNELS = "omp_kernels.f90"
HEAD = ("kernel", "predicted speed-up", "of the measured critical path", "difference", "required")
TOLERANCE = 0.1
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full"><host id="node" speed="10Gf" core="4"/></zone>
</platform>
"""


def compiled(rehearse, folder, sources):
    """The program for Rehearse, and the one that measures; each in a folder of its own, because of the modules."""
    kernels = sources / "programs/threads" / KERNELS
    programs = {}
    for name, words in (("predicted", [rehearse, "fortran"]),
                        ("measured", ["gfortran", "-w", sources / "bench/programs/one_process.f90"])):
        place = folder / name
        place.mkdir()
        measured.run_once([*words, "-O2", "-fopenmp", kernels, "-o", place / "kernels"], place)
        programs[name] = place / "kernels"
    return programs


def seconds(words, folder, threads, column):
    """Of each kernel: a column of what the program prints."""
    done = subprocess.run([str(word) for word in words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=True,
                          env={**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": "passive"})
    return {line.split()[0]: float(line.split()[column]) for line in done.stdout.splitlines()}


def speed_ups(rehearse, folder, sources, log):
    """Of each kernel: the predicted one and the measured one."""
    (folder / "four.xml").write_text(PLATFORM)
    programs = compiled(rehearse, folder, sources)
    run = [rehearse, "run", "--no-summary", "--on", "four.xml", "-n", 1, programs["predicted"], "large"]
    least = {}
    for repeat in range(REPEATS):
        log(f"OpenMP: run {repeat + 1} of {REPEATS}")
        for threads in (1, 4):
            for kind, found in (("predicted", seconds(run, folder, threads, 1)),
                                ("measured", seconds([programs["measured"], "large", "path"], folder, threads, 2))):
                for name, time in found.items():
                    key = (name, kind, threads)
                    least[key] = min(least.get(key, time), time)
    return {name: [least[name, kind, 1] / least[name, kind, 4] for kind in ("predicted", "measured")]
            for name in dict.fromkeys(name for name, _, _ in least)}


def text(rehearse, folder, table, log):
    if shutil.which("gfortran") is None:
        return "Not measured: gfortran is not installed.", []
    lines, failed = [], []
    found = speed_ups(rehearse, folder, Path(__file__).resolve().parents[1], log)
    for name, (predicted, real) in found.items():
        difference = predicted / real - 1
        lines.append((name, f"{predicted:.2f}", f"{real:.2f}", f"{100 * difference:+.1f} %", f"< {TOLERANCE:.0%}"))
        if abs(difference) >= TOLERANCE:
            failed.append(f"{name}: the speed-up differs by {100 * difference:.1f} % from that of the critical path")
    return f"{__doc__}\n" + table(HEAD, lines), failed
