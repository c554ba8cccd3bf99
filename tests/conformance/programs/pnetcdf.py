# SPDX-License-Identifier: MIT
"""PnetCDF: a program of ours that writes a decomposed matrix collectively and reads it back, with Debian's library,
which is compiled for Open MPI. The file is read here, too, as the format CDF-5 says.
"""
import struct
from pathlib import Path

from outside import build_with, same_bytes
from recipe import Check, Recipe, Run, require

PACKAGES = ["libpnetcdf-dev", "libpnetcdf0d", "libopenmpi-dev", "libopenmpi3"]
SIZE = 12
DOUBLE, INT, SHORT = (6, ">d"), (4, ">i"), (3, ">h")


class Reader:
    """The header of a file: numbers of 8 bytes, types and tags of 4, names padded to 4."""

    def __init__(self, data):
        self.data, self.at = data, 4

    def number(self, code=">q"):
        value, = struct.unpack_from(code, self.data, self.at)
        self.at += struct.calcsize(code)
        return value

    def text(self):
        length = self.number()
        value = self.data[self.at:self.at + length].decode()
        self.at += (length + 3) // 4 * 4
        return value

    def count(self):
        self.number(">i")
        return self.number()


def variables(data):
    """Name: (type, offset) of the variables, and the names of dimensions and attributes."""
    require(data[:4] == b"CDF\x05", f"begins with {data[:4]!r}")
    reader = Reader(data)
    reader.number()
    names = {reader.text(): reader.number() for _ in range(reader.count())}
    for _ in range(reader.count()):
        name = reader.text()
        names[name] = reader.number(">i")
        reader.text()
    found = {}
    for _ in range(reader.count()):
        name = reader.text()
        for _ in range(reader.number()):
            reader.number()
        require(reader.count() == 0, f"{name} has attributes")
        kind, _, place = reader.number(">i"), reader.number(), reader.number()
        found[name] = (kind, place)
    return names, found


def verify(ranks):
    def look(folder, output):
        require("0 wrong values" in output.splitlines(), f"printed {output[:300]!r}")
        data = (folder / "matrix.nc").read_bytes()
        names, found = variables(data)
        require(names == {"row": SIZE, "column": SIZE, "title": 2}, f"the file has {names}")
        cells = [(i, j) for i in range(SIZE) for j in range(SIZE)]
        wanted = {"matrix": (DOUBLE, [100.0 * i + j for i, j in cells]),
                  "transposed": (INT, [100 * j + i for i, j in cells]),
                  "line": (SHORT, [1000 * (i % ranks) + i // ranks for i in range(SIZE)])}
        for name, ((kind, code), values) in wanted.items():
            require(found[name][0] == kind, f"{name} is of type {found[name][0]}")
            got = list(struct.unpack_from(f">{len(values)}{code[1]}", data, found[name][1]))
            require(got == values, f"{name} is {got}")
        program = Path(folder).parent / "source" / "decomposed"
        return f"{len(data)} bytes, right values, {same_bytes('mpiexec.openmpi', ranks, program, folder, 'matrix.nc')}"
    return look


RECIPE = Recipe("pnetcdf", "", build_with(PACKAGES, ["gcc"], libraries=["pnetcdf", ":libmpi.so.40"],
                                          include=["include", "lib/x86_64-linux-gnu/openmpi/include"]),
                summary="a matrix in a file of PnetCDF", jobs=[
    *[Run("decomposed", ranks, ["decomposed"], verify(ranks)) for ranks in (1, 2, 4)],
    *[Check("decomposed", ranks, ["decomposed"], verdict="verified") for ranks in (2, 3)],
])
