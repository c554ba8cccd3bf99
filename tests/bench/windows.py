# SPDX-License-Identifier: MIT
"""One-sided communication: the cost of windows in simulated time, and the number of executions that checks explore.

A stencil whose grid lies in a window, which nobody races on, is compared with the same stencil with messages and
without a window: processor seconds of whole runs with all checks, minus those of a run of no steps. Each step of a rank
has an MPI_Put, an MPI_Get and an MPI_Accumulate, while the rank computes on the rest of its window. With --check-memory
both programs report each load and store. A put, the difference to the same epochs without puts, is compared with
memcpy of the same bytes; the same 1 MB and its copy may stay in a processor's second cache, which nothing but memcpy
uses then. A put needs a switch from its rank to the engine and back. Without FSGSBASE instructions, this takes two
system calls, whose cost is a line of its own there: memcpy alone, compared with memcpy and these calls. Figures are
medians of alternating runs."""
import json
import statistics
import struct
import subprocess

from check_costs import PROGRAMS, Runner

RUNS = 7
AT_HWCAP2 = 26
KINDS = (("fence", "MPI_Win_fence"), ("lock", "MPI_Win_lock_all"), ("post", "MPI_Win_post and MPI_Win_start"))
GRID = ("256", "512")
STEPS = 200
COSTS = ((("-O2",), "", 1.3), (("-O2", "--check-memory"), "`--check-memory`, ", 5.0))  # flags, text, most times as long

PUTS, MEGABYTE = 2000, 1 << 20
# Blocks in turn, most times as long as memcpy. One block and its copy fit into the second cache of some processors,
# where nothing but memcpy itself is as fast.
BLOCKS = (("1 MB of 16 MB in turn", "16", 1.5), ("the same 1 MB again and again", "1", 1.5))

FACTORIALS = {3: 6, 4: 24, 5: 120}
COUNTS = [  # text, argument, ranks, executions
    *[(f"{n} ranks take a ticket each (MPI_Fetch_and_op)", "ticket", n, count) for n, count in FACTORIALS.items()],
    ("5 ranks accumulate (MPI_Accumulate)", "accumulate", 5, 1),
    *[(f"{n} ranks count under an exclusive lock", "exclusive", n, count) for n, count in FACTORIALS.items()],
    ("5 ranks read under a shared lock", "readers", 5, 1),
]


def seconds_in_turn(runner, ranks, sides, idle):
    """Median processor seconds of each side, (program, arguments), minus those of its idle run."""
    found = [[] for _ in sides]
    for _ in range(RUNS):
        for seconds, (program, arguments), (idle_program, no_work) in zip(found, sides, idle):
            seconds.append(runner.once(ranks, (), program, arguments) - runner.once(ranks, (), idle_program, no_work))
    return [statistics.median(seconds) for seconds in found]


def cost_rows(runner):
    rows = []
    for flags, text, most in COSTS:
        program = runner.program(PROGRAMS / "windows.c", *flags)
        for kind, calls in KINDS:
            what = f"{text}grid of 4 ranks of {GRID[0]} x {GRID[1]}, {STEPS} steps, epochs of {calls}"
            runner.log(what)
            sides = [(program, (each, *GRID, str(STEPS))) for each in ("messages", kind)]
            idle = [(program, (each, *GRID, "0")) for each in ("messages", kind)]
            without, with_window = seconds_in_turn(runner, 4, sides, idle)
            rows.append((what, without, with_window, most))
    return rows


def put_rows(runner):
    program = runner.program(PROGRAMS / "large_puts.c", "-O2")
    rows = []
    for text, blocks, most in BLOCKS:
        for kind, calls in KINDS:
            what = f"MPI_Put of {text}, epochs of {calls.replace('_all', '')}"
            runner.log(what)
            sides = [(program, (each, str(PUTS), str(MEGABYTE), blocks)) for each in ("copy", kind)]
            idle = [(program, ("copy", "0", str(MEGABYTE), blocks)),
                    (program, (kind, str(PUTS), str(MEGABYTE), blocks, "empty"))]
            copy, put = seconds_in_turn(runner, 2, sides, idle)
            rows.append((what, copy / PUTS, put / PUTS, most))
    return rows


def has_fsgsbase():
    """Whether programs may set the base of FS by an instruction (bit 1 of AT_HWCAP2)."""
    with open("/proc/self/auxv", "rb") as file:
        entries = dict(struct.iter_unpack("QQ", file.read()))
    return bool(entries.get(AT_HWCAP2, 0) & 2)


def switch_rows(runner):
    """The part of a put that no engine apart from its ranks can do without."""
    if has_fsgsbase():
        return []
    program = runner.program(PROGRAMS / "large_puts.c", "-O2")
    rows = []
    for text, blocks, _ in BLOCKS:
        what = f"memcpy of {text}, and the system calls of a switch to the engine and back"
        runner.log(what)
        sides = [(program, (each, str(PUTS), str(MEGABYTE), blocks)) for each in ("copy", "switch")]
        idle = [(program, (each, "0", str(MEGABYTE), blocks)) for each in ("copy", "switch")]
        copy, switch = seconds_in_turn(runner, 2, sides, idle)
        rows.append((what, copy / PUTS, switch / PUTS, None))
    return rows


def counted(runner, argument, ranks):
    program = runner.program(PROGRAMS / "window_counts.c", "-O2", "--check-memory")
    done = subprocess.run([runner.rehearse, "check", "-n", str(ranks), "--jobs", "1", "--quiet", "--json", "-", program,
                           argument], stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(done.stdout)


def short(seconds):
    return f"{seconds:.2g} s" if seconds >= 0.01 else f"{seconds * 1e6:.3g} us"


def text(rehearse, folder, table, log):
    runner = Runner(rehearse, folder, log)
    missed, costs, counts = [], [], []
    for what, without, with_window, most in [*cost_rows(runner), *put_rows(runner), *switch_rows(runner)]:
        ratio = with_window / without
        costs.append((what, short(without), short(with_window), f"{ratio:.2f}", f"< {most}" if most else ""))
        if most and ratio > most:
            missed.append(f"{what}: {ratio:.2f} times, required < {most}")
    for what, argument, ranks, required in COUNTS:
        log(what)
        report = counted(runner, argument, ranks)
        counts.append((what, f"{report['executions']:,}", f"{report['duplicates']:,}", f"{required:,}, 0"))
        if (report["executions"], report["duplicates"]) != (required, 0):
            missed.append(f"{what}: {report['executions']} executions and {report['duplicates']} duplicates")
    return "\n\n".join([__doc__.split("\n\n", 1)[1],
                        table(("measurement", "messages or memcpy", "window", "ratio", "required"), costs),
                        table(("exploration", "executions", "duplicates", "required"), counts)]), missed
