#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run --repeat, trace replay --repeat and compare: seeds, statistics, failures, Ctrl-C, and clear errors."""
import json
import signal
import subprocess
import time
import unittest

from checking import REHEARSE, WithPrograms
from installation import ROOT  # noqa: F401  (puts tests/tools on the path)

import closing_line  # noqa: E402
import json_schema  # noqa: E402

SCHEMA = json_schema.Schema(json.loads((ROOT / "docs" / "schemas" / "run.schema.json").read_text()))
# Rank 0 sends 20 messages; rank 1 prints its name once.
MESSAGES = """
  static char buffer[100000];
  for (int i = 0; i < 20; ++i) {
    if (rank == 0) MPI_Send(buffer, sizeof buffer, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(buffer, sizeof buffer, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == 1) printf("received\\n");
"""
PACKETS = ("--compute", "none", "--network", "packet", "--packet")
LOSSY = (*PACKETS, "loss=0.01")
# Rank 1 ends badly if a message took longer than without losses.
IMPATIENT = MESSAGES.replace("for (int i", "double begin = MPI_Wtime();\n  for (int i") + """
  if (MPI_Wtime() - begin > 0.05) abort();
"""


class Repeat(WithPrograms):
    def repeat(self, *options, program=MESSAGES, status=0, name="report.json"):
        path = self.compile(program)
        done = self.rehearse("run", "-n", 2, "--json", name, *options, path, status=status)
        report = json.loads((self.folder / name).read_text())
        self.assertEqual(list(SCHEMA.errors(report)), [])
        return report, done

    def test_prints_the_output_once_and_the_statistics(self):
        report, done = self.repeat(*LOSSY, "--repeat", 10)
        self.assertEqual(done.stdout, "received\n")
        self.assertRegex(done.stderr, r"rehearse: 10 runs of 2 ranks on cluster:2 \(2 hosts, network packet, "
                                      r"computation none\), seed 1\nrehearse:   mean +\d\.\d{9} s, 95 % interval ")
        repetition = report["repetition"]
        times = [run["simulated_seconds"] for run in repetition["runs"]]
        statistics = repetition["simulated_seconds"]
        self.assertEqual(len(set(times)), 10)
        self.assertAlmostEqual(statistics["mean"], sum(times) / 10, 12)
        self.assertEqual((statistics["minimum"], statistics["maximum"]), (min(times), max(times)))
        self.assertLess(statistics["mean_interval"]["low"], statistics["mean"])
        self.assertEqual(report["simulated_seconds"], times[0])
        self.assertFalse(repetition["partial"])

    def test_each_run_is_the_run_with_its_seed(self):
        runs = self.repeat(*LOSSY, "--repeat", 4)[0]["repetition"]["runs"]
        self.assertEqual(runs[0]["seed"], 1)
        for run in runs:
            report, _ = self.repeat(*LOSSY, "--seed", run["seed"])
            self.assertEqual(report["simulated_seconds"], run["simulated_seconds"])
            self.assertNotIn("repetition", report)
        without, _ = self.repeat(*LOSSY)
        self.assertEqual(without["simulated_seconds"], runs[0]["simulated_seconds"])

    def test_the_same_seed_gives_the_same_report_with_any_number_of_jobs(self):
        reports = []
        for jobs in (1, 3):
            report, done = self.repeat(*LOSSY, "--repeat", 6, "--seed", 42, "--jobs", jobs)
            del report["wall_seconds"]
            reports.append((report, done.stderr))
        self.assertEqual(*reports)
        self.assertEqual(reports[0][0]["repetition"]["runs"][0]["seed"], 42)
        shorter, _ = self.repeat(*LOSSY, "--repeat", 3, "--seed", 42)
        self.assertEqual(shorter["repetition"]["runs"], reports[0][0]["repetition"]["runs"][:3])

    def test_a_seed_of_its_own_stays_the_same(self):
        report, done = self.repeat(*PACKETS, "loss=0.01,seed=3", "--repeat", 3)
        statistics = report["repetition"]["simulated_seconds"]
        self.assertEqual(statistics["minimum"], statistics["maximum"])
        self.assertIn("note: all 3 runs take the same time", done.stderr)

    def test_runs_without_chance_have_no_interval(self):
        report, done = self.repeat("--compute", "none", "--repeat", 7)
        statistics = report["repetition"]["simulated_seconds"]
        self.assertIsNone(statistics["mean_interval"])
        self.assertIsNone(statistics["median_interval"])
        self.assertEqual(statistics["deviation"], 0)
        self.assertEqual(len(report["repetition"]["notes"]), 1)
        self.assertRegex(done.stderr, r"\Anote: all 7 runs take the same time, [^\n]*\n"
                                      r"rehearse: 7 runs of 2 ranks on [^\n]*, seed 1: \d\.\d{9} s each\n\Z")

    def test_quiet_and_reports_on_standard_output_have_no_statistics(self):
        path = self.compile(MESSAGES)
        for options in (("--quiet",), ("--no-summary",), ("--json", "-")):
            done = self.rehearse("run", "-n", 2, *LOSSY, "--repeat", 2, *options, path)
            self.assertEqual(done.stderr, "", options)
            self.assertTrue(done.stdout.startswith("received\n"))

    def test_each_run_reads_its_input_and_only_the_first_writes_files(self):
        path = self.compile("""
  int number = 0;
  if (rank == 0) {
    if (scanf("%d", &number) != 1) abort();
    FILE* out = fopen("out.txt", "a");
    fprintf(out, "%d\\n", number);
    fclose(out);
  }
""")
        (self.folder / "input.txt").write_text("17\n")
        with open(self.folder / "input.txt") as given:
            done = subprocess.run([REHEARSE, "run", "-n", "2", "--compute", "none", "--repeat", "5", path],
                                  cwd=self.folder, stdin=given, capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "out.txt").read_text(), "17\n")

    def test_files_of_a_run_are_those_of_the_first_one(self):
        report, _ = self.repeat(*LOSSY, "--repeat", 3, "--trace", "run.rtrace", "--statistics", "links.json",
                                "--timeline", "run.json")
        links = json.loads((self.folder / "links.json").read_text())
        self.assertEqual(sum(link["losses"] for link in links["links"]), report["network"]["losses"])
        self.assertTrue((self.folder / "run.json").exists())
        self.rehearse("trace", "info", "run.rtrace")

    def test_a_run_that_fails_ends_the_repetition_and_names_its_seed(self):
        report, done = self.repeat(*PACKETS, "loss=0.001", "--repeat", 60, program=IMPATIENT, status=1)
        failure = report["repetition"]["failure"]
        self.assertGreater(failure["run"], 1)
        self.assertEqual(len(report["repetition"]["runs"]), failure["run"] - 1)
        self.assertTrue(report["repetition"]["partial"])
        self.assertIn("violation: ", done.stderr)
        self.assertIn(f"rehearse: run {failure['run']} of 60 (seed {failure['seed']}) failed; to run it alone: --seed "
                      f"{failure['seed']} without --repeat\n", done.stderr)
        alone = self.rehearse("run", "-n", 2, *PACKETS, "loss=0.001", "--seed", failure["seed"], "./program",
                              status=1)
        self.assertIn("violation: ", alone.stderr)

    def test_a_first_run_that_fails_is_reported_once(self):
        path = self.compile("if (rank) MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);")
        done = self.rehearse("run", "-n", 2, "--repeat", 5, path, status=1)
        self.assertEqual(done.stderr.count("violation: deadlock"), 1, done.stderr)
        self.assertIn("run 1 of 5 (seed 1) failed", done.stderr)

    def test_interrupted_repetitions_report_the_runs_that_ended(self):
        path = self.compile(MESSAGES)
        command = [REHEARSE, "run", "-n", "2", *LOSSY, "--repeat", "2000", "--json", "partial.json", path]
        running = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(running.stdout.readline(), "received\n")
        time.sleep(1)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 3, err)
        report = json.loads((self.folder / "partial.json").read_text())
        repetition = report["repetition"]
        count = len(repetition["runs"])
        self.assertTrue(repetition["partial"])
        self.assertTrue(0 < count < 2000, count)
        self.assertIn(f"inconclusive: interrupted: {count} of 2000 runs ended\n", err)
        self.assertRegex(err, rf"rehearse: {count} runs? \(of 2000\) of 2 ranks on ")
        self.assertEqual(list(SCHEMA.errors(report)), [])

    def test_an_interrupt_before_the_first_end_is_inconclusive(self):
        path = self.compile("for (volatile long i = 0; ; ++i) (void)i;")
        running = subprocess.Popen([REHEARSE, "run", "-n", "2", "--repeat", "5", path], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 3, err)
        self.assertIn("0 of 5 runs ended", err)

    def test_drawn_times_of_sampled_code_follow_the_seed(self):
        path = self.compile(self.write("sampled.c", """
#include <mpi.h>
#include <rehearse.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 200; ++i) {
    rehearse_sampled("work") {
      volatile double x = 1;
      for (int j = 0; j < 1000 * (1 + i % 7); ++j) x = x * 1.0000001;
    }
  }
  MPI_Finalize();
  return 0;
}
"""))
        known = ("run", "-n", 2, "--sample-error", 0, "--sample-most", 50, "--sample-file", "times.json")
        self.rehearse(*known, path)
        again = (*known, "--compute", "none", "--no-summary", "--json", "report.json")
        times = []
        for seed in (1, 2, 1):
            self.rehearse(*again, "--seed", seed, path)
            times.append(json.loads((self.folder / "report.json").read_text())["simulated_seconds"])
        self.assertEqual(times[0], times[2])
        self.assertNotEqual(times[0], times[1])
        self.rehearse(*again, "--repeat", 3, path)
        runs = json.loads((self.folder / "report.json").read_text())["repetition"]["runs"]
        self.assertEqual(len({run["simulated_seconds"] for run in runs}), 3)

    def test_disturbed_runs_are_only_repeated_where_computation_is_measured(self):
        path = self.compile(MESSAGES)
        self.assert_one_error(self.rehearse("run", "-n", 2, "--compute", "none", "--repeat-disturbed", 2, path,
                                            status=2), "--repeat-disturbed", "measured")
        self.assert_one_error(self.rehearse("run", "-n", 2, "--repeat-disturbed", 2, "--trace", "t", path, status=2),
                              "--trace", "--repeat-disturbed")
        self.rehearse("run", "-n", 2, "--repeat-disturbed", 2, "--json", "report.json", path)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual(list(SCHEMA.errors(report)), [])
        run, = report["repetition"]["runs"]
        self.assertIn(run["attempts"], (1, 2, 3))
        self.assertEqual(report["repetition"]["disturbed"], int(run["disturbed"]))

    def test_a_run_that_shares_its_core_is_marked_and_repeated(self):
        path = self.compile("""
  volatile double x = 1;
  if (rank == 0) for (long i = 0; i < 150000000; ++i) x = x * 1.0000001;
""")
        command = ["taskset", "-c", "0", REHEARSE, "run", "-n", "2", "--json", "report.json"]
        with subprocess.Popen(["taskset", "-c", "0", "sh", "-c", "while :; do :; done"]) as other:
            try:
                marked = self.run_program(*command, "--repeat", "1", path)
                report = json.loads((self.folder / "report.json").read_text())["repetition"]
                self.assertEqual(report["disturbed"], 1)
                self.assertIn("note: 1 of 1 run measured disturbed computation", marked.stderr)
                again = self.run_program(*command, "--repeat-disturbed", "1", path)
                report = json.loads((self.folder / "report.json").read_text())["repetition"]
                self.assertEqual(report["runs"][0]["attempts"], 2)
                self.assertIn("ran again", again.stderr)
            finally:
                other.kill()

    def test_replays_are_repeated_as_well(self):
        path = self.compile(MESSAGES.replace("printf", "for (volatile int j = 0; j < 1000000; ++j); printf"))
        self.rehearse("run", "-n", 2, "--trace", "run.rtrace", path)
        words = ("trace", "replay", "--noise", "normal:0.2", "--json", "report.json")
        done = self.rehearse(*words, "--repeat", 6, "run.rtrace")
        report = json.loads((self.folder / "report.json").read_text())
        runs = report["repetition"]["runs"]
        self.assertEqual(len({run["simulated_seconds"] for run in runs}), 6)
        self.assertRegex(done.stderr, r"rehearse: 6 runs of 2 ranks on cluster:2 \(2 hosts, network [^,]*, \d+ actions "
                                      r"of a trace\), seed 1\n")
        self.rehearse(*words, "--seed", runs[3]["seed"], "run.rtrace")
        alone = json.loads((self.folder / "report.json").read_text())
        self.assertEqual(alone["simulated_seconds"], runs[3]["simulated_seconds"])
        self.rehearse(*words, "--noise-seed", runs[3]["seed"], "--repeat", 2, "run.rtrace")
        fixed = json.loads((self.folder / "report.json").read_text())["repetition"]["runs"]
        self.assertEqual({run["simulated_seconds"] for run in fixed}, {alone["simulated_seconds"]})
        for options, words in ((("--sweep", "eager=1,2"), ("--repeat", "--sweep")),
                               (("--network", "loggops"), ("--repeat", "loggops"))):
            self.assert_one_error(self.rehearse("trace", "replay", "--repeat", 2, *options, "run.rtrace", status=2),
                                  *words)

    def test_bad_input_is_one_clear_error(self):
        path = self.compile(MESSAGES)
        for options, words in ((("--repeat", "0"), ("--repeat", "'0'", "1 to 2000")),
                               (("--repeat", "many"), ("--repeat", "'many'")),
                               (("--repeat", "2001"), ("--repeat", "2001")),
                               (("--repeat", "-1"), ("--repeat", "-1")),
                               (("--seed", "x"), ("--seed", "'x'")),
                               (("--jobs", "2"), ("--jobs", "--repeat")),
                               (("--repeat", "2", "--jobs", "0"), ("--jobs", "'0'")),
                               (("--repeat", "2", "--on", "nothing:3"), ("nothing:3",))):
            self.assert_one_error(self.rehearse("run", "-n", 2, *options, path, status=2), *words)
        self.assert_one_error(self.rehearse("run", "-n", 2, "--repeat", 3, "./missing", status=2), "./missing")


class Compare(WithPrograms):
    def reports(self, loss, *options, runs=12):
        """a.json of the usual losses, and b.json of these with these options."""
        path = self.compile(MESSAGES)
        self.rehearse("run", "-n", 2, *LOSSY, "--repeat", runs, "--json", "a.json", path)
        self.rehearse("run", "-n", 2, *PACKETS, loss, "--repeat", runs, *options, "--json", "b.json", path)

    def compare(self, *files):
        done = self.rehearse("compare", "--json", "result.json", *files)
        return json.loads((self.folder / "result.json").read_text()), done.stdout

    def test_a_faster_network_is_faster_in_pairs(self):
        self.reports("loss=0")
        result, text = self.compare("a.json", "b.json")
        self.assertEqual((result["verdict"], result["pairs"], result["p_exact"]), ("second faster", 12, True))
        self.assertLess(result["p"], 0.05)
        self.assertLess(result["ratio_interval"]["high"], 1)
        self.assertIn("b.json is faster: the mean of b.json is 0.", text)
        self.assertIn("12 pairs with the same seeds: permutation test of the means, of signs, exact: p", text)
        swapped, _ = self.compare("b.json", "a.json")
        self.assertEqual(swapped["verdict"], "first faster")
        self.assertAlmostEqual(swapped["ratio"] * result["ratio"], 1, 9)
        self.assertEqual(swapped["p"], result["p"])

    def test_other_seeds_are_no_pairs_and_no_difference_is_a_result(self):
        self.reports("loss=0.01", "--seed", 99)
        result, text = self.compare("a.json", "b.json")
        self.assertEqual((result["verdict"], result["pairs"]), ("no difference found", 0))
        self.assertIn("no difference found: ", text)
        self.assertIn("12 runs and 12 runs, not paired", text)

    def test_few_runs_cannot_show_a_difference(self):
        self.reports("loss=0", runs=3)
        result, text = self.compare("a.json", "b.json")
        self.assertEqual(result["verdict"], "no difference found")
        self.assertIn("so few runs cannot show a difference: the smallest possible p is 0.25", text)

    def test_reports_of_one_run_are_not_tested(self):
        path = self.compile(MESSAGES)
        for name, network in (("a", "lv08"), ("b", "cm02")):
            self.rehearse("run", "-n", 2, "--compute", "none", "--network", network, "--json", name + ".json", path)
        result, text = self.compare("a.json", "b.json")
        self.assertEqual((result["verdict"], result["p"]), ("not tested", None))
        self.assertIn("--repeat", text)

    def test_runs_without_chance_differ_for_sure(self):
        path = self.compile(MESSAGES)
        for name, network in (("a", "lv08"), ("b", "cm02")):
            self.rehearse("run", "-n", 2, "--compute", "none", "--network", network, "--repeat", 2, "--json",
                          name + ".json", path)
        result, text = self.compare("a.json", "b.json")
        self.assertEqual((result["verdict"], result["p"], result["ratio_interval"]), ("second faster", None, None))
        self.assertIn("the difference is no chance", text)
        self.assertEqual(self.compare("a.json", "a.json")[0]["verdict"], "equal")

    def test_bad_input_is_one_clear_error(self):
        good = self.write("good.json", '{"simulated_seconds": 1, "ranks": []}')
        bad = self.write("bad.json", '{"answer": 1}')
        self.assert_one_error(self.rehearse("compare", good, bad, status=2), "compare: ", "bad.json", "accepted")
        self.assert_one_error(self.rehearse("compare", "missing.json", good, status=2), "missing.json")
        self.assert_one_error(self.rehearse("compare", good, status=2), "SECOND")
        done = self.rehearse("compare", "--quiet", good, good)
        self.assertEqual(done.stdout + done.stderr, "")


if __name__ == "__main__":
    closing_line.main()
