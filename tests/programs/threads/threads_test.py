#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs with threads and OpenMP teams of four: right ones complete in `run` and are inconclusive in `check`, which
says that other orders of the threads are left out.

Header (comments at the top of the program): `// flags: ...` for the compiler, `// ranks: N` (default 2).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("REHEARSE_BUILD", HERE.parents[2] / "build"))
REHEARSE = BUILD / "bin" / "rehearse"
sys.path.append(str(HERE.parents[1] / "tools"))
import closing_line  # noqa: E402

COMPILERS = {".c": "cc", ".cpp": "c++", ".f90": "fortran"}
FOUR_CORES = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full"><host id="node" speed="10Gf" core="4"/></zone>
</platform>
"""
PRELUDE = """
#include <assert.h>
#include <errno.h>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <rehearse.h>
#include <stdio.h>
#include <unistd.h>
"""


def header(path, key, default):
    found = re.search(rf"^[/!]+ {key}: (.*)$", path.read_text(), re.M)
    return found.group(1) if found else default


class Threads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def finish(self, *words, threads=4, **environment):
        return subprocess.run([str(word) for word in words], cwd=self.folder, text=True, capture_output=True,
                              timeout=120, check=False,
                              env={**os.environ, "OMP_NUM_THREADS": str(threads),
                                   "XDG_CACHE_HOME": str(self.folder / "cache"), **environment})

    def build(self, path, *flags):
        program = self.folder / path.stem
        done = self.finish(REHEARSE, COMPILERS[path.suffix], "-g", "-O1", *flags, path, "-o", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def write(self, name, body, functions="", *flags):
        path = self.folder / f"{name}.c"
        path.write_text(f"{PRELUDE}{functions}\nint main(void) {{ MPI_Init(NULL, NULL);\n{body}\n"
                        "MPI_Finalize(); return 0; }\n")
        return self.build(path, "-fopenmp", "-pthread", *flags)

    def is_right(self, name):
        path = HERE / name
        if path.suffix == ".f90" and not shutil.which("gfortran"):
            self.skipTest("gfortran is not installed")
        program, ranks = self.build(path, *header(path, "flags", "").split()), header(path, "ranks", "2")
        done = self.finish(REHEARSE, "run", "--no-summary", "-n", ranks, program)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        done = self.finish(REHEARSE, "check", "-n", min(int(ranks), 2), "--max-executions", 100, program)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("run in one fixed order", done.stdout + done.stderr)

    def seconds(self, program, *options, threads):
        done = self.finish(REHEARSE, "run", "--no-summary", "-n", 1, *options, program, threads=threads)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return float(done.stdout)

    def timed(self, name, region):
        return self.write(name, f"const double begin = MPI_Wtime();\n{region}\nprintf(\"%f\", MPI_Wtime() - begin);")

    def four_cores(self):
        (self.folder / "four.xml").write_text(FOUR_CORES)
        return "--on", "four.xml"

    def test_predicted_time_of_a_balanced_loop(self):
        program = self.timed("balanced", "#pragma omp parallel for schedule(static)\n"
                                         "for (int i = 0; i < 64; ++i) rehearse_compute_for(0.01);")
        one = self.seconds(program, *self.four_cores(), threads=1)
        four = self.seconds(program, *self.four_cores(), threads=4)
        eight = self.seconds(program, *self.four_cores(), threads=8)
        self.assertAlmostEqual(one / four, 4, delta=0.4)
        self.assertAlmostEqual(one / eight, 4, delta=0.4)

    def test_predicted_time_of_an_unbalanced_loop(self):
        body = "for (int i = 0; i < 16; ++i) rehearse_compute_for(i < 4 ? 0.1 : 0.01);"
        fixed = self.timed("fixed", f"#pragma omp parallel for schedule(static)\n{body}")
        dynamic = self.timed("dynamic", f"#pragma omp parallel for schedule(dynamic)\n{body}")
        self.assertAlmostEqual(self.seconds(fixed, *self.four_cores(), threads=4), 0.4, delta=0.04)
        self.assertAlmostEqual(self.seconds(dynamic, *self.four_cores(), threads=4), 0.13, delta=0.02)

    def test_serial_parts_and_sleeps(self):
        program = self.timed("mixed", "rehearse_compute_for(0.1);\n#pragma omp parallel\n{ usleep(100000);\n"
                                      "#pragma omp barrier\nrehearse_compute_for(0.1); }\nrehearse_compute_for(0.1);")
        self.assertAlmostEqual(self.seconds(program, *self.four_cores(), threads=4), 0.4, delta=0.04)

    def test_measured_work(self):
        program = self.timed("measured", "double all = 0;\n#pragma omp parallel for reduction(+ : all)\n"
                                         "for (int i = 0; i < 40000000; ++i) all += 1.0 / (i + 1);\nassert(all > 1);")
        one = self.seconds(program, *self.four_cores(), threads=1)
        four = self.seconds(program, *self.four_cores(), threads=4)
        self.assertGreater(one / four, 2)  # the machine may be busy meanwhile

    def test_deadlocks_name_the_threads(self):
        program = self.write("crossed", "pthread_t a, b;\npthread_create(&a, NULL, one, NULL);\n"
                                        "pthread_create(&b, NULL, two, NULL);\n"
                                        "pthread_join(a, NULL);\npthread_join(b, NULL);",
                             "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n"
                             "static void* one(void* x) { pthread_mutex_lock(&m); usleep(9);\n"
                             "pthread_mutex_lock(&n); return x; }\n"
                             "static void* two(void* x) { pthread_mutex_lock(&n); usleep(9);\n"
                             "pthread_mutex_lock(&m); return x; }")
        for verb in ("run", "check"):
            done = self.finish(REHEARSE, verb, "-n", 1, program)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            for text in ("thread 0 in pthread_join at ", "thread 1 in pthread_mutex_lock at ",
                         "thread 2 in pthread_mutex_lock at ", "crossed.c:12"):
                self.assertIn(text, done.stdout + done.stderr)

    def test_parts_that_are_not_there_are_refused_by_name(self):
        program = self.write("doacross", "#pragma omp parallel for ordered(1)\nfor (int i = 0; i < 9; ++i) {\n"
                                         "#pragma omp ordered depend(sink : i - 1)\n"
                                         "#pragma omp ordered depend(source)\n}")
        done = self.finish(REHEARSE, "run", "-n", 1, program)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("GOMP_loop_doacross_", done.stderr)
        program = self.write("multiple", "pthread_t t; pthread_create(&t, NULL, call, NULL); pthread_join(t, NULL);",
                             "static void* call(void* x) { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); return x; }\n"
                             "#define MPI_Init(a, b) int p; MPI_Init_thread(a, b, MPI_THREAD_MULTIPLE, &p)")
        done = self.finish(REHEARSE, "check", "-n", 1, program)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("MPI_THREAD_MULTIPLE", done.stdout + done.stderr)

    def test_a_team_of_one_is_verified(self):
        program = self.write("alone", "int sum = 0;\n#pragma omp parallel for reduction(+ : sum)\n"
                                      "for (int i = 0; i < 9; ++i) sum += i;\nassert(sum == 36);")
        done = self.finish(REHEARSE, "check", "-n", 2, program, threads=1)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_schedule_of_the_environment(self):
        program = self.write("schedule", "int used[4] = {0};\n#pragma omp parallel for schedule(runtime)\n"
                                         "for (int i = 0; i < 8; ++i) used[i / 2] = omp_get_thread_num();\n"
                                         "printf(\"%d%d%d%d\", used[0], used[1], used[2], used[3]);")
        for schedule in ("static", "static,2", "dynamic,2"):
            done = self.finish(REHEARSE, "run", "--no-summary", "-n", 1, program, OMP_SCHEDULE=schedule)
            self.assertEqual((done.stdout, done.returncode), ("0123", 0), done.stderr)

    def test_an_overflow_of_a_thread(self):
        program = self.write("deep", "pthread_t t; pthread_create(&t, NULL, call, NULL); pthread_join(t, NULL);",
                             "static int down(int n) { volatile char room[4096]; room[0] = n;\n"
                             "return n == 0 ? room[0] : down(n - 1) + room[0]; }\n"
                             "static void* call(void* x) { down(2100); return x; }")
        done = self.finish(REHEARSE, "run", "-n", 1, program)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("the stack of thread 1 is used up", done.stdout + done.stderr)


def add_test(name):
    setattr(Threads, "test_" + name.replace(".", "_"), lambda self: self.is_right(name))


for source in sorted(HERE.iterdir()):
    if source.suffix in COMPILERS:
        add_test(source.name)

if __name__ == "__main__":
    closing_line.main()
