#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The largest classes, functions and files of the components, so that the next one that grows is noticed.

Usage:  metrics.py ROOT [--most N]
Counts: methods of a class: its declarations, each overload, without what is deleted or defaulted. Lines of a class: of
        its definition, and of the bodies of its methods in all files. What is behind `!` is larger than the guide: 40
        methods, 500 lines.
"""
import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from outline import outline  # noqa: E402

METHODS, LINES = 40, 500
SUFFIXES = {".cpp", ".hpp"}


def folders(root):
    """Those of the components, as CMakeLists.txt says."""
    text = Path(root, "CMakeLists.txt").read_text()
    return sorted({word.split("/")[0] for word in re.findall(r"^rehearse_component\(\S+\s+FOLDER\s+(\S+)", text, re.M)})


def sources(root):
    for folder in folders(root):
        for path in sorted(Path(root, folder).rglob("*")):
            if path.suffix in SUFFIXES:
                yield path.relative_to(root).as_posix(), path.read_text()


class ClassSize:
    def __init__(self):
        self.methods = 0
        self.lines = 0
        self.files = set()


def measure(files):
    """(classes by name, functions as (lines, place, name), files as (lines, path))."""
    classes, functions, sizes, bodies = defaultdict(ClassSize), [], [], []
    for path, text in files:
        sizes.append((text.count("\n"), path))
        types, found = outline(text)
        for each in types:
            if each.kind == "enum" or not each.name:
                continue
            size = classes[name_of(each.scope, each.name, path)]
            size.lines += each.lines
            size.files.add(path)
        inside = {(t.scope, t.name): (t.line, t.line + t.lines) for t in types}
        for each in found:
            if each.has_body:
                qualified = "::".join(part for part in (each.owner, each.name) if part)
                functions.append((each.lines, f"{path}:{each.line}", qualified))
            if not each.owner:
                continue
            first, last = inside.get((each.scope, each.owner), (0, 0))
            if first <= each.line < last:
                classes[name_of(each.scope, each.owner, path)].methods += 1
            else:
                bodies.append((each, path))
    for each, path in bodies:
        size = classes.get(name_of(each.scope, each.owner, path))
        if size is not None:
            size.lines += each.lines
            size.files.add(path)
    return classes, sorted(functions, reverse=True), sorted(sizes, reverse=True)


def name_of(scope, name, path):
    """Types of anonymous namespaces are those of their file."""
    scope = scope.replace("(anonymous)", path)
    return f"{scope}::{name}" if scope else name


def report(files, most):
    classes, functions, sizes = measure(files)
    ranked = sorted(classes.items(), key=lambda item: (-max(item[1].methods / METHODS, item[1].lines / LINES), item[0]))
    lines = ["classes: methods, lines, files"]
    for name, size in ranked[:most]:
        mark = "!" if size.methods > METHODS or size.lines > LINES else " "
        lines.append(f"{mark} {size.methods:4} {size.lines:5} {len(size.files):3}  {name.removeprefix('rehearse::')}")
    lines += ["", "functions: lines"] + [f"  {count:4}  {name}  {place}" for count, place, name in functions[:most]]
    lines += ["", "files: lines"] + [f"  {count:4}  {path}" for count, path in sizes[:most]]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("--most", type=int, default=10, help="how many of each (default: %(default)s)")
    arguments = parser.parse_args()
    print(report(sources(arguments.root), arguments.most))


if __name__ == "__main__":
    main()
