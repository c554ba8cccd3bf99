# SPDX-License-Identifier: MIT
"""MPI programs beside Debian's SMPI: the same sources, built by both wrapper compilers, on the same platform files.

Shape:  CASES lists what is measured; compare() runs the cases and gives Figures; rows() makes of them the lines of the
        table of docs/benchmarks.md.
Method: a program does its work as often as its first argument says. The seconds of one item are the difference of a
        run with work to one without, over the items: what it costs to start is not in them, but is a case of its own.
        Seconds are those of the processor, of the whole command.
Limits: a run that takes more than `limit` seconds of the processor is ended.
"""
import os
import resource
import shutil
import signal
import statistics
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import platform_files

PROGRAMS = Path(__file__).resolve().parent / "programs"
SIDES = ("ours", "peer")
REPEATS = 3  # of runs of less than SHORT seconds
SHORT = 3.0
PEER_QUIET = ("--log=root.thres:error",)


@dataclass(frozen=True)
class Case:
    name: str
    title: str
    program: str  # in PROGRAMS, without .c
    ranks: int
    arguments: tuple = ()  # after the first
    work: tuple = (1, 1)   # the first argument, ours and the peer's
    items: int = 1         # of one unit of work
    measure: str = "seconds"  # of MEASURES
    on_peer: bool = True   # false: it cannot
    why_not: str = "-"     # then


CASES = (
    Case("mpi-ping-pong", "4-byte ping-pong, messages per second", "ping_pong", 2, (), (300_000, 100_000), 2, "rate"),
    Case("mpi-waitall", "8,000 requests, one MPI_Waitall: time per request", "waitall", 2, ("8000",), (50, 1), 16_000,
         "time"),
    Case("mpi-waitany", "8,000 requests, 8,000 MPI_Waitany: time per request", "waitall", 2, ("8000", "any"), (1, 1),
         16_000, "time"),
    Case("mpi-iallreduce-512", "one 8-byte MPI_Iallreduce, 512 ranks", "iallreduce", 512, (), (20, 1), 1, "time"),
    Case("mpi-iallreduce-4096", "one 8-byte MPI_Iallreduce, 4,096 ranks", "iallreduce", 4096, (), (5, 1), 1, "time"),
    Case("mpi-alltoall-256", "one MPI_Alltoall of 8-byte blocks, 256 ranks", "alltoall", 256, ("8",), (5, 2), 1,
         "time"),
    Case("mpi-alltoall-256-large", "one MPI_Alltoall of 64 KiB blocks, 256 ranks", "alltoall", 256, ("65536",), (1, 1),
         1, "time"),
    Case("mpi-barrier-4096", "one MPI_Barrier, 4,096 ranks", "collective", 4096, ("barrier",), (10, 2), 1, "time"),
    Case("mpi-bcast-4096", "one 8-byte MPI_Bcast, 4,096 ranks", "collective", 4096, ("bcast",), (10, 2), 1, "time"),
    Case("mpi-allreduce-4096", "one 8-byte MPI_Allreduce, 4,096 ranks", "collective", 4096, ("allreduce",), (10, 2), 1,
         "time"),
    Case("mpi-allgather-1024", "one MPI_Allgather of 8-byte blocks, 1,024 ranks", "collective", 1024, ("allgather",),
         (5, 1), 1, "time"),
    Case("mpi-communicators", "4,096 ranks, 20 duplicates and splits into rows, columns and halves, each used",
         "communicators", 4096, ("1",), (20, 20), measure="start"),
    Case("mpi-start", "4,096 ranks that start and end", "idle", 4096, measure="start"),
    Case("mpi-start-512", "512 ranks: start, MPI_Barrier, end", "start", 512, measure="start"),
    Case("mpi-start-10000", "10,000 ranks: start, MPI_Barrier, end", "start", 10_000, measure="start"),
    Case("mpi-start-zeros", "4,096 ranks with 20 MB of zeros each: start, MPI_Barrier, end", "zero_data", 4096,
         measure="start"),
)


@dataclass
class Figure:
    """What the runs of one case on one side gave."""
    case: str
    side: str
    state: str = "ok"  # or: not installed, limit, not run, failed
    base: list = field(default_factory=list)  # {"seconds", "peak"} of runs without work
    runs: list = field(default_factory=list)  # of runs with work

    def median(self, key, runs):
        return statistics.median(run[key] for run in runs)


@dataclass
class Side:
    name: str
    programs: dict  # by name
    command: object  # (ranks, platform file, hostfile) -> first words of the command


def our_side(rehearse, folder):
    def command(ranks, platform, hostfile):
        return [str(rehearse), "run", "-n", str(ranks), "--network", "lv08", "--on", str(platform), "--hostfile",
                str(hostfile)]
    return Side("ours", build([str(rehearse), "cc"], folder / "ours"), command)


def peer_side(folder):
    """None where the peer's package is not installed."""
    if not shutil.which("smpicc") or not shutil.which("smpirun"):
        return None

    def command(ranks, platform, hostfile):
        return ["smpirun", "-np", str(ranks), "-platform", str(platform), "-hostfile", str(hostfile), *PEER_QUIET]
    return Side("peer", build(["smpicc"], folder / "peer"), command)


def build(compiler, folder):
    folder.mkdir()
    programs = {}
    for source in sorted({case.program for case in CASES}):
        programs[source] = str(folder / source)
        built = subprocess.run([*compiler, "-O2", "-o", programs[source], str(PROGRAMS / f"{source}.c")],
                               capture_output=True, text=True, check=False)
        if built.returncode != 0:
            raise SystemExit(f"bench.py: {source}.c does not build with {compiler[0]}:\n{built.stderr}")
    return programs


def machine_of(folder, ranks):
    """A platform file with a host for each rank, and the list of its hosts."""
    hosts = max(2, ranks)
    names = folder / f"hosts-{hosts}"
    names.write_text("".join(f"node-{i}\n" for i in range(hosts)))
    return platform_files.file_of(folder, "crossbar", hosts), names


def run_once(command, limit, folder):
    """One run: its state, and its seconds and peak."""

    def bounded():
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as output:
        started = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=folder,
                                   preexec_fn=bounded, start_new_session=True)
        _, status, usage = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        # The peer's script starts the program as its child: what the child dies of is the script's status.
        if started.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU, -signal.SIGKILL, 128 + signal.SIGKILL):
            return "limit", None
        if started.returncode != 0:
            output.seek(0)
            said = output.read().decode(errors="replace").strip().splitlines()
            return f"failed: {said[-1] if said else f'status {started.returncode}'}", None
    return "ok", {"seconds": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss * 1024}


def compare_case(case, sides, folder, limit):
    """The figures of both sides; runs alternate, so that a busy moment of the machine meets both."""
    platform, hosts = machine_of(folder, case.ranks)
    figures = {}
    for side in SIDES:
        figures[side] = Figure(case.name, side)
        if sides[side] is None:
            figures[side].state = "not installed"
        elif side == "peer" and not case.on_peer:
            figures[side].state = "not run"
    for _ in range(REPEATS):
        for side, figure in figures.items():
            if figure.state != "ok" or (figure.runs and figure.runs[0]["seconds"] > SHORT):
                continue
            start = [*sides[side].command(case.ranks, platform, hosts), sides[side].programs[case.program]]
            for times, runs in ((0, figure.base), (case.work[SIDES.index(side)], figure.runs)):
                figure.state, run = run_once([*start, str(times), *case.arguments], limit, folder)
                if run is None:
                    break
                runs.append(run)
    return figures


def compare(cases, rehearse, limit, log):
    """[(case, {side: Figure})] of the cases; log(text) is called for each."""
    result = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sides = {"ours": our_side(rehearse, folder), "peer": peer_side(folder)} if cases else {}
        for case in cases:
            result.append((case, compare_case(case, sides, folder, limit)))
            for line in rows(result[-1:], limit):
                log(" | ".join(line))
    return result


def time_text(seconds):
    unit, factor = next((u, f) for u, f in (("s", 1), ("ms", 1e3), ("us", 1e6), ("ns", 1e9))
                        if seconds * f >= 1 or u == "ns")
    return f"{seconds * factor:.3g} {unit}"


def memory_text(value):
    return f"{value / 1e3:,.0f} kB" if value < 1e6 else f"{value / 1e6:,.0f} MB"


def work_seconds(figure):
    return figure.median("seconds", figure.runs) - figure.median("seconds", figure.base)


def is_measurable(case, figure):
    """Whether the work can be distinguished from the noise of the rest of the command."""
    return case.measure == "start" or work_seconds(figure) > max(1e-3, 0.02 * figure.median("seconds", figure.base))


def item_seconds(case, figure):
    """Of one item of the work."""
    return work_seconds(figure) / (case.work[SIDES.index(figure.side)] * case.items)


# name: ((suffix of the title, value of a case and a Figure, text of a value, greater is better), ...)
MEASURES = {
    "rate": (("", lambda c, f: 1 / item_seconds(c, f), lambda v: f"{v:,.0f}", True),),
    "time": (("", item_seconds, time_text, False),),
    "start": (("", lambda c, f: f.median("seconds", f.runs), time_text, False),
              (": peak memory", lambda c, f: f.median("peak", f.runs), memory_text, False),
              (": memory per rank", lambda c, f: f.median("peak", f.runs) / c.ranks, memory_text, False)),
}


def state_text(figure, limit):
    return f"> {limit:g} s" if figure.state == "limit" else figure.state.split(":")[0]


def ratio_text(case, value, greater, figures, limit):
    ours, peer = figures["ours"], figures["peer"]
    if not ours.runs or not is_measurable(case, ours) or (peer.runs and not is_measurable(case, peer)):
        return "-"
    mine = value(case, ours)
    if peer.runs:
        ratio = value(case, peer) / mine
        return f"{1 / ratio if greater else ratio:,.1f}"
    if peer.state == "limit" and not greater:
        items = case.work[1] * case.items if case.measure == "time" else 1  # otherwise the whole run is looked at
        return f"> {limit / items / mine:,.0f}"
    return "-"


def rows(results, limit):
    """Lines of the table: what, ours, the peer's, how many times better ours is."""
    lines = []
    for case, figures in results:
        for number, (suffix, value, text, greater) in enumerate(MEASURES[case.measure]):
            cells = [state_text(f, limit) if not f.runs and number == 0 else "-" if not f.runs
                     else text(value(case, f)) if is_measurable(case, f) else "too short to measure"
                     for f in figures.values()]
            lines.append(((case.title if number == 0 else "…") + suffix, *cells,
                          ratio_text(case, value, greater, figures, limit) if number == 0 or figures["peer"].runs
                          else "-"))
    return lines


def as_json(results):
    return [{"case": f.case, "side": f.side, "state": f.state, "base": f.base, "runs": f.runs}
            for _, figures in results for f in figures.values()]


def failures(results, side):
    """Which cases that side gave no figure for, for another reason than the limit, and what it said."""
    return [f"{case.name}: {figures[side].state.removeprefix('failed: ')}" for case, figures in results
            if figures[side].state.startswith("failed")]
