// SPDX-License-Identifier: MIT
//
// Proof files with one mistake, for tests of their checker.
#pragma once

#include <string>

#include "simcore/support/random.hpp"

namespace rehearse::tests {

// Whether the checker accepts this file.
bool is_accepted(const std::string& text);

// The same file with one change in it.
std::string damaged(const std::string& text, SplitMix& draw);

}  // namespace rehearse::tests
