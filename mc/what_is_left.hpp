// SPDX-License-Identifier: MIT
//
// Explorations in parts, within this version of this program: what saved.hpp seals into something that can be kept.
#pragma once

#include <optional>
#include <string>

#include "mc/explore.hpp"

namespace rehearse::mc {

// As explore(); `left` says how to go on where it was stopped, and is empty otherwise.
Verdict explore_part(Program& program, const ExploreOptions& options, const Judge& judge, std::string& left);

// Goes on with what was `left`, which then says what is left now. Nothing: these bytes were never left.
std::optional<Verdict> explore_what_is_left(Program& program, const ExploreOptions& options, const Judge& judge,
                                            std::string& left);

}  // namespace rehearse::mc
