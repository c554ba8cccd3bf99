#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Experiments with networks of packets: each prints a table.

Usage: netsim.py [--rehearse PATH] [--output FOLDER] [--reduced] [EXPERIMENT...]

Without names, all experiments run. With --output, tables.md and a picture for each experiment that has one are written
to the folder. --reduced runs fewer points. Computation takes no time, except where a program states it, so all times
are those of messages, and two runs give the same figures.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import plot

HERE = Path(__file__).resolve().parent
SOURCES = {"pingpong": HERE / "pingpong.c", "unexpected": HERE / "unexpected.c", "patterns": HERE / "patterns.c",
           "kernels": HERE / "kernels.c", "stencil": HERE.parent / "5_stencil.c", "cg": HERE.parent / "traces" / "cg.c"}
REFERENCE = HERE / "netsim_reference.xml"
TCP = ("newreno", "cubic", "dctcp")
MARKS = {"dctcp": ",ecn=30000"}  # further keys of a variant


def star(hosts, mbit=1000, latency_us=50, first=(), properties=""):
    """A platform file: a switch between hosts. `first`: bandwidth in Mbit/s and latency in us of the link of host 0;
    `properties`: its keys of packets."""
    text = '<platform version="4.1"><zone id="star" routing="Full">\n'
    for host in range(hosts):
        text += f'<host id="host{host}" speed="1Gf"/>\n'
    for host in range(hosts):
        bandwidth, latency = first if host == 0 and first else (mbit, latency_us)
        inner = f'<prop id="packet" value="{properties}"/>' if host == 0 and properties else ""
        text += (f'<link id="cable{host}" bandwidth="{bandwidth}Mbps" latency="{latency}us" '
                 f'sharing_policy="SPLITDUPLEX">{inner}</link>\n')
    for one in range(hosts):
        for other in range(one + 1, hosts):
            text += (f'<route src="host{one}" dst="host{other}"><link_ctn id="cable{one}" direction="UP"/>'
                     f'<link_ctn id="cable{other}" direction="DOWN"/></route>\n')
    return text + "</zone></platform>\n"


class Table:
    def __init__(self, title, header, rows):
        self.title, self.header, self.rows = title, header, rows

    def __str__(self):
        lines = [self.header, ["---"] + ["---:"] * (len(self.header) - 1), *self.rows]
        return self.title + "\n\n" + "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


class Bench:
    def __init__(self, rehearse, folder, output, is_reduced):
        self.rehearse, self.folder, self.output, self.is_reduced = rehearse, folder, output, is_reduced

    def command(self, *words, accepted=(0,)):
        done = subprocess.run([self.rehearse, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        if done.returncode not in accepted:
            sys.exit(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def program(self, name):
        if not (self.folder / name).exists():
            self.command("cc", "-O2", SOURCES[name], "-o", name, "-lm")
        return "./" + name

    def platform(self, *arguments, **named):
        path = self.folder / "star.xml"
        path.write_text(star(*arguments, **named))
        return path

    def printed(self, ranks, platform, keys, program, *arguments):
        """The output of the program."""
        return self.command("run", "-n", ranks, "--compute", "none", "--on", platform, "--network", "packet",
                            *(["--packet", keys] if keys else []), "--no-summary", self.program(program),
                            *arguments).stdout.strip()

    def measure(self, ranks, platform, keys, program, *arguments, options=()):
        """Simulated seconds, and the counts of packets."""
        self.command("compare-models", "-n", ranks, "--compute", "none", "--on", platform, "--models", "packet",
                     *(["--packet", keys] if keys else []), *options, "--quiet", "--json", "report.json",
                     self.program(program), *arguments)
        run = json.loads((self.folder / "report.json").read_text())["runs"][0]
        counts = run["packets"]
        counts["seconds"] = run["simulated_seconds"]
        counts["drops"] = sum(link["drops"] for link in run["links"])
        counts["losses"] = sum(link["losses"] for link in run["links"])
        counts["longest_queue"] = max(link["longest_queue_bytes"] for link in run["links"])
        return counts

    def knows_key(self, key):
        (self.folder / "nothing.txt").write_text("0 host0 host1 1\n")
        done = self.command("flows", "--on", REFERENCE, "--network", "packet", "--packet", key, "--quiet",
                            "nothing.txt", accepted=(0, 2))
        return done.returncode == 0

    def draw(self, kind, name, *arguments, **named):
        if self.output:
            kind(self.output / f"netsim_{name}.svg", *arguments, **named)


def milliseconds(seconds):
    return f"{1000 * seconds:,.3f}"


def pingpong(bench):
    """10,000 messages of 32 bytes, one after the other."""
    rows = []
    for keys in ("transport=raw", "transport=tcp"):
        rows.append([keys[10:], bench.printed(2, REFERENCE, keys, "pingpong", 10000, 32)])
    yield Table("10,000 messages of 32 bytes between two ranks, 1 ms apart", ["transport", "seconds"], rows)


def unexpected(bench):
    """Messages that arrive before or after their receive is posted."""
    rows = [[f"{gap:,} us", bench.printed(2, REFERENCE, "", "unexpected", gap)] for gap in (500, 2000)]
    yield Table("Messages on a network of 1 ms", ["receive after the departure", "messages"], rows)


def slow_link(bench):
    """Rank 0 behind a link of 100 Mbit/s with 1 ms more."""
    names = ("is", "bt", "lu", "mg", "cg", "ep")
    rows, slower = [], []
    for name in names:
        usual = bench.measure(4, REFERENCE, "", "kernels", name)["seconds"]
        slow = bench.measure(4, bench.platform(4, latency_us=500, first=(100, 1500)), "", "kernels", name)["seconds"]
        slower.append(100 * (slow / usual - 1))
        rows.append([name, milliseconds(usual), milliseconds(slow), f"{slower[-1]:.1f} %"])
    yield Table("Rank 0 behind a slow link", ["kernel", "usual, ms", "slow link, ms", "slow-down"], rows)
    bench.draw(plot.bars, "slow_link", "Rank 0 behind a slow link", "slow-down, %", names, {"packets": slower})


def loss(bench):
    """One cable of 16 loses packets."""
    patterns = ("bcast", "gather", "allreduce", "alltoall", "exchange")
    rates = (0, 1e-3) if bench.is_reduced else (0, 1e-4, 1e-3, 1e-2)
    rows, series = [], {}
    for name in patterns[:2] if bench.is_reduced else patterns:
        points = []
        for rate in rates:
            platform = bench.platform(16, properties=f"loss={rate}")
            points.append(bench.measure(16, platform, "", "patterns", name, 65536, 20))
        rows.append([name, *(f"{milliseconds(point['seconds'])} ({point['timeouts']})" for point in points)])
        series[name] = [point["seconds"] / points[0]["seconds"] for point in points[1:]]
    yield Table("20 times 64 KiB on 16 ranks; the cable of rank 0 loses packets: ms (timeouts)",
                ["collective", *(f"{100 * rate:g} %" for rate in rates)], rows)
    bench.draw(plot.bars, "loss", "One cable loses packets", "slow-down, times",
               [f"{100 * rate:g} %" for rate in rates[1:]], series, log_y=True)


def eager(bench):
    """The eager limit against the window."""
    sizes = (32,) if bench.is_reduced else (32, 256)
    windows = (16, 64, 256, 4096)
    rows, series = [], {}
    for size in sizes:
        for limit in (4096, 1 << 20):
            times = [bench.measure(4, REFERENCE, f"window={window}KiB", "patterns", "exchange", 1024 * size, 20,
                                   options=("--eager", limit))["seconds"] for window in windows]
            rows.append([f"{size} KiB, {limit:,}", *map(milliseconds, times)])
            points = zip((1024 * window for window in windows), (1000 * time for time in times))
            series[f"{size} KiB, eager {limit // 1024} KiB"] = list(points)
    yield Table("20 exchanges with two neighbours, ms; 1 ms from host to host",
                ["message, eager limit", *(f"window {window} KiB" for window in windows)], rows)
    bench.draw(plot.lines, "eager", "Eager limit against window", "window, bytes", "ms", series, log_x=True, log_y=True)


def incast(bench):
    """A gather of 64 KiB from each rank."""
    counts = (4, 16) if bench.is_reduced else (2, 4, 6, 8, 12, 16, 24, 32)
    networks = {"queue 64 KiB": "queue=64KiB", "queue 256 KiB": "queue=256KiB", "queue 4 MiB": "queue=4MiB",
                "credits": "lossless=credit"}
    rows, series = [], {name: [] for name in networks}
    for ranks in counts:
        cells = [ranks]
        for name, keys in networks.items():
            point = bench.measure(ranks, bench.platform(ranks), keys, "patterns", "gather", 65536, 5,
                                  options=("--collective-algorithms", "gather=linear"))
            goodput = 5 * 8 * 65536 * (ranks - 1) / point["seconds"] / 1e6
            cells.append(f"{goodput:,.1f} ({point['timeouts']})")
            series[name].append((ranks, goodput))
        rows.append(cells)
    yield Table("Goodput of 5 gathers of 64 KiB at the root, Mbit/s (timeouts)", ["ranks", *networks], rows)
    bench.draw(plot.lines, "incast", "Incast of a gather", "ranks", "goodput, Mbit/s", series)


def nagle(bench):
    """Small messages: Nagle's rule and delayed acknowledgements."""
    rows = []
    has_nagle = bench.knows_key("nagle=1")
    for rule in ("nagle=1,", "") if has_nagle else ("",):
        for ack in (2, 1):
            point = bench.measure(2, REFERENCE, f"{rule}delayed_ack={ack}", "patterns", "burst", 100, 20)
            rows.append(["on" if rule else "off", "each second" if ack == 2 else "each", milliseconds(point["seconds"]),
                         f"{point['packet_hops']:,}"])
    yield Table("20 bursts of 10 messages of 100 bytes and an answer",
                ["Nagle", "acknowledged segments", "ms", "packet-hops"], rows)


def jumbo(bench):
    """Large packets."""
    rows = []
    for mtu in (1500, 9000):
        point = bench.measure(8, bench.platform(8), f"mtu={mtu},queue=4MiB", "patterns", "alltoall", 1 << 20, 1)
        rows.append([mtu, milliseconds(point["seconds"]), f"{point['packet_hops']:,}"])
    yield Table("An all-to-all of 1 MiB blocks on 8 ranks", ["mtu", "ms", "packet-hops"], rows)


GATHER_AT_ONCE = ("--eager", 1 << 20, "--collective-algorithms", "gather=linear")  # no sender waits for the root


def buffers(bench):
    """Shallow and deep queues of the switch."""
    sizes = (64, 1024) if bench.is_reduced else (16, 32, 64, 128, 256, 512, 1024, 4096)
    rows, series = [], {variant: [] for variant in TCP}
    for size in sizes:
        cells = [f"{size} KiB"]
        for variant in TCP:
            keys = f"queue={size}KiB,congestion={variant}" + MARKS.get(variant, "")
            point = bench.measure(16, bench.platform(16), keys, "patterns", "gather", 262144, 3,
                                  options=GATHER_AT_ONCE)
            cells.append(f"{milliseconds(point['seconds'])} ({point['drops']:,}, {point['timeouts']})")
            series[variant].append((1024 * size, 1000 * point["seconds"]))
        rows.append(cells)
    yield Table("3 gathers of 256 KiB on 16 ranks, ms (drops, timeouts)", ["queue", *TCP], rows)
    bench.draw(plot.lines, "buffers", "Queues of the switch", "queue, bytes", "ms", series, log_x=True)


def lossless(bench):
    """TCP against networks that lose nothing."""
    networks = {"tcp, queue 64 KiB": "queue=64KiB", "tcp, queue 4 MiB": "queue=4MiB", "tcp, credits": "lossless=credit",
                "tcp, pfc": "lossless=pfc", "rdma, credits": "transport=rdma,lossless=credit",
                "rdma, pfc": "transport=rdma,lossless=pfc"}
    patterns = ("gather", "alltoall", "exchange")
    rows, series = [], {}
    for name, keys in networks.items():
        points = [bench.measure(16, bench.platform(16), keys, "patterns", pattern, 262144, 3, options=GATHER_AT_ONCE)
                  for pattern in patterns]
        rows.append([name, *(milliseconds(point["seconds"]) for point in points),
                     sum(point["drops"] for point in points), sum(point["timeouts"] for point in points)])
        series[name] = [1000 * point["seconds"] for point in points]
    yield Table("3 times 256 KiB on 16 ranks, ms", ["network", *patterns, "drops", "timeouts"], rows)
    bench.draw(plot.bars, "lossless", "TCP against lossless networks", "ms", patterns, series, log_y=True)


def congestion(bench):
    """Loss on all links, with three variants of TCP."""
    programs = {"stencil": ("stencil", 16000, 50), "cg": ("cg", "W", 2),
                "alltoall": ("patterns", "alltoall", 1 << 20, 1)}
    rates = (0, 1e-3, 1e-2)
    seeds = (1,) if bench.is_reduced else (1, 2, 3)
    rows, series = [], {}
    for name, words in programs.items():
        for variant in TCP[:1] if bench.is_reduced else TCP:
            cells, points = [f"{name}, {variant}"], []
            for rate in rates:
                keys = f"congestion={variant},loss={rate}" + MARKS.get(variant, "")
                runs = [bench.measure(16, bench.platform(16), f"{keys},seed={seed}", *words) for seed in seeds]
                seconds = sum(run["seconds"] for run in runs) / len(runs)
                cells.append(f"{milliseconds(seconds)} ({sum(run['timeouts'] for run in runs) / len(runs):.0f})")
                points.append(1000 * seconds)
            rows.append(cells)
            series[f"{name}, {variant}"] = points
    yield Table(f"16 ranks on a switch of 1 Gbit/s; mean of {len(seeds)} seeds: ms (timeouts)",
                ["program, TCP", *(f"loss {100 * rate:g} %" for rate in rates)], rows)
    bench.draw(plot.bars, "congestion", "Loss on all links", "ms", [f"{100 * rate:g} %" for rate in rates], series,
               log_y=True)


EXPERIMENTS = {each.__name__.replace("_", "-"): each for each in (
    pingpong, unexpected, slow_link, loss, eager, incast, nagle, jumbo, buffers, lossless, congestion)}


def main():
    names = "\n".join(f"  {name:12} {function.__doc__}" for name, function in EXPERIMENTS.items())
    parser = argparse.ArgumentParser(description=__doc__ + "\nExperiments:\n" + names,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="EXPERIMENT")
    parser.add_argument("--rehearse", default="rehearse", help="the program (default: the one in PATH)")
    parser.add_argument("--output", type=Path, help="folder for the tables and pictures")
    parser.add_argument("--reduced", action="store_true", help="fewer points")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in EXPERIMENTS:
            parser.error(f"experiment '{name}' given; accepted: {', '.join(EXPERIMENTS)}")
    rehearse = str(Path(arguments.rehearse).resolve()) if "/" in arguments.rehearse else arguments.rehearse
    if arguments.output:
        arguments.output.mkdir(parents=True, exist_ok=True)
    texts = []
    with tempfile.TemporaryDirectory(prefix="rehearse-netsim-") as folder:
        bench = Bench(rehearse, Path(folder), arguments.output, arguments.reduced)
        for name in arguments.names or EXPERIMENTS:
            for table in EXPERIMENTS[name](bench):
                print(("\n" if texts else "") + str(table), end="", flush=True)
                texts.append(str(table))
    if arguments.output:
        (arguments.output / "tables.md").write_text("\n".join(texts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
