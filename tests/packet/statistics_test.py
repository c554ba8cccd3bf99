#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--statistics` of networks of packets: exact values of hand-made cases, sums, series, formats, notes and refusals.

Usage: statistics_test.py --rehearse PROGRAM --schemas FOLDER.

Most cases have two senders and a receiver at a switch. With packets of 1,500 bytes at 125 MB/s, each transmission takes
12 us; each link has a latency of 10 us.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import json_schema  # noqa: E402

PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="net" routing="Full">
  <host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/>
  <link id="la" bandwidth="125MBps" latency="{latency}" sharing_policy="SPLITDUPLEX"/>
  <link id="lb" bandwidth="125MBps" latency="{latency}" sharing_policy="SPLITDUPLEX"/>
  <link id="lc" bandwidth="125MBps" latency="{latency}" sharing_policy="SPLITDUPLEX"/>
  <route src="a" dst="c"><link_ctn id="la" direction="UP"/><link_ctn id="lc" direction="DOWN"/></route>
  <route src="b" dst="c"><link_ctn id="lb" direction="UP"/><link_ctn id="lc" direction="DOWN"/></route>
  <route src="a" dst="b"><link_ctn id="la" direction="UP"/><link_ctn id="lb" direction="DOWN"/></route>
</zone></platform>
"""
BARE = "transport=raw,header=0,framing=0,mtu=1500"
US = 1e-6

PROGRAM = """
#include <mpi.h>
int main(int argc, char **argv) {
  static char data[200000];
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 5 && rank == 0; ++i) MPI_Send(data, 100, MPI_CHAR, 1, i, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 5 && rank == 1; ++i) MPI_Recv(data, 100, MPI_CHAR, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank > 0) MPI_Send(data, 200000, MPI_CHAR, 0, 6, MPI_COMM_WORLD);
  for (int i = 1; i < size && rank == 0; ++i)
    MPI_Recv(data, 200000, MPI_CHAR, i, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""

options = None


class Statistics(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def rehearse(self, *arguments, status=0):
        done = subprocess.run([options.rehearse, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def flows(self, flows, packet, *more, on="net.xml", latency="10us", file="s.json"):
        """The report, the statistics, and the lines with notes."""
        (self.folder / "net.xml").write_text(PLATFORM.format(latency=latency))
        (self.folder / "flows.txt").write_text("".join(" ".join(map(str, flow)) + "\n" for flow in flows))
        done = self.rehearse("flows", "--on", on, "--network", "packet", *(["--packet", packet] if packet else []),
                             "--statistics", file, "--json", "-", *more, "flows.txt")
        statistics = json.loads((self.folder / file).read_text()) if file.endswith(".json") else None
        return json.loads(done.stdout), statistics, done.stderr.splitlines()

    def close(self, value, expected, places=13):
        self.assertAlmostEqual(value, expected, places)

    def test_two_flows_into_one_port_have_the_queue_of_a_hand_made_case(self):
        # At the port to c: at 22 us one packet of each, at 34 us another one of each, one departure each 12 us.
        _, statistics, _ = self.flows([(0, "a", "c", 3000), (0, "b", "c", 3000)], BARE)
        links = {link["name"]: link for link in statistics["links"]}
        port = links["lc_DOWN"]
        self.close(statistics["end"], 80 * US)
        self.assertEqual((port["packets"], port["bytes"], port["longest_queue_bytes"]), (4, 6000, 3000))
        self.close(port["longest_queue_at"], 34 * US)
        self.close(port["mean_queue_bytes"], (1500 * 12 + 3000 * 12 + 1500 * 12) / 80, 6)
        self.close(port["utilisation"], 48 / 80, 9)
        self.close(links["la_UP"]["utilisation"], 24 / 80, 9)
        self.assertEqual(links["la_UP"]["longest_queue_bytes"], 0)
        histogram = [(time["up_to_bytes"], round(time["seconds"] / US, 6)) for time in port["queue_histogram"]]
        self.assertEqual(histogram, [(0, 44), (1500, 24), (3000, 12)])
        first, second = statistics["messages"]
        self.close(first["end"], 68 * US)
        self.close(second["end"], 80 * US)
        for message in (first, second):
            self.close(message["ideal_seconds"], 56 * US)
        self.close(second["slow_down"], 80 / 56, 9)
        self.assertEqual([connection["name"] for connection in statistics["connections"]], ["a -> c", "b -> c"])
        self.close(statistics["connections"][1]["busy_seconds"], 80 * US)
        self.close(statistics["connections"][1]["goodput"], 3000 / (80 * US), 3)

    def test_a_queue_without_room_is_full_and_drops(self):
        report, statistics, notes = self.flows([(0, "a", "c", 3000), (0, "b", "c", 3000)], BARE + ",queue=1500")
        port = next(link for link in statistics["links"] if link["name"] == "lc_DOWN")
        self.assertEqual((port["drops"], port["losses"], port["longest_queue_bytes"]), (1, 0, 1500))
        self.close(port["full_seconds"], 24 * US)  # one packet waits from 22 to 34 us, another one to 46 us
        self.close(statistics["end"], 68 * US)
        self.assertEqual([message["status"] for message in statistics["messages"]], ["failed", "done"])
        self.assertEqual(notes, ["note: the queue of link lc_DOWN is full in 35.3 % of the time and drops 1 packet"])
        self.assertEqual(report["notes"], [notes[0].removeprefix("note: ")])

    def test_an_empty_network_has_a_slow_down_of_one(self):
        for keys in (BARE, BARE + ",switching=cut-through", BARE + ",lossless=credit", BARE + ",switch_delay=1us"):
            for size in (0, 1, 1500, 1501, 150000, 1000003):
                _, statistics, _ = self.flows([(0, "a", "c", size)], keys)
                self.close(statistics["messages"][0]["slow_down"], 1, 9)

    def test_sums_over_connections_links_and_flows_agree(self):
        flows = [(0.0001 * (i % 3), "ab"[i % 2], "c", 20000 * (1 + i % 7)) for i in range(40)]
        for keys in ("queue=20000", "queue=30000,loss=0.01,congestion=newreno", "loss=0.02,sack=0,seed=3",
                     "queue=20000,transport=window,window=60000", "lossless=pfc,transport=rdma",
                     "lossless=credit,transport=rdma,loss=0.01", "queue=30000,ecn=10000,congestion=dctcp"):
            report, statistics, _ = self.flows(flows, keys)
            links, connections = statistics["links"], statistics["connections"]

            def total(rows, *names):
                return sum(row[name] for row in rows for name in names)

            self.assertEqual(total(connections, "drops"), total(links, "drops", "losses"), keys)
            for name in ("retransmissions", "timeouts"):
                after = total(connections, name) - total(report["flows"], name)  # after the arrival of all data
                self.assertTrue(0 <= after <= (10 if "sack=0" in keys else 0), (keys, name, after))
            self.assertEqual(total(links, "packets"), report["packet_hops"], keys)
            self.assertEqual(total(connections, "bytes"), sum(flow[3] for flow in flows), keys)
            self.assertEqual(total(connections, "messages"), len(flows), keys)
            self.assertEqual(total(statistics["message_classes"], "messages"), len(flows), keys)
            if "loss=" in keys:
                self.assertGreater(total(connections, "drops"), 0, keys)
            for link in links:
                self.assertLessEqual(link["mean_queue_bytes"], link["longest_queue_bytes"])
                self.assertLessEqual(link["utilisation"], 1 + 1e-9)
                self.close(sum(time["seconds"] for time in link["queue_histogram"]), statistics["end"], 9)
            for connection in connections:
                parts = connection["sending_seconds"] + sum(connection["stalled"].values())
                self.close(parts, connection["busy_seconds"], 9)
                if connection["round_trip"]["measurements"]:
                    times = connection["round_trip"]
                    self.assertLessEqual(times["min_seconds"], times["mean_seconds"])
                    self.assertLessEqual(times["mean_seconds"] * 0.99, times["p99_seconds"] + times["mean_seconds"])
            for i, connection in enumerate(connections):  # each flow is a connection of its own
                of = [message for message in statistics["messages"] if message["connection"] == i]
                self.close(sum(message["end"] - message["start"] for message in of), connection["busy_seconds"], 9)

    def test_a_run_without_statistics_has_the_same_ends(self):
        flows = [(0, "a", "c", 300000), (0, "b", "c", 300000)]
        with_them, _, _ = self.flows(flows, "queue=20000")
        done = self.rehearse("flows", "--on", "net.xml", "--network", "packet", "--packet", "queue=20000", "--json",
                             "-", "flows.txt")
        without = json.loads(done.stdout)
        self.assertEqual(len(without.pop("notes")), len(with_them.pop("notes")))  # shorter ones
        self.assertEqual(without, with_them)

    def test_series_are_bounded_and_end_with_the_final_value(self):
        _, statistics, _ = self.flows([(0, "a", "c", 40_000_000), (0.01, "b", "c", 40_000_000)], "queue=100000",
                                      "--series", "links:lc_DOWN,connections:^a -> c$")
        series = {(one["name"], one["quantity"]): one["points"] for one in statistics["series"]}
        self.assertEqual(set(series), {("lc_DOWN", "queue"), ("lc_DOWN", "rate"), ("a -> c", "window"),
                                       ("a -> c", "threshold"), ("a -> c", "flight"), ("a -> c", "round_trip")})
        for name, points in series.items():
            self.assertLessEqual(len(points), 10_000, name)
            dates = [point[0] for point in points]
            self.assertEqual(dates, sorted(set(dates)), name)
            self.close(dates[-1], statistics["end"], 12)
            for point in points:
                if len(point) == 4:
                    self.assertLessEqual(point[2], point[1])
                    self.assertLessEqual(point[1], point[3])
        self.assertGreater(len(series["lc_DOWN", "queue"]), 3000)  # merged, but not to a few
        self.assertEqual(series["lc_DOWN", "queue"][-1][1], 0)
        self.assertLess(series["a -> c", "flight"][-1][1], 10 * 1448)  # arrived, but not all is acknowledged
        port = next(link for link in statistics["links"] if link["name"] == "lc_DOWN")
        for quantity, expected in (("queue", port["mean_queue_bytes"] * statistics["end"]), ("rate", port["bytes"])):
            points = series["lc_DOWN", quantity]
            area = sum(point[1] * (after[0] - point[0]) for point, after in zip(points, points[1:]))
            self.assertAlmostEqual(area / expected, 1, 3, quantity)
        greatest = max(point[-1] if len(point) == 4 else point[1] for point in series["lc_DOWN", "queue"])
        self.assertEqual(greatest, port["longest_queue_bytes"])

    def test_a_small_window_is_noted_with_one_that_is_large_enough(self):
        flow = [(0, "a", "c", 20_000_000)]
        report, statistics, notes = self.flows(flow, "transport=window,window=100000", latency="1ms")
        note = next(note for note in notes if "window" in note)
        self.assertRegex(note, r"a window of 100,000 bytes limits 1 message; a -> c needs [\d,]+ .*--packet window=\d+")
        self.assertRegex(note, r"wait for it in 7\d\.\d % of their time")
        connection = statistics["connections"][0]
        self.assertAlmostEqual(connection["sending_seconds"] / (20_000_000 * 1538 / 1448 / 125e6), 1, 2)
        self.assertGreater(connection["stalled"]["window_seconds"], 0.7 * statistics["end"])
        enough = int(note.split("window=")[1].split(";")[0])
        ends = []
        for window in (enough, 4 * enough, int(0.9 * enough)):
            report, _, notes = self.flows(flow, f"transport=window,window={window}", latency="1ms")
            ends.append(report["flows"][0]["end"])
            self.assertEqual(any("window" in note for note in notes), window < enough, notes)
        self.close(ends[0], ends[1], 12)
        self.assertGreater(ends[2], 1.05 * ends[0])

    def test_timers_that_decide_are_noted(self):
        flows = [(0, f"node-{i}", "node-0", 100000) for i in range(1, 9)]
        _, statistics, notes = self.flows(flows, "queue=64KiB", on="crossbar:9")
        self.assertRegex(notes[0], r"^note: messages wait for retransmission timers in 99\.\d % of the time "
                                   r"\(1 timeout\); the message node-1 -> node-0 of 100,000 bytes "
                                   r"waits for 0\.2 s of its 0\.2\d+ s$")
        slow = max(statistics["messages"], key=lambda message: message["slow_down"])
        self.close(slow["timer_wait_seconds"], 0.2, 12)
        self.assertEqual(sum(connection["timeouts"] for connection in statistics["connections"]), 1)

    def test_all_formats_have_the_same_numbers(self):
        arguments = ([(0, "a", "c", 300000), (0, "b", "c", 300000)], "queue=20000", "--series", "links:.")
        _, statistics, _ = self.flows(*arguments)
        self.flows(*arguments, file="s.csv")
        with open(self.folder / "s.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for link in statistics["links"]:
            for name in ("packets", "bytes", "utilisation", "drops", "mean_queue_bytes", "longest_queue_bytes"):
                values = [float(row["value"]) for row in rows
                          if (row["kind"], row["name"], row["quantity"]) == ("link", link["name"], name)]
                self.assertEqual(values, [link[name]])
        for one in statistics["series"]:
            values = [[float(row["seconds"]), float(row["value"])] for row in rows
                      if (row["kind"], row["name"], row["quantity"]) == ("series", one["name"], one["quantity"])]
            self.assertEqual(values, [point[:2] for point in one["points"]])
        messages = [float(row["value"]) for row in rows if row["kind"] == "message" and row["quantity"] == "end"]
        self.assertEqual(messages, [message["end"] for message in statistics["messages"]])

    def test_programs_replays_and_traces_have_statistics_that_fit_the_schema(self):
        schema = json_schema.Schema(json.loads((options.schemas / "statistics.schema.json").read_text()))
        of_run = json_schema.Schema(json.loads((options.schemas / "run.schema.json").read_text()))
        (self.folder / "p.c").write_text(PROGRAM)
        self.rehearse("cc", "p.c", "-o", "p")
        network = ("--on", "cluster:3", "--network", "packet", "--packet", "loss=0.02", "--statistics", "s.json",
                   "--series", "links:.,connections:.")
        done = self.rehearse("run", "-n", 3, *network, "--compute", "none", "--trace", "p.rtrace", "--json", "r.json",
                             "--verbose", "./p")
        self.assertRegex(done.stderr, r"rehearse: [\d,]+ packet-hops, [\d,]+ events, [\d.e+-]+ million packet-hops per "
                                      r"second")
        report = json.loads((self.folder / "r.json").read_text())
        statistics = json.loads((self.folder / "s.json").read_text())
        self.assertEqual(of_run.errors(report), [])
        self.assertEqual(schema.errors(statistics), [])
        self.assertEqual([rank["unexpected"] for rank in report["ranks"]], [1, 5, 0])  # one that waits for the other
        self.assertEqual(report["network"]["packet_hops"], sum(link["packets"] for link in statistics["links"]))
        for name in ("retransmissions", "timeouts"):
            self.assertEqual(report["network"][name], sum(one[name] for one in statistics["connections"]))
        for name in ("drops", "losses"):
            self.assertEqual(report["network"][name], sum(link[name] for link in statistics["links"]))
        self.assertGreater(report["network"]["losses"], 0)
        large = [message for message in statistics["messages"] if message["bytes"] == 200000]
        kinds = {kind: sum(1 for message in statistics["messages"] if message["kind"] == kind)
                 for kind in ("announcement", "answer", "data")}
        self.assertEqual((len(large), kinds["announcement"], kinds["answer"]), (2, 2, 2))
        self.assertEqual(sum(one["messages"] for one in statistics["connections"]), kinds["data"])
        self.rehearse("trace", "replay", *network, "--quiet", "p.rtrace")
        replayed = json.loads((self.folder / "s.json").read_text())
        self.assertEqual(schema.errors(replayed), [])
        self.assertEqual(sum(one["bytes"] for one in replayed["connections"]),
                         sum(one["bytes"] for one in statistics["connections"]))
        for unfit in ({"links": {}}, {"end": -1}, {"more": 1}):
            self.assertNotEqual(schema.errors({**statistics, **unfit}), [])

    def test_links_in_the_picture_of_a_run_carry_the_bytes_of_its_packets(self):
        (self.folder / "p.c").write_text(PROGRAM)
        self.rehearse("cc", "p.c", "-o", "p")
        self.rehearse("run", "-n", 3, "--on", "cluster:3", "--network", "packet", "--compute", "none", "--quiet",
                      "--statistics", "s.json", "--timeline", "t.json", "./p")
        trace = json.loads((self.folder / "t.json").read_text())
        events = trace["traceEvents"] if isinstance(trace, dict) else trace
        counters = {event["name"] for event in events if event.get("ph") == "C"}
        used = {link["name"] for link in json.loads((self.folder / "s.json").read_text())["links"]}
        self.assertTrue(used and all(any(name in counter for counter in counters) for name in used), (used, counters))

    def test_what_is_not_possible_is_refused_before_the_run(self):
        (self.folder / "net.xml").write_text(PLATFORM.format(latency="10us"))
        (self.folder / "flows.txt").write_text("0 a c 1000\n")
        packet = ("--network", "packet")
        for arguments, text in (
                ((*packet, "--statistics", "s.txt"),
                 "flows: --statistics: 's.txt' given; accepted: FILE.json, FILE.csv, FILE.html"),
                (("--network", "lv08", "--statistics", "s.json"),
                 "flows: --statistics: network model 'lv08' has no packets; accepted: --network packet"),
                ((*packet, "--series", "links:."), "flows: --series needs --statistics"),
                ((*packet, "--statistics", "s.json", "--series", "link:."),
                 "flows: --series: 'link:.' given; accepted: links:REGEX, connections:REGEX, or both"),
                ((*packet, "--statistics", "s.json", "--series", "links:("), "flows: --series: '(': "),
                ((*packet, "--statistics", "s.json", "--series", "links:a,links:b"), "has two expressions for links:"),
                ((*packet, "--statistics", "no/s.json"), "flows: --statistics: ")):
            done = self.rehearse("flows", "--on", "net.xml", *arguments, "flows.txt", status=2)
            self.assertIn(text, done.stderr)
            self.assertFalse((self.folder / "s.json").exists())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rehearse", required=True)
    parser.add_argument("--schemas", required=True, type=pathlib.Path)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
