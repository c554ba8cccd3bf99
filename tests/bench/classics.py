# SPDX-License-Identifier: MIT
"""The programs of examples/classics: what checking each must give, and the figures published for programs of these
names. tests/examples/classics_test.py asserts the former; bench.py makes a table of both.

Sources of the published figures: Huang and Mercer, NFM 2015 (HM); Forejt, Joshi, Kroening, Narayanaswamy and Sharma,
TOPLAS 2017 (MOPPER, and ISP and SimGrid measured there); Khanna, Sharma, Rodriguez and Purandare, FM 2018 with errata
(Hermes, and ISP, Aislinn and CIVL measured there); Sharma, Gopalakrishnan and Bronevetsky, SBMF 2012 (MSPOE).
"""
import json
import os
import resource
import statistics
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "examples" / "classics"
LIMIT = 10  # as METHOD says, seconds of an exploration that does not end


@dataclass(frozen=True)
class All:
    """Everything is explored."""
    executions: int
    blocked: int = 0
    slow: bool = False  # not in the tests of every day


@dataclass(frozen=True)
class Found:
    """The first error is in this execution."""
    execution: int


@dataclass(frozen=True)
class Endless:
    """More executions than anybody waits for."""
    number: str = ""  # where known


@dataclass(frozen=True)
class Case:
    name: str
    words: tuple  # program and arguments
    buffering: str
    outcomes: dict  # number of ranks: All, Found or Endless
    published: dict = field(default_factory=dict)


CASES = [
    Case("Monte", ("monte",), "infinite", {4: All(6), 8: All(5040), 16: Endless("15!")},
         {4: "ISP 6 runs, 1 s; Aislinn 0.97 s; Hermes 4 runs, 2.3 s",
          8: "ISP > 5,000 runs; Aislinn 10.2 s; Hermes 8 runs, 7.4 s"}),
    Case("Monte", ("monte",), "zero", {4: Found(2), 8: Found(2), 16: Found(2)},
         {4: "deadlock missed by ISP (6 runs); MOPPER < 0.01 s", 8: "missed by ISP; MOPPER 0.02 s",
          16: "missed by ISP; MOPPER 0.08 s"}),
    Case("Integrate, one piece per worker", ("integrate", "each"), "zero",
         {4: All(6), 8: All(5040), 16: Endless("15!")},
         {4: "ISP 6 runs, 1.1 s; MOPPER 0.07 s", 8: "ISP 5,040 runs, 217 s; MOPPER 0.36 s",
          16: "ISP > 13,000 runs; MOPPER 1.2 s"}),
    Case("Integrate, 4 further pieces", ("integrate", "4"), "zero",
         {4: All(81), 8: All(2401), 16: All(50625, slow=True)},
         {4: "ISP and MSPOE 81 runs", 8: "ISP and MSPOE 2,401 runs"}),
    Case("Integrate, 3 further pieces", ("integrate", "3"), "zero", {4: All(27)},
         {4: "ISP 27 runs, 32.8 s; Aislinn 0.86 s; CIVL 910 s; Hermes 1 run, 0.21 s"}),
    Case("Integrate, 7 further pieces", ("integrate", "7"), "zero", {8: All(823543, slow=True)},
         {8: "ISP and Aislinn > 30 min; CIVL 173 s; Hermes 1 run, 0.85 s"}),
    Case("Heat", ("heat",), "infinite", {4: All(6), 8: All(5040), 16: Endless("15!")}),
    Case("Heat", ("heat",), "zero", {4: Found(2), 8: Found(2), 16: Found(2), 64: Found(2)},
         {4: "ISP 7 runs, 8.6 s; Hermes 0.39 s", 8: "ISP 5,021 runs, > 2 h; MOPPER 1.5 s; Hermes 0.66 s",
          16: "MOPPER 1.8 s; SimGrid 1.4 s; Hermes 1.1 s", 64: "MOPPER 6.9 s; SimGrid 2.3 s"}),
    Case("Diffusion2D", ("diffusion2d",), "infinite",
         {4: All(90), 8: Endless("14!/2^7"), 16: Endless("30!/2^15")},
         {4: "ISP 90 runs, 32 s; Aislinn 0.91 s; CIVL 8.5 s", 8: "ISP > 10,500 runs; Aislinn 16 s; MOPPER 0.72 s",
          16: "MOPPER 2 s"}),
    Case("Diffusion2D, collected by rank", ("diffusion2d", "2", "named"), "infinite",
         {4: All(1), 8: All(1), 16: All(1)}),
    Case("Diffusion2D", ("diffusion2d",), "zero", {4: Found(1), 8: Found(1), 16: Found(1)},
         dict.fromkeys((4, 8, 16), "all tools: found in the first run")),
    Case("Floyd", ("floyd",), "zero", {4: All(1), 8: All(1), 16: All(1), 64: All(1)},
         {8: "ISP > 20,000 runs; MOPPER 0.6 s (infinite); Aislinn 1.4 s; Hermes 0.22 s",
          16: "ISP > 20,000 runs; MOPPER 1.1 s", 64: "MOPPER 4 s"}),
    Case("Floyd, rows in any order", ("floyd", "any"), "infinite",
         {4: All(144), 8: Endless(), 16: Endless()}),
    Case("GE", ("gauss",), "infinite", {4: All(1), 8: All(1), 16: All(1), 64: All(1)},
         {4: "ISP 180 runs, 122 s (MSPOE 1 run)", 8: "ISP > 20,000 runs (MSPOE 1 run)"}),
    Case("GE", ("gauss",), "zero", {4: All(1), 8: All(1), 16: All(1)},
         {4: "ISP 1 run, 0.53 s; MOPPER 0.21 s; Aislinn 8.9 s; Hermes 0.30 s", 8: "ISP 1 run, 1.1 s; MOPPER 0.33 s",
          16: "ISP 1 run, 2 s; MOPPER 0.41 s; Aislinn and CIVL > 30 min; Hermes 0.66 s"}),
    Case("MatMul, 5 rows", ("matmul",), "zero", {4: All(54), 8: All(120), 16: All(120)},
         {4: "ISP 54 runs (MSPOE 1 run); Aislinn 0.87 s; CIVL 17.9 s; Hermes 5 runs, 7.3 s",
          8: "ISP 120 runs (MSPOE 1 run); Aislinn 2.2 s; CIVL 259 s; Hermes 5 runs, 19.7 s"}),
    Case("Workers", ("workers",), "zero", {4: All(42), 8: All(48), 16: All(48)},
         {4: "ISP 18 runs, 21 s; Aislinn 1.6 s; CIVL 37.8 s; Hermes 1 run, 0.36 s",
          8: "ISP > 30 min; Aislinn 9.1 s; CIVL > 30 min; Hermes 1 run, 1 s"}),
    Case("DTG", ("dtg",), "zero", {5: All(4, 2)},
         {5: "ISP 3 runs, 0.17 s (its optimised search misses it); MOPPER 0.007 s; Aislinn 0.83 s; CIVL 8.7 s; "
             "Hermes 0.04 s"}),
    Case("Crooked barrier", ("crooked_barrier",), "zero", {4: All(2), 8: All(2), 16: All(2)},
         {4: "ISP finds both; SimGrid misses one"}),
    Case("Crooked barrier, with a wrong assertion", ("crooked_barrier", "straight"), "zero",
         {4: Found(2), 8: Found(2), 16: Found(2)}),
]


def compile_all(rehearse, folder):
    for source in sorted(SOURCES.glob("*.c")):
        subprocess.run([rehearse, "cc", "-O2", "-Wall", "-Werror", "-o", str(folder / source.stem), str(source), "-lm"],
                       check=True)


def checked(rehearse, folder, case, ranks, *options):
    """The report of a check, and the processor seconds of the whole command."""
    if "--reduction" not in options:
        options += ("--reduction", "matching")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([rehearse, "check", "-n", str(ranks), "--jobs", "1", "--buffering", case.buffering,
                           "--quiet", "--json", "-", "--counterexample", os.devnull, *options,
                           folder / case.words[0], *case.words[1:]],
                          stdout=subprocess.PIPE, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def options_of(outcome):
    if isinstance(outcome, Found):
        return ("--max-executions", str(outcome.execution))
    return ("--max-seconds", str(LIMIT)) if isinstance(outcome, Endless) else ("--all",)


def mistake(report, outcome):
    """What is not as it must be, or nothing."""
    got = report["verdict"], report["executions"], report["blocked"], report["duplicates"]
    if isinstance(outcome, All):
        verdict = "violation" if outcome.blocked else "verified"
        return None if got == (verdict, outcome.executions, outcome.blocked, 0) else got
    return None if got[0] == ("violation" if isinstance(outcome, Found) else "inconclusive") else got


def row(case, ranks, outcome, report, seconds):
    if isinstance(outcome, Found):
        executions, verdict = f"{outcome.execution:,}", "error found"
    elif isinstance(outcome, Endless):
        executions, verdict = f"{report['executions']:,} of {outcome.number or 'an unknown number'}", "inconclusive"
    else:
        executions, verdict = f"{report['executions']:,}", report["verdict"]
    return (case.name, str(ranks), case.buffering, verdict, executions, f"{report['blocked']:,}",
            f"{seconds:.2g}" if seconds < 9.5 else f"{seconds:.0f}", case.published.get(ranks, ""))


HEAD = ("program", "ranks", "buffering", "verdict", "executions", "blocked", "seconds", "published")

METHOD = """\
The programs are our own (examples/classics), written after the descriptions in the papers. They have the same
patterns of communication, but not the same sources. The published figures come from several machines. They show the
cost of programs of this kind; an equal number of runs shows that the pattern is the same. Seconds are processor
seconds of the whole command `rehearse check`. For *error found*, the table gives the execution with the error
(`--max-executions`). Explorations with the verdict *inconclusive* were stopped after 10 seconds; the others are
complete (`--all`). `verified` means that every class of executions was visited, each once. MOPPER and Hermes do not
visit executions. For one path of control flow, they decide with a solver whether some order of its messages
deadlocks."""


# For merged states: program, words, buffering, ranks, and the time that is required for the whole command in seconds.
MERGED = [
    ("Monte", ("monte",), "infinite", {4: None, 8: None, 12: None, 16: 1}),
    ("Integrate, one piece per worker", ("integrate", "each"), "infinite", {4: None, 8: None, 12: None, 16: 10}),
    ("Integrate, 3 further pieces", ("integrate", "3"), "infinite", {4: None}),
    ("Integrate, 7 further pieces", ("integrate", "7"), "infinite", {8: None}),
    ("Heat", ("heat",), "infinite", {4: None, 8: None}),
    ("Diffusion2D", ("diffusion2d",), "infinite", {4: None, 8: 1}),
    ("Floyd, rows in any order", ("floyd", "any"), "infinite", {4: None, 8: 0.5, 12: 10}),
    ("MatMul, 5 rows", ("matmul",), "infinite", {4: None, 8: None}),
    ("Workers", ("workers",), "infinite", {4: None, 8: None}),
]
MERGED_LIMIT = 60  # as MERGED_METHOD says

MERGED_HEAD = ("program", "ranks", "verdict", "states", "local steps", "rounds", "seconds", "required",
               "histories with equal states", "classes")

MERGED_METHOD = """\
`rehearse check --reduction merged --buffering infinite --collective-synchronisation relaxed`, stopped after 60 seconds.
Seconds are processor seconds of the whole command. *Histories with equal states* is what `--count-merges` counts while
it visits classes for up to 10 seconds: of the local histories that end where a rank waits or ends, those that end in
the state of another one. *Classes* is the number that `matching` has visited then."""


def merged_row(rehearse, folder, case, ranks, required):
    name, words, buffering, _ = case
    options = ("--collective-synchronisation", "relaxed")
    plain = Case(name, words, buffering, {})
    report, seconds = checked(rehearse, folder, plain, ranks, *options, "--reduction", "merged", "--max-seconds",
                              str(MERGED_LIMIT))
    counted, _ = checked(rehearse, folder, plain, ranks, *options, "--count-merges", "--all", "--max-seconds",
                         str(LIMIT))
    merged, local = report.get("merged", {}), counted["local_histories"]
    return (name, str(ranks), report["verdict"], *(f"{merged.get(key, 0):,}" for key in ("states", "local_steps")),
            str(merged.get("rounds", "")), f"{seconds:.2g}" if seconds < 9.5 else f"{seconds:.0f}",
            "" if required is None else f"< {required}", f"{local['mergeable']:,} of {local['compared']:,}",
            f"{counted['executions']:,}" + ("" if counted["exhaustive"] else " of more"))


def merged_rows(rehearse, folder, log):
    compile_all(rehearse, folder)
    lines = []
    for case in MERGED:
        for ranks, required in case[3].items():
            log(f"{case[0]}, {ranks} ranks, merged")
            lines.append(merged_row(rehearse, folder, case, ranks, required))
    return lines


# For flow equations: ranks of Heat, and the time that is required for the whole command in seconds.
FLOW = {4: None, 8: None, 16: 2, 32: 10, 64: 60}

FLOW_HEAD = ("Heat, ranks", "verdict", "steps", "equations", "questions", "seconds", "required")

FLOW_METHOD = """\
`rehearse check --reduction flow --buffering infinite` of Heat, without optimisation by the compiler. Seconds are
processor seconds of the whole command."""


def flow_rows(rehearse, folder, log):
    heat = folder / "heat"
    subprocess.run([rehearse, "cc", "-o", str(heat), str(SOURCES / "heat.c"), "-lm"], check=True)
    lines = []
    for ranks, required in FLOW.items():
        log(f"Heat, {ranks} ranks, flow equations")
        report, seconds = checked(rehearse, folder, Case("Heat", ("heat",), "infinite", {}), ranks, "--reduction",
                                  "flow", "--max-seconds", str(2 * MERGED_LIMIT))
        counts = (f"{report.get('flow', {}).get(key, 0):,}" for key in ("steps", "equations", "questions"))
        lines.append((str(ranks), report["verdict"], *counts, f"{seconds:.2g}" if seconds < 9.5 else f"{seconds:.0f}",
                      "" if required is None else f"< {required}"))
    return lines


# Program and arguments, buffering, and by the number of ranks the seconds that are required.
FOOTPRINTS = [(("monte", "right"), "infinite", {8: None, 16: 3, 32: 30}),
              (("integrate", "each"), "infinite", {8: None, 16: 3, 32: 30}),
              (("integrate", "each"), "all", {8: None, 16: None}),
              (("diffusion2d",), "infinite", {8: None, 16: 5, 32: 30}),
              (("integrate", "7"), "infinite", {8: 30}),
              (("matmul", "14"), "infinite", {8: 30})]

FOOTPRINTS_HEAD = ("program", "buffering", "ranks", "verdict", "steps", "traced", "seconds", "required", "why no proof")

FOOTPRINTS_METHOD = """\
`rehearse check --reduction footprints`. Seconds are processor seconds of the whole command, which gives up its proof
after 30 seconds."""


def footprint_rows(rehearse, folder, log):
    compile_all(rehearse, folder)
    lines = []
    for words, buffering, required in FOOTPRINTS:
        for ranks, most in required.items():
            log(f"{' '.join(words)}, {ranks} ranks, footprints")
            report, seconds = checked(rehearse, folder, Case(words[0], words, buffering, {}), ranks, "--reduction",
                                      "footprints", "--max-seconds", "60")
            proof = report.get("footprints", {})
            counts = (f"{proof[key]:,}" if proof else "" for key in ("steps", "local_steps"))
            lines.append((" ".join(words), buffering, str(ranks), report["verdict"], *counts, f"{seconds:.2g}",
                          "" if most is None else f"< {most}", report.get("no_footprint_proof", "")))
    return lines


def rows(rehearse, folder, log):
    compile_all(rehearse, folder)
    lines, failed = [], []
    for case in CASES:
        for ranks, outcome in case.outcomes.items():
            log(f"{case.name}, {ranks} ranks, {case.buffering}")
            runs = [checked(rehearse, folder, case, ranks, *options_of(outcome))]
            while len(runs) < 3 and runs[0][1] < 1:
                runs.append(checked(rehearse, folder, case, ranks, *options_of(outcome)))
            report = runs[-1][0]
            if wrong := mistake(report, outcome):
                failed.append(f"{case.name}, {ranks} ranks, {case.buffering}: {wrong}")
            lines.append(row(case, ranks, outcome, report, statistics.median(seconds for _, seconds in runs)))
    return lines, failed
