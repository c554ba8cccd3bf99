#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures Rehearse and writes docs/benchmarks.md: the parts (rehearse_bench), whole commands on real programs, the
cost of exploration (exploration.py) and of checking (check_costs.py), checks of classical programs with published
figures (classics.py), windows (windows.py, window_checks.py), traces of benchmarks (recordings.py), packets
(packets.py), sweeps of skeletons (manynode.py), MPI programs compared with Debian's SMPI (mpi_peer.py), and the
simulation core compared with libsimgrid (simulation.py).

Usage:  bench.py --build BUILD [--section NAME | --case NAME]... [--list] [--full | --limit SECONDS] [--json FILE]
                 [--no-write]
Figures are medians of several runs after one warm-up. The page names the machine, the compiler and the commit. With
--section, only those sections of the page are measured and replaced. With --case, only those cases run, and only the
JSON is written.
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
import textwrap
import time
from pathlib import Path

import attempts
import check_costs
import classics
import exploration
import fortran
import manynode
import mpi_peer
import openmp
import packets
import predictions
import recordings
import replays
import simulation
import usage
import window_checks
import windows

ROOT = Path(__file__).resolve().parents[2]
RUNS = 5


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def parts(build, chosen="."):
    """Items per second of each benchmark of rehearse_bench, or of those with such names."""
    report = json.loads(output_of(str(build / "bin/rehearse_bench"), "--benchmark_format=json",
                                  f"--benchmark_filter={chosen}",
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


def one_and_two_processes(check, program, ranks, pairs, report):
    """Rows of a fan-in. One and two processes take turns, and the fastest runs are compared: what else a machine has to
    do, or the host of a virtual one, only makes runs slower, by up to a half within a minute."""
    one, two, peaks = [], [], []
    peak_and_seconds([*check, "--jobs", "2", program])
    for _ in range(pairs):
        two.append(peak_and_seconds([*check, "--jobs", "2", program])[0])
        seconds, peak = peak_and_seconds([*check, "--jobs", "1", program])
        one.append(seconds)
        peaks.append(peak)
    executions = json.loads(report.read_text())["executions"]
    fastest = f"the fastest {min(two):.3g} s: {min(one) / min(two):.2f} times as fast"
    return [(f"`rehearse check -n {ranks} --buffering infinite` of the same program: {executions:,} executions",
             f"{statistics.median(one):.3g} s, the fastest of {pairs} {min(one):.3g} s"),
            ("… peak memory", f"{statistics.median(peaks) / 2**20:.0f} MiB"),
            ("… with two processes", f"{statistics.median(two):.3g} s, {fastest}")]


def commands(build, folder):
    """Rows (what, figure) of whole commands on compiled MPI programs."""
    rehearse = str(build / "bin/rehearse")
    program = {}
    for source in sorted((ROOT / "tests/bench/programs").glob("*.c")):
        program[source.stem] = str(folder / source.stem)
        subprocess.run([rehearse, "cc", "-O2", "-o", program[source.stem], str(source)], check=True)

    report = folder / "check.json"
    check = [rehearse, "check", "-n", "8", "--jobs", "1", "--quiet", "--json", str(report), program["fan_in"]]
    seconds, peak = median_of(check)
    executions = json.loads(report.read_text())["executions"]
    rows = [("`rehearse check -n 8` of a wildcard fan-in: executions", f"{executions:,}"),
            ("… executions per second of the whole command", f"{executions / seconds:,.0f}"),
            ("… executions per second of the exploration",
             f"{executions / json.loads(report.read_text())['seconds']:,.0f}"),
            ("… peak memory", f"{peak / 2**20:.0f} MiB")]
    for ranks, pairs in ((10, 9), (11, 5)):
        check = [rehearse, "check", "-n", str(ranks), "--buffering", "infinite", "--quiet", "--json", str(report)]
        rows += one_and_two_processes(check, program["fan_in"], ranks, pairs, report)

    rounds = 200_000
    run = [rehearse, "run", "--network", "lv08", "-n"]
    idle, _ = median_of([*run, "2", program["ping_pong"], "0"])
    busy, _ = median_of([*run, "2", program["ping_pong"], str(rounds)])
    rows.append(("`rehearse run -n 2` of a 4-byte ping-pong: messages per second",
                 f"{2 * rounds / (busy - idle):,.0f}"))

    one, one_peak = median_of([*run, "1", program["idle"]])
    many, many_peak = median_of([*run, "1024", program["idle"]])
    rows += [("`rehearse run -n 1024` of a program that starts and ends", f"{many:.3f} s"),
             ("… per rank", f"{(many - one) / 1023 * 1e6:,.0f} us"),
             ("… memory per rank", f"{(many_peak - one_peak) / 1023 / 1024:,.0f} kB")]
    return rows


def machine():
    model = next((line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    compiler = output_of("g++", "--version").splitlines()[0]
    commit = output_of("git", "-C", str(ROOT), "describe", "--always", "--dirty").strip()
    words = (f"Commit {commit}, {time.strftime('%Y-%m-%d')}, on {model}, {os.cpu_count()} cores, "
             f"Linux {platform.release().split('-')[0]}, {compiler}.")
    return textwrap.fill(words, 120)


def build_of(build):
    """The flags of the measured build, if they are not those of the preset `release`."""
    cache = (build / "CMakeCache.txt").read_text().splitlines()
    values = dict(line.split("=", 1) for line in cache if "=" in line and not line.startswith(("#", "//")))
    flags = values.get("CMAKE_CXX_FLAGS:STRING", "")
    is_whole = values.get("CMAKE_INTERPROCEDURAL_OPTIMIZATION:UNINITIALIZED",
                          values.get("CMAKE_INTERPROCEDURAL_OPTIMIZATION:BOOL", "OFF")) == "ON"
    has_profile = values.get("REHEARSE_PROFILE:STRING", values.get("REHEARSE_PROFILE:UNINITIALIZED", "OFF")) == "use"
    if is_whole and has_profile and "-O3" in flags:
        return ""
    return (f"\nNot the release build: `{flags}`, {'with' if is_whole else 'without'} link-time optimisation, "
            f"{'with' if has_profile else 'without'} a profile.")


def time_text(seconds):
    unit, factor = next((u, f) for u, f in (("s", 1), ("ms", 1e3), ("us", 1e6), ("ns", 1e9))
                        if seconds * f >= 1 or u == "ns")
    return f"{seconds * factor:.3g} {unit}"


def part_rows(build):
    core = parts(build)
    rows = [("fiber switches per second", f"{core['fiber_switch']:,.0f}"),
            ("timed 4-byte messages per second, both ends, C++ actors", f"{core['timed_ping_pong']:,.0f}"),
            ("explored executions per second, 8-actor fan-in of a toy program", f"{core['explore_fan_in']:,.0f}")]
    for flows in (10, 100, 2000, 20_000):
        rows.append((f"fair sharing of {flows:,} links among as many flows of 4 links each, from scratch",
                     time_text(1 / core[f"share_at_once/{flows}/manual_time"])))
    for flows in (10, 10_000):
        rows.append((f"one more flow that shares no link with {flows:,} others: added and removed",
                     time_text(1 / core[f"one_more_flow/{flows}"])))
    return rows


def command_rows(build):
    with tempfile.TemporaryDirectory() as folder:
        return commands(build, Path(folder))


def table(head, lines):
    aligned = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, aligned, *lines))


WRITTEN = """`./dev bench` measures these figures and writes this page. It measures the release build, which is
optimised by a [profile](design/build.md#profile) of short runs. Sections dated before 2026-11-29 were measured without
this profile."""

REPEAT = """## How to repeat

`./dev bench` runs everything and writes this page. `./dev bench --section mpi` measures one section (`commands`,
`exploration`, `checks`, `windows`, `window_checks`, `classics`, `merged`, `proofs`, `predictions`, `recordings`,
`replays`, `packets`, `usage`, `manynode`, `fortran`, `openmp`, `mpi`, `core`) and keeps the others. `./dev bench
--list` names the cases, and `./dev bench --case crossbar` runs one of them and only prints its figures.

Both simulators run the same program (tests/bench/programs) or scenario (tests/bench/side_by_side/scenarios.hpp, one
source for both) on the same platform file, in turn. Short runs are repeated three times, and the table gives the
median. Seconds are processor seconds; both simulators have one thread. A column says `not installed` if Debian's
package libsimgrid-dev is missing (`apt install libsimgrid-dev`); nothing else needs this package.

A run that takes longer than the limit is stopped (`> 60 s`), and larger sizes of that case do not run. `--full` lets
every run finish, `--limit SECONDS` sets the limit, and `--json FILE` saves the figures of every single run."""

NOTES = """\
libsimgrid runs with its default configuration, with two changes that its manual recommends: stacks of 16 kB without
guard pages for many actors, and its trace integration (`cpu/optim:TI`) for the volunteers, where its default fails
with an internal error. The last column gives the simulated time at the end; *both* means that both simulators agree.
A factor above 1 means that Rehearse is faster, or needs less memory."""

# Takes more memory than most machines have free, so it is no case.
MILLIONS = """\
Chord with 2,000,000 peers and 200,000 lookups, run once by hand (`rehearse_simulation_bench chord FILE 2000000 200000
--stack=16`, 2026-11-30, everyday build, two cores with a load of 10 by other work): 59.3 s of the processor, 10,121 MB,
simulated end 200.423159 s. That is 5.1 kB for each peer: 4.1 kB are the one page of its stack that it touches, and 1.0
kB its records, its mailbox and what it waits for. The same build needs 14.5 s and 555 MB at the same time for 100,000
peers and 100,000 lookups.

Published points: Quinson, Rosa and Thiéry (Parallel Simulation of Peer-to-Peer Systems, CCGrid 2012, inria-00602216)
simulate two million nodes of Chord with SimGrid on one computer, and save up to 33 % of the time by threads. We have
not found their time and memory in a public abstract. A later report (Torti Lopez and Quinson, Parallel and Distributed
Simulation of Large-Scale Distributed Applications, SimGrid 3.11) has a table: 1,000,000 nodes take 4 h 05 min 41 s and
24.53 GB with one thread, and 3 h 47 min 28 s and 24.91 GB with 8. Their nodes also join and stabilise again and again,
so only the memory is comparable: 24.5 kB for a node."""


def core_text(results, limit):
    head = ("measurement", "Rehearse", f"libsimgrid {simulation.peer_version()}", "factor", "simulated end")
    wrong = [f"Different dates: {line}." for line in simulation.disagreements(results)]
    failed = [f"libsimgrid fails: `{line}`" for line in simulation.failures(results, "peer")]
    return "\n\n".join([table(head, simulation.rows(results, limit)), NOTES, MILLIONS, *wrong, *failed])


MPI_METHOD = """\
Both columns use the same C sources, built with the wrapper compiler of each simulator, on the same platform file
(one host for each rank, 1 Gbit/s links, 50 us). Both simulators measure the application CPU time of the ranks, which
is their default. Seconds are processor seconds: those of a run that does the work, minus those of a run that does
not. A factor above 1 means that Rehearse is faster, or needs less memory."""


def mpi_text(results, limit):
    head = ("measurement", "Rehearse", f"SMPI {simulation.peer_version()}", "factor")
    failed = [f"SMPI fails: `{line}`" for line in mpi_peer.failures(results, "peer")]
    return "\n\n".join([table(head, mpi_peer.rows(results, limit)), MPI_METHOD, *failed])


def exploration_text(build, folder, log):
    rows = exploration.rows(build / "bin/rehearse", folder, log)
    return f"{exploration.__doc__}\n\n" + table(("measurement", "figure", "required"), rows), []


def checks_text(build, folder, log):
    rows = check_costs.rows(build / "bin/rehearse", folder, log)
    signature = time_text(1 / parts(build, "signature")["signature_of_gigabyte"])
    rows.append(("comparison of types for a message: a vector of 2^27 structures with gaps, 1.6 GB", "", signature, "",
                 "microseconds"))
    return f"{check_costs.__doc__}\n\n" + table(check_costs.HEAD, rows), []


def classics_text(build, folder, log):
    lines, wrong = classics.rows(build / "bin/rehearse", folder, log)
    aligned = "| " + " | ".join(("---", "---:", "---", "---", "---:", "---:", "---:", "---")) + " |"
    shown = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join(["| " + " | ".join(classics.HEAD) + " |", aligned, *shown, "", classics.METHOD]), wrong


def merged_text(build, folder, log):
    lines = classics.merged_rows(build / "bin/rehearse", folder, log)
    aligned = "| " + " | ".join(("---", "---:", "---", "---:", "---:", "---:", "---:", "---:", "---:", "---:")) + " |"
    shown = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join(["| " + " | ".join(classics.MERGED_HEAD) + " |", aligned, *shown, "",
                      classics.MERGED_METHOD]), []


def proofs_text(build, folder, log):
    rehearse = build / "bin/rehearse"
    proved = classics.flow_rows(rehearse, folder, log)
    traced = classics.footprint_rows(rehearse, folder, log)
    lost, wrong = attempts.rows(rehearse, folder, log)
    return "\n\n".join([table(classics.FLOW_HEAD, proved), classics.FLOW_METHOD,
                        table(classics.FOOTPRINTS_HEAD, traced), classics.FOOTPRINTS_METHOD,
                        table(attempts.HEAD, lost), attempts.METHOD]), wrong


def predictions_text(build, folder, log):
    rows = predictions.rows(build / "bin/rehearse", folder, log)
    return f"{predictions.__doc__}\n" + table(predictions.HEAD, rows), []


def fortran_text(build, folder, log):
    rows = fortran.rows(build / "bin/rehearse", folder, ROOT / "tests/bench/programs", log)
    return f"{fortran.__doc__}\n" + table(fortran.HEAD, rows), []


def text_of(module):
    """Of a module that writes its section itself."""
    return lambda build, folder, log: module.text(build / "bin/rehearse", folder, table, log)


# The sections of the page, in its order.
SECTIONS = {"commands": "The checker and whole commands", "exploration": "Cost of exploration",
            "checks": "Cost of checking", "windows": "One-sided communication",
            "window_checks": "Checks of one-sided communication",
            "classics": "Classical programs", "merged": "Merged states",
            "proofs": "Proofs and attempts",
            "predictions": "Predictions",
            "recordings": "Traces of benchmarks", "replays": "Replays of traces",
            "packets": "Packets", "usage": "Usage of a platform",
            "manynode": "The many-node method", "fortran": "Fortran",
            "openmp": "OpenMP",
            "mpi": "MPI programs", "core": "The simulation core"}

# Sections that are one case: functions of (build, empty folder, log) that return the text and the missed requirements.
WRITERS = {"exploration": exploration_text, "checks": checks_text, "classics": classics_text, "merged": merged_text,
           "proofs": proofs_text, "predictions": predictions_text, "recordings": text_of(recordings),
           "replays": text_of(replays), "packets": text_of(packets), "usage": text_of(usage),
           "manynode": text_of(manynode),
           "fortran": fortran_text, "openmp": text_of(openmp), "windows": text_of(windows),
           "window_checks": text_of(window_checks)}

CASES = {"commands": ["parts", "commands"], **{name: [name] for name in WRITERS},
         "mpi": [case.name for case in mpi_peer.CASES], "core": [case.name for case in simulation.CASES]}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [case for section in SECTIONS for case in CASES[section]]
    parser.add_argument("--build", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--case", action="append", choices=names, help="only this one; may be repeated")
    parser.add_argument("--section", action="append", choices=list(SECTIONS), help="only this one; may be repeated")
    parser.add_argument("--list", action="store_true", help="name the cases and end")
    parser.add_argument("--full", action="store_true", help="let every run of the comparison finish")
    parser.add_argument("--limit", type=int, default=60, help="limit in processor seconds for a run of the comparison")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every run of the comparison")
    parser.add_argument("--no-write", action="store_true", help="only print")
    args = parser.parse_args()
    if args.list:
        print("\n".join(names))
        sys.exit(0)
    args.chosen = args.case or [name for section in args.section or SECTIONS for name in CASES[section]]
    args.limit = None if args.full else args.limit
    return args


def measure(args):
    """The texts of the sections of the page that were measured, what goes into the JSON, and what failed of ours."""
    rows = part_rows(args.build) if "parts" in args.chosen else []
    rows += command_rows(args.build) if "commands" in args.chosen else []

    def log(line):
        print(line, file=sys.stderr, flush=True)

    mpi = mpi_peer.compare([case for case in mpi_peer.CASES if case.name in args.chosen],
                           args.build / "bin/rehearse", args.limit, log)
    core = simulation.compare([case for case in simulation.CASES if case.name in args.chosen],
                              args.build / "bin/rehearse_simulation_bench", args.limit, log)
    sections = {}
    if rows:
        sections["commands"] = f"Medians of {RUNS} runs.\n\n" + table(("measurement", "figure"), rows)
    if mpi:
        sections["mpi"] = mpi_text(mpi, args.limit)
    if core:
        sections["core"] = core_text(core, args.limit)
    failed = mpi_peer.failures(mpi, "ours") + simulation.failures(core, "ours")
    for name, write in WRITERS.items():
        if name in args.chosen:
            with tempfile.TemporaryDirectory() as folder:
                sections[name], missed = write(args.build, Path(folder), log)
            failed += missed
    return sections, mpi_peer.as_json(mpi) + simulation.as_json(core), failed


def page_of(sections, old, build):
    """The page with these sections; others as they are in the old one."""
    texts = []
    for name, title in SECTIONS.items():
        heading = f"## {title}\n"
        if name in sections:
            texts.append(f"{heading}\n{machine()}{build_of(build)}\n\n{sections[name]}")
        elif heading in old:
            texts.append(heading + old.split(heading, 1)[1].split("\n## ", 1)[0].rstrip("\n"))
    return "\n\n".join(["# Benchmarks", WRITTEN, *texts, REPEAT, ""])


def main():
    args = parse_arguments()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sections, figures, failed = measure(args)
    page = ROOT / "docs/benchmarks.md"
    print(page_of(sections, "", args.build))
    if args.json:
        args.json.write_text(json.dumps({"machine": machine(), "figures": figures}, indent=1))
    if not args.no_write and not args.case:
        page.write_text(page_of(sections, page.read_text(), args.build))
    if failed:
        sys.exit("bench.py: a run of ours failed: " + "; ".join(failed))


if __name__ == "__main__":
    main()
