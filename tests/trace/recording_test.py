#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse run --trace: the replay of a recorded run gives every rank its date, to the picosecond.

recording_test.py --build DIR [--random FIRST COUNT]

Records and replays the C programs of examples/, examples/traces and tests/programs/mpi, and random_mix.c for many
seeds, on two platforms, with and without measured computation. Another platform may change dates, but the replay must
end. Damaged files get one clear message.
"""
import json
import pathlib
import random
import re
import sys

import trace_tests

HERE = pathlib.Path(__file__).resolve().parent
TREE = trace_tests.TREE
PLATFORMS = ("cluster:4", "fat-tree:16")
COSTS = ["--os", "0:1e-6:1e-10", "--ois", "0:5e-7:0", "--or", "0:2e-6:1e-10"]


class Recordings(trace_tests.Checks):
    def compile(self, source):
        program = self.folder / source.stem
        done = self.call("cc", source, "-o", program, "-lm")
        return program if done.returncode == 0 else None

    @staticmethod
    def dates(done):
        report = json.loads(done.stdout)
        return [rank["stopped_picoseconds"] for rank in report["ranks"]]

    def record_and_replay(self, name, program, ranks, platform, compute, costs, arguments=()):
        trace = self.folder / "run.rtrace"
        trace.unlink(missing_ok=True)
        machine = ["--on", platform, "--json", "report.json", *costs]
        run = self.call("run", "-n", ranks, "--compute", compute, "--trace", trace, *machine, program, *arguments)
        if run.returncode not in (0, 1):
            return None  # the run is refused, or needs what is not there
        wanted = json.loads((self.folder / "report.json").read_text())
        replay = self.call("trace", "replay", trace, *machine)
        name = f"{name} -n {ranks} --on {platform} --compute {compute} {' '.join(costs)}"
        if replay.returncode not in (0, 1):
            self.judge(name, f"status {replay.returncode}: {replay.stderr[-300:]}")
            return trace
        got = json.loads((self.folder / "report.json").read_text())
        differing = [rank["rank"] for rank, other in zip(wanted["ranks"], got["ranks"])
                     if rank["stopped_picoseconds"] != other["stopped_picoseconds"] or rank["exit"] != other["exit"]]
        self.judge(name, differing and f"ranks {differing} end at other dates")
        return trace

    def replay_elsewhere(self, name, trace, status):
        for words in (["--on", "torus:2x4"], ["--on", "cluster:4", "--network", "constant"],
                      ["--on", "cluster:4", "--eager", "0"]):
            replay = self.call("trace", "replay", *words, trace)
            self.judge(f"{name} {' '.join(words)}",
                       replay.returncode not in status and f"status {replay.returncode}: {replay.stderr[-300:]}")

    def damage(self, trace, count):
        whole = trace.read_bytes()
        chance = random.Random(1)
        damaged = self.folder / "damaged.rtrace"
        for i in range(count):
            content = bytearray(whole)
            if i % 4 == 0:
                del content[chance.randrange(len(content)):]
            else:
                for _ in range(chance.choice([1, 1, 2, 8])):
                    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
            damaged.write_bytes(content)
            replay = self.call("trace", "replay", "--quiet", damaged)
            # A damaged magic makes it another file; a cut one may stop before or behind the ranks' communication.
            good = replay.returncode in (0, 1, 2, 3) and "internal" not in replay.stderr
            if replay.returncode == 2:
                is_other = content[:8] != whole[:8]  # then it may be a list of names of files
                good = good and len(replay.stderr.strip().splitlines()) == 1
                good = good and (is_other or "damaged.rtrace" in replay.stderr)
            self.judge(f"mutation {i}", not good and f"status {replay.returncode}: {replay.stderr[-300:]}")


def ranks_of(source):
    found = re.search(r"^// ranks: (\d+)", source.read_text(), re.MULTILINE)
    return int(found[1]) if found else 4 if "examples" in source.parts else 2


def work(recordings, options):
    for source in sorted([*(TREE / "examples").glob("*.c"), *(TREE / "tests/programs/mpi").glob("*.c")]):
        program = recordings.compile(source)
        if program is None:
            continue
        for platform, compute, costs in ((PLATFORMS[0], "none", []), (PLATFORMS[1], "measured", [])):
            recordings.record_and_replay(source.stem, program, ranks_of(source), platform, compute, costs)
    for source in sorted((TREE / "examples/traces").glob("*.c")):
        program = recordings.compile(source)
        recordings.record_and_replay(source.stem, program, 8, PLATFORMS[0], "measured", [], ("S",))
    mix = recordings.compile(HERE / "random_mix.c")
    first, count = options.random
    for seed in range(first, first + count):
        for platform in PLATFORMS:
            for compute in ("none", "measured"):
                costs = COSTS if seed % 3 == 0 else []
                trace = recordings.record_and_replay(f"seed {seed}", mix, 2 + seed % 7, platform, compute, costs,
                                                     (seed,))
        recordings.replay_elsewhere(f"seed {seed}", trace, (0,))
    recordings.damage(trace, options.mutations)


def main():
    parser = trace_tests.make_parser(__doc__, random=(0, 50))
    parser.add_argument("--mutations", type=int, default=200)
    return trace_tests.run_tests(Recordings, parser.parse_args(), work, least=200)


if __name__ == "__main__":
    sys.exit(main())
