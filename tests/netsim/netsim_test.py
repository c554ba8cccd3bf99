#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The experiments of examples/netsim: exact times, counts and orders.

Usage: netsim_test.py --rehearse PATH --examples FOLDER
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

# Bytes on the wire: 32 of data, 32 of the envelope, 52 of headers, 38 of framing; an acknowledgement has the last two.
WIRE, ACKNOWLEDGEMENT = 8e-9 * (32 + 32 + 52 + 38), 8e-9 * (52 + 38)
LATENCY = 1e-3


class Netsim:
    def __init__(self, rehearse, examples, folder):
        self.rehearse, self.examples, self.folder, self.failures = rehearse, examples, folder, 0

    def check(self, what, is_good, found):
        self.failures += not is_good
        print(f"{'good' if is_good else 'BAD '}  {what}: {found}")

    def script(self, name, *words):
        command = [sys.executable, "-B", self.examples / name, "--rehearse", self.rehearse, *words]
        done = subprocess.run(list(map(str, command)), cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{words}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def rows(self, *words):
        """The cells of the tables without their headers, by the first cell."""
        lines = [line for line in self.script("netsim.py", *words).splitlines() if line.startswith("| ")]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        return {row[0]: row[1:] for row in cells}

    def exact(self):
        rows = self.rows("pingpong", "unexpected")
        raw, tcp = float(rows["raw"][0]), float(rows["tcp"][0])
        # Clock reads take 10 ns. With raw packets, there is neither envelope nor header.
        expected = 10000 * (LATENCY + 2 * 8e-9 * (32 + 38)) + 1e-8
        self.check("10,000 raw messages", abs(raw - expected) < 1e-11, f"{raw}, expected {expected:.12f}")
        # Two handshakes; each second segment is acknowledged in front of an answer, and so is the first one of all.
        handshake = 2 * (LATENCY + 2 * ACKNOWLEDGEMENT)
        expected = 10000 * (LATENCY + 2 * WIRE) + 2 * handshake + 5001 * ACKNOWLEDGEMENT + 1e-8
        self.check("10,000 messages over TCP", abs(tcp - expected) < 1e-11, f"{tcp}, expected {expected:.12f}")
        self.check("all messages are expected", rows["500 us"][0].startswith("0 of 100 "), rows["500 us"][0])
        self.check("all messages are unexpected", rows["2,000 us"][0].startswith("100 of 100 "), rows["2,000 us"][0])

    def slow_link(self):
        rows = self.rows("slow-link")
        slower = {name: float(rows[name][2].split()[0]) for name in ("is", "bt", "lu", "mg", "cg", "ep")}
        middle = [slower[name] for name in ("bt", "lu", "mg")]
        is_ordered = slower["is"] > max(middle) and min(middle) > slower["cg"] > slower["ep"] >= 0
        self.check("slow-down: is, then bt, lu and mg, then cg, then ep", is_ordered, slower)

    def reduced(self):
        self.script("netsim.py", "--reduced", "--output", self.folder / "out", "loss", "incast", "nagle", "jumbo",
                    "congestion")
        tables = (self.folder / "out" / "tables.md").read_text()
        rows = {row[0].strip(): row[1:] for row in
                (line.strip("|").split("|") for line in tables.splitlines() if line.startswith("| "))}
        def times(name):
            return [float(cell.split("(")[0].replace(",", "")) for cell in rows[name]]
        for program in ("stencil", "cg", "alltoall"):
            none, _, much = times(f"{program}, newreno")
            self.check(f"{program} is slower with 1 % loss", much > 1.5 * none, (none, much))
        goodput = times("16")
        self.check("incast: a small queue collapses, credits do not", goodput[0] < 0.3 * goodput[3], goodput)
        hops = [int(rows[mtu][1].replace(",", "")) for mtu in ("1500", "9000")]
        self.check("jumbo frames: 6.2 times fewer packet-hops", 5.9 < hops[0] / hops[1] < 6.4, hops)
        for picture in ("loss", "incast", "congestion"):
            root = ElementTree.parse(self.folder / "out" / f"netsim_{picture}.svg").getroot()
            self.check(f"picture {picture}", len(root) > 10, f"{len(root)} elements")

    def networks(self):
        words = ("--networks", 1, "--flows", 20, "--output", self.folder / "networks")
        text = self.script("random_networks.py", *words)
        self.check("the same networks again", text == self.script("random_networks.py", *words), "equal tables")
        lines = (self.folder / "networks" / "errors.csv").read_text().splitlines()
        self.check("a line for each flow", len(lines) == 1 + 4 * 20, len(lines))
        rows = [dict(zip(lines[0].split(","), line.split(","))) for line in lines[1:]]
        large = [float(row["lv08"]) / float(row["packet"]) for row in rows if float(row["bytes"]) > 2e7]
        near = sum(0.5 < ratio < 2 for ratio in large)
        self.check("large flows: lv08 within a factor of 2 of packets for most", near >= 0.8 * len(large) > 0,
                   f"{near} of {len(large)}")

    def repeat(self):
        """Two comparisons give the same bytes, but for the time that they took."""
        reports = []
        for _ in range(2):
            subprocess.run([self.rehearse, "cc", self.examples / "patterns.c", "-o", "patterns"], cwd=self.folder,
                           check=True)
            subprocess.run([self.rehearse, "compare-models", "-n", "8", "--compute", "none", "--models", "lv08,packet",
                            "--packet", "loss=1e-3", "--quiet", "--json", "report.json", "./patterns", "alltoall"],
                           cwd=self.folder, check=True)
            report = json.loads((self.folder / "report.json").read_text())
            for run in report["runs"]:
                del run["wall_seconds"]
            reports.append(report)
        self.check("the same report again", reports[0] == reports[1], "equal")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rehearse", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--examples", type=lambda text: Path(text).resolve(), required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        netsim = Netsim(arguments.rehearse, arguments.examples, Path(folder))
        for part in (netsim.exact, netsim.slow_link, netsim.reduced, netsim.networks, netsim.repeat):
            part()
    return 1 if netsim.failures else 0


if __name__ == "__main__":
    sys.exit(main())
