// SPDX-License-Identifier: MIT
//
// An exploration that keeps its proof by flow equations, for another program to check.
#pragma once

#include <string>

#include "mc/explore.hpp"

namespace rehearse::mc {

// As explore(). With Reduction::flow and a proof, `proof` is its text: the nets and questions of a proof file
// (docs/proofs.md), without the first line. Otherwise it is empty.
Verdict explore_and_keep_proof(Program& program, const ExploreOptions& options, const Judge& judge, std::string& proof);

}  // namespace rehearse::mc
