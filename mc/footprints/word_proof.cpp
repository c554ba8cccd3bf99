// SPDX-License-Identifier: MIT
//
// See word_proof.hpp.
#include "mc/footprints/word_proof.hpp"

#include "mc/footprints/word_equations.hpp"

namespace rehearse::mc::footprints {

WordProof prove(Machine& machine, const WordNet::GoesOn& goes_on, const Rules& rules, const Limits& limits) {
  WordProof proof;
  WordNet net(machine, rules, limits);
  WordEquations equations(net, goes_on);
  try {
    net.grow(goes_on);
    if (const std::string error = equations.possible_error(); !error.empty())
      proof.why_not = "the equations do not exclude " + error;
  } catch (const NoProof& reason) {
    proof.why_not = reason.why;
  }
  proof.steps = net.steps().size();
  proof.points = net.points().size();
  proof.messages = net.messages().size();
  proof.runs = net.runs();
  proof.equations = equations.equations();
  proof.questions = equations.questions();
  return proof;
}

}  // namespace rehearse::mc::footprints
