# SPDX-License-Identifier: MIT
"""Figures of the many-node paper (arXiv 2401.09877) that can be reproduced, beside what it says."""
import json
import subprocess
import sys
from pathlib import Path

TOPOLOGIES = Path(__file__).resolve().parents[2] / "examples/skeletons/topologies.py"
ABOUT = """\
The paper compares with measured times of real applications on a cluster; here the truth is a full run in the same
simulator, so errors of the network model and of the node model are not in it. The applications are not the same: the
five programs above take the place of HPCG, SNAP, MILC, FFT2d and Caffe. The absolute values do not compare; the signs
and the sizes of the effects do. Figures 1 and 3 are drawings. Figure 7, stacks of cycles per instruction of the two
most different ranks, needs the counters of a node simulator: `rehearse profile analyse --counters` reads them and finds
such ranks, but they are not part of Rehearse."""
OVER_RANKS = """\
Figures 4 and 5: errors of the estimates over the number of ranks, with variable / constant times. In the paper, too,
the error of constant times grows with the number of nodes, up to the 54 % of its table 2."""
STACKS = """\
Figure 6: computation and the rest (communication and waiting) of 64 ranks, as parts of the true time."""
EFFECTS = "Figures 2 and 8 to 11:"
EXCHANGE = """\
In figures 9 and 10, ranks in pairs compute and exchange 4 MiB over a torus, without any common synchronisation. With
constant times, all send at the same moment, and wait for a congestion that is not there. So `mean` is too slow at small
bandwidths, and too fast at large ones. It overstates the gain of a faster network from 50 to 100 Gb/s, not yet from 20
to 50 Gb/s, where the network takes most of the time."""
TRAINING = """\
Figure 12: a data-parallel training on the three networks of the paper (`examples/skeletons/topologies.py`): 100 Gb/s
links, an all-reduce of 32 MiB by Rabenseifner's algorithm, constant times. In the paper, the three are equal up to 32
ranks, then the fat tree wins, and the torus passes the dragonfly from 512 ranks on. Here routes are minimal. So the 24
hosts of a dragonfly's switch share its only link to another switch, and the torus, with four links in each direction,
passes the dragonfly earlier."""
HEAVY = {"law": "pareto", "least": 0.004, "alpha": 7}
SPREAD = {"law": "exponential", "mean": 0.001, "shift": 0.003}
SUM = {"collective": "allreduce", "bytes": "8"}
TRANSPOSED = [{"loop": "5", "body": [{"compute": "m"}, {"collective": "alltoall", "bytes": "div(4194304, P)"}]}]
BULK = [{"loop": "10", "body": [{"compute": "m"}, {"neighbours": "torus:3d", "bytes": "16384"}, SUM]}]
PAIRS = [{"loop": "40", "body": [{"compute": "m"}, {"sendrecv": "(r + P / 2) % P", "bytes": "4 * 2^20"}]}]
NAMES = {"full": "variable", "mean": "constant"}


def change(after, before):
    return f"{100 * (after / before - 1):+.1f} %"


class Figures:
    def __init__(self, rehearse, folder, table):
        self.rehearse, self.folder, self.table = str(rehearse), Path(folder), table
        subprocess.run([sys.executable, str(TOPOLOGIES), str(folder)], check=True)

    def sweep(self, path, *options):
        words = [self.rehearse, "sweep", path, "--json", "-", *options]
        done = subprocess.run([str(word) for word in words], cwd=self.folder, stdout=subprocess.PIPE, text=True,
                              check=True)
        return json.loads(done.stdout)["points"]

    def both(self, body, law, *options):
        """Points with variable and with constant times."""
        document = {"rehearse_skeleton": 1, "name": "figure", "clusters": [{"id": 0, "ranks": "all"}],
                    "markers": {"m": [{"cluster": 0, "law": law}]}, "body": body}
        (self.folder / "figure.json").write_text(json.dumps(document))
        return self.sweep("figure.json", "--variability", "full,mean", "--replicas", 5, *options)

    def each_kind(self, of_kind):
        return ", ".join(f"{name}: {of_kind(kind)}" for kind, name in NAMES.items())

    def over_ranks(self, predictions):
        all_ranks = [each.ranks for each in next(iter(predictions.values()))]
        rows = [(program, *(f"{100 * each.error:+.1f} / {100 * each.mean_error:+.1f} %" for each in line))
                for program, line in predictions.items()]
        return self.table(("program", *(f"{ranks} ranks" for ranks in all_ranks)), rows)

    def stacks(self, predictions):
        rows = []
        for program, line in predictions.items():
            last = line[-1]
            shown = [last.times[kind] for kind in ("truth", "full", "mean", "independent")]
            rows.append((program, *(f"{each.computing / last.truth:.2f} + "
                                    f"{(each.seconds - each.computing) / last.truth:.2f}" for each in shown)))
        return self.table(("program", "truth", "variable", "constant", "independent"), rows)

    def behind_collective(self):
        few = {each["variability"]: each for each in self.both(BULK, HEAVY, "--ranks", 8)}
        waiting = self.each_kind(lambda kind: f"{100 * few[kind]['waiting_seconds'] / few[kind]['mean']:.1f} %")
        return "2: part of the time in which 8 ranks wait", "none with constant times", waiting

    def at_many_ranks(self):
        means = {(each["ranks"], each["variability"]): each["mean"] for each in
                 self.both(BULK, HEAVY, "--ranks", "64,512,4096", "--collective-times", "alone")}
        shown = ", ".join(f"{ranks}: {change(means[ranks, 'full'], means[ranks, 'mean'])}" for ranks in (64, 512, 4096))
        return "8: variable against constant times", "HPCG: almost 60 % between the extremes at 4,096 ranks", shown

    def over_bandwidth(self):
        speeds = ("20Gbps", "50Gbps", "100Gbps", "200Gbps", "500Gbps", "1000Gbps")
        means = {(each["parameters"]["bandwidth"], each["variability"]): each["mean"] for each in
                 self.both(PAIRS, SPREAD, "--ranks", 64, "--on", "torus.xml", "--vary",
                           "bandwidth=" + ",".join(speeds))}
        ratios = self.each_kind(lambda kind: " ".join(f"{means[each, kind] / means['1000Gbps', kind]:.2f}"
                                                      for each in speeds))
        gains = "; ".join(
            f"{before} to {after} Gb/s: "
            + self.each_kind(lambda kind: change(means[f"{after}Gbps", kind], means[f"{before}Gbps", kind]))
            for before, after in ((20, 50), (50, 100)))
        against = ", ".join(f"{each}: {change(means[each, 'mean'], means[each, 'full'])}"
                            for each in ("20Gbps", "100Gbps", "1000Gbps"))
        return [("9: time at 20, 50, 100, 200, 500, 1000 Gb/s by that at 1000", "above 1 where bandwidth counts",
                 ratios),
                ("10: change from one bandwidth to the next",
                 "SNAP, 20 to 50 Gb/s: -50 % with constant times, in truth -24 %", gains),
                ("10: constant against variable times", "SNAP: too slow at 20 Gb/s", against)]

    def over_latency(self):
        means = {(each["parameters"]["latency"], each["variability"]): each["mean"] for each in
                 self.both(TRANSPOSED, HEAVY, "--ranks", 64, "--vary", "bandwidth=20Gbps", "--vary",
                           "latency=200ns,500ns")}
        gain = self.each_kind(lambda kind: change(means["200ns", kind], means["500ns", kind]))
        return "11: change from 500 to 200 ns at 20 Gb/s", "FFT2d: -21 % with constant times, truly -3.5 %", gain

    def topologies(self):
        networks, all_ranks = ("fat_tree.xml", "torus.xml", "dragonfly.xml"), (2, 8, 32, 128, 512, 2048)
        points = self.sweep("training.json", "--ranks", ",".join(map(str, all_ranks)), "--on", ",".join(networks),
                            "--variability", "mean", "--collectives", "allreduce=rabenseifner")
        means = {(each["platform"], each["ranks"]): each["mean"] for each in points}
        return self.table(("network", *(f"{ranks:,} ranks" for ranks in all_ranks)),
                          [(network.removesuffix(".xml").replace("_", " "),
                            *(f"{1e3 * means[network, ranks]:.1f} ms" for ranks in all_ranks)) for network in networks])

    def text(self, predictions):
        rows = [self.behind_collective(), self.at_many_ranks(), *self.over_bandwidth(), self.over_latency()]
        return "\n\n".join(["### Figures of the paper", ABOUT, OVER_RANKS, self.over_ranks(predictions), STACKS,
                            self.stacks(predictions), EFFECTS, self.table(("figure", "paper", "here"), rows), EXCHANGE,
                            TRAINING, self.topologies()])
