#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proof files: written for proofs by flow equations and footprints, accepted by their checker, and refused once they
are changed."""
import re
import unittest

from checking import EXAMPLES, WithPrograms

import closing_line

FLOW = ("--reduction", "flow", "--proof", "good.proof")

# Rank 0 adds up a number of each other rank, and sends the sum to rank 1.
SUM = """
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  if (rank == 0) {
    int sum = 0;
    for (int i = 1; i < size; ++i) {
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += data;
    }
    MPI_Send(&sum, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
  }
  if (rank == 1) {
    MPI_Recv(&data, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(data == size * (size - 1) / 2);
  }
"""


class Proofs(WithPrograms):
    def proof_of_heat(self):
        program = self.compile(EXAMPLES / "classics" / "heat.c", "heat")
        done = self.rehearse("check", "-n", "5", "--buffering", "infinite", *FLOW, program)
        self.assertIn("proof: good.proof (rehearse proof)", done.stderr)
        return (self.folder / "good.proof").read_text().splitlines()

    def judge(self, lines, status):
        (self.folder / "other.proof").write_text("\n".join(lines) + "\n")
        return self.rehearse("proof", "other.proof", status=status)

    def test_a_proof_is_accepted_and_changed_ones_are_refused(self):
        lines = self.proof_of_heat()
        done = self.rehearse("proof", "good.proof")
        self.assertRegex(done.stdout, r"^accepted: 1 net with 56 steps, \d+ questions refuted with \d+ multipliers\n$")
        self.judge(lines, 0)
        # Another multiplier, in each kind of row.
        for kind in ("point", "message", "takes", "question"):
            at = next(i for i, line in enumerate(lines) if re.fullmatch(kind + r"( \d+)? -?[1-9]\d*", line) and
                      i > lines.index("sum"))
            words = lines[at].split()
            changed = " ".join([*words[:-1], str(-int(words[-1]))])
            refused = self.judge([*lines[:at], changed, *lines[at + 1:]], 1)
            self.assertIn("refused: other.proof: ", refused.stderr)
        # A step less, a further step that fails, a question less.
        step = next(i for i, line in enumerate(lines) if line.startswith("step") and "sends" in line)
        self.judge(lines[:step] + lines[step + 1:], 1)
        failing = self.judge([*lines[:step], "fail 0 0 assertion", *lines[step:]], 1)
        self.assertIn("nothing excludes the failing step from point 0 with message 0", failing.stderr)
        question = next(i for i, line in enumerate(lines) if line.startswith("deadlock"))
        end = lines.index("end", question)
        missing = self.judge(lines[:question] + lines[end + 1:], 1)
        self.assertRegex(missing.stderr, r"net 1: nothing excludes that a rank waits at point \d+ for ever")
        loss = next(i for i, line in enumerate(lines) if line.startswith("loss"))
        missing = self.judge(lines[:loss], 1)
        self.assertRegex(missing.stderr, r"net 1: nothing excludes that message 0 is lost")

    def test_a_file_without_the_format_has_one_error_with_its_place(self):
        lines = self.proof_of_heat()
        for kind, new, text in (("step", ["step 0 99999 0"], "'99999' is not the number of a point (below "),
                                ("loss", ["loss -"], "'-' is not the number of a message"),
                                ("loss", ["hello"], "'hello' is neither failure, deadlock nor loss"),
                                ("sum", ["sum", "maybe 1"], "there is no row 'maybe'")):
            at = next(i for i, line in enumerate(lines) if line.startswith(kind))
            done = self.judge([*lines[:at], *new, *lines[at + 1:]], 2)
            self.assert_one_error(done, f"proof: other.proof: line {at + len(new)}: ", text)
        step = next(i for i, line in enumerate(lines) if line.startswith("step"))
        back = self.judge([*lines[:step], "step 0 0 -", *lines[step:]], 2)
        self.assert_one_error(back, "lead back to a point")
        self.assert_one_error(self.judge(["something"], 2), "begins with 'rehearse-proof 1'")
        self.assert_one_error(self.rehearse("proof", "missing.proof", status=2), "missing.proof", "accepted")

    def test_without_a_proof_there_is_no_file(self):
        source = """
  if (rank == 0) MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
"""
        self.rehearse("check", "-n", "2", *FLOW, self.compile(source), status=1)
        self.assertFalse((self.folder / "good.proof").exists())

    def test_a_proof_file_needs_a_proof(self):
        program = self.compile("data = size;")
        for option in (("--reduction", "matching"), ("--reduction", "merged"), ("--search", "random:3"),
                       ("--save", "rest")):
            done = self.rehearse("check", "-n", "2", "--proof", "file", *option, program, status=2)
            self.assert_one_error(done, "--proof", "--reduction flow or footprints")
        explored = self.rehearse("check", "-n", "2", "--proof", "file", program)
        self.assertIn("no proof file: only proofs by flow equations and footprints have one", explored.stderr)
        self.assertFalse((self.folder / "file").exists())

    def proof_of_sum(self, *options):
        program = self.compile(SUM, "sum")
        report = self.check(program, 5, "--reduction", "footprints", *options, "--proof", "sum.proof")
        self.assertIn("footprints", report)
        return (self.folder / "sum.proof").read_text().splitlines()

    def test_proofs_by_footprints_are_accepted_and_changed_ones_are_refused(self):
        for options in (("--buffering", "infinite"), ()):
            lines = self.proof_of_sum(*options)
            self.assertRegex(self.judge(lines, 0).stdout, r"^accepted: \d nets? with \d+ steps, ")
            refuted = lines.index("sum")
            # Another multiplier, in each kind of row that the proof has.
            kinds = {line.split()[0] for line in lines[refuted:]} & {"point", "message", "takes", "ended", "question"}
            self.assertGreaterEqual(len(kinds), 4)
            for kind in sorted(kinds):
                at = next(i for i, line in enumerate(lines) if i > refuted and
                          re.fullmatch(kind + r"( \d+)? -?[1-9]\d*", line))
                words = lines[at].split()
                self.judge([*lines[:at], " ".join([*words[:-1], str(-1000 * int(words[-1]))]), *lines[at + 1:]], 1)
            # Another coefficient: a step that does not send its message any more.
            step = next(i for i, line in enumerate(lines) if line.startswith("step") and "sends" in line)
            self.judge([*lines[:step], lines[step].split(" sends")[0], *lines[step + 1:]], 1)
            # A row of a sum, a step, a question, or the end of the file less.
            self.judge(lines[:refuted + 1] + lines[refuted + 2:], 1)
            self.judge(lines[:step] + lines[step + 1:], 1)
            loss = next(i for i, line in enumerate(lines) if line.startswith("loss"))
            self.assertRegex(self.judge(lines[:loss], 1).stderr, r"nothing excludes that message \d+ is lost")
            self.assert_one_error(self.judge(lines[:-1], 2), "the file ends within a sum")
            self.assert_one_error(self.judge(["rehearse-proof 2", *lines[1:]], 2), "version '2'", "accepted: 1")


if __name__ == "__main__":
    closing_line.main()
