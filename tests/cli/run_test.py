#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse run: output, labels, reports and exit statuses."""
import json

from checking import EXAMPLES, ROOT, WithPrograms

import closing_line

PING = """
  char buffer[1000000] = {0};
  if (rank == 0) MPI_Send(buffer, sizeof buffer, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(buffer, sizeof buffer, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""


class Run(WithPrograms):
    def report(self, *words, status=0):
        self.rehearse("run", *words[:-1], "--json", "report.json", words[-1], status=status)
        return json.loads((self.folder / "report.json").read_text())

    def test_shows_the_output_and_one_line_besides(self):
        program = self.compile('  printf("rank %d of %d\\n", rank, size); fprintf(stderr, "note\\n");')
        done = self.rehearse("run", "-n", 3, program)
        self.assertEqual(sorted(done.stdout.splitlines()), [f"rank {i} of 3" for i in range(3)])
        *notes, last = done.stderr.splitlines()
        self.assertEqual(notes, ["note"] * 3)
        self.assertRegex(last, r"^rehearse: 3 ranks took \d+\.\d{9} s on cluster:3 \(3 hosts, network mpi "
                               r"uncalibrated, computation measured\)$")

    def test_leaves_the_line_out_where_it_would_be_in_the_way(self):
        program = self.compile('  fprintf(stderr, "note\\n");')
        for words in (("--quiet",), ("--no-summary",), ("--json", "-")):
            self.assertEqual(self.rehearse("run", "-n", 2, *words, program).stderr, "note\n" * 2, words)
        self.assertEqual(self.run_program("mpiexec", "-n", "2", program).stderr, "note\n" * 2)

    def test_labels_lines_with_their_rank(self):
        done = self.rehearse("run", "-n", 2, "--label", self.compile('  printf("a\\nb\\n");'))
        self.assertEqual(sorted(done.stdout.splitlines()), ["[0] a", "[0] b", "[1] a", "[1] b"])

    def test_hands_arguments_to_the_program(self):
        done = self.rehearse("run", "-n", 1, self.compile('  printf("%s|%s\\n", argv[1], argv[2]);'), "-n", "two words")
        self.assertEqual(done.stdout, "-n|two words\n")

    def test_reports_time_and_traffic_of_each_rank(self):
        report = self.report("-n", 2, "--on", "cluster:2", "--compute", "none", self.compile(PING))
        self.assertGreater(report["simulated_seconds"], 1000000 / 1.25e9)
        self.assertGreater(report["wall_seconds"], 0)
        self.assertEqual(list(report["ranks"][0])[:7],
                         ["rank", "host", "exit", "compute_seconds", "mpi_seconds", "messages", "bytes"])
        self.assertEqual([rank["exit"] for rank in report["ranks"]], [0, 0])
        self.assertEqual(report["ranks"][0]["bytes"], 1000000)

    def test_without_computation_the_same_run_takes_the_same_time(self):
        program = self.compile(PING)
        times = {self.report("-n", 4, "--compute", "none", program)["simulated_seconds"] for _ in range(2)}
        self.assertEqual(len(times), 1)

    def test_depends_on_the_platform_and_the_network(self):
        program = self.compile(PING)
        times = [self.report("-n", 2, "--compute", "none", *options, program)["simulated_seconds"]
                 for options in (("--on", "laptop"), ("--on", "cluster:2"), ("--on", "cluster:2", "--network", "smpi"))]
        self.assertEqual(len(set(times)), 3)

    def test_an_endless_run_is_cut_and_reported(self):
        program = self.compile("""
  for (int x = 0; rank < 2;) {
    if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }""")
        report = self.report("-n", 2, "--max-time", "0.01", "--timeline", "time.html", program, status=3)
        self.assertEqual((report["simulated_seconds"], report["cut"], report["findings"]), (0.01, True, []))
        self.assertEqual([rank["exit"] for rank in report["ranks"]], [None, None])
        self.assertGreater(report["ranks"][0]["messages"], 100)
        self.assertIn("Cut after", (self.folder / "time.html").read_text())
        done = self.rehearse("run", "-n", 2, "--max-time", "0.01", program, status=3)
        self.assertRegex(done.stderr, "inconclusive: cut after 0.01.* s of simulated time")

    def test_a_run_that_is_cut_has_the_findings_until_then(self):
        program = self.compile("""
  int x = 0;
  if (rank == 2) return 7;
  while (1) MPI_Sendrecv_replace(&x, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);""")
        report = self.report("-n", 3, "--max-time", "0.01", program, status=1)
        self.assertIn("crash.exit_status", [finding["id"] for finding in report["findings"]])
        self.assertNotIn("deadlock", str(report["findings"]))

    def test_a_run_that_ends_before_is_not_cut(self):
        report = self.report("-n", 2, "--max-time", "1000", self.compile(PING))
        self.assertNotIn("cut", report)

    def test_a_buffer_that_goes_away_is_found_and_ends_nothing(self):
        for name in ("free_of_receive", "realloc_of_receive", "local_receive", "local_collective", "attached_freed"):
            program = self.compile(ROOT / "tests" / "checks" / "buffers" / f"{name}_wrong.c")
            report = self.report("-n", 2, program, status=1)
            self.assertEqual({finding["id"] for finding in report["findings"]}, {"buffer.freed"}, name)
            self.assertEqual([rank["exit"] for rank in report["ranks"]], [0, 0], name)
            self.assertEqual(self.report("-n", 2, "--without", "buffer", program)["findings"], [], name)

    def test_scales_measured_computation(self):
        program = self.compile("  volatile double x = 0; for (int i = 0; i < 20000000; ++i) x += i;")
        once = self.report("-n", 1, program)["simulated_seconds"]
        often = self.report("-n", 1, "--compute-scale", 100, program)["simulated_seconds"]
        self.assertGreater(often, 20 * once)

    def test_measures_each_rank_by_its_own_work_and_not_what_mpi_does(self):
        program = self.compile("""
          volatile double x = 0;
          for (int i = 0; i < (rank == 1 ? 40000000 : rank == 2 ? 10000000 : 0); ++i) x += i;
          static char a[1 << 16], b[1 << 16];
          if (rank == 3) for (int i = 0; i < 10000; ++i) {
            int position = 0; MPI_Pack(a, sizeof a, MPI_CHAR, b, sizeof b, &position, MPI_COMM_SELF); }
          MPI_Barrier(MPI_COMM_WORLD);""")
        idle, four, one, library = (rank["compute_seconds"] for rank in self.report("-n", 4, program)["ranks"])
        self.assertTrue(2.5 < four / one < 6, (four, one))
        self.assertLess(idle, one / 4)
        self.assertLess(library, one / 2)

    def test_counts_instructions_or_says_why_not(self):
        program = self.compile("  volatile double x = 0; for (int i = 0; i < 3000000; ++i) x += i;")
        done = self.rehearse("run", "-n", 1, "--compute", "instructions", "--json", "report.json", program, status=None)
        if done.returncode != 0:
            self.assertRegex(done.stderr, r"^rehearse: error: run: instructions cannot be counted here: .*"
                                          r"\(--compute measured\)\n$")
            return
        seconds = json.loads((self.folder / "report.json").read_text())["ranks"][0]["compute_seconds"]
        self.assertTrue(3e6 * 3 / 3e9 < seconds < 3e6 * 20 / 3e9, seconds)

    def test_polls_take_as_long_as_a_wait(self):
        body = """
          int usleep(unsigned), flag = 0, value = 0; MPI_Request request;
          if (rank == 0) { usleep(2500000); MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
                           usleep(1500000); MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); }
          if (rank == 1) { MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); FIRST
                           SECOND MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }"""
        polls = body.replace("FIRST", "while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE); flag = 0;")
        polls = polls.replace("SECOND", "while (!flag) MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);")
        waits = body.replace("FIRST", "MPI_Wait(&request, MPI_STATUS_IGNORE);")
        waits = waits.replace("SECOND", "MPI_Probe(0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
        times = [self.report("-n", 2, "--compute", "none", self.compile(text))["simulated_seconds"]
                 for text in (polls, waits)]
        self.assertEqual(times[0], times[1])
        self.assertGreater(times[0], 4)

    def test_loops_on_any_clock_are_short_and_keep_their_dates(self):
        clocks = {"MPI_Wtime()": 0.2, "read_clock()": 1, "read_day()": 0.5, "(double)time(0)": 3,
                  "clock() / (double)CLOCKS_PER_SEC": 0.1}
        loops = "".join(f"begin = MPI_Wtime(); from = {clock}; for (looks = 0; {clock} - from < {seconds}; ++looks) ;\n"
                        f"took = MPI_Wtime() - begin;\n"
                        f"if (looks > 40000 || took < {seconds} - ({seconds} == 3) || took > {1.07 * seconds}) "
                        f'printf("{clock}: %d looks, %g s\\n", looks, took);\n'
                        for clock, seconds in clocks.items())
        source = """
          #include <mpi.h>
          #include <stdio.h>
          #include <sys/time.h>
          #include <time.h>
          static double read_clock(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
                                           return t.tv_sec + 1e-9 * t.tv_nsec; }
          static double read_day(void) { struct timeval t; gettimeofday(&t, 0); return t.tv_sec + 1e-6 * t.tv_usec; }
          int main(int argc, char** argv) {
            double begin, from, took; int looks; MPI_Init(&argc, &argv);
            LOOPS LOOPS
            begin = MPI_Wtime(); took = 0;
            for (int i = 0; i < 10000; ++i) { double one = read_clock(), two = read_clock(); took += two - one; }
            if (MPI_Wtime() - begin > 5e-3 || took > 5e-3) printf("20,000 looks from two places: %g s\\n", took);
            MPI_Finalize(); return 0; }"""
        program = self.compile(self.write("clocks.c", source.replace("LOOPS", loops)))
        for compute in ("none", "measured"):
            # A run that begins at a busy moment measures the cost of a look wrongly, and then all of them.
            outputs = []
            while "" not in outputs and len(outputs) < 3:
                outputs.append(self.rehearse("run", "-n", 1, "--compute", compute, program).stdout)
            self.assertIn("", outputs)

    def test_puts_ranks_where_the_host_file_says(self):
        self.write("hosts", "node-3\nnode-1 slots=2\n")
        report = self.report("-n", 3, "--on", "cluster:4", "--hostfile", "hosts", self.compile(""))
        hosts = [rank["host"] for rank in report["ranks"]]
        self.assertEqual(len(set(hosts[1:])), 1)
        self.assertNotEqual(hosts[0], hosts[1])

    def test_ends_with_1_when_the_program_is_stuck(self):
        program = self.compile(EXAMPLES / "1_head_to_head.c")
        done = self.rehearse("run", "-n", 2, "--eager", 0, program, status=1)
        self.assertIn("violation: deadlock.", done.stderr)
        self.assertIn("1_head_to_head.c:15", done.stderr)
        self.rehearse("run", "-n", 2, program)

    def test_ends_with_1_when_a_rank_fails(self):
        self.rehearse("run", "-n", 2, self.compile("  if (rank == 1) exit(7);"), status=1)
        self.rehearse("run", "-n", 2, self.compile("  if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 5);"), status=1)

    def test_receives_into_one_buffer_are_a_warning_unless_asked(self):
        program = self.compile("""
          static char buffer[1000];
          MPI_Request requests[64];
          for (int i = 0; i < 64; ++i)
            if (rank == 0) MPI_Isend(buffer, 1000, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &requests[i]);
            else MPI_Irecv(buffer, 1000, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &requests[i]);
          MPI_Waitall(64, requests, MPI_STATUSES_IGNORE);""")
        self.assertNotIn("buffer.overlap", self.rehearse("run", "-n", 2, program).stderr)
        done = self.rehearse("run", "-n", 2, "--verbose", program)
        self.assertRegex(done.stderr, r"(?m)^warning: buffer\.overlap\.receives: ")
        done = self.rehearse("run", "-n", 2, "--strict", program, status=1)
        self.assertRegex(done.stderr, r"^violation: buffer\.overlap\.receives: ")
        self.rehearse("check", "-n", 2, program, status=1)

    def test_more_ranks_than_the_kernel_has_mappings_for(self):
        with open("/proc/sys/vm/max_map_count", encoding="ascii") as limit:
            ranks = int(limit.read()) // 4 + 500
        if ranks > 65536:
            self.skipTest("this kernel has mappings for all ranks")
        program = self.compile("""
          static int mine = 1;
          int left = (rank + size - 1) % size, right = (rank + 1) % size, got = 0;
          mine += rank;
          MPI_Sendrecv(&mine, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          assert(got == left + 1);""")
        self.rehearse("run", "-n", ranks, "--on", "laptop", program)
        deep = self.compile("""
          int depth(int n) { volatile char page[4096]; page[0] = n; return depth(n + 1) + page[0]; }
          if (rank == 1) depth(0);""")
        done = self.rehearse("run", "-n", ranks, "--on", "laptop", deep, status=1)
        self.assertIn("crash.stack_overflow: rank 1", done.stderr)

    def test_ranks_have_their_own_variables(self):
        program = self.compile("  static int mine; mine = rank; MPI_Barrier(MPI_COMM_WORLD); assert(mine == rank);")
        self.rehearse("run", "-n", 4, program)


if __name__ == "__main__":
    closing_line.main()
