# SPDX-License-Identifier: MIT
"""What a foreign program is to this campaign: how it is built, with what it is run, and how its own output proves that
it computed the right thing.

Shape:  a module of this folder with a RECIPE; programs.py finds it. Verifications raise Failed, and return in a few
        words what they have seen; no verification means that nothing is claimed.
"""
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable


class Failed(Exception):
    """A program was not built, did not end well, or computed something else than it should."""


@dataclass(frozen=True)
class Tools:
    """A build tree of ours, used as its users would: by PATH."""
    build: Path

    @property
    def rehearse(self):
        return str(self.build / "bin/rehearse")

    def environment(self):
        wrappers = self.build / "libexec/rehearse/bin"
        return dict(os.environ, PATH=f"{wrappers}:{self.build / 'bin'}:{os.environ['PATH']}", LC_ALL="C")

    def make(self, folder, *commands):
        """Runs commands, given as in a shell, with the wrapper compilers first in the PATH."""
        log = folder / "build.log"
        for command in commands:
            with log.open("a") as out:
                out.write(f"$ {command}\n")
                out.flush()
                done = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                      stderr=subprocess.STDOUT, env=self.environment(), check=False)
            if done.returncode != 0:
                last = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
                raise Failed(f"'{command}' failed with status {done.returncode}; {log} ends with\n{last}")


@dataclass(frozen=True)
class Run:
    """One run in simulated time. `command` is relative to the folder of the sources; `stdin`, a file, to the folder of
    the run. `verify(folder, output)` looks at that folder and at what was printed."""
    name: str
    ranks: int
    command: list
    verify: Callable
    options: tuple = ()
    prepare: Callable = lambda folder, source: None
    stdin: str = os.devnull
    seconds: int = 300


@dataclass(frozen=True)
class Check:
    """One bounded exploration. It must not end in any finding but those expected, and those must be there."""
    name: str
    ranks: int
    command: list
    options: tuple = ("--max-executions", "50", "--max-seconds", "20")
    expected: frozenset = frozenset()
    verdict: str = ""  # that the report must have; empty: any that goes with `expected`
    prepare: Callable = lambda folder, source: None
    stdin: str = os.devnull
    seconds: int = 120


@dataclass(frozen=True)
class Suite:
    """The package's own test suite, driven by its own script: `run(tools, source)` returns what it has seen."""
    name: str
    ranks: str
    run: Callable
    full: bool = False  # only with --full


@dataclass(frozen=True)
class Recipe:
    name: str
    package: str  # of Debian; empty: programs of ours, in the folder of this name beside the recipe
    build: Callable  # (tools, folder of the sources)
    jobs: list = field(default_factory=list)
    summary: str = ""


def require(condition, message):
    if not condition:
        raise Failed(message)


def only_match(pattern, text, what):
    """The groups of the one line that matches."""
    found = re.findall(pattern, text, re.M)
    require(len(found) == 1, f"{what}: {len(found)} lines match '{pattern}'")
    return found[0]
