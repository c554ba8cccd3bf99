// SPDX-License-Identifier: MIT
//
// Snapshots of much memory: what they bring back, and how few pages they look at.
#include "simcore/memory/paged_part.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "simcore/actor_memory.hpp"
#include "simcore/arena.hpp"

namespace paged_part_test {

using namespace rehearse;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::uint64_t no_limit = ~std::uint64_t{0};

bool can_watch(const ActorSpace& space) {
  if (WrittenPages::watch({space.range(ActorId{0}), space.range(ActorId{0}) + mib})) return true;
  WARN("this kernel does not report which pages are written");
  return false;
}

struct Actor {
  ActorSpace space{1};
  std::byte* base = space.range(ActorId{0});
  std::byte* region = base + mib + 24;
  std::byte* region_end = region + 8 * mib;
  ActorMemory memory{{base, base + 65536}, base + 64 * mib + 16, base + 512 * mib};

  Actor() { memory.add_region(region, region_end); }
  std::unique_ptr<Snapshot> save() { return memory.save(base + 65536, no_limit); }
  // All that a snapshot holds, and what follows the heap.
  std::vector<std::byte> content() const {
    std::vector<std::byte> all(region, region_end);
    all.insert(all.end(), base + 64 * mib + 16, base + 64 * mib + 16 + 48 * mib);
    return all;
  }
};

// Writes here and there, allocates and frees.
void live(Actor& actor, std::mt19937& random, std::vector<void*>& blocks) {
  for (int i = 0; i < 20; ++i) actor.region[random() % (8 * mib)] = static_cast<std::byte>(random());
  if (random() % 2 == 0 && blocks.size() < 12) {
    const std::size_t bytes = 1000 + random() % (3 * mib);
    blocks.push_back(actor.memory.heap().allocate(bytes));
    std::memset(blocks.back(), static_cast<int>(random()), bytes);
  } else if (!blocks.empty()) {
    const std::size_t which = random() % blocks.size();
    actor.memory.heap().release(blocks[which]);
    blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(which));
  }
  if (!blocks.empty()) std::memset(blocks.front(), static_cast<int>(random()), random() % 1000);
}

}  // namespace

TEST_CASE("paged part: every snapshot restores its contents, in any order, also in a forked process",
          "[simcore][memory]") {
  struct Saved {
    std::unique_ptr<Snapshot> snapshot;
    std::vector<void*> blocks;
    std::vector<std::byte> content;
  };
  Actor actor;
  std::mt19937 random(5);
  std::memset(actor.region, 7, 2 * mib);
  std::vector<Saved> saved;
  std::vector<void*> blocks;
  const auto go = [&](int steps) {
    bool all_the_same = true;
    for (int step = 0; step < steps; ++step) {
      live(actor, random, blocks);
      if (saved.size() < 12) {
        auto snapshot = actor.save();
        saved.push_back({std::move(snapshot), blocks, actor.content()});
      }
      const Saved& back = saved[random() % saved.size()];
      actor.memory.restore(*back.snapshot);
      blocks = back.blocks;
      const std::byte* high = actor.memory.heap().high_water();
      const std::vector<std::byte> now = actor.content();
      const std::size_t heap = 8 * mib + static_cast<std::size_t>(high - (actor.base + 64 * mib + 16));
      all_the_same = all_the_same && std::memcmp(now.data(), back.content.data(), heap) == 0;
    }
    return all_the_same;
  };
  CHECK(go(40));
  const pid_t child = fork();
  if (child == 0) {
    saved.resize(saved.size() / 2);
    _exit(go(20) ? 0 : 1);
  }
  CHECK(go(10));
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("paged part: a snapshot and a restore cost the pages that were written", "[simcore][memory]") {
  Actor actor;
  if (!can_watch(actor.space)) return;
  auto* block = static_cast<std::byte*>(actor.memory.heap().allocate(32 * mib));
  std::memset(block, 1, 32 * mib);
  const auto first = actor.save();
  CHECK(first->bytes() < mib);  // the first copy is there anyway
  const auto begin = actor.memory.page_traffic();
  block[10 * mib] = block[20 * mib] = std::byte{2};
  const auto second = actor.save();
  CHECK(second->bytes() < 40000);
  CHECK(actor.memory.page_traffic().copied - begin.copied == 2);
  block[20 * mib] = std::byte{3};
  const auto third = actor.save();
  CHECK(actor.memory.page_traffic().copied - begin.copied == 3);
  for (int i = 0; i < 10; ++i) {
    actor.memory.restore(*second);
    CHECK(block[20 * mib] == std::byte{2});
    actor.memory.restore(*third);
    CHECK(block[20 * mib] == std::byte{3});
  }
  CHECK(actor.memory.page_traffic().restored - begin.restored <= 25);
  actor.memory.restore(*first);
  CHECK(block[10 * mib] == std::byte{1});
  CHECK(actor.memory.page_traffic().restored - begin.restored <= 30);
}

TEST_CASE("paged part: released memory reads as zero, and a restore brings its contents back", "[simcore][memory]") {
  Actor actor;
  auto* block = static_cast<std::byte*>(actor.memory.heap().allocate(16 * mib));
  std::memset(block, 1, 16 * mib);
  const auto full = actor.save();
  clear_memory(block, block + 16 * mib);
  const auto empty = actor.save();
  actor.memory.restore(*full);
  CHECK(block[9 * mib] == std::byte{1});
  actor.memory.restore(*empty);
  CHECK(block[9 * mib] == std::byte{0});
  actor.memory.restore(*full);
  CHECK(block[16 * mib - 1] == std::byte{1});
}

}  // namespace paged_part_test
