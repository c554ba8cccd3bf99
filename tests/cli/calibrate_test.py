#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse calibrate: its program in simulated time gives back the platform; bad input is refused."""
import json
import unittest

from checking import WithPrograms
from installation import ROOT  # noqa: F401  (puts tests/tools on the path)

import closing_line  # noqa: E402

CLUSTER = '<cluster id="c" prefix="h" suffix="" radical="0-3" speed="10Gf" bw="12.5MBps" lat="100us"/>'
BARE = f'<platform version="4.1">{CLUSTER}</platform>'
KNOWN = f"""<platform version="4.1"><config id="General">
<prop id="network/model" value="mpi"/><prop id="network/crosstraffic" value="no"/>
<prop id="rehearse/store-and-forward" value="0"/><prop id="rehearse/envelope" value="64"/>
<prop id="network/latency-factor" value="0:1.2;2000:1.5;65000:1.1"/>
<prop id="network/bandwidth-factor" value="0:0.7;2000:0.8;65000:0.95"/></config>{CLUSTER}</platform>"""
PROTOCOL = ["--eager", "65000", "--os", "0:2e-6:1e-9;65001:2e-6:0", "--or", "0:1e-6:2e-9", "--ois", "0:3e-6:1e-9"]
HEAD = "# rehearse calibration 1\n# host 0: a\n# host 1: b\n"


class Calibrate(WithPrograms):
    def setUp(self):
        super().setUp()
        self.bare = self.write("bare.xml", BARE)
        self.known = self.write("known.xml", KNOWN)

    def program(self):
        self.rehearse("calibrate", "--program", ".")
        return self.compile(self.folder / "calibrate.c", "calibrate")

    def measure(self, program, ranks, *arguments, options=()):
        done = self.rehearse("run", "-n", ranks, "--on", self.known, "--compute", "none", "--no-summary", *PROTOCOL,
                             *options, program, "--repetitions", "2", *arguments)
        return self.write("measured.csv", done.stdout)

    def report(self, *words):
        return json.loads(self.rehearse("calibrate", *words, "--json", "-").stdout)

    def refused(self, *words, says):
        self.assert_one_error(self.rehearse("calibrate", *words, status=2), *says)

    def test_a_known_platform_is_recovered_and_the_program_takes_the_same_times_again(self):
        program = self.program()
        report = self.report(self.measure(program, 4), "--on", self.bare, "--verify", program, "--platform", "out.xml")
        self.assertEqual(report["protocol"]["eager_bytes"], 65000)
        self.assertEqual(report["protocol"]["least_waiting_bytes"], 65001)
        self.assertEqual(report["protocol"]["handshake"], "answered")
        for call, seconds in (("send", 2e-6), ("isend", 3e-6), ("recv", 1e-6)):
            self.assertAlmostEqual(report["protocol"][call][0]["seconds"], seconds, delta=0.02 * seconds)
        pieces = report["network"]["pieces"]
        self.assertEqual(len(pieces), 3)
        for piece, above, latency, bandwidth in zip(pieces, (0, 2000, 65000), (1.2, 1.5, 1.1), (0.7, 0.8, 0.95)):
            self.assertAlmostEqual(piece["latency_factor"], latency, delta=0.02 * latency)
            self.assertAlmostEqual(piece["bandwidth_factor"], bandwidth, delta=0.02 * bandwidth)
            self.assertLessEqual(abs(piece["above"] - above), 0.25 * above)
        self.assertEqual(pieces[2]["above"], 65000)
        errors = {each["model"]: each["mean"] for each in report["errors"]}
        self.assertLess(errors["piecewise, cross-validated"], 0.005)
        self.assertGreater(errors["best affine"], 0.02)
        contention = {each["model"]: each["mean"] for each in report["contention_errors"]}
        self.assertGreater(contention["no contention"], 0.3)
        self.assertLess(contention["shared links"], 0.02)
        self.assertLess(report["network"]["cross_traffic"], 0.025)
        for test in report["verification"]["tests"]:
            self.assertLess(test["mean"], 0.02, test)

    def test_ranks_of_one_node_give_its_loopback(self):
        hosts = self.write("hosts", "h0:2\nh1:2\n")
        self.known = self.write("known.xml", KNOWN.replace('lat="', 'loopback_bw="2GBps" loopback_lat="1us" lat="'))
        program = self.program()
        csv = self.measure(program, 4, options=("--hostfile", hosts))
        report = self.report(csv, "--verify", program)
        loopback = report["network"]["loopback"]
        self.assertAlmostEqual(loopback["bandwidth"], 2e9, delta=0.05 * 2e9)
        self.assertLess(loopback["mean_error"], 0.02)
        self.assertEqual([each["flows"] for each in report["network"]["contention"]], [2])
        errors = {each["test"]: each["mean"] for each in report["verification"]["tests"]}
        self.assertLess(errors["loopback_pingpong"], 0.02)
        self.assertLess(errors["pairs"], 0.02)

    def test_a_star_is_made_of_the_measurements_alone(self):
        csv = self.measure(self.program(), 2, "--sizes", "32")
        text = self.rehearse("calibrate", csv, "--platform", "-").stdout
        self.assertIn('radical="0-1"', text)
        out = self.write("star.xml", text)
        self.assertIn("2 hosts", self.rehearse("platform", "show", out).stdout)
        report = self.report(csv)
        self.assertAlmostEqual(report["network"]["latency"], 200e-6, delta=2e-6)

    def test_computation_has_rates_and_scales(self):
        program = self.program()
        here = self.measure(program, 1, "--compute", options=())
        report = self.report(here, "--here", here)
        kernels = {each["kernel"]: each for each in report["compute"]}
        self.assertEqual(sorted(kernels), ["product", "sort", "sparse", "stencil", "triad"])
        for scale in report["compute_scale"].values():
            self.assertAlmostEqual(scale, 1)
        self.refused(here, "--platform", "out.xml", says=["no messages"])
        self.assertFalse((self.folder / "out.xml").exists())

    def test_bad_input_is_refused(self):
        self.refused(says=["no CSV given"])
        self.refused("absent.csv", says=["absent.csv: cannot read"])
        for line, says in (("pingpong,2,8,1,fast", "seconds 'fast'"), ("pingpong,2,8.5,1,1", "bytes '8.5'"),
                           ("ping,2,8,1,1", "test 'ping'"), ("pingpong,2", "line 'pingpong,2'")):
            with self.subTest(line=line):
                csv = self.write("bad.csv", HEAD + line + "\n")
                self.refused(csv, "--platform", "out.xml", says=["bad.csv:4", says, "accepted"])
        csv = self.write("few.csv", HEAD + "pingpong,2,8,1,1e-5\n")
        self.refused(csv, says=["few.csv", "8 or more"])
        self.refused(csv, "--statistic", "mean", says=["mean", "minimum"])
        self.refused(csv, "--program", ".", says=["exclude each other"])
        self.assertFalse((self.folder / "out.xml").exists())

    def test_a_platform_that_does_not_fit_is_refused(self):
        csv = self.measure(self.program(), 2, "--sizes", "16")
        self.refused(csv, "--on", "absent.xml", says=["absent.xml"])
        one = self.write("one.xml", '<platform version="4.1"><zone id="z" routing="Full"><host id="x" speed="1Gf"/>'
                                    "</zone></platform>")
        self.refused(csv, "--on", one, says=["one.xml", "1 hosts for 2 measured nodes"])
        still = self.write("still.xml", BARE.replace('lat="100us"', 'lat="0"'))
        self.refused(csv, "--on", still, says=["still.xml", "latency"])

    def test_the_program_refuses_wrong_options(self):
        program = self.program()
        for option in (("--sizes", "2"), ("--sizes", "x"), ("--fast",), ("--seconds",)):
            with self.subTest(option=option):
                done = self.rehearse("run", "-n", "2", "--quiet", program, *option, status=1)
                self.assertIn("accepted: --seconds S", done.stderr)


if __name__ == "__main__":
    closing_line.main()
