# SPDX-License-Identifier: MIT
"""mpi.h is accepted by every language standard, and its constants can initialise static variables."""
import shutil
import unittest

from installation import BUILD, InFolder
from closing_line import main

PROGRAM = """#include "mpi.h"
static MPI_Comm world = MPI_COMM_WORLD;
static MPI_Datatype types[] = {MPI_INT, MPI_2INT, MPI_LONG_LONG_INT};
static void* in_place = MPI_IN_PLACE;
static int source = MPI_ANY_SOURCE;
static MPI_Comm_copy_attr_function* copy = MPI_COMM_DUP_FN;
static MPI_Fint* ignored = MPI_F_STATUS_IGNORE;
static char name[MPI_MAX_PROCESSOR_NAME];
static void* nothing = NULL;
static size_t size = sizeof(uint64_t);
#if MPI_VERSION < 5
#error "MPI_VERSION cannot be used by the preprocessor"
#endif
static int send(void) { return MPI_Send(in_place, 1, types[0], source, 0, world); }
static int use(void) { return copy != 0 && ignored != 0 && name[0] != 0 && nothing == 0 && size == 8 &&
                            MPI_Comm_c2f(world) == 0; }
int main(void) { return use() ? send() : 0; }
"""


class Header(InFolder):
    def compile(self, compiler, standard, suffix, *flags):
        if shutil.which(compiler) is None:
            self.skipTest(f"{compiler} is not installed")
        source = self.write("program" + suffix, PROGRAM)
        for each in standard:
            with self.subTest(compiler=compiler, standard=each):
                self.run_program(compiler, f"-std={each}", "-pedantic", "-Wall", "-Wextra", "-Werror", *flags,
                                 f"-I{BUILD}/include", "-c", source, "-o", self.folder / "program.o")

    def test_c_of_gcc(self):
        self.compile("gcc", ["c89", "c99", "c11", "c17"], ".c", "-Wstrict-prototypes")

    def test_cxx_of_gcc(self):
        self.compile("g++", ["c++98", "c++11", "c++17", "c++20"], ".cpp", "-Wold-style-cast")

    def test_c_of_clang(self):
        self.compile("clang", ["c89", "c99", "c17"], ".c")

    def test_cxx_of_clang(self):
        self.compile("clang++", ["c++98", "c++20"], ".cpp", "-Wold-style-cast")


if __name__ == "__main__":
    main()
