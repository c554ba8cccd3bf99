#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random flows on random platforms end when the reference says, by every flow model, with and without cross-traffic.

    flow_reference_test.py --build BUILD [--cases N] [--first SEED]

A case is a seed with one of the models, one of the cross-traffic settings, and for raw and CM02 the fair or the
latency-weighted sharing (--compat simgrid). 200 cases unless said otherwise.
"""
import argparse
import concurrent.futures
import itertools
import json
import os
import subprocess
import sys
import tempfile

import flow_reference

SETTINGS = list(itertools.product(sorted(flow_reference.MODELS), (True, False), (False, True)))


def run_case(number, rehearse):
    """What is wrong, or nothing."""
    model, cross_traffic, compat = SETTINGS[number % len(SETTINGS)]
    case = flow_reference.random_case(number)
    expected = flow_reference.ends(case, model, cross_traffic, latency_weights=compat)
    with tempfile.TemporaryDirectory() as folder:
        platform = os.path.join(folder, "platform.xml")
        with open(platform, "w", encoding="utf-8") as out:
            out.write(flow_reference.platform_of(case))
        command = [rehearse, "flows", "--on", platform, "--network", model, "--json", "-", "-"]
        command[2:2] = (["--cross-traffic", "0.05"] if cross_traffic else ["--no-crosstraffic"])
        command[2:2] = ["--compat", "simgrid"] if compat else []
        answer = subprocess.run(command, input=flow_reference.flows_of(case), capture_output=True, text=True,
                                check=False)
    if answer.returncode != 0:
        return f"case {number}: {' '.join(command)}: {answer.stderr}"
    given = [flow["end"] for flow in json.loads(answer.stdout)["flows"]]
    worst = max(abs(a - b) / max(b, 1e-3) for a, b in zip(given, expected, strict=True))
    if worst <= 1e-8:
        return None
    return (f"case {number}, {model}, cross-traffic {cross_traffic}, compat {compat}: {worst:.2g} off\n"
            f"  expected {expected}\n  given    {given}\n" +
            flow_reference.platform_of(case) + flow_reference.flows_of(case))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", required=True)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    rehearse = os.path.join(options.build, "bin", "rehearse")
    numbers = range(options.first, options.first + options.cases)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = [problem for problem in pool.map(lambda n: run_case(n, rehearse), numbers) if problem]
    for problem in problems[:3]:
        print(problem)
    print(f"{options.cases - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
