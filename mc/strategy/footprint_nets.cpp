// SPDX-License-Identifier: MIT
//
// A proof by flow equations of a net over words, for all policies. Without one, `matching` explores.
#include <algorithm>
#include <chrono>
#include <string>

#include "mc/flow/solver.hpp"
#include "mc/footprints/traced_machine.hpp"
#include "mc/footprints/word_proof.hpp"
#include "mc/strategy/depth_first.hpp"
#include "mc/strategy/search_strategy.hpp"
#include "mc/strategy/session.hpp"

namespace rehearse::mc::strategy {

namespace {

class FootprintNets final : public SearchStrategy {
 public:
  FootprintNets(Session& session, WhenUndecided otherwise) : session_(session), otherwise_(otherwise) {
    flow_.by_footprints = true;
  }

  void run() override {
    flow_.why_not = unsupported();
    if (flow_.why_not.empty()) prove_all();
    if (session_.is_stopped()) return;
    if (!flow_.why_not.empty()) {
      if (otherwise_ == WhenUndecided::explore_by_matching) DepthFirst(session_).run();
      else session_.stop("no proof by footprints: " + flow_.why_not);
    }
    session_.set_flow(flow_);
  }

 private:
  std::string unsupported() const {
    const ExploreOptions& options = session_.options();
    const Semantics& semantics = options.semantics;
    if (dynamic_cast<StepFootprints*>(&session_.program()) == nullptr) return "programs whose steps cannot be traced";
    if (!flow::Solver::is_there()) return "the library CLP is not installed";
    if (options.hooks.price) return "predicted times";
    if (options.strategy.apart) return "exploration in other processes";
    if (semantics.same_output || semantics.same_sends || semantics.same_results) return "comparisons of executions";
    return "";
  }

  // As in FlowEquations: sends that may wait, but need not, cover each buffering. Members that wait for all are another
  // program if members need not.
  void prove_all() {
    const std::vector<Policy>& policies = session_.options().semantics.policies;
    const auto waits = [](const Policy& policy) { return policy.eager_bytes != Policy::infinite; };
    const bool sends = std::ranges::any_of(policies, waits);
    const bool all_synchronise = std::ranges::all_of(policies, &Policy::synchronising);
    const bool some_synchronise = std::ranges::any_of(policies, &Policy::synchronising);
    const bool has_partial = prove({sends, all_synchronise});
    if (some_synchronise && !all_synchronise && has_partial && flow_.why_not.empty()) prove({sends, true});
  }

  bool prove(footprints::Waiting waiting) {
    session_.history().start_again();  // its Nodes do not know where the actors are afterwards
    footprints::TracedMachine machine(session_.program(), waiting);
    std::uint64_t looks = 0;
    const auto goes_on = [&] { return session_.is_within_bounds(++looks) && std::chrono::steady_clock::now() < end_; };
    const footprints::WordProof proof = footprints::prove(machine, goes_on);
    flow_.why_not = proof.why_not;
    flow_.local_steps += machine.traced_steps();
    flow_.repeated_steps += machine.repeated_steps();
    flow_.steps += proof.steps;
    flow_.equations += proof.equations;
    flow_.questions += proof.questions;
    session_.add_limits({});
    session_.history().start_again();
    return machine.has_partial_collectives();
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

std::unique_ptr<SearchStrategy> make_footprint_nets(Session& session, WhenUndecided otherwise) {
  return std::make_unique<FootprintNets>(session, otherwise);
}

}  // namespace rehearse::mc::strategy
