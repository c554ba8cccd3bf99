// SPDX-License-Identifier: MIT
//
// Stack below calls is cleared; here on the stack of the test itself, as if it were that of a rank.
#include "smpi/abi/dead_stack.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "smpi/abi/clear_after.hpp"
#include "smpi/process/rank_state.hpp"

namespace dead_stack_test {

using namespace rehearse::smpi;

namespace {

constexpr std::size_t used_bytes = 3000;

// What a driver's table leaves: data in the frame of a function that has returned.
[[gnu::noinline]] void use_stack() {
  std::byte data[used_bytes];
  std::memset(data, 0x5a, sizeof data);
  asm volatile("" : : "r"(data) : "memory");
}

// The number of bytes of the unused stack with the data of use_stack(). Calls nothing, so it reads what lies there.
[[gnu::noinline, gnu::optimize("no-tree-vectorize")]] std::size_t used_bytes_below() {
  const auto* low = static_cast<const volatile std::byte*>(__builtin_frame_address(0)) - used_bytes;
  std::size_t count = 0;
  for (std::size_t i = 0; i < used_bytes - 256; ++i) count += low[i] == std::byte{0x5a};
  return count;
}

// Makes the stack of the test the one of a rank whose calls clear it.
class OnClearedStack {
 public:
  OnClearedStack() {
    auto* here = static_cast<std::byte*>(__builtin_frame_address(0));
    rank_.dead_stack = &dead_stack_;
    rank_.context.stack = {here - (64 << 10), here + (64 << 10)};
    begin_clearing(rank_);
  }
  ~OnClearedStack() {
    detail::clearing_rank = nullptr;
    detail::cleared_callers = {};
  }
  OnClearedStack(const OnClearedStack&) = delete;
  OnClearedStack& operator=(const OnClearedStack&) = delete;

 private:
  RankState rank_;
  DeadStackState dead_stack_;
};

}  // namespace

TEST_CASE("dead stack: code in clear_after leaves nothing behind", "[smpi]") {
  use_stack();
  REQUIRE(used_bytes_below() > 1000);
  clear_after([] { use_stack(); });
  CHECK(used_bytes_below() > 1000);  // no rank's stack
  const OnClearedStack cleared;
  bool has_run = false;
  clear_after([&] {
    use_stack();
    has_run = true;
  });
  CHECK(used_bytes_below() == 0);
  CHECK(has_run);
}

TEST_CASE("dead stack: a call finds the stack below its caller clear", "[smpi]") {
  use_stack();
  rehearse_clear_for_call();
  CHECK(used_bytes_below() > 1000);  // no rank's stack
  const OnClearedStack cleared;
  use_stack();
  rehearse_clear_for_call();
  CHECK(used_bytes_below() == 0);
}

}  // namespace dead_stack_test
