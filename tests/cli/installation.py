# SPDX-License-Identifier: MIT
"""What the tests of the program share: where it is, and how to run it and others.

Errors: a program that cannot be started, or ends otherwise than expected, fails the test with its whole output.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("REHEARSE_BUILD", ROOT / "build"))
WRAPPERS = BUILD / "libexec" / "rehearse" / "bin"
sys.path.insert(0, str(ROOT / "tests" / "tools"))

HELLO_C = """#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank = -1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("hello from %d\\n", rank);
  MPI_Finalize();
  return 0;
}
"""


class InFolder(unittest.TestCase):
    """A test with a folder of its own, and the wrapper compilers first in the search path."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name).resolve()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_program(self, *command, status=0, folder=None, wrappers=WRAPPERS, **environment):
        variables = {key: value for key, value in os.environ.items()
                     if key not in ("CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "LD_LIBRARY_PATH",
                                    "REHEARSE_CC", "REHEARSE_CXX")}
        variables["PATH"] = f"{wrappers}:{os.environ['PATH']}"
        variables.update(environment)
        done = subprocess.run([str(word) for word in command], cwd=folder or self.folder, env=variables,
                              capture_output=True, text=True, timeout=900)  # against hangs; machines differ
        if status is not None:
            self.assertEqual(done.returncode, status,
                             f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
        return done

    def assert_pie(self, program):
        self.assertIn("Position-Independent Executable", self.run_program("readelf", "-h", program).stdout)
        needed = self.run_program("readelf", "-d", program).stdout
        self.assertIn("[libmpi_abi.so.1]", needed)


def has_verb(name):
    listed = subprocess.run([BUILD / "bin" / "rehearse", "--help"], capture_output=True, text=True, check=True)
    return any(line.split()[:1] == [name] for line in listed.stdout.splitlines())
