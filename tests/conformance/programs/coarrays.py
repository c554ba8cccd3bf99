# SPDX-License-Identifier: MIT
"""Coarrays of Fortran over OpenCoarrays' library, which gfortran's code calls and which makes them of one-sided
communication: Debian's packages for MPICH. Each program compares its results with what the standard says.

At its end, the library tells all images that this one has ended, by messages that nobody receives, and by MPI_Send to
all of them before anyone receives. So the runs and checks are without `message.lost`, and the checks with buffering.
"""
from outside import build_with
from recipe import Check, Recipe, Run, require

PACKAGES = ["libcaf-mpich-3", "libcoarrays-mpich-dev", "libmpich12"]
PRINTED = {"put_get": "put and get: right on {n} images", "sync_images": "sync images: {before}",
           "events": "events: {sum}", "critical": "critical and lock: {sum} {n}",
           "collectives": "collectives: right on {n} images", "atomics": "atomics: right on {n} images"}


def printed(name, ranks):
    return PRINTED[name].format(n=ranks, sum=ranks * (ranks + 1) // 2, before=ranks * (ranks - 1) // 2)


def verify(name, ranks):
    def look(_, output):
        lines = [line for line in output.splitlines() if not line.startswith(("rehearse: ", "note: "))]
        require(lines == [printed(name, ranks)], f"printed {output[:300]!r}, expected {printed(name, ranks)!r}")
        return lines[0]
    return look


WITHOUT = ("--without", "message.lost")
BOUNDS = ("--max-executions", "50", "--max-seconds", "20")
CHECKED = ("--buffering", "infinite", *WITHOUT, *BOUNDS)
BUILD = build_with(PACKAGES, ["gfortran", "-fcoarray=lib"], folders=["open-coarrays/mpich/lib"],
                   libraries=["caf_mpich", ":libmpich.so.12"])
OPEN = (*CHECKED, "--deterministic", "output")
RECIPE = Recipe("coarrays", "", BUILD, summary="coarrays of gfortran over libcaf_mpi", jobs=[
    *[Run(name, ranks, [name], verify(name, ranks), WITHOUT) for name in PRINTED for ranks in (2, 4, 8)],
    *[Check(name, ranks, [name], CHECKED) for name in PRINTED for ranks in (2, 3)],
    Check("plain", 2, ["put_get"], BOUNDS, expected=frozenset({"deadlock.cycle", "message.lost"})),
    Check("unordered", 3, ["unordered"], OPEN, expected=frozenset({"outcome.output"})),
])
