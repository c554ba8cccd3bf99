#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse flows: dates, explanations, and clear errors."""
import json
import unittest

from checking import WithPrograms
from installation import ROOT  # noqa: F401  (puts tests/tools on the path)

import closing_line  # noqa: E402

PLATFORM = """<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/><host id="alone" speed="1Gf"/>
<link id="l" bandwidth="1MBps" latency="1ms"/><link id="off" bandwidth="1MBps" state_file="off.trace"/>
<route src="a" dst="b"><link_ctn id="l"/></route><route src="a" dst="c"><link_ctn id="off"/></route>
</zone></platform>"""


class Flows(WithPrograms):
    def setUp(self):
        super().setUp()
        self.platform = self.write("platform.xml", PLATFORM)
        self.write("off.trace", "0.5 0\n")

    def flows(self, lines, *options):
        return self.rehearse("flows", "--on", self.platform, *options, self.write("flows.txt", lines)).stdout

    def refused(self, lines, *options, says):
        path = self.write("flows.txt", lines)
        self.assert_one_error(self.rehearse("flows", "--on", self.platform, *options, path, status=2), *says)

    def test_the_report_has_the_flows_in_the_order_of_the_file(self):
        lines = "1 a b 1e6  # later\n\n0 b a 1000000\n0 a c 1e6\n"
        report = json.loads(self.flows(lines, "--network", "raw", "--json", "-"))
        self.assertEqual(report["network"], "raw")
        self.assertEqual([list(flow) for flow in report["flows"]],
                         [["start", "source", "destination", "bytes", "end", "status"]] * 3)
        ends = [round(flow["end"], 9) for flow in report["flows"]]
        self.assertEqual(ends, [2.001, 1.001, 0.5])
        self.assertEqual([flow["status"] for flow in report["flows"]], ["done", "done", "failed"])

    def test_a_loss_of_five_per_cent_is_explained(self):
        text = self.flows("0 a b 1e6\n", "--explain")
        for words in ("latency", "link 'l' of 1e+06 bytes/s, alone on it", "payload is 97 %", "5 % of acknowledgements",
                      "carry 1.05 bytes for each byte", "--no-crosstraffic", "times 13.01"):
            self.assertIn(words, text)
        text = self.flows("0 a b 1e6\n0 b a 1e6\n0 a b 1e5 1e4\n", "--explain", "--network", "raw")
        self.assertIn("shared with 2 other flows", text)
        self.assertIn("its own rate of 10000 bytes/s", text)
        self.assertNotIn("acknowledgements", text)

    def test_options_and_files_of_options_change_the_models(self):
        def end(*options):
            return json.loads(self.flows("0 a b 1e6\n", "--json", "-", *options))["flows"][0]["end"]
        self.assertAlmostEqual(end("--network", "constant", "--delay", "3"), 3)
        self.assertAlmostEqual(end("--no-crosstraffic"), 0.01301 + 1 / 0.97)
        self.assertAlmostEqual(end("--cross-traffic", "1"), 0.01301 + 2 / 0.97)
        self.assertAlmostEqual(end("--network", "cm02", "--tcp-window", "1000"), 0.001 + 1e6 / 5e5)
        self.assertAlmostEqual(end("--network", "raw", "--bandwidth-factor", "0:0.5;2e6:1"), 2.001)
        self.assertAlmostEqual(end("--network", "raw", "--latency-factor", "100"), 1.1)
        self.assertAlmostEqual(end("--network", "loggps", "--loggps", "L=1,o=0.1,G=1e-6,S=10"),
                               2.4 + 0.1 + 1 + 1 - 1e-6 + 0.1)
        file = self.write("models.txt", "network raw # a comment\n\nlatency-factor 100\n")
        self.assertAlmostEqual(end("--network-file", file), 1.1)
        self.assertAlmostEqual(end("--network-file", file, "--latency-factor", "1"), 1.001)

    def test_wrong_flows_are_refused_with_their_line(self):
        for line, says in (("0 a b", "3 words"), ("-1 a b 1", "'-1'"), ("x a b 1", "'x'"), ("0 a q 1", "'q'"),
                           ("0 a b -5", "'-5'"), ("0 a b nan", "'nan'"), ("0 a b 1 0", "'0'"),
                           ("0 a b 1 2 3", "6 words"),
                           ("1e300 a b 1", "1e300"), ("0 a alone 1", "no route"),
                           ("0 a b 1e18 1", "does not end")):
            with self.subTest(line=line):
                self.refused("# first\n" + line + "\n", says=["flows.txt:2", says])

    def test_wrong_options_are_refused(self):
        for option, value, says in (("--network", "magic", "lv08, smpi"), ("--cross-traffic", "2", "0 to 1"),
                                    ("--latency-factor", "5:1;3:1", "not above"),
                                    ("--bandwidth-factor", "-1", "greater"),
                                    ("--tcp-window", "x", "'x'"), ("--loggps", "Q=1", "L=SECONDS"),
                                    ("--compat", "other", "simgrid"), ("--delay", "-1", "'-1'"),
                                    ("--parallel-sharing", "some", "bmf"), ("--profile-seed", "-1", "'-1'")):
            with self.subTest(option=option):
                self.refused("0 a b 1\n", option, value, says=[says])
        file = self.write("models.txt", "network raw\nspeed 3\n")
        self.refused("0 a b 1\n", "--network-file", file, says=["models.txt:2", "'speed'"])
        self.refused("0 a b 1\n", "--network-file", "missing", says=["missing"])
        self.assert_one_error(self.rehearse("flows", "--on", self.platform, "missing.txt", status=2), "missing.txt")
        self.assert_one_error(self.rehearse("flows", self.platform, status=2), "--on")


if __name__ == "__main__":
    closing_line.main()
