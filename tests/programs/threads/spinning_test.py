#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threads that wait for a variable in a loop without calls: `run` takes the processor from them, and `check` says by
name that it cannot follow them. The code that is interrupted continues with all its registers.
"""
from threaded_programs import BESIDE, JOIN, REHEARSE, ThreadedPrograms  # makes tests/tools known
import closing_line

PROGRAM = """
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int rank, size;
%s
int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, %s, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  pthread_t other;
  (void)other;
  %s
  MPI_Finalize();
  return 0;
}
"""
FLAG = "static volatile int flag;\n"
SET_LATER = FLAG + "static void* later(void* x) { usleep(300000); flag = 1; return x; }\n"


class Spinning(ThreadedPrograms):
    def finish(self, *words, status=0):
        return super().finish(*words, status=status, threads=2, limit=300)

    def compile(self, name, body, functions="", level="MPI_THREAD_FUNNELED", flags=("-O2",)):
        source = self.folder / f"{name}.c"
        source.write_text(PROGRAM % (functions, level, body))
        self.finish(REHEARSE, "cc", "-g", "-fopenmp", "-pthread", *flags, source, "-o", self.folder / name, "-lm")
        return self.folder / name

    def run_it(self, program, *options, ranks=1):
        return self.finish(REHEARSE, "run", "--no-summary", "-n", ranks, "--on", "4.xml", *options, program)

    def seconds(self, program, *options, ranks=1):
        return float(self.run_it(program, *options, ranks=ranks).stdout)

    # ---- Programs that end

    def test_a_thread_waits_for_its_creator(self):
        self.run_it(self.compile("creator", BESIDE.format(name="wait") + "flag = 1;" + JOIN,
                                 FLAG + "static void* wait(void* x) { while (!flag); return x; }"))

    def test_two_threads_take_turns(self):
        for flags in ("-O0",), ("-O2",):
            with self.subTest(flags):
                self.run_it(self.compile("turns" + flags[0], BESIDE.format(name="play") + "play(&rank);" + JOIN,
                                         "static _Atomic int turn;\nstatic void* play(void* mine) {\n"
                                         "const int odd = mine == NULL;\nfor (int i = 0; i < 20; ++i) {\n"
                                         "while (turn % 2 != odd);\n++turn; } return mine; }", flags=flags))

    def test_a_team_waits_for_a_flushed_variable(self):
        self.run_it(self.compile("team", "int ready = 0, got = 0;\n#pragma omp parallel num_threads(2)\n{\n"
                                         "if (omp_get_thread_num() == 0) { int seen = 0; while (!seen) {\n"
                                         "#pragma omp flush(ready)\nseen = *(volatile int*)&ready; }\n"
                                         "got = 7; } else { ready = 1;\n#pragma omp flush(ready)\n} }\n"
                                         "assert(got == 7);",
                                 "#include <omp.h>\n"))

    def test_interrupted_code_keeps_its_registers(self):
        # Each thread computes until the other one has computed often, and all results are the same.
        work = """
static volatile int rounds[2];
__attribute__((noinline)) static uint64_t leaf(uint64_t a, uint64_t b) {  /* uses the red zone */
  volatile uint64_t kept[8];
  for (int i = 0; i < 8; ++i) kept[i] = a * (2 * i + 1) ^ b;
  uint64_t all = 0;
  for (int i = 0; i < 8; ++i) all += kept[i] << i;
  return all;
}
__attribute__((noinline)) static uint64_t compute(int n) {
  double x[8], y = 1; long double z = 1; float f[16]; uint64_t sum = 1;
  for (int i = 0; i < 8; ++i) x[i] = i + 1;
  for (int i = 0; i < 16; ++i) f[i] = i;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 8; ++i) x[i] = x[i] * 0.999 + y / (i + 2);
    for (int i = 0; i < 16; ++i) f[i] = f[i] * 0.5f + (float)k;
    y = y * 0.5 + x[k % 8];
    z = z * 0.75L + y;
    sum = leaf(sum, (uint64_t)k) + (sum >> 7);
  }
  uint64_t bits[3] = {0, 0, 0};
  const double all = x[3] + (double)z, few = f[5] + f[11];
  memcpy(&bits[0], &all, 8);
  memcpy(&bits[1], &few, 8);
  return sum ^ bits[0] ^ (bits[1] << 1);
}
static uint64_t wanted;
static void* work(void* x) {
  const int me = x == NULL;
  while (rounds[0] < 60 || rounds[1] < 60) {
    if (compute(20000) != wanted) MPI_Abort(MPI_COMM_WORLD, 1);
    ++rounds[me];
  }
  return x;
}
"""
        for level in "MPI_THREAD_FUNNELED", "MPI_THREAD_MULTIPLE":
            for flags in ("-O0",), ("-O3", "-march=native"):
                with self.subTest(level, flags=flags):
                    program = self.compile("registers", "wanted = compute(20000);" + BESIDE.format(name="work")
                                           + "work(&rank);" + JOIN, work, level, flags)
                    self.run_it(program)
                    self.run_it(program, "--compute", "none")

    def test_a_lock_is_taken_behind_the_loop(self):
        # The creator holds the lock while it computes; the spinning thread takes it behind.
        self.run_it(self.compile("lock", "pthread_mutex_lock(&lock);" + BESIDE.format(name="wait")
                                 + "for (volatile int i = 0; i < 1000; ++i); value = 5; flag = 1;\n"
                                 "pthread_mutex_unlock(&lock);" + JOIN,
                                 FLAG + "static int value; static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
                                 "static void* wait(void* x) { while (!flag); pthread_mutex_lock(&lock);\n"
                                 "assert(value == 5); pthread_mutex_unlock(&lock); return x; }"))

    def test_a_thread_waits_for_what_another_one_receives(self):
        program = self.compile("received", "if (rank == 0) {" + BESIDE.format(name="take")
                               + "while (!flag); assert(got == 9);" + JOIN + "} else { const int nine = 9;\n"
                               "usleep(200000); MPI_Send(&nine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); }",
                               FLAG + "static int got; static void* take(void* x) {\n"
                               "MPI_Recv(&got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
                               "flag = 1; return x; }", "MPI_THREAD_MULTIPLE")
        self.run_it(program, ranks=2)
        self.run_it(program, "--compute", "none", ranks=2)

    # ---- Time

    def test_the_loop_ends_no_earlier_than_the_variable_is_set(self):
        for level in "MPI_THREAD_FUNNELED", "MPI_THREAD_MULTIPLE":
            with self.subTest(level):
                program = self.compile("late", BESIDE.format(name="later") + "const double begin = MPI_Wtime();\n"
                                       "while (!flag);\nprintf(\"%f\", MPI_Wtime() - begin);" + JOIN, SET_LATER, level)
                self.assertGreaterEqual(self.seconds(program), 0.299)
                taken = self.seconds(program, "--compute", "none")
                self.assertGreaterEqual(taken, 0.299)
                self.assertLess(taken, 0.305)

    # ---- Programs that never end

    def test_a_limit_ends_a_loop_that_never_ends(self):
        program = self.compile("never", BESIDE.format(name="wait") + "while (!flag);" + JOIN,
                               FLAG + "static void* wait(void* x) { while (!flag); return x; }")
        never_joined = self.compile("never_joined", BESIDE.format(name="wait") + JOIN,
                                    FLAG + "static void* wait(void* x) { while (!flag); return x; }",
                                    "MPI_THREAD_MULTIPLE")
        together = self.compile("together", BESIDE.format(name="wait") + "while (!flag);" + JOIN,
                                FLAG + "static void* wait(void* x) { while (!flag); return x; }", "MPI_THREAD_MULTIPLE")
        for each in program, never_joined, together:
            for options in (), ("--compute", "none"):
                with self.subTest(each.name, options=options):
                    done = self.finish(REHEARSE, "run", "-n", 2, "--max-step-seconds", 3, *options, each, status=1)
                    text = " ".join((done.stdout + done.stderr).split())
                    self.assertIn("progress.step: ", text)
                    self.assertIn("does not reach its next call within 3 seconds", text)
                    self.assertIn(f"{each.name}.c:", text)

    def test_a_check_names_the_loop(self):
        program = self.compile("checked", BESIDE.format(name="wait") + "flag = 1;" + JOIN,
                               FLAG + "static void* wait(void* x) { while (!flag); return x; }")
        done = self.finish(REHEARSE, "check", "-n", 1, "--max-step-seconds", 0.5, program, status=3)
        self.assertIn("a loop of a thread (it may wait for another thread of the rank", done.stdout + done.stderr)


if __name__ == "__main__":
    closing_line.main()
