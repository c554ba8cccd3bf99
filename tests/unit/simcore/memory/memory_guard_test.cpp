// SPDX-License-Identifier: MIT
//
// What a guard closes, and when.
#include "simcore/memory_guard.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "simcore/arena.hpp"

using namespace rehearse;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

// Whether the byte can be read, as a rank would.
bool is_within_reach(const void* byte) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const bool readable = write(ends[1], byte, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return readable;
}

// Three actors with a stack, data, something that no snapshot contains, and a heap.
struct Actors {
  ActorSpace space{3};
  std::vector<std::unique_ptr<ActorMemory>> memories;
  MemoryGuard guard;

  Actors() {
    for (std::uint32_t i = 0; i < 3; ++i) {
      std::byte* base = at(i);
      const StackSpan stack{base, base + mib};
      memories.push_back(std::make_unique<ActorMemory>(stack, base + 64 * mib, base + 1024 * mib));
      memories.back()->add_region(base + 2 * mib + 100, base + 2 * mib + 5000);
      memories.back()->add_scratch(base + 3 * mib, base + 3 * mib + 8192);
      guard.add(*memories.back());
    }
  }
  std::byte* at(std::uint32_t actor) const { return space.range(ActorId{actor}); }
  bool all_within_reach(std::uint32_t actor, bool wanted) const {
    for (const std::size_t offset : {std::size_t{0}, mib - 1, 2 * mib + 100, 2 * mib + 4999, 3 * mib, 64 * mib + 100})
      if (is_within_reach(at(actor) + offset) != wanted) return false;
    return true;
  }
};

}  // namespace

TEST_CASE("memory_guard: while an actor runs, only its memory is accessible, and the others' does not change",
          "[simcore][memory]") {
  Actors actors;
  for (std::uint32_t i = 0; i < 3; ++i) std::memset(actors.at(i) + 2 * mib + 100, static_cast<int>(i), 4900);
  for (const std::uint32_t runs : {1u, 0u, 0u, 2u, 1u}) {
    actors.guard.open(*actors.memories[runs]);
    actors.guard.open_only(*actors.memories[runs]);
    for (std::uint32_t i = 0; i < 3; ++i) CHECK(actors.all_within_reach(i, i == runs));
  }
  for (std::uint32_t i = 0; i < 3; ++i) {
    actors.guard.open(*actors.memories[i]);
    CHECK(actors.at(i)[2 * mib + 4000] == static_cast<std::byte>(i));
  }
  CHECK_FALSE(actors.guard.has_failed());
}

TEST_CASE("memory_guard: memory between the parts of an actor's memory stays accessible", "[simcore][memory]") {
  Actors actors;
  actors.guard.open_only(*actors.memories[1]);
  CHECK(is_within_reach(actors.at(0) + 2 * mib - 1));
  CHECK(is_within_reach(actors.at(0) + 2 * mib + 8192));
  CHECK(is_within_reach(actors.at(2) + 32 * mib));
}

TEST_CASE("memory_guard: a heap that has grown and a new region are closed, too", "[simcore][memory]") {
  Actors actors;
  actors.guard.open_only(*actors.memories[1]);
  actors.guard.open(*actors.memories[0]);
  auto* block = static_cast<std::byte*>(actors.memories[0]->heap().allocate(20 * mib));
  block[20 * mib - 1] = std::byte{1};
  actors.memories[0]->add_region(actors.at(0) + 8 * mib, actors.at(0) + 9 * mib);
  actors.guard.open_only(*actors.memories[1]);
  CHECK_FALSE(is_within_reach(block));
  CHECK_FALSE(is_within_reach(block + 20 * mib - 1));
  CHECK_FALSE(is_within_reach(actors.at(0) + 8 * mib));
  actors.guard.open(*actors.memories[0]);
  CHECK(block[20 * mib - 1] == std::byte{1});
}

TEST_CASE("memory_guard: guarding that takes too much time is sometimes left out, but not in strict mode",
          "[simcore][memory]") {
  for (const bool strict : {false, true}) {
    Actors actors;
    MemoryGuard guard(MemoryGuard::Clock::duration{});
    if (strict) guard.be_strict();
    for (const auto& memory : actors.memories) guard.add(*memory);
    std::uint32_t left_out = 0;
    for (std::uint32_t i = 0; i < 1000; ++i) {
      guard.open(*actors.memories[i % 3]);
      guard.open_only(*actors.memories[i % 3]);
      if (i % 10 == 0 && is_within_reach(actors.at((i + 1) % 3))) ++left_out;
    }
    CHECK((left_out > 0) == !strict);
    CHECK(guard.was_left_out() == !strict);
  }
}
