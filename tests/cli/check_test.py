#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse check: verdicts, counts and reports of small programs."""
import json
import math
import os
import pty
import signal
import subprocess
import time

from checking import EXAMPLES, REHEARSE, ROOT, WithPrograms

import closing_line

KEYS = ["rehearse", "program", "ranks", "verdict", "exhaustive", "reasons", "executions", "blocked", "duplicates",
        "operations", "application_runs", "seconds", "peak_bytes", "findings"]

FAN_IN = """
  if (rank == 0) for (int i = 1; i < size; ++i)
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"""

DETERMINISTIC = {
    "gather": """
  if (rank == 0) for (int i = 1; i < size; ++i)
    MPI_Recv(&data, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);""",
    "barriers": "  for (int i = 0; i < 5; ++i) MPI_Barrier(MPI_COMM_WORLD);",
    "allgather": """
  int all[64];
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  assert(all[3] == 3);""",
    "alltoall": """
  int out[64], in[64];
  for (int i = 0; i < 64; ++i) out[i] = rank;
  MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
  assert(in[2] == 2);""",
    "halo": """
  for (int i = 0; i < 3; ++i) {
    int left = (rank + size - 1) % size, right = (rank + 1) % size, from[2];
    MPI_Request requests[4];
    MPI_Irecv(&from[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&from[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&rank, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&rank, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    assert(from[0] == left && from[1] == right);
  }""",
    "scatter and broadcast": """
  int all[64], mine;
  for (int i = 0; i < 64; ++i) all[i] = i;
  MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(&data, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  assert(mine == rank);""",
}

# In each round a rank takes what its neighbours in a grid sent in the order in which it comes. The k-th of n is one of
# n - k + 1, so there are n! for each rank and round.
STENCIL = """
  int dims[2] = {0, 0}, endless[2] = {0, 0}, from[4], neighbours[4], index;
  MPI_Comm grid;
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, endless, 0, &grid);
  MPI_Cart_shift(grid, 0, 1, &neighbours[0], &neighbours[1]);
  MPI_Cart_shift(grid, 1, 1, &neighbours[2], &neighbours[3]);
  for (int round = 0; round < %d; ++round) {
    MPI_Request receives[4], sends[4];
    for (int i = 0; i < 4; ++i) MPI_Irecv(&from[i], 1, MPI_INT, neighbours[i], 0, grid, &receives[i]);
    for (int i = 0; i < 4; ++i) MPI_Isend(&rank, 1, MPI_INT, neighbours[i], 0, grid, &sends[i]);
    %s
    MPI_Waitall(4, sends, MPI_STATUSES_IGNORE);
  }
  MPI_Comm_free(&grid);"""
AS_THEY_COME = """
    for (int i = 0; i < 4; ++i) if (neighbours[i] == MPI_PROC_NULL) MPI_Wait(&receives[i], MPI_STATUS_IGNORE);
    while (MPI_Waitany(4, receives, &index, MPI_STATUS_IGNORE), index != MPI_UNDEFINED)
      assert(from[index] == neighbours[index]);"""


class Counts(WithPrograms):
    def test_deterministic_programs_have_one_execution(self):
        for name, source in DETERMINISTIC.items():
            with self.subTest(program=name):
                program = self.compile(source, name)
                for ranks in (4, 16, 64):
                    report = self.check(program, ranks)
                    self.assertEqual((report["verdict"], report["executions"], report["blocked"]), ("verified", 1, 0))

    def test_a_stencil_has_one_execution_for_each_order_that_waitany_can_tell(self):
        both_neighbours = 2  # of the middle one of three ranks; of all four ranks of a square
        for rounds, ranks, executions in ((1, 3, both_neighbours), (3, 3, both_neighbours**3),
                                          (1, 4, both_neighbours**4), (2, 4, both_neighbours**8),
                                          (1, 6, both_neighbours**4 * 6**2)):
            with self.subTest(rounds=rounds, ranks=ranks):
                report = self.check(self.compile(STENCIL % (rounds, AS_THEY_COME)), ranks)
                self.assertEqual((report["verdict"], report["executions"], report["blocked"], report["duplicates"]),
                                 ("verified", executions, 0, 0))
        report = self.check(self.compile(STENCIL % (3, "MPI_Waitall(4, receives, MPI_STATUSES_IGNORE);")), 64)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))

    def test_answers_to_messages_do_not_change_the_number_of_their_orders(self):
        """k messages of each of n ranks are received in (kn)! / (k!)^n orders, and each is answered."""
        program = self.compile("""
  const int messages = atoi(argv[1]);
  MPI_Status status;
  for (int i = 0; i < messages * (rank == 0 ? size - 1 : 1); ++i) {
    if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&data, 1, MPI_INT, rank == 0 ? MPI_ANY_SOURCE : 0, 0, MPI_COMM_WORLD, &status);
    if (rank == 0) MPI_Send(&rank, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
  }""")
        for messages, senders, executions in ((1, 3, 6), (2, 2, 6), (2, 3, 90), (3, 3, 1680), (2, 4, 2520)):
            done = self.rehearse("check", "-n", senders + 1, "--json", "-", program, messages)
            report = json.loads(done.stdout)
            self.assertEqual((report["executions"], report["blocked"], report["duplicates"]), (executions, 0, 0))

    def test_a_fan_in_of_n_senders_has_n_factorial(self):
        program = self.compile(FAN_IN)
        for senders in (1, 2, 3, 4, 5):
            with self.subTest(senders=senders):
                report = self.check(program, senders + 1)
                self.assertEqual(report["executions"], math.factorial(senders))
                self.assertEqual((report["verdict"], report["duplicates"]), ("verified", 0))

    def test_every_reduction_gives_the_same_verdict(self):
        for example, ranks in (("1_head_to_head", 2), ("2_stolen_message", 3), ("2_stolen_message_fixed", 3),
                               ("3_overtaking", 3)):
            with self.subTest(example=example):
                program = self.compile(EXAMPLES / f"{example}.c", example)
                status = 0 if example.endswith("fixed") else 1
                reports = [self.check(program, ranks, "--reduction", reduction, status=status)
                           for reduction in ("matching", "odpor", "none")]
                matching, odpor, none = [{f["id"] for f in report["findings"]} for report in reports]
                self.assertEqual((matching, odpor), (none, none))


class Scale(WithPrograms):
    def test_an_execution_of_a_hundred_thousand_calls_on_each_rank(self):
        """Would take minutes if a call cost time for those before it."""
        program = self.compile(ROOT / "tests" / "bench" / "programs" / "long_run.c")
        for kind in ("messages", "waits", "polls", "collectives", "pending", "wildcards"):
            with self.subTest(kind=kind):
                report = json.loads(self.rehearse("check", "-n", 2, "--json", "-", program, kind, 100_000).stdout)
                self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))
                self.assertGreater(report["operations"], 99_000)

    def test_a_stencil_of_64_ranks(self):
        program = self.compile(EXAMPLES / "5_stencil.c")
        report = json.loads(self.rehearse("check", "-n", 64, "--json", "-", program, 6400, 10).stdout)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))


class Findings(WithPrograms):
    def find(self, source, ranks, *options, errors=1):
        """The report of a program with so many errors, and the first of them."""
        report = self.check(self.compile(source), ranks, *options, status=1)
        found = [finding for finding in report["findings"] if finding["severity"] == "error"]
        self.assertEqual(len(found), errors, found)
        return report, found[0]

    def line_of(self, text):
        lines = (self.folder / "program.c").read_text().splitlines()
        return next(number for number, line in enumerate(lines, 1) if text in line)

    def assert_place(self, location, text, rank):
        self.assertEqual((location["rank"], location["line"]), (rank, self.line_of(text)))
        self.assertTrue(location["file"].endswith("program.c"), location["file"])

    def test_a_head_to_head_exchange_is_stuck_without_buffers(self):
        _, finding = self.find(EXAMPLES / "1_head_to_head.c", 2)
        self.assertEqual(finding["id"], "deadlock.cycle")
        self.assertTrue(all(policy.startswith("zero") for policy in finding["policy"]), finding["policy"])
        self.assertEqual(finding["ranks"], [0, 1])
        self.assertIn("MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD)".split("(")[0],
                      finding["locations"][0]["call"])

    def test_a_stolen_message_is_a_deadlock_in_one_of_two_orders(self):
        report, finding = self.find(EXAMPLES / "2_stolen_message.c", 3)
        self.assertTrue(finding["id"].startswith("deadlock."), finding["id"])
        self.assertEqual((report["executions"], report["blocked"]), (2, 1))
        self.assertNotIn("policy", finding)

    def test_messages_overtake_each_other(self):
        _, finding = self.find(EXAMPLES / "3_overtaking.c", 3)
        self.assertTrue(finding["id"].startswith("assertion"), finding["id"])
        self.assertIn("first == opener", finding["message"])

    def test_the_twins_without_the_bug_are_verified(self):
        for name, ranks in (("1_head_to_head_fixed", 2), ("2_stolen_message_fixed", 3), ("3_overtaking_fixed", 3),
                            ("4_master_worker", 4)):
            with self.subTest(program=name):
                report = self.check(self.compile(EXAMPLES / f"{name}.c", name), ranks)
                self.assertEqual((report["verdict"], report["exhaustive"]), ("verified", True))

    def test_crashes_are_findings_with_rank_and_line(self):
        # Who exits before MPI_Finalize is also reported for that.
        for text, id_, errors in (("*(volatile int*)0 = 1;", "crash.segfault", 1), ("abort();", "crash.abort", 1),
                                  ("exit(3);", "crash.exit_status", 2)):
            with self.subTest(text=text):
                _, finding = self.find(f"  if (rank == 1) {{\n    {text}\n  }}", 2, errors=errors)
                self.assertEqual((finding["id"], finding["ranks"]), (id_, [1]))
                self.assert_place(finding["locations"][0], text, 1)

    def test_a_rank_that_ends_without_mpi_finalize_is_found(self):
        _, finding = self.find("  if (rank == 1) {\n    exit(0);\n  }", 2)
        self.assertEqual((finding["id"], finding["ranks"]), ("lifecycle.finalized", [1]))
        self.assert_place(finding["locations"][0], "exit(0);", 1)

    def test_a_stack_overflow_is_a_crash_and_the_exploration_survives_it(self):
        self.write("deep.c", "#include <mpi.h>\nvolatile int zero;\n"
                             "static int deep(int n) {\n"
                             "  volatile char a[4096]; a[n & 7] = 1; return deep(n + 1) + a[0]; }\n"
                             "int main(int c, char** v) { MPI_Init(&c, &v); int r; MPI_Comm_rank(MPI_COMM_WORLD, &r);\n"
                             "  if (r) zero = deep(0);\n  MPI_Finalize(); return 0; }\n")
        self.run_program(REHEARSE, "cc", "-w", "deep.c", "-o", "deep")
        report = self.check(self.folder / "deep", 2, status=1)
        self.assertEqual(report["findings"][0]["id"].split(".")[0], "crash")

    def test_an_uncaught_exception_is_a_crash(self):
        self.write("throws.cpp", "#include <mpi.h>\n#include <stdexcept>\nint main(int c, char** v) {\n"
                                 "  MPI_Init(&c, &v);\n  throw std::runtime_error(\"out of luck\");\n}\n")
        self.run_program(REHEARSE, "c++", "throws.cpp", "-o", "throws")
        report = self.check(self.folder / "throws", 1, status=1)
        self.assertEqual(report["findings"][0]["id"].split(".")[0], "crash")

    def test_a_message_that_nobody_receives_is_lost(self):
        _, finding = self.find("  if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);", 2,
                               "--buffering", "infinite")
        self.assertEqual(finding["id"], "message.lost")


class Bounds(WithPrograms):
    def test_are_named_and_make_it_inconclusive(self):
        program = self.compile(FAN_IN)
        report = self.check(program, 6, "--max-executions", 10, status=3)
        self.assertEqual((report["verdict"], report["exhaustive"]), ("inconclusive", False))
        self.assertIn("--max-executions", " ".join(report["reasons"]))
        report = self.check(program, 12, "--max-seconds", "0.2", status=3)
        self.assertIn("--max-seconds", " ".join(report["reasons"]))
        self.assertLess(report["seconds"], 5)

    def test_memory_is_one(self):
        report = self.check(self.compile(FAN_IN), 13, "--reduction", "matching", "--max-memory", 100_000_000, status=3)
        self.assertIn("--max-memory", " ".join(report["reasons"]))
        self.assertLess(report["peak_bytes"], 200_000_000)

    def test_an_interrupt_gives_a_report_of_what_was_done(self):
        program = self.compile(FAN_IN)
        report = self.folder / "report.json"
        running = subprocess.Popen([REHEARSE, "check", "-n", "13", "--reduction", "matching", "--json", report,
                                    program], stderr=subprocess.PIPE, text=True, cwd=self.folder)
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        _, error = running.communicate(timeout=30)
        self.assertEqual(running.returncode, 3, error)
        self.assertTrue(error.startswith("inconclusive: "), error)
        self.assertGreater(json.loads(report.read_text())["executions"], 10)

    def test_several_signals_end_it_for_good(self):
        program = self.compile(FAN_IN)
        running = subprocess.Popen([REHEARSE, "check", "-n", "13", "--reduction", "matching", program],
                                   stderr=subprocess.DEVNULL, cwd=self.folder, start_new_session=True)
        time.sleep(1)
        for _ in range(200):
            if running.poll() is not None:
                break
            os.killpg(running.pid, signal.SIGTERM)  # as `timeout` does: to the process, and to its group
            time.sleep(0.05)
        self.assertIn(running.returncode, (3, -signal.SIGTERM))


class Branches(WithPrograms):
    # 24 orders of four messages, and for each of them two answers of a poll.
    POLLS = """
  if (rank == 0) {
    for (int i = 1; i < size; ++i)
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // orders
    MPI_Iprobe(1, 1, MPI_COMM_WORLD, &data, MPI_STATUS_IGNORE);  // polls
    MPI_Recv(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }"""

    def line_of(self, word):
        lines = (self.folder / "program.c").read_text().splitlines()
        return next(number for number, line in enumerate(lines, 1) if line.endswith(word))

    def test_a_bound_names_the_calls_that_branch_most(self):
        program = self.compile(self.POLLS)
        polls, orders = self.line_of("// polls"), self.line_of("// orders")
        reported = []
        for jobs in (1, 2):
            done = self.rehearse("check", "-n", 5, "--max-executions", 40, "--jobs", jobs, "--json", "report.json",
                                 program, status=3)
            report = json.loads((self.folder / "report.json").read_text())
            branches = {(each["call"], each["any_source"], each["line"]): each for each in report["branches"]}
            self.assertEqual(set(branches), {("MPI_Iprobe", False, polls), ("MPI_Recv", True, orders)})
            self.assertEqual(sum(each["executions"] for each in report["branches"]), 39)
            self.assertAlmostEqual(sum(each["share"] for each in report["branches"]), 1)
            self.assertIn(f"; branches most: MPI_Iprobe at program.c:{polls} (51 %), "
                          f"MPI_Recv from any source at program.c:{orders} (49 %)\n", done.stderr)
            reported.append(report["branches"])
        self.assertEqual(reported[0], reported[1])

    def test_what_is_explored_whole_names_none(self):
        report = self.check(self.compile(self.POLLS), 5)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 48))
        self.assertNotIn("branches", report)


class RandomSearch(WithPrograms):
    def test_finds_what_chance_meets_and_never_verifies(self):
        stolen = self.compile(EXAMPLES / "2_stolen_message.c", "stolen")
        report = self.check(stolen, 3, "--search", "random:50", status=1)
        self.assertTrue(any(finding["id"].startswith("deadlock.") for finding in report["findings"]))
        fixed = self.compile(EXAMPLES / "2_stolen_message_fixed.c", "fixed")
        done = self.rehearse("check", "-n", 3, "--search", "random:50", "--json", "report.json", fixed, status=3)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual((report["verdict"], report["executions"], report["walks"]), ("inconclusive", 1, 50))
        self.assertEqual(report["reasons"], ["a random search leaves executions out (--search)"])
        self.assertIn("; nothing wrong in 50 random walks, 1 class\n", done.stderr)

    def test_makes_the_same_executions_with_the_same_seed(self):
        program = self.compile(FAN_IN)
        counts = [self.check(program, 6, "--search", "random:60", "--seed", seed, status=3)["executions"]
                  for seed in (1, 1, 2)]
        self.assertEqual(counts[0], counts[1])
        self.assertTrue(all(30 <= count < 60 for count in counts), counts)

    def test_other_searches_are_refused(self):
        program = self.compile(FAN_IN)
        for search in ("random", "random:0", "random:-1", "random:1x", "breadth-first"):
            done = self.rehearse("check", "-n", 2, "--search", search, program, status=2)
            self.assert_one_error(done, search, "depth-first", "random:N")
        done = self.rehearse("check", "-n", 2, "--seed", 3, program, status=2)
        self.assert_one_error(done, "--seed", "random:N")
        done = self.rehearse("check", "-n", 2, "--search", "random:5", "--reduction", "none", program, status=2)
        self.assert_one_error(done, "--reduction none")


class Reports(WithPrograms):
    def test_have_the_stable_keys(self):
        report = self.check(self.compile(FAN_IN), 3)
        self.assertEqual(list(report), KEYS)
        self.assertEqual(report["ranks"], 3)

    def test_of_findings_have_the_stable_keys(self):
        finding = self.check(self.compile(EXAMPLES / "1_head_to_head.c"), 2, status=1)["findings"][0]
        self.assertEqual(list(finding), ["id", "severity", "message", "policy", "ranks", "locations", "schedule",
                                         "clause", "advice"])
        self.assertEqual(list(finding["locations"][0]), ["rank", "call", "file", "line", "function", "what"])

    def test_success_is_one_line_on_standard_error(self):
        done = self.rehearse("check", "-n", 3, self.compile(DETERMINISTIC["gather"]))
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Averified: [^\n]+\n\Z")

    def test_quiet_is_silent(self):
        for example, status in (("1_head_to_head", 1), ("1_head_to_head_fixed", 0)):
            done = self.rehearse("check", "-n", 2, "--quiet", self.compile(EXAMPLES / f"{example}.c"), status=status)
            self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_the_output_of_explored_runs_is_not_shown(self):
        done = self.rehearse("check", "-n", 2, self.compile('  printf("hello\\n"); fprintf(stderr, "hello\\n");'))
        self.assertNotIn("hello", done.stdout + done.stderr)

    def test_barriers_that_were_not_tried_without_are_said(self):
        writes = self.compile('  printf("%d\\n", rank);\n  fflush(stdout);\n  MPI_Barrier(MPI_COMM_WORLD);')
        done = self.rehearse("check", "-n", 3, "--needless-barriers", writes)
        self.assertIn("1 place with a barrier: not tested, because it may determine the order in which 3 ranks write",
                      done.stderr)
        many = self.compile("\n".join(["  MPI_Barrier(MPI_COMM_WORLD);"] * 52), "many")
        done = self.rehearse("check", "-n", 2, "--needless-barriers", many)
        self.assertIn("2 places with barriers: whether they are needed was not found out", done.stderr)
        report = self.check(many, 2, "--needless-barriers")
        self.assertEqual([finding["id"] for finding in report["findings"]], ["hint.barrier"] * 50)

    def test_sends_that_rely_on_buffering_are_named_or_the_reason_why_not(self):
        ring = """
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Recv(&data, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""
        report = self.check(self.compile(ring), 3, "--needed-buffering", status=1)
        hint = report["findings"][-1]
        self.assertEqual((hint["id"], [place["line"] for place in hint["locations"]]), ("hint.buffering", [13]))
        starved = "  if (rank == 0) MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        done = self.rehearse("check", "-n", 2, "--needed-buffering", self.compile(starved, "starved"), status=1)
        prefix = "sends that rely on buffering: not found: "
        self.assertIn(prefix + "a rank waits for ever, and no send waits\n", done.stderr)
        polls = "  int flag; MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);" + ring
        done = self.rehearse("check", "-n", 2, "--needed-buffering", self.compile(polls, "polls"), status=1)
        self.assertIn(prefix + "the program polls or probes\n", done.stderr)
        refused = ring + """
  int fork(void); fork();"""
        done = self.rehearse("check", "-n", 2, "--needed-buffering", self.compile(refused, "refused"), status=1)
        self.assertIn(prefix + "not all executions can be explored\n", done.stderr)
        done = self.rehearse("check", "-n", 2, "--needed-buffering", "--search", "random:3", self.compile(ring),
                             status=2)
        self.assert_one_error(done, "--needed-buffering needs --search depth-first")

    def test_a_line_of_progress_is_for_terminals_only(self):
        program = self.compile(FAN_IN)
        command = [REHEARSE, "check", "-n", "12", "--reduction", "matching", "--max-seconds", "2.5", program]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        self.assertNotIn("executions, ", done.stderr)
        ours, theirs = pty.openpty()
        with subprocess.Popen(command, stderr=theirs, cwd=self.folder) as running:
            os.close(theirs)
            seen = b""
            while running.poll() is None or not seen.endswith(b"\n"):
                try:
                    seen += os.read(ours, 4096)
                except OSError:
                    break
        os.close(ours)
        self.assertRegex(seen.decode(), r"[0-9,]+ executions, [0-9,]+ a second")


if __name__ == "__main__":
    closing_line.main()
