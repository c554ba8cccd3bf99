#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random small MPI programs of two ranks: formulas and endless executions against a model of the programs in this file,
decided without automata and without operations of MPI, by paths and strongly connected components of its graph.
REHEARSE_ENDLESS_PROGRAMS: their number; REHEARSE_ENDLESS_SEED: the seed."""
import json
import os
import random
import unittest

from checking import WithPrograms
from fair_graph import FairGraph

import closing_line

PROGRAMS = int(os.environ.get("REHEARSE_ENDLESS_PROGRAMS", "24"))
SEED = int(os.environ.get("REHEARSE_ENDLESS_SEED", "11"))

# A rank is a list of instructions: `s V` sends V to the other rank, `r` receives x, `b` is a barrier, `t` receives x if
# a probe finds a message, `p V` publishes V, `q` publishes x, `j` begins again if x is not 0, `l` begins again. It ends
# behind its last instruction.
INTERPRETER = """#include <mpi.h>
#include <rehearse.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, x = 0, found;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* program = argv[1 + rank];
  for (int at = 0; program[at] != 0; at += 2) {
    int value = program[at + 1] - '0';
    switch (program[at]) {
      case 's': MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); break;
      case 'r': MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); break;
      case 'b': MPI_Barrier(MPI_COMM_WORLD); break;
      case 't':
        MPI_Iprobe(1 - rank, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        if (found) MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        found = 0;
        break;
      case 'p': rehearse_publish("x", value); break;
      case 'q': rehearse_publish("x", x); break;
      case 'j': at = x != 0 ? -2 : at; break;
      case 'l': at = -2; break;
    }
  }
  MPI_Finalize();
  return 0;
}
"""


def random_rank(dice, kinds):
    program = [("p", dice.randrange(2))]
    for _ in range(dice.randint(1, 4)):
        program.append((dice.choice(kinds), dice.randrange(2)))
    if not any(kind in "srbt" for kind, _ in program):  # a loop without a call never ends in a way of its own
        program.append(("b", 0))
    if dice.random() < 0.7:
        program.append((dice.choice("jl"), 0))
    return program


def random_pair(dice):
    """Two ranks that mostly fit each other."""
    pair = [[("p", dice.randrange(2))], [("p", dice.randrange(2))]]
    for _ in range(dice.randint(1, 4)):
        sender = dice.randrange(3)  # 2: a barrier
        calls = [("b", 0), ("b", 0)] if sender == 2 else [("r", 0), ("r", 0)]
        if sender < 2:
            calls[sender] = ("s", dice.randrange(2))
        for rank, call in enumerate(calls):
            if dice.random() < 0.9:
                pair[rank].append(call)
    for program in pair:
        if len(program) == 1:
            program.append(("b", 0))  # a loop without a call never ends in a way of its own
        if dice.random() < 0.85:
            program.append(("j" if dice.random() < 0.15 else "l", 0))
    return pair


class Model(FairGraph):
    """States: for each rank its instruction, x, the published value, and its offer: the message that waits for the
    other rank (0: none, 1: it waits, 2: it is visible, 3: it was taken), and whether it waits in a barrier; then by how
    many barriers rank 0 is ahead. Doers: the ranks, and 2 + r: the message of rank r becomes visible. Sends wait."""

    def __init__(self, programs, probes):
        self.programs, self.probes = programs, probes
        first = tuple((self.local(r, 0, 0), 0, 0, 0, False) for r in range(2)) + (0,)
        super().__init__(first)

    def local(self, rank, at, x):
        """The next instruction that is a step."""
        program = self.programs[rank]
        while at < len(program) and program[at][0] in "jl":
            at = 0 if program[at][0] == "l" or x != 0 else at + 1
        return at

    def steps(self, state):
        for rank in range(2):
            for target in self.of_rank(state, rank):
                yield rank, target
            at, x, value, offer, waits = state[rank]
            if self.probes and offer == 1:
                yield 2 + rank, self.changed(state, {rank: (at, x, value, 2, waits)})

    @staticmethod
    def changed(state, ranks, ahead=None):
        result = list(state)
        for rank, part in ranks.items():
            result[rank] = part
        if ahead is not None:
            result[2] = ahead
        return tuple(result)

    def of_rank(self, state, rank):
        at, x, value, offer, waits = state[rank]
        other = state[1 - rank]
        if at == len(self.programs[rank]):
            return
        kind, number = self.programs[rank][at]

        def done(**new):
            now = {"x": x, "value": value, **new}
            return (self.local(rank, at + 1, now["x"]), now["x"], now["value"], 0, False)

        if kind in "pq":
            yield self.changed(state, {rank: done(value=number if kind == "p" else x)})
        elif kind == "s":
            if offer == 0:
                yield self.changed(state, {rank: (at, x, value, 1, False)})
            elif offer == 3:
                yield self.changed(state, {rank: done()})
        elif kind in "rt":
            if other[3] == 2 or (kind == "r" and other[3] == 1):
                sent = self.programs[1 - rank][other[0]][1]
                yield self.changed(state, {rank: done(x=sent), 1 - rank: other[:3] + (3,) + other[4:]})
            elif kind == "t":
                yield self.changed(state, {rank: done()})
        elif kind == "b":
            ahead, mine = state[2], 1 if rank == 0 else -1
            if not waits:
                yield self.changed(state, {rank: (at, x, value, 0, True)}, ahead + mine)
            elif ahead * mine <= 0:
                yield self.changed(state, {rank: done()})


class Random(WithPrograms):
    def compile_interpreter(self):
        source = self.write("interpreter.c", INTERPRETER)
        self.rehearse("cc", source, "-o", "interpreter")

    def test_formulas_hold_as_in_the_model(self):
        self.compile_interpreter()
        dice = random.Random(SEED)
        counts = {True: 0, False: 0}
        for number in range(PROGRAMS):
            programs = [random_rank(dice, "ssrrbtpq") for _ in range(2)]
            model = Model(programs, any(kind == "t" for program in programs for kind, _ in program))
            kind = dice.choice(["G p", "F p", "G F p", "F G p", "G (p -> F q)", "p U q"])
            (a, c), (b, d) = ((dice.randrange(2), dice.randrange(2)) for _ in range(2))
            formula = kind.replace("p", f"(x@{a} == {c})").replace("q", f"(x@{b} == {d})")
            expected = model.violates(kind, lambda s: s[a][2] == c, lambda s: s[b][2] == d)
            texts = ["".join(f"{k}{v}" for k, v in program) for program in programs]
            with self.subTest(number=number, programs=texts, formula=formula):
                done = self.rehearse("check", "-n", 2, "--only", "property.ltl", "--ltl", formula, "--buffering",
                                     "zero", "--collective-synchronisation", "relaxed", "--json", "-", "interpreter",
                                     *texts, status=1 if expected else 0)
                self.assertEqual(json.loads(done.stdout)["verdict"], "violation" if expected else "verified")
                if expected:
                    self.rehearse("replay", "--quiet", "rehearse-counterexample.json", status=1)
                counts[expected] += 1
        for count in counts.values():
            self.assertGreater(count, PROGRAMS / 8)

    def test_endless_executions_are_those_of_the_model(self):
        """Without probes, so that there is one execution."""
        self.compile_interpreter()
        dice = random.Random(SEED + 1)
        counts = {True: 0, False: 0}
        for number in range(PROGRAMS // 2):
            programs = random_pair(dice)
            expected = Model(programs, False).is_endless()
            texts = ["".join(f"{k}{v}" for k, v in program) for program in programs]
            with self.subTest(number=number, programs=texts):
                # An execution that ends because sends wait is endless where they do not, and then the check is open.
                done = self.rehearse("check", "-n", 2, "--only", "progress", "--buffering", "zero", "--max-steps", 500,
                                     "--max-seconds", 5, "--collective-synchronisation", "relaxed", "--json", "-",
                                     "interpreter", *texts, status=1 if expected else None)
                ids = [finding["id"] for finding in json.loads(done.stdout)["findings"]]
                self.assertEqual(ids, ["progress.cycle"] if expected else [])
                counts[expected] += 1
        for count in counts.values():
            self.assertGreater(count, PROGRAMS / 20)


if __name__ == "__main__":
    closing_line.main()
