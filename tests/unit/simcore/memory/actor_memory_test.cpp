// SPDX-License-Identifier: MIT
//
// Ranges of actors, and what a snapshot contains.
#include "simcore/actor_memory.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "simcore/arena.hpp"

using namespace rehearse;

namespace {
constexpr std::uint64_t no_limit = ~std::uint64_t{0};
}

TEST_CASE("actor_memory: ranges are disjoint, large, and at the same address in every run", "[simcore][memory]") {
  std::byte* first = nullptr;
  for (int run = 0; run < 2; ++run) {
    ActorSpace space(4);
    if (first == nullptr) first = space.range(ActorId{0});
    CHECK(space.range(ActorId{0}) == first);
    CHECK(space.range_bytes() == std::size_t{64} << 30);
    CHECK(space.range(ActorId{3}) == first + 3 * space.range_bytes());
    ActorSpace other(10000);
    CHECK(other.range_bytes() >= std::size_t{1} << 30);
    *space.range(ActorId{3}) = std::byte{1};
    *other.range(ActorId{9999}) = std::byte{1};
  }
}

TEST_CASE("actor_memory: a restore brings back stack, regions and heap, any number of times", "[simcore][memory]") {
  ActorSpace space(1);
  std::byte* base = space.range(ActorId{0});
  const StackSpan stack{base, base + 65536};
  ActorMemory memory(stack, base + (64 << 20), base + (128 << 20));
  std::byte* data = base + 65536;
  memory.add_region(data, data + 100);
  auto* block = static_cast<char*>(memory.heap().allocate(10));
  auto write = [&](int value) {
    stack.top[-8] = static_cast<std::byte>(value);
    data[99] = static_cast<std::byte>(value);
    block[3] = static_cast<char>(value);
  };
  write(1);
  const auto one = memory.save(stack.top - 16, no_limit);
  CHECK(one->bytes() < 10000);
  write(2);
  const auto two = memory.save(stack.top - 16, no_limit);
  for (int value : {1, 2, 2, 1, 2}) {
    write(7);
    memory.restore(value == 1 ? *one : *two);
    CHECK(stack.top[-8] == static_cast<std::byte>(value));
    CHECK(data[99] == static_cast<std::byte>(value));
    CHECK(block[3] == value);
  }
}

TEST_CASE("actor_memory: a large region costs its touched pages, and later writes are undone", "[simcore][memory]") {
  ActorSpace space(1);
  std::byte* base = space.range(ActorId{0});
  ActorMemory memory({base, base + 65536}, base + (256 << 20), base + (512 << 20));
  std::byte* big = base + 65536 + 24;
  std::byte* big_end = big + (100 << 20);
  memory.add_region(big, big_end);
  big_end[0] = std::byte{5};  // not part of the region
  big[50 << 20] = std::byte{1};
  const auto snapshot = memory.save(base + 65536, no_limit);
  CHECK(snapshot->bytes() < 40000);
  big[50 << 20] = std::byte{2};
  big[0] = std::byte{3};
  std::memset(big + (10 << 20), 4, 1 << 20);
  big_end[-1] = std::byte{6};
  memory.restore(*snapshot);
  CHECK(big[50 << 20] == std::byte{1});
  CHECK(big[0] == std::byte{0});
  CHECK(big[(10 << 20) + 77777] == std::byte{0});
  CHECK(big_end[-1] == std::byte{0});
  CHECK(big_end[0] == std::byte{5});
}

TEST_CASE("actor_memory: a snapshot over the limit, or of a stack elsewhere, is refused", "[simcore][memory]") {
  ActorSpace space(1);
  std::byte* base = space.range(ActorId{0});
  ActorMemory memory({base, base + 65536}, base + 65536, base + (512 << 20));
  CHECK(memory.save(base + 65536, 100) == nullptr);
  std::byte elsewhere{};
  CHECK(memory.save(&elsewhere, no_limit) == nullptr);
}
