// SPDX-License-Identifier: MIT
//
// Merged pages: which share memory, what a write does, and their separation. The ranks are ranges of memory.
#include "smpi/page_merging.hpp"

#include <sys/prctl.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "simcore/actor_memory.hpp"
#include "simcore/support/page.hpp"

namespace page_merging_test {

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

constexpr std::size_t page_words = page_bytes / sizeof(std::uint64_t);
constexpr std::size_t pages = 64;
constexpr std::size_t words = pages * page_words;

struct Ranks {
  std::uint64_t* array(std::uint32_t rank) { return reinterpret_cast<std::uint64_t*>(space.range(ActorId{rank})); }
  static ByteRange bytes(std::uint64_t* begin, std::size_t count) {
    auto* first = reinterpret_cast<std::byte*>(begin);
    return {first, first + count * page_bytes};
  }
  // All pages differ, and all ranks have the same.
  void fill(std::uint32_t rank, std::uint64_t seed = 1) {
    for (std::size_t i = 0; i < words; ++i) array(rank)[i] = seed + i;
  }
  void scan() {
    std::vector<PageMerging::Area> areas;
    for (std::uint32_t i = 0; i < 3; ++i) areas.push_back({bytes(array(i), pages)});
    merging.scan(areas);
  }
  std::size_t private_pages(std::uint32_t rank) {
    std::vector<ByteRange> runs;
    append_private(bytes(array(rank), pages), runs);
    std::size_t all = 0;
    for (const ByteRange& run : runs) all += run.bytes() / page_bytes;
    return all;
  }
  bool holds(std::uint32_t rank, std::uint64_t seed = 1, std::size_t first = 0) {
    for (std::size_t i = first; i < words; ++i)
      if (array(rank)[i] != seed + i) return false;
    return true;
  }

  ActorSpace space{3};
  PageMerging merging{1 << 20};
};

}  // namespace

TEST_CASE("merging: equal arrays of ranks are one in physical memory", "[smpi][process]") {
  Ranks ranks;
  for (std::uint32_t i = 0; i < 3; ++i) ranks.fill(i);
  REQUIRE(ranks.private_pages(0) == pages);
  ranks.scan();
  for (std::uint32_t i = 0; i < 3; ++i) {
    CHECK(ranks.private_pages(i) == 0);
    CHECK(ranks.holds(i));
  }
  const MergedMemory memory = ranks.merging.most_memory();
  CHECK(memory.merged == 3 * pages);
  CHECK(memory.shared == pages);
  CHECK(memory.mappings == 3);
  CHECK(memory.scans == 1);
  CHECK_FALSE(memory.is_limited);
}

TEST_CASE("merging: arrays of which all pages are equal need one mapping in each rank", "[smpi][process]") {
  Ranks ranks;
  for (std::uint32_t i = 0; i < 3; ++i) std::fill_n(ranks.array(i), words, 7);
  ranks.scan();
  CHECK(ranks.merging.most_memory().mappings == 3);
  CHECK(ranks.private_pages(2) == 0);
}

TEST_CASE("merging: a write is private to the rank", "[smpi][process]") {
  Ranks ranks;
  for (std::uint32_t i = 0; i < 3; ++i) ranks.fill(i);
  ranks.scan();
  ranks.array(1)[5 * page_words + 3] = 99;
  CHECK(ranks.private_pages(1) == 1);
  CHECK(ranks.array(0)[5 * page_words + 3] == 1 + 5 * page_words + 3);
  CHECK(ranks.holds(2));
  ranks.scan();
  CHECK(ranks.array(1)[5 * page_words + 3] == 99);
  CHECK(ranks.private_pages(1) == 1);
  ranks.array(1)[5 * page_words + 3] = 1 + 5 * page_words + 3;
  ranks.scan();
  CHECK(ranks.private_pages(1) == 0);  // equal to its page of the file again
  CHECK(ranks.holds(1));
}

TEST_CASE("merging: pages that differ, and short runs, stay private", "[smpi][process]") {
  Ranks ranks;
  for (std::uint32_t i = 0; i < 3; ++i) ranks.fill(i);
  for (std::size_t page : {0, 20, 30}) ranks.array(1)[page * page_words] = 0xabc;  // runs of 19, 9 and 33 pages between
  ranks.scan();
  CHECK(ranks.private_pages(1) == 3 + 9);
  CHECK(ranks.private_pages(2) == 1 + 11);  // between the runs that are merged by now
  for (std::size_t page : {0, 20, 30}) CHECK(ranks.array(1)[page * page_words] == 0xabc);
  CHECK(ranks.array(1)[25 * page_words] == 1 + 25 * page_words);
  CHECK(ranks.holds(0));
}

TEST_CASE("merging: equal pages of one rank alone stay private", "[smpi][process]") {
  Ranks ranks;
  std::fill_n(ranks.array(0), words, 7);
  ranks.scan();
  CHECK(ranks.private_pages(0) == pages);
}

TEST_CASE("merging: pages of zeros go back to the kernel", "[smpi][process]") {
  Ranks ranks;
  ranks.fill(0);
  std::memset(ranks.array(0) + page_words, 0, 5 * page_bytes);
  ranks.array(0)[4 * page_words - 1] = 1;
  ranks.scan();
  CHECK(ranks.private_pages(0) == pages - 4);
  CHECK(ranks.merging.most_memory().zeros == 4);
  CHECK(ranks.array(0)[2 * page_words] == 0);
  CHECK(ranks.array(0)[4 * page_words - 1] == 1);
}

TEST_CASE("merging: later arrays share with merged ones, and unused memory is released", "[smpi][process]") {
  Ranks ranks;
  ranks.fill(0);
  ranks.fill(1);
  ranks.scan();
  ranks.fill(2);
  ranks.scan();
  CHECK(ranks.private_pages(2) == 0);
  CHECK(ranks.merging.most_memory().shared == pages);
  const std::uint64_t before = ranks.merging.most_memory().merged;
  CHECK(before == 3 * pages);
  for (std::uint32_t i = 0; i < 3; ++i) ranks.fill(i, 1000 + i);
  ranks.scan();
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(ranks.holds(i, 1000 + i));
  for (std::uint32_t i = 0; i < 3; ++i) ranks.fill(i);  // the released pages must not be found again
  ranks.scan();
  for (std::uint32_t i = 0; i < 3; ++i) CHECK(ranks.holds(i));
  CHECK(ranks.private_pages(1) == 0);
}

TEST_CASE("merging: separated memory is private again, with its content or zeros", "[smpi][process]") {
  Ranks ranks;
  for (std::uint32_t i = 0; i < 3; ++i) ranks.fill(i);
  ranks.scan();
  ranks.array(1)[3] = 42;
  ranks.merging.separate(Ranks::bytes(ranks.array(1), 10), true);
  CHECK(ranks.array(1)[3] == 42);
  CHECK(ranks.holds(1, 1, 4));
  CHECK(ranks.private_pages(1) == 10);
  clear_memory(reinterpret_cast<std::byte*>(ranks.array(1)), reinterpret_cast<std::byte*>(ranks.array(1) + 512));
  CHECK(ranks.array(1)[100] == 0);
  ranks.merging.separate(Ranks::bytes(ranks.array(2) + 20 * page_words, 20), false);
  CHECK(ranks.array(2)[20 * page_words] == 0);
  CHECK(ranks.array(2)[40 * page_words - 1] == 0);
  CHECK(ranks.array(2)[20 * page_words - 1] == 20 * page_words);
  CHECK(ranks.holds(2, 1, 40 * page_words));
  CHECK(ranks.holds(0));
}

TEST_CASE("merging: a scan is due when memory has grown", "[smpi][process]") {
  Ranks ranks;
  ranks.scan();
  PageMerging merging(64 << 20);
  merging.scan({});
  CHECK_FALSE(merging.is_due());
  std::vector<std::byte> large(512 << 20, std::byte{1});
  struct timespec pause {
    0, 2'000'000
  };
  nanosleep(&pause, nullptr);
  CHECK(merging.is_due());
}

TEST_CASE("merging: the kernel's own merging needs its scanner", "[smpi][process]") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "rehearse-ksm-test";
  std::filesystem::create_directories(folder);
  const auto refused = merge_by_kernel(folder / "none");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text.find("does not merge") != std::string::npos);
  std::ofstream(folder / "run") << "0\n";
  const auto off = merge_by_kernel(folder);
  REQUIRE_FALSE(off);
  CHECK(off.error().text.find("run: 0: the kernel's scanner of equal pages (KSM) is off; accepted: 1") !=
        std::string::npos);
  std::ofstream(folder / "run") << "1\n";
  constexpr int get_memory_merge = 68, set_memory_merge = 67;
  const bool is_known = prctl(get_memory_merge, 0, 0, 0, 0) == 0;
  CHECK(static_cast<bool>(merge_by_kernel(folder)) == is_known);
  CHECK(prctl(get_memory_merge, 0, 0, 0, 0) == (is_known ? 1 : -1));
  prctl(set_memory_merge, 0, 0, 0, 0);
  std::filesystem::remove_all(folder);
}

}  // namespace page_merging_test
