#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse platform: list, show, validate, route and generate."""
import json
import resource
import subprocess

from checking import REHEARSE, WithPrograms

import closing_line

PAIR = """<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1Gf"><disk id="d" read_bw="1MBps" write_bw="2MBps"/></host>
<host id="b" speed="2Gf"/><host id="c" speed="2Gf"/>
<link id="l" bandwidth="1GBps" latency="1ms"/><route src="a" dst="b"><link_ctn id="l"/></route>
</zone></platform>
"""


class PlatformVerb(WithPrograms):
    def platform(self, *words, status=0):
        return self.rehearse("platform", *words, status=status)

    def refused(self, *words, says=()):
        self.assert_one_error(self.platform(*words, status=2), *says)

    def test_route_says_links_latency_and_bandwidth(self):
        done = self.platform("route", "cluster:4", "node-0", "node-3")
        lines = done.stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines],
                         ["cluster_link_0_UP", "cluster_backbone", "cluster_link_3_DOWN", "latency"])
        self.assertEqual(lines[-1], "latency 11 us, bandwidth 1.25 GB/s")

    def test_route_as_json_has_the_stable_keys(self):
        file = self.write("pair.xml", PAIR)
        done = self.platform("route", file, "a", "b", "--json", "-")
        self.assertEqual(json.loads(done.stdout), {
            "latency": 0.001, "links": [{"name": "l", "bandwidth": 1e9, "latency": 0.001, "sharing": "shared"}]})

    def test_a_route_that_is_not_there_is_wrong_input(self):
        file = self.write("pair.xml", PAIR)
        self.refused("route", file, "a", "c", says=["no route from 'a' to 'c'", "pair.xml"])
        self.refused("route", file, "a", "q", says=["'q' is not a host", "'a'"])
        self.refused("route", file, "a", says=["DESTINATION"])

    def test_show_says_what_there_is(self):
        file = self.write("pair.xml", PAIR)
        text = self.platform("show", file, "--hosts", "--links").stdout
        for part in ("3 hosts, 3 cores of 1 Gflop/s to 2 Gflop/s, 2 links, 1 disk", "z (full): 3 hosts",
                     "host a: 1 core of 1 Gflop/s, disk d reads 1 MB/s writes 2 MB/s", "link l: 1 GB/s, 1 ms, shared"):
            self.assertIn(part, text)
        report = json.loads(self.platform("show", file, "--json", "-").stdout)
        self.assertEqual(list(report), ["platform", "zones", "hosts", "links", "actors"])
        self.assertEqual(report["hosts"][0]["disks"], [{"name": "d", "read": 1e6, "write": 2e6}])

    def test_validate_is_silent_or_says_where(self):
        good = self.write("good.xml", PAIR.replace('<host id="c" speed="2Gf"/>', ""))
        done = self.platform("validate", good)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        partial = self.platform("validate", self.write("pair.xml", PAIR))
        self.assertIn("warning", partial.stderr)
        self.assertIn("no route from 'a' to 'c', nor between 3 other pairs", partial.stderr)
        wrong = self.write("wrong.xml", PAIR.replace("1GBps", "1KBps"))
        self.refused("validate", wrong, says=["wrong.xml:4:", "'1KBps'", "did you mean 'kBps'?"])

    def test_generated_platforms_are_valid_and_depend_on_the_seed_only(self):
        words = ("generate", "barabasi-albert", "--nodes", 30, "--promote", "cluster:5-:0.5", "--promote", "host:0-:1")
        first = self.platform(*words, "--seed", 7).stdout
        self.assertEqual(self.platform(*words, "--seed", 7).stdout, first)
        self.assertNotEqual(self.platform(*words, "--seed", 8).stdout, first)
        file = self.write("net.xml", first)
        self.assertEqual(self.platform("validate", file).stderr, "")

    def test_generate_refuses_what_it_cannot_make(self):
        self.refused("generate", "ring", says=["'ring'", "waxman"])
        self.refused("generate", "clusters", says=["--sizes"])
        self.refused("generate", "clusters", "--sizes", "2xx3", says=["'2xx3'", "2x4x16"])
        self.refused("generate", "star", "--promote", "host:1", says=["host:1", "ROLE:DEGREES:PROBABILITY"])
        self.refused("generate", "star", "--speed", "fast", says=["--speed", "'fast'"])
        self.refused("generate", "star", "--nodes", "0", says=["--nodes", "'0'"])
        self.refused("generate", "star", "-o", "/no/such/folder/file", says=["/no/such/folder/file"])

    def test_unknown_commands_are_refused(self):
        self.refused("draw", says=["'draw'", "list, show, validate, route, generate"])

    def test_a_cluster_of_65536_hosts_is_small(self):
        file = self.write("large.xml", '<platform version="4.1"><cluster id="c" prefix="n" suffix=".x" '
                                       'radical="0-65535" speed="1Gf" bw="125MBps" lat="50us"/></platform>')
        done = subprocess.run([REHEARSE, "platform", "show", file], capture_output=True, text=True, check=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (60 << 20, 60 << 20)))
        self.assertIn("65536 hosts", done.stdout)


if __name__ == "__main__":
    closing_line.main()
