#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Large GOAL schedules for timing.

patterns.py dissemination|alltoall|binomial RANKS BYTES > FILE

Ends with the default parameters, of the last rank in nanoseconds: dissemination of 8 bytes on 4,096 ranks 66504, on
65,536 ranks 88672; alltoall of 1,024 bytes on P ranks (P-1) 11638, which LogGOPSim confirms for 64, 128 and 256.
"""
import sys


def dissemination(me, ranks, size):
    lines, last, count, distance = [], None, 0, 1
    while distance < ranks:
        lines.append(f"l{count + 1}: send {size}b to {(me + distance) % ranks}")
        if last:
            lines.append(f"l{count + 1} requires {last}")
        lines.append(f"l{count + 2}: recv {size}b from {(me - distance) % ranks}")
        last, count, distance = f"l{count + 2}", count + 2, 2 * distance
    return lines


def alltoall(me, ranks, size):
    return [line for k in range(1, ranks)
            for line in (f"send {size}b to {(me + k) % ranks}", f"recv {size}b from {(me - k) % ranks}")]


def binomial(me, ranks, size):
    top, lines, last, count = 1, [], None, 1
    while top < ranks and not me & top:
        top <<= 1
    if me:
        lines, last = [f"l1: recv {size}b from {me - top}"], "l1"
    bit = top >> 1 if me else 1 << ((ranks - 1).bit_length() - 1)
    while bit:
        if me + bit < ranks:
            count += 1
            lines.append(f"l{count}: send {size}b to {me + bit}")
            if last:
                lines.append(f"l{count} requires {last}")
            last = f"l{count}"
        bit >>= 1
    return lines


PATTERNS = {"dissemination": dissemination, "alltoall": alltoall, "binomial": binomial}


def write(out, pattern, ranks, size):
    out.write(f"num_ranks {ranks}\n")
    for me in range(ranks):
        out.write(f"\nrank {me} {{\n" + "\n".join(PATTERNS[pattern](me, ranks, size)) + "\n}\n")


if __name__ == "__main__":
    write(sys.stdout, sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
