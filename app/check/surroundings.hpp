// SPDX-License-Identifier: MIT
//
// What ranks may read besides their memory: open files, pipes and sockets of this process.
//
// Threads: none.
// Source:  proc(5), fd; lseek(2).
#pragma once

#include <cstdint>
#include <vector>

namespace rehearse::app {

class Surroundings {
 public:
  // Make it before ranks run: descriptors that are open now are not theirs.
  Surroundings();

  // Equal if ranks would read the same: files are at the same positions, pipes inside of this process have as many
  // bytes, and ranks have opened no other pipe, socket or terminal, of which nobody knows what comes next.
  std::uint64_t state();

 private:
  std::vector<int> streams_;  // that were open before
  std::uint64_t unknown_ = 0;
};

}  // namespace rehearse::app
