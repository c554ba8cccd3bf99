#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Observing a run changes no date: with and without timelines, reports, charts and recordings.

observers_test.py --build DIR [--random FIRST COUNT]

Each seed is one execution: a trace (incasts, waves, halos, random calls) or random_mix.c. It runs
once without any observer, and once with each. All ranks must end at the same dates, to the picosecond, also under
wildcards, whose matches the smallest difference of dates could change.
"""
import json
import pathlib
import random
import sys

import random_traces
import trace_tests

HERE = pathlib.Path(__file__).resolve().parent
NETWORKS = ("mpi", "lv08", "raw", "smpi", "cm02", "loggps", "constant", "packet")
PLATFORMS = ("cluster:4", "cluster:16", "fat-tree:16", "torus:2x4", "fatpipes.xml", "profiles.xml")
SIZES = (0, 1, 1000, 4096, 65536, 65537, 300000, 1000003)
COSTS = ("--os", "0:1e-6:1e-10", "--ois", "0:5e-7:0", "--or", "0:2e-6:1e-10")

# A backbone and loopbacks that limit each flow alone, and links that are shared.
FATPIPES = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" radical="0-7" suffix="" speed="1Gf" bw="125MBps" lat="23us" bb_bw="900MBps" bb_lat="7us"
           bb_sharing_policy="FATPIPE" loopback_bw="498MBps" loopback_lat="2us" sharing_policy="SPLITDUPLEX"/>
</platform>
"""

# Links and hosts whose speed changes; every route crosses the same link.
PROFILES = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full">
    {hosts}
    <link id="shared" bandwidth="100MBps" latency="10us"/>
    {links}
    <trace id="slower" periodicity="0.013">0.0 100e6
0.004 61e6
0.009 87e6
    </trace>
    <trace id="speed" periodicity="0.0101">0.0 1.0
0.003 0.7
    </trace>
    <trace_connect kind="BANDWIDTH" trace="slower" element="shared"/>
    <trace_connect kind="SPEED" trace="speed" element="h1"/>
    {routes}
  </zone>
</platform>
"""


def profiles():
    count = 4
    hosts = "\n    ".join(f'<host id="h{i}" speed="{1 + 0.1 * i}Gf"/>' for i in range(count))
    links = "\n    ".join(f'<link id="l{i}" bandwidth="{40 + 7 * i}MBps" latency="5us"/>' for i in range(count))
    routes = "\n    ".join(
        f'<route src="h{a}" dst="h{b}"><link_ctn id="l{a}"/><link_ctn id="shared"/><link_ctn id="l{b}"/></route>'
        for a in range(count) for b in range(a + 1, count))
    return PROFILES.format(hosts=hosts, links=links, routes=routes)


def size(chance):
    return chance.choice([*SIZES, chance.randint(1, 200000)])


def compute(chance, ranks, calls):
    if chance.random() < 0.5:
        volume = chance.choice([0, 100000, chance.randint(1, 500000)])
        for i in range(ranks):
            calls[i].append(f"compute {volume or chance.randint(1, 300000)}")


def incast(chance, ranks, calls):
    """All others send some messages to one rank, which takes them with wildcards."""
    root, each, equal, starts = chance.randrange(ranks), chance.randint(1, 3), size(chance), chance.random() < 0.5
    most = max(equal, *SIZES)
    others = [i for i in range(ranks) if i != root]
    are_equal = chance.random() < 0.5
    for i in others:
        for _ in range(each):
            calls[i].append(f"{'isend' if starts else 'send'} {root} 7 {equal if are_equal else size(chance)} 6")
        if starts:
            calls[i].append(f"waitall {each}")
    receives = [f"recv -333 7 {most} 6"] * (each * len(others))
    if chance.random() < 0.5:
        receives = ["i" + receive for receive in receives] + [f"waitall {len(receives)}"]
    calls[root] += receives


def wave(chance, ranks, calls):
    """From each rank to the next, some times one after the other."""
    bytes_ = size(chance)
    for _ in range(chance.randint(1, 4)):
        for i in range(ranks):
            if i > 0:
                calls[i].append(f"recv {i - 1} 3 {bytes_} 6")
            calls[i].append(f"compute {1000 * (i + 1)}")
            if i + 1 < ranks:
                calls[i].append(f"send {i + 1} 3 {bytes_} 6")


def halo(chance, ranks, calls):
    """Neighbours of a ring and of its chords exchange, with sizes by direction."""
    steps = sorted({1, chance.randint(1, ranks - 1)})
    sizes = {step: size(chance) for step in [*steps, *(-step for step in steps)]}
    for i in range(ranks):
        for step, bytes_ in sizes.items():
            calls[i].append(f"irecv {(i - step) % ranks} {step + ranks} {bytes_} 6")
        for step, bytes_ in sizes.items():
            calls[i].append(f"isend {(i + step) % ranks} {step + ranks} {bytes_} 6")
        calls[i].append(f"waitall {2 * len(sizes)}")


def allreduce(chance, ranks, calls):
    bytes_ = size(chance)
    for i in range(ranks):
        calls[i].append(f"allreduce {bytes_} 0 6")


def shaped_trace(seed):
    chance = random.Random(seed)
    ranks = chance.choice([3, 4, 7, 8, 16, 32])
    calls = [["init"] for _ in range(ranks)]
    for _ in range(chance.randint(1, 5)):
        compute(chance, ranks, calls)
        chance.choice([incast, incast, wave, halo, halo, allreduce])(chance, ranks, calls)
    for rank in calls:
        rank.append("finalize")
    return calls


class Observers(trace_tests.Checks):
    def dates(self, *words):
        """None: the command is refused, for each observer alike."""
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        done = self.call(*words, "--json", report)
        if done.returncode == 2:
            return None
        if not report.exists():
            return f"status {done.returncode}: {done.stderr[-300:]}"
        content = json.loads(report.read_text())
        return content["simulated_seconds"], [rank["stopped_picoseconds"] for rank in content["ranks"]]

    def compare(self, name, words, after, observers):
        wanted = self.dates(*words, *after)
        if wanted is None:
            return
        for observer in observers:
            got = self.dates(*words, *observer, *after)
            self.judge(f"{name}: {' '.join(map(str, [*words, *observer, *after]))}",
                       got != wanted and f"dates {got} instead of {wanted}")

    def machine(self, chance):
        network = chance.choice(NETWORKS)
        words = ["--on", chance.choice(PLATFORMS), "--network", network]
        if chance.random() < 0.3:
            words += COSTS
        if chance.random() < 0.2:
            words += ["--eager", chance.choice(["0", "1000", "1000000"])]
        return words

    def replay(self, name, file, machine, wildcards):
        words = ["trace", "replay", *machine, *(["--wildcards", "free"] if wildcards else [])]
        self.compare(name, words, [file], (["--timeline", "t.json"], ["--timeline", "t.timed"], ["--report", "r.html"],
                                           ["--sequence", "s.mmd"], ["--verbose"]))

    def run_mix(self, name, mix, seed, machine):
        words = ["run", "-n", 2 + seed % 7, "--compute", "none", *machine]
        self.compare(name, words, [mix, seed],
                     (["--timeline", "t.json"], ["--trace", "t.rtrace"], ["--report", "r.html"],
                      ["--trace", "t.rtrace", "--timeline", "t.timed"], ["--sequence", "s.mmd"]))
        self.replay(name, "t.rtrace", machine, seed % 2 == 0)
        self.run_sampled(name, mix, seed, machine)

    def run_sampled(self, name, mix, seed, machine):
        """With times of computation from a file, which the first run writes."""
        words = ["run", "-n", 2 + seed % 7, "--compute", "sampled", "--sample-file", "samples.json", *machine]
        (self.folder / "samples.json").unlink(missing_ok=True)
        self.dates(*words, mix, seed)
        self.compare(name, words, [mix, seed], (["--trace", "t.rtrace"], ["--timeline", "t.json"]))


def work(observers, options):
    (observers.folder / "fatpipes.xml").write_text(FATPIPES)
    (observers.folder / "profiles.xml").write_text(profiles())
    mix = observers.folder / "mix"
    observers.good("cc", HERE / "random_mix.c", "-o", mix)
    first, count = options.random
    for seed in range(first, first + count):
        chance, name = random.Random(seed), f"seed {seed}"
        machine = observers.machine(chance)
        if seed % 8 == 7:
            observers.run_mix(name, mix, seed, machine)
            continue
        file = observers.folder / "calls.ti"
        features = ("large", "coll", "v", "types", "any", "ssend")
        is_random = seed % 4 == 3
        calls = random_traces.trace(seed, features=features) if is_random else shaped_trace(seed)
        file.write_text(random_traces.text(calls))
        observers.replay(name, file, machine, seed % 2 == 0)


def main():
    parser = trace_tests.make_parser(__doc__, random=(0, 48))
    return trace_tests.run_tests(Observers, parser.parse_args(), work, least=100)


if __name__ == "__main__":
    sys.exit(main())
