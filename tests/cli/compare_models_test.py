#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse compare-models and trace compare-models: times, differences, answers, and clear errors."""
import json
import unittest

from checking import WithPrograms
from installation import ROOT  # noqa: F401  (puts tests/tools on the path)

import closing_line  # noqa: E402

GATHER = """
  static char block[60000], all[16 * 60000];
  MPI_Gather(block, sizeof block, MPI_BYTE, all, sizeof block, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
"""
PLATFORM = ("--on", "crossbar:16", "--compute", "none", "--collective-algorithms", "gather=linear")


class CompareModels(WithPrograms):
    def compare(self, *options, status=0, program=GATHER, ranks=16):
        path = self.compile(program)
        self.rehearse("compare-models", "-n", ranks, *PLATFORM, *options, "--quiet", "--json", "report.json", path,
                      status=status)
        return json.loads((self.folder / "report.json").read_text())

    def seconds(self, *options):
        self.rehearse("run", "-n", 16, *PLATFORM, *options, "--json", "run.json", "./program")
        return json.loads((self.folder / "run.json").read_text())["simulated_seconds"]

    def test_each_model_takes_the_time_that_run_gives_it(self):
        report = self.compare("--models", "lv08,cm02,packet,packet:queue=64KiB")
        times = {run["model"]: run["simulated_seconds"] for run in report["runs"]}
        self.assertEqual(times["lv08"], self.seconds("--network", "lv08"))
        self.assertEqual(times["cm02"], self.seconds("--network", "cm02"))
        self.assertEqual(times["packet"], self.seconds("--network", "packet"))
        self.assertEqual(times["packet:queue=64KiB"], self.seconds("--network", "packet", "--packet", "queue=64KiB"))

    def test_an_overflowing_queue_is_the_cause(self):
        report = self.compare("--models", "lv08,packet", "--packet", "queue=32KiB")
        answer = report["answer"]
        self.assertTrue(answer["needs_packets"])
        self.assertEqual((answer["judge"], answer["nearest"]), ("packet", "lv08"))
        self.assertRegex(answer["text"], "collectives? differs? by more than 10 %")
        self.assertIn("queues overflow", answer["causes"][0])
        packets = report["runs"][1]
        drops = {link["name"]: link["drops"] for link in packets["links"]}
        self.assertEqual(max(drops, key=drops.get), report["links"][0]["name"])
        self.assertGreater(packets["packets"]["retransmissions"], 0)
        gather = report["calls"][0]
        self.assertTrue(gather["differs"] and gather["collective"])

    def test_phases_add_up_to_the_time(self):
        for run in self.compare("--models", "lv08,packet")["runs"]:
            self.assertAlmostEqual(sum(phase["seconds"] for phase in run["phases"]), run["simulated_seconds"], 12)
            self.assertTrue(any(phase["end"].startswith("MPI_Barrier at program.c:") for phase in run["phases"]))

    def test_one_large_message_needs_no_packets(self):
        report = self.compare("--models", "lv08,packet", "--packet", "initial_window=1000,window=64MiB",
                              "--tcp-window", "0", program="""
  static char block[20000000];
  if (rank == 0) MPI_Send(block, sizeof block, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(block, sizeof block, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
""", ranks=2)
        self.assertFalse(report["answer"]["needs_packets"], report["answer"])
        self.assertTrue(report["answer"]["text"].startswith("no: lv08 takes "))

    def test_a_model_that_refuses_does_not_lose_the_others(self):
        path = self.compile(GATHER)
        done = self.rehearse("compare-models", "-n", 16, *PLATFORM, "--models", "lv08,packet:queue=nonsense,packet",
                             path, status=3)
        self.assertIn("model packet:queue=nonsense: no result: ", done.stderr)
        self.assertIn("Do you need packets?", done.stdout)

    def test_measured_computation_is_the_same_under_all_models(self):
        path = self.compile("""
  volatile double x = 1;
  for (int i = 0; i < 20000000; ++i) x = x * 1.0000001 + 1e-9;
  MPI_Barrier(MPI_COMM_WORLD);
""")
        self.rehearse("compare-models", "-n", 2, "--models", "raw,lv08", "--quiet", "--json", "report.json", path)
        raw, lv08 = json.loads((self.folder / "report.json").read_text())["runs"]
        self.assertGreater(raw["simulated_seconds"], 0.005)
        self.assertAlmostEqual(raw["simulated_seconds"], lv08["simulated_seconds"], delta=1e-3)

    def test_a_run_that_does_not_end_is_a_violation(self):
        path = self.compile("MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);")
        done = self.rehearse("compare-models", "-n", 2, "--models", "lv08,packet", path, status=1)
        self.assertIn("model lv08: no result: deadlock", done.stderr)
        self.assertIn("model packet: no result: deadlock", done.stderr)

    def test_a_trace_is_compared_as_well_and_a_page_is_written(self):
        path = self.compile(GATHER)
        self.rehearse("run", "-n", 16, *PLATFORM, "--trace", "run.rtrace", path)
        done = self.rehearse("trace", "compare-models", "--on", "crossbar:16", "--collective-algorithms",
                             "gather=linear", "--models", "lv08,packet", "--packet", "queue=32KiB", "--json",
                             "report.json", "--report", "page.html", "run.rtrace")
        self.assertIn("queues overflow", done.stdout)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual(report["runs"][1]["simulated_seconds"],
                         self.seconds("--network", "packet", "--packet", "queue=32KiB"))
        self.assertIn("queues overflow", (self.folder / "page.html").read_text())

    def test_bad_input_is_one_clear_error(self):
        path = self.compile(GATHER)
        for options, words in ((("--models", "lv09"), ("lv09", "accepted", "lv08", "packet")),
                               (("--models", "lv08,lv08"), ("lv08", "twice")),
                               (("--models", "packet:queue"), ("packet:queue", "KEY=VALUE")),
                               (("--network", "lv08"), ("--network", "--models")),
                               (("--on", "nothing:3"), ("nothing:3",)),
                               (("--tolerance", "-1"), ("--tolerance", "-1"))):
            self.assert_one_error(self.rehearse("compare-models", "-n", 2, *options, path, status=2), *words)
        self.assert_one_error(self.rehearse("compare-models", "-n", 2, "./missing", status=2), "./missing")


if __name__ == "__main__":
    closing_line.main()
