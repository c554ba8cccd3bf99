# SPDX-License-Identifier: MIT
"""Manual pages from the help texts of the program: rehearse.1 and a page for each command.

Usage:  man_pages.py PROGRAM FOLDER
Output: FOLDER/rehearse.1, FOLDER/rehearse-check.1 and so on. The wrappers mpicc, mpicxx and mpiexec are the commands
        cc, c++ and mpiexec.
Source: man-pages(7) and man(7) for sections and macros.
"""
import subprocess
import sys
from pathlib import Path

import help_text

HEADER = '.TH {title} 1 "" "rehearse {version}" "Rehearse"\n'


def escaped(text):
    """Text for roff: no control line, no special character by accident."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha")
    text = text.replace("~", "\\(ti").replace("`", "\\(ga")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.splitlines())


def term(option):
    names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in option.names)
    return f"{names} \\fI{escaped(option.value)}\\fR" if option.value else names


def listing(lines):
    return ".PP\n.nf\n.RS\n" + escaped("\n".join(lines)) + "\n.RE\n.fi\n"


def page_of(command, version):
    name = "rehearse-" + "-".join(command.words)
    text = HEADER.format(title=name.upper(), version=version)
    text += f".SH NAME\n{escaped(name)} \\- {escaped(command.summary)}\n"
    if command.verbatim:
        text += ".SH DESCRIPTION\n" + listing(command.verbatim.rstrip().splitlines())
    else:
        text += ".SH SYNOPSIS\n" + "\n.br\n".join(escaped(line) for line in command.usage) + "\n"
        text += ".SH DESCRIPTION\n" + escaped(command.description) + "\n"
        if command.positionals:
            text += ".SH ARGUMENTS\n"
            text += "".join(f".TP\n\\fI{escaped(left)}\\fR\n{escaped(right)}\n" for left, right in command.positionals)
        text += ".SH OPTIONS\n"
        for option in command.options:
            text += f".TP\n{term(option)}\n{escaped(option.text)}\n"
            if option.values:
                text += f".br\nAccepted: {escaped(', '.join(option.values))}\n"
        text += ".SH EXAMPLES\n" + listing(command.example)
    return name, text + ".SH SEE ALSO\n.BR rehearse (1)\n"


def overview(commands, version):
    text = HEADER.format(title="REHEARSE", version=version)
    text += ".SH NAME\nrehearse \\- check MPI programs and predict their time\n"
    text += ".SH SYNOPSIS\n.B rehearse\n.I COMMAND\n.RI [ options ]\n.SH DESCRIPTION\n"
    text += ("Rehearse runs an unmodified MPI program on one machine. It predicts how long the program takes on a\n"
             "described platform, and it checks whether the program can go wrong in any legal execution.\n")
    text += ".SH COMMANDS\n"
    for command in commands:
        words = " ".join(command.words)
        text += f".TP\n\\fBrehearse {escaped(words)}\\fR\n{escaped(command.summary)}.\n"
        text += f"See \\fBrehearse\\-{escaped('-'.join(command.words))}\\fR(1).\n"
    text += ".SH EXIT STATUS\n"
    for status, meaning in (("0", "nothing wrong; of check: verified"), ("1", "something is wrong with the program"),
                            ("2", "something is wrong with the input: an option, a file, a missing program"),
                            ("3", "inconclusive: a bound was reached or a call is not supported"),
                            ("70", "an error in Rehearse itself")):
        text += f".TP\n\\fB{status}\\fR\n{meaning}\n"
    return text


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([program, "--version"], check=True, capture_output=True,
                                       text=True).stdout.split()[-1]
    commands = help_text.read_commands(program)
    for name, text in [("rehearse", overview(commands, version)), *(page_of(each, version) for each in commands)]:
        (folder / f"{name}.1").write_text(text)


if __name__ == "__main__":
    main()
