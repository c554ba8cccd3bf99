#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Simulates the cases that were measured under real MPI libraries, and prints the errors of each network model.

Usage: accuracy.py --build BUILD [--write] [--json FILE] [--measure] [--calibrate] [--simgrid]
       accuracy.py --build BUILD --check [--expected FILE] | --update

--write puts the tables into docs/accuracy.md and README.md. --check compares the errors with expected.json and fails if
one of a group has grown by more than a point; --update writes that file. --measure measures first (measure.py,
traced_runs.py); --calibrate makes the calibrated platform files again (calibration.py), with --measure from new
measurements; --simgrid runs the cases under SimGrid's smpirun first (simgrid_cases.py).
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
import traced_cases

HERE = pathlib.Path(__file__).resolve().parent
MOST_GROWTH = 1  # percentage points


def group_of_key(key):
    return simulated_cases.group_of(key[2])


def results_of(build, saved):
    """({model: {case: seconds}}, the same of replays: traced_cases.TracedSimulator.all()); from the file `saved` if it
    exists, which a test wrote before."""
    if saved and saved.exists():
        return [{model: {tuple(key): value for key, value in cases} for model, cases in times.items()}
                for times in json.loads(saved.read_text())]
    with tempfile.TemporaryDirectory() as name:
        folder, rehearse = pathlib.Path(name), build / "bin" / "rehearse"
        simulator = simulated_cases.Simulator(rehearse, folder)
        simulator.compile()
        results = simulator.all(), traced_cases.TracedSimulator(rehearse, folder).all()
    if saved:
        saved.write_text(json.dumps([{model: list(cases.items()) for model, cases in times.items()}
                                     for times in results]))
    return results


def comparable(simulated, real, traced, real_runs):
    """{model: {group: mape}} in percent, of our models only."""
    errors = simulated_cases.errors(simulated, real, group_of_key)
    of_traces = traced_cases.mean_errors(traced, real_runs)
    return {model: {**{group: round(one["mape"], 2) for group, one in groups.items()},
                    **{group: round(value, 2) for group, value in of_traces.get(model, {}).items()}}
            for model, groups in errors.items()}


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


def report_of(simulated, real, traced, real_runs):
    everything = {**simulated, **simulated_cases.simgrid_times()}
    by_place = lambda key: f"{key[0]}, {key[1]}, {group_of_key(key)}"
    by_case = lambda key: f"{group_of_key(key)}, {key[2]}"
    return {"groups": simulated_cases.errors(everything, real, group_of_key),
            "places": simulated_cases.errors(everything, real, by_place),
            "cases": simulated_cases.errors(everything, real, by_case),
            "baselines": baseline_errors(everything, real),
            "traces": [[real_run, {model: traced_cases.parts_of_error(real_run, *times[real_run.place])
                                   for model, times in traced.items()}] for real_run in real_runs],
            "mean_errors_of_traces": traced_cases.mean_errors(traced, real_runs),
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
    for program in ("measure.py", "traced_runs.py") if given.measure else ():
        done = subprocess.run([sys.executable, "-B", HERE / program, "--build", given.build, "--sessions", "2"])
        if done.returncode:
            return done.returncode
    if given.calibrate:
        words = [sys.executable, "-B", HERE / "calibration.py", "--build", given.build]
        subprocess.run(words + ["--measure"] * given.measure, check=True)
    if given.simgrid:
        subprocess.run([sys.executable, "-B", HERE / "simgrid_cases.py"], check=True)
    simulated, traced = results_of(given.build.resolve(), given.saved)
    real, real_runs = simulated_cases.references(), list(traced_cases.real_runs())
    found = comparable(simulated, real, traced, real_runs)
    if given.update:
        given.expected.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    if given.check:
        problems = check(found, json.loads(given.expected.read_text()))
        for problem in problems:
            print(f"accuracy: {problem}")
        print(f"accuracy: {len(real)} cases, {len(real_runs)} traced runs, {len(found)} models, "
              f"{len(problems)} problems")
        return 1 if problems else 0
    report = report_of(simulated, real, traced, real_runs)
    if given.json:
        flat, replays = ({model: [[*key, value] for key, value in cases.items()] for model, cases in times.items()}
                         for times in (simulated, traced))
        of_traces = [[*real_run.place, errors] for real_run, errors in report["traces"]]
        given.json.write_text(json.dumps({**report, "traces": of_traces, "times": flat, "replays": replays}, indent=1)
                              + "\n")
    print(accuracy_tables.overview(report))
    if given.write:
        accuracy_tables.write(report, HERE.parent.parent)
    return 0


if __name__ == "__main__":
    sys.exit(main())
