# SPDX-License-Identifier: MIT
"""FFTW 3 over MPI: its own benchmark program transforms random data in one to three dimensions and compares the results
with the definition: linearity, impulses, shifts in time and frequency (F. Ergun, "Testing multivariate linear
functions", STOC 1995). It prints three relative errors; in double precision they are some units in the last place.
"""
import re

from recipe import Check, Recipe, Run, require

FOLDERS = "support kernel simd-support dft rdft reodft api libbench2"
# Complex and real, in and out of place, forwards and backwards, prime and composite sizes, blocks of several
# transforms, transposed output.
PROBLEMS = ["ocf64x32", "icb30x20x4", "orf36x25", "irb32x16x8", "ocf7x11", "icf16x16v5", "okf12e00x20e10"]


def build(tools, source):
    tools.make(source, "./configure --quiet --enable-mpi --disable-fortran --disable-doc CC=cc MPICC=mpicc"
                       " CFLAGS='-O0 -w'",
               *(f"make -s -j$(nproc) -C {folder}" for folder in FOLDERS.split()),
               "make -s libfftw3.la", "make -s -j$(nproc) -C mpi")


def verify(problems):
    def look(_, output):
        errors = re.findall(r"^(\S+) (\S+) (\S+) (\S+)$", output, re.M)
        require([name for name, *_ in errors] == problems, f"printed {output[:300]!r}, expected {problems}")
        worst = max(float(error) for _, *three in errors for error in three)
        require(worst < 1e-14, f"a relative error of {worst}")
        return f"{len(problems)} transforms, relative errors below {worst:.1e}"
    return look


def command(problems):
    return ["mpi/mpi-bench", "--verbose=1", *(word for problem in problems for word in ("--verify", problem))]


RECIPE = Recipe("fftw", "fftw3", build, summary="mpi-bench", jobs=[
    *[Run("mpi-bench", ranks, command(PROBLEMS), verify(PROBLEMS)) for ranks in (4, 16)],
    *[Check("mpi-bench", ranks, command(["ocf8x8"])) for ranks in (2, 4)],
])
