// SPDX-License-Identifier: MIT
//
// Are actors that share objects explored once for each order of their dependent steps, and is nothing missed that all
// interleavings show?
//
// Errors: the first difference is printed.
#pragma once

#include <cstdint>

#include "simcore/platform.hpp"
#include "tests/support/group_programs.hpp"

namespace rehearse::tests {

// Two to four actors, each with some of the objects, with timeouts and exceptions or without.
GroupShape random_shape(std::uint64_t seed);

class GroupComparison {
 public:
  GroupComparison();

  // False: there is a difference.
  bool add(std::uint64_t seed);

  void print() const;

 private:
  Result<Platform> platform_;
  std::uint64_t groups_ = 0, interleavings_ = 0, orders_ = 0, twice_ = 0, too_large_ = 0;
};

}  // namespace rehearse::tests
