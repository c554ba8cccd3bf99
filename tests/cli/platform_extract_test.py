#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse platform extract: a file with some hosts, whose routes are those of the whole platform."""
import itertools
import json

from checking import WithPrograms

import closing_line


class Extracted(WithPrograms):
    def extract(self, *words, status=0):
        return self.rehearse("platform", "extract", *words, status=status)

    def report(self, *words):
        return json.loads(self.extract(*words, "--json", "-").stdout)

    def refused(self, *words, says):
        self.assert_one_error(self.extract(*words, status=2), *says)

    def route(self, platform, source, destination):
        return json.loads(self.rehearse("platform", "route", platform, source, destination, "--json", "-").stdout)

    def check_routes(self, whole, part, hosts):
        for source, destination in itertools.product(hosts, hosts):
            self.assertEqual(self.route(part, source, destination), self.route(whole, source, destination))

    def test_named_hosts_keep_their_routes(self):
        hosts = ["node-2", "node-5", "node-11"]
        for whole in ("cluster:12", "torus:3x2x2", "fat-tree:12"):
            with self.subTest(whole):
                self.extract(whole, "--names", ",".join(hosts), "-o", "part.xml")
                self.check_routes(whole, "part.xml", hosts)

    def test_the_platform_can_stand_behind_names(self):
        self.assertEqual(self.report("--names", "node-1,node-2", "cluster:4")["hosts"], ["node-1", "node-2"])

    def test_generated_hosts_keep_their_routes(self):
        self.rehearse("platform", "generate", "transit-stub", "--sizes", "2x2x2x4", "--promote", "cluster:3-:0.5",
                      "--promote", "host:0-:1", "-o", "net.xml")
        report = self.report("net.xml", "--hosts", "6", "--seed", "3", "-o", "part.xml")
        self.assertEqual(len(report["hosts"]), 6)
        self.assertEqual(self.rehearse("platform", "validate", "part.xml").stderr, "")
        self.check_routes("net.xml", "part.xml", report["hosts"])

    def test_the_same_seed_gives_the_same_bytes(self):
        first = self.extract("cluster:100", "--hosts", "7", "--seed", "5").stdout
        self.assertEqual(self.extract("cluster:100", "--hosts", "7", "--seed", "5").stdout, first)
        self.assertNotEqual(self.extract("cluster:100", "--hosts", "7", "--seed", "6").stdout, first)

    def test_conditions_hold_in_the_report(self):
        self.rehearse("platform", "generate", "waxman", "--nodes", "80", "--speed", "lognormal(2Gf,0.5)", "-o",
                      "net.xml")
        near = self.report("net.xml", "--diameter", "20us")
        self.assertGreater(len(near["hosts"]), 2)
        self.assertLessEqual(near["diameter"], 20e-6)
        fast = self.report("net.xml", "--hosts", "10", "--mean-speed", "3Gf", "--speed-deviation", "300Mf")
        self.assertEqual(len(fast["hosts"]), 10)
        self.assertAlmostEqual(fast["mean_speed"] / 3e9, 1, delta=0.01)
        self.assertAlmostEqual(fast["speed_deviation"] / 3e8, 1, delta=0.05)
        self.assertEqual(list(fast), ["platform", "hosts", "mean_speed", "speed_deviation", "diameter", "zones",
                                      "routes"])

    def test_a_program_takes_the_same_time_on_the_extracted_hosts(self):
        self.write("flows.txt", "0 node-2 node-7 1e6\n0 node-7 node-9 3e6\n0.001 node-9 node-2 2e6\n")
        self.extract("cluster:12", "--names", "node-2,node-7,node-9", "-o", "part.xml")
        ends = [json.loads(self.rehearse("flows", "--on", platform, "flows.txt", "--json", "-").stdout)["flows"]
                for platform in ("cluster:12", "part.xml")]
        self.assertEqual(ends[0], ends[1])

    def test_what_cannot_be_done_is_refused(self):
        self.refused("cluster:8", "--hosts", "9", says=["hosts: 9 given", "1 to 8"])
        self.refused("cluster:8", "--names", "node-1,x", says=["'x' is not a host", "8 hosts"])
        self.refused("cluster:8", "--names", "node-1", "--hosts", "1", says=["--names", "--hosts"])
        self.refused("cluster:8", "--mean-speed", "1Gf", says=["number of hosts"])
        self.refused("cluster:8", "--hosts", "2", "--mean-speed", "1Gf..2Gf", says=["--mean-speed", "one quantity"])
        self.refused("cluster:8", "--diameter", "soon", says=["--diameter", "'soon'"])
        self.refused("cluster:8", "--hosts", "4", "--diameter", "1ps", says=["no 4 hosts", "largest", "has 1"])
        self.refused("cluster:8@ethernet-10g", "--hosts", "2", says=["'ethernet-10g'", "cannot be written"])
        self.refused("cluster:9000", says=["9000 hosts selected", "1 to 5000"])
        self.refused("no.xml", says=["no.xml"])


if __name__ == "__main__":
    closing_line.main()
