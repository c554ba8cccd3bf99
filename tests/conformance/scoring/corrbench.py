#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Score `rehearse check` on MPI-CorrBench's small programs (micro-benches/0-level).

Usage:  corrbench.py --rehearse PREFIX/bin/rehearse --programs .../micro-benches/0-level [--rma ...] [--json FILE]

A program's path is its label: `correct/` is clean, all others are wrong; the kind is in the file's name
(ArgError-MPISend-Tag-1). As in CorrBench's own parser an error on a wrong program is a TP; a warning alone is not
(there: TW), unless a completing or freeing call is missing. A warning on a correct program is counted but is no FP
(there: FW). `class ok`: a finding of the kind that the name says, by KINDS below; `line ok`: at a line that a comment
of the program names (in conflo/ these comments were copied and are often off).
"""
import argparse
import json
import os
import re
import sys

import scoring

# (pattern of the file's name, ids that mean the same); the first that matches counts
CRASH = ["crash.segfault", "argument.buffer"]
KINDS = [
    (r"ArgError-MPI\w+-(Communicator)", ["argument.communicator"]),
    (r"ArgError-MPIType", ["argument"]),
    (r"ArgError-MPI\w+-(\w*Count)", ["argument.count", "argument.buffer", "buffer", "collective.count",
                                     "collective.signature", "message.truncated", "crash"]),
    (r"ArgError-MPI\w+-(\w*Type)", ["argument.datatype", "message.type", "collective.signature", "argument.buffer"]),
    (r"ArgError-MPI\w+-(TargetRank|Rank|Dest|Root)", ["argument.rank", "argument.root", "collective.root"]),
    (r"ArgError-MPI\w+-Tag", ["argument.tag"]),
    (r"ArgError-MPI\w+-(\w*Buffer)", CRASH + ["buffer"]),
    (r"ArgError-MPI\w+-Op", ["argument.operator", "collective.operator"]),
    (r"ArgError-MPI\w+-(Reqe?u?est|Flag|Status)", ["argument", "crash.segfault"]),
    (r"ArgError-MPI(Get|Put|Win)", ["rma", "argument"]),
    (r"ArgMismatch-MPI(Get|Put)", ["rma"]),
    (r"ArgMismatch-MPI\w+-Type", ["message.type", "collective.signature", "message.truncated"]),
    (r"ArgMismatch-MPI\w+-Tag", ["deadlock", "message.lost"]),
    (r"ArgMismatch-MPI\w+-Communicator", ["deadlock", "message.lost"]),
    (r"ArgMismatch-MPI\w+-Count", ["collective.count", "collective.signature", "message.truncated"]),
    (r"ArgMismatch-MPI\w+-Op", ["collective.operator"]),
    (r"ArgMismatch-MPI\w+-root", ["collective.root"]),
    (r"ArgMismatch-MPI\w+-buffer-overlap", ["buffer"]),
    (r"MisplacedCall-MPI(Get|Put|Win)|MissingCall-MPI(Win|Fence)", ["rma", "argument.window"]),
    (r"M\w+Call-MPITypeCommit", ["argument.datatype"]),
    (r"MissingCall-MPIFinalize", ["lifecycle"]),
    (r"MissingCall-MPI(Wait|IBcast)", ["resource.request", "request", "collective", "deadlock"]),
    (r"MisplacedCall-MPIWait", ["buffer", "request", "argument.request"]),
    (r"MissingCall-MPIRecv|MisplacedCall-MPISend", ["message.lost", "deadlock", "lifecycle"]),
    (r"Deadlock", ["deadlock", "collective.operation"]),
    (r".*", ["thread", "buffer", "deadlock", "lifecycle"]),
]
MISSING = re.compile(r"MissingCall|MisplacedCall")


def kind_of(path):
    parts = path.split(os.sep)
    if "correct" in parts:
        return "correct" + ("/openmp" if "openmp" in parts else "/" + parts[-2])
    if "openmp" in parts:
        return "openmp/" + parts[parts.index("openmp") + 1]
    return re.split(r"-", parts[-1])[0] + (" (conflo)" if "conflo" in parts else "")


def main():
    p = argparse.ArgumentParser(description="Score `rehearse check` on MPI-CorrBench's small programs.")
    p.add_argument("--rehearse", required=True, help="the rehearse program")
    p.add_argument("--programs", required=True, help="CorrBench's micro-benches/0-level")
    p.add_argument("--timeout", type=float, default=60, help="seconds for one check (60)")
    p.add_argument("--ranks", type=int, default=2, help="how many ranks (2, as CorrBench has it)")
    p.add_argument("--cc-options", default="--check-memory -O0", help="for rehearse cc (--check-memory -O0)")
    p.add_argument("--check-options", default="", help="for rehearse check")
    p.add_argument("--rma", choices=["exclude", "only", "include"], default="exclude",
                   help="programs that call one-sided communication (exclude)")
    p.add_argument("--only", default="", help="only programs whose path matches this regular expression")
    p.add_argument("--json", help="every result, to this file")
    p.add_argument("--verbose", action="store_true",
                   help="also print programs whose outcome is right, but whose class is not")
    args = p.parse_args()
    if not os.access(args.rehearse, os.X_OK):
        sys.exit("corrbench.py: no program at " + args.rehearse)
    root = os.path.abspath(args.programs)
    checker = scoring.Checker(args.rehearse, args.cc_options.split(), args.timeout,
                              include=[os.path.join(root, "correct", "include"), os.path.join(root, "openmp")],
                              check_options=args.check_options.split())
    files = sorted(os.path.relpath(os.path.join(folder, f), root) for folder, _, names in os.walk(root) for f in names
                   if f.endswith(".c"))
    rows, compile_cpu = [], 0.0
    base_options = checker.cc_options
    for name in files:
        if not re.search(args.only, name):
            continue
        path = os.path.join(root, name)
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        rma = bool(scoring.RMA.search(re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S))) or "/rma/" in "/" + name
        if (args.rma == "exclude" and rma) or (args.rma == "only" and not rma):
            continue
        checker.cc_options = base_options + (["-fopenmp"] if name.startswith("openmp") else [])
        exe, error, cpu = checker.compile(path)
        compile_cpu += cpu
        comments = " ".join(re.findall(r"/\*.*?\*/|//[^\n]*", text, flags=re.S))
        lines = {int(n) for m in re.findall(r"lines? ([\d/, and]+)", comments) for n in re.findall(r"\d+", m)}
        clean = "correct" in name.split(os.sep)
        accept = next(ids for pattern, ids in KINDS
                      if re.match(pattern, os.path.basename(name)) or re.search(pattern, name))
        row = {"name": name, "detail": kind_of(name), "rma": rma, "cpu": 0.0, "right_class": False, "right_line": False,
               "has_line": bool(lines), "note": "", "executions": 0, "ids": [], "warned": False}
        rows.append(row)
        if exe is None:
            row.update(outcome="compile", note=" ".join(l for l in error.splitlines() if "error" in l)[-200:])
            continue
        answer = checker.check(exe, args.ranks)
        reported = [f for f in answer.of("error", "warning") if scoring.matches(f["id"], accept)]
        if answer.timeout:
            outcome = "timeout"
        elif answer.verdict not in ("verified", "violation"):
            outcome = "inconclusive"
        elif clean:
            outcome = "FP" if answer.of("error") else "TN"
        elif answer.verdict == "violation":
            outcome = "TP"
        else:
            outcome = "TP" if reported and MISSING.match(os.path.basename(name)) else "FN"
        right_line = any(scoring.lines_of(f, os.path.basename(name)) & lines for f in reported)
        row.update(outcome=outcome, right_class=bool(reported), warned=bool(answer.of("warning")), cpu=answer.cpu,
                   right_line=right_line, verdict=answer.verdict,
                   note=scoring.brief(answer), executions=answer.executions, ids=[f["id"] for f in answer.findings],
                   messages=[f.get("message", "") for f in answer.findings], wall=answer.wall, reasons=answer.reasons)
    for r in rows:
        odd = (r["outcome"] in ("FN", "FP", "inconclusive", "timeout", "compile")
               or (r["outcome"] == "TN" and r["warned"]))
        loose = r["outcome"] == "TP" and not r["right_class"]
        if odd or (args.verbose and loose):
            print("%-62s %s%s: %s" % (r["name"], r["outcome"], "" if odd else " (class other)", r["note"][:200]))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump(rows, f, indent=1)
    scoring.table(rows, "detail")
    scoring.rates(rows)
    print("correct programs with a warning (FW): %d; CPU seconds: compile %.1f, check %.1f; longest check %.2f s" % (
        sum(r["warned"] and r["outcome"] == "TN" for r in rows), compile_cpu, sum(r["cpu"] for r in rows),
        max((r.get("wall", 0) for r in rows), default=0)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
