#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Types that are defined twice: under one name in one namespace, or in the anonymous namespaces of one folder.

Usage:  unique_types.py [ROOT]   prints `file:line: unique-type: message` for each; exit status 1 if there is one.
Why:    two definitions under one name are one type to the linker, whatever they contain (the one-definition rule), and
        no compiler sees both. In anonymous namespaces they are two, until a unity build puts their files together.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from outline import ANONYMOUS, outline  # noqa: E402

# Programs of their own, each linked alone.
PROGRAMS = ("examples/", "tests/architecture/linking/", "tests/bench/", "tests/checks/", "tests/classroom/",
            "tests/conformance/", "tests/exactness/", "tests/fuzz/", "tests/oracle/", "tests/programs/",
            "tests/regressions/", "tests/timing/")
SKIPPED = re.compile(r"^(build[^/]*|\.git|third_party)/")


def is_checked(path):
    return not path.startswith(PROGRAMS) and not SKIPPED.match(path)


def definitions(files):
    """Where each type is defined: key -> [(path, line, name)]."""
    found = defaultdict(list)
    for path, text in files:
        folder = path.rsplit("/", 1)[0]
        for each in outline(text)[0]:
            if not each.name or "<" in each.name:  # without a name, or of a template's arguments
                continue
            is_local = ANONYMOUS in each.scope.split("::")
            scope = f"{folder}: {each.scope}" if is_local else each.scope
            found[(scope, each.name)].append((path, each.line, is_local))
    return found


def violations(files):
    for (scope, name), places in sorted(definitions(files).items()):
        if len(places) < 2:
            continue
        first = f"{places[0][0]}:{places[0][1]}"
        for path, line, is_local in places[1:]:
            where = "an anonymous namespace of this folder" if is_local else f"namespace {scope or '(global)'}"
            yield f"{path}:{line}: unique-type: '{name}' is defined in {where} already, at {first}"


def tree(root):
    for path in sorted(Path(root).rglob("*.[ch]pp")):
        name = path.relative_to(root).as_posix()
        if is_checked(name):
            yield name, path.read_text()


def main():
    found = list(violations(tree(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
    for each in found:
        print(each)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
