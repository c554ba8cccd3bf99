# SPDX-License-Identifier: MIT
"""The wrapper compilers: alone, in a configure script, in CMake, and from an installed tree."""
import shlex
import shutil
import subprocess
import unittest

from installation import BUILD, HELLO_C, InFolder, has_verb
from closing_line import main

# What a configure script does, without autoconf: tries to compile, to link, and writes a Makefile.
CONFIGURE = """#!/bin/sh
CC=${CC:-mpicc}
echo '#include <mpi.h>
int main(int argc, char** argv) { return MPI_Init(&argc, &argv); }' > conftest.c
$CC -c conftest.c -o conftest.o || { echo "configure: error: $CC cannot compile MPI" >&2; exit 1; }
$CC conftest.o -o conftest || { echo "configure: error: $CC cannot link MPI" >&2; exit 1; }
printf 'hello: hello.c\\n\\t%s $(CFLAGS) hello.c -o hello\\n' "$CC" > Makefile
"""

CONFIGURE_AC = """AC_INIT([hello], [1])
AC_CONFIG_FILES([Makefile])
AC_PROG_CC([mpicc])
AC_CHECK_FUNC([MPI_Init], [], [AC_MSG_ERROR([no MPI])])
AC_CHECK_HEADER([mpi.h], [], [AC_MSG_ERROR([no mpi.h])])
AC_OUTPUT
"""

CMAKE_LISTS = """cmake_minimum_required(VERSION 3.20)
project(five_lines C CXX)
find_package(MPI REQUIRED COMPONENTS C CXX)
add_executable(hello hello.c)
target_link_libraries(hello MPI::MPI_C)
add_executable(hello_cxx hello_cxx.cpp)
target_link_libraries(hello_cxx MPI::MPI_CXX)
file(WRITE ${CMAKE_BINARY_DIR}/launcher "${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${MPI_C_VERSION}")
"""


class WrapperCompilers(InFolder):
    def setUp(self):
        super().setUp()
        self.write("hello.c", HELLO_C)
        self.write("hello_cxx.cpp", HELLO_C)

    def check_program(self, program):
        self.assert_pie(program)
        if has_verb("run"):
            done = self.run_program("mpiexec", "-n", "2", program)
            self.assertEqual(sorted(done.stdout.splitlines()), ["hello from 0", "hello from 1"])

    def test_make_an_ordinary_pie(self):
        self.run_program("mpicc", "-O2", "-Wall", "-Werror", "hello.c", "-o", "in_c")
        self.check_program(self.folder / "in_c")
        for compiler in ("mpicxx", "mpic++"):
            self.run_program(compiler, "hello_cxx.cpp", "-o", "in_cxx")
            self.check_program(self.folder / "in_cxx")

    def test_compile_and_link_in_two_steps(self):
        self.run_program("mpicc", "-c", "hello.c", "-o", "hello.o")
        self.assertIn(".debug_info", self.run_program("readelf", "-S", "hello.o").stdout)
        self.run_program("mpicc", "hello.o", "-o", "hello")
        self.check_program(self.folder / "hello")

    def test_stop_where_the_compiler_would(self):
        self.assertIn("MPI_Send", self.run_program("mpicc", "-E", "hello.c").stdout)
        self.assertIn("mpi.h", self.run_program("mpicc", "-M", "hello.c").stdout)
        self.run_program("mpicc", "-S", "hello.c", "-o", "hello.s")
        self.assertTrue((self.folder / "hello.s").exists())

    def test_are_the_compiler_without_an_input_file(self):
        for question in ("--version", "-dumpmachine", "-print-search-dirs"):
            self.assertEqual(self.run_program("mpicc", question).stdout,
                             self.run_program("cc", question).stdout)
        self.assertIn("no input files", self.run_program("mpicc", status=1).stderr)
        self.assertIn("example", self.run_program("mpicc", "--help").stdout)

    def test_hand_on_the_failure_of_the_compiler(self):
        self.write("wrong.c", "int main(void) { return nothing; }\n")
        self.assertIn("nothing", self.run_program("mpicc", "wrong.c", status=1).stderr)

    def test_say_what_compiles_cxx_where_the_c_compiler_fails(self):
        self.write("text.cpp", "#include <iostream>\nint main() { std::cout << 1; }\n")
        self.assertIn("rehearse: note: text.cpp is C++: rehearse c++ compiles it",
                      self.run_program("mpicc", "text.cpp", "-o", "text", status=1).stderr)
        self.assertEqual(self.run_program("mpicc", "-c", "text.cpp").stderr, "")
        self.assertNotIn("C++", self.run_program("mpicxx", "wrong.cpp", status=1).stderr)

    def test_answer_what_build_systems_ask(self):
        include, library = f"-I{BUILD}/include", f"-L{BUILD}/lib"
        self.assertIn(include, shlex.split(self.run_program("mpicc", "-showme:compile").stdout))
        link = shlex.split(self.run_program("mpicc", "-showme:link").stdout)
        self.assertIn(library, link)
        self.assertIn("-lmpi_abi", link)
        shown = shlex.split(self.run_program("mpicxx", "-show", "-O3", "a b.cpp").stdout)
        self.assertEqual(shown[:6], ["c++", include, "-g", "-O3", "a b.cpp", library])
        wrong = self.run_program("mpicc", "-showme:nonsense", status=2)
        self.assertIn("accepted: -show", wrong.stderr)

    def test_put_the_question_before_calls_that_tell_of_accesses(self):
        self.write("sum.c", "int sum(int *a, short *b) { return *b += *a; }\n")
        for pipe in ((), ("-pipe",)):
            self.run_program("mpicc", "--check-memory", "-O2", *pipe, "-c", "sum.c", "-o", "sum.o")
            symbols = self.run_program("nm", "sum.o").stdout
            self.assertIn("U __tsan_read4", symbols)
            self.assertEqual("U __rehearse_clear" in symbols, not pipe, symbols)  # a pipe is handed on as it is
        code = self.run_program("objdump", "-dr", "sum.o").stdout
        self.assertNotIn("__rehearse_clear", code)
        self.run_program("mpicc", "--check-memory", "-O2", "-c", "sum.c", "-o", "sum.o")
        code = self.run_program("objdump", "-dr", "sum.o").stdout
        calls = [code.count(f"__tsan_{how}{size}") for how in ("read", "write") for size in (2, 4)]
        self.assertEqual(code.count("__rehearse_clear"), sum(calls))
        self.write("wrong.s", " call *__tsan_read4@GOTPCREL(%rip)\n nonsense\n")
        self.assertIn("nonsense", self.run_program("mpicc", "--check-memory", "-c", "wrong.s", status=1).stderr)

    def test_take_another_compiler(self):
        shown = self.run_program("mpicc", "-show", "hello.c", REHEARSE_CC="ccache gcc").stdout
        self.assertTrue(shown.startswith("ccache gcc "), shown)
        self.assertTrue(self.run_program("mpicxx", "-cxx=clang++", "-show").stdout.startswith("clang++ "))
        missing = self.run_program("mpicc", "hello.c", status=2, REHEARSE_CC="no-such-compiler")
        self.assertEqual(len(missing.stderr.splitlines()), 1)
        self.assertIn("REHEARSE_CC", missing.stderr)

    def test_name_the_wrapper_for_fortran(self):
        self.write("solver.f90", "program solver\nend program\n")
        for name, *arguments in (("mpicc", "-O2", "solver.f90", "-o", "solver"), ("mpicxx", "-c", "solver.f90")):
            refused = self.run_program(name, *arguments, status=2)
            self.assertEqual(len(refused.stderr.splitlines()), 1, refused.stderr)
            self.assertIn("solver.f90: is Fortran; compile it with rehearse fortran (mpifort)", refused.stderr)
        self.assertFalse((self.folder / "solver").exists())

    def test_refuse_other_fortran_compilers(self):
        self.write("solver.f90", "program solver\nend program\n")
        cache = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        for compiler, reason in (("no-such-fortran", "cannot be run; install gfortran, or set REHEARSE_FC"),
                                 ("gcc", "accepted: gfortran")):
            refused = self.run_program("mpifort", "-c", "solver.f90", status=2, REHEARSE_FC=compiler, **cache)
            self.assertEqual(len(refused.stderr.splitlines()), 1, refused.stderr)
            self.assertIn(reason, refused.stderr)

    @unittest.skipUnless(shutil.which("gfortran"), "gfortran is not installed")
    def test_compile_the_modules_once(self):
        self.write("solver.f90", "program solver\n use mpi_f08\n call MPI_Init()\n call MPI_Finalize()\nend program\n")
        cache = self.folder / "cache"
        for name in ("mpifort", "mpif90", "mpif77"):
            self.run_program(name, "solver.f90", "-o", "solver", XDG_CACHE_HOME=str(cache))
        made = list((cache / "rehearse").iterdir())
        self.assertEqual(len(made), 1, made)
        names = {file.name for file in made[0].iterdir()}
        self.assertLessEqual({"mpi.mod", "mpi_f08.mod", "librehearse_fortran.a"}, names)
        flags = self.run_program("mpifort", "-showme:compile", XDG_CACHE_HOME=str(cache)).stdout
        self.assertIn(f"-I{made[0]}", flags)
        self.assertIn("-fallow-argument-mismatch", flags)
        self.assertIn("lmpi_abi", self.run_program("mpifort", "-showme:link", XDG_CACHE_HOME=str(cache)).stdout)
        self.write("unwritable", "a file")
        refused = self.run_program("mpifort", "solver.f90", status=2, XDG_CACHE_HOME=str(self.folder / "unwritable"))
        self.assertIn("set XDG_CACHE_HOME", refused.stderr)

    @unittest.skipUnless(shutil.which("gfortran"), "gfortran is not installed")
    def test_serve_find_package_mpi_for_fortran(self):
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(p Fortran)\n"
                   "find_package(MPI REQUIRED COMPONENTS Fortran)\nadd_executable(solver solver.f90)\n"
                   "target_link_libraries(solver MPI::MPI_Fortran)\n"
                   "if(NOT MPI_Fortran_HAVE_F77_HEADER OR NOT MPI_Fortran_HAVE_F90_MODULE OR NOT "
                   "MPI_Fortran_HAVE_F08_MODULE)\n message(FATAL_ERROR interfaces)\nendif()\n")
        self.write("solver.f90", "program solver\n use mpi_f08\n call MPI_Init()\n call MPI_Finalize()\nend program\n")
        cache = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        self.run_program("cmake", "-S", ".", "-B", "fortran", **cache)
        self.run_program("cmake", "--build", "fortran", **cache)
        self.assertIn("libmpi_abi", self.run_program("readelf", "-d", "fortran/solver").stdout)

    def test_make_a_pie_with_a_compiler_that_would_not(self):
        compiler = self.write("no_pie_cc", "#!/bin/sh\ncase \" $* \" in *\" -fPIE \"*|*\" -pie \"*) ;; "
                              "*) set -- -fno-pie -no-pie \"$@\" ;; esac\nexec cc \"$@\"\n")
        compiler.chmod(0o755)
        self.run_program("mpicc", "hello.c", "-o", "hello", REHEARSE_CC=str(compiler))
        self.assert_pie(self.folder / "hello")
        shown = self.run_program("mpicc", "-c", "-fPIC", "hello.c", "-show", REHEARSE_CC=str(compiler)).stdout
        self.assertNotIn("-fPIE", shown)

    def test_serve_a_configure_script_and_make(self):
        self.write("configure", CONFIGURE).chmod(0o755)
        self.run_program("./configure")
        self.run_program("make", "CFLAGS=-O2 -Wall")
        self.check_program(self.folder / "hello")

    @unittest.skipUnless(shutil.which("autoreconf"), "autoconf is not installed")
    def test_serve_autoconf(self):
        self.write("configure.ac", CONFIGURE_AC)
        self.write("Makefile.in", "hello: hello.c\n\t@CC@ @CFLAGS@ hello.c -o hello\n")
        self.run_program("autoreconf", "-i")
        self.run_program("./configure", "CC=mpicc")
        self.run_program("make")
        self.check_program(self.folder / "hello")

    def test_serve_find_package_mpi(self):
        self.write("CMakeLists.txt", CMAKE_LISTS)
        self.run_program("cmake", "-S", ".", "-B", "out", "-DCMAKE_BUILD_TYPE=Release")
        self.run_program("cmake", "--build", "out")
        for name in ("hello", "hello_cxx"):
            self.check_program(self.folder / "out" / name)
        launcher = (self.folder / "out" / "launcher").read_text().strip()
        self.assertEqual(launcher, str(BUILD / "libexec/rehearse/bin/mpiexec") + " -n 5.0")

    def test_work_from_an_installed_tree(self):
        prefix = self.folder / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
        wrappers = prefix / "libexec" / "rehearse" / "bin"
        for name in ("mpicc", "mpicxx", "mpic++", "mpif77", "mpif90", "mpifort", "mpiexec", "mpirun"):
            self.assertTrue((wrappers / name).exists(), name)
        self.run_program("mpicc", "hello.c", "-o", "hello", wrappers=wrappers)
        self.assert_pie(self.folder / "hello")
        self.assertIn(f"{prefix}/lib", self.run_program("readelf", "-d", "hello").stdout)
        self.assertTrue((prefix / "include" / "mpi.h").exists())
        self.assertTrue((prefix / "bin" / "rehearse").exists())


if __name__ == "__main__":
    main()
