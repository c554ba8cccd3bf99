#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs with libraries of Debian that were compiled for MPICH or Open MPI (coarrays, PnetCDF, HDF5), on two ranks.
Skipped where the packages are neither installed nor in the cache folder (./dev programs fetches them)."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parents[1] / "tools")]

# pylint: disable=wrong-import-position
import closing_line  # noqa: E402
import coarrays  # noqa: E402
import debian_binary  # noqa: E402
import hdf5  # noqa: E402
import pnetcdf  # noqa: E402


class Outside(unittest.TestCase):
    def passes(self, recipe):
        if not debian_binary.are_there(recipe.PACKAGES):
            self.skipTest(f"the packages {' '.join(recipe.PACKAGES)} are not there")
        with tempfile.TemporaryDirectory() as work:
            done = subprocess.run([sys.executable, "-B", HERE / "programs.py", "--build", os.environ["REHEARSE_BUILD"],
                                   "--work", work, "--ranks", "2", "--program", recipe.RECIPE.name],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(" passed, 0 failed", done.stdout)

    @unittest.skipIf(shutil.which("gfortran") is None, "gfortran is not installed")
    def test_coarrays(self):
        self.passes(coarrays)

    def test_pnetcdf(self):
        self.passes(pnetcdf)

    def test_hdf5(self):
        self.passes(hdf5)


if __name__ == "__main__":
    closing_line.main()
