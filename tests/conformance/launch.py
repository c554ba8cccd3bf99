#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpiexec for the suite's `runtests`: starts a program by a command, within the time limit, and judges how it ended.

Usage:  launch.py [--by-status | --by-verdict] COMMAND... -- [-n RANKS PROGRAM ARGUMENTS...]
The line `No Errors`, which the suite wants from a program that passed, stands with --by-status for exit status 0 and
no word of a failure, with --by-verdict for a verdict of `rehearse check` that finds nothing wrong. What the command
says is then shown only if it is not so.
"""
import os
import subprocess
import sys

TIMED_OUT = 124
INCONCLUSIVE = 3
PASSED = b" No Errors\n"


def good_status(status, output):
    return status == 0 and b"FAIL" not in output


def good_verdict(status, output):
    """A search by chance is never conclusive; it says whether the executions that it made had anything wrong."""
    found_nothing = b"nothing wrong in" in output and b"nothing wrong in 0 " not in output
    return status == 0 or (status == INCONCLUSIVE and found_nothing)


JUDGES = {"--by-status": good_status, "--by-verdict": good_verdict}


def main(words):
    judge = JUDGES.get(words[0])
    words = words[1:] if judge else words
    end = words.index("--")
    limit = float(os.environ.get("MPIEXEC_TIMEOUT", "60"))
    try:
        done = subprocess.run(words[:end] + words[end + 1:], timeout=limit, check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE if judge else None, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        print(f"ended after {limit:g} s", flush=True)
        return TIMED_OUT
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    if judge:
        good = judge(status, done.stdout)
        sys.stdout.buffer.write(PASSED if good else done.stdout)
        sys.stdout.flush()
        status = 0 if good else status or 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
