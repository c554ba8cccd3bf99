#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Messages of MPI over the network of packets, beside Open MPI 4.1 on a switch of 100 Mbit/s.

Usage: messages_test.py --build BUILD

The reference was measured between network namespaces that a user-space switch joins: 100 Mbit/s and 100 us a link,
queues of 256 kB, Reno. Its figures are minima of many repetitions, and vary by 20 % between days. Software takes 26 us
of a message. An announcement or an answer behind data on the same connection waits for them: two ranks that exchange
1 MiB take 88 ms when their announcements cross, and twice as long otherwise. Both were measured.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOFTWARE = ("--os", "0:1.3e-5:0", "--or", "0:1.3e-5:0")
# Half round trips in microseconds by bytes, and the largest relative error.
MEASURED = {0: (250, 0.10), 1024: (420, 0.10), 8192: (1086, 0.05), 65536: (6557, 0.05), 1 << 20: (90289, 0.05),
            4 << 20: (357559, 0.05)}
STAR = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="star" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="100Mbps" lat="100us"
           sharing_policy="SPLITDUPLEX"/>
</platform>
"""


class Messages:
    def __init__(self, rehearse, folder):
        self.rehearse, self.folder, self.failures = rehearse, folder, 0
        (folder / "star.xml").write_text(STAR)
        subprocess.run([rehearse, "cc", "-O1", HERE / "messages.c", "-o", folder / "messages"], check=True)

    def times(self, size, *options):
        """Microseconds by name."""
        done = subprocess.run([self.rehearse, "run", "--quiet", "-n", "4", "--compute", "none", "--on", "star.xml",
                               "--network", "packet", "--packet", "congestion=reno", "--eager", "65500", *options,
                               "./messages", str(size)], cwd=self.folder, capture_output=True, text=True, check=True)
        return {line.rsplit(" ", 2)[0]: float(line.rsplit(" ", 2)[1]) for line in done.stdout.splitlines()}

    def check(self, what, value, least, most):
        is_good = least <= value <= most
        self.failures += not is_good
        print(f"{'good' if is_good else 'BAD '}  {what}: {value:.1f} (from {least:.1f} to {most:.1f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    rehearse = parser.parse_args().build.resolve() / "bin" / "rehearse"
    with tempfile.TemporaryDirectory() as folder:
        messages = Messages(rehearse, pathlib.Path(folder))
        for size, (measured, error) in MEASURED.items():
            found = messages.times(size, *SOFTWARE)["half round trip"]
            messages.check(f"half round trip of {size} bytes, us", found, (1 - error) * measured,
                           (1 + error) * measured)
        found = messages.times(1 << 20)
        messages.check("exchange of 1 MiB, ms", found["together"] / 1e3, 87, 95)
        messages.check("exchange of 1 MiB, the second rank 2 ms late, ms", found["late"] / 1e3, 170, 190)
        # The least and the greatest of the measured times.
        messages.check("all-to-all of 1 MiB, ms", found["all-to-all"] / 1e3, 329, 514)
        messages.check("all-to-all of 1 MiB, ranks 1.5 ms apart, ms", found["all-to-all, not in step"] / 1e3, 329, 514)
        answered, announced = messages.times(1 << 20), messages.times(1 << 20, "--handshake", "announced")
        messages.check("an answer costs, us", answered["half round trip"] - announced["half round trip"], 200, 400)
        messages.check("without answers, nothing waits behind data, ms", announced["late"] / 1e3, 87, 95)
    sys.exit(1 if messages.failures else 0)


if __name__ == "__main__":
    main()
