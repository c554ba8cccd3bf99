// SPDX-License-Identifier: MIT
//
// The file in which `check --save` keeps the remaining work of an exploration, and from which `check --resume`
// continues.
//
// Errors: the file, and its fault or the difference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/job.hpp"
#include "mc/explore.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// The identity of an exploration: a line `name: value` for each of its inputs. If a line differs, one exploration
// cannot continue the other.
Result<std::string> exploration_identity(const Job& job, const mc::Semantics& semantics, const mc::Bounds& bounds);

// The remaining work in the file, which must be of an exploration with this identity.
Result<std::string> read_exploration(const std::string& file, const std::string& identity);

// Writes the whole file, or does not change it.
Result<void> write_exploration(const std::string& file, const std::string& remaining);

}  // namespace rehearse::app
