#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The training of the release build: runs whose counts of branches and calls the compiler then optimises by.

Usage: training.py --build BUILD   (a build with REHEARSE_PROFILE=collect; cmake/profile.cmake)

Replays are short ones of the kinds that users have: point-to-point and collective traces, few and many ranks, text,
`.rtrace` and GOAL, all network models, machines without and with shared links. The benchmark's ring and wave are among
them, shorter. MPI programs run and are checked, so that the engine's other paths have counts, too.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import platform_files
import replays

ROOT = pathlib.Path(__file__).resolve().parents[2]
RANKS = 64
MACHINES = ("crossbar", "backbone")  # no shared links, and one that all share


def write_mix(path, rounds):
    """Phases of nonblocking exchanges with changing partners and sizes, computations and collectives."""
    chance = random.Random(3)
    texts = [[f"{rank} init"] for rank in range(RANKS)]
    for _ in range(rounds):
        distance, size = chance.randrange(1, RANKS), int(10 ** chance.uniform(0, 6))
        collective = chance.choice(("barrier", f"bcast {size} 0", f"allReduce {size} 1e4", f"reduce {size} 1e4 0",
                                    f"allToAll {size // RANKS + 1} {size // RANKS + 1}"))
        for rank in range(RANKS):
            to, source = (rank + distance) % RANKS, (rank - distance) % RANKS
            texts[rank] += [f"{rank} Irecv {source} 1 {size}", f"{rank} Isend {to} 1 {size}",
                            f"{rank} compute {chance.randrange(1000, 1_000_000)}", f"{rank} waitAll",
                            f"{rank} {collective}"]
    path.write_text("".join("\n".join([*lines, f"{rank} finalize", ""]) for rank, lines in enumerate(texts)))


class Training:
    def __init__(self, build, folder):
        self.rehearse, self.folder = build / "bin/rehearse", folder

    def call(self, *words):
        done = subprocess.run([str(word) for word in (self.rehearse, *words)], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            sys.exit(f"training.py: failed: {' '.join(map(str, words))}: {done.stdout[-400:]}")

    def replay(self, trace, *options):
        self.call("trace", "replay", "--quiet", *options, trace)

    def texts(self):
        for name, write, size in (("ring", lambda path, rounds: replays.write_ring(path, RANKS, rounds), 1500),
                                  ("wave", replays.write_wave, 300), ("mix", write_mix, 60)):
            text = self.folder / f"{name}.ti"
            recording = text.with_suffix(".rtrace")
            write(text, size)
            self.call("trace", "convert", "--to", "rtrace", text, recording)
            for options, _ in replays.MODELS.values():
                machines = MACHINES if name == "mix" else MACHINES[:1]
                for machine in machines:
                    on = () if "--speed" in options else ("--on", platform_files.file_of(self.folder, machine, RANKS))
                    for trace in (text, recording):
                        self.replay(trace, *on, *options)

    def schedules(self):
        for name, ranks, write, times in (("dissemination", 4096, replays.write_dissemination, 1),
                                          ("exchange", 128, replays.write_exchange, 1)):
            text, binary = self.folder / f"{name}.goal", self.folder / f"{name}.bin"
            write(text, ranks, times)
            self.call("trace", "convert", "--to", "goal-binary", text, binary)
            for trace in (text, binary):
                self.replay(trace, "--network", "loggops")

    def compiled(self, name):
        program = self.folder / name
        self.call("cc", "-O2", "-o", program, ROOT / f"tests/bench/programs/{name}.c")
        return program

    def programs(self):
        ping_pong, fan_in = self.compiled("ping_pong"), self.compiled("fan_in")
        for model in ("raw", "lv08", "constant"):
            self.call("run", "--quiet", "--network", model, "-n", 2, ping_pong, 20_000)
        self.call("check", "--quiet", "--jobs", 1, "-n", 7, fan_in)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    build = parser.parse_args().build.resolve()
    with tempfile.TemporaryDirectory() as folder:
        training = Training(build, pathlib.Path(folder))
        training.texts()
        training.schedules()
        training.programs()


if __name__ == "__main__":
    main()
