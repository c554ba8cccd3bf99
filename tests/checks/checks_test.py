#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks every labelled program (labels.py): the wrong ones are reported with the check and the line that their labels
name, and nothing else, and each counter-example replays; the right ones are not reported. What is said of a finding is
at most a page: few lines, none long, with the clause of the standard and a place for each rank.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[0] / "tools"))
import closing_line  # noqa: E402
import labels  # noqa: E402

BUILD = pathlib.Path(os.environ.get("REHEARSE_BUILD", HERE.parents[1] / "build"))
REHEARSE = BUILD / "bin" / "rehearse"
COMPILER = {".c": "cc", ".cpp": "c++"}
FEWEST = 500
PAGE_LINES, PAGE_COLUMNS = 60, 100
# Not about MPI: the standard has no clause on them.
WITHOUT_CLAUSE = ("assertion", "crash", "outcome", "property", "progress.cycle", "progress.step",
                  "deadlock.actors", "race.variable", "failure")
# Some of the ranks have no place: members that are past a collective, receivers that never took a message.
WITHOUT_PLACE = ("collective", "message.lost", "message.not_ready")


def finish(words, folder):
    return subprocess.run([str(word) for word in words], cwd=folder, text=True, capture_output=True, check=False,
                          timeout=300)


def report_of(label, folder):
    """What a check of the program says, as JSON; or why there is none."""
    program = pathlib.Path(folder) / label.path.stem
    done = finish([REHEARSE, COMPILER[label.path.suffix], "-g", *label.compile, label.path, "-o", program, "-lm"],
                  folder)
    if done.returncode != 0:
        return None, done.stderr
    done = finish([REHEARSE, "check", "-n", label.ranks, "--all", "--jobs", "1", "--quiet", "--counterexample",
                   "counterexample.json", "--json", "-", *label.options, program], folder)
    try:
        return json.loads(done.stdout), ""
    except json.JSONDecodeError:
        return None, f"check ended with status {done.returncode}: {done.stdout}{done.stderr}"


def faults_of_text(report):
    """What is too much in the text, or missing in the findings."""
    faults = []
    for finding in report["findings"]:
        id_ = finding["id"]
        # Each place has a line for where it is, one for its call, which is not wrapped, and one for what is done there.
        lines = (len(finding["message"]) + len(finding["advice"])) // PAGE_COLUMNS + 3 * len(finding["locations"]) + 6
        if lines > PAGE_LINES:
            faults.append(f"{id_} has about {lines} lines")
        faults += [f"{id_}: {len(place['call'])} columns: {place['call']}" for place in finding["locations"]
                   if len(place["call"]) > 2 * PAGE_COLUMNS]
        if "clause" not in finding and not id_.startswith(WITHOUT_CLAUSE):
            faults.append(f"{id_} has no clause")
        if not finding["advice"]:
            faults.append(f"{id_} does not say what to do")
        if not finding["locations"]:
            faults.append(f"{id_} has no place")
        faults += [f"{id_}: rank {place['rank']} has no line or function: {place}" for place in finding["locations"]
                   if not place["file"] or place["line"] <= 0 or not place["function"]]
        faults += [f"{id_}: nothing is said of rank {rank}" for rank in finding["ranks"]
                   if rank not in {place["rank"] for place in finding["locations"]}
                   and not id_.startswith(WITHOUT_PLACE)]
    return faults


def fault_of_replay(report, folder):
    """Why the counter-example of the report, if there is one, is none."""
    if report["verdict"] != "violation":
        return ""
    done = finish([REHEARSE, "replay", "--on", "cluster:8", "counterexample.json"], folder)
    return "" if done.returncode == 1 else f"replay ended with status {done.returncode}: {done.stdout}{done.stderr}"


def lines_of(finding, name):
    return {place["line"] for place in finding["locations"] if pathlib.Path(place["file"]).name == name}


def twin_of(right):
    """The wrong program that it is the right twin of; itself, if there is none."""
    wrong = right.path.with_name(right.path.name.replace("_right.", "_wrong."))
    return labels.read(wrong) if wrong.exists() else right


def faults_of(label):
    """What the report does not say of this program, or should not."""
    with tempfile.TemporaryDirectory() as folder:
        report, problem = report_of(label, folder)
        replayed = "" if report is None else fault_of_replay(report, folder)
    if report is None:
        return [problem]
    errors = [finding for finding in report["findings"] if finding["severity"] == "error"]
    others = [finding for finding in report["findings"] if finding["severity"] == "warning"]
    faults = [replayed] if replayed else []
    faults += [f"{kind} {finding['id']} is not in the label: {finding['message']}"
              for kind, found, wanted in (("error", errors, label.check), ("warning", others, label.warns))
              for finding in found if finding["id"] not in wanted]
    notes = [finding for finding in report["findings"] if finding["severity"] == "note"]
    for found, wanted in ((errors, label.check[:1]), (others, label.warns), (notes, label.notes)):
        faults += [f"{id_} is not reported; the verdict is {report['verdict']} {report['reasons']}"
                   for id_ in wanted if id_ not in {finding["id"] for finding in found}]
    faults += [f"note {note['id']} is that of the wrong twin: {note['message']}"
               for note in notes if not label.is_wrong and note["id"] in twin_of(label).notes]
    if not label.is_wrong and report["verdict"] != "verified":
        faults.append(f"the verdict is {report['verdict']}: {report['reasons']}")
    reported = set().union(*(lines_of(finding, label.path.name) for finding in report["findings"]), set())
    faults += [f"no finding speaks of line {line}, only of {sorted(reported)}" for line in label.lines
               if line not in reported]
    first = (label.check or label.warns or label.notes)[:1]
    said = [finding["message"] for finding in report["findings"] if finding["id"] in first]
    if label.says and (len(said) != 1 or label.says not in said[0]):
        faults.append(f"'{label.says}' is not said in one finding, but {said}")
    return faults + faults_of_text(report)


class Labelled(unittest.TestCase):
    """One test per program; they all run at once, and each test waits for its own."""

    @classmethod
    def setUpClass(cls):
        cls.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        cls.faults = {label.path: cls.pool.submit(faults_of, label) for label in LABELS}

    @classmethod
    def tearDownClass(cls):
        cls.pool.shutdown()

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(LABELS), FEWEST)

    def test_wrong_programs_have_a_right_twin(self):
        right = {(label.family, label.name) for label in LABELS if not label.is_wrong}
        self.assertEqual([str(label.path) for label in LABELS
                          if label.is_wrong and (label.family, label.name) not in right], [])


def add_test(label):
    setattr(Labelled, f"test_{label.family}_{label.path.stem}",
            lambda self: self.assertEqual(self.faults[label.path].result(), []))


# Words on the command line before `--`-less arguments choose programs by parts of their names.
CHOSEN = [word for word in sys.argv[1:] if not word.startswith("-") and "=" not in word]
LABELS = [label for label in labels.everything()
          if not CHOSEN or any(word in f"{label.family}/{label.path.stem}" for word in CHOSEN)]
for each in LABELS:
    add_test(each)

if __name__ == "__main__":
    if CHOSEN:
        FEWEST = 0
        sys.argv = [word for word in sys.argv if word not in CHOSEN]
    closing_line.main()
