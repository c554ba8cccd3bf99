# SPDX-License-Identifier: MIT
"""Replays of recorded programs against real runs, with the error divided into computation and communication.

Times are those of the measured part of the programs (programs/region.h), of the longest rank. With

    R  the least time of the real program with the meter of computation,
    S  the time of the replay,
    C  the time of the replay whose computation is scaled, for each rank, to that of the real program,

the error is (S - R) / R, the error of computation (S - C) / R, and the error of communication (C - R) / R. The last
two add up to the first. The computation of the real program is that of its fastest run with the meter.
"""
import os
import pathlib
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import measure
import simulated_cases

REFERENCES = measure.HERE / "references" / "traced_runs.csv"
RECORDINGS = measure.HERE / "recordings"
COLUMNS = ("platform", "mpi", "program", "ranks", "metered", "plain", "median", "least", "highest", "waited",
           "recorded", "runs", "computed")
MODEL, CALIBRATED = "mpi", simulated_cases.CALIBRATED
GROUP, COMPUTATION, COMMUNICATION = "traces", "traces, computation", "traces, communication"
MARK = "MPI_Barrier of 1 ranks"


@dataclass
class RealRun:
    """A line of references/traced_runs.csv."""
    place: tuple  # platform, library, program, ranks
    seconds: float  # of the fastest run with the meter
    computed: list  # of each rank in this run
    least: float  # of all runs
    highest: float


def real_runs(file=REFERENCES):
    for row in simulated_cases.rows_of(file) if file.exists() else ():
        yield RealRun((row["platform"], row["mpi"], row["program"], int(row["ranks"])), float(row["metered"]),
                      list(map(float, row["computed"].split(";"))), float(row["least"]), float(row["highest"]))


def recording_of(program, ranks, library, folder=RECORDINGS):
    return folder / f"{program}_{ranks}_{library}.rtrace"


def actions_of(lines):
    """{rank: [(end, action, seconds), ...]} of a timeline `[end] rank action duration`."""
    result = {}
    for line in lines:
        if line.startswith("["):
            end, rank, action = line[1:].replace("]", "", 1).split(None, 2)
            name, seconds = action.rsplit(None, 1)
            result.setdefault(int(rank), []).append((float(end), name, float(seconds)))
    return result


def measured_parts(actions, ranks):
    """For each rank (seconds, seconds of computation) between its two marks."""
    parts = []
    for rank in range(ranks):
        marks = [i for i, (_, action, _) in enumerate(actions.get(rank, ())) if action.startswith(MARK)]
        if len(marks) != 2:
            raise SystemExit(f"traced_cases: rank {rank} has {len(marks)} marks; expected: 2")
        first, last = marks
        own = actions[rank]
        computed = sum(seconds for _, action, seconds in own[first + 1:last] if action.startswith("compute"))
        parts.append((own[last][0] - own[first][0], computed))
    return parts


def replayed(rehearse, recording, ranks, options):
    with tempfile.TemporaryDirectory() as folder:
        timeline = pathlib.Path(folder) / "replay.timed"
        words = [rehearse, "trace", "replay", "--quiet", "--timeline", timeline, *options, recording]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"traced_cases: {' '.join(map(str, words))}: status {done.returncode}: "
                             f"{(done.stdout + done.stderr).strip()}")
        with open(timeline, encoding="utf-8") as lines:
            return measured_parts(actions_of(lines), ranks)


def computation_of(rehearse, recording, ranks):
    """Seconds of each rank in the measured part."""
    options = ["--on", measure.HERE / "platforms" / "star.xml", "--network", "constant"]
    return [computed for _, computed in replayed(rehearse, recording, ranks, options)]


def is_whole(rehearse, recording, ranks):
    if not recording.exists():
        return False
    done = subprocess.run([rehearse, "trace", "info", recording], capture_output=True, text=True)
    return done.returncode == 0 and f"ranks: {ranks}\n" in done.stdout and "stopped at" not in done.stdout


class TracedSimulator:
    def __init__(self, rehearse, folder):
        self.rehearse = rehearse
        self.folder = folder

    def machine(self, place, model):
        platform, library, _, ranks = place
        file = measure.HERE / ("platforms" if model == MODEL else "calibrated")
        file /= f"{platform}.xml" if model == MODEL else f"{platform}_{library}.calibrated.xml"
        return ["--on", file, *measure.hosts_of(platform, ranks, self.folder), "--collective-algorithms",
                simulated_cases.ALGORITHMS[library], *(["--network", MODEL] if model == MODEL else [])]

    def one(self, real, model):
        """[seconds of the replay, and of the replay with the computation of the real run]"""
        _, library, program, ranks = real.place
        recording, machine = recording_of(program, ranks, library), self.machine(real.place, model)
        parts = replayed(self.rehearse, recording, ranks, machine)
        scales = ",".join(f"rank:{rank}={real.computed[rank] / computed!r}"
                          for rank, (_, computed) in enumerate(parts))
        scaled = replayed(self.rehearse, recording, ranks, [*machine, "--scale-compute", scales])
        return [max(seconds for seconds, _ in each) for each in (parts, scaled)]

    def all(self):
        """{model: {place: [seconds, seconds with the real computation]}}"""
        runs = list(real_runs())
        tasks = [(real, model) for model in (MODEL, CALIBRATED) for real in runs]
        result = {MODEL: {}, CALIBRATED: {}}
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            for (real, model), seconds in zip(tasks, workers.map(lambda task: self.one(*task), tasks)):
                result[model][real.place] = seconds
        return result


def parts_of_error(real, seconds, scaled):
    """In percent, with their signs."""
    return {GROUP: 100 * (seconds / real.seconds - 1), COMPUTATION: 100 * (seconds - scaled) / real.seconds,
            COMMUNICATION: 100 * (scaled / real.seconds - 1)}


def mean_errors(traced, runs):
    """{model: {group: mean absolute error in percent}}"""
    result = {}
    for model, times in traced.items():
        errors = [parts_of_error(real, *times[real.place]) for real in runs if real.place in times]
        if errors:
            result[model] = {group: simulated_cases.mean(abs(one[group]) for one in errors) for group in errors[0]}
    return result
