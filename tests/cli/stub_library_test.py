# SPDX-License-Identifier: MIT
"""libmpi_abi.so.1: it has every name of the ABI, and a program that loads it never runs on it."""
import json
import re
import shutil
import unittest

from installation import BUILD, HELLO_C, ROOT, InFolder, has_verb
from closing_line import main

LIBRARY = BUILD / "lib" / "libmpi_abi.so.1"


class StubLibrary(InFolder):
    def hello(self):
        self.write("hello.c", HELLO_C)
        self.run_program("mpicc", "hello.c", "-o", "hello")
        return self.folder / "hello"

    def test_has_every_function_under_both_names(self):
        api = json.loads((ROOT / "smpi" / "api.json").read_text())
        self.assertEqual(len(api["functions"]), 664)
        symbols = {}
        for line in self.run_program("nm", "-D", "--defined-only", LIBRARY).stdout.splitlines():
            address, kind, name = line.split()
            symbols[name] = (address, kind)
        for function in api["functions"] + api["extensions"]:
            name = function["name"]
            self.assertEqual(symbols[name][1], "W", name)
            self.assertEqual(symbols["P" + name][1], "T", name)
            self.assertEqual(symbols[name][0], symbols["P" + name][0], name)
        names = {function["name"] for function in api["functions"] + api["extensions"]}
        others = [n for n in symbols if n not in names and n.removeprefix("P") not in names]
        # Functions of rehearse.h and of MPI for Fortran, and COMMON blocks (of other libraries, too: mpipriv1_).
        self.assertEqual([n for n in others if not re.fullmatch(r"rehearse_([a-z]+_)+|p?mpi(_\w+|priv[12])_", n)], [])
        for name in (n for n in symbols if n.startswith("pmpi_")):
            self.assertEqual(symbols[name][0], symbols[name[1:]][0], name)

    def test_is_named_as_the_standard_says(self):
        self.assertIn("[libmpi_abi.so.1]", self.run_program("readelf", "-d", LIBRARY).stdout)
        self.assertTrue((BUILD / "lib" / "libmpi_abi.so").is_symlink())

    def test_a_program_started_without_any_rehearse_says_so(self):
        program = self.hello()
        lonely = self.folder / "elsewhere" / "lib"
        lonely.mkdir(parents=True)
        shutil.copy(LIBRARY, lonely)
        done = self.run_program(program, status=2, LD_LIBRARY_PATH=str(lonely))
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn(f"rehearse: error: {program} was started without rehearse", done.stderr)

    @unittest.skipUnless(has_verb("run"), "this rehearse has no verb run")
    def test_a_program_started_directly_runs_as_one_rank(self):
        self.assertEqual(self.run_program(self.hello()).stdout, "hello from 0\n")

    def test_finds_the_rehearse_beside_it(self):
        program = self.hello()
        place = self.folder / "place"
        (place / "bin").mkdir(parents=True)
        (place / "lib" / "deeper").mkdir(parents=True)
        fake = self.write("place/bin/rehearse", "#!/bin/sh\necho \"$@\"\n")
        fake.chmod(0o755)
        for folder in (place / "lib", place / "lib" / "deeper"):
            shutil.copy(LIBRARY, folder)
            done = self.run_program(program, "one", "two three", LD_LIBRARY_PATH=str(folder))
            self.assertEqual(done.stdout, f"run -n 1 {program} one two three\n")


if __name__ == "__main__":
    main()
