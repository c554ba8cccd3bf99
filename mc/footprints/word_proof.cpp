// SPDX-License-Identifier: MIT
//
// See word_proof.hpp.
#include "mc/footprints/word_proof.hpp"

#include "mc/footprints/word_equations.hpp"

namespace rehearse::mc::footprints {

WordProof prove(Machine& machine, const WordNet::GoesOn& goes_on, const Rules& rules, const Limits& limits) {
  WordProof proof;
  const Samples samples(machine, 1);
  WordNet net(machine, samples, rules, limits);
  WordEquations equations(net, goes_on);
  try {
    net.grow(equations, goes_on);
    if (const std::string error = equations.possible_error(); !error.empty())
      proof.why_not = "it cannot exclude " + error;
  } catch (const NoProof& limit) {
    proof.why_not = limit.why;
  }
  proof.steps = net.steps().size();
  proof.points = net.points().size();
  proof.messages = net.messages().size();
  proof.runs = samples.runs() + net.runs();
  proof.questions = equations.questions();
  return proof;
}

}  // namespace rehearse::mc::footprints
