# SPDX-License-Identifier: MIT
"""What the tests of threads in ranks share: a folder with platforms of hosts with 1 and 4 cores, and commands in it."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("REHEARSE_BUILD", HERE.parents[2] / "build"))
REHEARSE = BUILD / "bin" / "rehearse"
sys.path.append(str(HERE.parents[1] / "tools"))

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <host id="a" speed="10Gf" core="{cores}"/><host id="b" speed="10Gf" core="{cores}"/>
    <link id="l" bandwidth="1GBps" latency="1ms"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
"""
# For bodies: another thread runs `name` beside what follows.
BESIDE = "pthread_create(&other, NULL, {name}, NULL);\n"
JOIN = "pthread_join(other, NULL);\n"


class ThreadedPrograms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        for cores in (1, 4):
            (cls.folder / f"{cores}.xml").write_text(PLATFORM.format(cores=cores))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def finish(self, *words, status=0, threads=4, limit=600):
        done = subprocess.run([str(word) for word in words], cwd=self.folder, text=True, capture_output=True,
                              timeout=limit, check=False, env={**os.environ, "OMP_NUM_THREADS": str(threads)})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done
