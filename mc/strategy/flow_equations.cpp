// SPDX-License-Identifier: MIT
//
// A proof by flow equations for all policies. Without one, `matching` explores.
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "mc/flow/proof.hpp"
#include "mc/history/local_graph.hpp"
#include "mc/strategy/net_proof.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"
#include "mc/strategy/shorter_messages.hpp"

namespace rehearse::mc::strategy {

namespace {

class FlowEquations final : public SearchStrategy {
 public:
  FlowEquations(Session& session, WhenUndecided otherwise) : session_(session), otherwise_(otherwise) {}

  void run() override {
    flow_.why_not = unsupported();
    if (flow_.why_not.empty())
      repeat_for_shorter_messages([this](StateImages::AwaitedBytes awaited) { return prove(awaited); });
    conclude_net_proof(session_, flow_, otherwise_, "flow equations");
  }

 private:
  std::string unsupported() const {
    if (dynamic_cast<StateImages*>(&session_.program()) == nullptr) return "programs whose states cannot be compared";
    return unsupported_by_net_proofs(session_.options());
  }

  // The length of a message that was too short for this attempt; nothing: the attempt is over.
  std::optional<std::uint64_t> prove(StateImages::AwaitedBytes awaited) {
    flow_ = {};
    if (session_.proof_text() != nullptr) session_.proof_text()->clear();
    session_.history().start_again();
    history::LocalGraph graph(session_.program(), awaited);
    session_.history().merge_in(graph);
    std::optional<std::uint64_t> too_short;
    try {
      prove_for_policies(session_.options(), flow_.why_not, [&](bool sends, bool synchronising) {
        return prove(graph, {sends, synchronising});
      });
    } catch (const flow::ShortMessage& message) {
      too_short = message.bytes;
    } catch (...) {
      session_.history().start_again();  // the graph ends here
      throw;
    }
    flow_.local_steps = graph.steps();
    session_.add_limits({});
    session_.history().start_again();
    return too_short;
  }

  bool prove(history::LocalGraph& graph, flow::Waiting waiting) {
    std::uint64_t looks = 0;
    const auto goes_on = [&] { return session_.is_within_bounds(++looks) && std::chrono::steady_clock::now() < end_; };
    std::string* text = session_.proof_text();
    const flow::Proof proof =
        flow::prove(session_.history(), graph, session_.actor_count(), waiting, goes_on, {}, text != nullptr);
    flow_.why_not = proof.why_not;
    if (text != nullptr) *text += proof.text;
    flow_.steps += proof.steps;
    flow_.equations += proof.equations;
    flow_.questions += proof.questions;
    return proof.has_partial_collectives;
  }

  Session& session_;
  WhenUndecided otherwise_;
  std::chrono::steady_clock::time_point end_ = end_of_net_proof(session_.options(), otherwise_);
  FlowProof flow_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_flow_equations(Session& session, WhenUndecided otherwise) {
  return std::make_unique<FlowEquations>(session, otherwise);
}

}  // namespace rehearse::mc::strategy
