#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random GOAL schedules, deterministic by seed; every message has a receive.

random_schedules.py SEED [--ranks N] [--messages N] [--features shared,any,anytag,zero,big,cpus,nics,loose]

shared: several messages of one size from one rank to another with one tag; any: receives from any source; anytag: with
any tag; zero: messages of 0 bytes; big: above the default S; cpus, nics: 2 of each; loose: few dependencies.
"""
import argparse
import random

FEATURES = ("shared", "any", "anytag", "zero", "big", "cpus", "nics", "loose")


class Schedule:
    def __init__(self, seed, ranks=None, messages=None, features=()):
        self.random = random.Random(seed)
        self.features = set(features)
        self.ranks = ranks or self.random.randint(2, 8)
        self.messages = messages or self.random.randint(1, 6 * self.ranks)
        self.operations = [[] for _ in range(self.ranks)]  # label, text
        self.dependencies = [[] for _ in range(self.ranks)]
        self.sizes = {}

    def add(self, rank, text):
        label = f"l{len(self.operations[rank]) + 1}"
        if "cpus" in self.features and self.random.random() < .5:
            text += " cpu 1"
        if "nics" in self.features and not text.startswith("calc") and self.random.random() < .5:
            text += " nic 1"
        earlier = [name for name, _ in self.operations[rank]]
        for other in self.choose(earlier) if earlier else []:
            verb = "irequires" if self.random.random() < .3 else "requires"
            self.dependencies[rank].append(f"{label} {verb} {other}")
        self.operations[rank].append((label, text))

    def choose(self, earlier):
        if "loose" in self.features:
            return self.random.sample(earlier, min(len(earlier), self.random.choice([0, 0, 1, 1, 2])))
        if self.random.random() < .7:
            return [earlier[-1]]
        return self.random.sample(earlier, min(len(earlier), self.random.choice([0, 1, 2])))

    def size(self):
        sizes = [1, 2, 8, 100, 1024, 4096, self.random.randint(1, 65535)]
        sizes += [65536, 100000, 1 << 20] if "big" in self.features else []
        sizes += [0, 0] if "zero" in self.features else []
        return self.random.choice(sizes)

    def add_message(self, number):
        sender, receiver = self.random.sample(range(self.ranks), 2)
        kind = self.random.random()
        tag, size = 1000 + number, self.size()
        source, wanted = str(sender), str(tag)
        if "shared" in self.features and kind < .3:
            tag = self.random.randint(1, 2)
            size = self.sizes.setdefault((sender, receiver, tag), size)
            wanted = str(tag)
        elif "any" in self.features and kind < .5:
            tag = 500 + receiver  # of all messages to this rank that are received from any source
            size = self.sizes.setdefault(tag, min(size, 60000))
            source, wanted = "-1", str(tag)
        ends = [(sender, f"send {size}b to {receiver} tag {tag}"),
                (receiver, f"recv {size}b from {source} tag {wanted}")]
        self.random.shuffle(ends)
        for rank, text in ends:
            self.add(rank, text)
            if self.random.random() < .4:
                duration = self.random.choice([1, 100, 5000, self.random.randint(1, 200000)])
                self.add(self.random.randrange(self.ranks), f"calc {duration}")

    def add_any_tag(self):
        """A last message to each rank, received with any tag when all else is over."""
        for rank in range(self.ranks):
            sender = (rank + 1) % self.ranks
            self.add(sender, f"send 77b to {rank} tag {2000 + self.random.randint(0, 3)}")
            label = f"l{len(self.operations[rank]) + 1}"
            self.dependencies[rank] += [f"{label} requires {name}" for name, _ in self.operations[rank]]
            self.operations[rank].append((label, f"recv 77b from {sender} tag -1"))

    def text(self):
        for number in range(self.messages):
            self.add_message(number)
        if "anytag" in self.features:
            self.add_any_tag()
        lines = [f"num_ranks {self.ranks}"]
        for rank in range(self.ranks):
            lines += ["", f"rank {rank} {{"] + [f"{label}: {text}" for label, text in self.operations[rank]]
            lines += self.dependencies[rank] + ["}"]
        return "\n".join(lines) + "\n"


def schedule(seed, ranks=None, messages=None, features=()):
    return Schedule(seed, ranks, messages, features).text()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seed", type=int)
    parser.add_argument("--ranks", type=int)
    parser.add_argument("--messages", type=int)
    parser.add_argument("--features", default="")
    options = parser.parse_args()
    features = [name for name in options.features.split(",") if name]
    print(schedule(options.seed, options.ranks, options.messages, features), end="")


if __name__ == "__main__":
    main()
