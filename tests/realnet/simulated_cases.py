# SPDX-License-Identifier: MIT
"""The programs of the accuracy bench in simulated time, and their errors against the reference files.

An error of a case is that of its simulated time against the least real one. A group has two of them: the mean absolute
percentage error (mape), and the logarithmic error exp(mean |ln(simulated / real)|) - 1, which treats a factor of 2 too
long and too short equally. Both are in percent.
"""
import csv
import math
import os
import pathlib
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import measure

HERE = pathlib.Path(__file__).resolve().parent
GROUPS = {"point-to-point": measure.MESSAGES[:1], "contention": measure.MESSAGES[1:] + measure.CONTENTION,
          "collectives": measure.COLLECTIVES, "applications": measure.APPLICATIONS}
ALGORITHMS = {"openmpi": "ompi", "mpich": "mpich"}


@dataclass
class Model:
    """A column of the tables. A model that the program does not know is left out."""
    name: str
    network: str
    options: tuple = ()


MODELS = (
    Model("lv08", "lv08"),
    Model("smpi", "smpi"),
    Model("cm02", "cm02"),
    Model("raw", "raw"),
    Model("loggps", "loggps", ("--loggps", "L=200e-6,o=0,g=0,G=80e-9,S=65536")),  # the links of the star
    Model("packet", "packet", ("--packet", measure.PACKETS)),
    Model("mpi", "mpi"),
)
CALIBRATED = "calibrated"  # the platform file has the model and its parameters
# Simpler models with as many measurements: the line that fits the half round trips of the star best, instead of several
# pieces; and all of the calibration, but no message takes bandwidth from another one.
BEST_AFFINE, NO_CONTENTION = "best affine", "no contention"
# Of the files of references, and the columns of the tables.
SIMGRID = {"simgrid": "SMPI 3.32", "simgrid_calibrated": "SMPI 3.32 calibrated"}
NUMBERS = ("min", "p10", "median", "p90", "highest_minimum", "sessions")


def group_of(case):
    return next(group for group, cases in GROUPS.items() if case in cases)


class Simulator:
    def __init__(self, rehearse, folder):
        self.rehearse = rehearse
        self.folder = folder
        self.program = folder / "real_bench"
        listed = subprocess.run([rehearse, "list", "models"], capture_output=True, text=True, check=True).stdout
        known = {line.split()[0] for line in listed.splitlines() if line.strip()}
        self.models = [model for model in MODELS if model.network in known]

    def compile(self):
        subprocess.run([self.rehearse, "cc", "-O2", *measure.sources(), "-o", self.program], check=True)

    def run(self, platform_file, platform, library, run, options):
        """{(case, bytes, ranks): seconds}"""
        ranks, most, cases = run
        words = [self.rehearse, "run", "-n", ranks, "--quiet", "--compute", "none", "--on", platform_file,
                 *measure.hosts_of(platform, ranks, self.folder), "--collectives", ALGORITHMS[library], *options,
                 self.program, 0, most, 1, measure.SIMULATED_HEAD_START, "sleep", *cases]
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"accuracy: {' '.join(map(str, words))}: {done.stderr.strip()}")
        return read_times(done.stdout)

    def tasks(self):
        for platform in measure.PLATFORMS:
            for library in measure.LIBRARIES:
                for run in measure.runs_of(platform):
                    for model, file, options in self.columns(platform, library):
                        yield model, platform, library, (file, platform, library, run, options)

    def columns(self, platform, library):
        """(name, platform file, options)"""
        file = HERE / "platforms" / f"{platform}.xml"
        for model in self.models:
            yield model.name, file, ("--network", model.network, *model.options)
        yield BEST_AFFINE, file, ("--network", "raw", *best_affine_of(library))
        calibrated = HERE / "calibrated" / f"{platform}_{library}.calibrated.xml"
        if calibrated.exists():
            yield CALIBRATED, calibrated, ()
            yield NO_CONTENTION, calibrated, ("--contention", "no")

    def all(self):
        """{model: {(platform, library, case, bytes, ranks): seconds}}"""
        tasks, result = list(self.tasks()), {}
        with ThreadPoolExecutor(os.cpu_count()) as workers:
            for task, times in zip(tasks, workers.map(lambda task: self.run(*task[3]), tasks)):
                model, platform, library, _ = task
                result.setdefault(model, {}).update({(platform, library, *key): seconds
                                                     for key, seconds in times.items()})
        return result


def best_affine_of(library):
    file = HERE / "calibrated" / f"star_{library}_2.csv"
    return best_affine(file.read_text(encoding="utf-8").splitlines())


def best_affine(lines):
    """Factors of the star's latency and bandwidth for the line that fits its half round trips with the least squares of
    relative errors."""
    route_seconds, bytes_per_second = 200e-6, 12.5e6
    sums = [0] * 5  # of 1, x, xx, y, xy, all divided by the square of y
    for line in lines:
        words = line.split(",")
        if words[0] != "pingpong":
            continue
        size, seconds = float(words[2]), float(words[4])
        for i, term in enumerate((1, size, size * size, seconds, size * seconds)):
            sums[i] += term / seconds ** 2
    one, x, xx, y, xy = sums
    slope = (one * xy - x * y) / (one * xx - x * x)
    latency = (y - slope * x) / one
    return ("--latency-factor", latency / route_seconds, "--bandwidth-factor", 1 / (slope * bytes_per_second))


def read_times(text):
    times = {}
    for line in text.splitlines():
        words = line.split(",")
        if len(words) == 5:
            times[words[0], int(words[1]), int(words[2])] = float(words[4])
    return times


def rows_of(file):
    with open(file, encoding="utf-8") as lines:
        yield from csv.DictReader(line for line in lines if not line.startswith("#"))


def references(folder=HERE / "references"):
    """{(platform, library, case, bytes, ranks): {name of NUMBERS: value}}"""
    result = {}
    for platform in measure.PLATFORMS:
        for library in measure.LIBRARIES:
            file = folder / f"{platform}_{library}.csv"
            for row in rows_of(file) if file.exists() else ():
                numbers = {name: float(row[name]) for name in NUMBERS}
                result[platform, library, row["case"], int(row["bytes"]), int(row["ranks"])] = numbers
    return result


def simgrid_times(folder=HERE / "references"):
    """As Simulator.all(), of SimGrid's files; empty where there are none."""
    result = {}
    for prefix, model in SIMGRID.items():
        for platform in measure.PLATFORMS:
            file = folder / f"{prefix}_{platform}.csv"
            for row in rows_of(file) if file.exists() else ():
                key = platform, row["algorithms"], row["case"], int(row["bytes"]), int(row["ranks"])
                result.setdefault(model, {})[key] = float(row["seconds"])
    return result


def summary(pairs):
    """Of pairs (simulated, reference): errors and signs, in percent."""
    ratios = [simulated / real["min"] for simulated, real in pairs]
    inside = sum(real["min"] * 0.98 <= simulated <= real["p90"] for simulated, real in pairs)
    return {"cases": len(ratios), "mape": 100 * mean(abs(ratio - 1) for ratio in ratios),
            "logarithmic": 100 * (math.exp(mean(abs(math.log(ratio)) for ratio in ratios)) - 1),
            "inside_band": 100 * inside / len(ratios)}


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def spread(numbers):
    """Of references: p90 against p10, and the highest minimum of a session against the least one, in percent. The
    latter is None if no case was measured in two sessions."""
    several = [one for one in numbers if one["sessions"] > 1]
    return {"p10_to_p90": 100 * mean(one["p90"] / one["p10"] - 1 for one in numbers),
            "sessions": 100 * mean(one["highest_minimum"] / one["min"] - 1 for one in several) if several else None,
            "median": 100 * mean(one["median"] / one["min"] - 1 for one in numbers)}


def errors(simulated, real, group_key):
    """{model: {group: summary}} by a function of the case's key."""
    result = {}
    for model, times in simulated.items():
        groups = {}
        for key, numbers in real.items():
            if key in times:
                groups.setdefault(group_key(key), []).append((times[key], numbers))
        result[model] = {group: summary(pairs) for group, pairs in groups.items()}
    return result


def spreads(real, group_key):
    groups = {}
    for key, numbers in real.items():
        groups.setdefault(group_key(key), []).append(numbers)
    return {group: spread(numbers) for group, numbers in groups.items()}
