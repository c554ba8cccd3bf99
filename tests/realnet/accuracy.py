#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Simulates the cases that were measured under real MPI libraries, and prints the errors of each network model.

Usage: accuracy.py --build BUILD [--write] [--json FILE] [--measure] [--calibrate] [--simgrid]
       accuracy.py --build BUILD --check [--expected FILE] | --update

--write puts the tables into docs/accuracy.md and README.md. --check compares the errors with expected.json and fails if
one of a group has grown by more than a point; --update writes that file. --measure measures first (measure.py);
--calibrate makes the calibrated platform files again (calibration.py), with --measure from new measurements;
--simgrid runs the cases under SimGrid's smpirun first (simgrid_cases.py).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import accuracy_tables
import measure
import simulated_cases

HERE = pathlib.Path(__file__).resolve().parent
MOST_GROWTH = 1  # percentage points


def group_of_key(key):
    return simulated_cases.group_of(key[2])


def results_of(build, saved):
    """{model: {case: seconds}}; from the file `saved` if it exists, which a test wrote before."""
    if saved and saved.exists():
        return {model: {tuple(key): seconds for key, seconds in cases}
                for model, cases in json.loads(saved.read_text()).items()}
    with tempfile.TemporaryDirectory() as folder:
        simulator = simulated_cases.Simulator(build / "bin" / "rehearse", pathlib.Path(folder))
        simulator.compile()
        simulated = simulator.all()
    if saved:
        saved.write_text(json.dumps({model: list(cases.items()) for model, cases in simulated.items()}))
    return simulated


def comparable(simulated, real):
    """{model: {group: mape}} in percent, of our models only."""
    errors = simulated_cases.errors(simulated, real, group_of_key)
    return {model: {group: round(one["mape"], 2) for group, one in groups.items()} for model, groups in errors.items()}


def check(found, expected):
    """The differences that are failures, as lines."""
    problems = []
    for model in sorted({*found, *expected}):
        if model not in expected:
            problems.append(f"{model}: not in the expected errors; ./dev accuracy --update adds it")
        elif model not in found:
            problems.append(f"{model}: not simulated")
        else:
            for group, before in expected[model].items():
                now = found[model].get(group)
                if now is None or now > before + MOST_GROWTH:
                    problems.append(f"{model}, {group}: the error is {now} %, and was {before} %")
                elif now < before - MOST_GROWTH:
                    print(f"accuracy: {model}, {group}: the error fell from {before} % to {now} %; "
                          "./dev accuracy --update keeps this")
    return problems


def platform_and_group(key):
    return f"{key[0]}, {key[2] if key[0] in measure.JOBS else group_of_key(key)}"


def on_all_platforms(key):
    return f"all, {key[2]}"


def baseline_errors(simulated, real):
    of_platforms = simulated_cases.errors(simulated, real, platform_and_group)
    return {model: {**groups, **simulated_cases.errors({model: simulated[model]}, real, on_all_platforms)[model]}
            for model, groups in of_platforms.items()}


def report_of(simulated, real):
    everything = {**simulated, **simulated_cases.simgrid_times()}
    by_place = lambda key: f"{key[0]}, {key[1]}, {group_of_key(key)}"
    by_case = lambda key: f"{group_of_key(key)}, {key[2]}"
    return {"groups": simulated_cases.errors(everything, real, group_of_key),
            "places": simulated_cases.errors(everything, real, by_place),
            "cases": simulated_cases.errors(everything, real, by_case),
            "baselines": baseline_errors(everything, real),
            "spread": simulated_cases.spreads(real, group_of_key),
            "spread_of_places": simulated_cases.spreads(real, by_place),
            "spread_of_cases": simulated_cases.spreads(real, by_case),
            "spread_of_baselines": {**simulated_cases.spreads(real, platform_and_group),
                                    **simulated_cases.spreads(real, on_all_platforms)}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true", help="write the tables of docs/accuracy.md and README.md")
    parser.add_argument("--json", type=pathlib.Path, help="file for all errors and all times")
    parser.add_argument("--measure", action="store_true", help="measure two sessions first")
    parser.add_argument("--calibrate", action="store_true", help="make the calibrated platform files first")
    parser.add_argument("--simgrid", action="store_true", help="run the cases under smpirun first")
    parser.add_argument("--check", action="store_true", help="compare with the expected errors")
    parser.add_argument("--update", action="store_true", help="write the expected errors")
    parser.add_argument("--expected", type=pathlib.Path, default=HERE / "expected.json")
    parser.add_argument("--saved", type=pathlib.Path, help="file with the simulated times, written if it is not there")
    given = parser.parse_args()
    if given.measure:
        done = subprocess.run([sys.executable, "-B", HERE / "measure.py", "--build", given.build, "--sessions", "2"])
        if done.returncode:
            return done.returncode
    if given.calibrate:
        words = [sys.executable, "-B", HERE / "calibration.py", "--build", given.build]
        subprocess.run(words + ["--measure"] * given.measure, check=True)
    if given.simgrid:
        subprocess.run([sys.executable, "-B", HERE / "simgrid_cases.py"], check=True)
    simulated = results_of(given.build.resolve(), given.saved)
    real = simulated_cases.references()
    found = comparable(simulated, real)
    if given.update:
        given.expected.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    if given.check:
        problems = check(found, json.loads(given.expected.read_text()))
        for problem in problems:
            print(f"accuracy: {problem}")
        print(f"accuracy: {len(real)} cases, {len(found)} models, {len(problems)} problems")
        return 1 if problems else 0
    report = report_of(simulated, real)
    if given.json:
        flat = {model: [[*key, seconds] for key, seconds in cases.items()] for model, cases in simulated.items()}
        given.json.write_text(json.dumps({**report, "times": flat}, indent=1) + "\n")
    print(accuracy_tables.overview(report))
    if given.write:
        accuracy_tables.write(report, HERE.parent.parent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
