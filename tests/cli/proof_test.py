#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proof files: written for proofs by flow equations, accepted by their checker, and refused once they are changed."""
import re
import unittest

from checking import EXAMPLES, WithPrograms

import closing_line

FLOW = ("--reduction", "flow", "--proof", "good.proof")


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

    def test_a_proof_file_needs_flow_equations(self):
        program = self.compile("data = size;")
        done = self.rehearse("check", "-n", "2", "--proof", "file", program, status=2)
        self.assert_one_error(done, "--proof", "--reduction flow")


if __name__ == "__main__":
    closing_line.main()
