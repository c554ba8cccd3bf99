#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random small programs of two actors: verdicts of formulas against a model of the programs in this file, decided
without automata, by paths and strongly connected components of its graph. REHEARSE_LTL_PROGRAMS: their number;
REHEARSE_LTL_SEED: the seed."""
import json
import os
import random
import unittest

from checking import WithPrograms
from fair_graph import FairGraph

PROGRAMS = int(os.environ.get("REHEARSE_LTL_PROGRAMS", "25"))
SEED = int(os.environ.get("REHEARSE_LTL_SEED", "7"))

# An actor is a list of instructions: `s V C` stores C to variable V, `w V C` spins until V is C, `p C` publishes x = C,
# `l` begins again. It ends behind its last instruction.
INTERPRETER = """#include <sstream>
#include <string>
#include <vector>
#include "simcore/actor_api.hpp"
namespace sim = rehearse::sim;
struct Instruction { char kind; int first, second; };
std::vector<Instruction> read(const char* text) {
  std::istringstream in(text);
  std::vector<Instruction> result;
  for (Instruction i{}; in >> i.kind; result.push_back(i)) in >> i.first >> i.second;
  return result;
}
int main(int, char** argv) {
  auto platform = rehearse::make_platform("cluster:2");
  sim::Simulation simulation(platform.value());
  sim::SharedVariable<int> variables[2];
  std::vector<Instruction> programs[2] = {read(argv[1]), read(argv[2])};
  for (int self = 0; self < 2; ++self)
    simulation.add_actor("actor", simulation.hosts()[0], [&, self] {
      const std::vector<Instruction>& program = programs[self];
      for (std::size_t at = 0; at < program.size(); ++at) {
        const Instruction i = program[at];
        if (i.kind == 's') variables[i.first].store(i.second);
        if (i.kind == 'w') while (variables[i.first].load() != i.second) sim::this_actor::yield();
        if (i.kind == 'p') sim::this_actor::publish("x", i.first);
        if (i.kind == 'l') at = static_cast<std::size_t>(-1);
      }
    });
  simulation.run();
}
"""


def random_actor(dice):
    program = [("p", dice.randrange(2), 0)]
    for _ in range(dice.randint(1, 3)):
        kind = dice.choice("sswpp")
        program.append((kind, dice.randrange(2), dice.randrange(2) if kind in "sw" else 0))
    if dice.random() < 0.7:
        program.append(("l", 0, 0))
    return program


class Model(FairGraph):
    """States: instruction of each actor, variables, published values. No step: the state repeats."""

    def __init__(self, programs):
        self.programs = programs
        super().__init__(((0, 0), (0, 0), (0, 0)))

    def steps(self, state):
        return [(a, self.step(state, a)) for a in range(2) if self.at(state, a) is not None]

    def at(self, state, actor):
        at = state[0][actor]
        return self.programs[actor][at] if at < len(self.programs[actor]) else None

    def step(self, state, actor):
        places, variables, values = (list(part) for part in state)
        kind, first, second = self.at(state, actor)
        places[actor] += 1
        if kind == "s":
            variables[first] = second
        elif kind == "w" and variables[first] != second:
            places[actor] -= 1
        elif kind == "p":
            values[actor] = first
        if self.programs[actor][places[actor]:places[actor] + 1] == [("l", 0, 0)]:
            places[actor] = 0  # not a step of its own
        return (tuple(places), tuple(variables), tuple(values))


class Random(WithPrograms):
    def test_verdicts_are_those_of_the_model(self):
        source = self.write("interpreter.cpp", INTERPRETER)
        self.rehearse("c++", "--actors", source, "-o", "interpreter")
        dice = random.Random(SEED)
        counts = {True: 0, False: 0}
        for number in range(PROGRAMS):
            programs = [random_actor(dice), random_actor(dice)]
            model = Model(programs)
            kind = dice.choice(["G p", "F p", "G F p", "F G p", "G (p -> F q)", "p U q"])
            (a, c), (b, d) = ((dice.randrange(2), dice.randrange(2)) for _ in range(2))
            formula = kind.replace("p", f"(x@{a} == {c})").replace("q", f"(x@{b} == {d})")
            expected = model.violates(kind, lambda s: s[2][a] == c, lambda s: s[2][b] == d)
            texts = [" ".join(f"{k} {f} {s}" for k, f, s in program) for program in programs]
            with self.subTest(number=number, programs=texts, formula=formula):
                done = self.rehearse("check", "--only", "property.ltl", "--ltl", formula, "--json", "-", "interpreter",
                                     *texts, status=1 if expected else 0)
                self.assertEqual(json.loads(done.stdout)["verdict"], "violation" if expected else "verified")
                if expected:
                    self.rehearse("replay", "--quiet", "rehearse-counterexample.json", status=1)
                counts[expected] += 1
        for count in counts.values():
            self.assertGreater(count, PROGRAMS / 8)


if __name__ == "__main__":
    unittest.main()
