# SPDX-License-Identifier: MIT
"""The benchmarks of examples/traces as traces: sizes, and the cost of recording and replaying them.

Text is time-independent text (`rehearse trace convert --to ti`), with gzip at its default level, and `.rtrace` is
Rehearse's own format. An action is a line of the text. Published figures are those of H. Casanova et al., *Simulation
of MPI applications with time-independent traces*, Concurrency and Computation: Practice and Experience, 2014: LU of NPB
in the same class. Each figure is that of one run.

The LU of examples/traces sends as many messages as the published one: 251 (20 (n - 2) + 20) + 40 on 8 ranks, which is
808,260 for class C, where the publication counts 808,298. It has fewer computations between them. Most of a recording
are the volumes of computation, so its size depends on their noise: LU S without them takes 4 KiB.
"""
import gzip
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "examples/traces"
# Program, class, ranks.
RUNS = [("lu", "S", 8), ("lu", "W", 8), ("lu", "A", 8), ("lu", "B", 8), ("lu", "B", 32), ("cg", "A", 8), ("cg", "B", 8),
        ("ft", "A", 8), ("ep", "A", 8)]
# Millions of actions and MiB of text of LU, class B; replayed actions a second up to 64 ranks.
PUBLISHED = {("lu", "B", 8): (1.73, 25), ("lu", "B", 16): (4.89, 72), ("lu", "B", 32): (10.60, 159),
             ("lu", "B", 64): (22.83, 339)}
PUBLISHED_REPLAY = 125e3
# Program, class, ranks, MPIs: recorded on all cores and on one. Ranks of MPICH that share a core poll, so LU is small.
REAL_RUNS = [("lu", "W", 8, ["openmpi"]), ("lu", "S", 8, ["mpich"]), ("ft", "W", 8, ["openmpi", "mpich"]),
             ("ep", "W", 8, ["openmpi", "mpich"])]
MACHINE = ("--network", "lv08", "--on")
NAMES = {"openmpi": "Open MPI", "mpich": "MPICH"}
# The format's demands on the sweep: bytes an action, text / .rtrace, gzip / .rtrace.
MOST_BYTES_AN_ACTION, LEAST_TO_TEXT, LEAST_TO_GZIP = 0.6, 30, 1.5
SIZE_HEAD = ("trace", "actions", "published", "text", "published", "gzip", "`.rtrace`", "bytes an action: text, gzip, "
             "`.rtrace`", "text / `.rtrace`", "gzip / `.rtrace`")
TIME_HEAD = ("trace", "run", "recorded run", "replay", "replayed actions/s", "published")
REAL_HEAD = ("program", "MPI", "cores", "alone", "recorded", "volume, compared with a run by Rehearse")
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def call(*words, cores=None):
    """Processor seconds and standard output of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=ENVIRONMENT,
                          preexec_fn=cores and (lambda: os.sched_setaffinity(0, cores)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"recordings.py: failed: {' '.join(map(str, words))}: {done.stderr[-400:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def write_sweep(path, rounds, side=8):
    """The text of LU's wave through 64 ranks, with computation that varies by 2 %."""
    chance = random.Random(1)
    with open(path, "w") as text:
        for rank in range(side * side):
            x, y = rank % side, rank // side
            lines = [f"{rank} recv {other} 5 1240" for other, there in ((rank - 1, x > 0), (rank - side, y > 0))
                     if there]
            sends = [f"{rank} send {other} 5 1240" for other, there in
                     ((rank + 1, x + 1 < side), (rank + side, y + 1 < side)) if there]
            for _ in range(rounds):
                text.write("\n".join([*lines, f"{rank} compute {int(1e5 * chance.gauss(1, 0.02))}", *sends, ""]))


def sizes(text, recording):
    """Actions, and the bytes of the text, of its gzip and of the recording."""
    packed = Path(f"{text}.gz")
    with open(text, "rb") as source, gzip.open(packed, "wb", 6) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    with open(text, "rb") as source:
        actions = sum(block.count(b"\n") for block in iter(lambda: source.read(1 << 20), b""))
    return actions, text.stat().st_size, packed.stat().st_size, recording.stat().st_size


def size_text(count):
    return f"{count / 2**20:.1f} MiB" if count >= 2**20 else f"{count / 2**10:.1f} KiB"


def size_row(name, found, published=None):
    actions, text, packed, recording = found
    return (name, f"{actions:,}", f"{published[0]:.2f} M" if published else "", size_text(text),
            f"{published[1]} MiB" if published else "", size_text(packed), size_text(recording),
            f"{text / actions:.1f}, {packed / actions:.2f}, {recording / actions:.2f}", f"{text / recording:.0f}",
            f"{packed / recording:.2f}")


def sweep_row(rehearse, folder, rounds=3300):
    """The row of the sweep, and the demands that it misses."""
    text, recording = folder / "sweep.ti", folder / "sweep.rtrace"
    write_sweep(text, rounds)
    call(rehearse, "trace", "convert", "--to", "rtrace", text, recording)
    actions, plain, packed, own = found = sizes(text, recording)
    wrong = [f"the sweep takes {value:.2f} {what}, {word} {limit}" for value, what, word, limit, is_right in (
        (own / actions, "bytes an action", "at most", MOST_BYTES_AN_ACTION, own / actions <= MOST_BYTES_AN_ACTION),
        (plain / own, "times less than its text", "at least", LEAST_TO_TEXT, plain / own >= LEAST_TO_TEXT),
        (packed / own, "times less than its gzip", "at least", LEAST_TO_GZIP, packed / own >= LEAST_TO_GZIP))
        if not is_right]
    return size_row("sweep with noise of 2 %, 64 ranks", found), wrong


def own_rows(rehearse, folder, chosen, log):
    """Rows of sizes and of times of runs by Rehearse."""
    by_size, by_time = [], []
    for name, letter, ranks in chosen:
        title = f"{name.upper()} {letter}, {ranks} ranks"
        log(f"recordings: {title}")
        program, recording, text = folder / name, folder / "run.rtrace", folder / "run.ti"
        if not program.exists():
            call(rehearse, "cc", "-O2", SOURCES / f"{name}.c", "-o", program, "-lm")
        run = [rehearse, "run", "-n", ranks, *MACHINE, f"cluster:{ranks}", "--quiet"]
        alone = "" if letter == "B" else f"{call(*run, program, letter)[0]:.2f} s"  # a run takes minutes
        recorded, _ = call(*run, "--trace", recording, program, letter)
        replay, _ = call(rehearse, "trace", "replay", *MACHINE, f"cluster:{ranks}", "--quiet", recording)
        call(rehearse, "trace", "convert", "--to", "ti", recording, text)
        found = sizes(text, recording)
        published = PUBLISHED.get((name, letter, ranks))
        by_size.append(size_row(title, found, published))
        by_time.append((title, alone, f"{recorded:.2f} s", f"{replay:.2f} s", f"{found[0] / replay:,.0f}"
                        if found[0] > 10_000 else "", f"{PUBLISHED_REPLAY:,.0f}" if published else ""))
    return by_size, by_time


def volume(rehearse, recording):
    """Flops of computation between calls."""
    found = re.search(r"application code: [\d,]+, (\S+) flops", call(rehearse, "trace", "info", recording)[1])
    return float(found[1])


def real_rows(rehearse, folder, chosen, log):
    """Rows of recordings under each MPI that is installed."""
    rows, cores = [], os.sched_getaffinity(0)
    for name, letter, ranks, mpis in chosen:
        own = folder / "own.rtrace"
        call(rehearse, "cc", "-O2", SOURCES / f"{name}.c", "-o", folder / name, "-lm")
        call(rehearse, "run", "-n", ranks, *MACHINE, f"cluster:{ranks}", "--quiet", "--trace", own, folder / name,
             letter)
        for mpi in filter(lambda mpi: shutil.which(f"mpicc.{mpi}"), mpis):
            log(f"recordings: {name} {letter}, {ranks} ranks under {mpi}")
            program, recording = folder / f"{name}.{mpi}", folder / "real.rtrace"
            call(f"mpicc.{mpi}", "-O2", SOURCES / f"{name}.c", "-o", program, "-lm")
            launcher = ["mpirun.openmpi", "--oversubscribe"] if mpi == "openmpi" else ["mpiexec.mpich"]
            for used in (cores, {min(cores)}):
                begin = time.perf_counter()
                call(*launcher, "-n", ranks, program, letter, cores=used)
                alone, begin = time.perf_counter() - begin, time.perf_counter()
                call(rehearse, "trace", "record", "--real", "--quiet", "-n", ranks, "-o", recording, "--", program,
                     letter, cores=used)
                recorded = time.perf_counter() - begin
                call(rehearse, "trace", "compare", own, recording)
                difference = volume(rehearse, recording) / volume(rehearse, own) - 1
                rows.append((f"{name.upper()} {letter}, {ranks} ranks", NAMES[mpi], str(len(used)), f"{alone:.1f} s",
                             f"{recorded:.1f} s", f"{difference * 100:+.1f} %"))
    return rows


TIME_TEXT = """\
Seconds are processor seconds of `rehearse run`, of the same with `--trace`, and of `rehearse trace replay` of the
recording, with the network model lv08 on as many hosts. The published rate is that of a laptop of 2012."""
REAL_TEXT = """\
The same programs under Open MPI and MPICH, alone and with `rehearse trace record --real`, on all cores and, folded, on
one. Seconds are wall seconds with the start of the launcher, so other work of the machine counts. Each recording has
the actions of a run by Rehearse (`rehearse trace compare`). The volume is the computation of all ranks."""


def text(rehearse, folder, table, log):
    """The section, and the demands that are not met."""
    sweep, wrong = sweep_row(rehearse, folder)
    by_size, by_time = own_rows(rehearse, folder, RUNS, log)
    parts = [__doc__.strip(), table(SIZE_HEAD, [sweep, *by_size]), TIME_TEXT, table(TIME_HEAD, by_time)]
    real = real_rows(rehearse, folder, REAL_RUNS, log)
    if real:
        parts += [REAL_TEXT, table(REAL_HEAD, real)]
    return "\n\n".join(parts), wrong
