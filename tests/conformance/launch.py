#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mpiexec for the suite's `runtests`: starts a program by a command, within the time limit, and judges how it ended.

Usage:  launch.py [--by-status | --by-verdict | --by-replay] COMMAND... -- [-n RANKS PROGRAM ARGUMENTS...]
The suite expects the line `No Errors` from a program that passed. With an option, this script prints it instead, if the
judgement is good, and the program's output otherwise: --by-status for exit status 0 and no word of a failure,
--by-verdict for a verdict of `rehearse check` that finds nothing wrong, --by-replay for the same dates in the replay
(replayed.py). A search that made no execution in its time is tried again, for a single one, in the rest of the time
limit.
"""
import os
import subprocess
import sys
import time

TIMED_OUT = 124
INCONCLUSIVE = 3
PASSED = b" No Errors\n"
SAME_DATES = b"replayed: same dates"


def good_status(status, output):
    return status == 0 and b"FAIL" not in output


def good_verdict(status, output):
    """A search by chance is never conclusive; it says whether the executions that it made had anything wrong."""
    found_nothing = b"nothing wrong in" in output and b"nothing wrong in 0 " not in output
    return status == 0 or (status == INCONCLUSIVE and found_nothing)


def good_replay(_, output):
    return SAME_DATES in output


def for_a_single_execution(words, seconds):
    """The command of a search by chance, for one execution in this time."""
    words = list(words)
    words[words.index("--search") + 1] = "random:1"
    words[words.index("--max-seconds") + 1] = f"{seconds:g}"
    return words


JUDGES = {"--by-status": good_status, "--by-verdict": good_verdict, "--by-replay": good_replay}


def main(words):
    judge = JUDGES.get(words[0])
    words = words[1:] if judge else words
    end = words.index("--")
    limit = float(os.environ.get("MPIEXEC_TIMEOUT", "60"))
    start = time.monotonic()

    def launched(command):
        left = limit - (time.monotonic() - start)
        return subprocess.run(command + words[end + 1:], timeout=left, check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE if judge else None, stderr=subprocess.STDOUT)

    try:
        done = launched(words[:end])
        if judge is good_verdict and done.returncode == INCONCLUSIVE and b"nothing wrong in 0 " in done.stdout:
            done = launched(for_a_single_execution(words[:end], limit - (time.monotonic() - start)))
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
