#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares `rehearse check` with the oracle of one-sided programs (rma_oracle.py).

For each litmus program, or for random programs: translates it to C, compiles it with --check-memory, checks it with
each reduction asked for, and compares the verdict, its class, the pair of accesses of a race, and the number of
executions. Many programs share one binary, since most of the time would go into compiling.

    check_windows.py REHEARSE [--litmus NAME...] [--random COUNT --seed N --style STYLE] [--programs STYLE:SEED...]
                     [--only-waits] [--reduction R...] [--bare] [--memory private|shared] [--model unified|separate]
                     [--seconds S] [--verbose]

--litmus without names: all of them. --bare: the C program has no locks but those of the text; without locks accesses
are no messages at first. --memory shared: the window is that of MPI_Win_allocate_shared; each rank still loads and
stores its own part only, but a lock is taken at its call, so nothing may depend on a late lock (LATE_LOCKS). Prints the
programs that differ, and one line with the numbers of each reduction, after Ctrl-C too. Exit status 1 after Ctrl-C, if
a program differs, or if with one reduction more programs than --inconclusive permits are inconclusive, or more than
--other-counts permits have another number of executions.

The language of the oracle is not C, so some programs are compared with less:
* `await` and `acquire` are one poll, which succeeds, to the oracle. To the check each number of polls is an execution:
  of such programs the number of executions must be that of the outcomes at least.
* Two atomics that read, compare-and-swaps that fail among them, have two orders; so have two that replace by one value
  if others read the element. There may be more executions then, but no more than such orders ("more orders").
* A message without a receive is an error that the oracle does not have: message.lost is expected in its place.
"""
import argparse
import collections
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import rma_axiomatic  # noqa: E402
import rma_oracle  # noqa: E402
import rma_programs  # noqa: E402

# The findings of each class of errors.
CLASSES = {"race": ("rma.race",), "local race": ("buffer.", "rma.buffer"), "deadlock": ("deadlock.", "progress."),
           "lost message": ("message.lost",)}
KINDS = {"": "agree", "+": "more orders", "?": "inconclusive", "!": "counts differ"}
POLLS = ("await", "acquire")
LATE_LOCKS = ("empty_section_orders_nothing",)  # litmus programs
BATCH = 40  # programs in one binary


def lines_of(source, program):
    """The line of each operation in the C program, by (rank, index)."""
    lines, at = {}, 0
    text = source.split("\n")
    for rank, ops in enumerate(program.ranks):
        while f"if (rank == {rank}) {{" not in text[at] or not text[at].startswith("  if"):
            at += 1
        at += 1
        while "MPI_REQUEST_NULL;" in text[at]:
            at += 1
        for index in range(len(ops)):
            lines[(rank, index)] = at + 1
            at += 1
    return lines


def compile_batch(rehearse, cases, folder):
    """A binary whose argument says which of the programs runs. The lines in reports are those of each program alone."""
    text = []
    for index, case in enumerate(cases):
        text += [f"#define main program_{index}", f'#line 1 "program_{index}.c"', case.source, "#undef main"]
    text += ["#include <stdlib.h>", "int main(int argc, char **argv)", "{", "  switch (atoi(argv[1])) {"]
    text += [f"  case {index}: return program_{index}(argc, argv);" for index in range(len(cases))]
    text += ["  }", "  return 2;", "}"]
    path, binary = folder / "programs.c", folder / "programs"
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    subprocess.run([rehearse, "cc", "-g", "--check-memory", str(path), "-o", str(binary)], check=True,
                   stdout=subprocess.DEVNULL)
    return binary


def run_check(rehearse, binary, index, ranks, arguments):
    done = subprocess.run([rehearse, "check", "-n", str(ranks), "--json", "-", "--minimise", "0", *arguments,
                           str(binary), str(index)],
                          capture_output=True, text=True, timeout=600, cwd=binary.parent, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"verdict": f"exit status {done.returncode}: {done.stderr[-300:]}"}


def errors_of(report):
    return [f for f in report.get("findings", []) if f.get("severity", "error") == "error"]


def wanted_classes(expected):
    """Which classes of errors a report must have, and which ones it may have."""
    must = {name for name, key in (("race", "races"), ("local race", "local_races")) if expected[key]}
    may = {"race"} if expected.get("racy_if_lazy") else set()
    dead = any(expected["deadlocks"][policy] for policy in ("free", "waiting"))
    others = {"deadlock"} if dead else {"lost message"} if expected["loses_messages"] else set()
    if must:  # behind a race nothing is defined
        may |= others
    else:
        must |= others
    if dead and expected["loses_messages"]:  # in executions that end
        may.add("lost message")
    return must, may


def polls(program):
    """Whether a rank polls. The oracle knows only the last poll, which succeeds; to the check each number of polls that
    do not is an execution of its own."""
    return any(op.kind in POLLS for ops in program.ranks for op in ops)


def may_wait_forever(expected):
    return expected is not None and any(expected["deadlocks"].values())


def compare_errors(expected, findings, lines, must, may):
    """What differs between the errors of the oracle and of the report, as text."""
    found = {next((name for name, ids in CLASSES.items() if f["id"].startswith(ids)), f["id"]) for f in findings}
    if not must <= found or not found <= must | may:
        texts = "; ".join(f"{f['id']} {f['message']}" for f in findings)
        return f"finds {sorted(found)}, not {sorted(must)}: {texts}"
    pairs = {tuple(sorted((lines[tuple(a)], lines[tuple(b)]))) for a, b in expected["races"]}
    for race in (f for f in findings if f["id"] == "rma.race"):
        places = race["locations"][:2]  # a third one may be the end of the epoch
        at = tuple(sorted(place["line"] for place in places))
        if at not in pairs and not expected.get("racy_if_lazy"):
            return f"race of lines {at}, not one of {sorted(pairs)}"
    return ""


def compare(program, expected, report, lines):
    """What differs, as text; empty: nothing. At its beginning, "?": inconclusive, "!": the number of executions, "+":
    likewise, but all differ in the order of reading or replacing atomics."""
    verdict, findings = report["verdict"], errors_of(report)
    if verdict == "inconclusive":
        return "?" + "; ".join(report.get("reasons", []))
    must, may = wanted_classes(expected)
    wanted = "violation" if must | may else "verified"
    if wanted == "verified" and expected["deadlocks"]["lazy"]:  # not explored: an assumption says so
        return "" if verdict == "verified" and report.get("assumptions") else f"{verdict} without an assumption"
    if verdict != wanted:
        return f"{verdict}, not {wanted}: " + "; ".join(f"{f['id']} {f['message']}" for f in findings)
    if wanted == "violation":
        return compare_errors(expected, findings, lines, must, may)
    low, high = len(expected["outcomes"]), expected["executions"] if not polls(program) else None
    if report["executions"] < low:
        return f"!{report['executions']} executions, not {low} or more"
    if high is None or report["executions"] <= high:
        return ""
    # To the check two reads, or two replacements by one value that something else is ordered with, have two orders.
    orders = len(rma_axiomatic.Axiomatic(program).run().orders)
    return ("+" if report["executions"] <= orders else "!") + f"{report['executions']} executions, not {low} to {high}"


def loses_messages(program):
    """Whether a message has no receive: an error that the oracle does not judge. (Without its message a receive waits
    forever, which it does judge.)"""
    def count(kind, pair):
        return collections.Counter(pair(op) for ops in program.ranks for op in ops if op.kind == kind)
    return bool(count("send", lambda op: (op.rank, op.target)) - count("recv", lambda op: (op.target, op.rank)))


class Case:
    """A program, the report of the oracle (None if its epochs are wrong), and its translation."""

    def __init__(self, name, text, options):
        self.name, self.text = name, text
        self.program = rma_programs.parse(text)
        self.expected = None
        if not rma_programs.epoch_errors(self.program):
            self.expected = rma_oracle.report(self.program, options.model)
            self.expected["loses_messages"] = loses_messages(self.program)
        self.source = rma_programs.to_c(self.program, self.outcomes(), options.bare, options.memory)

    def outcomes(self):
        """The program aborts on another one. None: any."""
        is_right = self.expected is not None and not any(self.expected["deadlocks"].values())
        return self.expected.get("outcomes") if is_right else None

    def waits(self):
        return polls(self.program) or may_wait_forever(self.expected)

    def difference(self, report):
        """As compare()."""
        if self.expected is not None:
            return compare(self.program, self.expected, report, lines_of(self.source, self.program))
        if report["verdict"] == "violation":
            return ""
        return ("?" if report["verdict"] == "inconclusive" else "") + f"{report['verdict']}, but epochs are wrong"


def cases_of(options):
    """Without programs that are too large for the oracle."""
    for name, text in programs_of(options):
        try:
            case = Case(name, text, options)
        except MemoryError:
            print(f"{name}: left out: too large for the oracle", flush=True)
            continue
        if case.waits() or not options.only_waits:
            yield case


def programs_of(options):
    for style, _, seed in (name.partition(":") for name in options.programs):
        yield f"{style} {seed}", rma_programs.random_text(int(seed), style)
    if options.programs:
        return
    if options.random:
        for seed in range(options.seed, options.seed + options.random):
            yield f"{options.style} {seed}", rma_programs.random_text(seed, options.style)
        return
    for path in sorted((HERE / "litmus").glob("*.txt")):
        is_other = options.memory == "shared" and path.stem in LATE_LOCKS
        if path.stem in options.litmus if options.litmus else not is_other:
            yield path.stem, path.read_text(encoding="utf-8")


def compare_case(case, binary, index, arguments, options, counts):
    for reduction, numbers in counts.items():
        # `matching` is the default, which also starts other proofs in a long exploration.
        chosen = ["--reduction", reduction] if reduction != "matching" else []
        report = run_check(options.rehearse, binary, index, len(case.program.ranks), [*chosen, *arguments])
        if options.verbose:
            print(case.text, json.dumps(case.expected),
                  json.dumps({k: report.get(k) for k in ("verdict", "reasons", "executions")}))
            print([(f["id"], f["message"]) for f in report.get("findings", [])])
        try:
            difference = case.difference(report)
        except MemoryError:
            print(f"{case.name}: left out: too many orders for the oracle to count", flush=True)
            return
        kind = KINDS.get(difference[:1], "differ")
        if kind == "inconclusive" and "(--max-seconds)" in difference:
            kind = "too long"
        numbers[kind] += 1
        if difference:
            print(f"{case.name} ({reduction}): {difference}", flush=True)


def compare_all(options, arguments, counts):
    cases = cases_of(options)
    while batch := list(itertools.islice(cases, BATCH)):
        with tempfile.TemporaryDirectory() as folder:
            binary = compile_batch(options.rehearse, batch, pathlib.Path(folder))
            for index, case in enumerate(batch):
                compare_case(case, binary, index, arguments, options, counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rehearse")
    parser.add_argument("--litmus", nargs="*")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--programs", nargs="*", default=[], metavar="STYLE:SEED", help="these random programs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--style", choices=rma_programs.STYLES, default="mixed")
    parser.add_argument("--only-waits", action="store_true", help="programs in which a rank polls or may wait forever")
    parser.add_argument("--reduction", nargs="+", choices=("matching", "odpor", "none"), default=["matching"])
    parser.add_argument("--model", choices=("unified", "separate"), default="unified")
    parser.add_argument("--bare", action="store_true", help="no locks but those of the program")
    parser.add_argument("--memory", choices=sorted(rma_programs.ALLOCATIONS), default="private")
    parser.add_argument("--seconds", type=float, help="at most, for each check; longer ones are counted apart")
    parser.add_argument("--inconclusive", type=int, default=1000000)
    parser.add_argument("--other-counts", type=int, default=1000000)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.rehearse = str(pathlib.Path(options.rehearse).resolve())
    arguments = []
    if options.model == "separate":
        arguments += ["--rma-model", "separate"]
    if options.seconds:
        arguments += ["--max-seconds", str(options.seconds)]
    counts = {name: dict.fromkeys([*KINDS.values(), "too long", "differ"], 0) for name in options.reduction}
    is_right = True
    try:
        compare_all(options, arguments, counts)
    except KeyboardInterrupt:
        print("interrupted")
        is_right = False
    for name, numbers in counts.items():
        print(f"{name}: {json.dumps(numbers)}")
        is_right &= numbers["inconclusive"] <= options.inconclusive and not numbers["differ"]
        is_right &= numbers["counts differ"] <= options.other_counts
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
