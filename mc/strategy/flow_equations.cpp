// SPDX-License-Identifier: MIT
//
// A proof by flow equations for all policies. Without one, `matching` explores.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "mc/flow/proof.hpp"
#include "mc/history/local_graph.hpp"
#include "mc/strategy/depth_first.hpp"
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
    if (session_.is_stopped()) return;
    if (!flow_.why_not.empty()) {
      if (otherwise_ == WhenUndecided::explore_by_matching) DepthFirst(session_).run();
      else session_.stop("no proof by flow equations: " + flow_.why_not);
    }
    session_.set_flow(flow_);
  }

 private:
  std::string unsupported() const {
    const ExploreOptions& options = session_.options();
    const Semantics& semantics = options.semantics;
    if (dynamic_cast<StateImages*>(&session_.program()) == nullptr) return "programs whose states cannot be compared";
    if (!flow::Solver::is_there()) return "the library CLP is not installed";
    if (options.hooks.price) return "predicted times";
    if (options.strategy.apart) return "exploration in other processes";
    if (semantics.same_output || semantics.same_sends || semantics.same_results) return "comparisons of executions";
    return "";
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
      prove_all(graph);
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

  // Sends that may wait, but need not, cover each buffering. Members that wait for all are another program if members
  // need not.
  void prove_all(history::LocalGraph& graph) {
    const std::vector<Policy>& policies = session_.options().semantics.policies;
    const auto waits = [](const Policy& policy) { return policy.eager_bytes != Policy::infinite; };
    const bool sends = std::ranges::any_of(policies, waits);
    const bool all_synchronise = std::ranges::all_of(policies, &Policy::synchronising);
    const bool some_synchronise = std::ranges::any_of(policies, &Policy::synchronising);
    const bool has_partial = prove(graph, {sends, all_synchronise});
    if (some_synchronise && !all_synchronise && has_partial && flow_.why_not.empty()) prove(graph, {sends, true});
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

  // `matching` needs the rest of the time.
  std::chrono::steady_clock::time_point end_of_attempt() const {
    constexpr double most_seconds = 60, share = 0.5;
    if (otherwise_ == WhenUndecided::stop)
      return std::chrono::steady_clock::time_point::max();  // the session has a bound
    const std::chrono::duration<double> time(std::min(most_seconds, share * session_.options().bounds.max_seconds));
    return std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(time);
  }

  Session& session_;
  WhenUndecided otherwise_;
  std::chrono::steady_clock::time_point end_ = end_of_attempt();
  FlowProof flow_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_flow_equations(Session& session, WhenUndecided otherwise) {
  return std::make_unique<FlowEquations>(session, otherwise);
}

}  // namespace rehearse::mc::strategy
