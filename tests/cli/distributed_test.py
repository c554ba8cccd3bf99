#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse check --distributed: processes that do not share memory say what one says, whatever becomes of them.

Most tests start the processes themselves, with the variables that a launcher sets. The last ones use a real launcher.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from checking import REHEARSE, WithPrograms
from jobs_test import ENDINGS, FAN_IN, OF_THE_RUN, children_of, is_running, wait_for, workers_of

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.append(str(TESTS / "bench"))
import classics  # noqa: E402

import closing_line  # noqa: E402

# A guard against accesses to other ranks leaves out some steps if it takes too long.
OF_THE_MACHINE = "no rank accesses the memory of another rank in a step that was not watched"


def comparable(report):
    report = {key: value for key, value in report.items() if key not in OF_THE_RUN}
    report["assumptions"] = [text for text in report.get("assumptions", []) if text != OF_THE_MACHINE]
    return report


OPEN_MPI = ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE")


class Distributed(WithPrograms):
    def launch(self, processes, *words, number=0, names=OPEN_MPI):
        """One of the processes."""
        command = [str(word) for word in (REHEARSE, "check", "--distributed", *words)]
        environment = {**os.environ, **dict(zip(names, (str(number), str(processes), "job1")))}
        process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (process.kill(), process.stdout.close(), process.stderr.close(), process.wait()))
        return process

    def launch_all(self, processes, *words):
        words = ("--reduction", "matching", "--json", "report.json", *words)
        return [self.launch(processes, *words, number=number) for number in range(processes)]

    def end(self, process):
        output, error = process.communicate(timeout=120)
        return process.returncode, output, error

    def report_of(self, processes, *words, status=0):
        """Of the first process; the others are silent."""
        first, *others = self.launch_all(processes, *words)
        returned, output, error = self.end(first)
        self.assertEqual((returned, output), (status, ""), error)
        for other in others:
            self.assertEqual(self.end(other), (0, "", ""))
        return json.loads((self.folder / "report.json").read_text()), error

    def assert_same(self, program, ranks, *options, status=0, processes=(2, 4)):
        one = self.check(program, ranks, "--jobs", 1, "--reduction", "matching", *options, status=status)
        counterexample = self.folder / "rehearse-counterexample.json"
        found = counterexample.read_text() if status == 1 else ""
        for number in processes:
            counterexample.unlink(missing_ok=True)
            report, error = self.report_of(number, "-n", ranks, *options, program, status=status)
            self.assertEqual(comparable(report), comparable(one))
            self.assertIn(f"rehearse: {number} workers on 1 machine explore\n", error)
            self.assertEqual(counterexample.read_text() if status == 1 else "", found)
        return one

    def test_all_executions_and_errors_are_those_of_one_process(self):
        report = self.assert_same(self.compile(ENDINGS), 9, "--all", status=1)
        self.assertEqual(report["executions"], 40320)

    def test_the_first_error_and_its_counterexample_are_those_of_one_process(self):
        self.assert_same(self.compile(ENDINGS), 9, "--minimise", 0, status=1)

    def test_a_bound_of_executions_is_the_same(self):
        self.assert_same(self.compile(FAN_IN), 9, "--max-executions", 30000, status=3, processes=(3,))

    def test_several_workers_of_each_process(self):
        report, error = self.report_of(2, "--jobs", 2, "-n", 9, self.compile(FAN_IN))
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 40320))
        self.assertIn("rehearse: 4 workers on 1 machine explore\n", error)

    def test_the_variables_of_each_launcher_are_understood(self):
        """Of MPICH's mpiexec and of srun; the other tests have those of Open MPI's mpirun."""
        program = self.compile(FAN_IN + '\n  assert(!getenv("PMI_RANK") && !getenv("SLURM_PROCID"));')
        for names in (("PMI_RANK", "PMI_SIZE", "PMI_JOBID"), ("SLURM_PROCID", "SLURM_NTASKS", "SLURM_JOB_ID")):
            with self.subTest(names[0]):
                first, second = (self.launch(2, "-n", 3, program, number=number, names=names) for number in (0, 1))
                returned, _, error = self.end(first)
                self.assertEqual(returned, 0, error)
                self.assertIn("rehearse: 2 workers on 1 machine explore\n", error)
                self.assertEqual(self.end(second), (0, "", ""))

    def test_a_program_does_not_see_the_launcher(self):
        program = self.compile('  assert(getenv("OMPI_COMM_WORLD_RANK") == NULL);')
        self.report_of(2, "-n", 2, program)

    def searching(self, processes=3):
        """Processes in the middle of a search of 362,880 executions; each has a worker."""
        all_of_them = self.launch_all(processes, "-n", 10, self.compile(FAN_IN))
        wait_for(lambda: workers_of(all_of_them[0].pid) and
                 all(children_of(other.pid) for other in all_of_them[1:]))
        time.sleep(0.3)
        return all_of_them

    def assert_all_executions(self, first):
        returned, _, error = self.end(first)
        self.assertEqual(returned, 0, error)
        self.assertIn("362,880 executions", error)

    def test_the_work_of_a_killed_worker_is_done_again(self):
        first, second, _ = self.searching()
        for _ in range(3):
            for worker in children_of(second.pid):
                os.kill(worker, signal.SIGKILL)
            time.sleep(0.1)
        self.assert_all_executions(first)

    def test_the_work_of_a_lost_process_is_done_by_the_others(self):
        first, second, third = self.searching()
        workers = children_of(second.pid)
        second.kill()
        self.assert_all_executions(first)
        self.assertEqual(self.end(third)[0], 0)
        self.assertFalse(any(is_running(worker) for worker in workers))

    def test_the_others_end_with_the_first(self):
        first, second, third = self.searching()
        workers = children_of(second.pid)
        first.kill()
        self.assertEqual([self.end(second)[0], self.end(third)[0]], [0, 0])
        wait_for(lambda: not any(is_running(worker) for worker in workers), seconds=10)

    def test_an_interrupt_saves_the_rest_and_one_process_goes_on_with_it(self):
        program = self.compile(FAN_IN)
        words = ("-n", 10, "--save", "rest", program)
        running = self.launch_all(3, *words)
        wait_for(lambda: workers_of(running[0].pid))
        time.sleep(0.3)
        for process in running:  # as a launcher does
            process.send_signal(signal.SIGTERM)
        returned, _, error = self.end(running[0])
        self.assertEqual(returned, 3, error)
        self.assertIn("inconclusive: interrupted", error)
        before = json.loads((self.folder / "report.json").read_text())["executions"]
        self.assertLess(before, 362880)
        report = self.check(program, 10, "--jobs", 1, "--reduction", "matching", "--resume", "rest")
        self.assertEqual(report["executions"], 362880)

    def test_it_goes_on_without_a_process_that_does_not_come(self):
        first = self.launch(2, "--distributed-wait", 0.5, "-n", 3, self.compile(FAN_IN))
        returned, _, error = self.end(first)
        self.assertEqual(returned, 0, error)
        self.assertIn("rehearse: 1 worker on 1 machine explores\nrehearse: warning: 1 worker did not connect within "
                      "0.5 seconds; all processes must start in the same shared folder and reach each other by TCP\n",
                      error)

    def test_a_process_that_is_alone_says_so(self):
        other = self.launch(2, "--distributed-wait", 0.5, "-n", 3, self.compile(FAN_IN), number=1)
        returned, _, error = self.end(other)
        self.assertEqual((returned, error), (2, "rehearse: error: check: --distributed: the first process was not "
                                                "there within 0.5 seconds (.rehearse-job1.meeting says where it is)\n"))

    def test_a_process_with_other_options_is_refused(self):
        program = self.compile(FAN_IN)
        first = self.launch(2, "--distributed-wait", 5, "-n", 3, program)
        other = self.launch(2, "--distributed-wait", 5, "-n", 4, program, number=1)
        returned, _, error = self.end(other)
        self.assertEqual((returned, error), (2, "rehearse: error: check: --distributed: refused: its executable, "
                                                "program or options differ from those of the first process\n"))
        self.assertIn("did not connect", self.end(first)[2])

    def test_a_stranger_gets_no_answer_and_does_no_harm(self):
        import socket
        program = self.compile(FAN_IN)
        first = self.launch(2, "-n", 3, program)
        file = self.folder / ".rehearse-job1.meeting"
        wait_for(file.exists)
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)
        port = int(file.read_text().split()[1])
        with socket.create_connection(("127.0.0.1", port)) as stranger:
            stranger.sendall(b"rehearse 0123 4567 here\n")
            self.assertEqual(stranger.recv(100), b"")
        self.launch(2, "-n", 3, program, number=1)
        self.assertEqual(self.end(first)[0], 0)
        self.assertFalse(file.exists())

    def test_bad_use_is_refused(self):
        program = self.compile(FAN_IN)
        done = self.rehearse("check", "--distributed", "-n", 3, program, status=2)
        self.assert_one_error(done, "--distributed", "no launcher started this process", "mpirun")
        for words in (("--reduction", "none"), ("--search", "random:3"), ("--count-merges",),
                      ("--deterministic", "sends")):
            done = self.rehearse("check", "--distributed", "-n", 3, *words, program, status=2)
            self.assert_one_error(done, "--distributed needs --search depth-first --reduction matching")
        done = self.rehearse("check", "--distributed-wait", 3, "-n", 3, program, status=2)
        self.assert_one_error(done, "--distributed-wait needs --distributed")
        done = self.run_program(REHEARSE, "check", "--distributed", "-n", 3, "--jobs", 200, program, status=2,
                                OMPI_COMM_WORLD_RANK="0", OMPI_COMM_WORLD_SIZE="2")
        self.assert_one_error(done, "400 workers", "at most 256")


class UnderMpirun(WithPrograms):
    """With the mpirun of Open MPI, if there is one."""

    def setUp(self):
        super().setUp()
        self.mpirun = shutil.which("mpirun.openmpi")
        if self.mpirun is None:
            self.skipTest("no mpirun.openmpi")

    def mpirun_report(self, processes, case, ranks, *options):
        (self.folder / "report.json").unlink(missing_ok=True)
        command = [self.mpirun, "--allow-run-as-root", "--oversubscribe", "-n", processes, REHEARSE, "check",
                   "--distributed", "-n", ranks, "--buffering", case.buffering, "--quiet", "--json", "report.json",
                   "--counterexample", os.devnull, "--reduction", "matching", *options,
                   self.folder / case.words[0], *case.words[1:]]
        done = subprocess.run([str(word) for word in command], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
        self.assertTrue((self.folder / "report.json").exists(), done.stdout)
        return json.loads((self.folder / "report.json").read_text())

    def test_classical_programs_are_as_with_one_process(self):
        """With REHEARSE_THOROUGH in the environment, with 2 to 8 processes."""
        classics.compile_all(REHEARSE, self.folder)
        numbers = range(2, 9) if "REHEARSE_THOROUGH" in os.environ else (3,)
        for case in classics.CASES:
            for ranks, outcome in case.outcomes.items():
                if isinstance(outcome, classics.Endless) or getattr(outcome, "slow", False):
                    continue
                options = classics.options_of(outcome)
                one, _ = classics.checked(REHEARSE, self.folder, case, ranks, *options)
                for processes in numbers:
                    with self.subTest(case.name, buffering=case.buffering, ranks=ranks, processes=processes):
                        report = self.mpirun_report(processes, case, ranks, *options)
                        self.assertEqual(comparable(report), comparable(one))


if __name__ == "__main__":
    closing_line.main()
