#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Score `rehearse check` on the programs of the MPI Bugs Initiative.

Usage:  mbi.py --rehearse PREFIX/bin/rehearse --programs FOLDER [--rma exclude|only|include] [--json FILE]

FOLDER holds the C programs that MBI's generators (scripts/*Generator.py) wrote. The score is MBI's own: on a program
that is labelled ERROR any violation is a TP. Two stricter counts stand beside it: `class ok` (a finding of the labelled
class is reported; the map is CLASSES below) and `line ok` (such a finding names one of the lines that the label or an
MBIERROR comment names). A warning counts where the label is a leak, and the note race.wildcard where it is MessageRace
(counted apart as `by note`). A warning on a correct program is an FP. TRAPS lists one-sided programs whose label
differs from MPI's rules, by name: they count as the label says, are printed with the reason, and a last line gives the
score without them.
"""
import argparse
import json
import os
import re
import sys

import scoring

DETAIL = r"[ |]*ERROR: *(\w+)"
# MBI's detail -> ids of rehearse (or their first words) that mean the same
P2P_STUCK = ["deadlock", "message.lost", "progress"]
CLASSES = {
    "InvalidCommunicator": ["argument.communicator", "argument.topology"],
    "InvalidDatatype": ["argument.datatype"],
    "ActualDatatype": ["argument.datatype"],
    "InvalidRoot": ["argument.root"],
    "InvalidTag": ["argument.tag"],
    "InvalidOperator": ["argument.operator"],
    "InvalidSrcDest": ["argument.rank"],
    "InvalidOtherArg": ["argument"],
    "InvalidWindow": ["argument.window"],
    "InvalidBuffer": ["argument.buffer", "buffer", "rma"],
    "CommunicatorLeak": ["resource.communicator"],
    "GroupLeak": ["resource.group"],
    "OperatorLeak": ["resource.operator"],
    "TypeLeak": ["resource.datatype"],
    "DatatypeLeak": ["resource.datatype"],
    "RequestLeak": ["resource.request"],
    "MissingWait": ["resource.request", "request.overwritten", "request.active", "rma.not_closed", "rma.nested"],
    "MissingStart": ["request.inactive", "rma.no_epoch", "rma.not_open"],
    "MissingEpoch": ["rma"],
    "DoubleEpoch": ["rma"],
    "LocalConcurrency": ["buffer"],
    "GlobalConcurrency": ["rma", "buffer"],
    "CommunicatorMatching": P2P_STUCK + ["collective"],
    "DatatypeMatching": ["message.type", "collective.signature", "message.truncated", "collective.count"],
    "OperatorMatching": ["collective.operator"],
    "RootMatching": ["collective.root"],
    "TagMatching": P2P_STUCK,
    "CallMatching": P2P_STUCK + ["collective.operation"],
    "IHCallMatching": P2P_STUCK + ["collective.operation"],
    "MessageRace": ["deadlock", "message", "assertion", "crash.abort", "crash.mpi_abort", "crash.exit_status", "race"],
    "BufferingHazard": ["deadlock"],
}
# (pattern of the file's name, what MPI says of such a program, why)
TRAPS = [
    (r"^LocalConcurrency_(lloutwindow_)?Win_lock\w*_ok", "wrong",
     "nothing orders the store of the owner after MPI_Win_create before the operation under a shared lock"),
    (r"^GlobalConcurrency_rl_\w+_(Get_rstore|Put_rstore|Put_rload)_nok", "right",
     "the owner uses another element than the operation, which is no race in the unified memory model"),
    (r"^ReqLifecycle_RMA_TwoEpoch_Win_fence_Win_lock", "right",
     "a lock after a fence without operations, which MPICH's mixedsync also does"),
]
LEAKS = {"CommunicatorLeak", "GroupLeak", "OperatorLeak", "TypeLeak", "DatatypeLeak", "RequestLeak", "MissingWait"}


def tests_of(path):
    """Each test of a file: command, detail ('OK' or MBI's), lines that are guilty."""
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read().splitlines()
    inside, tests = False, []
    base = os.path.basename(path)
    comments = {i + 1 for i, line in enumerate(text) if "MBIERROR" in line}
    for i, line in enumerate(text):
        if "BEGIN_MBI_TESTS" in line:
            inside = True
        elif "END_MBI_TESTS" in line:
            inside = False
        elif inside and re.match(r"\s+\$ ?", line):
            command = re.match(r"\s+\$ ?(.*)", line).group(1)
            m = re.match(DETAIL, text[i + 1])
            named = {int(n) for n in re.findall(re.escape(base) + r":(\d+)", text[i + 2])}
            tests.append({"command": command, "detail": m.group(1) if m else "OK", "named": named,
                          "lines": named | comments, "diagnostic": text[i + 2].strip(" |")})
    return tests, "\n".join(text)


def judge(test, answer, base):
    """outcome, right class, right line, by note"""
    detail = test["detail"]
    if answer.timeout:
        return "timeout", False, False, False
    if answer.verdict not in ("verified", "violation"):
        return "inconclusive", False, False, False
    if detail == "OK":
        return ("FP" if answer.of("error", "warning") else "TN"), False, False, False
    reported = [f for f in answer.of("error", "warning", "note") if scoring.matches(f["id"], CLASSES[detail])]
    lines = any(scoring.lines_of(f, base) & test["lines"] for f in reported)
    if answer.verdict == "violation":
        return "TP", bool(reported), lines, False
    if detail in LEAKS and [f for f in reported if f["severity"] == "warning"]:
        return "TP", True, lines, False
    if detail == "MessageRace" and reported:
        return "TP", True, lines, True
    return "FN", False, False, False


def trap_of(name):
    """(what MPI says, why) if the label of this program differs from it"""
    return next(((what, why) for pattern, what, why in TRAPS if re.search(pattern, name)), None)


def print_without_traps(rows):
    traps = [r for r in rows if r["trap"]]
    as_mpi_says = sum(r["outcome"] in (("FN", "TN") if r["trap"][0] == "right" else ("TP", "FP")) for r in traps)
    print("%d labels differ from MPI, %d of these programs are judged as MPI says; the others:" % (
        len(traps), as_mpi_says))
    scoring.rates([r for r in rows if not r["trap"]])


def main():
    p = argparse.ArgumentParser(description="Score `rehearse check` on MBI's programs.")
    p.add_argument("--rehearse", required=True, help="the rehearse program")
    p.add_argument("--programs", required=True, help="folder with the C programs that MBI's generators wrote")
    p.add_argument("--timeout", type=float, default=60, help="seconds for one check (60)")
    p.add_argument("--cc-options", default="--check-memory -O0", help="for rehearse cc (--check-memory -O0)")
    p.add_argument("--rma", choices=["exclude", "only", "include"], default="exclude",
                   help="programs that call one-sided communication (exclude)")
    p.add_argument("--only", default="", help="only programs whose name matches this regular expression")
    p.add_argument("--json", help="every result, to this file")
    p.add_argument("--verbose", action="store_true",
                   help="also print programs whose outcome is right, but whose class or line is not")
    p.add_argument("--part", default="0/1", help="I/N: every Nth program, from the Ith on")
    args = p.parse_args()
    if not os.access(args.rehearse, os.X_OK):
        sys.exit("mbi.py: no program at " + args.rehearse)
    checker = scoring.Checker(args.rehearse, args.cc_options.split(), args.timeout)
    files = sorted(f for f in os.listdir(args.programs) if f.endswith(".c") and re.search(args.only, f))
    part, parts = map(int, args.part.split("/"))
    files = files[part::parts]
    rows, compile_cpu = [], 0.0
    for name in files:
        path = os.path.abspath(os.path.join(args.programs, name))
        tests, text = tests_of(path)
        code = re.sub(r"/\*.*?\*/", "", text.split("End of MBI headers")[-1], flags=re.S)
        rma = bool(scoring.RMA.search(code))
        if (args.rma == "exclude" and rma) or (args.rma == "only" and not rma):
            continue
        exe, error, cpu = checker.compile(path)
        compile_cpu += cpu
        for number, test in enumerate(tests):
            row = {"name": name, "test": number, "detail": test["detail"], "rma": rma, "cpu": 0.0, "right_class": False,
                   "right_line": False, "has_line": bool(test["lines"]), "note": "", "by_note": False, "executions": 0,
                   "group": name.split("_")[0].split("-")[0], "diagnostic": test["diagnostic"], "ids": [],
                   "trap": trap_of(name)}
            rows.append(row)
            if exe is None:
                row.update(outcome="compile", note=error.strip()[-200:])
                continue
            m = re.match(r"mpirun -np (\d+) *(\$\w+ )?\s*\$\{EXE\} *(.*)", test["command"])
            if not m:
                sys.exit("mbi.py: cannot read the command of %s: %s" % (name, test["command"]))
            buffering = {"$zero_buffer": "zero", "$infty_buffer": "infinite"}.get((m.group(2) or "").strip())
            options = ["--buffering", buffering] if buffering else []
            answer = checker.check(exe, m.group(1), m.group(3).split(), options)
            outcome, right_class, right_line, by_note = judge(test, answer, name)
            row.update(outcome=outcome, right_class=right_class, right_line=right_line, by_note=by_note, cpu=answer.cpu,
                       note=scoring.brief(answer), executions=answer.executions, verdict=answer.verdict,
                       messages=[f.get("message", "") for f in answer.findings], ids=[f["id"] for f in answer.findings],
                       wall=answer.wall)
    for r in rows:
        odd = r["outcome"] in ("FN", "FP", "inconclusive", "timeout", "compile")
        loose = r["outcome"] == "TP" and not (r["right_class"] and (r["right_line"] or not r["has_line"]))
        if odd or (args.verbose and loose):
            name = r["name"] + ("" if r["test"] == 0 else "#%d" % r["test"])
            other = "" if odd else " (class %s)" % ("right, other line" if r["right_class"] else "other")
            print("%-55s %-20s %s%s: %s" % (name, r["detail"], r["outcome"], other, r["note"][:200]))
            if r["trap"]:
                print("    label: by MPI it is %s: %s" % r["trap"])
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump(rows, f, indent=1)
    scoring.table(rows, "detail")
    scoring.rates(rows)
    print("by note only: %d; CPU seconds: compile %.1f, check %.1f; longest check %.2f s" % (
        sum(r["by_note"] for r in rows), compile_cpu, sum(r["cpu"] for r in rows),
        max((r.get("wall", 0) for r in rows), default=0)))
    if any(r["trap"] for r in rows):
        print_without_traps(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
