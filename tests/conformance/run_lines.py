# SPDX-License-Identifier: MIT
"""Run lines: what the suite's lists of tests say to run, and the lists that its `runtests` is given.

A line is `PROGRAM RANKS [KEY=VALUE...]`. Its name, by which expectations refer to it, is the folder, the program, the
ranks and the program's arguments.
"""
from dataclasses import dataclass
from pathlib import Path

LISTS = ("testlist", "testlist.dtp")
OWN_LISTS = Path(__file__).resolve().parent / "lists"

# Marks of MPICH that say nothing about us: failures it expects of itself, and persistent collectives, which were an
# extension when the list was written and are in the standard since 4.0.
FOREIGN_MARKS = ("xfail=", "strict=")


@dataclass(frozen=True)
class RunLine:
    folder: str
    program: str
    ranks: int
    options: tuple  # KEY=VALUE as in the list

    @property
    def name(self):
        arguments = [text.split("=", 1)[1] for text in self.options if text.startswith("arg=")]
        variables = [text.split("=", 1)[1] for text in self.options if text.startswith("env=")]
        return " ".join([f"{self.folder}/{self.program}", str(self.ranks), *arguments, *variables])

    @property
    def is_generated(self):
        """Whether the program is run on datatypes that it makes up, which takes long."""
        return any(text.startswith("arg=-testsize=") for text in self.options)

    @property
    def text(self):
        return " ".join([self.program, str(self.ranks), *self.options])


def parse(folder, text):
    """The run lines of a list."""
    lines = []
    for line in text.splitlines():
        words = line.split("#", 1)[0].split()
        if not words or words[0].startswith("!"):
            continue
        ranks = int(words[1]) if len(words) > 1 else 2
        options = tuple(word for word in words[2:] if not word.startswith(FOREIGN_MARKS))
        lines.append(RunLine(folder, words[0], ranks, options))
    return lines


def lists_of(suite, build, folder):
    """The files that list the tests of `folder`: configure made some of them; for some folders the list is ours."""
    own = OWN_LISTS / folder
    found = [own] if own.is_file() else []
    for name in LISTS:
        places = [place / folder / name for place in (build, suite) if (place / folder / name).is_file()]
        found += places[:1]
    return found


def read(suite, build, folder):
    """All run lines of a folder; those of the folders that its list names follow it."""
    lines = []
    for path in lists_of(suite, build, folder):
        for line in parse(folder, path.read_text()):
            inner = f"{folder}/{line.program}"
            lines += read(suite, build, inner) if (suite / inner).is_dir() else [line]
    return lines


def selected(lines, selection):
    """The lines that a selection `FOLDER` or `FOLDER/PROGRAM` means."""
    return [line for line in lines
            if line.folder == selection or line.folder.startswith(selection + "/")
            or f"{line.folder}/{line.program}" == selection]
