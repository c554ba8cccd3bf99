// SPDX-License-Identifier: MIT
//
// All states of the nets of a proof file, by the definition in docs/proofs.md: brute force, for small nets.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace rehearse::tests {

// Whether all that an accepted file claims is true. None: there are more states than this, or no net can be read.
std::optional<bool> claims_are_true(const std::string& text, std::size_t most_states);

}  // namespace rehearse::tests
