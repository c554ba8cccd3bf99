#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong input: one clear message, exit status 2; an unsupported function: inconclusive, exit status 3."""
import sys
import unittest

from checking import EXAMPLES, REHEARSE, WithPrograms
from installation import ROOT  # noqa: F401  (puts tests/tools on the path)

import closing_line  # noqa: E402


class BadInput(WithPrograms):
    def refused(self, *words, says=()):
        self.assert_one_error(self.rehearse(*words, status=2), *says)

    def test_of_the_program(self):
        text = self.write("notes.txt", "no program at all\n")
        for verb in ("run", "check"):
            with self.subTest(verb=verb):
                self.refused(verb, "-n", 2, "./missing", says=["./missing"])
                self.refused(verb, "-n", 2, "missing-program", says=["missing-program", "PATH"])
                self.refused(verb, "-n", 2, self.folder, says=[self.folder])
                self.refused(verb, "-n", 2, text, says=["notes.txt"])
                self.refused(verb, "-n", 2, says=["program"])

    def test_of_a_program_that_is_not_for_mpi(self):
        source = self.write("plain.c", "int main(void) { return 0; }\n")
        self.run_program("gcc", source, "-o", "plain")
        self.run_program("gcc", "-static", source, "-o", "static")
        for program in ("./plain", "./static"):
            with self.subTest(program=program):
                self.refused("check", "-n", 2, program, says=[program])

    def test_of_the_number_of_ranks(self):
        program = self.compile("")
        for verb in ("run", "check"):
            for ranks in ("0", "-1", "two", "1e3", "99999999999999999999"):
                with self.subTest(verb=verb, ranks=ranks):
                    self.refused(verb, "-n", ranks, program, says=[f"'{ranks}' given", "whole number from 1"])
            self.refused(verb, program, says=["-n"])

    def test_of_options(self):
        program = self.compile("")
        self.refused("check", "-n", 2, "--bufering", "zero", program, says=["'--bufering'", "--buffering"])
        self.refused("check", "-n", 2, "--buffering", "some", program, says=["--buffering", "'some'", "eager:BYTES"])
        self.refused("check", "-n", 2, "--reduction", "dpor", program, says=["--reduction", "'dpor'", "matching"])
        self.refused("check", "-n", 2, "--max-seconds", "-1", program, says=["--max-seconds", "'-1'"])
        self.refused("run", "-n", 2, "--network", "magic", program, says=["'magic'", "lv08"])
        self.refused("run", "-n", 2, "--eager", "lots", program, says=["--eager", "'lots'"])
        self.refused("run", "-n", 2, "--max-time", "0", program, says=["--max-time", "'0'"])
        for other in (("--trace", "t"), ("--repeat", 3)):
            self.refused("run", "-n", 2, "--max-time", 1, *other, program, says=["--max-time", other[0]])
        self.refused("run", "-n", 2, "--compute", "some", program,
                     says=["--compute", "'some'", "measured, instructions, none"])

    def test_options_that_are_not_there_yet_are_refused_by_name(self):
        program = self.compile("")
        for verb, option in (("check", "--matching"), ("replay", "--seed")):
            with self.subTest(verb=verb, option=option):
                self.refused(verb, option, "1", program, says=[f"'{option}' is not available yet"])

    def test_of_the_platform(self):
        program = self.compile("")
        broken = self.write("broken.xml",
                            '<?xml version="1.0"?>\n<platform version="4.1">\n  <zone id="z"\n</platform>\n')
        wrong = self.write("wrong.xml", '<?xml version="1.0"?>\n<platform version="4.1">\n'
                                        '  <zone id="z" routing="Full">\n    <host id="a" speed="fast"/>\n'
                                        '  </zone>\n</platform>\n')
        self.refused("run", "-n", 2, "--on", "missing.xml", program, says=["missing.xml"])
        self.refused("run", "-n", 2, "--on", "cluster:many", program, says=["cluster:many", "'many'"])
        self.refused("run", "-n", 2, "--on", broken, program, says=["broken.xml:"])
        self.refused("run", "-n", 2, "--on", wrong, program, says=["wrong.xml:4", "fast"])

    def test_of_counter_examples(self):
        text = self.write("text.json", "nothing\n")
        for verb in ("replay", "explain"):
            with self.subTest(verb=verb):
                self.refused(verb, "missing.json", says=["missing.json"])
                self.refused(verb, text, says=["text.json"])
                self.refused(verb, says=["FILE"])

    def test_of_verbs(self):
        self.refused("chekc", says=["'chekc'", "check"])

    def test_a_changed_program_is_not_replayed(self):
        program = self.compile(EXAMPLES / "1_head_to_head.c")
        self.rehearse("check", "-n", 2, program, status=1)
        self.compile(EXAMPLES / "1_head_to_head_fixed.c")
        self.refused("replay", "rehearse-counterexample.json", says=["has changed"])


class Unsupported(WithPrograms):
    SOURCE = "  int fork(void); fork();"

    def test_function_makes_a_check_inconclusive(self):
        report = self.check(self.compile(self.SOURCE), 2, status=3)
        self.assertEqual(report["verdict"], "inconclusive")
        self.assertFalse(report["exhaustive"])
        self.assertIn("fork", " ".join(report["reasons"]))
        self.assertEqual(report["findings"], [])

    def test_function_ends_a_run_with_its_name(self):
        done = self.rehearse("run", "-n", 2, self.compile(self.SOURCE), status=3)
        self.assertRegex(done.stderr, "inconclusive: .*fork")


class Help(WithPrograms):
    def test_of_every_verb_begins_with_an_example(self):
        for verb in ("run", "check", "replay", "explain", "list"):
            with self.subTest(verb=verb):
                self.assertTrue(self.rehearse(verb, "--help").stdout.startswith(f"example:\n  rehearse {verb} "))

    def test_names_every_verb(self):
        listed = self.rehearse("--help").stdout
        for verb in ("cc", "c++", "run", "check", "replay", "explain", "list", "mpiexec"):
            self.assertRegex(listed, rf"(?m)^  {verb.replace('+', '[+]')} ")


if __name__ == "__main__":
    closing_line.main()
