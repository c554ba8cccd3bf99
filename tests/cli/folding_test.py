#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse run with folded memory: what ranks share, how much memory they need, dates, and the marks of reports."""
import json
import os
import pathlib
import shutil
import subprocess
import time

from checking import EXAMPLES, REHEARSE, WithPrograms

import closing_line

MIB = 1 << 20

# Each rank writes its number into the array, and reads it after the others have written.
SHARED = """
  int* array = rehearse_shared_alloc(1 << 20, "array");
  array[5] = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  const int seen = array[5];
  printf("%d\\n", seen);
  rehearse_shared_free(array);"""

AUTOMATIC = """
  const size_t bytes = 1 << 20;
  double* plain = malloc(bytes);
  void** links = calloc(bytes / sizeof(void*), sizeof(void*));
  for (size_t i = 0; i < bytes / sizeof(double); ++i) plain[i] = rank;
  for (size_t i = 0; i < bytes / sizeof(void*); ++i) links[i] = &links[i];
  MPI_Barrier(MPI_COMM_WORLD);
  int whole = 1;
  for (size_t i = 0; i < bytes / sizeof(void*); ++i) whole &= links[i] == &links[i];
  printf("%g %d\\n", plain[0], whole);
  free(plain);
  free(links);"""


def peak_memory(words, folder):
    """Two measures of the kernel for the largest physical memory of a process, in bytes: one in which a page counts
    once however often it is mapped (sampled Pss, which may miss a short peak), and the largest resident set, in which
    it counts as often as it is mapped."""
    with open(folder / "stdout", "wb") as out:
        process = subprocess.Popen([str(word) for word in words], cwd=folder, stdout=out, stderr=out)
        once, ended = 0, 0
        while ended == 0:
            try:
                with open(f"/proc/{process.pid}/smaps_rollup", encoding="ascii") as rollup:
                    once = max([once] + [int(line.split()[1]) * 1024 for line in rollup if line.startswith("Pss:")])
            except (OSError, ValueError):
                pass
            time.sleep(0.01)
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (folder / "stdout").read_text()
    return once, usage.ru_maxrss * 1024


class Folding(WithPrograms):
    def compile_folding(self, statements, name="program", header="rehearse.h"):
        source = ("#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n" + f"#include <{header}>\n"
                  "int main(int argc, char** argv) {\n  int rank, size;\n  MPI_Init(&argc, &argv);\n"
                  "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
                  + statements + "\n  MPI_Finalize();\n  return 0;\n}\n")
        return self.compile(self.write(name + ".c", source), name)

    def report(self, *words, status=0):
        done = self.rehearse("run", *words[:-1], "--json", "report.json", words[-1], status=status)
        return done, json.loads((self.folder / "report.json").read_text())

    def graphs(self):
        self.run_program(REHEARSE, "cc", "-O2", EXAMPLES / "folding" / "dt.c", "-o", "dt")
        return self.folder / "dt"

    def test_arrays_of_one_name_and_size_are_one_array(self):
        program = self.compile_folding(SHARED)
        done, report = self.report("-n", 3, program)
        self.assertEqual(done.stdout, "2\n2\n2\n")
        [site] = report["folding"]["sites"]
        self.assertEqual((site["name"], site["bytes"], site["arrays"], site["ranks"], site["folded"]),
                         ("array", MIB, 3, 3, 3))
        done, report = self.report("-n", 3, "--no-fold", program)
        self.assertEqual(sorted(done.stdout.split()), ["0", "1", "2"])
        self.assertNotIn("folding", report)
        self.rehearse("check", "-n", 2, self.compile_folding(SHARED + "\n  rehearse_assert(seen == rank);", "checked"))

    def test_other_names_and_sizes_are_other_arrays(self):
        program = self.compile_folding("""
  int* a = rehearse_shared_alloc(1 << 20, rank == 0 ? "a" : "b");
  int* c = rehearse_shared_alloc((1 << 20) + 4096 * rank, "c");
  a[0] = c[0] = 7 + rank;
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d %d\\n", a[0], c[0]);
  rehearse_shared_free(a);
  free(c);
  c = calloc(1 << 20, 1);
  printf("%d\\n", c[0]);""")
        done, _ = self.report("-n", 2, program)
        self.assertEqual(sorted(done.stdout.splitlines()), ["0", "0", "7 7", "8 8"])

    def test_every_report_says_that_data_are_folded(self):
        program = self.compile_folding(SHARED)
        done, report = self.report("-n", 2, "--report", "page.html", program)
        self.assertEqual(report["data"], "folded")
        self.assertIn(", data: folded)", done.stderr)
        self.assertIn("folded", (self.folder / "page.html").read_text())
        done, report = self.report("-n", 2, "--no-fold", "--report", "page.html", program)
        self.assertNotIn("data", report)
        self.assertNotIn("data:", done.stderr)
        self.assertNotIn("<dd>folded", (self.folder / "page.html").read_text())
        self.rehearse("trace", "record", "-n", 2, "-o", "folded.rtrace", program)
        self.assertIn("data: folded\n", self.rehearse("trace", "info", "folded.rtrace").stdout)
        for verb in (("replay",), ("check",), ("check", "--all-orders")):
            self.rehearse("trace", *verb, "--json", "report.json", "folded.rtrace")
            self.assertIn("folded", (self.folder / "report.json").read_text().replace("folded.rtrace", ""))
        program = self.compile_folding(SHARED + '\n  for (int i = 0; i < 9; ++i) rehearse_sampled("a") {}', "both")
        _, report = self.report("-n", 2, "--sample-error", "0", "--sample-most", "2", program)
        self.assertEqual(report["data"], "not computed, folded")

    def test_findings_about_results_come_with_a_caveat(self):
        program = self.compile_folding(SHARED + "\n  rehearse_assert(seen == rank);")
        done = self.rehearse("run", "-n", 2, program, status=1)
        self.assertIn("data: folded: ranks shared memory, so a finding about results", done.stderr)
        self.rehearse("run", "-n", 2, "--no-fold", program)

    def test_a_crash_may_be_due_to_folding(self):
        program = self.compile_folding("""
  int** array = rehearse_shared_alloc(1 << 20, "array");
  array[0] = rank == 0 ? &rank : NULL;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) *array[0] = 3;""")
        done = self.rehearse("run", "-n", 2, program, status=3)
        self.assertIn("inconclusive: crash.segfault", done.stderr)
        self.assertIn("may be due to folding", done.stderr)
        self.assertNotIn("violation", done.stderr)
        self.rehearse("run", "-n", 2, "--no-fold", program)

    def test_check_refuses_the_options(self):
        program = self.compile_folding(SHARED)
        for option in ("--fold-above", "--fold-within", "--fold-keep", "--no-fold"):
            done = self.rehearse("check", "-n", 1, option, "4096", program, status=2)
            self.assert_one_error(done, option, "only for rehearse run")

    def test_options_that_mean_nothing_are_refused(self):
        program = self.compile_folding(SHARED)
        for words, expected in ((("--no-fold", "--fold-above", "4096"), "contradict"),
                                (("--fold-within", "5000"), "multiple of 4096"),
                                (("--fold-keep", "main"), "--fold-above"), (("--fold-above", "7"), "4096")):
            self.assert_one_error(self.rehearse("run", "-n", 1, *words, program, status=2), expected)

    def test_messages_from_folded_memory_cost_the_same_and_are_not_copied(self):
        program = self.compile_folding("""
  char* array = rehearse_shared_alloc(1 << 22, "array");
  char* other = calloc(1 << 22, 1);
  MPI_Request request;
  MPI_Status status;
  int count = 0;
  if (rank == 0) {
    array[9] = 1;
    MPI_Isend(array, 1 << 22, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(other, 1 << 22, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  } else {
    array[9] = 2;
    MPI_Recv(other, 1 << 22, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    printf("%d %d\\n", count, other[9]);
    MPI_Recv(array, 1 << 22, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &status);
    printf("%d\\n", array[9]);
  }
  MPI_Bcast(array, 1 << 22, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Alltoall(array, 1 << 20, MPI_BYTE, other, 1 << 20, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Allgather(array, 1 << 20, MPI_BYTE, other, 1 << 20, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Gather(array, 1 << 20, MPI_BYTE, other, 1 << 20, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Scatter(array, 1 << 20, MPI_BYTE, other, 1 << 20, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Ibcast(array, 1 << 22, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allreduce(array, other, 1 << 20, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
  MPI_Scan(array, other, 1 << 20, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(array, other, 1 << 20, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
  MPI_Reduce(array, other, 1 << 20, MPI_CHAR, MPI_MAX, 1, MPI_COMM_WORLD);
  int counts[] = {1 << 20, 1 << 19}, places[] = {1 << 21, 0};
  MPI_Allgatherv(array, counts[rank], MPI_BYTE, other, counts, places, MPI_BYTE, MPI_COMM_WORLD);
  int same[] = {1 << 19, 1 << 19};
  MPI_Alltoallv(array, same, places, MPI_BYTE, other, same, places, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Datatype columns;
  MPI_Type_vector(1 << 10, 1 << 9, 1 << 10, MPI_BYTE, &columns);
  MPI_Type_commit(&columns);
  MPI_Sendrecv(array, 1, columns, 1 - rank, 1, other, 1 << 19, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, &status);
  MPI_Sendrecv(other, 1 << 19, MPI_BYTE, 1 - rank, 1, array, 1, columns, 1 - rank, 1, MPI_COMM_WORLD, &status);""")
        done, folded = self.report("-n", 2, "--compute", "none", program)
        self.assertEqual(done.stdout, "4194304 0\n2\n")
        done, private = self.report("-n", 2, "--compute", "none", "--no-fold", program)
        self.assertEqual(done.stdout, "4194304 1\n0\n")
        self.assertEqual(folded["ranks"], private["ranks"])

    def test_the_macros_of_smpi_have_their_documented_meaning(self):
        source = self.write("macros.c", """#include <mpi.h>
#include <rehearse/smpi_compat.h>
#include <stdio.h>
#include <stdlib.h>
static int calls;
static void* make(int value) {
  int* made = malloc(sizeof *made);
  *made = value;
  ++calls;
  return made;
}
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* one = SMPI_SHARED_MALLOC(1 << 16);
  size_t blocks[] = {4096, 12288, 20000, 40000};
  char* part = SMPI_PARTIAL_SHARED_MALLOC(1 << 16, blocks, 2);
  one[0] = rank;
  static const int places[] = {0, 4096, 12287, 12288, 20479, 20480, 36863, 36864};
  for (int i = 0; i < 8; ++i) part[places[i]] = (char)('a' + rank);
  int* made = SMPI_SHARED_CALL(make, "x", 4);
  int* again = SMPI_SHARED_CALL(make, "x", 4);
  int* other = SMPI_SHARED_CALL(make, "y", 5);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d ", one[0]);
  for (int i = 0; i < 8; ++i) putchar(part[places[i]]);
  printf(" %d %d %d %d\\n", calls, *made, *again, *other);
  SMPI_SHARED_FREE(one);
  SMPI_FREE(part);
  MPI_Finalize();
  return 0;
}
""")
        program = self.compile(source, "macros")
        done, _ = self.report("-n", 2, program)
        self.assertEqual(sorted(done.stdout.splitlines()), ["1 abbaabba 2 4 4 5", "1 bbbbbbbb 0 4 4 5"])
        done = self.rehearse("run", "-n", 2, "--no-fold", program)
        self.assertEqual(sorted(done.stdout.splitlines()), ["0 aaaaaaaa 3 4 4 5", "1 bbbbbbbb 3 4 4 5"])
        self.rehearse("check", "-n", 2, program)

    def test_large_allocations_are_folded_by_themselves(self):
        program = self.compile_folding(AUTOMATIC)
        done, report = self.report("-n", 3, "--fold-above", MIB, program)
        self.assertEqual([line.split()[1] for line in done.stdout.splitlines()], ["1"] * 3)
        self.assertEqual({line.split()[0] for line in done.stdout.splitlines()}, {"2"})
        self.assertEqual([site["automatic"] for site in report["folding"]["sites"]], [True, True])
        folded, kept = sorted(report["folding"]["sites"], key=lambda site: "not_folded_because" in site)
        self.assertEqual((folded["arrays"], folded["folded"], folded["pages_apart"]), (3, 3, 0))
        self.assertEqual((kept["arrays"], kept["folded"]), (3, 0))
        self.assertIn("addresses", kept["not_folded_because"])
        self.assertIn("main at ", folded["name"])
        self.assertIn("folded: 3 arrays of 1,048,576 bytes, main at ", done.stderr)
        done, report = self.report("-n", 3, "--fold-above", MIB + 1, program)
        self.assertEqual(sorted(done.stdout.splitlines()), ["0 1", "1 1", "2 1"])
        self.assertNotIn("data", report)

    def test_pages_with_addresses_are_kept_apart(self):
        program = self.compile_folding("""
  char* array = malloc(1 << 20);
  for (int i = 0; i < 1 << 20; ++i) array[i] = (char)(rank + 1);
  *(void**)(array + 8192) = array;
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d %d\\n", *(char**)(array + 8192) == array, array[99]);
  array = realloc(array, 1 << 21);
  array[(1 << 21) - 1] = 1;
  free(array);""")
        done, report = self.report("-n", 2, "--fold-above", MIB, program)
        self.assertEqual(done.stdout, "1 2\n1 2\n")
        [site] = [site for site in report["folding"]["sites"] if site["bytes"] == MIB]
        self.assertEqual((site["folded"], site["pages_apart"]), (2, 1))

    def test_memory_of_mpi_and_mappings_fold(self):
        program = self.compile_folding("""
  int *a, *b;
  MPI_Alloc_mem(1 << 20, MPI_INFO_NULL, &a);
  b = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  a[7] = b[7] = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d %d\\n", a[7], b[7]);
  MPI_Free_mem(a);
  munmap(b, 1 << 20);
  MPI_Alloc_mem(1 << 20, MPI_INFO_NULL, &a);
  printf("%d\\n", a[7]);
  MPI_Free_mem(a);""", header="sys/mman.h")
        done, report = self.report("-n", 2, "--fold-above", MIB, program)
        self.assertEqual([line for line in done.stdout.splitlines() if " " in line], ["1 1", "1 1"])
        self.assertEqual([site["folded"] for site in report["folding"]["sites"]][:2], [2, 2])
        done, _ = self.report("-n", 2, "--fold-above", 2 * MIB, program)
        self.assertEqual(sorted(line for line in done.stdout.splitlines() if " " in line), ["0 0", "1 1"])

    def test_static_arrays_fold(self):
        source = self.write("statics.c", """#include <mpi.h>
#include <stdio.h>
static double grid[1 << 20], other[1 << 20];
int table[1 << 20] = {1}, small[1000];
static void* links[1 << 17];
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 1 << 20; ++i) grid[i] = rank;
  for (int i = 0; i < 1 << 17; ++i) links[i] = &links[i];
  table[5] = rank;
  if (rank == 0) other[9] = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  grid[12345] = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  int whole = table[5] == rank && other[9] == (rank == 0);
  for (int i = 0; i < 1 << 17; ++i) whole &= links[i] == &links[i];
  printf("%g %d\\n", grid[12345], whole);
  MPI_Finalize();
  return 0;
}
""")
        program = self.compile(source, "statics")
        done, report = self.report("-n", 4, "--compute", "none", "--fold-above", MIB, program)
        self.assertEqual({line.split()[1] for line in done.stdout.splitlines()}, {"1"})
        self.assertEqual(len({line.split()[0] for line in done.stdout.splitlines()}), 1)  # that of the last writer
        sites = {site["name"]: site for site in report["folding"]["sites"]}
        self.assertEqual(set(sites), {"grid", "other", "links"})
        self.assertEqual((sites["grid"]["folded"], sites["grid"]["ranks"], sites["grid"]["static"]), (4, 4, True))
        self.assertEqual(sites["other"]["not_folded_because"], "fewer than two ranks write to it")
        # The last page of an array may hold other variables, too, so whole pages of the array fold.
        self.assertIn("addresses", sites["links"]["not_folded_because"])
        self.assertIn("folded: 4 static arrays of 8,388,608 bytes, grid (4 ranks)", done.stderr)
        _, private = self.report("-n", 4, "--compute", "none", "--no-fold", program)
        self.assertEqual(report["ranks"], private["ranks"])
        _, report = self.report("-n", 4, "--fold-above", MIB, "--fold-keep", "grid", program)
        self.assertEqual(sum(site["folded"] for site in report["folding"]["sites"]), 0)
        _, report = self.report("-n", 4, "--compute", "none", "--fold-above", 16 * MIB, program)
        self.assertNotIn("folding", report)

    def test_huge_pages_make_page_tables_small(self):
        program = self.compile_folding("""
  char* array = rehearse_shared_alloc(256 << 20, "array");
  for (size_t i = 0; i < 256 << 20; i += 4096) array[i] = 1;
  MPI_Barrier(MPI_COMM_WORLD);""")
        _, report = self.report("-n", 8, "--compute", "none", program)
        report = report["folding"]
        self.assertEqual(report["folded_bytes"], 8 * 256 * MIB)
        if report["huge_page_bytes"] < 192 * MIB:
            self.skipTest("this kernel makes no huge pages, or has too few")
        self.assertLess(report["page_table_bytes"], 2.5 * MIB)  # with small pages: 4 MiB, 8 bytes for each of each rank

    def test_procedures_of_fortran_share_memory(self):
        if shutil.which("gfortran") is None:
            self.skipTest("there is no gfortran")
        procedure = self.write("procedure.f90", """subroutine work(rank, seen)
  use iso_c_binding
  integer(c_int) :: rank, seen
  type(c_ptr) :: memory
  integer(c_int), pointer :: values(:)
  integer(c_long_long) :: bytes = 4 * 1048576
  call rehearse_shared_alloc(bytes, "values  ", memory)
  call c_f_pointer(memory, values, [1048576])
  values(77) = rank
  call wait_for_all()
  seen = values(77)
  call rehearse_shared_free(memory)
end subroutine
""")
        self.run_program("gfortran", "-c", "-fPIC", procedure, "-o", "procedure.o")
        source = self.write("caller.c", """#include <mpi.h>
#include <stdio.h>
void work_(int* rank, int* seen);
void wait_for_all_(void) { MPI_Barrier(MPI_COMM_WORLD); }
int main(int argc, char** argv) {
  int rank, seen;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  work_(&rank, &seen);
  printf("%d\\n", seen);
  MPI_Finalize();
  return 0;
}
""")
        self.run_program(REHEARSE, "cc", source, "procedure.o", "-lgfortran", "-o", "caller")
        done, report = self.report("-n", 3, self.folder / "caller")
        self.assertEqual(done.stdout, "2\n2\n2\n")
        self.assertEqual(report["folding"]["sites"][0]["name"], "values")
        done, _ = self.report("-n", 3, "--no-fold", self.folder / "caller")
        self.assertEqual(sorted(done.stdout.split()), ["0", "1", "2"])

    def test_places_are_kept_by_name(self):
        program = self.compile_folding(AUTOMATIC)
        for keep, folded in (("main", 0), ("program.c:12", 0), ("program.c:13", 3), ("nobody", 3)):
            _, report = self.report("-n", 3, "--fold-above", MIB, "--fold-keep", keep, program)
            self.assertEqual(sum(site["folded"] for site in report["folding"]["sites"]), folded, keep)

    def test_tiles_make_an_array_small(self):
        program = self.compile_folding("""
  char* array = rehearse_shared_alloc(64 << 20, "array");
  for (size_t i = 0; i < 64 << 20; i += 4096) array[i] = (char)(i >> 20);
  printf("%d %d\\n", array[0], array[1 << 20]);
  rehearse_shared_free(array);""")
        done, report = self.report("-n", 2, "--fold-within", 2 * MIB, program)
        self.assertEqual(done.stdout, "62 63\n62 63\n")
        self.assertLessEqual(report["folding"]["shared_bytes"], 2 * MIB)
        self.assertGreaterEqual(report["folding"]["mappings"], 32)

    def test_more_tiles_than_the_kernel_allows_are_refused_with_the_number(self):
        limit = int(pathlib.Path("/proc/sys/vm/max_map_count").read_text(encoding="ascii"))
        bytes_of_array = 4096 * (limit + 1000)
        program = self.compile_folding(f'  rehearse_shared_alloc({bytes_of_array}, "array");')
        done = self.rehearse("run", "-n", 1, "--fold-within", 4096, program, status=3)
        self.assertIn(f"an array of {bytes_of_array} bytes (array) needs {limit + 1001} mappings", done.stderr)
        self.assertIn("vm.max_map_count", done.stderr)
        self.rehearse("run", "-n", 1, "--fold-within", 4096 * 8, program)

    def test_folding_changes_no_date_of_the_graphs(self):
        program = self.graphs()
        for kind, ranks in (("WH", 11), ("BH", 11), ("SH", 32)):
            reports = []
            for options in ((), ("--no-fold",), ("--fold-within", 8192)):
                self.rehearse("run", "-n", ranks, "--compute", "none", *options, "--json", "report.json", program, kind,
                              "W")
                reports.append(json.loads((self.folder / "report.json").read_text())["ranks"])
            self.assertGreater(reports[0][0]["stopped_picoseconds"], 0)
            self.assertEqual(reports[0], reports[1])
            self.assertEqual(reports[0], reports[2])

    def test_folded_graphs_need_a_fraction_of_the_memory(self):
        program = self.graphs()
        words = [REHEARSE, "run", "-n", "21", "--compute", "none"]
        _, private = peak_memory([*words, "--no-fold", program, "BH", "A"], self.folder)
        once, mapped = peak_memory([*words, "--json", "report.json", program, "BH", "A"], self.folder)
        report = json.loads((self.folder / "report.json").read_text())["folding"]
        array = 1728 * 64 * 32
        self.assertGreater(private, 26 * array)  # an array for each of 21 nodes, and an input for 5 of them
        self.assertGreater(mapped, 20 * array)
        self.assertLess(once, 1.3 * report["resident_bytes"])
        self.assertGreater(private / max(once, report["resident_bytes"]), 3)
        self.assertLess(report["shared_bytes"], 1.1 * array)


if __name__ == "__main__":
    closing_line.main()
