// SPDX-License-Identifier: MIT
//
// See net_proof.hpp.
#include "mc/strategy/net_proof.hpp"

#include <algorithm>
#include <vector>

#include "mc/explore_options.hpp"
#include "mc/flow/solver.hpp"
#include "mc/strategy/depth_first.hpp"
#include "mc/strategy/session.hpp"

namespace rehearse::mc::strategy {

std::string unsupported_by_net_proofs(const ExploreOptions& options) {
  const Semantics& semantics = options.semantics;
  if (!flow::Solver::is_there()) return "the library CLP is not installed";
  if (options.hooks.price) return "predicted times";
  if (options.strategy.apart) return "exploration in other processes";
  if (semantics.same_output || semantics.same_sends || semantics.same_results) return "comparisons of executions";
  return "";
}

std::chrono::steady_clock::time_point end_of_net_proof(const ExploreOptions& options, WhenUndecided otherwise) {
  constexpr double most_seconds = 60, share = 0.5;
  if (otherwise == WhenUndecided::stop) return std::chrono::steady_clock::time_point::max();  // the session has a bound
  const std::chrono::duration<double> time(std::min(most_seconds, share * options.bounds.max_seconds));
  return std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(time);
}

void prove_for_policies(const ExploreOptions& options, const std::string& why_not,
                        const std::function<bool(bool sends, bool synchronising)>& prove) {
  const std::vector<Policy>& policies = options.semantics.policies;
  const auto waits = [](const Policy& policy) { return policy.eager_bytes != Policy::infinite; };
  const bool sends = std::ranges::any_of(policies, waits);
  const bool all_synchronise = std::ranges::all_of(policies, &Policy::synchronising);
  const bool some_synchronise = std::ranges::any_of(policies, &Policy::synchronising);
  const bool has_partial = prove(sends, all_synchronise);
  if (some_synchronise && !all_synchronise && has_partial && why_not.empty()) prove(sends, true);
}

void conclude_net_proof(Session& session, const FlowProof& proof, WhenUndecided otherwise, const std::string& means) {
  if (session.is_stopped()) return;
  if (!proof.why_not.empty()) {
    if (otherwise == WhenUndecided::explore_by_matching) DepthFirst(session).run();
    else session.stop("no proof by " + means + ": " + proof.why_not);
  }
  session.set_flow(proof);
}

}  // namespace rehearse::mc::strategy
