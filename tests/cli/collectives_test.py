#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse run --collective-algorithms and rehearse list collectives: algorithms, rules, and mistakes in them."""
import json
import re

from checking import WithPrograms
from installation import ROOT

import closing_line

# Every collective once, with results that say whether data came where it belongs.
ALL = """
  int *big = calloc(4 * size, sizeof(int)), *got = calloc(4 * size, sizeof(int)), sum, i;
  for (i = 0; i < 4 * size; ++i) big[i] = rank + i;
  MPI_Barrier(MPI_COMM_WORLD);
  sum = rank == size - 1 ? 42 : 0;
  MPI_Bcast(&sum, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  assert(sum == 42);
  MPI_Allreduce(big, got, 4 * size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (i = 0; i < 4 * size; ++i) assert(got[i] == size * (size - 1) / 2 + i * size);
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) assert(sum == size - 1);
  MPI_Allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  for (i = 0; i < size; ++i) assert(got[i] == i);
  MPI_Gather(&rank, 1, MPI_INT, got, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Scatter(big, 1, MPI_INT, &sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
  assert(sum == rank);
  MPI_Alltoall(big, 2, MPI_INT, got, 2, MPI_INT, MPI_COMM_WORLD);
  for (i = 0; i < size; ++i) assert(got[2 * i] == i + 2 * rank);
  MPI_Request request;
  MPI_Iexscan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank > 0) assert(sum == rank * (rank - 1) / 2);
  MPI_Reduce_scatter_block(big, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(sum == size * (size - 1) / 2 + rank * size);
  free(big); free(got);"""


class Collectives(WithPrograms):
    def seconds(self, program, *options, ranks=8):
        self.rehearse("run", "-n", ranks, "--compute", "none", "--json", "report.json", *options, program)
        return json.loads((self.folder / "report.json").read_text())["simulated_seconds"]

    def test_results_do_not_depend_on_the_algorithm(self):
        program = self.compile(ALL)
        for rules in ("generic", "ompi", "mpich", "allreduce=ring,alltoall=bruck,broadcast=split_binary"):
            for ranks in (1, 3, 7, 8):
                self.seconds(program, "--collective-algorithms", rules, ranks=ranks)
                self.seconds(program, "--collective-algorithms", rules, "--on", "cluster:3", ranks=ranks)

    def test_every_algorithm_can_be_asked_for_and_gives_the_same_results(self):
        program = self.compile(ALL)
        by_operation = {}
        for line in self.rehearse("list", "collectives").stdout.splitlines():
            operation, name = line.split()[0].split("=", 1)
            by_operation.setdefault(operation, []).append(name)
        self.assertEqual(len(by_operation), 16)
        for turn in range(max(map(len, by_operation.values()))):
            rules = ",".join(f"{operation}={names[turn % len(names)]}" for operation, names in by_operation.items())
            self.seconds(program, "--collective-algorithms", rules, ranks=3 + turn % 7)
            self.seconds(program, "--collective-algorithms", rules, "--on", "cluster:3", "--eager", 0,
                         ranks=4 + turn % 7)

    def test_explored_collectives_have_one_execution_and_the_same_results(self):
        program = self.compile(ALL)
        for ranks in (1, 2, 3, 5):
            self.rehearse("check", "-n", ranks, "--json", "check.json", program)
            self.assertEqual(json.loads((self.folder / "check.json").read_text())["executions"], 1)

    def test_time_depends_on_the_algorithm(self):
        program = self.compile("  static char bytes[1 << 20]; MPI_Bcast(bytes, 1 << 20, MPI_CHAR, 0, MPI_COMM_WORLD);")
        times = {name: self.seconds(program, "--collective-algorithms", f"broadcast={name}")
                 for name in ("linear", "binomial", "scatter_allgather", "pipeline:segment=16K")}
        self.assertEqual(len(set(times.values())), 4)
        self.assertLess(times["scatter_allgather"], times["binomial"])
        self.assertLess(times["binomial"], times["linear"])

    def test_combining_takes_time(self):
        reduce = "  static double a[1 << 18], b[1 << 18]; MPI_{}(a, {} 1 << 18, MPI_DOUBLE, {} 0, MPI_COMM_WORLD);"
        with_sum = self.compile(reduce.format("Reduce", "b,", "MPI_SUM,"), "with_sum")
        without = self.compile(reduce.format("Bcast", "", ""), "without")
        rules = ("--collective-algorithms", "reduce=binomial,broadcast=binomial", "--on", "cluster:2", "--network",
                 "lv08")
        idle = self.seconds(without, *rules, ranks=2)
        for flops in (1, 5, 0):
            expected = flops * (8 << 18) / 10e9  # at 10 Gflop/s
            options = () if flops == 1 else ("--reduction-flops", flops)
            self.assertAlmostEqual(self.seconds(with_sum, *rules, *options, ranks=2) - idle, expected, delta=2e-6)
        self.rehearse("run", "-n", 2, "--reduction-flops", "-1", with_sum, status=2)

    def test_the_first_collective_of_a_communicator_costs_what_the_next_ones_do(self):
        program = self.compile("""
  double at[5], one = 1, sum;
  for (int round = 0; round < 4; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    at[0] = MPI_Wtime();
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    at[round + 1] = MPI_Wtime() - at[0];
  }
  if (rank == 0) printf("%.9f %.9f\\n", at[1], at[4]);""", "first")
        for rules in ("generic", "ompi", "mpich"):
            for machine in ("cluster:32", "cluster:4"):
                done = self.rehearse("run", "-n", 32, "--compute", "none", "--collective-algorithms", rules, "--on",
                                     machine,
                                     program)
                first, last = map(float, done.stdout.split())
                self.assertGreater(first, 0)
                self.assertLess(abs(first - last), 0.2 * last, (rules, machine))

    def test_takes_rules_from_a_file(self):
        program = self.compile("  MPI_Barrier(MPI_COMM_WORLD);")
        self.write("my.rules", "barrier members<9: double_ring\notherwise mpich\n")
        slow, fast = (self.seconds(program, "--collective-algorithms", rules) for rules in ("my.rules", "mpich"))
        self.assertGreater(slow, 2 * fast)

    def test_mistakes_are_one_error(self):
        program = self.compile("")
        self.write("bad.rules", "barrier: tree\nbroadcast members<4: <8 liner\n")
        for rules, words in (("fast", ("--collective-algorithms", "'fast'", "generic, ompi, mpich")),
                             ("barrier=quick", ("'barrier=quick'", "'quick'", "dissemination")),
                             ("bcast=linear", ("'bcast'", "broadcast")),
                             ("broadcast=chain:radix=x", ("'radix=x'", "radix=N")),
                             ("bad.rules", ("bad.rules:2:", "'liner'", "knomial"))):
            done = self.rehearse("run", "-n", 2, "--collective-algorithms", rules, program, status=2)
            self.assert_one_error(done, *words)

    def test_the_older_name_means_what_its_value_says(self):
        program = self.compile("MPI_Barrier(MPI_COMM_WORLD);")
        self.rehearse("run", "-n", 2, "--collectives", "ompi", program)
        refused = self.rehearse("run", "-n", 2, "--collectives", "relaxed", program, status=2)
        self.assert_one_error(refused, "--collective-algorithms", "'relaxed'", "--collective-synchronisation")
        waits = self.compile("""
          if (rank == 0) {
            MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
            MPI_Send(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
          } else {
            MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
          }""", "waits")
        for name in ("--collectives", "--collective-synchronisation"):
            self.rehearse("check", "-n", 2, name, "relaxed", waits)
            self.rehearse("check", "-n", 2, name, "synchronising", waits, status=1)
        self.rehearse("check", "-n", 2, "--collectives", "ompi", "--on", "cluster:2", program)
        refused = self.rehearse("check", "-n", 2, "--collectives", "ompi", program, status=2)
        self.assert_one_error(refused, "'ompi'", "both, relaxed, synchronising", "--on")
        refused = self.rehearse("check", "-n", 2, "--collective-algorithms", "ompi", program, status=2)
        self.assert_one_error(refused, "--collective-algorithms", "--on", "--time-bound")
        self.rehearse("check", "-n", 2, "--collectives", "both", "--collective-synchronisation", "both", program,
                      status=2)

    def test_predicted_times_follow_the_algorithms(self):
        program = self.compile("static char all[8000000]; MPI_Bcast(all, sizeof all, MPI_CHAR, 0, MPI_COMM_WORLD);")
        slowest = {}
        for rules in ("broadcast=linear", "broadcast=binomial"):
            done = self.rehearse("check", "-n", 8, "--on", "cluster:8", "--collective-algorithms", rules, "--json",
                                 "-", program)
            slowest[rules] = json.loads(done.stdout)["predicted_seconds"]["max"]
        self.assertGreater(slowest["broadcast=linear"], 1.5 * slowest["broadcast=binomial"])

    def test_the_page_lists_what_there_is(self):
        listed = self.rehearse("list", "collectives").stdout.splitlines()
        rows = [re.fullmatch(r"(\S+) +(\S.*)", line).groups() for line in listed]
        page = (ROOT / "docs" / "collectives.md").read_text()
        table = page.split("| algorithm | works |\n| --- | --- |\n")[1]
        self.assertEqual(table, "".join(f"| `{name}` | {text} |\n" for name, text in rows))


if __name__ == "__main__":
    closing_line.main()
