#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse run --merge-pages: memory falls, writes stay private, and neither results nor dates change."""
import json
import pathlib

from checking import REHEARSE, WithPrograms

import closing_line
from folding_test import MIB, peak_memory

# Each rank has the same 16 MiB in the heap and 4 MiB of static data. Then it changes a part of its own, resizes the
# array, clears memory, and counts the words that are not as it wrote them.
PROGRAM = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
enum { count = 4 << 20, few = 1 << 20 };
static int grid[few];
int main(int argc, char** argv) {
  int rank, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int* array = malloc(count * sizeof *array);
  for (int i = 0; i < count; ++i) array[i] = 7 * i + 1;
  for (int i = 0; i < few; ++i) grid[i] = i ^ 5;
  for (int round = 0; round < 5; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = round * 999 + rank; i < count; i += 50021) array[i] += rank;
    for (int i = round * 999 + rank; i < count; i += 50021) wrong += array[i] != 7 * i + 1 + rank;
    for (int i = round * 999 + rank; i < count; i += 50021) array[i] -= rank;
  }
  for (int i = rank; i < few; i += 4096) grid[i] = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < few; ++i) wrong += grid[i] != ((i + 4096 - rank) % 4096 == 0 ? rank : (i ^ 5));
  array = realloc(array, 2 * count * sizeof *array);
  for (int i = 0; i < count; ++i) wrong += array[i] != 7 * i + 1;
  MPI_Bcast(array, few, MPI_INT, 0, MPI_COMM_WORLD);
  free(array);
  array = calloc(count, sizeof *array);
  for (int i = 0; i < count; ++i) wrong += array[i] != 0;
  free(array);
  int* pages = mmap(NULL, 8 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 2 << 20; ++i) pages[i] = i + 3;
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 2 << 20; ++i) wrong += pages[i] != i + 3;
  madvise(pages, 4 << 20, MADV_DONTNEED);
  for (int i = 0; i < 2 << 20; ++i) wrong += pages[i] != (i < 1 << 20 ? 0 : i + 3);
  munmap(pages, 8 << 20);
  printf("%d: %d\\n", rank, wrong);
  MPI_Finalize();
  return 0;
}
"""


class Merging(WithPrograms):
    def merged_program(self):
        return self.compile(self.write("merged.c", PROGRAM), "merged")

    def report(self, *words):
        done = self.rehearse("run", *words[:-1], "--json", "report.json", words[-1])
        return done, json.loads((self.folder / "report.json").read_text())

    def test_neither_results_nor_dates_change(self):
        program = self.merged_program()
        alone, private = self.report("-n", 6, "--compute", "none", program)
        self.assertEqual(sorted(alone.stdout.splitlines()), [f"{rank}: 0" for rank in range(6)])
        self.assertNotIn("merging", private)
        for every in (4096, 8 * MIB):
            done, report = self.report("-n", 6, "--compute", "none", "--verbose", "--merge-pages", "--merge-every",
                                       every, program)
            self.assertEqual(done.stdout, alone.stdout)
            self.assertEqual(report["ranks"], private["ranks"])
            self.assertNotIn("data", report)
            self.assertIn("rehearse: merged: ", done.stderr)
            merging = report["merging"]
            self.assertGreater(merging["merged_pages"], 5 * merging["physical_pages"] * 0.8)
            self.assertGreater(merging["merged_pages"], 5 * 4096)
            self.assertGreaterEqual(merging["mappings"], 5)
            self.assertFalse(merging["limited"])

    def test_memory_falls_by_the_number_of_ranks(self):
        program = self.compile(self.write("large.c", """#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int count = 4 << 20;
  double* array = malloc(count * sizeof *array);
  for (int i = 0; i < count; ++i) array[i] = 0.5 * i;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += array[i];
  MPI_Barrier(MPI_COMM_WORLD);
  free(array);
  MPI_Finalize();
  return sum < 1;
}
"""), "large")
        words = [REHEARSE, "run", "-n", "12", "--compute", "none"]
        private, _ = peak_memory([*words, program], self.folder)
        merged, _ = peak_memory([*words, "--merge-pages", "--merge-every", 16 * MIB, program], self.folder)
        array = 32 * MIB
        self.assertGreater(private, 12 * array)
        self.assertLess(merged, 4.5 * array)  # the shared one, those since the last scan, and this program

    def test_options_that_mean_nothing_are_refused(self):
        program = self.merged_program()
        for words, expected in ((("--merge-every", "4096"), "needs --merge-pages"),
                                (("--merge-pages", "--fold-above", "4096"), "contradict"),
                                (("--merge-pages", "--merge-every", "7"), "4096")):
            self.assert_one_error(self.rehearse("run", "-n", 1, *words, program, status=2), expected)

    def test_check_uses_the_merging_of_the_kernel(self):
        program = self.compile(self.write("exchange.c", """#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
"""), "exchange")
        scanner = pathlib.Path("/sys/kernel/mm/ksm/run")
        is_on = scanner.exists() and scanner.read_text().strip() == "1"
        done = self.rehearse("check", "-n", 2, "--merge-pages", program, status=0 if is_on else 2)
        if not is_on:
            self.assert_one_error(done, "check: --merge-pages: /sys/kernel/mm/ksm/run")


if __name__ == "__main__":
    closing_line.main()
