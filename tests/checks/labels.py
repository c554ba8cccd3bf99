# SPDX-License-Identifier: MIT
"""The labelled programs of this folder: small MPI programs, wrong and right twins, each with what a check of it must
say.

A program is FAMILY/NAME_wrong.c or FAMILY/NAME_right.c. Its comment at the top has, each on a line of its own:
  check: ID            what is wrong, of severity error; `none` in the right twins. A second ID may follow: another
                       consequence of the same mistake, which may be reported besides
  warns: ID...         the same of severity warning; default none
  notes: ID...         the same of severity note, of which others may be reported besides; not by the right twin
  says: WORDS          what the message of the first of these findings has in it
  ranks: N             default 2
  options: WORDS       of rehearse check, besides
  compile: WORDS       of the compiler, besides
The line that is to blame, of which a location of the finding must speak, ends with `// <- here`; where several do, each
of them must be named by some location.
"""
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
MARK = "// <- here"


@dataclass
class Label:
    path: Path
    sentence: str = ""
    check: list = field(default_factory=list)
    warns: list = field(default_factory=list)
    notes: list = field(default_factory=list)
    says: str = ""
    ranks: str = "2"
    options: list = field(default_factory=list)
    compile: list = field(default_factory=list)
    lines: list = field(default_factory=list)

    @property
    def family(self):
        return self.path.parent.name

    @property
    def name(self):
        return self.path.stem.rpartition("_")[0]

    @property
    def is_wrong(self):
        return self.path.stem.endswith("_wrong")


def read(path):
    """The label of a program; what does not fit the form above is an error."""
    label, seen, sentences = Label(path), set(), []
    text = path.read_text().splitlines()
    for line in text:
        if not line.startswith("//"):
            break
        words = line.removeprefix("//").strip()
        key, colon, value = words.partition(": ")
        if colon and key in ("check", "warns", "notes", "says", "ranks", "options", "compile"):
            if key in seen:
                raise ValueError(f"{path}: '{key}' twice")
            seen.add(key)
            setattr(label, key, value.strip() if key in ("ranks", "says") else value.split())
        elif words and not words.startswith("SPDX"):
            sentences.append(words)
    if "check" not in seen or not sentences or not path.stem.endswith(("_wrong", "_right")):
        raise ValueError(f"{path}: needs a sentence, 'check: ' and a name that ends with _wrong or _right")
    label.sentence = " ".join(sentences)
    label.check = [] if label.check == ["none"] else label.check
    label.lines = [number for number, line in enumerate(text, 1) if line.rstrip().endswith(MARK)]
    findings = label.check or label.warns or label.notes
    if label.is_wrong != bool(findings) or bool(label.lines) != label.is_wrong:
        raise ValueError(f"{path}: wrong programs have an id and a line that ends with '{MARK}', right ones neither")
    return label


def everything():
    return [read(path) for path in sorted(HERE.glob("*/*_wrong.*")) + sorted(HERE.glob("*/*_right.*"))]
