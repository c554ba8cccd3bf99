#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The fourteen mistakes that were found in another simulator of MPI (SimGrid's SMPI, up to 4.2): one test each, named
by the mistake, in the order of that list.

Of what is not here yet (one-sided communication, files) the test is that nobody is given a wrong result: the call is
refused by its name. Whoever adds it replaces the test by one of what it does.
"""
import json
import mmap
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from checking import WithPrograms  # noqa: E402

import closing_line  # noqa: E402  (found by checking)

RULES = ("ompi", "mpich", "generic")

# The k-th block that rank s sends to rank d has bytes of value s + 3 d + k.
ALLTOALL = """
  enum { largest = 70000 };
  for (int bytes = 1; bytes <= largest; bytes = bytes * 23 + 2) {
    char *out = malloc(size * bytes), *in = calloc(size, bytes);
    int counts[size], places[size];
    for (int peer = 0; peer < size; ++peer) {
      counts[peer] = bytes;
      places[peer] = peer * bytes;
      memset(out + places[peer], rank + 3 * peer, bytes);
    }
    for (int variant = 0; variant < 2; ++variant) {
      memset(in, 0, size * bytes);
      if (variant == 0)
        MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
      else
        MPI_Alltoallv(out, counts, places, MPI_CHAR, in, counts, places, MPI_CHAR, MPI_COMM_WORLD);
      for (int i = 0; i < size * bytes; ++i) assert(in[i] == (char)(i / bytes + 3 * rank));
    }
    free(out);
    free(in);
  }"""


def reading_takes_memory():
    """Whether this kernel gives each page that is read memory of its own. Most share one page of zeros."""
    pages = 4096
    with mmap.mmap(-1, pages * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        before = resident_pages()
        for page in range(pages):
            memory[page * mmap.PAGESIZE]
        return resident_pages() - before > pages // 2


def resident_pages():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1])


def available_megabytes():
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("MemAvailable"))


class PeerMistakes(WithPrograms):
    def run_both(self, program, ranks):
        """In simulated time, and in all executions."""
        self.rehearse("run", "-n", ranks, program)
        self.assertEqual(self.check(program, ranks)["verdict"], "verified")

    def simulated(self, *words):
        """What a program that prints a number on one rank says."""
        return float(self.rehearse("run", "--compute", "none", *words).stdout)

    def test_01_communicators_are_not_isolated(self):
        """Messages of a communicator of MPI_Comm_split_type were received on MPI_COMM_WORLD."""
        self.run_both(self.compile("""
  MPI_Comm shared;
  int mine, in_shared = 111, in_world = 222;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);
  MPI_Comm_rank(shared, &mine);
  MPI_Request sends[2];
  MPI_Isend(&in_shared, 1, MPI_INT, mine, 7, shared, &sends[0]);
  MPI_Isend(&in_world, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &sends[1]);
  MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(data == 222);
  MPI_Recv(&data, 1, MPI_INT, mine, 7, shared, MPI_STATUS_IGNORE);
  assert(data == 111);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&shared);"""), 2)

    def test_02_waitany_blocks_on_a_nonblocking_barrier(self):
        """Waitany({Ibarrier, Irecv}) waited for the barrier; Testany of a pending collective said that it was done."""
        program = self.compile("""
  MPI_Request requests[2];
  int index, flag, start = 0;
  if (rank == 0) {
    MPI_Irecv(&data, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Testany(1, requests, &index, &flag, MPI_STATUS_IGNORE);
    assert(!flag && index == MPI_UNDEFINED);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    assert(index == 1);
    MPI_Send(&start, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&start, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    MPI_Recv(&start, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }""")
        self.rehearse("run", "-n", 2, program)
        self.assertEqual(self.check(program, 2)["verdict"], "verified")

    def test_03_locks_of_windows_exclude(self):
        program = self.compile("""
  int old, counter = 0;
  MPI_Win window;
  MPI_Win_create(&counter, sizeof counter, sizeof counter, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int i = 0; i < 5; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    ++old;
    MPI_Put(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  assert(rank != 0 || counter == 5 * size);
  MPI_Win_free(&window);""")
        self.rehearse("run", "-n", 3, program)

    def test_04_displacements_in_windows_are_checked(self):
        program = self.compile("""
  MPI_Win window;
  MPI_Win_create(&data, sizeof data, sizeof data, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(&rank, 1, MPI_INT, 0, 100000, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);""")
        self.assertEqual(self.check(program, 2, status=1)["findings"][0]["id"], "rma.range")

    def assert_refused(self, function, statements):
        program = self.compile("  " + statements)
        for verb in ("run", "check"):
            done = self.rehearse(verb, "-n", 2, program, status=3)
            self.assertIn(function, done.stderr)

    def test_05_messages_over_2_gib_lose_their_size(self):
        """The size was an int: such a message was sent before it was received, and its count was negative."""
        needed = 8192 if reading_takes_memory() else 1024
        if available_megabytes() < needed:
            self.skipTest(f"messages over 2 GiB: this machine has less than {needed} MiB of memory to spare")
        program = self.compile("""
  unsigned sleep(unsigned seconds);
  enum { count = 300 * 1000 * 1000 };  /* 2.4 GB */
  double* numbers = calloc(count, sizeof *numbers);
  assert(numbers != NULL);
  MPI_Status status;
  if (rank == 0) {
    numbers[0] = 1;
    numbers[count - 1] = 2;
    const double begin = MPI_Wtime();
    MPI_Send(numbers, count, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    assert(MPI_Wtime() - begin > 10);
  } else if (rank == 1) {
    sleep(11);
    MPI_Recv(numbers, count, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, &status);
    MPI_Count bytes;
    MPI_Get_count(&status, MPI_DOUBLE, &data);
    MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    assert(data == count && bytes == 8LL * count);
    MPI_Get_count(&status, MPI_BYTE, &data);
    assert(data == MPI_UNDEFINED);
    assert(numbers[0] == 1 && numbers[1] == 0 && numbers[count - 1] == 2);
  }
  free(numbers);""")
        peak = self.peak_megabytes("run", "-n", "2", program)
        if not reading_takes_memory():
            self.assertLess(peak, 700, "pages that nobody touched stay untouched")

    def peak_megabytes(self, *words):
        """Of a run that succeeds."""
        import resource
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.rehearse(*words)
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        return max(before, after) / 1024

    def test_06_files_hold_no_data(self):
        program = self.compile("""
  int back = 0;
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_read_at(file, 4 * rank, &back, 1, MPI_INT, MPI_STATUS_IGNORE);
  assert(back == rank);
  MPI_File_close(&file);""")
        self.rehearse("run", "-n", 2, program)
        self.assertEqual((self.folder / "data").read_bytes(), bytes([0, 0, 0, 0, 1, 0, 0, 0]))

    def test_07_alltoall_aborts_where_the_number_of_ranks_is_no_power_of_two(self):
        program = self.compile(ALLTOALL)
        for ranks in (3, 5, 6, 7, 9, 12):
            for rules in RULES:
                with self.subTest(ranks=ranks, rules=rules):
                    self.rehearse("run", "-n", ranks, "--collectives", rules, program)

    def test_08_reports_fail_on_collectives_of_part_of_the_ranks(self):
        program = self.compile("""
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  int sum;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
  if (rank % 2) MPI_Barrier(half);
  MPI_Comm_free(&half);""")
        done = self.rehearse("run", "-n", 5, "--verbose", "--json", "report.json", program)
        self.assertIn("5 ranks took", done.stderr)
        self.assertEqual(len(json.loads((self.folder / "report.json").read_text())["ranks"]), 5)
        self.check(program, 5)

    def test_09_the_exit_status_after_abort_is_0(self):
        program = self.compile("  if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 42);")
        for verb in ("run", "check"):
            self.assertIn("42", self.rehearse(verb, "-n", 2, program, status=1).stderr)
        self.assertNotEqual(self.run_program("mpiexec", "-n", 2, program, status=None).returncode, 0)

    def test_10_types_of_cxx_do_not_compile(self):
        source = self.write("types.cpp", """
#include <mpi.h>
#include <complex>
#include <cstdlib>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const MPI_Datatype types[] = {MPI_CXX_BOOL, MPI_CXX_FLOAT_COMPLEX, MPI_CXX_DOUBLE_COMPLEX,
                                MPI_CXX_LONG_DOUBLE_COMPLEX};
  const int sizes[] = {sizeof(bool), sizeof(std::complex<float>), sizeof(std::complex<double>),
                       sizeof(std::complex<long double>)};
  for (int i = 0; i < 4; ++i) {
    int size = 0;
    MPI_Type_size(types[i], &size);
    if (size != sizes[i]) std::abort();
  }
  const std::complex<double> mine(1, 2);
  std::complex<double> sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_CXX_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  if (sum != std::complex<double>(3, 6)) std::abort();
  MPI_Finalize();
}
""")
        self.run_program("mpicxx", source, "-o", "types")
        self.run_both(self.folder / "types", 3)

    def test_11_polls_of_one_rank_slow_down_the_others(self):
        """A count of failed tests was shared: 100 of them cost 0.5 s on one rank, and 4 s on each of eight."""
        program = self.compile("""
  MPI_Request request;
  MPI_Irecv(&data, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &request);
  const double begin = MPI_Wtime();
  for (int flag, i = 0; i < 100; ++i) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  const double spent = MPI_Wtime() - begin;
  MPI_Send(&rank, 1, MPI_INT, rank, 7, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 0) printf("%.9f\\n", spent);""")
        alone = self.simulated("-n", 1, "--on", "cluster:8", program)
        self.assertLess(alone, 0.01)
        self.assertAlmostEqual(self.simulated("-n", 8, "--on", "cluster:8", program), alone, places=6)

    def test_12_replays_know_less_than_recordings(self):
        """Recordings with these calls could not be replayed, or were replayed with other messages. What we record is
        counter-examples: each replays to the error that it was recorded for."""
        program = self.compile("""
  int number, sum;
  MPI_Request requests[2];
  MPI_Datatype column;
  static double matrix[8][8];
  MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank > 1, rank, &pair);
  MPI_Comm_rank(pair, &number);
  if (number == 0) MPI_Ssend(matrix, 1, column, 1, 3, pair);
  if (number == 1) MPI_Recv(matrix, 8, MPI_DOUBLE, 0, 3, pair, MPI_STATUS_IGNORE);
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, pair, &requests[0]);
  MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, pair, &requests[1]);
  MPI_Send(&rank, 1, MPI_INT, 1 - number, 4, pair);
  for (int index, i = 0; i < 2; ++i) MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  MPI_Comm_free(&pair);
  MPI_Type_free(&column);
  if (rank == 0)
    for (int i = 0; i < 2; ++i) {
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (i == 0) assert(data == 2);
    }
  else if (rank > 1) MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);""")
        report = self.check(program, 4, "--counterexample", "found.json", status=1)
        self.assertEqual({f["id"] for f in report["findings"] if f["severity"] == "error"}, {"assertion.failed"})
        done = self.rehearse("replay", "found.json", status=1)
        self.assertIn("reproduced assertion.failed", done.stderr)

    def test_13_the_simulator_s_own_time_is_billed_to_the_program(self):
        """Making a communicator cost simulated time as if it were computation, and the first collective of each
        communicator simulated an exchange between all: 65 times the second one."""
        program = self.compile("""
  double one = 1, sum, dates[4];
  MPI_Comm copy;
  dates[0] = MPI_Wtime();
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Barrier(MPI_COMM_WORLD);
  dates[1] = MPI_Wtime();
  for (int i = 0; i < 2; ++i) {
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, copy);
    MPI_Barrier(MPI_COMM_WORLD);
    dates[2 + i] = MPI_Wtime();
  }
  MPI_Comm_free(&copy);
  if (rank == 0) printf("%.9f %.9f %.9f\\n", dates[1] - dates[0], dates[2] - dates[1], dates[3] - dates[2]);""")
        for compute in ("none", "measured"):
            for rules in RULES:
                with self.subTest(compute=compute, rules=rules):
                    done = self.rehearse("run", "-n", 64, "--on", "cluster:64", "--compute", compute,
                                         "--collectives", rules, program)
                    made, first, second = (float(word) for word in done.stdout.split())
                    self.assertLess(first, 1.5 * second + (0 if compute == "none" else 1e-3))
                    if compute == "none":  # otherwise the program's first steps are in it
                        self.assertLess(made, 4 * second)

    def test_14_tools_inside_the_program_are_not_called(self):
        """A program that defines MPI_Send itself, and calls PMPI_Send, was never asked."""
        source = self.write("tool.c", """
#include <assert.h>
#include <mpi.h>
static int sends, finalizes;
int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  ++sends;
  return PMPI_Send(buffer, count, type, to, tag, comm);
}
int MPI_Finalize(void) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  assert(sends == (rank == 0 ? 3 : 0));
  ++finalizes;
  return PMPI_Finalize();
}
int main(int argc, char** argv) {
  int rank, data = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i) {
    if (rank == 0) MPI_Send(&data, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&data, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  assert(finalizes == 1);
  return 0;
}
""")
        self.run_program("mpicc", source, "-o", "tool")
        self.run_both(self.folder / "tool", 2)


if __name__ == "__main__":
    closing_line.main()
