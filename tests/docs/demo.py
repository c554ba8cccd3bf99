#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the demonstration and compares what it prints with the ```demo block of docs/demo.md.

Usage:  demo.py --root ROOT --build BUILD [--update]
Times differ from run to run and machine to machine: numbers of seconds are compared as numbers, not by their digits.
--update writes the output into docs/demo.md.
"""
import argparse
import difflib
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"(?<=```demo\n).*?(?=```)", re.DOTALL)


def without_times(text):
    return re.sub(r"\b\d+\.\d+ s\b", "N s", text).strip().splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    done = subprocess.run(["bash", arguments.root / "examples" / "demo.sh", arguments.build], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        print(done.stdout)
        return 1
    path = arguments.root / "docs/demo.md"
    page = path.read_text()
    shown = BLOCK.search(page)
    if shown is None:
        print("docs/demo.md has no ```demo block")
        return 1
    if arguments.update:
        path.write_text(page[:shown.start()] + done.stdout.strip() + "\n" + page[shown.end():])
        return 0
    difference = list(difflib.unified_diff(without_times(shown.group()), without_times(done.stdout), "docs/demo.md",
                                           "./dev demo", lineterm=""))
    print("\n".join(difference) or "docs/demo.md shows what the demonstration prints")
    return 1 if difference else 0


if __name__ == "__main__":
    sys.exit(main())
