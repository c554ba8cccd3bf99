// SPDX-License-Identifier: MIT
//
// What the strategies have in common that prove a program by equations of a net: of local graphs (flow_equations.cpp)
// or over words (footprint_nets.cpp).
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "mc/explore.hpp"
#include "mc/explore_options.hpp"
#include "mc/strategy/search_strategy.hpp"

namespace rehearse::mc::strategy {

// Which of these options such proofs do not support; empty: all are supported.
std::string unsupported_by_net_proofs(const ExploreOptions& options);

// When the attempt ends. `matching` needs the rest of the time.
std::chrono::steady_clock::time_point end_of_net_proof(const ExploreOptions& options, WhenUndecided otherwise);

// Calls prove(sends, synchronising) once or twice, for all policies. `sends`: standard sends may wait until their
// message is taken; since they need not, this covers each buffering. `synchronising`: members of collectives wait for
// all members; if members need not, that is another program. prove() returns whether some collective is of that kind,
// and sets `why_not`, which is empty after a proof.
void prove_for_policies(const ExploreOptions& options, const std::string& why_not,
                        const std::function<bool(bool sends, bool synchronising)>& prove);

// Without a proof: explores or stops. `means` is in the text, for instance "flow equations".
void conclude_net_proof(Session& session, const FlowProof& proof, WhenUndecided otherwise, const std::string& means);

}  // namespace rehearse::mc::strategy
