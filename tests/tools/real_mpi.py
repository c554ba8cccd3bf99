# SPDX-License-Identifier: MIT
"""Which real MPI libraries can be compiled against here. A compiler alone is not enough: packages with programs only
have it, too, without mpi.h."""
import functools
import pathlib
import shutil
import subprocess
import tempfile


C = ("program.c", "#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n")
FORTRAN = ("program.f90", "include 'mpif.h'\ncall mpi_init(i)\nend\n")


@functools.cache
def compiles(compiler, program=C):
    """Whether a program with mpi.h, or with mpif.h (FORTRAN), can be made by this compiler, such as mpicc.openmpi."""
    if shutil.which(compiler) is None:
        return False
    name, text = program
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, name)
        source.write_text(text)
        done = subprocess.run([compiler, source, "-o", source.with_suffix("")], cwd=folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0
