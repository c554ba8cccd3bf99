#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts and accumulates of large data, which stays in its origin's buffer under run: values in every kind of epoch, and
time."""
import itertools
import unittest

from checking import WithPrograms


class LargeOperations(WithPrograms):
    def output(self, source, ranks, *options):
        return self.rehearse("run", "-n", ranks, "--quiet", *options, self.compile(source)).stdout.splitlines()

    def test_large_puts_and_accumulates_bring_the_data_of_their_call(self):
        epochs = {
            "fences": "MPI_Win_fence(0, win); PUT MPI_Win_fence(0, win); CHANGE MPI_Win_fence(0, win);",
            "locks": "MPI_Win_lock_all(0, win); PUT MPI_Win_flush(next, win); CHANGE MPI_Win_unlock_all(win); "
                     "MPI_Barrier(MPI_COMM_WORLD);",
            "local flush": "MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win); PUT MPI_Win_flush_local(next, win); CHANGE "
                           "MPI_Win_unlock(next, win); MPI_Barrier(MPI_COMM_WORLD);",
            "requests": "MPI_Win_lock_all(0, win); RPUT MPI_Wait(&request, MPI_STATUS_IGNORE); CHANGE "
                        "MPI_Win_unlock_all(win); MPI_Barrier(MPI_COMM_WORLD);",
            "exposed": "MPI_Win_post(all, 0, win); MPI_Barrier(MPI_COMM_WORLD); MPI_Win_start(all, 0, win); PUT "
                       "MPI_Win_complete(win); CHANGE MPI_Win_wait(win);",
            "not exposed yet": "MPI_Win_start(all, 0, win); PUT MPI_Win_complete(win); CHANGE "
                               "MPI_Win_post(all, 0, win); MPI_Win_wait(win);",
            "with answers": "MPI_Win_post(all, 0, win); MPI_Win_start(all, 0, win); PUT "
                            "MPI_Get(&old, 1, MPI_INT, next, COUNT, 1, MPI_INT, win); MPI_Win_complete(win); CHANGE "
                            "MPI_Win_wait(win);",
        }
        call = "MPI_%s(from, COUNT, MPI_INT, next, 0, COUNT, MPI_INT, %s);"
        wait = "MPI_Wait(&request, MPI_STATUS_IGNORE);"
        puts = (1, call % ("Put", "win"), call % ("Rput", "win, &request"))
        accumulates = (2, call % ("Accumulate", "MPI_REPLACE, win") + call % ("Accumulate", "MPI_SUM, win"),
                       call % ("Raccumulate", "MPI_REPLACE, win, &request") + wait +
                       call % ("Raccumulate", "MPI_SUM, win, &request"))
        for name, (times, plain, with_request) in itertools.product(epochs, (puts, accumulates)):
            calls = epochs[name]
            texts = {"PUT": plain, "RPUT": with_request, "CHANGE": "for (int i = 0; i < COUNT; ++i) from[i] = -1;"}
            for word in ("RPUT", "PUT", "CHANGE"):
                calls = calls.replace(word, texts[word])
            source = """
              enum { COUNT = 50000 };
              int old = 0, *memory = calloc(COUNT + 1, sizeof(int)), *from = malloc(COUNT * sizeof(int));
              const int next = (rank + 1) %% size, last = (rank + size - 1) %% size;
              MPI_Request request;
              MPI_Group all;
              MPI_Win win;
              (void)request; (void)old;
              MPI_Comm_group(MPI_COMM_WORLD, &all);
              MPI_Win_create(memory, (COUNT + 1) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
              for (int round = 0; round < 3; ++round) {
                for (int i = 0; i < COUNT; ++i) from[i] = i + 1000 * rank + round;
                MPI_Barrier(MPI_COMM_WORLD);
                %s
                for (int i = 0; i < COUNT; ++i) assert(memory[i] == %d * (i + 1000 * last + round));
                MPI_Barrier(MPI_COMM_WORLD);
              }
              MPI_Win_free(&win);
            """ % (calls, times)
            for ranks in (1, 2, 3):
                with self.subTest(epochs=name, times=times, ranks=ranks):
                    self.output(source, ranks)

    def test_large_accumulates_of_several_ranks_add_up(self):
        self.output("""
          enum { COUNT = 50000 };
          int *memory = calloc(COUNT, sizeof(int)), *from = malloc(COUNT * sizeof(int));
          MPI_Win win;
          MPI_Win_create(memory, COUNT * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
          MPI_Win_lock_all(0, win);
          for (int round = 0; round < 10; ++round) {
            for (int i = 0; i < COUNT; ++i) from[i] = i + round * rank;
            MPI_Accumulate(from, COUNT, MPI_INT, 0, 0, COUNT, MPI_INT, MPI_SUM, win);
            if (round % 2 == 0) MPI_Win_flush_local(0, win); else MPI_Win_flush(0, win);
          }
          MPI_Win_unlock_all(win);
          MPI_Barrier(MPI_COMM_WORLD);
          for (int i = 0; rank == 0 && i < COUNT; ++i) assert(memory[i] == 4 * 10 * i + 45 * (0 + 1 + 2 + 3));
          MPI_Win_free(&win);
        """, 4)

    def test_a_large_put_takes_the_time_of_its_bytes(self):
        for calls in ("MPI_Win_fence(0, win); if (rank == 0) PUT MPI_Win_fence(0, win);",
                      "MPI_Win_lock_all(0, win); if (rank == 0) PUT MPI_Win_unlock_all(win); "
                      "MPI_Barrier(MPI_COMM_WORLD);",
                      "if (rank == 0) { MPI_Win_start(other, 0, win); PUT MPI_Win_complete(win); } "
                      "else { MPI_Win_post(other, 0, win); MPI_Win_wait(win); }"):
            times = {}
            for count in (16383, 16384):  # bytes; from the second on, the data is not copied
                source = """
                  static char memory[20000], from[20000];
                  const int partner = 1 - rank;
                  MPI_Group all, other;
                  MPI_Win win;
                  MPI_Comm_group(MPI_COMM_WORLD, &all);
                  MPI_Group_incl(all, 1, &partner, &other);
                  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
                  MPI_Barrier(MPI_COMM_WORLD);
                  const double begin = MPI_Wtime();
                  %s
                  if (rank == 1) printf("%%.0f\\n", 1e9 * (MPI_Wtime() - begin));
                  MPI_Win_free(&win);
                """ % calls.replace("PUT", f"MPI_Put(from, {count}, MPI_CHAR, 1, 0, {count}, MPI_CHAR, win);")
                times[count] = int(self.output(source, 2, "--compute", "none", "--network", "raw")[0])
            with self.subTest(calls=calls):
                self.assertGreater(times[16383], 16000)  # nanoseconds, at 1 GB/s
                self.assertLess(abs(times[16384] - times[16383]), 20)


if __name__ == "__main__":
    unittest.main()
