#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse calibrate --pairs: the platform of sparse measurements between hosts gives the fitted values back."""
import json
import random
import resource
import unittest

from checking import WithPrograms
from installation import ROOT  # noqa: F401  (puts tests/tools on the path)

import closing_line  # noqa: E402


def made_pairs(hosts, pairs, seed=1, noise=0.05):
    """CSV lines of a last-mile platform: each host has an up link, a down link and a latency."""
    numbers = random.Random(seed)
    known = [(1e6 * 100 ** numbers.random(), 1e6 * 100 ** numbers.random(), 1e-4 * 20 ** numbers.random())
             for _ in range(hosts)]
    lines = ["from,to,latency,bandwidth"]
    for _ in range(pairs):
        i, j = numbers.sample(range(hosts), 2)
        latency = (known[i][2] + known[j][2]) * numbers.lognormvariate(0, noise)
        bandwidth = min(known[i][0], known[j][1]) * numbers.lognormvariate(0, noise)
        lines.append(f"h{i},h{j},{latency:.9g},{bandwidth:.9g}")
    return "\n".join(lines) + "\n"


class CalibratePairs(WithPrograms):
    def refused(self, *words, says):
        self.assert_one_error(self.rehearse("calibrate", *words, status=2), *says)

    def test_flows_on_the_written_platform_take_the_fitted_times(self):
        csv = self.write("pairs.csv", made_pairs(30, 300))
        self.rehearse("calibrate", "--pairs", csv, "--platform", "out.xml", "--json", "out.json", "--quiet")
        report = json.loads((self.folder / "out.json").read_text())
        names = [host["name"] for host in report["hosts"]]
        flows, expected, size = [], [], 1e6
        for i, (source, target) in enumerate(zip(report["bandwidth"]["from"], report["bandwidth"]["to"])):
            flows.append(f"{1000 * i} {names[source]} {names[target]} {size:.0f}")
            expected.append(1000 * i + report["latency"]["fitted"][i] + size / report["bandwidth"]["fitted"][i])
        self.assertGreater(len(flows), 200)
        self.assertEqual(report["latency"]["from"], report["bandwidth"]["from"])
        file = self.write("flows.txt", "\n".join(flows) + "\n")
        for network in ([], ["--network", "raw"]):  # the file chooses a model without factors
            done = self.rehearse("flows", "--on", "out.xml", *network, "--json", "-", file)
            for flow, end in zip(json.loads(done.stdout)["flows"], expected):
                took, fitted = flow["end"] - flow["start"], end - flow["start"]
                self.assertAlmostEqual(took, fitted, delta=1e-5 * fitted)
        route = self.rehearse("platform", "route", "out.xml", names[0], names[1]).stdout
        self.assertRegex(route, r"up-h\d+ .*\ndown-h\d+ .*\nlatency ")
        self.assertIn("30 hosts", self.rehearse("platform", "show", "out.xml").stdout)

    def test_the_text_has_hosts_errors_and_warnings(self):
        csv = self.write("pairs.csv", made_pairs(30, 200) + "h0,far,1,2\n")
        done = self.rehearse("calibrate", "--pairs", csv)
        for words in ("31 hosts, ", "links: directed", "11 more hosts are in --json and --html", "error of latencies",
                      "error of bandwidths", "means of hosts", "one value", "left out"):
            self.assertIn(words, done.stdout)
        self.assertIn("far: no pair crosses the up link: it limits no transfer", done.stderr)
        self.assertRegex(done.stderr, r"rehearse: warning: .* limits no measured pair clearly")
        quiet = self.rehearse("calibrate", "--pairs", csv, "--quiet", "--links", "symmetric")
        self.assertEqual(quiet.stdout, "")
        self.assertEqual(done.stdout, self.rehearse("calibrate", "--pairs", csv).stdout)

    def test_several_files_are_one_measurement(self):
        one = self.write("one.csv", "from,to,latency\na,b,1e-3\nb,c,2e-3\nc,a,3e-3\n")
        two = self.write("two.csv", "bandwidth,to,from\r\n1e6,b,a\r\n2e6,c,b\r\n")
        report = json.loads(self.rehearse("calibrate", "--pairs", one, "--pairs", two, "--json", "-").stdout)
        self.assertEqual([host["name"] for host in report["hosts"]], ["a", "b", "c"])
        self.assertEqual((len(report["latency"]["from"]), len(report["bandwidth"]["from"])), (3, 2))

    def test_bad_input_is_refused_and_nothing_is_written(self):
        for text, says in (("from,to,latency\na,b,fast\n", ["bad.csv:2", "latency 'fast'", "from 1e-12 to 1e+06"]),
                           ("from,to,latency\na,b\n", ["bad.csv:2", "has 2 cells"]),
                           ("from,to,speed\n", ["bad.csv:1", "column 'speed'", "bandwidth"]),
                           ("from,to,latency\na,a,1\n", ["bad.csv:2", "two different hosts"]),
                           ("from,to,latency\n", ["bad.csv", "no measurements"]), ("", ["bad.csv", "columns"])):
            with self.subTest(text=text):
                csv = self.write("bad.csv", text)
                self.refused("--pairs", csv, "--platform", "out.xml", "--json", "out.json", says=[*says, "accepted"])
        self.refused("--pairs", "absent.csv", says=["absent.csv: cannot read"])
        csv = self.write("pairs.csv", made_pairs(5, 20))
        self.refused(csv, "--pairs", csv, says=["--pairs and CSV files", "exclude each other"])
        self.refused("--pairs", csv, "--on", "cluster:4", says=["--pairs and --on exclude each other"])
        self.refused("--pairs", csv, "--links", "both", says=["both", "symmetric"])
        self.refused("--pairs", csv, "--folds", "1", says=["--folds", "1"])
        self.refused("--links", "directed", csv, says=["--links is for --pairs"])
        self.refused("--pairs", csv, "--platform", "absent/out.xml", says=["--platform", "absent/out.xml"])
        self.assertFalse((self.folder / "out.xml").exists() or (self.folder / "out.json").exists())

    def test_fifty_thousand_pairs_of_a_thousand_hosts_take_seconds(self):
        csv = self.write("pairs.csv", made_pairs(1000, 50000))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        self.rehearse("calibrate", "--pairs", csv, "--platform", "out.xml", "--json", "out.json", "--quiet")
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        self.assertLess(used, 30)  # of processor time, in a build that need not be optimised
        report = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(len(report["hosts"]), 1000)
        errors = {(each["model"], each["pairs"]): each for each in report["bandwidth"]["errors"]}
        self.assertLess(errors["last mile, directed", "left out"]["mean"], 0.06)
        self.assertLess((self.folder / "out.xml").stat().st_size, 400_000)
        self.assertIn("1000 hosts", self.rehearse("platform", "show", "out.xml").stdout)


if __name__ == "__main__":
    closing_line.main()
