// SPDX-License-Identifier: MIT
//
// An exploration that keeps its proof by flow equations or footprints, for another program to check.
#pragma once

#include <string>

#include "mc/explore.hpp"

namespace rehearse::mc {

// As explore(). With a proof by flow equations or footprints (also by an attempt), `proof` is its text: the nets and
// questions of a proof file (docs/proofs.md), without the first line. Otherwise it is empty, and also if the format
// cannot hold a net of footprints: its steps lead back to a point, or send groups of messages.
Verdict explore_and_keep_proof(Program& program, const ExploreOptions& options, const Judge& judge, std::string& proof);

}  // namespace rehearse::mc
