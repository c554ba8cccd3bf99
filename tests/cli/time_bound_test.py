# SPDX-License-Identifier: MIT
"""check --on, --time-bound: the time of every execution, predicted by replaying it; against brute force."""
import json
import unittest

from checking import BEGIN, END, WithPrograms

# A master hands tasks to workers that take rank * 0.1 s for one: whoever asks first gets the next.
WORKERS = """
  int task, next = 0, done = 0;
  if (rank == 0) {
    while (done < size - 1) {
      MPI_Status status;
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
      const int give = next < 3 ? next++ : -1;
      done += give < 0;
      MPI_Send(&give, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
    }
  } else {
    for (;;) {
      MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
      MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (task < 0) break;
      usleep(rank * 100000);
    }
  }
"""

# A reduction by hand: what rank 3 has takes 0.2 s to be combined, and whoever comes behind it waits as long.
REDUCE = """
  if (rank == 0) {
    for (int i = 1; i < size; ++i) {
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (data == 3) usleep(200000);
      MPI_Send(&data, 1, MPI_INT, data, 1, MPI_COMM_WORLD);
    }
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    usleep(300000 / rank);
  }
"""

# Rank 0 has all tasks and works itself; between two of them it gives one to whoever has asked.
STEALING = """
  enum { ask, give };
  int left = 3, thieves = size - 1;
  if (rank == 0) {
    while (thieves > 0) {
      MPI_Status status;
      int asked;
      MPI_Iprobe(MPI_ANY_SOURCE, ask, MPI_COMM_WORLD, &asked, &status);
      if (!asked && left > 0) {
        --left;
        usleep(100000);
        continue;
      }
      if (!asked) MPI_Probe(MPI_ANY_SOURCE, ask, MPI_COMM_WORLD, &status);
      MPI_Recv(&data, 1, MPI_INT, status.MPI_SOURCE, ask, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      data = left > 0 ? left-- : 0;
      thieves -= data == 0;
      MPI_Send(&data, 1, MPI_INT, status.MPI_SOURCE, give, MPI_COMM_WORLD);
    }
  } else {
    do {
      MPI_Send(&rank, 1, MPI_INT, 0, ask, MPI_COMM_WORLD);
      MPI_Recv(&data, 1, MPI_INT, 0, give, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      usleep(data > 0 ? rank * 150000 : 0);
    } while (data > 0);
  }
"""

HEAD_TO_HEAD = """
  static char big[1000000];
  MPI_Send(big, sizeof big, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(big, sizeof big, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
"""


# Rank 1 computes for a fifth of a second of processor time, whichever message rank 0 takes first.
COMPUTING = """
  if (rank == 0) {
    for (int i = 1; i < size; ++i)
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    if (rank == 1) compute(0.2);
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""

# Rank 0 takes a message of rank 2 first and stops; or that of rank 1, and all is well.
FAILING = """
  if (rank == 0) {
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    compute(0.1);
    rehearse_assert(data == 1);
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""

# The processor time of this thread by the system call itself; the program's clocks are simulated.
COMPUTE = """  #include <rehearse.h>
static double really(void) {
  struct { long seconds, nanoseconds; } now;
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(228L), "D"(3L), "S"(&now) : "rcx", "r11", "memory");
  return now.seconds + 1e-9 * now.nanoseconds;
}
static void compute(double seconds) {
  const double end = really() + seconds;
  while (really() < end) ;
}
"""


class TimeBoundTest(WithPrograms):
    def compile(self, source, name="program"):
        return super().compile("  int usleep(unsigned microseconds);\n" + source, name)

    def compile_computing(self, source, name="program"):
        return WithPrograms.compile(self, self.write(name + ".c", "#include <mpi.h>\n" + COMPUTE +
                                                     "#include <stddef.h>\n" + BEGIN + source + END), name)

    def predicted(self, program, ranks, *options, status=0):
        return self.check(program, ranks, "--on", f"cluster:{ranks}", "--buffering", "infinite", *options,
                          status=status)["predicted_seconds"]

    def is_as_by_brute_force(self, source, ranks, least, most, *options):
        program = self.compile(source)
        options = ("--compute", "none", *options)  # what is measured differs a little from process to process
        one = self.predicted(program, ranks, "--jobs", 1, *options)
        brute = self.predicted(program, ranks, "--reduction", "none", *options)
        several = self.predicted(program, ranks, "--jobs", 3, *options)
        self.assertEqual(one, several)
        for key in ("min", "max", "executions", "impossible", "histogram"):
            self.assertEqual(one[key], brute[key], key)
        self.assertEqual(sum(one["histogram"]), one["executions"])
        self.assertGreater(one["executions"], 1)
        # Messages of four bytes take well under 2 ms, all of them together.
        self.assertAlmostEqual(one["min"], least, delta=0.002)
        self.assertAlmostEqual(one["max"], most, delta=0.002)

    def test_unequal_workers(self):
        # Two tasks for the first and one for the second; all three for the second.
        self.is_as_by_brute_force(WORKERS, 3, 0.2, 0.6)

    def test_a_reduction_by_hand(self):
        # Rank 1, which has 0.3 s of work left, comes before rank 3, or behind it.
        self.is_as_by_brute_force(REDUCE, 4, 0.3, 0.5)

    def test_work_stealing(self):
        # The first thief takes one task and the owner two, one behind the other; or the second thief takes all.
        self.is_as_by_brute_force(STEALING, 3, 0.2, 0.9, "--polls", 4)

    def test_a_bound_is_a_finding_with_a_counter_example(self):
        program = self.compile(WORKERS)
        words = ("--on", "cluster:3", "--buffering", "infinite", "--time-bound")
        self.assertEqual(self.check(program, 3, *words, 0.65)["verdict"], "verified")
        report = self.check(program, 3, *words, 0.55, status=1)
        self.assertEqual([finding["id"] for finding in report["findings"] if finding["severity"] == "error"],
                         ["time.bound"])
        self.assertIn("more than 0.55 s", report["findings"][0]["message"])
        written = json.loads((self.folder / "rehearse-counterexample.json").read_text())
        self.assertEqual(written["finding"]["id"], "time.bound")
        again = self.rehearse("replay", "--json", "-", "rehearse-counterexample.json", status=1)
        self.assertGreater(json.loads(again.stdout)["simulated_seconds"], 0.55)

    def test_the_counter_example_has_the_fewest_decisions_with_which_it_takes_too_long(self):
        for source, ranks, bound, options in ((WORKERS, 3, 0.35, ()), (WORKERS, 3, 0.55, ()), (REDUCE, 4, 0.45, ()),
                                              (STEALING, 3, 0.8, ("--polls", 4))):
            with self.subTest(bound=bound, ranks=ranks):
                program = self.compile(source)
                words = ("--on", f"cluster:{ranks}", "--buffering", "infinite", "--time-bound", bound, *options)
                self.check(program, ranks, "--minimise", 30, *words, status=1)
                reported = json.loads((self.folder / "rehearse-counterexample.json").read_text())["explanation"]
                self.assertTrue(reported["fewest"])
                most = len(reported["decisions"])
                for turns in range(most + 1):
                    found = self.rehearse("check", "-n", ranks, "--search", f"bounded:{turns}", "--all", "--quiet",
                                          "--minimise", 0, "--counterexample", "bounded.json", *words, program,
                                          status=1 if turns == most else 3)
                    self.assertEqual(found.stdout, "")

    def test_computation_counts_and_the_same_history_costs_the_same(self):
        program = self.compile_computing(COMPUTING)
        times = self.predicted(program, 3, "--jobs", 1)
        self.assertEqual((times["compute"], times["executions"]), ("measured", 2))
        self.assertGreater(times["min"], 0.18)
        self.assertLess(times["max"], 2)  # the machine may be busy
        # Measured again for each execution they would differ by more than by what rank 0 does in between.
        self.assertLess(times["max"] - times["min"], 0.001)
        scaled = self.predicted(program, 3, "--jobs", 1, "--compute-scale", 10)
        self.assertGreater(scaled["min"], 1.8)

    def test_a_bound_is_judged_with_computation_and_not_without(self):
        program = self.compile_computing(COMPUTING)
        words = (program, 3, "--on", "cluster:3", "--time-bound")
        late = self.check(*words, 0.1, status=1)
        self.assertEqual([finding["id"] for finding in late["findings"] if finding["severity"] == "error"],
                         ["time.bound"])
        again = self.rehearse("replay", "--json", "-", "rehearse-counterexample.json", status=1)
        self.assertGreater(json.loads(again.stdout)["simulated_seconds"], 0.1)
        good = self.check(*words, 60)
        self.assertEqual((good["verdict"], good["exhaustive"]), ("verified", True))
        self.assertEqual(good["assumptions"],
                         ["computation takes as long as it was measured to take here (--compute measured)"])
        unknown = self.check(*words, 60, "--compute", "none", status=3)
        self.assertEqual((unknown["verdict"], unknown["reasons"]),
                         ("inconclusive", ["the time bound was judged without computation (--compute none)"]))
        self.assertEqual(unknown["predicted_seconds"]["compute"], "none")
        self.assertLess(unknown["predicted_seconds"]["max"], 0.1)
        # What takes too long without computation takes too long.
        self.check(self.compile(WORKERS), 3, "--time-bound", 0.5, "--compute", "none", status=1)

    def test_a_failure_has_a_time(self):
        program = self.compile_computing(FAILING)
        for compute, least in (("measured", 0.09), ("none", 0)):
            with self.subTest(compute=compute):
                report = self.check(program, 3, "--on", "cluster:3", "--all", "--compute", compute, status=1)
                times = report["predicted_seconds"]
                self.assertEqual((times["executions"], times["failed"], times["impossible"]), (1, 1, 0))
                seconds = report["findings"][0]["predicted_seconds"]
                self.assertTrue(least < seconds < 1, seconds)
                written = json.loads((self.folder / "rehearse-counterexample.json").read_text())
                self.assertEqual(written["predicted"], {"platform": "cluster:3", "seconds": seconds})
                self.assertEqual(written["options"]["compute"], compute)
                reported = self.rehearse("explain", "rehearse-counterexample.json").stdout
                self.assertIn(f"Predicted on cluster:3: it happens after {seconds:.9f} s", reported)
                again = json.loads(self.rehearse("replay", "--on", "cluster:3", "--json", "-",
                                                 "rehearse-counterexample.json", status=1).stdout)
                stop = next(stop for stop in again["stops"] if stop["state"] == "failed")
                self.assertEqual(again["compute"], compute)
                self.assertAlmostEqual(stop["seconds"], seconds, delta=0.5 if compute == "measured" else 1e-12)

    def test_a_deadlock_has_a_time_where_it_happens(self):
        report = self.check(self.compile(HEAD_TO_HEAD), 2, "--on", "cluster:2", "--compute", "none", status=1)
        self.assertGreaterEqual(report["findings"][0]["predicted_seconds"], 0)
        self.assertEqual(report["findings"][0]["id"], "deadlock.cycle")

    def test_computation_is_for_predicted_times(self):
        program = self.compile(WORKERS)
        for words in (("--compute", "none"), ("--compute-scale", "2"), ("--instruction-rate", "1e9")):
            self.assert_one_error(self.rehearse("check", "-n", 3, *words, program, status=2), words[0], "--on")

    def test_what_is_printed(self):
        failing = self.rehearse("check", "-n", 3, "--on", "cluster:3", "--all", self.compile_computing(FAILING),
                                status=1).stderr
        self.assertIn("1 execution fails before the end\n", failing)
        self.assertRegex(failing, r"predicted on cluster:3: \S+ happens after 0\.\d+ s\n")
        program = self.compile(WORKERS)
        done = self.rehearse("check", "-n", 3, "--on", "cluster:3", program)
        self.assertRegex(done.stderr, r"predicted on cluster:3: the fastest of \d+ executions takes 0.20\d+ s, "
                                      r"the slowest 0.60\d+ s\n(  up to 0.\d+ s #* +\d+\n){10}\Z")

    def test_what_cannot_happen_on_the_platform_is_counted_apart(self):
        times = self.predicted(self.compile(HEAD_TO_HEAD), 2)
        self.assertEqual((times["executions"], times["impossible"]), (0, 1))
        self.assertNotIn("min", times)

    def test_bad_bounds_and_platforms(self):
        program = self.compile(WORKERS)
        for words in (("--time-bound", "0"), ("--time-bound", "soon"), ("--on", "no-such-platform")):
            done = self.rehearse("check", "-n", 3, *words, program, status=2)
            self.assert_one_error(done, words[1])


if __name__ == "__main__":
    unittest.main()
