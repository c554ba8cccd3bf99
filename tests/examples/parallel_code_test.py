#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
#
# 20_parallel_code has the same dates and results for any number of threads, and with one no other thread works.
#
# Usage: parallel_code_test.py PROGRAM
import re
import subprocess
import sys

THREADS = (1, 2, 3, 8, 0)
USE = re.compile(r"(\d+) of (\d+) parts by other threads")


def run(*words):
    return subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True, timeout=120, check=True)


def main():
    wrong = 0
    for hosts, parts in ((9, 64), (3, 10), (30, 200)):
        expected = None
        for threads in THREADS:
            *results, use = run(threads, hosts, parts).stdout.splitlines()
            expected = expected or results
            elsewhere, runs = map(int, USE.fullmatch(use).groups())
            if results != expected or len(results) != 2 or runs != parts or (threads == 1 and elsewhere > 0):
                wrong += 1
                print(f"{threads} threads, {hosts} hosts: {results}, {use}; with one thread: {expected}")
    print(f"{wrong} wrong")
    return wrong > 0


sys.exit(main())
