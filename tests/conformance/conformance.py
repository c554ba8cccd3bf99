#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MPICH's own test suite, run through Rehearse as through a foreign MPI, against the lists of what is expected to fail.

Usage:  conformance.py --build BUILD [--source FOLDER] [--cache FOLDER] [--check | --replay] [--quick]
                       [--explore N] [--jobs N] [--report FILE] [SELECTION...]
A selection is a folder of the suite (`coll`) or a program (`coll/bcast`); without any: the folders of MPI-3.1. The
folders of Fortran, f77, f90 and f08, need gfortran. Prints a line for each program that has run, then a row for each
folder and everything that is not as expected; exit status 1 if there is any such thing, in either direction. With
--replay, each run is recorded, and its replay must end at the same dates (replayed.py). With --explore only a table of
what exploring them finds.
"""
import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import expectations
import exploration
import run_lines
import suite_build
import suite_source
from progress import Progress
from runtests import LAUNCHER, run_folder

HERE = Path(__file__).resolve().parent
FOLDERS = ["attr", "basic", "coll", "comm", "datatype", "errhan", "errors/io", "errors/spawn", "group", "info", "init",
           "io", "pt2pt", "rma", "spawn", "topo"]
FORTRAN_FOLDERS = ("f77", "f90", "f08")
LIST_FOR = {"run": HERE / "expected_failures.txt", "check": HERE / "expected_check.txt",
            "replay": HERE / "expected_replay.txt"}
SECONDS = 180  # of one program, unless the suite says otherwise; the suite has the same
CHECK = ["check", "--search", "random:20", "--max-seconds", "20", "--max-memory", "4000000000"]
CHECK_RANKS = 4
EXPLORE_SECONDS = 60


def arguments():
    parser = argparse.ArgumentParser(description="MPICH's test suite, run through Rehearse.")
    parser.add_argument("selection", nargs="*", help="folders or FOLDER/PROGRAM (default: all of MPI-3.1)")
    parser.add_argument("--build", required=True, type=Path, help="build tree of Rehearse")
    parser.add_argument("--source", type=Path, help="unpacked MPICH, or its test/mpi (default: Debian's, fetched)")
    parser.add_argument("--cache", type=Path, help="where the suite is kept and built (default: conformance in BUILD)")
    parser.add_argument("--check", action="store_true", help="under `rehearse check` instead of `rehearse run`")
    parser.add_argument("--replay", action="store_true", help="record each run, and compare the dates of its replay")
    parser.add_argument("--quick", action="store_true", help="without the run lines on generated datatypes")
    parser.add_argument("--explore", type=int, metavar="N",
                        help="explore each program with few ranks depth-first, at most N executions of it")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time (2)")
    parser.add_argument("--report", type=Path, help="the outcome and output of each run line, to this file")
    return parser.parse_args()


def launcher_for(options, folder):
    """The command that stands for mpiexec; programs of `basic` say nothing of the kind that runtests waits for."""
    build = options.build
    if options.check:
        words = ["--by-verdict", build / "bin/rehearse", *CHECK]
    elif options.replay:
        words = ["--by-replay", sys.executable, "-B", HERE / "replayed.py", build / "bin/rehearse"]
    else:
        words = ["--by-status"] * (folder == "basic") + [build / "libexec/rehearse/bin/mpiexec"]
    return " ".join(str(word) for word in [sys.executable, "-B", LAUNCHER, *words, "--"])


def chunks_of(lines):
    """Lists of lines that run one behind the other; the lists are in the order of the lines. Programs of `io` write
    files of the same name, so they are one list."""
    chunks = {}
    for number, line in enumerate(lines):
        chunks.setdefault(line.folder if line.folder == "io" else number, []).append(line)
    return list(chunks.values())


def compile_programs(folder, lines):
    """Compiles what the lines run; what cannot be compiled is reported by runtests, line by line."""
    for name in dict.fromkeys(line.folder for line in lines):
        programs = dict.fromkeys(line.program for line in lines if line.folder == name)
        subprocess.run(["make", "-k", "-j2", *programs], cwd=folder / name, check=False, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def lines_to_run(options, suite, built):
    """The selected run lines; with other drivers, those that are expected to pass under run; to check, of few ranks."""
    failing = expectations.read(LIST_FOR["run"])
    lines = []
    for selection in options.selection or FOLDERS:
        folder = selection.split("/")[0]
        there = run_lines.read(suite, built, folder)
        gone = expectations.unused([entry for entry in failing if entry.pattern.startswith(folder + "/")],
                                   [line.name for line in there])
        if gone:
            sys.exit("\n".join(f"{entry.place}: {entry.pattern} is no run line of the suite" for entry in gone))
        found = run_lines.selected(there, selection)
        if not found:
            sys.exit(f"conformance: {selection} is neither a folder of the suite nor one of its programs")
        lines += [line for line in found if not (options.quick and line.is_generated)]
    if not (options.check or options.explore or options.replay):
        return lines
    return [line for line in lines if (options.replay or line.ranks <= CHECK_RANKS)
            and expectations.entry_for(failing, line.name) is None]


def table(results, entries):
    """A row for each folder: run lines, passed, excluded by name, other failures, and the part that passed."""
    folders = {}
    for result in results:
        row = folders.setdefault(result.line.folder.split("/")[0], [0, 0, 0, 0])
        entry = expectations.entry_for(entries, result.line.name)
        excluded = not result.passed and entry is not None and entry.kind == "excluded"
        for at, counts in enumerate((True, result.passed, excluded, not result.passed and not excluded)):
            row[at] += counts
    rows = [*folders.items(), ("all", [sum(column) for column in zip(*folders.values())])]
    text = [f"{'folder':<12} {'lines':>6} {'passed':>6} {'excluded':>8} {'failed':>6}"]
    for name, (count, passed, excluded, failed) in rows:
        part = 100.0 * passed / max(count - excluded, 1)
        text.append(f"{name:<12} {count:>6} {passed:>6} {excluded:>8} {failed:>6}  {part:5.1f} %")
    return "\n".join(text)


def write_report(path, results):
    with path.open("w") as report:
        for result in results:
            report.write(f"{'passed' if result.passed else 'FAILED'} {result.seconds:.2f} {result.line.name}\n")
            if not result.passed:
                report.writelines(f"    {line}\n" for line in result.output.splitlines()[:40])


def run_all(options, built, lines):
    progress = Progress(len(lines))

    def run_chunk(chunk):
        results = []
        for line in chunk:
            results += run_folder(built, line.folder, [line], launcher_for(options, line.folder), SECONDS)
            progress.show(results[-1])
        return results

    with ThreadPoolExecutor(options.jobs) as pool:
        return [result for results in pool.map(run_chunk, chunks_of(lines)) for result in results]


def main():
    options = arguments()
    options.build = options.build.resolve()
    cache = (options.cache or options.build / "conformance").resolve()
    suite = suite_source.suite_in(options.source) if options.source else suite_source.fetch(cache)
    fortran = any(selection.split("/")[0] in FORTRAN_FOLDERS for selection in options.selection)
    built = cache / ("build-fortran" if fortran else "build")
    suite_build.configure(suite, built, options.build / "libexec/rehearse/bin", fortran)
    lines = lines_to_run(options, suite, built)
    compile_programs(built, lines)
    if options.explore:
        bounds = ["--max-executions", options.explore, "--max-seconds", EXPLORE_SECONDS]
        print(exploration.table(options.build / "bin/rehearse", built, lines, bounds, options.jobs))
        return 0
    results = run_all(options, built, lines)
    entries = expectations.read(LIST_FOR["check" if options.check else "replay" if options.replay else "run"])
    if options.report:
        write_report(options.report, results)
    print(table(results, entries))
    wrong = expectations.differences(entries, results)
    for name, difference, output in wrong:
        print(f"{name}: {difference}")
        for line in output.splitlines()[:6]:
            print(f"    {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
