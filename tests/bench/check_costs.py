# SPDX-License-Identifier: MIT
"""The cost of checking in simulated time: processor seconds of whole runs with all checks, compared with `--only
deadlock`, which examines no buffers. Figures are medians of alternating runs, minus the time of a run that does no
work. The lower rows compare programs compiled with --check-memory and without it, at the same level of optimisation."""
import resource
import statistics
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNS = 7
ALL, FEW = (), ("--only", "deadlock")
USUAL, MEMORY = 1.3, 8.0  # times as long, at most

PROGRAMS = ROOT / "tests/bench/programs"
STENCIL = ROOT / "examples/5_stencil.c"
# What, ranks, program, arguments, arguments of the run that does no work.
RUNS_WITH_CALLS = [
    ("ping-pong of 4 bytes, 400,000 messages", 2, PROGRAMS / "ping_pong.c", ("200000",), ("0",)),
    ("MPI_Alltoall of 16 ranks, 1 kB blocks, 3,000 times", 16, PROGRAMS / "alltoall.c", ("3000", "1024"),
     ("0", "1024")),
    ("stencil of 16 ranks, 1,000 steps of 100 cells each", 16, STENCIL, ("1600", "1000"), ("1600", "0")),
    ("grid of 4 ranks of 64 x 256, with communication during computation, 2,000 steps", 4, PROGRAMS / "overlapped.c",
     ("64", "256", "2000"), ("64", "256", "0")),
]
RUNS_WITH_ACCESSES = [
    ("stencil of 4 ranks, 1,000 steps of 25,000 cells each", 4, STENCIL, ("100000", "1000"), ("100000", "0")),
    ("grid of 4 ranks of 256 x 512, with communication during computation, 200 steps", 4, PROGRAMS / "overlapped.c",
     ("256", "512", "200"), ("256", "512", "0")),
]


class Runner:
    """Compiles programs into a folder and measures runs of them."""

    def __init__(self, rehearse, folder, log):
        self.rehearse, self.folder, self.log = rehearse, Path(folder), log

    def program(self, source, *flags):
        executable = self.folder / "_".join([source.stem, *(flag.strip("-") for flag in flags)])
        if not executable.exists():
            subprocess.run([self.rehearse, "cc", *flags, "-o", executable, source, "-lm"], check=True)
        return executable

    def once(self, ranks, options, program, arguments):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([self.rehearse, "run", "-n", str(ranks), "--network", "lv08", "--compute", "none", *options,
                        program, *arguments], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def compare(self, what, ranks, arguments, idle, sides):
        """Median seconds of the sides, each (options, program), in turn."""
        self.log(what)
        seconds = [[] for _ in sides]
        for _ in range(RUNS):
            for found, (options, program) in zip(seconds, sides):
                found.append(self.once(ranks, options, program, arguments)
                             - self.once(ranks, options, program, idle))
        return [statistics.median(found) for found in seconds]


def row(what, seconds, most):
    without, with_checks = seconds
    return (what, f"{without:.2g} s", f"{with_checks:.2g} s", f"{with_checks / without:.2f}", f"< {most}")


def rows(rehearse, folder, log):
    runner = Runner(rehearse, folder, log)
    made = []
    for what, ranks, source, arguments, idle in RUNS_WITH_CALLS:
        program = runner.program(source, "-O2")
        made.append(row(what, runner.compare(what, ranks, arguments, idle, [(FEW, program), (ALL, program)]), USUAL))
    for level in ("-O0", "-O2"):
        for what, ranks, source, arguments, idle in RUNS_WITH_ACCESSES:
            sides = [(ALL, runner.program(source, level)), (ALL, runner.program(source, level, "--check-memory"))]
            made.append(row(f"`--check-memory {level}`, {what}", runner.compare(what, ranks, arguments, idle, sides),
                            MEMORY))
    return made


HEAD = ("measurement", "without", "with", "ratio", "required")
