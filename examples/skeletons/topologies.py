#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the three networks of figure 12 of the many-node paper as platform files, and a skeleton to compare them.

Usage: topologies.py [FOLDER]

fat_tree.xml   2,304 hosts, 24 below each of 96 leaf switches, 96 switches above them, 48 at the top; all have 48 ports
torus.xml      2,400 hosts, 24 at each switch of a 5x5x4 torus, 4 links in each direction
dragonfly.xml  2,160 hosts, 24 at each switch; 5 groups of 18 switches, each with a link to the 17 others of its group,
               and 7 links to other groups
training.json  data-parallel training: each iteration computes, and adds the gradients of all ranks up
All links have 100 Gb/s in each direction. The four links of the torus are one of 400 Gb/s.

Source: S. Eyerman, W. Heirman, K. Du Bois, I. Hur, Accurate and Scalable Many-Node Simulation, arXiv 2401.09877.
"""
import json
import sys
from pathlib import Path

HEAD = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">\n'
BYTES_PER_SECOND, SECONDS, HOSTS = 12.5e9, 1e-7, 24
LINK = f'bw="{BYTES_PER_SECOND:.0f}Bps" lat="{SECONDS:g}s"'


def fat_tree():
    return HEAD + f'<cluster id="tree" prefix="host-" suffix="" radical="0-2303" speed="10Gf" {LINK} ' \
                  'topology="FAT_TREE" topo_parameters="3;24,24,4;1,24,2;1,1,12"/>\n</platform>\n'


def switches(name, count, edges):
    """`edges`: pairs of switches and the number of links between them."""
    lines = [f'<zone id="{name}" routing="Floyd">']
    for i in range(count):
        lines.append(f'<cluster id="s{i}" prefix="s{i}-" suffix="" radical="0-{HOSTS - 1}" speed="10Gf" {LINK} '
                     f'router_id="s{i}_router"/>')
    for a, b, links in edges:
        lines.append(f'<link id="link-{a}-{b}" bandwidth="{links * BYTES_PER_SECOND:.0f}Bps" latency="{SECONDS:g}s" '
                     'sharing_policy="SPLITDUPLEX"/>')
    for a, b, _ in edges:
        lines.append(f'<zoneRoute src="s{a}" dst="s{b}" gw_src="s{a}_router" gw_dst="s{b}_router">'
                     f'<link_ctn id="link-{a}-{b}" direction="UP"/></zoneRoute>')
    return HEAD + "\n".join(lines) + "\n</zone>\n</platform>\n"


def torus(sizes=(5, 5, 4), links=4):
    edges = []
    for z in range(sizes[2]):
        for y in range(sizes[1]):
            for x in range(sizes[0]):
                place = (x, y, z)
                for k in range(3):
                    other = list(place)
                    other[k] = (other[k] + 1) % sizes[k]
                    edges.append((number(place, sizes), number(other, sizes), links))
    return switches("torus", sizes[0] * sizes[1] * sizes[2], edges)


def number(place, sizes):
    return place[0] + sizes[0] * (place[1] + sizes[1] * place[2])


def dragonfly(groups=5, size=18, ports=7):
    edges = [(g * size + a, g * size + b, 1) for g in range(groups) for a in range(size) for b in range(a)]
    leaving = {}  # the switches with a port to another group, by both groups
    for g in range(groups):
        for port in range(size * ports):
            other = (g + 1 + port % (groups - 1)) % groups
            leaving.setdefault((g, other), []).append(g * size + port // ports)
    between = {}  # number of links, by both switches
    for a in range(groups):
        for b in range(a):
            for pair in zip(leaving[a, b], leaving[b, a]):
                between[pair] = between.get(pair, 0) + 1
    edges += [(one, other, links) for (one, other), links in between.items()]
    return switches("dragonfly", groups * size, edges)


def training():
    return json.dumps({
        "rehearse_skeleton": 1, "name": "training", "clusters": [{"id": 0, "ranks": "all"}],
        "markers": {"batch": [{"cluster": 0, "law": {"law": "lognormal", "mu": -4.6, "sigma": 0.1}}]},
        "body": [{"loop": "2", "body": [
            {"compute": "batch"},
            {"collective": "allreduce", "bytes": "32 * 2^20", "elements": "8 * 2^20"}]}]}, indent=2) + "\n"


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for name, text in (("fat_tree.xml", fat_tree()), ("torus.xml", torus()), ("dragonfly.xml", dragonfly()),
                       ("training.json", training())):
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
