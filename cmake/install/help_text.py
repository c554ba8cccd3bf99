# SPDX-License-Identifier: MIT
"""The command line of rehearse as values, read from its help texts.

Errors: a program that does not answer --help raises CalledProcessError.
"""
import re
import subprocess
from dataclasses import dataclass, field

COLUMN = 34  # the help texts of options begin here
ENTRY = re.compile(r"^  (\S+) +(\S.*)$")


@dataclass
class Option:
    names: list
    value: str   # "" for a flag, else TEXT, UINT, FLOAT...
    values: list  # accepted values, where the help lists them
    text: str


@dataclass
class Command:
    words: list                                      # ["check"], ["platform", "route"]
    summary: str                                     # one line, from the list of verbs
    group: str = ""                                  # of commands below a verb: the summary of the verb
    example: list = field(default_factory=list)
    description: str = ""
    usage: list = field(default_factory=list)
    positionals: list = field(default_factory=list)  # (name, text)
    options: list = field(default_factory=list)
    verbatim: str = ""                               # a help text of another form, as it is


def help_of(program, words):
    return subprocess.run([program, *words, "--help"], check=True, capture_output=True, text=True).stdout


def verbs(text):
    """The commands that a help text lists behind `usage:`, with their summaries."""
    lines = text[text.index("usage:"):].splitlines()[1:]
    return [match.groups() for match in map(ENTRY.match, lines) if match and not match.group(1).startswith("-")]


def entries(lines):
    """Pairs of the text left of the column and the help text: right of the column, or below a left side too long."""
    found = []
    for at, line in enumerate(lines):
        is_long = at + 1 < len(lines) and not lines[at + 1][:COLUMN].strip()
        if not line[:COLUMN].strip():
            found[-1] = (found[-1][0], line.strip())
        elif is_long:
            found.append((line.strip(), ""))
        else:
            found.append((line[:COLUMN].strip(), line[COLUMN:].strip()))
    return found


def option_of(left, text):
    names, _, rest = left.partition(" ")
    rest = re.sub(r"\bREQUIRED|\bExcludes: \S+|\bNeeds: \S+|\.\.\.", "", rest).strip()
    kind, _, choices = rest.partition(":")
    values = [] if choices in ("", "NUMBER", "FILE", "DIR") else re.split(r",\s*", choices.strip())
    return Option(names.split(","), kind, values, text)


def section(text, title):
    """The lines behind `title`, up to the next empty line."""
    match = re.search(rf"^{title}:[ ]*\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)
    return match.group(1).splitlines() if match else []


def read_command(program, words, summary):
    text = help_of(program, words)
    command = Command(words, summary)
    if "\nOptions:" not in text:
        command.verbatim = text
        return command
    command.example = [line.strip() for line in section(text, "example")]
    command.usage = [line.strip() for line in section(text, "usage")]
    command.description = text.split("\n\n", 1)[1].split("\nusage:", 1)[0].strip()
    command.positionals = [(left.split(" ")[0], right) for left, right in entries(section(text, "Positionals"))]
    command.options = [option_of(left, right) for left, right in entries(section(text, "Options"))]
    return command


def read_commands(program):
    """All commands of the program, with those below a verb such as `platform`."""
    commands = []
    for name, summary in verbs(help_of(program, [])):
        text = help_of(program, [name])
        if "COMMAND --help`" in text:
            below = [read_command(program, [name, inner], what) for inner, what in verbs(text)]
            for command in below:
                command.group = summary
            commands += below
        else:
            commands.append(read_command(program, [name], summary))
    return commands
