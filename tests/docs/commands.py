#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Executes the commands of README.md and docs/, and compares their output where the page shows it.

Usage:  commands.py --root ROOT --build BUILD
Blocks: ```sh       lines of a shell script; must end with status 0.
        ```console  lines `$ command`, each followed by the output that the page shows (none: not compared). `…` stands
                    for anything within a line, or alone on a line for any number of lines. `# exit status N` behind a
                    command says how it ends.
        ```yaml     of a workflow: its lines `rehearse ...` and `- rehearse ...` are run, and must end with status 0.
        ```demo     what ./dev demo prints: demo.py compares it.
        Notes on the load of the machine do not count: a page cannot show whether another process runs meanwhile.
        Other languages are not executed; a command of ours in one of them is an error, so that none hides there.
Place:  each page has a fresh folder in which the entries of the repository's root are links; its blocks run in order,
        with the programs of the build tree on the PATH.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

# Commands that are not run here, with whatever arguments, and what runs them instead.
COVERED_ELSEWHERE = {
    "./dev demo": "the ctest test demo runs examples/demo.sh, which is all that it does after building",
    "./dev test": "is what runs this test",
    "./dev sanitize": "builds everything again",
    "./dev fuzz": "takes minutes; the ctest test fuzz_platform is a short form of it",
    "./dev bench": "measures for minutes",
    "./dev accuracy": "changes the tree; the ctest test accuracy simulates the same cases",
    "./dev conformance": "fetches, builds and runs for ten minutes",
    "./dev programs": "fetches, builds and runs for minutes",
    "./dev score": "needs programs of others; the ctest test scoring runs the scripts on programs of ours",
    "./dev pages": "changes the tree; the ctest test check_pages compares",
    "rehearse trace record --real": "needs an MPI; the ctest test trace_real records under those that are there",
    "rehearse trace profile --rates": "needs counters of instructions; a unit test and the ctest test trace_parts make "
                                      "rates of other recordings",
    "rehearse trace replay --rate-file": "likewise",
    "rehearse trace gather": "needs the streams of such a recording; trace_real gathers some",
    "rehearse flows --network ns3": "needs ns-3; the ctest test packet_ns3 runs it where it is there",
    "mpirun -n 64 rehearse check": "needs a launcher; the ctest test cli_distributed runs such commands with one",
    "srun rehearse check": "needs Slurm; the ctest test cli_distributed sets the variables of launchers",
    "rehearse real --namespaces": "needs namespaces and TAP devices; the ctest test real_namespaces runs such commands",
    "rehearse attach": "needs namespaces and TAP devices; the ctest test attach runs it where they are permitted",
    "./dev build": "ran before this test",
    "./dev setup": "may install packages",
    "./dev format": "changes the tree",
    "./dev lint": "takes minutes",
    "./dev clean": "removes what is under test",
}
LANGUAGES = {"sh", "console", "demo", "text", "c", "cpp", "json", "xml", "yaml", "cmake", "python", "mermaid",
             "fortran"}
EXECUTED = ("sh", "console", "yaml")
LOAD_NOTE = re.compile(r"(?m)^note: (this process had a core in|the core became slower) .*\n")
OURS = re.compile(r"^\s*(\$ |\./dev\b|build/bin/"
                  r"|rehearse (cc|c\+\+|run|check|replay|explain|proof|trace|list|platform|grade|flows|compare"
                  r"|compare-models|attach|calibrate|profile|real|sweep|usage)\b)")


@dataclass
class Block:
    line: int
    language: str
    text: str


@dataclass
class Command:
    line: int
    text: str
    status: int
    output: str  # empty: not compared


def blocks(page):
    """The fenced blocks of a page."""
    result, opened = [], None
    for number, line in enumerate(page.splitlines(), 1):
        fence = re.match(r"^\s*```(\S*)", line)
        if fence and opened is None:
            opened = Block(number, fence.group(1), "")
        elif fence:
            result.append(opened)
            opened = None
        elif opened is not None:
            opened.text += line + "\n"
    return result


def commands(block):
    """The commands of a block, each with what the page says about it."""
    if block.language == "sh":
        return [Command(block.line, block.text, 0, "")]
    result, lines = [], block.text.splitlines()
    if block.language == "yaml":
        found = [(offset, re.match(r"\s*(?:- )?(rehearse .*)", line)) for offset, line in enumerate(lines, 1)]
        return [Command(block.line + offset, match.group(1), 0, "") for offset, match in found if match]
    for offset, line in enumerate(lines, 1):
        if line.startswith("$ "):
            status = re.search(r"\s+# exit status (\d+)$", line)
            text = line[2:status.start()] if status else line[2:]
            result.append(Command(block.line + offset, text, int(status.group(1)) if status else 0, ""))
        elif result and result[-1].text.endswith("\\"):
            result[-1].text += "\n" + line
        elif result:
            result[-1].output += line + "\n"
    return result


def matches(expected, actual):
    """Whether the output is what the page shows, `…` standing for anything.

    Quotes do not count: whether a path needs them depends on where the build tree is.
    """
    actual = LOAD_NOTE.sub("", actual)
    expected, actual = (re.sub("[\"']", "", text) for text in (expected, actual))
    pattern = ""
    for line in expected.rstrip("\n").split("\n"):
        pattern += r"(.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.rstrip().split("…"))) + "\n"
    return re.fullmatch(pattern, re.sub(r"[ \t]+\n", "\n", actual.rstrip("\n") + "\n")) is not None


def complaints_about_form(block):
    if block.language not in LANGUAGES:
        yield f"a block in '{block.language}': one of {', '.join(sorted(LANGUAGES))}"
    if block.language not in (*EXECUTED, "demo"):
        for line in block.text.splitlines():
            if OURS.match(line):
                yield f"'{line.strip()}' is not executed: mark its block as sh or console"


def is_covered_elsewhere(line):
    text = re.sub(r"\s+#.*", "", line).strip()
    return any(text == known or text.startswith(known + " ") for known in COVERED_ELSEWHERE)


def run(command, folder, environment):
    """What is wrong with how the command ends, or None."""
    lines = command.text.splitlines()
    script = "\n".join(line for line in lines if not is_covered_elsewhere(line))
    if not re.sub(r"(?m)^\s*(#.*)?$", "", script).strip():
        return None
    done = subprocess.run(["bash", "-e", "-c", script], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1200)
    if done.returncode != command.status:
        return f"exit status {done.returncode}, expected {command.status}:\n{script}\n{done.stdout}"
    if command.output and not matches(command.output, done.stdout):
        return f"{script}\n--- the page shows\n{command.output}--- it printed\n{done.stdout}"
    return None


def broken_links(page, path):
    """Relative links of a page that lead nowhere."""
    prose = re.sub(r"```.*?```", lambda m: "\n" * m.group(0).count("\n"), page, flags=re.DOTALL)
    for number, line in enumerate(prose.splitlines(), 1):
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", line):
            if "://" not in target and not (path.parent / target).exists():
                yield f"{path.name}:{number}: the link to {target} leads nowhere"


def check_page(path, root, build):
    page = path.read_text()
    failures, executed = list(broken_links(page, path)), 0
    environment = dict(os.environ, REHEARSE_BUILD=str(build))
    environment["PATH"] = f"{build / 'bin'}:{build / 'libexec/rehearse/bin'}:{environment['PATH']}"
    with tempfile.TemporaryDirectory(prefix="rehearse-docs-") as folder:
        for entry in root.iterdir():
            if not entry.name.startswith((".git", "build")):
                os.symlink(entry, Path(folder, entry.name))
        os.symlink(build, Path(folder, "build"))
        for block in blocks(page):
            failures += [f"{path.name}:{block.line}: {text}" for text in complaints_about_form(block)]
            for command in commands(block) if block.language in EXECUTED else []:
                executed += 1
                problem = run(command, folder, environment)
                if problem:
                    failures.append(f"{path.name}:{command.line}: {problem}")
    return executed, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--build", type=lambda text: Path(text).resolve(), required=True)
    arguments = parser.parse_args()
    failures, executed, pages = [], 0, [arguments.root / "README.md", *sorted(arguments.root.glob("docs/**/*.md"))]
    for path in pages:
        count, problems = check_page(path, arguments.root, arguments.build)
        executed, failures = executed + count, failures + problems
    print("\n".join(failures))
    print(f"{len(pages)} pages, {executed} blocks and commands")
    return 1 if failures or not executed else 0


if __name__ == "__main__":
    sys.exit(main())
