# SPDX-License-Identifier: MIT
"""Which real MPI libraries can be compiled against here. A compiler alone is not enough: packages with programs only
have it, too, without mpi.h."""
import functools
import pathlib
import shutil
import subprocess
import tempfile


@functools.cache
def compiles(compiler):
    """Whether a program with mpi.h can be made by this compiler, such as mpicc.openmpi."""
    if shutil.which(compiler) is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "program.c")
        source.write_text("#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n")
        done = subprocess.run([compiler, source, "-o", source.with_suffix("")], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False)
    return done.returncode == 0
