#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse list calls: what a program needs of MPI; and programs that cannot run: run, check and list calls say the
same, in one line that says what to do."""
import json
import re
import shutil
import struct
import unittest

from checking import REHEARSE, WithPrograms
from installation import BUILD, ROOT  # also puts tests/tools on the path

import closing_line  # noqa: E402

PLAIN = "#include <mpi.h>\nint main(int argc, char** argv) { MPI_Init(&argc, &argv); return MPI_Finalize(); }\n"
OTHER_MPI = "int MPI_Init(int* argc, char*** argv) { (void)argc, (void)argv; return 0; }\n"
FORKS = "  int fork(void); fork();"


class Coverage(unittest.TestCase):
    def test_the_readme_says_how_many_functions_are_implemented(self):
        counted = re.search(r"(\d+) of the (\d+) functions", (BUILD / "docs" / "mpi-coverage.md").read_text())
        reported = re.search(r"all (\d+) functions, of which (\d+) are implemented", (ROOT / "README.md").read_text())
        self.assertEqual(reported.groups(), counted.groups()[::-1])


class Listed(WithPrograms):
    def calls(self, program):
        self.rehearse("list", "calls", "--json", "calls.json", "--quiet", program)
        return json.loads((self.folder / "calls.json").read_text())

    def test_says_what_is_needed_and_what_of_it_is_missing(self):
        program = self.compile(FORKS + " MPI_Barrier(MPI_COMM_WORLD);")
        report = self.calls(program)
        self.assertEqual(report["program"], str(program))
        self.assertEqual([call["name"] for call in report["calls"]],
                         ["MPI_Barrier", "MPI_Comm_rank", "MPI_Comm_size", "MPI_Finalize", "MPI_Init", "fork"])
        self.assertEqual(report["unsupported"], ["fork"])
        fork = report["calls"][-1]
        self.assertEqual((fork["supported"], fork["needed_by"]), (False, [str(program)]))
        text = self.rehearse("list", "calls", program).stdout
        self.assertRegex(text, r"(?m)^MPI_Barrier$")
        self.assertRegex(text, r"(?m)^fork +not supported; ")
        self.assertIn("6 functions, 1 of them not supported\n", text)

    def test_of_a_program_with_nothing_missing(self):
        self.assertIn("all of them supported\n", self.rehearse("list", "calls", self.compile("")).stdout)
        self.assertEqual(self.rehearse("list", "calls", "--quiet", "program").stdout, "")

    def test_in_private_libraries_and_in_tools_between(self):
        library = self.write("library.c", "#include <mpi.h>\nvoid help(void) { MPI_Open_port(MPI_INFO_NULL, 0); }\n"
                                          "int MPI_Barrier(MPI_Comm c) { return PMPI_Barrier(c); }\n")
        source = self.write("main.c", PLAIN.replace("return", "void help(void); help(); MPI_Barrier(0); return"))
        self.run_program("mpicc", "-shared", "-fPIC", library, "-o", "libhelp.so")
        self.run_program("mpicc", source, "-o", "main", "-L.", "-lhelp", "-Wl,-rpath,$ORIGIN")
        report = self.calls("./main")
        names = {call["name"]: call for call in report["calls"]}
        self.assertTrue(names["MPI_Open_port"]["needed_by"][0].endswith("libhelp.so"))
        self.assertIn("PMPI_Barrier", names)
        self.assertNotIn("MPI_Barrier", names)
        self.assertIn("(in libhelp.so)", self.rehearse("list", "calls", "./main").stdout)

    def test_of_cxx_programs(self):
        source = self.write("hello.cpp", "#include <mpi.h>\n#include <string>\n#include <iostream>\n"
                                         "int main() { MPI_Init(0, 0); std::cout << std::string(3, 'x');"
                                         " return MPI_Finalize(); }\n")
        self.run_program("mpicxx", source, "-o", "hello")
        self.assertEqual([call["name"] for call in self.calls("./hello")["calls"]], ["MPI_Finalize", "MPI_Init"])

    def test_of_threads(self):
        program = self.compile("#pragma omp parallel\n  data = 1;")
        self.assertEqual(self.calls(program)["unsupported"], [])
        self.run_program("mpicc", "-fopenmp", "program.c", "-o", program)
        self.assertEqual(self.calls(program)["unsupported"], [])
        self.rehearse("run", "-n", 2, program)  # a rank sees one processor
        self.run_program(REHEARSE, "run", "-n", 2, program, OMP_NUM_THREADS="2")
        program = self.compile("#pragma omp target\n  data = 1;")
        self.run_program("mpicc", "-fopenmp", "program.c", "-o", program)
        self.assertEqual(self.calls(program)["unsupported"], ["GOMP_target_ext"])
        done = self.rehearse("run", "-n", 2, program, status=3)
        self.assertIn("GOMP_target_ext (a part of OpenMP that threads of ranks do not have)", done.stderr)
        source = self.write("thread.cpp", "#include <mpi.h>\n#include <thread>\nint main() { MPI_Init(0, 0);"
                                          " std::thread([] {}).join(); MPI_Finalize(); }\n")
        self.run_program("mpicxx", source, "-o", "thread")
        self.assertEqual(self.calls("./thread")["unsupported"], [])
        self.assertIn("pthread_create", self.rehearse("check", "-n", 1, "./thread", status=3).stderr)

    def test_names_what_ranks_must_not_do(self):
        program = self.compile("  (void)!system(argv[1]);")
        report = self.calls(program)
        self.assertEqual(report["unsupported"], ["system"])
        done = self.rehearse("run", "-n", 1, program, status=3)
        self.assertIn("inconclusive: system (a rank cannot start processes) is not supported yet", done.stderr)

    def test_of_functions_that_nobody_has(self):
        symbols = {"MPIX_Query_cuda_support": "extension of another MPI library", "mpi_sned_": "not a procedure",
                   "MPI_Sned": "not a function of the MPI standard", "_ZN3MPI4InitEv": "C++ bindings"}
        body = "".join(f"void {name}(void);" for name in symbols)
        calls = "".join(f"{name}();" for name in symbols)
        library = self.write("stub.c", "".join(f"void {name}(void) {{}}\n" for name in symbols))
        self.run_program("gcc", "-shared", "-fPIC", library, "-o", "libstub.so")
        source = self.write("unknown.c", body + "\n" + PLAIN.replace("return", calls + "return"))
        self.run_program("mpicc", source, "-o", "unknown", "-L.", "-lstub", "-Wl,-rpath,$ORIGIN")
        self.write("stub.c", "")
        self.run_program("gcc", "-shared", "-fPIC", library, "-o", "libstub.so")  # another version, without them
        report = self.calls("./unknown")
        reasons = {call["name"]: call.get("reason", "") for call in report["calls"]}
        for name, words in symbols.items():
            self.assertIn(words, reasons[name])
        self.assert_one_error(self.rehearse("run", "-n", 1, "./unknown", status=2), "undefined symbol: ", " (")


class CannotRun(WithPrograms):
    VERBS = (("run", "-n", 2), ("check", "-n", 2), ("list", "calls"))

    def refused(self, program, *says):
        for verb in self.VERBS:
            with self.subTest(verb=verb[0]):
                self.assert_one_error(self.rehearse(*verb, program, status=2), *says)

    def plain(self, *options, name="program", compiler="mpicc"):
        source = self.write("plain.c", PLAIN)
        self.run_program(compiler, source, "-o", name, *options)
        return f"./{name}"

    def with_foreign(self, soname):
        self.run_program("gcc", "-shared", "-fPIC", self.write("other.c", OTHER_MPI), "-o", "libother.so",
                         f"-Wl,-soname,{soname}")
        source = self.write("foreign.c", "int MPI_Init(int*, char***); int main(void) { return MPI_Init(0, 0); }\n")
        self.run_program("gcc", source, "-o", "foreign", "-L.", "-lother")

    def test_of_another_mpi(self):
        for soname, who in (("libmpi.so.80", "another version of MPICH or Open MPI"), ("libmpichfort.so.10", "MPICH"),
                            ("libmpi_mpifh.so.80", "Open MPI"), ("libmpichcxx.so.12", "MPICH")):
            with self.subTest(soname=soname):
                self.with_foreign(soname)
                self.refused("./foreign", "./foreign: is built with ", who, soname, "compile it with rehearse cc")

    def test_with_a_library_of_another_mpi(self):
        self.with_foreign("libmpi.so.40")
        self.run_program("gcc", "-shared", "-fPIC", self.write("mine.c", "int mine(void) { return 0; }\n"), "-o",
                         "libmine.so", "-Wl,--no-as-needed", "-L.", "-lother")
        source = self.write("main.c", PLAIN.replace("return", "int mine(void); mine(); return"))
        self.run_program("mpicc", source, "-o", "main", "-L.", "-lmine", "-Wl,-rpath,$ORIGIN",
                         "-Wl,--unresolved-symbols=ignore-in-shared-libs")
        self.refused("./main", "./main: needs the library ", "libmine.so, which is built with Open MPI")

    def test_static_or_not_position_independent(self):
        source = self.write("nothing.c", "int main(void) { return 0; }\n")
        self.run_program("gcc", "-static", source, "-o", "static")
        self.run_program("gcc", "-static-pie", source, "-o", "static-pie")
        self.refused("./static", "./static: is statically linked", "rehearse cc, without -static")
        self.refused("./static-pie", "./static-pie: is statically linked", "without -static-pie")
        self.refused(self.plain("-no-pie"), "is not position-independent", "rehearse cc, or with -fPIE -pie")

    def test_of_32_bits(self):
        source = self.write("start.c", "void _start(void) { for (;;); }\n")
        self.run_program("gcc", "-m32", "-nostdlib", "-static", "-fno-pie", "-no-pie", source, "-o", "static32")
        self.run_program("gcc", "-m32", "-nostdlib", "-fPIE", "-pie", source, "-o", "program32")
        for name in ("static32", "program32"):
            self.refused(f"./{name}", f"./{name}: is a program for another machine (i386)", "x86-64 is needed")

    def test_scripts_and_other_files(self):
        script = self.write("start.sh", "#!/bin/sh\nexec ./program\n")
        script.chmod(0o755)
        self.refused("./start.sh", "./start.sh: is a script; name the program that it starts")
        for name, content in (("notes.txt", "no program\n"), ("empty", "")):
            self.write(name, content).chmod(0o755)
            self.refused(f"./{name}", f"./{name}: is not a program", "compile it with rehearse cc")
        self.refused(self.folder, "not a file")
        self.refused("./missing", "./missing: no such program")

    def test_not_executable(self):
        program = self.folder / self.plain()
        program.chmod(0o644)
        self.refused("./program", "./program: is not executable; chmod +x ./program")

    def test_objects_and_libraries(self):
        self.plain("-c", name="plain.o")
        (self.folder / "plain.o").chmod(0o755)
        self.refused("./plain.o", "./plain.o: is an object file")
        self.refused(self.plain("-shared", "-fPIC", name="libplain.so"), "is a shared library; a program is needed")

    def test_of_another_machine(self):
        self.plain()
        image = bytearray((self.folder / "program").read_bytes())
        image[18:20] = struct.pack("<H", 183)
        (self.folder / "arm").write_bytes(image)
        (self.folder / "arm").chmod(0o755)
        self.refused("./arm", "./arm: is a program for another machine (AArch64)", "compile it here with rehearse cc")

    def test_without_mpi(self):
        self.refused(self.plain_without_mpi(), "is not an MPI program", "compile it with rehearse cc")

    def plain_without_mpi(self):
        self.run_program("gcc", self.write("nothing.c", "int main(void) { return 0; }\n"), "-o", "nothing")
        return "./nothing"

    def test_with_a_missing_library(self):
        self.run_program("gcc", "-shared", "-fPIC", self.write("mine.c", "int mine(void) { return 0; }\n"), "-o",
                         "libmine.so")
        source = self.write("main.c", PLAIN.replace("return", "int mine(void); mine(); return"))
        self.run_program("mpicc", source, "-o", "main", "-L.", "-lmine")
        self.refused("./main", "./main: needs the library libmine.so", "set LD_LIBRARY_PATH to its folder")
        done = self.run_program(REHEARSE, "run", "--no-summary", "-n", 1, "./main", LD_LIBRARY_PATH=str(self.folder))
        self.assertEqual(done.stderr, "")

    def test_code_of_cxx_for_open_mpi(self):
        """It refers to the C++ bindings, although it does not use them."""
        self.write("stub.c", "int MPI_Init(int* c, char*** v) { (void)c, (void)v; return 0; }\n"
                             "int MPI_Finalize(void) { return 0; }\n")
        self.write("bindings.c", "void _ZN3MPI3Win4FreeEv(void) {}\nvoid ompi_op_set_cxx_callback(void) {}\n")
        source = self.write("main.c", "int MPI_Init(int*, char***);\nint MPI_Finalize(void);\n"
                                      "void _ZN3MPI3Win4FreeEv(void);\nvoid ompi_op_set_cxx_callback(void);\n"
                                      "void (*const table[])(void) = {_ZN3MPI3Win4FreeEv, ompi_op_set_cxx_callback};\n"
                                      "int main(int argc, char** argv) { MPI_Init(&argc, &argv);\n"
                                      "  if (argc > 1) table[0]();\n  return MPI_Finalize(); }\n")
        for library, code in (("libmpi.so.40", "stub.c"), ("libmpi_cxx.so.40", "bindings.c")):
            self.run_program("gcc", "-shared", "-fPIC", f"-Wl,-soname,{library}", code, "-o", library)
        self.run_program("gcc", source, "-o", "main", "-L.", "-l:libmpi.so.40", "-l:libmpi_cxx.so.40")
        self.rehearse("run", "--no-summary", "-n", 2, "./main")
        done = self.rehearse("run", "--no-summary", "-n", 2, "./main", "use", status=3)
        self.assertIn("MPI::Win::Free (the C++ bindings of MPI-2, which MPI-3.0 removed)", done.stderr)

    def test_with_an_unsupported_call(self):
        program = self.compile(FORKS)
        for verb in self.VERBS[:2]:
            done = self.rehearse(*verb, program, status=3)
            self.assertRegex(done.stderr, r"\Ainconclusive: fork \(a rank cannot start processes\) is not supported"
                                          r"[^\n]*"
                                          r"rehearse list calls \S*program[^\n]*\n\Z")

    @unittest.skipIf(shutil.which("gcc") is None, "gcc is not installed")
    def test_with_a_sanitizer(self):
        program = self.plain("-fsanitize=address")
        self.refused(program, "is built with", "sanitizer", "build it without -fsanitize")


class Mistakes(WithPrograms):
    def test_of_the_verb(self):
        self.assert_one_error(self.rehearse("list", "calls", status=2), "calls of which program?")
        self.assert_one_error(self.rehearse("list", "models", "x", status=2), "unexpected argument 'x'")


if __name__ == "__main__":
    closing_line.main()
