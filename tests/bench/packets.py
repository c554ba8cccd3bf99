# SPDX-License-Identifier: MIT
"""Packets: hops a second of `rehearse flows --network packet`, beside ns-3.

A packet-hop is the transmission of one packet on one link. Seconds are processor seconds of the whole command, with
its start and the reading of platform and flows, and the least of three runs. All links have 10 Gbit/s. ns-3 gets the
same flows with `--network ns3`, in a smaller size; it reports no number of hops, so the table takes ours. htsim is no
package of Debian. On another machine its authors' program took 10.5 s for 4.95 M packet-hops of RDMA on a fat tree of
1,024 hosts (0.47 M/s).
"""
import json
import random
import shutil

import measured

REPEATS = 3
FAT_TREE = "fat-tree:3;16,8,8;1,8,8;1,1,1"  # 1,024 hosts
MOST_GROWTH = 3  # of the cost of a packet from 16 to 4,032 flows
HEAD = ("case", "packet-hops", "ours", "hops/s", "wanted", "ns-3, hops/s", "memory")


def write_flows(path, pairs, size):
    path.write_text("".join(f"0 node-{source} node-{target} {size}\n" for source, target in pairs))
    return path


def all_to_all(hosts):
    return [(source, target) for source in range(hosts) for target in range(hosts) if source != target]


def permutation(hosts):
    targets = list(range(hosts))
    random.Random(1).shuffle(targets)
    return [(source, target) for source, target in enumerate(targets) if source != target]


def neighbours(hosts):
    return [(host, host + 1) for host in range(0, hosts, 2)]


# Name, platform, pairs, bytes, options, wanted hops/s, bytes of ns-3's flows.
CASES = (
    ("64 hosts, all to all, TCP", "cluster:64", all_to_all(64), 1_000_000, (), 5e6, 30_000),
    ("16 hosts in pairs, both ways, TCP", "cluster:16", [*neighbours(16), *((b, a) for a, b in neighbours(16))],
     30_000_000, (), None, 3_000_000),
    ("64 hosts, all to all, credits", "cluster:64", all_to_all(64), 1_000_000, ("lossless=credit",), 2.5e6, None),
    ("64 hosts, all to all, pauses", "cluster:64", all_to_all(64), 1_000_000, ("lossless=pfc",), 2.5e6, None),
    ("64 hosts, all to all, RDMA with credits", "cluster:64", all_to_all(64), 4_000_000,
     ("transport=rdma", "lossless=credit"), 2.5e6, None),
    ("fat tree, 1,024 hosts, permutation, TCP", FAT_TREE, permutation(1024), 3_000_000, (), 4e6, None),
    ("fat tree, 1,024 hosts, permutation, credits", FAT_TREE, permutation(1024), 3_000_000, ("lossless=credit",),
     2.5e6, None))


def flows(rehearse, folder, case, network, size):
    """The cost of a run of the case, and its report."""
    _, machine, pairs, _, options, _, _ = case
    words = [rehearse, "flows", "--quiet", "--on", machine, "--network", network, "--json", folder / "report.json"]
    if options and network == "packet":
        words += ["--packet", ",".join(options)]
    cost = measured.cost([*words, write_flows(folder / "flows.txt", pairs, size)], folder, REPEATS)
    return cost, json.loads((folder / "report.json").read_text())


def row(rehearse, folder, case, log):
    """A row of the table, the processor seconds of a hop, and demands that are not met."""
    name, _, _, size, _, wanted, peer_size = case
    log(f"packets: {name}")
    cost, report = flows(rehearse, folder, case, "packet", size)
    hops, peer = report["packet_hops"], "-"
    if peer_size and shutil.which("rehearse-ns3", path=f"{rehearse.parent}"):
        small = flows(rehearse, folder, case, "packet", peer_size)[1]["packet_hops"]
        peer = f"{small / flows(rehearse, folder, case, 'ns3', peer_size)[0].seconds:,.0f}"
    rate = hops / cost.seconds
    wrong = [f"{name}: {rate:,.0f} packet-hops/s, {wanted:,.0f} wanted"] if wanted and rate < wanted else []
    return (name, f"{hops:,}", f"{cost.seconds:.2f} s", f"{rate:,.0f}", f"{wanted:,.0f}" if wanted else "-", peer,
            f"{cost.kilobytes / 1024:.0f} MiB"), cost.seconds / hops, wrong


def captures(rehearse, folder, log):
    """A row for captures of all links."""
    case = CASES[0]
    log("packets: captures")
    name, machine, pairs, _, _, _, _ = case
    report = folder / "report.json"
    cost = measured.cost([rehearse, "flows", "--quiet", "--on", machine, "--network", "packet", "--json", report,
                          "--pcap", folder / "captures", write_flows(folder / "flows.txt", pairs, 200_000)], folder,
                         REPEATS)
    hops = json.loads(report.read_text())["packet_hops"]
    rate, wanted = hops / cost.seconds, 1e6
    wrong = [f"captures: {rate:,.0f} packet-hops/s, {wanted:,.0f} wanted"] if rate < wanted else []
    return (f"{name}, all links captured", f"{hops:,}", f"{cost.seconds:.2f} s", f"{rate:,.0f}", f"{wanted:,.0f}", "-",
            f"{cost.kilobytes / 1024:.0f} MiB"), wrong


def text(rehearse, folder, table, log):
    """The section, and the demands that are not met."""
    rows, seconds, wrong = [], [], []
    for case in CASES:
        line, of_hop, missing = row(rehearse, folder, case, log)
        rows.append(line)
        seconds.append(of_hop)
        wrong += missing
    line, missing = captures(rehearse, folder, log)
    rows.append(line)
    wrong += missing
    growth = seconds[0] / seconds[1]
    if growth > MOST_GROWTH:
        wrong.append(f"a hop of 4,032 flows costs {growth:.1f} times one of 16 flows, at most {MOST_GROWTH} wanted")
    sentence = (f"A hop of 4,032 flows costs {growth:.1f} times as much as one of 16 flows; wanted are at most "
                f"{MOST_GROWTH} times.")
    return "\n\n".join([__doc__.strip(), table(HEAD, rows), sentence]), wrong
