#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares `rehearse check` with the brute-force enumeration of matching_oracle.py.

Each program is written as C, compiled with the wrapper compiler, and checked under infinite and under zero buffering:
`executions` and `blocked` must be what the oracle counts (between its two counts where receives whose completion
nobody observed make a difference), with no duplicate.

Usage:  compare.py --build BUILD [--litmus] [--plain A-B] [--choices A-B] [--between A-B] [--messages N]
                   [--ranks N] [--show]
        --litmus: the files of litmus/. --plain, --choices, --between: random programs of these seeds, without and
        with calls that choose (Waitany, Probe), and with collectives on intercommunicators. More than what ctest
        runs: --plain 1-300 --choices 1-100 --between 1-100.
Errors: a difference prints the program and the counts; exit status 1.
"""
import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import matching_oracle  # noqa: E402

PLAIN = "recv,irecv,tags,ssend,onsrc"
CHOICES = PLAIN + ",waitany,probe"
BETWEEN = PLAIN + ",between"


def programs(arguments):
    """(name, text) of everything to compare."""
    if arguments.litmus:
        for path in sorted((HERE / "litmus").glob("*.txt")):
            yield path.stem, path.read_text()
    for kind, seeds, features in (("plain", arguments.plain, PLAIN), ("choices", arguments.choices, CHOICES),
                                  ("between", arguments.between, BETWEEN)):
        if seeds:
            first, _, last = seeds.partition("-")
            for seed in range(int(first), int(last or first) + 1):
                yield f"{kind} {seed}", matching_oracle.random_program(seed, arguments.ranks, arguments.messages,
                                                           features.split(","))


def checked(build, executable, ranks, buffering):
    """The report of rehearse check."""
    done = subprocess.run([build / "bin/rehearse", "check", "-n", str(ranks), "--buffering", buffering, "--collectives",
                           "relaxed", "--all", "--quiet", "--counterexample", "/dev/null", "--json", "-", executable],
                          capture_output=True, text=True, timeout=600)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"problem": f"exit status {done.returncode}: {done.stderr.strip()}"}


def differences(report, wanted):
    if "problem" in report:
        yield report["problem"]
        return
    for key, low, high in (("executions", "executions", "executions_by_match"),
                           ("blocked", "deadlocks", "deadlocks_by_match")):
        bounds = sorted((wanted[low], wanted[high]))
        if not bounds[0] <= report[key] <= bounds[1]:
            yield f"{key}: {report[key]}, the oracle counts {wanted[low]} ({wanted[high]} by match)"
    if report["duplicates"] != 0:
        yield f"duplicates: {report['duplicates']}"
    if not report["exhaustive"]:
        yield f"not exhaustive: {report['reasons']}"


def compare(name, text, build, folder):
    """What differs, as lines."""
    program = matching_oracle.parse(text)
    source = Path(folder, name.replace(" ", "_") + ".c")
    executable = source.with_suffix("")
    source.write_text(matching_oracle.to_c(program))
    compiled = subprocess.run([build / "bin/rehearse", "cc", "-O0", source, "-o", executable], capture_output=True,
                              text=True)
    if compiled.returncode:
        return [f"{name}: does not compile: {compiled.stderr}"]
    problems = []
    for buffering in ("infinite", "zero"):
        wanted, _ = matching_oracle.enumerate_program(program, buffering)
        report = checked(build, executable, len(program), buffering)
        problems += [f"{name}, {buffering}: {line}" for line in differences(report, wanted)]
    executable.unlink()
    return problems + [text] if problems else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--litmus", action="store_true")
    parser.add_argument("--plain", metavar="A-B")
    parser.add_argument("--choices", metavar="A-B")
    parser.add_argument("--between", metavar="A-B")
    parser.add_argument("--ranks", type=int, default=3)
    parser.add_argument("--messages", type=int, default=6)
    parser.add_argument("--show", action="store_true", help="name each program")
    arguments = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="rehearse-oracle-") as folder, ThreadPoolExecutor(2) as pool:
        todo = list(programs(arguments))
        answers = pool.map(lambda item: compare(*item, arguments.build, folder), todo)
        for (name, _), problems in zip(todo, answers):
            passed, failed = passed + (not problems), failed + bool(problems)
            if problems or arguments.show:
                print("\n".join(problems) if problems else f"{name}: same", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
