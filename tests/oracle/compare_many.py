#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""As compare.py, for many programs: the exploration is asked directly (rehearse_exactness --count), without C and MPI.

The programs are random ones over all features that the oracle knows, of 2 to 4 ranks.

Usage:  compare_many.py --build BUILD --seeds A-B [--jobs N]
Errors: a difference prints the program and the counts; exit status 1.
"""
import argparse
import json
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import compare  # noqa: E402
import matching_oracle  # noqa: E402

CHUNK = 50


def program_of(seed):
    """A program over a random set of the features, small enough for brute force."""
    rng = random.Random(f"shape {seed}")
    ranks = rng.choice((2, 3, 3, 4))
    messages = rng.randint(2, {2: 5, 3: 5, 4: 4}[ranks])
    features = [feature for feature in matching_oracle.FEATURES if rng.random() < 0.5]
    return matching_oracle.random_program(seed, ranks, messages, features)


def counts(build, texts):
    """What the exploration counts: of each program a report per buffering."""
    done = subprocess.run([build / "bin/rehearse_exactness", "--count", "-"], input="\n".join(texts), check=True,
                          capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare_chunk(build, seeds):
    """The problems of these seeds, as lines."""
    texts = [program_of(seed) for seed in seeds]
    problems = []
    for seed, text, reports in zip(seeds, texts, counts(build, texts), strict=True):
        for buffering in ("infinite", "zero"):
            wanted, _ = matching_oracle.enumerate_program(matching_oracle.parse(text), buffering)
            lines = [f"seed {seed}, {buffering}: {line}" for line in
                     compare.differences(reports[buffering], wanted)]
            problems += lines + [text] * bool(lines)
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--seeds", metavar="A-B", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    first, _, last = arguments.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    chunks = [seeds[at:at + CHUNK] for at in range(0, len(seeds), CHUNK)]
    problems = []
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for found in pool.map(partial(compare_chunk, arguments.build), chunks):
            problems += found
            if found:
                print("\n".join(found), flush=True)
    print(f"{len(seeds)} programs compared with the oracle")
    print(f"{0 if problems else 1} passed, {1 if problems else 0} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
