#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs and records a program, then replays the recording: both must end each rank at the same date, to the picosecond.

Usage:  replayed.py REHEARSE -n RANKS PROGRAM ARGUMENTS...
Prints the output of the program. A difference, or a replay that fails, is printed and gives exit status 1. A program
that does not end normally, or that a trace cannot hold (exit status 3 of the replay), is judged by its run alone, and a
line names the reason.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ENDED = (0, 1)
INCONCLUSIVE = 3


def dates(report):
    return [(rank["rank"], rank["stopped_picoseconds"]) for rank in json.loads(report.read_text())["ranks"]]


def main(rehearse, *words):
    with tempfile.TemporaryDirectory() as folder:
        trace, ran, again = (Path(folder) / name for name in ("run.rtrace", "ran.json", "again.json"))
        run = subprocess.run([rehearse, "run", "--no-summary", "--trace", trace, "--json", ran, *words], check=False,
                             stdin=subprocess.DEVNULL)
        if run.returncode not in ENDED or not trace.exists():
            print(f"not replayed: the run has exit status {run.returncode}")
            return run.returncode
        replay = subprocess.run([rehearse, "trace", "replay", "--no-summary", "--json", again, trace], check=False,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if replay.returncode == INCONCLUSIVE:
            print(f"not replayed: {replay.stderr.strip()}")
            return run.returncode
        if replay.returncode not in ENDED:
            print(f"FAILED: the replay has exit status {replay.returncode}: {replay.stderr.strip()}")
            return 1
        differing = [f"rank {rank}: {date} ps, replayed {other} ps"
                     for (rank, date), (_, other) in zip(dates(ran), dates(again)) if date != other]
        if differing:
            print("FAILED: the replay ends at other dates:", *differing[:8], sep="\n")
            return 1
        print("replayed: same dates")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
