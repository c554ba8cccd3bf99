#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse check --jobs: several processes say what one says, whatever becomes of them."""
import os
import signal
import subprocess
import time
from pathlib import Path

from checking import REHEARSE, WithPrograms

import closing_line

# The last message decides: only in a few orders something goes wrong, and in those in one of three ways.
ENDINGS = """
  if (rank == 0) {
    int order[64] = {0};
    for (int i = 1; i < size; ++i)
      MPI_Recv(&order[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (order[1] == 5 && order[2] == 4 && order[3] == 3) *(volatile int*)0 = 1;
    if (order[1] == 6 && order[2] == 5 && order[3] == 4) abort();
    assert(!(order[1] == 7 && order[2] == 6 && order[3] == 5 && order[4] == 1));
  } else
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"""
FAN_IN = """
  if (rank == 0) for (int i = 1; i < size; ++i)
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"""
OF_THE_RUN = ("seconds", "application_runs", "peak_bytes")


def children_of(pid):
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def workers_of(pid):
    """Of the process that explores, which is the only child of the one that supervises it."""
    return [worker for explorer in children_of(pid) for worker in children_of(explorer)]


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for(what, seconds=30):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise AssertionError("nothing happened")
        time.sleep(0.01)


class Jobs(WithPrograms):
    def same(self, program, ranks, *options, status=0):
        """What any number of processes says alike."""
        reports = []
        for jobs in (1, 2, 3):
            report = self.check(program, ranks, "--jobs", jobs, "--reduction", "matching", *options,
                                status=status)
            reports.append({key: value for key, value in report.items() if key not in OF_THE_RUN})
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0], reports[2])
        return reports[0]

    def start(self, *options, ranks=11):
        program = self.compile(FAN_IN)
        running = subprocess.Popen([REHEARSE, "check", "-n", str(ranks), "--reduction", "matching",
                                    "--json", "report.json", *options, program],
                                   stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.addCleanup(running.stderr.close)
        self.addCleanup(running.kill)
        wait_for(lambda: len(workers_of(running.pid)) == 3)
        return running

    def test_all_executions_and_errors_are_those_of_one_process(self):
        report = self.same(self.compile(ENDINGS), 9, "--all", status=1)
        self.assertEqual(report["executions"], 40320)
        self.assertEqual([finding["id"] for finding in report["findings"] if finding["severity"] == "error"],
                         ["crash.segfault", "crash.abort", "assertion.failed"])

    def test_the_first_error_is_that_of_one_process(self):
        report = self.same(self.compile(ENDINGS), 9, status=1)
        self.assertLess(report["executions"], 40320)

    def test_a_bound_of_executions_is_the_same(self):
        self.assertEqual(self.same(self.compile(FAN_IN), 9, "--max-executions", 30000, status=3)["executions"], 30000)

    def test_the_work_of_a_killed_process_is_done_again(self):
        running = self.start("--jobs", "3", ranks=10)
        for _ in range(3):
            children = workers_of(running.pid)
            if children:
                os.kill(children[0], signal.SIGKILL)
            time.sleep(0.1)
        _, error = running.communicate(timeout=120)
        self.assertEqual(running.returncode, 0, error)
        self.assertIn("362,880 executions", error)

    def test_no_process_outlives_the_first(self):
        running = self.start("--jobs", "3")
        children = workers_of(running.pid)
        running.kill()
        running.wait()
        wait_for(lambda: not any(is_running(child) for child in children), seconds=10)

    def test_an_interrupt_of_all_processes_gives_a_report(self):
        running = self.start("--jobs", "3")
        children = workers_of(running.pid)
        for process in (*children, running.pid):  # as a terminal does
            os.kill(process, signal.SIGINT)
        _, error = running.communicate(timeout=30)
        self.assertEqual(running.returncode, 3, error)
        self.assertTrue(error.startswith("inconclusive: interrupted"), error)
        self.assertFalse(any(is_running(child) for child in children))

    def test_searches_that_cannot_be_divided_are_refused_several(self):
        program = self.compile(FAN_IN)
        for options in (("--search", "random:5"), ("--reduction", "none")):
            done = self.rehearse("check", "-n", 3, "--jobs", 2, *options, program, status=2)
            self.assert_one_error(done, "--jobs 2", "depth-first", "matching")
            self.rehearse("check", "-n", 3, "--jobs", 1, *options, program, status=3 if "--search" in options else 0)
        for jobs in ("0", "257", "many"):
            done = self.rehearse("check", "-n", 3, "--jobs", jobs, program, status=2)
            self.assert_one_error(done, "--jobs", jobs)


if __name__ == "__main__":
    closing_line.main()
