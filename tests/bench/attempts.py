# SPDX-License-Identifier: MIT
"""What the attempts of `check` to prove a program cost where they prove nothing: programs that remember the order of
their messages, checked in pairs with `--reduction matching` and without `--reduction`.
"""
import json
import os
import statistics
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parent / "programs" / "remembers_order.c"
PAIRS = 5
LARGEST_LOSS = 0.10
CASES = [("keeps the order in a list", "list", 11), ("mixes the order into a number", "mix", 11),
         ("answers with the place in the order", "reply", 10), ("computes with each message", "work", 10)]

METHOD = """\
Programs that remember the order of their messages (tests/bench/programs/remembers_order.c) gain nothing from an attempt
to prove them. Seconds are those of explorations with a process for each processor: then the attempt has no processor
of its own. The two runs of a pair take turns at being first, and the ratio is the median of five pairs, because other
work on the machine slows down both runs of a pair."""

HEAD = ("program", "ranks", "executions", "`matching`, s", "default, s", "ratio", "required")


def run(rehearse, program, argument, ranks, *options):
    done = subprocess.run([rehearse, "check", "-n", str(ranks), "--buffering", "infinite",
                           "--collective-synchronisation", "relaxed", "--quiet", "--json", "-", "--counterexample",
                           os.devnull, *options, program, argument], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def row(rehearse, program, case, pairs=PAIRS):
    """The row of a case, and its loss as a part of the time."""
    name, argument, ranks = case
    plain, default = [], []
    for pair in range(pairs):
        order = [(plain, ("--reduction", "matching")), (default, ())]
        for times, options in order if pair % 2 == 0 else reversed(order):
            report = run(rehearse, program, argument, ranks, *options)
            times.append(report["seconds"])
    assert report["executions"], "an attempt has decided a program that it should not"
    ratio = statistics.median(d / p for p, d in zip(plain, default))
    return (name, str(ranks), f"{report['executions']:,}", f"{statistics.median(plain):.3g}",
            f"{statistics.median(default):.3g}", f"{ratio:.3f}", f"< {1 + LARGEST_LOSS:.2f}"), ratio - 1


def rows(rehearse, folder, log):
    program = folder / "remembers_order"
    subprocess.run([rehearse, "cc", "-O2", "-o", str(program), str(SOURCE)], check=True)
    lines, failed = [], []
    for case in CASES:
        log(f"attempts: {case[0]}, {case[2]} ranks")
        line, loss = row(rehearse, program, case)
        lines.append(line)
        if loss > LARGEST_LOSS:
            failed.append(f"attempts: {case[0]}: loses {loss:.0%} of its time")
    return lines, failed
