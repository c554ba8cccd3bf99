# SPDX-License-Identifier: MIT
"""Programs of ours that use libraries of Debian which were compiled for MPICH or Open MPI: how they are compiled, and
the same programs under those libraries themselves, where their launchers are installed.
"""
import os
import shutil
import subprocess

import debian_binary
from recipe import Failed, require

LIBRARIES = debian_binary.LIBRARIES


def build_with(packages, compiler, include=(), folders=(), libraries=()):
    """A build of all sources of a folder with these packages; `include` and `folders` are below /usr and below the
    folder of libraries. Programs find the libraries where the packages are."""
    def build(tools, source):
        root = debian_binary.root(packages)
        found = [root / LIBRARIES / folder for folder in ("", *folders)]
        words = [f"-I{root / 'usr' / folder}" for folder in include]
        words += [f"-L{folder}" for folder in found] + [f"-Wl,-rpath,{folder}" for folder in found]
        linked = ["-Wl,--disable-new-dtags", "-Wl,--unresolved-symbols=ignore-in-shared-libs",
                  *(f"-l{name}" for name in libraries)]
        for program in sorted(path for path in source.iterdir() if path.suffix in (".c", ".f90")):
            tools.make(source, " ".join([*compiler, "-g", str(program.name), "-o", program.stem, *words, *linked]))
    return build


def under_the_library(launcher, ranks, command, folder, words=os.devnull, inputs=()):
    """What a command, with the file `words` as its standard input and copies of the files `inputs` of the folder,
    prints under its own MPI library, and the folder in which it ran; nothing if the launcher is not installed."""
    if shutil.which(launcher) is None:
        return None
    there = folder / "real"
    there.mkdir()
    for name in inputs:
        shutil.copy(folder / name, there)
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    more = ["--oversubscribe"] if "openmpi" in launcher else []
    with open(words, "rb") as given:
        done = subprocess.run([launcher, *more, "-n", str(ranks), *map(str, command)], cwd=there, env=environment,
                              timeout=120, stdin=given, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise Failed(f"{launcher}: exit status {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return done.stdout, there


def same_bytes(launcher, ranks, program, folder, name):
    """Compares a file with that of the library's own run; says what it did."""
    real = under_the_library(launcher, ranks, [program], folder)
    if real is None:
        return f"no {launcher} to compare with"
    require((real[1] / name).read_bytes() == (folder / name).read_bytes(), f"{name} differs from that of {launcher}")
    return f"the same bytes as under {launcher}"
