#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The litmus programs of one-sided communication against verdicts that were decided by hand (litmus/expected.json).

A program with the verdict `verified` must end under `rehearse run` with one of its outcomes. Under `rehearse check`
the verdict must be the expected one. check_windows.py also compares races and numbers of executions, and random
programs. The programs are compiled with --check-memory; without it, which
those in UNSEEN are, too, no program with a window may be verified.

Usage: litmus_test.py --build BUILD [NAME...]      default: a few of each kind; `all`: all
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import programs

# Races in which one access is a plain load or store of the target.
UNSEEN = {"acc_load", "barrier_is_no_fence", "pscw_complete_is_not_remote", "pscw_load_in_epoch",
          "put_fence_early_load", "put_fence_early_store"}
# Deadlocks that need a lock of another rank which is taken late: an assumption names what was not explored.
LATE = {"locks_in_order_but_late"}
FEW = ["acc_order_other_operator", "after_nosucceed", "exclusive_counter", "fence_flags_differ",
       "fence_missing_partner", "first_fence_may_wait", "nested_start", "noop_get", "pscw_get", "pscw_halo",
       "pscw_start_first", "put_flush_send", "put_put_fence", "replace_replace", "sum_max", "sum_noop", "ticket",
       "put_fence_early_load", "two_gets_one_buffer", "await_for_ever", "flag_by_put"]
FAMILIES = {"race": ("rma.race",), "epoch": ("rma.", "collective.", "deadlock.", "resource."),
            "deadlock": ("deadlock.", "progress."), "local race": ("buffer.",)}


class Litmus:
    def __init__(self, build, folder):
        self.rehearse, self.folder = build / "bin" / "rehearse", folder
        self.counts = {}

    def call(self, *words):
        return subprocess.run([str(word) for word in (self.rehearse, *words)], cwd=self.folder, capture_output=True,
                              text=True, timeout=120, check=False)

    def problem_of_run(self, program, ranks, expected):
        done = self.call("run", "-n", ranks, program)
        if done.returncode != 0:
            return f"run ends with status {done.returncode}: {done.stderr.strip()[:300]}"
        outcome = done.stdout.strip().removeprefix("outcome ")
        return "" if outcome in expected["outcomes"] else f"run has the outcome {outcome}, not {expected['outcomes']}"

    def problem_of_check(self, name, program, ranks, expected):
        done = self.call("check", "-n", ranks, "--json", "-", program)
        try:
            report = json.loads(done.stdout)
        except ValueError:
            return f"check says no JSON: {done.stderr.strip()[:300]}"
        verdict = report["verdict"]
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        if verdict == "inconclusive":
            return f"check is inconclusive: {report['reasons']}"
        if name in LATE:
            return "" if verdict == "verified" and report.get("assumptions") else f"{verdict} without an assumption"
        wanted = expected["verdict"]
        ids = [finding["id"] for finding in report.get("findings", []) if finding.get("severity", "error") == "error"]
        if verdict != wanted:
            return f"check says {verdict} {ids}, not {wanted}"
        if verdict == "verified":
            executions = expected.get("executions")
            return "" if executions is None or report["executions"] >= len(expected["outcomes"]) \
                else f"{report['counts']['executions']} executions, fewer than outcomes"
        families = FAMILIES[expected["class"]]
        return "" if any(one.startswith(families) for one in ids) else f"check finds {ids}, not {families}"

    def problems(self, name, expected):
        text = (programs.LITMUS / f"{name}.txt").read_text()
        program = programs.Program(text)
        source = self.folder / f"{name}.c"
        source.write_text(programs.to_c(program))
        built = self.call("cc", "-g", "--check-memory", source, "-o", name)
        if built.returncode != 0:
            return [built.stderr]
        ranks, binary = len(program.ranks), self.folder / name
        if name in UNSEEN:
            self.call("cc", "-g", source, "-o", f"{name}_plain")
            done = self.call("check", "-n", ranks, "--quiet", self.folder / f"{name}_plain")
            if done.returncode != 3:
                return [f"without --check-memory, check ends with status {done.returncode}"]
        found = [self.problem_of_run(binary, ranks, expected)] if expected["verdict"] == "verified" else []
        found.append(self.problem_of_check(name, binary, ranks, expected))
        return [problem for problem in found if problem]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("names", nargs="*", default=FEW)
    options = parser.parse_args()
    expected = json.loads((programs.LITMUS / "expected.json").read_text())
    names = sorted(expected) if options.names == ["all"] else options.names
    with tempfile.TemporaryDirectory(prefix="rehearse-litmus-") as folder:
        litmus = Litmus(options.build.resolve(), Path(folder))
        wrong = {name: problems for name in names if (problems := litmus.problems(name, expected[name]))}
    for name, problems in wrong.items():
        for problem in problems:
            print(f"{name}: {problem}")
    print(f"{len(names) - len(wrong)} of {len(names)} litmus programs as expected; verdicts of check: {litmus.counts}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
