#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MPI programs that never end: loops of states, their explanations and replays, and formulas of temporal logic."""
import json
import os
import unittest

from checking import WithPrograms

import closing_line

NEXT = "  const int next = (rank + 1) % size, before = (rank + size - 1) % size;\n"
PING_PONG = """
  for (;;) {
    if (rank == 0) MPI_Send(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&data, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
# Rank 0 sends to itself until it finds a message with tag 7; rank 1 sends one with tag %d.
UNTIL_FOUND = """
  if (rank == 0) {
    for (int found = 0; !found;) {
      MPI_Iprobe(1, 7, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
      MPI_Sendrecv(&data, 1, MPI_INT, 0, 0, &size, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Recv(&data, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&data, 1, MPI_INT, 0, %d, MPI_COMM_WORLD);
  }
"""
LOOPS = {
    "nonblocking": NEXT + """
  int got;
  for (;;) {
    MPI_Request all[2];
    MPI_Irecv(&got, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &all[0]);
    MPI_Isend(&data, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &all[1]);
    MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
  }
""",
    "persistent": NEXT + """
  int got;
  MPI_Request all[2];
  MPI_Recv_init(&got, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &all[0]);
  MPI_Send_init(&data, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &all[1]);
  for (;;) {
    MPI_Startall(2, all);
    MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
  }
""",
    "synchronous": """
  for (;;) {
    if (rank == 0) MPI_Ssend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
""",
    "collective": "  for (;;) MPI_Allreduce(&rank, &data, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);\n",
    "nonblocking_collective": """
  for (;;) {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
""",
    "heap": """
  for (;;) {
    int* block = malloc(100);
    block[0] = 1;
    MPI_Bcast(block, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(block);
  }
""",
}


class Endless(WithPrograms):
    def find(self, source, ranks=2, *options):
        """The report of a check that finds a loop of states."""
        report = self.check(self.compile(source), ranks, *options, status=1)
        self.assertEqual([finding["id"] for finding in report["findings"]], ["progress.cycle"])
        self.rehearse("replay", "--quiet", "rehearse-counterexample.json", status=1)
        return report

    def open_reasons(self, source, *options):
        report = self.check(self.compile(source), 2, "--max-seconds", 5, "--max-states", 3000, *options, status=3)
        self.assertEqual(report["findings"], [])
        return " ".join(report["reasons"])

    def test_a_loop_is_found_explained_and_replayed(self):
        report = self.find(PING_PONG)
        places = {(at["rank"], at["line"]) for at in report["findings"][0]["locations"]}
        self.assertEqual({rank for rank, _ in places}, {0, 1})
        explained = self.rehearse("explain", "rehearse-counterexample.json").stdout
        self.assertIn("Then forever:", explained)
        self.assertIn("rank 1 completes MPI_Recv", explained)
        self.assertRegex(explained, r"After the last step the program is in the same state as before step \d+")
        self.assertIn("reproduced progress.cycle", self.rehearse("replay", "rehearse-counterexample.json",
                                                                 status=1).stderr)

    def test_a_replay_on_a_platform_ends(self):
        self.find(PING_PONG)
        done = self.rehearse("replay", "--on", "cluster:8", "rehearse-counterexample.json", status=1)
        self.assertIn("reproduced progress.cycle", done.stderr)
        self.assertNotIn("without the schedule", done.stdout + done.stderr)

    def test_the_replay_takes_the_loop_twice(self):
        self.find(PING_PONG)
        file = self.folder / "rehearse-counterexample.json"
        lasso = json.loads(file.read_text())["lasso"]
        loop = lasso["steps"][-lasso["loop"]:]
        sends = [step for step in lasso["steps"] + loop if step["step"].startswith("rank 0 starts MPI_Send")]
        self.rehearse("trace", "record", "--of", file, "-o", "loop.rtrace", "--quiet", status=1)
        self.rehearse("trace", "convert", "--to", "ti", "loop.rtrace", "loop.ti")
        calls = "".join(path.read_text() for path in self.folder.glob("loop.ti*") if path.is_file())
        self.assertEqual(calls.count("0 send 1"), len(sends), calls)

    def test_loops_of_all_kinds_of_calls_are_found(self):
        for name, source in LOOPS.items():
            with self.subTest(name):
                self.find(source, 3 if name == "collective" else 2)

    def test_a_poll_that_nobody_answers_is_a_loop(self):
        self.find(UNTIL_FOUND.replace("%d", "8"))

    def test_a_poll_that_is_answered_at_last_is_none(self):
        self.assertIn("no state of all ranks that comes again", self.open_reasons(UNTIL_FOUND.replace("%d", "7")))

    def test_without_fairness_it_is_one(self):
        self.find(UNTIL_FOUND.replace("%d", "7"), 2, "--fair", "none")

    def test_a_counter_has_no_state_that_comes_again(self):
        reasons = self.open_reasons("  for (;; ++data) MPI_Barrier(MPI_COMM_WORLD);\n")
        self.assertIn("no state of all ranks that comes again", reasons)

    def test_random_numbers_do_not_repeat(self):
        self.open_reasons("  while (data < 9) {\n    data = rand() % 9;\n    MPI_Barrier(MPI_COMM_WORLD);\n  }\n")

    def test_a_loop_that_reads_the_time_is_open(self):
        reasons = self.open_reasons("  while (MPI_Wtime() >= 0) MPI_Barrier(MPI_COMM_WORLD);\n")
        self.assertIn("read the time", reasons)

    def test_a_loop_that_reads_a_file_is_open(self):
        (self.folder / "zeros").write_bytes(bytes(10_000_000))
        self.open_reasons("""
  FILE* file = fopen("zeros", "r");
  setvbuf(file, 0, _IONBF, 0);
  while (fgetc(file) == 0) MPI_Barrier(MPI_COMM_WORLD);
""")

    def test_a_loop_that_reads_a_pipe_is_open(self):
        os.mkfifo(self.folder / "pipe")
        reasons = self.open_reasons("""
  extern int open(const char *, int, ...);
  extern long read(int, void *, unsigned long);
  char byte = 1;
  const int nonblocking = 04000, file = open("pipe", nonblocking);
  while (byte != 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (read(file, &byte, 1) < 0) data = 1;
  }
""")
        self.assertIn("a pipe or socket", reasons)

    # The thread sleeps, and no time passes in a loop of states.
    def test_ranks_with_threads_are_refused_by_name(self):
        source = self.write("threads.c", """
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static volatile int is_over;

static void *work(void *unused) {
  usleep(1000);
  is_over = 1;
  return unused;
}

int main(int argc, char **argv) {
  int provided, all = 0;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  pthread_create(&thread, 0, work, 0);
  while (!all) {
    int mine = is_over;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  }
  pthread_join(thread, 0);
  MPI_Finalize();
  return 0;
}
""")
        report = self.check(self.compile(source, "threads"), 2, "--max-seconds", 5, "--max-states", 3000, status=3)
        self.assertIn("threads", " ".join(report["reasons"]))

    def test_choices_of_the_program_are_refused_by_name(self):
        self.assertIn("choices of the program", self.open_reasons("""
  extern int rehearse_choose_one_of(int count, const char* file, int line) __attribute__((weak));
  while (rehearse_choose_one_of(2, "", 1) < 2) MPI_Barrier(MPI_COMM_WORLD);
"""))

    def test_a_long_program_that_ends_is_verified(self):
        self.check(self.compile("  for (int i = 0; i < 30000; ++i) MPI_Barrier(MPI_COMM_WORLD);\n"), 2,
                   "--max-steps", 100)


if __name__ == "__main__":
    closing_line.main()
