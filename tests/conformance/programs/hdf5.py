# SPDX-License-Identifier: MIT
"""Parallel HDF5: a program of ours that writes decomposed matrices collectively and reads them back, with Debian's
library, which is compiled for MPICH. The file must contain the values of the matrices, block by block.
"""
import struct
from pathlib import Path

from outside import build_with, same_bytes
from recipe import Check, Recipe, Run, require

PACKAGES = ["libaec0", "libhdf5-mpich-103-1", "libhdf5-mpich-dev", "libmpich-dev", "libmpich12", "libsz2"]
SIZE, CHUNK = 12, (4, 6)


def block(sign, rows, columns):
    return struct.pack(f"<{len(rows) * len(columns)}d", *(sign * (100.0 * i + j) for i in rows for j in columns))


def verify(ranks):
    def look(folder, output):
        require("0 wrong values" in output.splitlines(), f"printed {output[:300]!r}")
        data = (folder / "matrix.h5").read_bytes()
        require(data.startswith(b"\x89HDF\r\n\x1a\n"), f"begins with {data[:8]!r}")
        wanted = [block(1, range(SIZE), range(SIZE))]
        wanted += [block(-1, range(i, i + CHUNK[0]), range(j, j + CHUNK[1]))
                   for i in range(0, SIZE, CHUNK[0]) for j in range(0, SIZE, CHUNK[1])]
        missing = sum(part not in data for part in wanted)
        require(missing == 0, f"{missing} of {len(wanted)} blocks are not in the file")
        program = Path(folder).parent / "source" / "decomposed"
        return f"{len(data)} bytes, all blocks, {same_bytes('mpiexec.mpich', ranks, program, folder, 'matrix.h5')}"
    return look


BUILD = build_with(PACKAGES, ["gcc"], include=["include/hdf5/mpich", "include/x86_64-linux-gnu/mpich"],
                   folders=["hdf5/mpich"], libraries=["hdf5_mpich", ":libmpich.so.12"])
RECIPE = Recipe("hdf5", "", BUILD, summary="matrices in a file of parallel HDF5", jobs=[
    *[Run("decomposed", ranks, ["decomposed"], verify(ranks)) for ranks in (1, 2, 4)],
    *[Check("decomposed", ranks, ["decomposed"]) for ranks in (2, 3)],
    Check("filled", 2, ["decomposed", "fill"], expected=frozenset({"file.race"})),
])
