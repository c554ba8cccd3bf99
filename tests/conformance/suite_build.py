# SPDX-License-Identifier: MIT
"""Configures the suite for our wrapper compilers, as for a foreign MPI, and builds what its programs share.

Errors: a command that fails ends the program with the end of its output; all of it is in a log in the build folder.
"""
import os
import shutil
import subprocess
import sys

import corrections

OPTIONS = ["--enable-strictmpi", "--enable-threads=multiple", "--disable-cxx",
           "--disable-ft-tests", "--disable-collalgo-tests", "--disable-maintainer-mode"]

# Without these the programs about neighbourhood collectives and about indexed blocks of equal size would test nothing:
# the suite switches them on for MPICH alone.
SWITCHED_ON = ["TEST_NEIGHB_COLL=1", "TEST_HINDEXED_BLOCK=1"]

# What was MPICH's own and is in the standard since 4.1, and ROMIO's names of requests before MPI-2.
RENAMED = ["MPIX_Delete_error_class=MPI_Remove_error_class", "MPIX_Delete_error_code=MPI_Remove_error_code",
           "MPIX_Delete_error_string=MPI_Remove_error_string",
           "MPIO_Request=MPI_Request", "MPIO_Wait=MPI_Wait", "MPIO_Test=MPI_Test"]


def run(command, folder, log, environment):
    """Runs a command in `folder`."""
    with log.open("w") as output:
        status = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                stderr=subprocess.STDOUT, check=False).returncode
    if status != 0:
        end = "\n".join(log.read_text(errors="replace").splitlines()[-20:])
        sys.exit(f"conformance: failed with status {status}: {' '.join(command)}\n{end}\nall of it: {log}")


def configure(suite, folder, wrappers, fortran=False):
    """Makes `folder` a build folder of the suite, once; `wrappers` holds mpicc, mpifort and mpiexec."""
    languages = ["--disable-fortran"]
    if fortran:
        names = ("F77", "MPIF77", "FC", "MPIFC")
        languages = ["--enable-fortran=all", *(f"{name}={wrappers}/mpifort" for name in names)]
    macros = " ".join(f"-D{macro}" for macro in SWITCHED_ON + RENAMED)
    words = [str(suite / "configure"), f"CC={wrappers}/mpicc", f"MPICC={wrappers}/mpicc",
             f"MPIEXEC={wrappers}/mpiexec", *OPTIONS, *languages, f"CPPFLAGS={macros}"]
    finished = folder / "configured"
    if finished.is_file() and finished.read_text() == " ".join(words):
        return
    print("conformance: configuring the suite", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    environment = {**os.environ, "PATH": f"{wrappers}:{os.environ['PATH']}"}
    run(words, folder, folder / "configure.log", environment)
    for shared in ("dtpools", "util"):
        run(["make", "-j2", "-C", shared], folder, folder / f"{shared}.log", environment)
    if fortran:  # configure builds the shared part of f08 for MPICH only; for others its library is empty
        util = folder / "util"
        run(["make", "-C", "util", "libmtest_f08.la"], folder, folder / "library_f08.log", environment)
        run([f"{wrappers}/mpifort", "-c", str(suite / "util" / "mtest_f08.f90"), "-o", "mtest_f08.o"], util,
            folder / "util_f08.log", environment)
        run(["ar", "rcs", ".libs/libmtest_f08.a", "mtest_f08.o"], util, folder / "util_f08.log", environment)
    corrections.apply(suite, folder)
    finished.write_text(" ".join(words))
