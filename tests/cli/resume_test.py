#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse check --save and --resume; --search bounded:K."""
from checking import WithPrograms

import closing_line

FAN_IN = """
  if (rank == 0) {
    int order[64] = {0};
    for (int i = 1; i < size; ++i)
      MPI_Recv(&order[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (order[1] == 5 && order[2] == 4 && order[3] == 3) *(volatile int*)0 = 1;
  } else
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"""
ALIKE = ("executions", "blocked", "duplicates", "operations", "verdict", "exhaustive", "reasons", "findings")


class Resume(WithPrograms):
    def test_an_exploration_in_pieces_says_what_one_in_one_piece_says(self):
        program = self.compile(FAN_IN)
        whole = self.check(program, 8, "--all", status=1)
        report = self.check(program, 8, "--all", "--max-executions", 1000, "--save", "left", status=3)
        self.assertEqual(report["executions"], 1000)
        for jobs, status in ((1, 3), (2, 1)):  # the error comes in the second of these
            report = self.check(program, 8, "--all", "--jobs", jobs, "--max-executions", 1000 + 1500 * jobs,
                                "--resume", "left", "--save", "left", status=status)
            self.assertEqual(report["executions"], 1000 + 1500 * jobs)
        report = self.check(program, 8, "--all", "--resume", "left", status=1)
        self.assertEqual([report[key] for key in ALIKE], [whole[key] for key in ALIKE])
        self.assertEqual(report["executions"], 5040)

    def test_what_is_over_leaves_no_file(self):
        program = self.compile(FAN_IN)
        self.check(program, 4, "--save", "left")
        self.assertFalse((self.folder / "left").exists())

    def test_files_of_something_else_are_refused(self):
        program = self.compile(FAN_IN)
        self.check(program, 6, "--max-executions", 10, "--save", "left", status=3)
        left = (self.folder / "left").read_bytes()
        (self.folder / "short").write_bytes(left[:-7])
        (self.folder / "other").write_text("{}")
        other = self.compile(FAN_IN + "\n  if (rank == 77) data = 1;", "other_program")
        for words, says in ((("-n", 5, "--resume", "left", program), ("ranks: 6", "ranks: 5")),
                            (("-n", 6, "--resume", "left", other), ("program: ",)),
                            (("-n", 6, "--resume", "left", program, "more"), ("arguments:", "'more'")),
                            (("-n", 6, "--all", "--resume", "left", program), ("--all: not given", "--all: given")),
                            (("-n", 6, "--polls", 2, "--resume", "left", program), ("--polls: 1", "--polls: 2")),
                            (("-n", 6, "--buffering", "zero", "--resume", "left", program), ("policies: ", "zero")),
                            (("-n", 6, "--resume", "short", program), ("short", "damaged")),
                            (("-n", 6, "--resume", "other", program), ("other", "--save")),
                            (("-n", 6, "--resume", "missing", program), ("missing", "cannot be read"))):
            with self.subTest(words=words):
                self.assert_one_error(self.rehearse("check", *words, status=2), "--resume", *says)
        done = self.rehearse("check", "-n", 6, "--search", "random:5", "--save", "left", program, status=2)
        self.assert_one_error(done, "--save", "depth-first")


class Bounded(WithPrograms):
    def test_more_decisions_go_another_way_until_nothing_is_left(self):
        program = self.compile(FAN_IN)
        for turns, executions in ((0, 1), (1, 11), (2, 46)):
            report = self.check(program, 6, "--search", f"bounded:{turns}", status=3)
            self.assertEqual((report["verdict"], report["executions"]), ("inconclusive", executions))
            self.assertIn(f"at most {turns} decision", report["reasons"][0])
        report = self.check(program, 6, "--search", "bounded:4", "--all", status=1)
        self.assertEqual((report["executions"], report["exhaustive"]), (120, True))

    def test_bad_bounds_are_refused(self):
        program = self.compile(FAN_IN)
        for search in ("bounded", "bounded:", "bounded:-1", "bounded:x"):
            done = self.rehearse("check", "-n", 3, "--search", search, program, status=2)
            self.assert_one_error(done, search, "bounded:K")


if __name__ == "__main__":
    closing_line.main()
