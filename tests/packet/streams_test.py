#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Connections with several streams: MPI's order of messages holds, and a lost packet delays fewer messages.

Usage: streams_test.py --build BUILD
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SEEDS = range(1, 7)
# A round trip takes longer than a message, and the window has many messages.
KEYS = "connect=0,congestion=none,window=256KiB,queue=0,loss=0.002"
LONG_WAY = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="far" prefix="h" suffix="" radical="0-1" speed="1Gf" bw="1Gbps" lat="5ms" sharing_policy="SPLITDUPLEX"/>
</platform>
"""


def mean_date(rehearse, program, streams, seed, eager):
    """The mean date at which a message is received; the program checks the order."""
    done = subprocess.run([rehearse, "run", "--quiet", "-n", "2", "--compute", "none", "--on",
                           program.parent / "far.xml", "--network", "packet", "--packet",
                           f"{KEYS},streams={streams},seed={seed}", "--eager", eager, program],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"streams={streams}, seed={seed}, eager={eager}: exit status {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return float(done.stdout.split()[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    rehearse = parser.parse_args().build.resolve() / "bin" / "rehearse"
    is_good = True
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "streams"
        subprocess.run([rehearse, "cc", "-O1", HERE / "streams.c", "-o", program], check=True)
        (program.parent / "far.xml").write_text(LONG_WAY)
        for eager in ("64000", "1000"):
            one, many = (sum(mean_date(rehearse, program, streams, seed, eager) for seed in SEEDS)
                         for streams in (1, 8))
            is_good &= many < one
            print(f"{'good' if many < one else 'BAD '}  eager up to {eager} bytes: mean date of a message with 8 "
                  f"streams {many / one:.3f} of that with one (less than 1)")
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
