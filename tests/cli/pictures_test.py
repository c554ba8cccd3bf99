#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--timeline and --sequence of run and replay: what is in the files, and that their formats are right."""
import json
import re
import shutil
import subprocess
import unittest

from checking import EXAMPLES, ROOT, WithPrograms
from picture_formats import read_dot, read_mermaid, read_paje, read_trace_events

import closing_line

RING = """
  int other = 0;
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 7, &other, 1, MPI_INT, (rank + size - 1) % size, 7,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);"""


class Pictures(WithPrograms):
    def picture(self, option, file, *words, status=0):
        self.rehearse(*words[:-1], option, file, words[-1], status=status)
        return (self.folder / file).read_text()

    def of_ring(self, option, file):
        return self.picture(option, file, "run", "-n", 3, "--compute", "none", "--quiet", self.compile(RING), status=1)

    def test_trace_events_hold_calls_messages_and_links(self):
        events = read_trace_events(self.of_ring("--timeline", "ring.json"))
        calls = [event["name"] for event in events["X"] if event["cat"] != "computation"]
        self.assertEqual(sorted(calls), sorted(["MPI_Sendrecv", "MPI_Barrier", "MPI_Finalize"] * 3 + ["MPI_Send"]))
        exchange = next(event for event in events["X"] if event["name"] == "MPI_Sendrecv")
        self.assertEqual(exchange["cat"], "exchange")
        self.assertRegex(exchange["args"]["call"], r"MPI_Sendrecv\(sendbuf, 1, MPI_INT, [0-2], 7,")
        self.assertRegex(exchange["args"]["place"], r"program\.c:\d+ in main")
        self.assertEqual(len(events["s"]), 3)
        self.assertEqual({event["args"]["tag"] for event in events["s"]}, {7})
        self.assertEqual([event["name"] for event in events["i"]], ["never received"])
        self.assertTrue(any(event["args"]["bytes per second"] > 0 for event in events["C"]))
        self.assertEqual({event["args"]["name"] for event in events["M"] if event["name"] == "thread_name"},
                         {"rank 0", "rank 1", "rank 2"})

    def test_paje_traces_are_well_formed(self):
        events = read_paje(self.of_ring("--timeline", "ring.paje"))
        kinds = [event["event"] for event in events]
        self.assertEqual(kinds.count("PajeStartLink"), 3)
        self.assertEqual(kinds.count("PajePushState"), 10)
        self.assertGreater(kinds.count("PajeSetVariable"), 0)

    def test_charts_show_messages_collectives_and_what_is_lost(self):
        nodes, edges = read_dot(self.of_ring("--sequence", "ring.dot"))
        self.assertEqual(sum("MPI_Barrier" in label for label in nodes.values()), 3)
        self.assertEqual(sum(edge[2].get("color") == "blue" for edge in edges), 3)
        self.assertEqual([label for label in nodes.values() if "never received" in label], ["never received by rank 1"])
        participants, messages, notes = read_mermaid(self.of_ring("--sequence", "ring.mmd"))
        self.assertEqual(participants, ["r0", "r1", "r2"])
        self.assertEqual([message[1] for message in messages].count("->>"), 3)
        self.assertEqual([message[:3] for message in messages if message[1] == "-x"], [("r0", "-x", "r1")])
        self.assertTrue(any("MPI_Barrier of 3" in note for _, note in notes))

    @unittest.skipUnless(shutil.which("dot"), "Graphviz is not installed")
    def test_graphviz_draws_the_chart(self):
        self.of_ring("--sequence", "ring.dot")
        subprocess.run(["dot", "-Tsvg", "ring.dot", "-o", "ring.svg"], cwd=self.folder, check=True)

    def test_replays_end_where_ranks_stand_for_ever(self):
        program = self.compile(EXAMPLES / "1_head_to_head.c")
        self.check(program, 2, status=1)
        events = read_trace_events(self.picture("--timeline", "stand.json", "replay", "--quiet",
                                                "rehearse-counterexample.json", status=1))
        stands = [event for event in events["X"] if event["args"].get("ends") == "never"]
        self.assertEqual(sorted((event["tid"], event["name"]) for event in stands), [(0, "MPI_Send"), (1, "MPI_Send")])
        self.assertEqual({event["args"]["place"].split(" in ")[1] for event in stands}, {"main"})

    def test_a_page_of_a_check_has_pictures_of_findings_that_replays_judge(self):
        checks = ROOT / "tests" / "checks"
        for name, ranks, options in (("outcomes/results_wrong", 4, ("--deterministic", "results")),
                                     ("outcomes/output_wrong", 3, ("--deterministic", "output")),
                                     ("predicates/tokens_wrong", 2, ()), ("deadlocks/recv_recv_wrong", 2, ())):
            with self.subTest(name):
                page = self.picture("--report", "page.html", "check", "-n", ranks, "--quiet", *options,
                                    self.compile(checks / f"{name}.c"), status=1)
                report = json.loads(re.search(r'id="report">(.*?)</script>', page, re.DOTALL).group(1))
                errors = [finding for finding in report["findings"] if finding["severity"] == "error"]
                self.assertEqual([finding.get("note") for finding in errors], [None])
                self.assertIn("recording", errors[0])

    def test_recording_changes_neither_times_nor_output(self):
        program = self.compile(EXAMPLES / "4_master_worker.c")
        words = ("run", "-n", 4, "--compute", "none", "--verbose")
        plain = self.rehearse(*words, program)
        recorded = self.rehearse(*words, "--timeline", "t.json", "--sequence", "s.dot", program)
        self.assertEqual((plain.stdout, plain.stderr), (recorded.stdout, recorded.stderr))

    def test_regions_are_reported(self):
        program = self.compile(self.write("regions.c", """
          #include <mpi.h>
          #include <rehearse.h>
          int main(int argc, char** argv) {
            MPI_Init(&argc, &argv);
            rehearse_begin("solve");
            MPI_Barrier(MPI_COMM_WORLD);
            rehearse_end();
            MPI_Barrier(MPI_COMM_WORLD);
            return MPI_Finalize();
          }"""))
        events = read_trace_events(self.picture("--timeline", "regions.json", "run", "-n", 2, program))
        regions = [event["args"].get("region") for event in events["X"] if event["name"] == "MPI_Barrier"]
        self.assertEqual(sorted(regions, key=str), [None, None, "solve", "solve"])

    def test_other_endings_are_refused_with_those_that_are_known(self):
        program = self.compile("")
        done = self.rehearse("run", "-n", 1, "--timeline", "picture.png", program, status=2)
        self.assert_one_error(done, "--timeline", "picture.png", "FILE.html", "FILE.json", "FILE.paje")
        done = self.rehearse("run", "-n", 1, "--sequence", ".dot", program, status=2)
        self.assert_one_error(done, "--sequence", "FILE.dot", "FILE.mmd")
        done = self.rehearse("run", "-n", 1, "--timeline", "nowhere/t.json", program, status=2)
        self.assert_one_error(done, "--timeline", "nowhere/t.json", "No such file")


if __name__ == "__main__":
    closing_line.main()
