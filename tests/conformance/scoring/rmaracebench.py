#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Score `rehearse check` on the MPI programs of RMARaceBench.

Usage:  rmaracebench.py --rehearse PREFIX/bin/rehearse --programs .../MPIRMA [--json FILE] [--only REGEX]

Each program has a JSON label between comments: RACE_KIND (none, local, remote), RACE_PAIR (calls or LOAD and STORE with
lines) and NPROCS. A race that is reported on a program with one is a TP, on one without it an FP; other errors count as
if nothing was reported, and stand apart. `class ok`: rma.race of a remote race, buffer.* of a local one. `line ok`: a
finding of that class names a line of the pair. TRAPS lists labels that differ from MPI's rules, by name; such programs
count as the label says, and are printed with the reason.
"""
import argparse
import json
import os
import re
import sys

import scoring

LABEL = re.compile(r"RACE LABELS BEGIN\s*/\*(.*?)\*/\s*//\s*RACE LABELS END", re.S)
CLASSES = {"remote": ["rma.race"], "local": ["buffer", "rma.race"]}
RACES = ["rma.race", "buffer"]
# (pattern of the file's name, what is special)
TRAPS = [
    (r"hybrid-task-\w+-no", "a loop of atomic reads waits for another thread: orders of atomics are not explored"),
    (r"sync-request-local", "calls MPI_Rget in a fence epoch, which is rma.passive_only and no race"),
    (r"sync-polling", "a load that polls a flag of a put: a valid value of the unified model, reported as a race"),
    (r"conflict-get-store", "a store against a get: a valid value of the unified model, reported as a race"),
    (r"lock-exclusive-remote-yes", "races in one of two orders of the locks only"),
]


def label_of(path):
    """Kind, lines of the pair, number of ranks."""
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    found = LABEL.search(text)
    if not found:
        sys.exit(f"rmaracebench.py: {path} has no label between RACE LABELS BEGIN and RACE LABELS END")
    try:
        label = json.loads(found.group(1))
        kind, ranks = label["RACE_KIND"], int(label["NPROCS"])
    except (ValueError, KeyError) as problem:
        sys.exit(f"rmaracebench.py: cannot read the label of {path}: {problem!r}")
    if kind != "none" and kind not in CLASSES:
        sys.exit(f"rmaracebench.py: {path} has the kind '{kind}'; accepted: none, local, remote")
    lines = {int(n) for n in re.findall(r"@(\d+)", " ".join(label.get("RACE_PAIR", [])))}
    used = [int(n) for n in re.findall(r"#define\s+PROC_NUM\s+(\d+)", text)]
    return kind, lines, max([ranks] + used)  # some labels name fewer ranks than the program needs


def judge(kind, lines, answer, base):
    """outcome, right class, right line"""
    if answer.timeout:
        return "timeout", False, False
    if answer.verdict not in ("verified", "violation"):
        return "inconclusive", False, False
    races = [f for f in answer.of("error") if scoring.matches(f["id"], RACES)]
    if kind == "none":
        return ("FP" if races else "TN"), False, False
    if not races:
        return "FN", False, False
    right = [f for f in races if scoring.matches(f["id"], CLASSES[kind])]
    return "TP", bool(right), any(scoring.lines_of(f, base) & lines for f in right)


def trap_of(name):
    return next((why for pattern, why in TRAPS if re.search(pattern, name)), "")


def main():
    p = argparse.ArgumentParser(description="Score `rehearse check` on the MPI programs of RMARaceBench.")
    p.add_argument("--rehearse", required=True, help="the rehearse program")
    p.add_argument("--programs", required=True, help="folder with RMARaceBench's MPI programs (searched with folders)")
    p.add_argument("--timeout", type=float, default=60, help="seconds for one check (60)")
    p.add_argument("--cc-options", default="--check-memory -O0 -fopenmp",
                   help="for rehearse cc (--check-memory -O0 -fopenmp)")
    p.add_argument("--only", default="", help="only programs whose name matches this regular expression")
    p.add_argument("--json", help="every result, to this file")
    args = p.parse_args()
    if not os.access(args.rehearse, os.X_OK):
        sys.exit("rmaracebench.py: no program at " + args.rehearse)
    files = sorted(os.path.relpath(os.path.join(folder, f), args.programs)
                   for folder, _, names in os.walk(args.programs) for f in names
                   if f.endswith(".c") and re.search(args.only, f))
    if not files:
        sys.exit(f"rmaracebench.py: no C program in {args.programs}")
    checker = scoring.Checker(args.rehearse, args.cc_options.split(), args.timeout)
    rows = []
    for name in files:
        path = os.path.abspath(os.path.join(args.programs, name))
        kind, lines, ranks = label_of(path)
        exe, error, _ = checker.compile(path)
        row = {"name": name, "group": os.path.dirname(name) or ".", "kind": kind, "right_class": False,
               "right_line": False, "has_line": bool(lines), "cpu": 0.0, "note": error.strip()[-200:],
               "outcome": "compile", "trap": trap_of(name)}
        rows.append(row)
        if exe is None:
            continue
        answer = checker.check(exe, ranks)
        outcome, right_class, right_line = judge(kind, lines, answer, os.path.basename(name))
        row.update(outcome=outcome, right_class=right_class, right_line=right_line, cpu=answer.cpu,
                   note=scoring.brief(answer), ids=[f["id"] for f in answer.findings])
    for row in rows:
        if row["outcome"] not in ("TP", "TN") or row["trap"]:
            print("%-55s %-7s %-12s %s" % (row["name"], row["kind"], row["outcome"], row["note"][:200]))
            if row["trap"]:
                print("    label: " + row["trap"])
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump(rows, f, indent=1)
    scoring.table(rows, "group")
    scoring.rates(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
