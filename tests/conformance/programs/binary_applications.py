# SPDX-License-Identifier: MIT
"""Applications as Debian's packages have them, compiled for MPICH or Open MPI: molecules (LAMMPS, GROMACS), trees of
species (tree-ppuzzle), and the benchmarks NetPIPE and HPC Challenge. Their results are those of a run under their own
library, where its launcher is installed; the benchmarks also check themselves, as the ones built from their sources.
"""
import re
import shutil
import subprocess
from pathlib import Path

import hpcc
import netpipe
from outside import under_the_library
from recipe import Check, Failed, Run, require

PACKAGES = ["gromacs", "hpcc", "lammps", "netpipe-mpich2", "netpipe-openmpi", "tree-ppuzzle"]
INPUTS = Path(__file__).resolve().parent / "binaries"
HPCC_INPUT = Path("/usr/share/doc/hpcc/examples")
OPEN_MPI = "mpiexec.openmpi"
UNTIMED = ("--compute", "none")


# ---- LAMMPS

def thermo(name, output):
    """The table of temperatures, energies and pressures."""
    found = re.search(r"^Step Temp .*\n((?:[ \d].*\n)+)^Loop time", output, re.M)
    require(found, f"{name}: no table")
    return found.group(1)


def lammps(name, rows, same_file=""):
    command = ["/usr/bin/lmp", "-in", str(INPUTS / name)]

    def verify(folder, output):
        table = thermo(name, output)
        require(len(table.splitlines()) == rows, f"{name}: {table}")
        real = under_the_library(OPEN_MPI, 4, command, folder)
        if real is None:
            return f"{rows} rows of energies, no {OPEN_MPI} to compare with"
        require(table == thermo(name, real[0]), f"{name} differs from Open MPI:\n{table}\n{real[0]}")
        if same_file:
            require((folder / same_file).read_bytes() == (real[1] / same_file).read_bytes(), f"{same_file} differs")
        return f"{rows} rows of energies{' and ' * bool(same_file)}{same_file} as under {OPEN_MPI}"
    return Run(f"lammps, {name}", 4, command, verify)


# ---- GROMACS

def own_tool(folder, *words):
    done = subprocess.run(["/usr/bin/gmx", "-quiet", "-nobackup", *words], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", timeout=120, check=False)
    if done.returncode != 0:
        raise Failed(f"gmx {words[0]}: exit status {done.returncode}: {done.stderr[-400:]}")


def with_water(folder, _):
    """A box of 348 molecules, made by GROMACS' own tools."""
    shutil.copy(INPUTS / "water.top", folder)
    own_tool(folder, "solvate", "-cs", "spc216", "-box", "2.2", "2.2", "2.2", "-o", "water.gro", "-p", "water.top")
    own_tool(folder, "grompp", "-f", str(INPUTS / "water.mdp"), "-c", "water.gro", "-p", "water.top", "-o", "water.tpr")


def simulation(tpr, threads, *more):
    return ["/usr/bin/gmx_mpi", "-quiet", "mdrun", "-s", tpr, "-ntomp", str(threads), "-reprod", "-nobackup", *more]


def energies(folder):
    return re.findall(r"^   Energies \(kJ/mol\)\n((?:.*\S.*\n)+)", (folder / "md.log").read_text(), re.M)


def verify_water(threads):
    def look(folder, _):
        found = energies(folder)
        require(len(found) == 7, f"{len(found)} tables of energies instead of 6 and their means")
        real = under_the_library(OPEN_MPI, 4, simulation("../water.tpr", threads), folder)
        if real is None:
            return f"6 tables of energies, no {OPEN_MPI} to compare with"
        require(found == energies(real[1]), f"energies differ from Open MPI: {found} {energies(real[1])}")
        require((folder / "confout.gro").read_bytes() == (real[1] / "confout.gro").read_bytes(), "confout.gro differs")
        return f"6 tables of energies and confout.gro as under {OPEN_MPI}"
    return look


# ---- tree-ppuzzle

PUZZLE = ["/usr/bin/tree-ppuzzle", "-randseed=4711", "eight.phy"]


def with_species(folder, _):
    for name in ("eight.phy", "yes"):
        shutil.copy(INPUTS / name, folder)


def shape(text):
    """Of a tree in parentheses, without lengths; the order of the branches of a node means nothing."""
    text = re.sub(r":[\d.]+|\[.*?\]", "", text)
    inner = re.compile(r"\(([^()]*)\)")
    while inner.search(text):
        text = inner.sub(lambda found: "<" + ";".join(sorted(found.group(1).split(","))) + ">", text, count=1)
    return text.strip()


def lengths(text):
    """Of the branches to the species; their last digit depends on the order in which the workers answer."""
    return {name: float(length) for name, length in re.findall(r"(seq\w):([\d.]+)", text)}


def verify_tree(folder, output):
    require("All results written to disk:" in output, "no results")
    require((folder / "eight.phy.tree").read_text().count("seq") == 8, "not 8 species in the tree")
    real = under_the_library(OPEN_MPI, 4, PUZZLE, folder, folder / "yes", ["eight.phy"])
    if real is None:
        return f"a tree of 8 species, no {OPEN_MPI} to compare with"
    ours, theirs = [(place / "eight.phy.tree").read_text() for place in (folder, real[1])]
    is_near = all(abs(length - lengths(theirs)[name]) < 1e-4 for name, length in lengths(ours).items())
    require(shape(ours) == shape(theirs) and len(lengths(ours)) == 8 and is_near, f"{ours} differs from: {theirs}")
    distances = [(place / "eight.phy.dist").read_bytes() for place in (folder, real[1])]
    require(distances[0] == distances[1], "the distances differ from those of Open MPI")
    return f"the tree of 8 species and their distances as under {OPEN_MPI}"


# ---- The benchmarks

def with_settings(folder, _):
    hpcc.input_file(400, 2, 2)(folder, HPCC_INPUT)


def curves(library):
    program, limits = f"/usr/bin/NP{library}", ["-u", "8388608", "-n", str(netpipe.REPEATS)]
    yield Run(f"netpipe, {library}", 2, [program, *limits], netpipe.verify_curve, UNTIMED)
    yield Run(f"netpipe, {library}, integrity", 2, [program, "-i", "-u", "1000000", "-n", "3"],
              netpipe.verify_integrity)
    yield Check(f"netpipe, {library}", 2, [program, "-u", "64", "-n", "2"], verdict="verified")


MELT = ["/usr/bin/lmp", "-in", str(INPUTS / "melt.in")]
JOBS = [
    lammps("melt.in", 6, "melt.mpiio"),
    lammps("salt.in", 5),
    *[Run(f"gromacs, {threads} threads", 4, simulation("water.tpr", threads), verify_water(threads),
          prepare=with_water) for threads in (1, 2)],
    Run("tree-ppuzzle", 4, PUZZLE, verify_tree, UNTIMED, with_species, "yes"),
    *curves("mpich2"), *curves("openmpi"),
    Run("hpcc", 4, ["/usr/bin/hpcc"], hpcc.verify(4), prepare=with_settings),
    Check("lammps, salt.in", 4, ["/usr/bin/lmp", "-in", str(INPUTS / "salt.in")]),
    Check("lammps, melt.in", 2, MELT),
    Check("gromacs", 2, simulation("water.tpr", 1, "-nsteps", "10"), prepare=with_water),
    Check("tree-ppuzzle", 3, PUZZLE, prepare=with_species, stdin="yes"),
]
