// SPDX-License-Identifier: MIT
//
// See word_proof.hpp.
#include "mc/footprints/word_proof.hpp"

#include "mc/footprints/word_equations.hpp"
#include "mc/footprints/word_proof_writer.hpp"

namespace rehearse::mc::footprints {

WordProof prove(Machine& machine, const WordNet::GoesOn& goes_on, const Rules& rules, const Limits& limits,
                std::string_view label) {
  WordProof proof;
  WordNet net(machine, rules, limits);
  WordProofWriter writer;
  WordEquations equations(net, goes_on, label.empty() ? nullptr : &writer);
  try {
    net.grow(goes_on);
    if (!label.empty()) writer.begin(net, label);
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
  if (proof.why_not.empty() && can_be_written(net)) proof.text = writer.text();
  return proof;
}

}  // namespace rehearse::mc::footprints
