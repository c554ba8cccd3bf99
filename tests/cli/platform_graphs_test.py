#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse platform generate: bytes that do not change, attributes from distributions, filters, wrong values."""
import hashlib
import json
import re

from checking import WithPrograms

import closing_line

# A change of these bytes changes platforms that users have described by their options: say so in the changelog.
BYTES = {
    "star --nodes 8": "8a5f1ea7cd66c688",
    "clique --nodes 6": "3c70ed9b118eb793",
    "waxman --nodes 40 --seed 3": "8558cfd2b9c7e358",
    "waxman --nodes 60 --alpha 0.05 --latency 1ms..3ms --promote cluster:3-:0.5 --promote host:0-2:0.7 --cores 1..8":
        "b229956eb9e34431",
    "barabasi-albert --nodes 40": "4080d08db42d3d32",
    "clusters --sizes 2x3x4 --speed 1Gf..4Gf": "f21d8a22d9b2ab95",
    "uniform --nodes 30 --alpha 0.1 --degrees 2-": "eeeaad14fe9d6bea",
    "exponential --nodes 30 --unconnected largest": "569c9a10b68cf8c4",
    "n-level --sizes 2x3..4x5 --inner clique,waxman --unconnected redraw --tries 5000": "072a97f5275ee176",
    "transit-stub --sizes 2x3x2x4 --transit-stub-edges 2 --stub-stub-edges 3": "e4526d135d6f1598",
    "star --nodes 40 --speed lognormal(2Gf,0.5) --bandwidth pareto(1GBps,2) --latency normal(1ms,0.3ms) "
    "--cores choice(4:3,8,16)": "df59aff095f3c9f7",
    "star --nodes 40 --speed exponential(2Gf)": "14a55f46d0106d85",
}


class Generated(WithPrograms):
    def generate(self, *words, status=0):
        return self.rehearse("platform", "generate", *words, status=status)

    def refused(self, *words, says):
        self.assert_one_error(self.generate(*words, status=2), *says)

    def shown(self, *words):
        """The platform as `show --json` reports it."""
        self.write("net.xml", self.generate(*words).stdout)
        self.assertEqual(self.rehearse("platform", "validate", "net.xml").stderr, "")
        return json.loads(self.rehearse("platform", "show", "net.xml", "--json", "-").stdout)

    def test_each_kind_gives_the_same_bytes_as_ever(self):
        for words, expected in BYTES.items():
            with self.subTest(words):
                text = self.generate(*words.split()).stdout
                self.assertEqual(hashlib.sha256(text.encode()).hexdigest()[:16], expected)

    def test_attributes_come_from_a_real_list(self):
        self.write("speeds.txt", "# measured\n1.5Gf 3\n2.5Gf\n")
        hosts = self.shown("star", "--nodes", 400, "--speed", "file:speeds.txt")["hosts"]
        speeds = [host["speeds"][0] for host in hosts]
        self.assertEqual(set(speeds), {1.5e9, 2.5e9})
        self.assertTrue(260 < speeds.count(1.5e9) < 340, speeds.count(1.5e9))  # 300, deviation 8.7

    def test_latencies_are_distances_or_draws(self):
        links = self.shown("exponential", "--nodes", 40, "--latency", "1ms")["links"]
        latencies = [link["latency"] for link in links if not link["name"].startswith("__")]
        self.assertTrue(0 < min(latencies) < max(latencies) <= 1e-3)
        links = self.shown("exponential", "--nodes", 40, "--latency", "choice(1ms,2ms)")["links"]
        self.assertEqual({link["latency"] for link in links if not link["name"].startswith("__")}, {1e-3, 2e-3})

    def test_transit_nodes_are_routers_and_stub_nodes_hosts(self):
        hosts = self.shown("transit-stub", "--sizes", "2x3x2x4")["hosts"]
        self.assertEqual(len(hosts), 2 * 3 * 2 * 4)
        self.assertTrue(all(re.fullmatch(r"node-\d\.\d\.\d\.\d", host["name"]) for host in hosts))

    def test_the_degree_filter_holds_in_the_file(self):
        text = self.generate("uniform", "--nodes", 80, "--alpha", 0.1, "--degrees", "4-9").stdout
        degrees = {}
        for source, destination in re.findall(r'<route src="([^"]+)" dst="([^"]+)"', text):
            for node in (source, destination):
                degrees[node] = degrees.get(node, 0) + 1
        self.assertTrue(20 < len(degrees) < 80, len(degrees))
        self.assertTrue(all(4 <= degree <= 9 for degree in degrees.values()), degrees)

    def test_the_kind_can_stand_behind_lists(self):
        last = self.generate("--inner", "clique,star", "--promote", "host:0-1:1", "--promote", "router:0-:1", "n-level",
                             "--sizes", "2x3")
        first = self.generate("n-level", "--sizes", "2x3", "--inner", "clique", "--inner", "star", "--promote",
                              "host:0-1:1", "--promote", "router:0-:1")
        self.assertEqual(last.stdout, first.stdout)

    def test_wrong_values_are_refused_with_the_accepted_ones(self):
        self.refused("n-level", says=["n-level needs --sizes"])
        self.refused("transit-stub", says=["transit-stub needs --sizes", "2x4x3x8"])
        self.refused("transit-stub", "--sizes", "2x4", says=["sizes", "4 numbers"])
        self.refused("n-level", "--sizes", "2x0", says=["--sizes", "'2x0'"])
        self.refused("n-level", "--sizes", "2x2", "--inner", "ring", says=["--inner", "'ring'", "exponential"])
        self.refused("n-level", "--sizes", "2x2", "--inner", "star,star,star", says=["3 kinds", "up to 2"])
        self.refused("n-level", "--sizes", "2x2", "--nodes", "4", says=["--nodes is for"])
        self.refused("star", "--inner", "star", says=["--inner is for n-level, transit-stub"])
        self.refused("star", "--alpha", "0.5", says=["--alpha is for"])
        self.refused("uniform", "--tries", "5", says=["--tries is for --unconnected redraw"])
        self.refused("uniform", "--unconnected", "drop", says=["--unconnected", "'drop'", "redraw"])
        self.refused("uniform", "--unconnected", "redraw", "--alpha", "0.001", says=["none of 100", "greater alpha"])
        self.refused("uniform", "--degrees", "4-2", says=["--degrees", "'4-2'", "N-M"])
        self.refused("star", "--degrees", "3-5", says=["no node of the graph remains"])
        self.refused("star", "--speed", "weibull(1Gf,2)", says=["--speed", "'weibull(1Gf,2)'", "lognormal"])
        self.refused("star", "--cores", "normal(0.2,1)", says=["cores", "mean 0.2 given"])
        self.refused("star", "--speed", "file:none.txt", says=["--speed", "none.txt", "cannot read"])
        self.write("speeds.txt", "1Gf\n2Gg\n")
        self.refused("star", "--speed", "file:speeds.txt", says=["--speed", "speeds.txt:2:", "'2Gg'"])
        self.refused("transit-stub", "--sizes", "1x1x1x2", "--transit-stub-edges", "1", says=["room for 0"])


if __name__ == "__main__":
    closing_line.main()
