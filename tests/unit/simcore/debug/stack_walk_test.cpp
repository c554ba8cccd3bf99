// SPDX-License-Identifier: MIT
//
// Both ways to walk the stack of this test program must give the same.
#include "simcore/stack_walk.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace stack_walk_test {

using namespace rehearse;

namespace {

using Frames = std::vector<ActiveFrame>;

template <class Walk>
Frames first_frames(Walk&& walk, std::size_t most) {
  Frames all;
  walk([&](const ActiveFrame& frame) {
    all.push_back(frame);
    return all.size() < most;
  });
  return all;
}

struct Both {
  Frames slow, quick;
};

// Calls with frames of several sizes, and registers in use.
[[gnu::noinline]] Both deeper(std::size_t most, int depth) {
  std::byte room[48];
  asm volatile("" : : "r"(room) : "memory");
  Both both = depth == 0 ? Both{first_frames(visit_stack, most), first_frames(walk_stack, most)}
                         : deeper(most, depth - 1);
  asm volatile("" : : "r"(room) : "memory");
  return both;
}

}  // namespace

TEST_CASE("stack walk: both ways find the same frames and registers", "[simcore][debug]") {
  for (const std::size_t most : {1u, 3u, 9u}) {
    const Both both = deeper(most, 6);
    REQUIRE(both.slow.size() == most);
    REQUIRE(both.quick.size() == most);
    // The first frames are those of calls from two places.
    for (std::size_t i = 1; i < most; ++i) {
      const ActiveFrame &slow = both.slow[i], &quick = both.quick[i];
      INFO(i);
      CHECK(slow.begin == quick.begin);
      CHECK(slow.canonical == quick.canonical);
      CHECK((i < 2 || slow.address == quick.address));
      CHECK((i < 2 || slow.registers == quick.registers));
      CHECK(quick.saved_count == 0);
    }
  }
}

}  // namespace stack_walk_test
