#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--packet-loss and jitter: losses in windows, on links and between hosts; counts and captures; clear errors."""
import json
import struct
import unittest

from checking import WithPrograms
from installation import ROOT  # noqa: F401  (puts tests/tools on the path)

import closing_line  # noqa: E402

ENHANCED_PACKET = 6  # a block of a pcapng file
# 100 packets of 1,250 bytes take 1 us each on a link of 1.25 GB/s.
RAW = "transport=raw,header=0,framing=0,mtu=1250,queue=0"


def frames(path):
    data, at, count = path.read_bytes(), 0, 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        count += kind == ENHANCED_PACKET
        at += length
    return count


class PacketLosses(WithPrograms):
    def flows(self, lines, *options, keys=RAW):
        path = self.write("flows.txt", lines)
        done = self.rehearse("flows", "--on", "crossbar:4", "--network", "packet", "--packet", keys, *options, "--json",
                             "-", path)
        report = json.loads(done.stdout)
        report["losses"] = {link["name"]: link["losses"] for link in report["links"] if link["losses"]}
        return report

    def refused(self, *options, says, network="packet"):
        path = self.write("flows.txt", "0 node-0 node-1 1\n")
        words = ("flows", "--on", "crossbar:4", "--network", network, *options, path)
        self.assert_one_error(self.rehearse(*words, status=2), *says)

    def test_windows_have_the_packets_that_start_in_them(self):
        one = "0 node-0 node-1 125000\n"
        report = self.flows(one, "--packet-loss", "links:link_0_UP=1@20us:50us")
        self.assertEqual(report["losses"], {"cluster_link_0_UP": 30})
        self.assertEqual(report["flows"][0]["status"], "failed")
        self.assertEqual(report["flows"][0]["drops"], 30)
        self.assertEqual(self.flows(one, "--packet-loss", "links:link_0_UP=1@1:2")["losses"], {})

    def test_several_rules_hold_together_also_from_a_file(self):
        one = "0 node-0 node-1 125000\n"
        rules = ["links:link_0_UP=1@0:0.000010", "links:link_0_UP=1@0.00002:0.00003"]
        by_options = self.flows(one, *(word for rule in rules for word in ("--packet-loss", rule)))
        self.assertEqual(by_options["losses"], {"cluster_link_0_UP": 20})
        file = self.write("models.txt", "".join(f"packet-loss {rule}\n" for rule in rules))
        self.assertEqual(self.flows(one, "--network-file", file)["losses"], {"cluster_link_0_UP": 20})
        more = self.flows(one, "--network-file", file, "--packet-loss", "links:link_0_UP=1@99us:1")
        self.assertEqual(more["losses"], {"cluster_link_0_UP": 21})

    def test_two_hosts_lose_in_one_direction(self):
        lines = "0 node-0 node-1 125000\n0 node-1 node-0 125000\n0 node-2 node-1 125000\n"
        report = self.flows(lines, "--packet-loss", "node-0-node-1=1")
        self.assertEqual([flow["status"] for flow in report["flows"]], ["failed", "done", "done"])
        self.assertEqual(report["losses"], {"cluster_link_1_DOWN": 100})

    def test_other_flows_keep_their_dates(self):
        lines = "0 node-0 node-1 1000000\n0.001 node-2 node-3 1000000\n"
        without, lossy = (self.flows(lines, *options, keys="mtu=1500")["flows"]
                          for options in ((), ("--packet-loss", "node-0-node-1=0.02")))
        self.assertGreater(lossy[0]["end"], without[0]["end"])
        self.assertGreater(lossy[0]["retransmissions"], 0)
        self.assertEqual(lossy[1], without[1])

    def test_captures_have_the_packets_that_are_lost(self):
        report = self.flows("0 node-0 node-1 1000000\n", "--packet-loss", "node-0-node-1=0.05", "--packet-loss",
                            "links:_0_UP=0.05", "--pcap", self.folder / "captures", keys="mtu=1500")
        self.assertEqual(set(report["losses"]), {"cluster_link_0_UP", "cluster_link_1_DOWN"})
        for link in report["links"]:
            self.assertEqual(frames(self.folder / "captures" / (link["name"] + ".pcapng")), link["packets"])
        sent, arrived = (next(link for link in report["links"] if link["name"] == name)
                         for name in ("cluster_link_0_UP", "cluster_link_1_DOWN"))
        self.assertEqual(sent["packets"] - sent["losses"], arrived["packets"])

    def test_statistics_count_them(self):
        self.flows("0 node-0 node-1 1000000\n", "--packet-loss", "links:_0_UP=0.05", "--statistics", "all.json",
                   keys="mtu=1500")
        links = json.loads((self.folder / "all.json").read_text())["links"]
        self.assertGreater(next(link for link in links if link["name"] == "cluster_link_0_UP")["losses"], 0)

    def test_jitter_reorders_and_loses_nothing(self):
        report = self.flows("0 node-0 node-1 1000000\n", keys="jitter=100us")
        again = self.flows("0 node-0 node-1 1000000\n", keys="jitter=100us")
        self.assertEqual(report, again)
        self.assertEqual(report["losses"], {})
        self.assertEqual(report["flows"][0]["status"], "done")
        self.assertGreater(report["flows"][0]["retransmissions"], 0)
        other = self.flows("0 node-0 node-1 1000000\n", keys="jitter=100us,seed=2")
        self.assertNotEqual(report["flows"], other["flows"])

    def test_programs_run_on_links_with_jitter_and_losses(self):
        program = self.compile("""
          for (int round = 0; round < 30; ++round) {
            int block[2000], all[2000];
            for (int i = 0; i < 2000; ++i) block[i] = rank * i + round;
            MPI_Allreduce(block, all, 2000, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            for (int i = 0; i < 2000; ++i) assert(all[i] == 6 * i + 4 * round);
          }""")
        def seconds(*options):
            done = self.rehearse("run", "-n", 4, "--on", "crossbar:4", "--network", "packet", "--compute", "none",
                                 "--json", "-", *options, program)
            return json.loads(done.stdout)["simulated_seconds"]
        disturbed = ("--packet", "jitter=50us", "--packet-loss", "links:.=0.01@0.001:0.5")
        self.assertGreater(seconds(*disturbed), seconds())
        self.assertEqual(seconds(*disturbed), seconds(*disturbed))

    def test_comparisons_give_them_to_models_of_packets(self):
        program = self.compile("MPI_Barrier(MPI_COMM_WORLD);")
        self.rehearse("compare-models", "-n", 4, "--on", "crossbar:4", "--compute", "none", "--models", "lv08,packet",
                      "--packet-loss", "links:_0_UP=1@0:0.05", "--quiet", "--json", "report.json", program)
        runs = json.loads((self.folder / "report.json").read_text())["runs"]
        self.assertLess(runs[0]["simulated_seconds"], 0.05)
        self.assertGreater(runs[1]["simulated_seconds"], 0.05)

    def test_wrong_losses_are_refused(self):
        for value, says in (("node-0=1", "HOST-HOST"), ("node-0-node-9=1", "'node-0-node-9' is no pair of hosts"),
                            ("node-0-node-0=1", "both hosts are the same"), ("node-0-node-1", "accepted: HOST-HOST"),
                            ("node-0-node-1=2", "'2' is no probability"), ("node-0-node-1=1@2:1", "window '2:1'"),
                            ("node-0-node-1=1@5", "window '5'"), ("links:zzz=1", "no link of platform crossbar:4"),
                            ("links:(=1", "regular expression")):
            with self.subTest(value=value):
                self.refused("--packet-loss", value, says=["--packet-loss", says])
        self.refused("--packet-loss", "links:.=1", network="lv08", says=["--packet-loss", "'lv08'", "packet"])
        self.refused("--packet-loss", "links:.=1", network="ns3", says=["--packet-loss", "'ns3'", "packet"])
        file = self.write("models.txt", "network packet\npacket-loss node-0\n")
        self.refused("--network-file", file, says=["models.txt:2", "packet-loss", "'node-0'"])

    def test_wrong_jitter_is_refused(self):
        for keys, says in (("jitter=-1", "'-1'"), ("jitter=1ms,lossless=credit", "lossless=off"),
                           ("jitter=1ms,switching=cut-through", "store-and-forward")):
            with self.subTest(keys=keys):
                self.refused("--packet", keys, says=["--packet", "jitter", says])
        self.refused("--packet", "jitter=1ms", network="ns3", says=["key 'jitter'", "ns3 accepts"])


if __name__ == "__main__":
    closing_line.main()
