// SPDX-License-Identifier: MIT
//
// The lines with which a rank makes the communicators of a trace, under their indices as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/communicators.hpp"

namespace rehearse::trace::ti {

class SplitLines {
 public:
  SplitLines(const Communicators& communicators, std::uint32_t ranks);

  void append(std::uint32_t rank, std::string& text) const;

 private:
  // One call of each rank.
  struct Call {
    std::uint32_t first = 0;          // of the communicators that it makes
    std::vector<Membership> by_rank;  // communicator 0: none. Empty: a duplicate of the world
  };
  std::vector<Call> calls_;
};

}  // namespace rehearse::trace::ti
