# SPDX-License-Identifier: MIT
"""Checks of programs with long rows of one-sided operations: time and memory of one execution.

One rank makes a row of operations on the window of the other one (tests/bench/programs/window_rows.c), which `rehearse
check --jobs 1` explores with accesses as messages. Time is that of the exploration, the median of three; memory is the
peak of the process. Both must grow no faster than the row: four times the operations may take eight times as long.

At commit 2dda9de0, where each message repeated all records of accesses, both grew with the square. On the machine of
2026-11-29, with other work beside it then and now, 4,000 puts took 1.8 s, with flushes 0.82 s, and 4,000 fetches 10.4 s
and 436 MiB; 1,000 sections took 5.9 s and 452 MiB, and 4,000 more than a minute."""
import json
import statistics
import subprocess

from check_costs import PROGRAMS, Runner

RUNS = 3
SHORT, LONG = 10_000, 40_000
MOST_TIMES = 8.0
KINDS = (  # argument, text, most MiB of the long row
    ("put", "MPI_Put in one epoch", 500),
    ("flush", "MPI_Put and MPI_Win_flush", 500),
    ("section", "MPI_Put in an exclusive section", 1000),
    ("fetch", "MPI_Fetch_and_op and MPI_Win_flush", 1000),
)


def explored(runner, program, kind, length):
    """Seconds and peak bytes."""
    done = subprocess.run([runner.rehearse, "check", "-n", "2", "--jobs", "1", "--quiet", "--json", "-", program, kind,
                           str(length)], stdout=subprocess.PIPE, check=True, text=True)
    report = json.loads(done.stdout)
    return report["seconds"], report["peak_bytes"]


def text(rehearse, folder, table, log):
    runner = Runner(rehearse, folder, log)
    program = runner.program(PROGRAMS / "window_rows.c", "-O2", "--check-memory")
    rows, missed = [], []
    for kind, what, most in KINDS:
        log(what)
        seconds = {n: [] for n in (SHORT, LONG)}
        peaks = {n: [] for n in (SHORT, LONG)}
        for _ in range(RUNS):
            for length in (SHORT, LONG):
                taken, peak = explored(runner, program, kind, length)
                seconds[length].append(taken)
                peaks[length].append(peak)
        short, long = (statistics.median(seconds[n]) for n in (SHORT, LONG))
        peak = max(peaks[LONG])
        rows.append((what, f"{short:.2g} s", f"{long:.2g} s", f"{long / LONG * 1e6:.0f} us", f"{long / short:.1f}",
                     f"{peak / 2**20:.0f} MiB", f"{(peak - min(peaks[SHORT])) / (LONG - SHORT) / 1000:.1f} kB",
                     f"< {MOST_TIMES:.0f} times, < {most} MiB"))
        if long / short > MOST_TIMES or peak > most * 2**20:
            missed.append(f"{what}: {long / short:.1f} times the time, {peak / 2**20:.0f} MiB")
    heads = ("row", f"{SHORT:,}", f"{LONG:,}", "for each", "times", "peak memory", "for each", "required")
    return "\n\n".join([__doc__.split("\n\n", 1)[1], table(heads, rows)]), missed
