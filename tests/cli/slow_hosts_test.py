#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--slow: hosts with slower links, under all models and verbs, and clear errors."""
import json
import unittest

from checking import WithPrograms
from installation import ROOT  # noqa: F401  (puts tests/tools on the path)

import closing_line  # noqa: E402

PING = """
  static char block[1000000];
  if (rank == 0) MPI_Send(block, sizeof block, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(block, sizeof block, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
"""
DEADLOCK = "MPI_Recv(&data, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
ON = ("--on", "crossbar:4")
SLOW = ("--slow", "node-1=bandwidth:0.01,latency:+10ms")


class SlowHosts(WithPrograms):
    def ends(self, *options):
        path = self.write("flows.txt", "0 node-0 node-2 1000000\n2 node-0 node-1 1000000\n4 node-1 node-3 1000000\n")
        report = json.loads(self.rehearse("flows", *ON, *options, "--json", "-", path).stdout)
        return [flow["end"] - flow["start"] for flow in report["flows"]]

    def refused(self, *options, says, on="crossbar:4"):
        path = self.write("flows.txt", "")
        self.assert_one_error(self.rehearse("flows", "--on", on, *options, path, status=2), *says)

    def test_flows_of_the_host_are_slower_under_every_model(self):
        for network in ("lv08", "cm02", "smpi", "raw", "ptask", "loggps", "last_mile", "packet"):
            with self.subTest(network=network):
                before, after = self.ends("--network", network), self.ends("--network", network, *SLOW)
                self.assertEqual(after[0], before[0])
                for i in (1, 2):
                    self.assertGreater(after[i], 20 * before[i])

    def test_options_and_lines_of_a_file_add_up(self):
        twice = self.ends("--network", "raw", "--slow", "node-1=latency:+1", "--slow", "node-1=latency:+1", "--slow",
                          "node-0=latency:+1")
        file = self.write("models.txt", "slow node-1=latency:+1 # a second\nslow node-1=latency:+1s\n")
        filed = self.ends("--network", "raw", "--network-file", file, "--slow", "node-0=latency:+1000ms")
        plain = self.ends("--network", "raw")
        for ends in (twice, filed):
            self.assertEqual([round(end - before, 9) for end, before in zip(ends, plain)], [1, 3, 2])

    def test_programs_traces_comparisons_and_replays_take_it(self):
        program = self.compile(PING)
        def seconds(*words):
            self.rehearse(*words[:2 if words[0] == "trace" else 1], *ON, "--network", "raw", "--json", "report.json",
                          *words[2 if words[0] == "trace" else 1:])
            return json.loads((self.folder / "report.json").read_text())["simulated_seconds"]
        run = ("run", "-n", 2, "--compute", "none")
        slow = seconds(*run, *SLOW, program)
        self.assertGreater(slow, 20 * seconds(*run, program))
        self.rehearse("trace", "record", "-n", 2, "--compute", "none", "-o", "ping.rtrace", "--quiet", program)
        self.assertAlmostEqual(seconds("trace", "replay", *SLOW, "ping.rtrace"), slow, 9)
        table = self.rehearse("trace", "replay", *ON, "--network", "raw", "--sweep",
                              "slow=node-1=latency:2;" + SLOW[1], "ping.rtrace").stdout
        self.assertIn(SLOW[1], table)
        self.assertIn(f"{slow:.9f}", table)
        self.rehearse("compare-models", *run[1:], *ON, "--models", "raw,packet", *SLOW, "--quiet", "--json",
                      "models.json", program)
        runs = json.loads((self.folder / "models.json").read_text())["runs"]
        self.assertEqual(runs[0]["simulated_seconds"], slow)
        self.assertGreater(runs[1]["simulated_seconds"], slow)

        self.rehearse("check", "-n", 2, "--quiet", *ON, *SLOW, self.compile(DEADLOCK), status=1)
        self.rehearse("replay", "rehearse-counterexample.json", *ON, *SLOW, "--json", "replay.json", status=1)

    def test_an_ideal_network_of_efficiencies_has_no_slow_hosts(self):
        program = self.compile(PING)
        self.rehearse("trace", "record", "-n", 2, "--compute", "none", "-o", "ping.rtrace", "--quiet", program)
        self.rehearse("trace", "efficiency", *ON, *SLOW, "ping.rtrace")
        self.rehearse("trace", "efficiency", *ON, *SLOW, "--network", "packet", "--packet", "queue=64KiB",
                      "--packet-loss", "node-0-node-1=0.01", "ping.rtrace")

    def test_wrong_hosts_and_keys_are_refused(self):
        for value, says in (("node-9=latency:2", "platform crossbar:4 has no host 'node-9'"),
                            ("node-1", "accepted: HOST=bandwidth:FACTOR"), ("node-1=speed:2", "'speed:2' given"),
                            ("node-1=bandwidth:0", "bandwidth: '0' given"), ("node-1=latency:-1", "'-1' given"),
                            ("node-1=latency:+x", "'+x' given"), ("node-1=bandwidth:1,bandwidth:1", "twice")):
            with self.subTest(value=value):
                self.refused("--slow", value, says=["--slow", says])
        self.refused("--slow", "node-1=latency:2", on="torus:5x5", says=["--slow", "'node-1' has no link of its own"])
        file = self.write("models.txt", "slow node-1=bandwidth:no\n")
        self.refused("--network-file", file, says=["models.txt:1", "slow", "'no'"])
        self.assert_one_error(self.rehearse("attach", "-n", 2, "--slow", "node-7=latency:2", "true", status=2),
                              "attach", "--slow", "no host 'node-7'")

    def test_models_that_would_ignore_it_refuse_it(self):
        self.refused("--network", "constant", *SLOW, says=["--slow", "constant"])
        self.refused("--network", "loggps", "--loggps", "L=1e-6", *SLOW, says=["--slow", "latency", "--loggps has L"])
        self.refused("--network", "loggps", "--loggps", "G=1e-9", *SLOW, says=["--slow", "bandwidth", "--loggps has G"])
        platform = self.write("edge.xml", """<platform version="4.1"><zone id="z" routing="Full">
          <host id="a" speed="1Gf"><prop id="upload" value="1MBps"/></host><host id="b" speed="1Gf"/>
          <link id="l" bandwidth="1MBps" latency="1ms"/><route src="a" dst="b"><link_ctn id="l"/></route>
          </zone></platform>""")
        self.refused("--network", "last_mile", "--slow", "a=bandwidth:2", on=platform, says=["--slow", "upload"])


if __name__ == "__main__":
    closing_line.main()
