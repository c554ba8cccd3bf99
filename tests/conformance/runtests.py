# SPDX-License-Identifier: MIT
"""Runs lines of one folder by the suite's own `runtests`, one program per run, and reads its report.

The report lists the lines in the order of the list it was given, which is how results are distinguished: two lines may
have the same name.
"""
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

LAUNCHER = Path(__file__).resolve().parent / "launch.py"
CASE = re.compile(r' {4}<testcase name="[^/]*\./(\S+) (.*)">(?:</testcase>)?$')
TIME_MULTIPLIER = "3"  # of all limits: the suite supposes that each rank has a processor
SECONDS = re.compile(r'" time="([0-9.e+-]*)$')


@dataclass
class Result:
    line: object
    passed: bool
    seconds: float
    output: str


def report_cases(text):
    """(program with its folder, passed, seconds, output) of each test of runtests' report, which is not always XML."""
    cases = []
    inside = False
    for line in text.splitlines():
        head = CASE.match(line)
        if head and not inside:
            time = SECONDS.search(head.group(2))
            inside = not line.endswith("</testcase>")
            cases.append([head.group(1), not inside, float((time and time.group(1)) or 0), []])
        elif inside and line == "    </testcase>":
            inside = False
        elif inside and line.startswith("## "):
            cases[-1][3].append(line[3:])
    return [(program, passed, seconds, "\n".join(output)) for program, passed, seconds, output in cases]


def run_folder(build, folder, lines, launcher, time_limit):
    """The results of `lines`, all of `folder`, started by the command `launcher`."""
    with tempfile.NamedTemporaryFile("w", dir=build / folder, prefix="rehearse.", delete=False) as chosen:
        chosen.write("".join(line.text + "\n" for line in lines))
    tests, report = Path(chosen.name), Path(chosen.name + ".xml")
    command = ["perl", build / "runtests", f"-tests={tests.name}", f"-testdirs={folder}", "-srcdir=.",
               f"-mpiexec={launcher}", f"-junitfile={report}"]
    variables = {**os.environ, "MPITEST_TIMEOUT": str(time_limit), "MPITEST_CLEANUP": "0",
                 "MPITEST_TIMEOUT_MULTIPLIER": TIME_MULTIPLIER}
    try:
        done = subprocess.run(command, cwd=build, env=variables, check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        cases = report_cases(report.read_text(errors="replace")) if report.is_file() else []
    finally:
        tests.unlink(missing_ok=True)
        report.unlink(missing_ok=True)
    expected = [f"{line.folder}/{line.program}" for line in lines]
    if [case[0] for case in cases] != expected:
        sys.exit(f"conformance: runtests reports {len(cases)} tests of {folder}, not the {len(lines)} it was given\n"
                 + done.stdout[-2000:])
    return [Result(line, passed, seconds, output)
            for line, (_, passed, seconds, output) in zip(lines, cases)]
