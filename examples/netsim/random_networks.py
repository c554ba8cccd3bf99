#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The error of the network models of flows on random networks, judged by packets.

Usage: random_networks.py [--rehearse PATH] [--networks N] [--flows M] [--output FOLDER] [--keep]

Writes N networks of each of four classes (Waxman and Barabasi-Albert, 50 and 200 nodes; default N: 40), runs M flows
(default 150) on each with `rehearse flows` under packets and under each model of flows, and prints the distribution of
model / packets of the durations. With --output: errors.md (the tables), errors.csv (a line for each flow) and two
pictures. The same arguments give the same networks and flows; all numbers come from seeded generators.

Networks: every node is a host, and forwards. Links are full duplex. Latency: 20 us, and 1 ms for the length of the
side of the square in which the nodes lie. Bandwidth: 1 Gbit/s in the networks of even numbers; in the others at random
from 100 Mbit/s to 1 Gbit/s, its logarithm uniform. Routes have the fewest links.
Flows: all begin at date 0. Sources and destinations are random; the logarithm of the size is uniform between 10 kB and
100 MB.
Sources: Waxman, Routing of multipoint connections, IEEE JSAC 6(9), 1988 (alpha 0.4, beta 0.2); Barabasi, Albert,
Emergence of scaling in random networks, Science 286, 1999 (2 links for each new node).
"""
import argparse
import itertools
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import plot

MODELS = ("cm02", "lv08", "smpi")
CLASSES = [(kind, nodes) for kind in ("waxman", "barabasi") for nodes in (50, 200)]
LEAST_BYTES, MOST_BYTES = 1e4, 1e8
SIZE_BOUNDS = (1e5, 1e6, 1e7, 1e8)


def waxman_links(nodes, places, chance):
    """Pairs of nodes. A part that is not connected gets its shortest link to the rest."""
    longest = math.sqrt(2)
    links = {(i, j) for i, j in itertools.combinations(range(nodes), 2)
             if chance.random() < 0.4 * math.exp(-math.dist(places[i], places[j]) / (0.2 * longest))}
    while True:
        reached, waiting = {0}, [0]
        while waiting:
            node = waiting.pop()
            for i, j in links:
                other = j if i == node else i if j == node else node
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        if len(reached) == nodes:
            return sorted(links)
        rest = [node for node in range(nodes) if node not in reached]
        i, j = min(itertools.product(sorted(reached), rest),
                   key=lambda pair: math.dist(places[pair[0]], places[pair[1]]))
        links.add((min(i, j), max(i, j)))


def barabasi_links(nodes, chance, of_each=2):
    """Each new node joins `of_each` others, chosen by their number of links."""
    links, ends = [(0, 1), (0, 2), (1, 2)], [0, 1, 0, 2, 1, 2]
    for node in range(3, nodes):
        others = set()
        while len(others) < of_each:
            others.add(chance.choice(ends))
        for other in sorted(others):
            links.append((other, node))
            ends += [other, node]
    return links


def network(kind, nodes, number):
    """The text of a platform file."""
    chance = random.Random(f"{kind} {nodes} {number}")
    places = [(chance.random(), chance.random()) for _ in range(nodes)]
    links = waxman_links(nodes, places, chance) if kind == "waxman" else barabasi_links(nodes, chance)
    text = ["<?xml version='1.0'?>", '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
            '<platform version="4.1">', '  <zone id="net" routing="Floyd">']
    text += [f'    <host id="n{i}" speed="1Gf"/>' for i in range(nodes)]
    for i, j in links:
        mbit = 1000 if number % 2 == 0 else 10 ** chance.uniform(2, 3)
        latency_us = 20 + 1000 * math.dist(places[i], places[j])
        text.append(f'    <link id="l{i}_{j}" bandwidth="{mbit:.3f}Mbps" latency="{latency_us:.3f}us" '
                    'sharing_policy="SPLITDUPLEX"/>')
    for i, j in links:
        text.append(f'    <route src="n{i}" dst="n{j}" symmetrical="YES"><link_ctn id="l{i}_{j}" direction="UP"/>'
                    '</route>')
    return "\n".join([*text, "  </zone>", "</platform>"]) + "\n"


def flows(kind, nodes, number, count):
    """The text of a file of flows."""
    chance = random.Random(f"flows {kind} {nodes} {number}")
    text = ""
    for _ in range(count):
        source, destination = chance.sample(range(nodes), 2)
        size = math.exp(chance.uniform(math.log(LEAST_BYTES), math.log(MOST_BYTES)))
        text += f"0 n{source} n{destination} {size:.0f}\n"
    return text


def durations(rehearse, folder, model, keys):
    command = [rehearse, "flows", "--on", "net.xml", "--network", model, "--json", "-", "--quiet"]
    if model == "packet" and keys:
        command += ["--packet", keys]
    done = subprocess.run([*command, "flows.txt"], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} in {folder}: exit status {done.returncode}\n{done.stderr}")
    report = json.loads(done.stdout)
    return [(flow["bytes"], flow["end"] - flow["start"]) for flow in report["flows"]], report


def measure(arguments, folder):
    """A row for each flow: kind, nodes, number, bytes, seconds with packets, then with each model. And packet-hops."""
    rows, hops, drops = [], 0, 0
    for (kind, nodes), number in itertools.product(CLASSES, range(arguments.networks)):
        (folder / "net.xml").write_text(network(kind, nodes, number))
        (folder / "flows.txt").write_text(flows(kind, nodes, number, arguments.flows))
        packets, report = durations(arguments.rehearse, folder, "packet", arguments.packet)
        hops += report["packet_hops"]
        drops += sum(link["drops"] for link in report["links"])
        models = [durations(arguments.rehearse, folder, model, "")[0] for model in MODELS]
        for i, (size, seconds) in enumerate(packets):
            rows.append((kind, nodes, number, size, seconds, *(model[i][1] for model in models)))
        if sys.stderr.isatty():
            print(f"\r{kind} {nodes} {number} ", end="", file=sys.stderr, flush=True)
    return rows, hops, drops


def quantile(values, part):
    return values[min(len(values) - 1, int(part * len(values)))]


def cells(rows, model):
    """The distribution of model / packets."""
    ratios = sorted(row[5 + model] / row[4] for row in rows)
    factors = sorted(math.exp(abs(math.log(ratio))) for ratio in ratios)
    mean = math.exp(sum(map(math.log, factors)) / len(factors))
    near = [100 * sum(factor <= bound for factor in factors) / len(factors) for bound in (1.1, 1.25, 2)]
    return (f"{quantile(ratios, 0.05):.2f} | {quantile(ratios, 0.5):.2f} | {quantile(ratios, 0.95):.2f} | {mean:.2f} | "
            f"{quantile(factors, 0.95):.2f} | {near[0]:.0f} % | {near[1]:.0f} % | {near[2]:.0f} %")


HEADER = "5 % | median | 95 % | mean factor | 95 % of factors | within 1.1 | within 1.25 | within 2 |"
RULE = " ---: |" * 8


def table(rows, first, groups):
    lines = [f"| {first} | model | {HEADER}", f"| --- | --- |{RULE}"]
    for name, chosen in groups:
        part = [row for row in rows if chosen(row)]
        for i, model in enumerate(MODELS):
            if part:
                lines.append(f"| {name} | {model} | {cells(part, i)} |")
    return "\n".join(lines)


def tables(rows):
    by_class = [("all", lambda row: True)]
    by_class += [(f"{kind}, {nodes} nodes", lambda row, kind=kind, nodes=nodes: row[:2] == (kind, nodes))
                 for kind, nodes in CLASSES]
    bounds = (LEAST_BYTES, *SIZE_BOUNDS)
    by_size = [(f"{low:,.0f} to {high:,.0f} bytes",
                lambda row, low=low, high=high: low <= row[3] < high + (high == MOST_BYTES))
               for low, high in zip(bounds, bounds[1:])]
    return table(rows, "networks", by_class), table(rows, "flows", by_size)


def distribution(ratios, points=200):
    ratios = sorted(min(max(ratio, 0.05), 5) for ratio in ratios)
    return [(ratios[round(i * (len(ratios) - 1) / points)], 100 * i / points) for i in range(points + 1)]


def pictures(rows, folder):
    plot.lines(folder / "random_networks.svg", "Durations of flows on random networks", "model / packets",
               "flows, %", {model: distribution([row[5 + i] / row[4] for row in rows])
                            for i, model in enumerate(MODELS)}, log_x=True, has_marks=False)
    series = {}
    for i, model in enumerate(MODELS):
        series[model] = []
        for decade in range(16):
            low, high = 10 ** (4 + decade / 4), 10 ** (4 + (decade + 1) / 4)
            part = sorted(row[5 + i] / row[4] for row in rows if low <= row[3] < high)
            if part:
                series[model].append((math.sqrt(low * high), quantile(part, 0.5)))
    plot.lines(folder / "random_networks_by_size.svg", "Median by the size of flows", "bytes", "model / packets",
               series, log_x=True)


def write_csv(rows, path):
    with path.open("w") as out:
        out.write("kind,nodes,network,bytes,packet," + ",".join(MODELS) + "\n")
        for row in rows:
            out.write(",".join(f"{cell:.9g}" if isinstance(cell, float) else str(cell) for cell in row) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rehearse", default="rehearse", help="the program (default: the one in PATH)")
    parser.add_argument("--networks", type=int, default=40, help="networks of each class (default 40)")
    parser.add_argument("--flows", type=int, default=150, help="flows on each (default 150)")
    parser.add_argument("--packet", default="", help="keys of --packet (default: none)")
    parser.add_argument("--output", type=Path, help="folder for tables and pictures")
    arguments = parser.parse_args()
    if "/" in arguments.rehearse:
        arguments.rehearse = str(Path(arguments.rehearse).resolve())
    if arguments.networks < 1 or arguments.flows < 1:
        parser.error("--networks and --flows: accepted: 1 or more")
    with tempfile.TemporaryDirectory(prefix="rehearse-networks-") as folder:
        rows, hops, drops = measure(arguments, Path(folder))
    text = (f"{len(CLASSES) * arguments.networks} networks, {len(rows):,} flows, {hops:,} packet-hops, "
            f"{drops:,} dropped packets\n\n" + "\n\n".join(tables(rows)) + "\n")
    print(text, end="")
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
        (arguments.output / "errors.md").write_text(text)
        write_csv(rows, arguments.output / "errors.csv")
        pictures(rows, arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
