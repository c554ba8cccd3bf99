#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures Rehearse and writes docs/benchmarks.md: the parts (rehearse_bench) and whole commands on real programs.

Usage:  bench.py --build BUILD [--no-write]
Figures are medians of several runs after one warm-up; machine, compiler and commit stand beside them.
"""
import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNS = 5


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def parts(build):
    """Items per second of each benchmark of rehearse_bench."""
    report = json.loads(output_of(str(build / "bin/rehearse_bench"), "--benchmark_format=json",
                                  f"--benchmark_repetitions={RUNS}", "--benchmark_report_aggregates_only=true"))
    return {b["run_name"]: b["items_per_second"] for b in report["benchmarks"] if b["aggregate_name"] == "median"}


def peak_and_seconds(command):
    """Wall seconds and peak resident bytes of one run."""
    start = time.perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ,
                         file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"bench.py: failed: {' '.join(command)}")
    return seconds, usage.ru_maxrss * 1024


def median_of(command):
    peak_and_seconds(command)
    runs = [peak_and_seconds(command) for _ in range(RUNS)]
    return statistics.median(r[0] for r in runs), statistics.median(r[1] for r in runs)


def commands(build, folder):
    """Rows (what, figure) of whole commands on compiled MPI programs."""
    rehearse = str(build / "bin/rehearse")
    program = {}
    for source in sorted((ROOT / "tests/bench/programs").glob("*.c")):
        program[source.stem] = str(folder / source.stem)
        subprocess.run([rehearse, "cc", "-O2", "-o", program[source.stem], str(source)], check=True)

    report = folder / "check.json"
    check = [rehearse, "check", "-n", "8", "--quiet", "--json", str(report), program["fan_in"]]
    seconds, peak = median_of(check)
    executions = json.loads(report.read_text())["executions"]
    rows = [("`rehearse check -n 8` of a wildcard fan-in: executions", f"{executions:,}"),
            ("… executions per second of the whole command", f"{executions / seconds:,.0f}"),
            ("… executions per second of the exploration",
             f"{executions / json.loads(report.read_text())['seconds']:,.0f}"),
            ("… peak memory", f"{peak / 2**20:.0f} MiB")]

    rounds = 200_000
    idle, _ = median_of([rehearse, "run", "-n", "2", program["ping_pong"], "0"])
    busy, _ = median_of([rehearse, "run", "-n", "2", program["ping_pong"], str(rounds)])
    rows.append(("`rehearse run -n 2` of a 4-byte ping-pong: messages per second",
                 f"{2 * rounds / (busy - idle):,.0f}"))

    one, one_peak = median_of([rehearse, "run", "-n", "1", program["idle"]])
    many, many_peak = median_of([rehearse, "run", "-n", "1024", program["idle"]])
    rows += [("`rehearse run -n 1024` of a program that starts and ends", f"{many:.3f} s"),
             ("… per rank", f"{(many - one) / 1023 * 1e6:,.0f} us"),
             ("… memory per rank", f"{(many_peak - one_peak) / 1023 / 1024:,.0f} kB")]
    return rows


def machine():
    model = next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    compiler = output_of("g++", "--version").splitlines()[0]
    commit = output_of("git", "-C", str(ROOT), "describe", "--always", "--dirty").strip()
    return (f"{model}, {os.cpu_count()} cores, Linux {platform.release().split('-')[0]}, {compiler}, "
            f"commit {commit}, {time.strftime('%Y-%m-%d')}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--no-write", action="store_true", help="only print")
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    core = parts(args.build)
    rows = [("fiber switches per second", f"{core['fiber_switch']:,.0f}"),
            ("timed 4-byte messages per second, both ends, C++ actors", f"{core['timed_ping_pong']:,.0f}"),
            ("explored executions per second, 8-actor fan-in of a toy program", f"{core['explore_fan_in']:,.0f}")]
    with tempfile.TemporaryDirectory() as folder:
        rows += commands(args.build, Path(folder))

    text = "\n".join(["# Benchmarks", "",
                      f"Written by `./dev bench`: medians of {RUNS} runs. {machine()}.", "",
                      "| what | figure |", "| --- | ---: |", *(f"| {what} | {figure} |" for what, figure in rows), ""])
    print(text)
    if not args.no_write:
        (ROOT / "docs/benchmarks.md").write_text(text)


if __name__ == "__main__":
    main()
