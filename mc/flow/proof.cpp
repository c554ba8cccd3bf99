// SPDX-License-Identifier: MIT
//
// See proof.hpp.
#include "mc/flow/proof.hpp"

namespace rehearse::mc::flow {

Proof prove(history::History& history, const history::LocalGraph& graph, std::uint32_t actors, Waiting waiting,
            const Solver::GoesOn& goes_on, const Rules& rules, bool keeps_text) {
  Proof proof;
  Messages messages(actors);
  LocalRunner runner(history, graph, messages, waiting);
  Net net(runner, messages, actors, waiting.sends, rules.net, {});
  ProofWriter writer;
  Equations equations(net, rules.equations, keeps_text ? &writer : nullptr);
  try {
    net.grow(goes_on);
    if (keeps_text) writer.begin(net, label_of(waiting.sends, waiting.synchronising));
    if (const std::string error = equations.possible_error(goes_on); !error.empty())
      proof.why_not = equations.statistics().given_up > 0 ? "it took too long" : "it cannot exclude " + error;
  } catch (NoProof& limit) {
    proof.why_not = std::move(limit.why);
  }
  proof.steps = net.steps().size();
  proof.points = net.points().size();
  proof.messages = messages.size();
  proof.equations = equations.equations();
  proof.questions = equations.statistics().questions;
  if (proof.why_not.empty()) proof.text = writer.text();
  proof.has_partial_collectives = runner.has_partial_collectives();
  return proof;
}

}  // namespace rehearse::mc::flow
