#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counter-examples that people understand: as few decisions as exhaustive search finds, the critical one by name, and
the finding again on two machines, with the same bytes twice.
"""
import concurrent.futures
import json
import os
import sys
import unittest

from checking import EXAMPLES, ROOT, WithPrograms
from counterexamples import Case, look_at

import closing_line

sys.path.append(str(ROOT / "tests" / "checks"))
import labels  # noqa: E402

FEWEST = 290
FEWEST_WITH_CRITICAL = 15

# The critical decision in the words of `explain`: every word up to the file's name and line, which the tests fill in.
STOLEN = ("MPI_Recv from any source at {file}:{recv} on rank 0 took the message that rank {bad} sent by MPI_Send at "
          "{file}:{sent}; the run ends well if it takes the message that rank {good} sent by MPI_Send at "
          "{file}:{right}")
CRITICAL = {
    "deadlocks/stolen_wrong": STOLEN.format(file="stolen_wrong.c", recv=15, bad=1, sent=13, good=2, right=13),
    "outcomes/assertion_wrong": STOLEN.format(file="assertion_wrong.c", recv=17, bad=2, sent=14, good=1, right=14),
    "outcomes/output_wrong": STOLEN.format(file="output_wrong.c", recv=16, bad=2, sent=14, good=1, right=14),
    "outcomes/sends_wrong": STOLEN.format(file="sends_wrong.c", recv=19, bad=2, sent=15, good=1, right=15),
    "races/any_tag_wrong": STOLEN.format(file="any_tag_wrong.c", recv=15, bad=2, sent=13, good=1, right=13),
    "races/first_come_wrong": STOLEN.format(file="first_come_wrong.c", recv=17, bad=2, sent=14, good=1, right=14),
    "races/length_wrong": STOLEN.format(file="length_wrong.c", recv=15, bad=2, sent=13, good=1, right=13),
    "races/root_wrong": STOLEN.format(file="root_wrong.c", recv=16, bad=2, sent=13, good=1, right=13),
    "races/stop_wrong": STOLEN.format(file="stop_wrong.c", recv=18, bad=2, sent=14, good=1, right=13),
    "races/type_wrong": STOLEN.format(file="type_wrong.c", recv=17, bad=2, sent=15, good=1, right=14),
    "races/crooked_barrier_wrong":
        "MPI_Irecv from any source at crooked_barrier_wrong.c:16 on rank 1 took the message that rank 2 sent by "
        "MPI_Send at crooked_barrier_wrong.c:18; the run ends well if it takes the message that rank 0 sent by "
        "MPI_Send at crooked_barrier_wrong.c:15",
    "races/iprobe_wrong":
        "MPI_Iprobe at iprobe_wrong.c:15 on rank 0 got the answer \"not yet\"; the run ends well if it finds the "
        "message that rank 1 sent by MPI_Send at iprobe_wrong.c:13",
    "races/waitany_index_wrong":
        "MPI_Waitany at waitany_index_wrong.c:18 on rank 0 returned 1 and took the message that rank 2 sent by "
        "MPI_Send at waitany_index_wrong.c:15; the run ends well if it returns 0 and takes the message that rank 1 "
        "sent by MPI_Send at waitany_index_wrong.c:15",
    "outcomes/choice_wrong":
        "choose at choice_wrong.c:12 on rank 0 returned 2; the run ends well if it returns 0",
}

# Two decisions are needed, and a third receive has nothing to do with it.
TWO_DECISIONS = """
  int first = 0, second = 0, other = 0;
  if (rank == 0) {
    MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(first != 2 || second != 2);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
  }"""

ONE_DECISION = """
  if (rank == 0) {
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(data == 1);
    for (int i = 2; i < size; ++i)
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }"""


def case_of(label):
    return Case(f"{label.family}/{label.path.stem}", [label.path], int(label.ranks), label.compile, label.options)


class Findings(unittest.TestCase):
    """Of all labelled wrong programs."""
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        # Loops have steps in place of decisions: see endless_test.py.
        cases = [case_of(label) for label in labels.everything()
                 if label.is_wrong and label.check and "progress.cycle" not in label.check]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            cls.seen = dict(zip([case.name for case in cases], pool.map(look_at, cases)))

    def test_are_small_and_happen_again_in_time_with_the_same_bytes(self):
        self.assertGreaterEqual(len(self.seen), FEWEST)
        self.assertEqual({name: faults for name, (_, faults) in self.seen.items() if faults}, {})

    def test_name_the_critical_decision(self):
        for name, text in CRITICAL.items():
            with self.subTest(program=name):
                self.assertEqual(self.seen[name][0]["explanation"]["critical"]["text"], text)
        reported = [name for name, (document, _) in self.seen.items() if "critical" in document["explanation"]]
        self.assertGreaterEqual(len(reported), FEWEST_WITH_CRITICAL)

    def test_are_explained_on_a_page(self):
        for name, (document, _) in self.seen.items():
            with self.subTest(program=name):
                lines = document["explained"].splitlines()
                self.assertLessEqual(len(lines), 70)
                self.assertIn("what to do: ", document["explained"])
                self.assertIn("Critical decision:", document["explained"])
                self.assertRegex(document["explained"], r"more: docs/checks/\w+\.md")


class CounterExamples(WithPrograms):
    def written(self, file="rehearse-counterexample.json"):
        return json.loads((self.folder / file).read_text())

    def test_need_both_decisions_and_not_the_third(self):
        program = self.compile(TWO_DECISIONS)
        self.rehearse("check", "-n", 3, "--quiet", "--buffering", "infinite", program, status=1)
        reported = self.written()["explanation"]
        self.assertEqual([decision["matches"][0]["receive"]["line"] for decision in reported["decisions"]], [16, 18])
        self.assertTrue(reported["fewest"])
        self.assertGreater(reported["executions"], 1)

    def test_do_not_depend_on_the_number_of_processes(self):
        program = self.compile(TWO_DECISIONS)
        files = []
        for jobs in (1, 3):
            self.rehearse("check", "-n", 4, "--quiet", "--jobs", jobs, "--counterexample", f"{jobs}.json", program,
                          status=1)
            files.append((self.folder / f"{jobs}.json").read_text())
        self.assertEqual(files[0], files[1])

    def test_stay_as_they_were_found_where_nobody_wants_more(self):
        program = self.compile(ONE_DECISION)
        self.rehearse("check", "-n", 3, "--quiet", "--minimise", 0, program, status=1)
        self.assertNotIn("explanation", self.written())
        self.rehearse("replay", "--quiet", "rehearse-counterexample.json", status=1)

    def test_of_version_1_are_read(self):
        self.rehearse("check", "-n", 3, "--quiet", self.compile(ONE_DECISION), status=1)
        document = self.written()
        old = {key: document[key] for key in ("rehearse", "program", "program_hash", "arguments", "ranks", "policy",
                                              "finding")}
        self.write("old.json", json.dumps({"rehearse_counterexample": 1, **old}))
        self.rehearse("replay", "--quiet", "old.json", status=1)
        self.assertIn("assertion.failed", self.rehearse("explain", "old.json").stdout)

    def test_that_are_none_give_one_message(self):
        self.rehearse("check", "-n", 3, "--quiet", self.compile(ONE_DECISION), status=1)
        whole = (self.folder / "rehearse-counterexample.json").read_text()
        document = json.loads(whole)
        broken = {"truncated.json": (whole[:len(whole) // 2], "not a whole JSON document"),
                  "foreign.json": ('{"some": "thing"}', "no key 'rehearse_counterexample'"),
                  "binary.json": ("\x7fELF\x02\x01", "not a whole JSON document"),
                  "newer.json": (json.dumps({**document, "rehearse_counterexample": 3}), "format 3; accepted: 1 and 2"),
                  "schedule.json": (json.dumps({**document, "finding": {**document["finding"], "schedule": "0:r0<+1"}}),
                                    "expected a decision such as"),
                  "none.json": (json.dumps({**document, "ranks": -1}), "ranks: -1 given; accepted: 1 to"),
                  "many.json": (json.dumps({**document, "ranks": 10**9}), "ranks: 1000000000 given; accepted: 1 to"),
                  "half.json": (json.dumps({**document, "ranks": 2.5}), "ranks: 2.5 given; accepted: 1 to"),
                  "empty.json": ("", "not a whole JSON document (0 bytes)"),
                  "list.json": (json.dumps([document]), "no key 'rehearse_counterexample'"),
                  "policy.json": (json.dumps({**document, "policy": "some"}), "policy 'some'; accepted: infinite"),
                  "told.json": (json.dumps({**document, "explanation": {"decisions": 7}}), "not a counter-example")}
        for verb in ("replay", "explain"):
            for name, (content, said) in broken.items():
                with self.subTest(verb=verb, file=name):
                    self.write(name, content)
                    self.assert_one_error(self.rehearse(verb, name, status=2), name, said)

    def test_without_their_program_give_one_message(self):
        self.rehearse("check", "-n", 3, "--quiet", "--minimise", 0, self.compile(ONE_DECISION), status=1)
        changed = {**self.written(), "program_hash": "fnv1a:0000000000000000"}
        self.write("changed.json", json.dumps(changed))
        self.assert_one_error(self.rehearse("replay", "changed.json", status=2), "changed.json", "has changed since",
                              "check it again")
        self.write("gone.json", json.dumps({**changed, "program": "/nowhere/program"}))
        self.assert_one_error(self.rehearse("replay", "gone.json", status=2), "gone.json", "/nowhere/program",
                              "cannot read")

    def test_tell_in_which_folder_they_were_made(self):
        self.rehearse("check", "-n", 3, "--quiet", self.compile(ONE_DECISION), status=1)
        passing = {**self.written(), "folder": "/elsewhere"}
        passing["finding"]["schedule"] = passing["explanation"]["passing"]["schedule"]
        self.write("passing.json", json.dumps(passing))
        done = self.rehearse("replay", "passing.json", status=3)
        self.assertIn("did not happen again (it was checked in the folder /elsewhere)", done.stderr)

    def test_fit_a_program_whose_lines_moved(self):
        self.rehearse("check", "-n", 3, "--quiet", self.compile(ONE_DECISION), status=1)
        self.assertNotIn("has changed since", self.rehearse("explain", "rehearse-counterexample.json").stdout)
        self.compile("\n\n\n" + ONE_DECISION)
        self.assertIn("note: the program has changed since the check",
                      self.rehearse("explain", "rehearse-counterexample.json").stdout)
        done = self.rehearse("replay", "--json", "-", "rehearse-counterexample.json", status=1)
        self.assertTrue(json.loads(done.stdout)["reproduced"])
        self.assertIn("has changed since", done.stderr)
        self.assertIn("its decisions were found again by their places", done.stderr)

    def test_say_which_decision_does_not_fit(self):
        self.rehearse("check", "-n", 3, "--quiet", self.compile(ONE_DECISION), status=1)
        self.compile(ONE_DECISION.replace("MPI_Send(", "if (rank == 1) MPI_Send(").replace("i < size", "i < size - 1"))
        self.assert_one_error(self.rehearse("replay", "rehearse-counterexample.json", status=2), "has changed since",
                              "the 1st MPI_Send of rank 2 in main (",
                              " no longer exists; the 1st MPI_Recv of rank 0 in main (")
        self.compile(ONE_DECISION.replace("assert(data == 1);", ""))
        self.assert_one_error(self.rehearse("replay", "rehearse-counterexample.json", status=2),
                              "with the same decisions the finding no longer happens")


class InTime(WithPrograms):
    """The order that is forced, at the dates of the network's formula."""

    def replayed(self, *options, status=1):
        done = self.rehearse("replay", "--compute", "none", *options, "--json", "-", "rehearse-counterexample.json",
                             status=status)
        return json.loads(done.stdout)

    def stops(self, report):
        return [stop["seconds"] for stop in report["stops"]]

    def test_each_message_on_the_way_to_the_finding_takes_its_time(self):
        program = self.compile(EXAMPLES / "3_overtaking.c")
        self.rehearse("check", "-n", 3, "--quiet", program, status=1)
        report = self.replayed("--on", "cluster:3", "--network", "constant", "--delay", "0.001")
        self.assertEqual(self.stops(report), [0.002, 0, 0.001])  # from 1 to 2, and from 2 to 0, before what 1 sent to 0
        # The opener comes after one delay, and what overtakes it after two.
        self.assertEqual([match["slack_seconds"] for match in report["likely"]["matches"]], [0.001])
        self.assertTrue(report["likely"]["ends_well"])
        self.assertFalse(report["likely"]["same_finding"])

    def test_of_flows_that_share_a_link(self):
        program = self.compile(EXAMPLES / "3_overtaking.c")
        self.rehearse("check", "-n", 3, "--quiet", program, status=1)
        latency, byte = 13.01 * (5e-6 + 1e-6 + 5e-6), 1 / (0.97 * 1.25e9)
        # 1 sends 4 bytes to both others at once, over one link; then 2 sends 4 bytes, alone.
        report = self.replayed("--on", "cluster:3", "--network", "lv08")
        self.assertAlmostEqual(self.stops(report)[0], 2 * latency + (2 + 1) * 4 * byte, delta=2e-12)

    def test_of_two_messages_at_the_same_date_either_is_likely(self):
        self.rehearse("check", "-n", 3, "--quiet", self.compile(ONE_DECISION), status=1)
        report = self.replayed("--on", "cluster:3", "--network", "constant", "--delay", "0.25")
        self.assertEqual(self.stops(report)[0], 0.25)
        self.assertEqual(report["likely"]["matches"][0]["slack_seconds"], 0)
        said = self.rehearse("replay", "--on", "cluster:3", "--network", "constant", "--delay", "0.25",
                             "--compute", "none", "rehearse-counterexample.json", status=1).stdout
        self.assertIn("which arrives at the same date: both orders are likely", " ".join(said.split()))


# Links of their own between each two hosts, none like another: latency in seconds, bytes per second.
LINKS = {(0, 1): (0.010, 1e5), (0, 2): (0.030, 2e4), (1, 2): (0.007, 5e4)}
PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="world" routing="Full">
{hosts}
{links}
{routes}
</zone></platform>
"""
PAYLOAD = 1000
FIRST_COME = """
  static char what[1000];
  int usleep(unsigned microseconds);
  if (rank == 0) {
    for (int i = 1; i < size; ++i) {
      MPI_Recv(what, sizeof what, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      assert(i == what[0]);
    }
  } else {
    usleep(rank * 250000);
    what[0] = rank;
    MPI_Send(what, sizeof what, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }"""


class ByFormula(WithPrograms):
    """On a described platform without factors, a message takes the latency of its link and its bytes at its bandwidth;
    messages of different ranks do not share links. What is forced waits for its message, however late that comes."""

    def setUp(self):
        super().setUp()
        names = [f"h{i}" for i in range(3)]
        self.write("platform.xml", PLATFORM.format(
            hosts="\n".join(f"<host id='{name}' speed='1Gf'/>" for name in names),
            links="\n".join(f"<link id='l{a}{b}' latency='{latency}s' bandwidth='{bandwidth}Bps'/>"
                            for (a, b), (latency, bandwidth) in LINKS.items()),
            routes="\n".join(f"<route src='h{a}' dst='h{b}'><link_ctn id='l{a}{b}'/></route>" for a, b in LINKS)))

    def takes(self, one, other, size=4):
        latency, bandwidth = LINKS[min(one, other), max(one, other)]
        return latency + size / bandwidth

    def replayed(self, program):
        self.rehearse("check", "-n", 3, "--quiet", "--buffering", "infinite", program, status=1)
        done = self.rehearse("replay", "--on", "platform.xml", "--network", "raw", "--compute", "none", "--json", "-",
                             "rehearse-counterexample.json", status=1)
        report = json.loads(done.stdout)
        self.assertTrue(report["reproduced"])
        return report, [stop["seconds"] for stop in report["stops"]]

    def test_a_message_that_overtakes(self):
        report, stops = self.replayed(self.compile(EXAMPLES / "3_overtaking.c"))
        overtakes = self.takes(1, 2) + self.takes(2, 0)
        self.assertAlmostEqual(stops[0], overtakes, delta=1e-11)
        self.assertAlmostEqual(stops[2], self.takes(1, 2), delta=1e-11)
        self.assertAlmostEqual(report["likely"]["matches"][0]["slack_seconds"], overtakes - self.takes(1, 0),
                               delta=1e-11)

    def test_a_message_that_is_stolen(self):
        report, stops = self.replayed(self.compile(EXAMPLES / "2_stolen_message.c"))
        # Rank 0 waits from then on; by itself it does the same, as rank 1 is nearer.
        self.assertAlmostEqual(stops[0], self.takes(0, 1), delta=1e-11)
        self.assertTrue(report["likely"]["same_finding"])

    def test_a_sender_that_sleeps(self):
        report, stops = self.replayed(self.compile(FIRST_COME))
        late = 0.5 + self.takes(0, 2, PAYLOAD)
        self.assertAlmostEqual(stops[0], late, delta=1e-11)
        self.assertAlmostEqual(report["likely"]["matches"][0]["slack_seconds"], late - 0.25 - self.takes(0, 1, PAYLOAD),
                               delta=1e-11)
        self.assertTrue(report["likely"]["ends_well"])


class FewerRanks(WithPrograms):
    def test_the_smallest_number_that_shows_the_finding(self):
        program = self.compile(ONE_DECISION)
        done = self.rehearse("check", "-n", 6, "--try-ranks", "fewer", "--json", "report.json", program, status=1)
        self.assertIn("at the same places with 3 ranks (see the counter-example); not found with 2", done.stderr)
        self.assertEqual(json.loads((self.folder / "report.json").read_text())["fewer_ranks"],
                         {"tried": [2, 3], "found": 3})
        document = json.loads((self.folder / "rehearse-counterexample.json").read_text())
        self.assertEqual(document["ranks"], 3)
        self.assertEqual(len(document["explanation"]["decisions"]), 1)
        self.rehearse("replay", "--quiet", "rehearse-counterexample.json", status=1)

    def test_where_it_takes_them_all_that_is_said(self):
        done = self.rehearse("check", "-n", 3, "--try-ranks", "2,1", self.compile(ONE_DECISION), status=1)
        self.assertIn("at the same places was not found with 1 and 2", done.stderr)

    def test_numbers_that_are_not_fewer_are_refused(self):
        for numbers in ("3", "0", "2,", "few"):
            with self.subTest(numbers=numbers):
                self.assert_one_error(self.rehearse("check", "-n", 3, "--try-ranks", numbers, "x", status=2),
                                      "--try-ranks", "from 1 to 2")

    def test_a_bound_on_time_is_replayed_where_it_was_broken(self):
        program = self.compile("  if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\n"
                               "  if (rank == 0) MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")
        self.rehearse("check", "-n", 2, "--quiet", "--on", "cluster:2", "--time-bound", "1e-6", program, status=1)
        done = self.rehearse("replay", "--json", "-", "rehearse-counterexample.json", status=1)
        self.assertTrue(json.loads(done.stdout)["reproduced"])


if __name__ == "__main__":
    closing_line.main()
