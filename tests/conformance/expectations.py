# SPDX-License-Identifier: MIT
"""Lists of run lines that are expected to fail, each with its reason, and what differs from them in either direction.

A list has lines `NAME  # KIND: reason`; NAME is that of a run line, in which `*` stands for anything. The kinds are
`excluded` for what comes later (MPIX), `alarm` for what `rehearse check` is right to report, `limit` for
what needs more time or memory than it gets, which is the machine's affair, so that it may pass, and `failure` for
everything else.
Errors: a line without a reason, or of another kind, ends the program.
"""
import fnmatch
import re
import sys
from dataclasses import dataclass

ENTRY = re.compile(r"^(\S.*?)\s+# (excluded|failure|alarm|limit): (\S.*)$")
LIMIT = re.compile(r"^\s*inconclusive: .*(\(--max-(memory|seconds)\)|--max-memory allows more\).*); nothing wrong in ",
                   re.MULTILINE)


@dataclass
class Entry:
    pattern: str
    kind: str
    reason: str
    place: str


def read(path):
    entries = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = ENTRY.match(line)
        if not found:
            sys.exit(f"{path}:{number}: not `NAME  # KIND: reason`, KIND excluded, alarm, limit or failure: {line}")
        entries.append(Entry(*found.groups(), f"{path.name}:{number}"))
    return entries


def entry_for(entries, name):
    return next((entry for entry in entries if fnmatch.fnmatchcase(name, entry.pattern)), None)


def is_at_a_limit(output):
    return "ended after" in output or LIMIT.search(output) is not None


def differences(entries, results):
    """(name, what differs, output) of the results that are not as the list says."""
    found = []
    for result in results:
        entry = entry_for(entries, result.line.name)
        if entry is None and not result.passed:
            found.append((result.line.name, "failed", result.output))
        elif entry is not None and entry.kind == "limit":
            if not result.passed and not is_at_a_limit(result.output):
                found.append((result.line.name, f"failed, and not at a limit, as {entry.place} says", result.output))
        elif entry is not None and result.passed:
            found.append((result.line.name, f"passed, although {entry.place} expects a failure", ""))
    return found


def unused(entries, names):
    """The entries that mean no run line of those there are."""
    return [entry for entry in entries if not any(fnmatch.fnmatchcase(name, entry.pattern) for name in names)]
