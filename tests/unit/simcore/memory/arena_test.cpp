// SPDX-License-Identifier: MIT
//
// The heap of an actor, against a model, and its snapshots.
#include "simcore/arena.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <random>

#include "simcore/actor_memory.hpp"

namespace arena_test {

using namespace rehearse;

namespace {

constexpr std::uint64_t no_limit = ~std::uint64_t{0};

// A range with a 64 KiB stack and a heap behind it.
struct Range {
  ActorSpace space{1};
  std::byte* base = space.range(ActorId{0});
  StackSpan stack{base, base + (64 << 10)};
  ActorMemory memory;
  explicit Range(std::size_t heap_bytes = std::size_t{1} << 30) : memory(stack, stack.top, stack.top + heap_bytes) {}
  Arena& heap() { return memory.heap(); }
};

std::byte fill_of(const void* block) {
  return static_cast<std::byte>(reinterpret_cast<std::uintptr_t>(block) / 16 % 251 + 1);
}

bool filled(const void* block, std::size_t bytes, std::byte with) {
  const auto* data = static_cast<const std::byte*>(block);
  for (std::size_t i = 0; i < bytes; ++i)
    if (data[i] != with) return false;
  return true;
}

struct Block {
  std::size_t bytes;
  std::byte fill;
};
using Model = std::map<void*, Block>;

std::size_t random_size(std::mt19937& random) {
  const int bits = std::uniform_int_distribution<int>(0, 18)(random);
  return std::uniform_int_distribution<std::size_t>(0, std::size_t{1} << bits)(random);
}

void insert(Model& model, void* block, std::size_t bytes) {
  REQUIRE(block != nullptr);
  auto next = model.lower_bound(block);
  if (next != model.end()) REQUIRE(static_cast<std::byte*>(block) + bytes <= next->first);
  if (next != model.begin()) {
    auto before = std::prev(next);
    REQUIRE(static_cast<std::byte*>(before->first) + before->second.bytes <= block);
  }
  const std::byte fill = fill_of(block);
  std::memset(block, static_cast<int>(fill), bytes);
  model[block] = {bytes, fill};
}

Model::iterator any_block(Model& model, std::mt19937& random) {
  return std::next(model.begin(), std::uniform_int_distribution<long>(0, long(model.size()) - 1)(random));
}

void grow_or_shrink(Arena& heap, Model& model, std::mt19937& random) {
  auto block = any_block(model, random);
  const Block old = block->second;
  void* before = block->first;
  const std::size_t bytes = random_size(random);
  void* after = heap.reallocate(before, bytes);
  REQUIRE(filled(after, std::min(bytes, old.bytes), old.fill));
  model.erase(block);
  insert(model, after, bytes);
}

void one_step(Arena& heap, Model& model, std::mt19937& random) {
  const std::size_t bytes = random_size(random);
  const int what = std::uniform_int_distribution<int>(0, 9)(random);
  if (model.empty() || what < 4) {
    insert(model, heap.allocate(bytes), bytes);
  } else if (what == 4) {
    void* block = heap.allocate_zeroed(bytes);
    REQUIRE(filled(block, bytes, std::byte{0}));
    insert(model, block, bytes);
  } else if (what == 5) {
    const std::size_t alignment = std::size_t{16} << std::uniform_int_distribution<int>(0, 8)(random);
    void* block = heap.allocate_aligned(alignment, bytes);
    REQUIRE(reinterpret_cast<std::uintptr_t>(block) % alignment == 0);
    insert(model, block, bytes);
  } else if (what == 6) {
    grow_or_shrink(heap, model, random);
  } else {
    auto block = any_block(model, random);
    REQUIRE(filled(block->first, block->second.bytes, block->second.fill));
    REQUIRE(heap.usable_bytes(block->first) >= block->second.bytes);
    REQUIRE(heap.check(block->first) == Arena::BlockState::live);
    heap.release(block->first);
    model.erase(block);
  }
}

void check_all(const Model& model) {
  for (const auto& [block, content] : model) REQUIRE(filled(block, content.bytes, content.fill));
}

}  // namespace

TEST_CASE("arena: under random use, blocks do not overlap and keep their contents", "[simcore][memory]") {
  Range range;
  std::mt19937 random(GENERATE(1u, 2u, 3u));
  Model model;
  for (int step = 0; step < 2000; ++step) one_step(range.heap(), model, random);
  check_all(model);
}

TEST_CASE("arena: a restored heap behaves as it did the first time", "[simcore][memory]") {
  Range range;
  std::mt19937 random(GENERATE(4u, 5u, 6u));
  Model model;
  for (int step = 0; step < 500; ++step) one_step(range.heap(), model, random);
  const Model saved_model = model;
  const std::mt19937 saved_random = random;
  const auto snapshot = range.memory.save(range.stack.top, no_limit);
  REQUIRE(snapshot != nullptr);
  for (int step = 0; step < 500; ++step) one_step(range.heap(), model, random);
  const Model first = model;
  for (int life = 0; life < 3; ++life) {
    range.memory.restore(*snapshot);
    model = saved_model;
    random = saved_random;
    check_all(model);
    for (int step = 0; step < 500; ++step) one_step(range.heap(), model, random);
    REQUIRE(model.size() == first.size());
    REQUIRE(std::equal(model.begin(), model.end(), first.begin(),
                       [](const auto& a, const auto& b) { return a.first == b.first; }));
  }
}

TEST_CASE("arena: fresh memory reads as zero, also after a restore", "[simcore][memory]") {
  Range range;
  const auto snapshot = range.memory.save(range.stack.top, no_limit);
  for (std::size_t bytes : {40u, 5000u, 300000u, 3000000u}) {
    void* block = range.heap().allocate(bytes);
    CHECK(filled(block, bytes, std::byte{0}));
    std::memset(block, 1, bytes);
    range.memory.restore(*snapshot);
    void* again = range.heap().allocate(bytes);
    CHECK(again == block);
    CHECK(filled(again, bytes, std::byte{0}));
    range.memory.restore(*snapshot);
  }
}

TEST_CASE("arena: reused memory of small blocks reads as zero if the owner wants it", "[simcore][memory]") {
  for (const bool clears : {false, true})
    for (const std::size_t bytes : {24u, 40u, 5000u, 300000u}) {
      Range range;
      if (clears) range.heap().clear_reused_blocks();
      void* block = range.heap().allocate(bytes);
      std::memset(block, 1, bytes);
      range.heap().release(block);
      REQUIRE(range.heap().allocate(bytes) == block);
      CHECK(filled(block, bytes, std::byte{0}) == (clears && bytes <= Arena::cleared_limit));
    }
}

TEST_CASE("arena: free blocks are used by address if the owner wants it, otherwise the last one first",
          "[simcore][memory]") {
  for (const bool clears : {false, true}) {
    Range range;
    if (clears) range.heap().clear_reused_blocks();
    void *first = range.heap().allocate(40), *second = range.heap().allocate(40), *third = range.heap().allocate(40);
    for (void* freed : {second, third, first}) range.heap().release(freed);
    CHECK(range.heap().allocate(40) == first);
    CHECK(range.heap().allocate(40) == (clears ? second : third));
    CHECK(range.heap().allocate(40) == (clears ? third : second));
  }
}

TEST_CASE("arena: running out of memory is null and harms nothing", "[simcore][memory]") {
  Range range(1 << 20);
  CHECK(range.heap().allocate(std::size_t{1} << 40) == nullptr);
  CHECK(range.heap().allocate(SIZE_MAX) == nullptr);
  CHECK(range.heap().allocate_aligned(4096, SIZE_MAX - 100) == nullptr);
  void* block = range.heap().allocate(1000);
  CHECK(range.heap().reallocate(block, std::size_t{2} << 20) == nullptr);
  CHECK(range.heap().check(block) == Arena::BlockState::live);
  int blocks = 0;
  while (range.heap().allocate(1000) != nullptr) ++blocks;
  CHECK(blocks > 900);
}

TEST_CASE("arena: freed and foreign pointers are distinguished from live blocks", "[simcore][memory]") {
  Range range;
  auto* block = static_cast<std::byte*>(range.heap().allocate(100));
  CHECK(range.heap().check(block + 16) == Arena::BlockState::foreign);
  CHECK(range.heap().check(block + 1) == Arena::BlockState::foreign);
  range.heap().release(block);
  CHECK(range.heap().check(block) == Arena::BlockState::free);
  CHECK(range.heap().allocate(100) == block);
}

}  // namespace arena_test
