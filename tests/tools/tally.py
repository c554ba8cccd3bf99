#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up a ctest JUnit report and prints `N passed, N failed[, N skipped]` alone on the last line.

A test program that holds several tests ends its output with such a line itself and counts as that many; any other
counts as one. A program that failed counts as at least one failure. Exit status 1 if anything failed or nothing ran.
"""
import re
import sys
import xml.etree.ElementTree as xml

COUNTS = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)


def tally(report):
    """(passed, failed, skipped) of the parsed report."""
    passed = failed = skipped = 0
    for case in report.iter("testcase"):
        counts = COUNTS.findall(case.findtext("system-out") or "")
        ok = case.get("status") == "run"
        if case.get("status") in ("notrun", "disabled") or case.find("skipped") is not None:
            skipped += 1
        elif counts:
            p, f, s = (int(number or 0) for number in counts[-1])
            passed, failed, skipped = passed + p, failed + max(f, 0 if ok else 1), skipped + s
        else:
            passed, failed = passed + ok, failed + (not ok)
    return passed, failed, skipped


def main():
    try:
        passed, failed, skipped = tally(xml.parse(sys.argv[1]))
    except (OSError, xml.ParseError) as problem:
        print(f"tally: no report of the tests: {problem}", file=sys.stderr)
        passed, failed, skipped = 0, 1, 0
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
