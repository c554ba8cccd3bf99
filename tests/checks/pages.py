#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/checks: a page for each class of checks. Each check has its meaning, the section of the MPI standard,
advice, and a wrong and a right program of this folder.

Usage:  pages.py --rehearse REHEARSE --folder FOLDER     (./dev pages does it)
"""
import argparse
import json
import subprocess
import textwrap
from pathlib import Path

import labels

CLASSES = {
    "deadlock": "Deadlocks", "progress": "No progress", "assertion": "Assertions", "crash": "Crashes",
    "error": "Errors that calls return", "message": "Messages", "collective": "Collectives",
    "argument": "Arguments", "request": "Requests",
    "buffer": "Buffers", "lifecycle": "Beginning and end", "rma": "One-sided communication", "file": "Files",
    "resource": "Resources", "outcome": "Outcomes",
    "race": "Races", "hint": "Hints",
    "property": "Properties of your own", "operator": "Operators", "thread": "Threads",
    "time": "Time", "unsupported": "Limits", "failure": "Failures of processes",
}


LINE_COLUMNS = 120


def wrapped(text):
    """A paragraph in lines of at most LINE_COLUMNS."""
    return textwrap.fill(text, LINE_COLUMNS, break_long_words=False, break_on_hyphens=False)


def checks_of(rehearse):
    done = subprocess.run([rehearse, "list", "checks", "--quiet", "--json", "-"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["checks"]


def source_of(label):
    """The program without its label."""
    lines = label.path.read_text().splitlines()
    while lines[0].startswith("//"):
        lines.pop(0)
    return "\n".join(lines)


def how_to_run(label):
    words = ["rehearse", "check", "-n", label.ranks, *label.options]
    compiled = f", compiled with `{' '.join(label.compile)}`" if label.compile else ""
    return f"`{' '.join(words)}`{compiled}"


def example_of(check_id, programs):
    """A wrong program with this check, and its right twin: the first one without failures of processes, or the first
    one."""
    for wrong in sorted(programs, key=lambda program: program.family == "failures"):
        if wrong.is_wrong and (wrong.check[:1] == [check_id] or check_id in wrong.warns + wrong.notes):
            twins = [right for right in programs if not right.is_wrong and right.family == wrong.family
                     and right.name == wrong.name]
            return wrong, twins[0]
    return None


def section(check, programs):
    meaning = f"{check['text'][0].upper()}{check['text'][1:]}. "
    if check["grade"] == "limit":
        meaning += "This is not a finding, but it makes the verdict `inconclusive`. "
    elif check["grade"] != "error":
        meaning += f"This is a {check['grade']}: it does not make the verdict `violation`. "
    text = f"## {check['name']}\n\n{wrapped(meaning + check['advice'])}\n"
    if check["clause"]:
        text += f"\nThe standard: MPI 4.1, section {check['clause']}.\n"
    example = example_of(check["name"], programs)
    if example is None:
        return text
    for label, title in zip(example, ("Wrong", "Right")):
        sentence = wrapped(f"{title} ({how_to_run(label)}): {label.sentence}")
        text += f"\n{sentence}\n\n```c\n{source_of(label).strip()}\n```\n"
    return text


def pages(checks, programs):
    """The contents of each page, by file name."""
    by_class = {}
    for check in checks:
        by_class.setdefault(check["name"].partition(".")[0], []).append(check)
    index = ["# Checks", "",
             wrapped("`rehearse check` makes these checks in every execution that it explores. The options `--only`, "
                     "`--without` and `--exceptions` select the reported checks ([manual](../manual.md))."), "",
             wrapped("`./dev pages` generates these pages from the catalogue (`properties/catalogue.cpp`) and from the "
                     "programs in `tests/checks`."), "",
             "| check | finding |", "| --- | --- |"]
    result = {}
    for word, members in by_class.items():
        title = CLASSES[word]
        result[f"{word}.md"] = f"# {title}\n\n" + "\n".join(section(check, programs) for check in members)
        for check in members:
            anchor = check["name"].replace(".", "")
            index.append(f"| [{check['name']}]({word}.md#{anchor}) | {check['text']} |")
    result["README.md"] = "\n".join(index) + "\n"
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--rehearse", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    made = pages(checks_of(options.rehearse), labels.everything())
    for old in options.folder.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (options.folder / name).write_text(text)


if __name__ == "__main__":
    main()
