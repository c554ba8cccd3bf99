#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse replay and explain: each finding of the demonstration happens again, and says where."""
import json
import struct

from checking import EXAMPLES, WithPrograms

import closing_line

DEMO = (("1_head_to_head", 2), ("2_stolen_message", 3), ("3_overtaking", 3))


SECTION_HEADER, ENHANCED_PACKET = 0x0a0d0d0a, 6  # blocks of a pcapng file


def blocks(path):
    """The types of the blocks of a pcapng file."""
    data, at, kinds = path.read_bytes(), 0, []
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        kinds.append(kind)
        at += length
    return kinds


class Replay(WithPrograms):
    def counterexample(self, example, ranks):
        self.rehearse("check", "-n", ranks, "--quiet", self.compile(EXAMPLES / f"{example}.c", example), status=1)
        return json.loads((self.folder / "rehearse-counterexample.json").read_text())

    def test_gives_the_same_finding_twice_with_the_same_bytes(self):
        for example, ranks in DEMO:
            with self.subTest(example=example):
                finding = self.counterexample(example, ranks)["finding"]
                replays = [self.rehearse("replay", "rehearse-counterexample.json", "--on", "cluster:4", "--compute",
                                         "none", "--json", "-", status=1).stdout for _ in range(2)]
                self.assertEqual(replays[0], replays[1])
                report = json.loads(replays[0])
                self.assertTrue(report["reproduced"])
                again = next(f for f in report["findings"] if f["id"] == finding["id"])
                self.assertEqual(again["ranks"], finding["ranks"])
                self.assertEqual([(at["rank"], at["call"], at["file"], at["line"]) for at in again["locations"]],
                                 [(at["rank"], at["call"], at["file"], at["line"]) for at in finding["locations"]])

    def test_says_when_each_rank_stopped_where(self):
        self.counterexample("2_stolen_message", 3)
        done = self.rehearse("replay", "rehearse-counterexample.json", "--on", "cluster:4", status=1)
        self.assertRegex(done.stdout,
                         r"rank 0 on node-0\S* +blocked at \d+\.\d{9} s in MPI_Recv\(.*2_stolen_message.c:\d+")
        self.assertRegex(done.stdout, r"rank 2 on node-2\S* +blocked at \d+\.\d{9} s in MPI_Finalize")
        self.assertTrue(done.stderr.startswith("violation: reproduced deadlock."), done.stderr)

    def test_runs_where_it_is_reported(self):
        self.counterexample("1_head_to_head", 2)
        done = self.rehearse("replay", "rehearse-counterexample.json", "--on", "laptop", "--json", "-", status=1)
        report = json.loads(done.stdout)
        self.assertEqual([stop["host"] for stop in report["stops"]], ["laptop", "laptop"])

    def test_writes_the_packets_of_its_messages(self):
        self.counterexample("2_stolen_message", 3)
        self.rehearse("replay", "rehearse-counterexample.json", "--on", "crossbar:4", "--compute", "none", "--network",
                      "packet", "--packet", "connect=0", "--pcap", "captures", status=1)
        captures = {path.name: blocks(path) for path in (self.folder / "captures").glob("*.pcapng")}
        self.assertIn("cluster_link_1_UP.pcapng", captures)
        for name, kinds in captures.items():
            self.assertEqual(kinds[0], SECTION_HEADER, name)
            self.assertGreater(kinds.count(ENHANCED_PACKET), 0, name)
        # What the ranks send is what they receive.
        ups, downs = (sum(kinds.count(ENHANCED_PACKET) for name, kinds in captures.items() if name.endswith(end))
                      for end in ("_UP.pcapng", "_DOWN.pcapng"))
        self.assertEqual(ups, downs)
        refused = self.rehearse("replay", "rehearse-counterexample.json", "--on", "crossbar:4", "--pcap", "none",
                                status=2)
        self.assert_one_error(refused, "replay: --pcap", "--network packet")
        self.assertFalse((self.folder / "none").exists())

    def test_of_another_finding_is_not_the_same(self):
        document = self.counterexample("1_head_to_head", 2)
        document["policy"] = "infinite"
        self.write("changed.json", json.dumps(document))
        done = self.rehearse("replay", "changed.json", status=3)
        self.assertIn("did not happen again", done.stderr)


class Explain(WithPrograms):
    def test_says_where_each_rank_stands(self):
        program = self.compile(EXAMPLES / "1_head_to_head.c")
        self.rehearse("check", "-n", 2, "--quiet", program, status=1)
        text = self.rehearse("explain", "rehearse-counterexample.json").stdout
        for word in ("rank 0 at", "rank 1 at", "in MPI_Send(", "1_head_to_head.c:15 in main",
                     "a standard send waits until it is received"):
            self.assertIn(word, text)


if __name__ == "__main__":
    closing_line.main()
