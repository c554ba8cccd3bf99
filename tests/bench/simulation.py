# SPDX-License-Identifier: MIT
"""The simulation core beside Debian's libsimgrid: the same scenarios, in turn, on the same platform files.

Shape:  CASES lists what is measured; compare() runs the cases and gives Figures; rows() makes of them the lines of
        the table of docs/benchmarks.md. The peer's program is built here when its package is installed.
Limits: a run that takes more than `limit` seconds of the processor is ended; greater sizes of that case are not run.
"""
import json
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

HERE = Path(__file__).resolve().parent / "side_by_side"
SIDES = ("ours", "peer")
REPEATS = 3  # of runs of less than SHORT seconds
SHORT = 3.0
AGREEMENT = 1e-6  # relative, of simulated dates

MANY = ("--cfg=contexts/guard-size:0", "--cfg=contexts/stack-size:16")  # the peer's advice for many actors
SMALL = ("--stack=16",)  # the same for ours


@dataclass(frozen=True)
class Size:
    label: str
    numbers: tuple = ()
    items: int = 0  # what a rate or a memory per item counts
    hosts: int = 0  # of the platform; 0: as the case says


@dataclass(frozen=True)
class Case:
    name: str
    title: str  # {} is the label of the size
    scenario: str
    platform: str
    hosts: int
    sizes: tuple
    measures: tuple = ("seconds",)  # of MEASURES
    peer_options: tuple = ()
    our_options: tuple = ()


CASES = (
    Case("crossbar", "1,000 hosts, crossbar: {} random flows within 1 s", "flows", "crossbar", 1000,
         tuple(Size(f"{n:,}", (n, 1, 1.25e7)) for n in (500, 2000, 5000, 10_000, 20_000))),
    Case("backbone", "100 hosts, one shared backbone: {} flows within 1 s", "flows", "backbone", 100,
         tuple(Size(f"{n:,}", (n, 1, 1e7)) for n in (1000, 2000, 8000))),
    Case("messages", "mailbox messages per second, {}", "messages", "crossbar", 1000,
         (Size("1 pair", (1, 200_000), 200_000), Size("40 pairs", (40, 5000), 200_000)), ("rate",)),
    Case("sleepers", "{} actors that sleep 100 times each, sleeps per second", "sleepers", "crossbar", 1000,
         (Size("1,000", (1000, 100), 100_000),), ("rate",)),
    Case("yields", "actor switches per second, {}", "yields", "crossbar", 1000,
         (Size("2 actors", (2, 1_000_000), 2_000_000), Size("1,000 actors", (1000, 2000), 2_000_000),
          Size("10,000 actors", (10_000, 200), 2_000_000)), ("rate",), MANY, SMALL),
    Case("executions", "{} actors with 1,000 executions each, executions per second", "executions", "crossbar", 1000,
         (Size("100", (100, 1000), 100_000),), ("rate",)),
    Case("cluster-file", "{} hosts: loading the platform file", "load", "crossbar", 1000,
         (Size("65,536", hosts=65_536),), ("load", "memory")),
    Case("idle", "{} idle actors", "idle", "crossbar", 1000,
         tuple(Size(f"{n:,}", (n,), n) for n in (10_000, 100_000, 1_000_000)),
         ("seconds", "memory", "memory per actor"), MANY, SMALL),
    Case("chord", "Chord, {}", "chord", "crossbar", 10_000,
         tuple(Size(f"{n:,} peers, {n:,} lookups", (n, n), n) for n in (10_000, 100_000)),
         ("seconds", "memory"), MANY, SMALL),
    Case("volunteers", "volunteer computing, 30 days, {} hosts with availability traces", "volunteers", "volunteers", 0,
         tuple(Size(f"{n:,}", (9e12, platform_files.PERIOD), hosts=n) for n in (650, 1300, 2600, 5200)),
         ("seconds", "load", "memory"), (*MANY, "--cfg=cpu/optim:TI"), SMALL),
)


@dataclass
class Figure:
    """What the runs of one size on one side gave."""
    case: str
    size: str
    side: str
    state: str = "ok"  # or: not installed, limit, not run, failed
    runs: list = field(default_factory=list)  # {"load", "run", "end", "peak"}

    def median(self, key):
        return statistics.median(run[key] for run in self.runs)


def build_peer(folder):
    """The peer's program, or None where its package is not installed."""
    if subprocess.run(["pkg-config", "--exists", "simgrid"], check=False).returncode if shutil.which("pkg-config") \
            else not Path("/usr/include/simgrid/s4u.hpp").exists():
        return None
    program = Path(folder) / "simgrid_side"
    built = subprocess.run(["g++", "-std=c++20", "-O3", "-o", program, HERE / "simgrid_side.cpp", "-lsimgrid"],
                           capture_output=True, text=True, check=False)
    if built.returncode != 0:
        raise SystemExit(f"bench.py: the program for libsimgrid does not build:\n{built.stderr}")
    return program


def peer_version():
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libsimgrid-dev"], capture_output=True, text=True,
                           check=False)
    return found.stdout.strip() or "not installed"


def run_once(command, limit, is_peer):
    """One run: its state, and its line of JSON."""

    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    def bounded():  # a peer that asks for more than the machine has gets no further
        if is_peer:
            resource.setrlimit(resource.RLIMIT_AS, (free, free))
        if limit:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as errors:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=errors, preexec_fn=bounded, check=False)
        if done.returncode == -signal.SIGXCPU:
            return "limit", None
        if done.returncode != 0:
            errors.seek(0)
            said = errors.read().decode(errors="replace").strip().splitlines()
            worst = [line for line in said if "CRITICAL" in line or "error" in line] or said
            return f"failed: {worst[0] if worst else f'status {done.returncode}'}", None
    return "ok", json.loads(done.stdout)


def compare_size(case, size, programs, folder, limit, skipped):
    """The figures of both sides; runs alternate, so that a busy moment of the machine meets both."""
    file = platform_files.file_of(folder, case.platform, size.hosts or case.hosts)
    words = [case.scenario, file, *(f"{n:.17g}" for n in size.numbers)]
    commands = {"ours": [programs["ours"], *words, *case.our_options]}
    if programs["peer"]:
        commands["peer"] = [programs["peer"], *words, *case.peer_options]
    figures = {side: Figure(case.name, size.label, side) for side in SIDES}
    for side in SIDES:
        if side not in commands:
            figures[side].state = "not installed"
        elif side in skipped:
            figures[side].state = "not run"
    for _ in range(REPEATS):
        for side, figure in figures.items():
            if figure.state != "ok" or (figure.runs and figure.runs[0]["run"] > SHORT):
                continue
            figure.state, run = run_once(commands[side], limit, side == "peer")
            if run:
                figure.runs.append(run)
            else:
                skipped.add(side)
    return figures


def compare(cases, ours, limit, log):
    """[(case, size, {side: Figure})] of the cases; log(text) is called for each."""
    result = []
    with tempfile.TemporaryDirectory() as folder:
        programs = {"ours": ours, "peer": build_peer(folder)}
        for case in cases:
            skipped = set()
            for size in case.sizes:
                figures = compare_size(case, size, programs, folder, limit, skipped)
                result.append((case, size, figures))
                for line in rows([result[-1]], limit):
                    log(" | ".join(line))
    return result


SHORTEST = 1e-3  # seconds of the processor that can be measured


def seconds_text(value):
    if value < SHORTEST:
        return f"< {SHORTEST:g} s"
    return f"{value:.3g} s" if value < 100 else f"{value:,.0f} s"


def memory_text(value):
    return f"{value / 1e3:,.1f} kB" if value < 1e6 else f"{value / 1e6:,.0f} MB"


# name: (suffix of the title, value of a Figure and a Size, text of a value, greater is better)
MEASURES = {
    "seconds": ("", lambda f, s: f.median("run"), seconds_text, False),
    "load": (": loading", lambda f, s: f.median("load"), seconds_text, False),
    "rate": ("", lambda f, s: s.items / f.median("run"), lambda v: f"{v:,.0f}", True),
    "memory": (": peak memory", lambda f, s: f.median("peak"), memory_text, False),
    "memory per actor": (": memory per actor", lambda f, s: f.median("peak") / s.items, memory_text, False),
}


def state_text(figure, limit):
    return f"> {limit:g} s" if figure.state == "limit" else figure.state.split(":")[0]


def ends_agree(figures):
    """Whether both sides give the same simulated end; None if one has none."""
    if not all(figure.runs for figure in figures.values()):
        return None
    ours, peer = (figures[side].runs[0]["end"] for side in SIDES)
    return abs(ours - peer) <= AGREEMENT * max(abs(ours), abs(peer))


def end_text(figures):
    ends = [f"{figures[side].runs[0]['end']:.9g}" for side in SIDES if figures[side].runs]
    if ends_agree(figures):
        return f"{ends[0]} s, both"
    return " / ".join(f"{end} s" for end in ends) or "-"


def ratio_text(measure, size, figures, limit):
    _, value, _, greater = MEASURES[measure]
    ours, peer = figures["ours"], figures["peer"]
    if not ours.runs:
        return "-"
    if peer.runs:
        if measure == "seconds" and value(ours, size) < SHORTEST:
            return f"> {value(peer, size) / SHORTEST:,.1f}"
        ratio = value(peer, size) / max(value(ours, size), 1e-9)
        return f"{1 / ratio if greater else ratio:,.1f}"
    if peer.state == "limit" and measure == "seconds":
        return f"> {limit / max(value(ours, size), 1e-9):,.0f}"
    return "-"


def rows(results, limit):
    """Lines of the table: what, ours, the peer's, how many times better ours is, simulated end."""
    lines = []
    for case, size, figures in results:
        for number, measure in enumerate(case.measures):
            suffix, value, text, _ = MEASURES[measure]
            cells = [text(value(f, size)) if f.runs else state_text(f, limit) if number == 0 else "-"
                     for f in figures.values()]
            what = case.title.format(size.label) if number == 0 else "…"
            lines.append((what + (suffix if number or not what.endswith("file") else ""), *cells,
                          ratio_text(measure, size, figures, limit), end_text(figures) if number == 0 else ""))
    return lines


def as_json(results):
    return [{"case": f.case, "size": f.size, "side": f.side, "state": f.state, "runs": f.runs}
            for _, _, figures in results for f in figures.values()]


def disagreements(results):
    """Of which sizes the two sides give different dates."""
    return [f"{case.name} {size.label}: {end_text(figures)}" for case, size, figures in results
            if ends_agree(figures) is False]


def failures(results, side):
    """Of which sizes that side gave no figure for another reason than the limit, and what it said."""
    return [f"{case.name} {size.label}: {figures[side].state.removeprefix('failed: ')}"
            for case, size, figures in results if figures[side].state.startswith("failed")]
