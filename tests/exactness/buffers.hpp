// SPDX-License-Identifier: MIT
//
// Are programs without deadlocks when the sends are buffered that mc::needed_buffers() names, and no others? On random
// programs, in which these sends become buffered ones, by all interleavings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rehearse::tests {

class BuffersComparison {
 public:
  // False: a program with the named sends buffered has a deadlock. It is printed.
  bool add(std::uint64_t seed);
  bool has_programs() const { return programs_ > 0; }
  bool has_sets() const { return needing_ > 0; }  // otherwise the comparison says nothing
  void print() const;

 private:
  void compare_size(const std::string& litmus, std::size_t found);

  std::uint64_t programs_ = 0, too_large_ = 0, needing_ = 0, unanswered_ = 0;
  std::uint64_t smallest_ = 0, larger_ = 0, helped_ = 0;  // compared with every set of sends
};

}  // namespace rehearse::tests
