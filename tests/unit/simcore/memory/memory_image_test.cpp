// SPDX-License-Identifier: MIT
//
// Images of memory: what an actor cannot read does not count, everything else does.
#include <catch2/catch.hpp>
#include <cstring>

#include "simcore/actor_memory.hpp"
#include "simcore/arena.hpp"

using namespace rehearse;

namespace {

constexpr std::uint64_t no_image_limit = ~std::uint64_t{0} >> 1;

// An actor with a stack, a small and a large region, and a heap.
struct Imaged {
  ActorSpace space{1};
  std::byte* base = space.range(ActorId{0});
  StackSpan stack{base, base + 65536};
  ActorMemory memory{stack, base + (64 << 20), base + (128 << 20)};
  std::byte* data = base + 65536;
  std::byte* large = base + (1 << 20);

  Imaged() {
    memory.add_region(data, data + 100);
    memory.add_region(large, large + (1 << 20));
  }
  std::optional<WideHash> image(std::vector<ByteRange> left_out = {}) {
    return memory.image(stack.top - 64, std::move(left_out), no_image_limit);
  }
};

}  // namespace

TEST_CASE("memory_image: live stack, regions and blocks count", "[simcore][memory]") {
  Imaged actor;
  auto* block = static_cast<char*>(actor.memory.heap().allocate(40));
  const auto first = actor.image();
  REQUIRE(first);
  CHECK(actor.image() == first);
  for (std::byte* byte : {actor.stack.top - 64, actor.stack.top - 1, actor.data, actor.data + 99, actor.large,
                          actor.large + 500'000, reinterpret_cast<std::byte*>(block + 39)}) {
    *byte = std::byte{1};
    CHECK(actor.image() != first);
    *byte = std::byte{0};
    CHECK(actor.image() == first);
  }
}

TEST_CASE("memory_image: dead stack, and memory that was touched and is zero again, do not count",
          "[simcore][memory]") {
  Imaged actor;
  const auto first = actor.image();
  *(actor.stack.top - 65) = std::byte{1};
  *(actor.stack.top - 5000) = std::byte{1};
  std::memset(actor.large + 100'000, 1, 100'000);
  std::memset(actor.large + 100'000, 0, 100'000);
  CHECK(actor.image() == first);
}

TEST_CASE("memory_image: free blocks do not count, live blocks do as far as requested", "[simcore][memory]") {
  Imaged actor;
  Arena& heap = actor.memory.heap();
  auto* kept = static_cast<char*>(heap.allocate(33));
  auto* freed = static_cast<char*>(heap.allocate(200));
  std::memset(freed, 1, 200);
  heap.release(freed);
  const auto first = actor.image();
  std::memset(freed + 8, 2, 192);  // behind the link of its list
  CHECK(actor.image() == first);
  for (const int at : {0, 32}) {
    kept[at] = 5;
    CHECK(actor.image() != first);
    kept[at] = 0;
  }
  kept[33] = 5;
  CHECK(actor.image() == first);
  heap.use_all(kept);
  CHECK(actor.image() != first);
}

TEST_CASE("memory_image: the header of the block that is not there yet does not count", "[simcore][memory]") {
  Imaged actor;
  Arena& heap = actor.memory.heap();
  heap.allocate(40);
  const auto first = actor.image();
  std::byte* end = actor.base + (heap.high_water() - actor.base);
  *(end - 1) = std::byte{1};  // as after a restore, when the block behind was there before
  CHECK(actor.image() == first);
}

TEST_CASE("memory_image: the order of free blocks counts, because it decides about later addresses",
          "[simcore][memory]") {
  const auto image_after = [](bool other_order) {
    Imaged actor;
    Arena& heap = actor.memory.heap();
    void* one = heap.allocate(40);
    void* two = heap.allocate(40);
    heap.release(other_order ? two : one);
    heap.release(other_order ? one : two);
    return actor.image();
  };
  CHECK(image_after(false) == image_after(false));
  CHECK(image_after(false) != image_after(true));
}

TEST_CASE("memory_image: ranges that are left out do not count, their neighbours do", "[simcore][memory]") {
  Imaged actor;
  const auto holes = [&] {
    return std::vector<ByteRange>{{actor.large + 10, actor.large + 20},
                                  {actor.data + 50, actor.data + 60},
                                  {actor.data + 55, actor.data + 70}};
  };
  const auto first = actor.image(holes());
  CHECK(first != actor.image());
  for (std::byte* byte : {actor.data + 50, actor.data + 69, actor.large + 10, actor.large + 19}) {
    *byte = std::byte{1};
    CHECK(actor.image(holes()) == first);
  }
  for (std::byte* byte : {actor.data + 49, actor.data + 70, actor.large + 9, actor.large + 20}) {
    *byte = std::byte{1};
    CHECK(actor.image(holes()) != first);
    *byte = std::byte{0};
  }
}

TEST_CASE("memory_image: a state that is too large, or a stack pointer elsewhere, has no image", "[simcore][memory]") {
  Imaged actor;
  CHECK(!actor.memory.image(actor.stack.top + 1, {}, no_image_limit));
  std::memset(actor.large, 1, 100'000);
  CHECK(!actor.memory.image(actor.stack.top - 64, {}, 50'000));
  CHECK(actor.memory.image(actor.stack.top - 64, {}, 1'000'000));
}
