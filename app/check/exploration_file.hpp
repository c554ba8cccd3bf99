// SPDX-License-Identifier: MIT
//
// The file in which `check --save` keeps the remaining work of an exploration, and from which `check --resume`
// continues.
//
// Errors: the file, and what is wrong with it or differs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/job.hpp"
#include "mc/explore.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// All that an exploration is of, a line each, `name: value`: two that differ in a line have nothing to do with each
// other.
Result<std::string> exploration_identity(const Job& job, const mc::Semantics& semantics, const mc::Bounds& bounds);

// What the file holds, if that remains of an exploration with this identity.
Result<std::string> read_exploration(const std::string& file, const std::string& identity);

// The file is there as a whole or as it was before.
Result<void> write_exploration(const std::string& file, const std::string& remaining);

}  // namespace rehearse::app
