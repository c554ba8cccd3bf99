# SPDX-License-Identifier: MIT
"""Predictions of the many-node method against full runs: profiles of few ranks, times of many.

For each of the five programs of noisy.c: the truth is the mean time of full runs with different seeds on many ranks;
the prediction is a sweep of a skeleton written by hand, with the profile of one run on few ranks.
"""
import json
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).parent / "noisy.c"
SUM = {"collective": "allreduce", "bytes": "8"}
LET = {"rows": "dims(P, 2, 0)", "columns": "dims(P, 2, 1)", "row": "div(r, columns)", "column": "r % columns"}


def halo(size):
    return {"neighbours": "torus:2d", "bytes": str(size)}


def message(kind, condition, peer):
    return {"if": condition, "body": [{kind: peer, "bytes": "2048"}]}


BODIES = {
    "stencil": [{"compute": "update"}, halo(16384), SUM],
    "cg": [{"compute": "product"}, halo(8192), SUM, {"compute": "update"}, SUM],
    "ft": [{"compute": "transform"}, {"collective": "alltoall", "bytes": "div(262144, P)"}],
    "lu": [message("recv", "row > 0", "r - columns"), message("recv", "column > 0", "r - 1"), {"compute": "lower"},
           message("send", "row + 1 < rows", "r + columns"), message("send", "column + 1 < columns", "r + 1"),
           {"compute": "rest"}, {"if": "i0 % 5 == 4", "body": [SUM]}],
    "hpcg": [step for size in (8, 4, 2, 1, 1, 2, 4, 8) for step in ({"compute": "smooth"}, halo(1024 * size))] + [SUM],
}


@dataclass
class Times:
    """Of a program or a sweep: its duration, and the part of it in which ranks compute (a mean over ranks)."""
    seconds: float
    computing: float


@dataclass
class Prediction:
    program: str
    ranks: int
    times: dict  # by kind: truth, full, mean, independent

    @property
    def truth(self):
        return self.times["truth"].seconds

    @property
    def independent_error(self):
        return self.times["independent"].seconds / self.truth - 1

    @property
    def error(self):
        return self.times["full"].seconds / self.truth - 1

    @property
    def mean_error(self):
        return self.times["mean"].seconds / self.truth - 1


def skeleton_of(program, turns, markers):
    law = {"law": "constant", "value": 0}  # the profile's markers take its place
    return {"rehearse_skeleton": 1, "name": program, "clusters": [{"id": 0, "ranks": "all"}], "let": LET,
            "markers": {name: [{"cluster": 0, "law": law}] for name in markers},
            "body": [{"loop": str(turns), "body": BODIES[program]}]}


def markers_of(program):
    found = []
    for step in BODIES[program]:
        if "compute" in step and step["compute"] not in found:
            found.append(step["compute"])
    return found


class Study:
    def __init__(self, rehearse, folder, few=8, many=64, turns=40, profiled_turns=200, seeds=5, replicas=10):
        self.rehearse, self.folder = str(rehearse), Path(folder)
        self.few, self.many, self.turns, self.profiled_turns = few, many, turns, profiled_turns
        self.seeds, self.replicas = seeds, replicas
        self.program = self.folder / "noisy"
        self.run("cc", "-O2", SOURCE, "-o", self.program, "-lm")

    def run(self, *words):
        done = subprocess.run([self.rehearse, *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"rehearse {' '.join(map(str, words))}: status {done.returncode}: {done.stderr[:400]}")
        return done.stdout

    def truth(self, program, ranks):
        reports = [json.loads(self.run("run", "-n", ranks, "--on", f"cluster:{ranks}", "--compute", "none",
                                       "--json", "-", self.program, program, seed, self.turns))
                   for seed in range(100, 100 + self.seeds)]
        return Times(statistics.fmean(each["simulated_seconds"] for each in reports),
                     statistics.fmean(rank["compute_seconds"] for each in reports for rank in each["ranks"]))

    def profile(self, program):
        samples, profile = f"{program}.csv", f"{program}.profile.json"
        self.run("profile", "record", "-n", self.few, "--on", f"cluster:{self.few}",
                 "--markers", "user", "--quiet", "-o", samples, self.program, program, 1, self.profiled_turns)
        self.run("profile", "analyse", samples, "-o", profile, "--quiet")
        return profile

    def predict_all(self, program, all_ranks):
        """Predictions for several numbers of ranks from one profile."""
        profile = self.profile(program)
        path = self.folder / f"{program}.skeleton.json"
        path.write_text(json.dumps(skeleton_of(program, self.turns, markers_of(program))))
        answer = json.loads(self.run("sweep", path, "--profile", profile, "--ranks", ",".join(map(str, all_ranks)),
                                     "--replicas", self.replicas,
                                     "--variability", "full,mean,independent", "--json", "-"))
        predictions = {ranks: Prediction(program, ranks, {"truth": self.truth(program, ranks)}) for ranks in all_ranks}
        for point in answer["points"]:
            predictions[point["ranks"]].times[point["variability"]] = Times(point["mean"], point["compute_seconds"])
        return list(predictions.values())

    def predict(self, program):
        return self.predict_all(program, [self.many])[0]
