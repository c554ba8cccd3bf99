# SPDX-License-Identifier: MIT
"""Many Fortran ranks: processor time of a program that starts and ends, and memory that each rank needs.

The kernel counts the code of libgfortran as resident once per rank, although all ranks share its pages. So the memory
is that which a rank adds to the process: pages of its own, and page tables. The modules are those that the first
`rehearse fortran` makes for the compiler of the machine.
"""
import os
import re
import shutil

import measured

RANKS = 1024
REPEATS = 5
SOURCE = "fortran_ranks.f90"
HEAD = ("measurement", "figure", "required")


def kilobytes(output):
    """The memory that the program reports: pages of the process, and its page tables."""
    return sum(int(number) for number in re.findall(r"^(?:Private_Dirty|VmPTE):\s+(\d+) kB", output, re.MULTILINE))


def rows(rehearse, folder, programs, log):
    source = shutil.copy(programs / SOURCE, folder)
    compile_it = [rehearse, "fortran", "-O2", source, "-o", folder / "ranks"]
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    try:
        log("Fortran: modules")
        first = measured.run_once(compile_it, folder).seconds
        later = measured.cost(compile_it, folder, REPEATS).seconds
    finally:
        del os.environ["XDG_CACHE_HOME"]
    log(f"Fortran: {RANKS} ranks")
    run = [rehearse, "run", "--quiet", "-n"]
    costs = measured.costs_in_turn({n: [*run, n, folder / "ranks"] for n in (1, RANKS)}, folder, REPEATS)
    memory = {}
    for n in (1, RANKS):
        measured.run_once([*run, n, folder / "ranks", "memory"], folder)
        memory[n] = kilobytes((folder / "output").read_text())
    return [("the modules, in processor seconds", f"{first - later:.2f} s", "< 2 s"),
            (f"`rehearse run -n {RANKS:,}` of a program that starts and ends", f"{costs[RANKS].seconds:.2f} s",
             "< 0.3 s"),
            ("… memory per rank", f"{(memory[RANKS] - memory[1]) / (RANKS - 1):.0f} kB", "< 100 kB")]
