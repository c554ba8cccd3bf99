// SPDX-License-Identifier: MIT
//
// Which arrays fold, which parts of them, and the limit of mappings. The ranks are ranges with heaps, without a
// program.
#include "smpi/folding.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>

#include "simcore/actor_memory.hpp"
#include "simcore/arena.hpp"
#include "simcore/support/page.hpp"

namespace folding_test {

using namespace rehearse;
using namespace rehearse::smpi;
using Catch::Matchers::Contains;

namespace {

constexpr std::uint64_t bytes_of_array = 8 * page_bytes;

std::string name_main() { return "main at /home/of/user/solve.c:12"; }
std::string name_other() { return "other at solve.c:12"; }
constexpr Folding::Place in_main{1, name_main};
constexpr Folding::Place in_other{2, name_other};

// Ranks with heaps of their own, and arrays of whole numbers in them.
struct Ranks {
  explicit Ranks(Folding::Options options) : folding(std::move(options)) {
    for (std::uint32_t i = 0; i < heaps.size(); ++i) {
      std::byte* begin = space.range(ActorId{i});
      heaps[i] = Arena::create(begin, begin + space.range_bytes(), &dirty_ends[i]);
    }
  }
  Folding::Owner owner(std::uint32_t rank) {
    std::byte* begin = space.range(ActorId{rank});
    return {rank, heaps[rank], begin, begin + space.range_bytes()};
  }
  std::uint64_t* named(std::uint32_t rank, const std::string& name, std::uint64_t bytes = bytes_of_array,
                       std::span<const Folding::Piece> pieces = {}) {
    return static_cast<std::uint64_t*>(folding.allocate(owner(rank), name, bytes, pieces));
  }
  std::uint64_t* placed(std::uint32_t rank, const Folding::Place& place, std::uint64_t bytes = bytes_of_array) {
    return static_cast<std::uint64_t*>(folding.allocate(owner(rank), place, page_bytes, bytes));
  }
  void release(std::uint32_t rank, void* block) {
    folding.unfold(block);
    heaps[rank]->release(block);
  }

  ActorSpace space{3};
  std::array<std::byte*, 3> dirty_ends{};
  std::array<Arena*, 3> heaps{};
  Folding folding;
};

// Whether a number that is written into `one` appears in `other`.
bool are_one(volatile std::uint64_t* one, const volatile std::uint64_t* other, std::size_t at = 0) {
  one[at] = other[at] + 1;
  return one[at] == other[at];
}

constexpr std::size_t page_words = page_bytes / sizeof(std::uint64_t);

}  // namespace

TEST_CASE("folding: arrays of one name and size are one array, of any rank", "[smpi][process]") {
  Ranks ranks({});
  auto *a = ranks.named(0, "a"), *b = ranks.named(1, "a"), *c = ranks.named(0, "a");
  CHECK(are_one(a, b, bytes_of_array / sizeof *a - 1));
  CHECK(are_one(b, c));
  CHECK_FALSE(are_one(a, ranks.named(1, "b")));
  CHECK_FALSE(are_one(a, ranks.named(1, "a", bytes_of_array + 1)));
  const auto sites = ranks.folding.sites();
  REQUIRE(sites.size() == 3);
  CHECK(sites[0].arrays == 3);
  CHECK(sites[0].folded == 3);
  CHECK(sites[0].ranks.size() == 2);
  CHECK_FALSE(sites[0].is_automatic);
  CHECK(ranks.folding.corrupts_data());
}

TEST_CASE("folding: memory of a released array is private and zero", "[smpi][process]") {
  Ranks ranks({});
  auto *a = ranks.named(0, "a"), *b = ranks.named(1, "a");
  a[0] = 7;
  ranks.release(0, a);
  CHECK_FALSE(ranks.folding.knows(a));
  auto* again = static_cast<std::uint64_t*>(ranks.heaps[0]->allocate_aligned(page_bytes, bytes_of_array));
  REQUIRE(again == a);
  CHECK(again[page_words] == 0);
  CHECK_FALSE(are_one(again, b));
  CHECK(b[0] == 7);
  ranks.release(1, b);
  CHECK(ranks.named(2, "a")[0] == 0);
}

TEST_CASE("folding: only the whole pages of the shared pieces fold", "[smpi][process]") {
  Ranks ranks({});
  const std::array<Folding::Piece, 3> pieces{
      {{10, 3 * page_bytes + 1}, {4 * page_bytes, 4 * page_bytes + 9}, {7 * page_bytes, bytes_of_array - 5}}};
  auto *a = ranks.named(0, "a", bytes_of_array - 5, pieces), *b = ranks.named(1, "a", bytes_of_array - 5, pieces);
  std::string folded;
  for (std::size_t page = 0; page < 8; ++page) folded += are_one(a, b, page * page_words) ? 'x' : '-';
  CHECK(folded == "-xx----x");
  CHECK(ranks.folding.covers({reinterpret_cast<std::byte*>(a) + page_bytes, 2 * page_bytes}));
  CHECK_FALSE(ranks.folding.covers({reinterpret_cast<std::byte*>(a), page_bytes + 1}));
  CHECK_FALSE(ranks.folding.covers({reinterpret_cast<std::byte*>(a) + page_bytes, 2 * page_bytes + 1}));
  const std::array<Folding::Piece, 1> small{{{1, page_bytes + 1}}};
  CHECK_FALSE(are_one(ranks.named(0, "c", bytes_of_array, small), ranks.named(1, "c", bytes_of_array, small)));
  CHECK(ranks.folding.sites()[1].kept == "no whole page is shared");
}

TEST_CASE("folding: arrays of one place fold when a second rank has one", "[smpi][process]") {
  Ranks ranks({.above = bytes_of_array});
  CHECK(ranks.folding.is_automatic(bytes_of_array));
  CHECK_FALSE(ranks.folding.is_automatic(bytes_of_array - 1));
  auto* a = ranks.placed(0, in_main);
  auto* second = ranks.placed(0, in_main);
  a[0] = 42;
  CHECK_FALSE(ranks.folding.corrupts_data());
  CHECK(ranks.folding.sites()[0].kept == "one rank only");
  auto* b = ranks.placed(1, in_main);
  CHECK(a[0] == 42);
  CHECK(b[0] == 42);
  CHECK(are_one(a, b));
  CHECK_FALSE(are_one(second, b));  // its second array folds with the second ones of other ranks
  CHECK(are_one(second, ranks.placed(1, in_main)));
  CHECK_FALSE(are_one(a, ranks.placed(2, in_other)));
  CHECK_FALSE(are_one(a, ranks.placed(2, in_main, 2 * bytes_of_array)));
  CHECK(ranks.folding.corrupts_data());
}

TEST_CASE("folding: pages of the first array that hold addresses of its rank stay private", "[smpi][process]") {
  Ranks ranks({.above = bytes_of_array});
  auto* a = ranks.placed(0, in_main);
  for (std::size_t page = 0; page < 8; ++page) a[page * page_words] = page + 1;
  a[2 * page_words + 17] = reinterpret_cast<std::uintptr_t>(a);
  a[5 * page_words + 1] = reinterpret_cast<std::uintptr_t>(ranks.space.range(ActorId{1}));  // of another rank: no
  a[7 * page_words + 511] = reinterpret_cast<std::uintptr_t>(ranks.space.range(ActorId{1})) - 1;
  auto* b = ranks.placed(1, in_main);
  std::string folded;
  for (std::size_t page = 0; page < 8; ++page) folded += are_one(a, b, page * page_words) ? 'x' : '-';
  CHECK(folded == "xx-xxxx-");
  CHECK(a[2 * page_words + 17] == reinterpret_cast<std::uintptr_t>(a));
  CHECK(b[2 * page_words + 17] == 0);
  CHECK(a[5 * page_words + 1] == b[5 * page_words + 1]);
  const auto sites = ranks.folding.sites();
  CHECK(sites[0].pages_apart == 2);
  CHECK(sites[0].folded == 2);
}

TEST_CASE("folding: arrays whose pages all hold addresses do not fold", "[smpi][process]") {
  Ranks ranks({.above = bytes_of_array});
  auto* a = ranks.placed(0, in_main);
  for (std::size_t page = 0; page < 8; ++page) a[page * page_words] = reinterpret_cast<std::uintptr_t>(a);
  CHECK_FALSE(are_one(a, ranks.placed(1, in_main)));
  CHECK(ranks.folding.sites()[0].kept == "all pages hold addresses");
  CHECK_FALSE(ranks.folding.corrupts_data());
}

TEST_CASE("folding: a place is kept by its function, its line, or the end of its path", "[smpi][process]") {
  for (const auto& [keep, is_kept] :
       std::initializer_list<std::pair<const char*, bool>>{{"main", true},
                                                           {"solve.c:12", true},
                                                           {"user/solve.c:12", true},
                                                           {"/home/of/user/solve.c:12", true},
                                                           {"other", false},
                                                           {"olve.c:12", false},
                                                           {"solve.c:1", false},
                                                           {"mai", false},
                                                           {"solve.c", false}}) {
    CAPTURE(keep);
    Ranks ranks({.above = bytes_of_array, .keep = {"nobody", keep}});
    auto* a = ranks.placed(0, in_main);
    CHECK(are_one(a, ranks.placed(1, in_main)) != is_kept);
    CHECK(ranks.folding.sites()[0].kept == (is_kept ? "--fold-keep" : ""));
  }
}

TEST_CASE("folding: tiles share memory within an array and between arrays", "[smpi][process]") {
  Ranks ranks({.within = 2 * page_bytes});
  auto *a = ranks.named(0, "a", bytes_of_array - page_bytes), *b = ranks.named(1, "a", bytes_of_array - page_bytes);
  CHECK(are_one(a, a + 2 * page_words));
  CHECK(are_one(a + page_words, b + 5 * page_words));
  CHECK_FALSE(are_one(a, b + page_words));
  const FoldedMemory memory = ranks.folding.most_memory();
  CHECK(memory.shared == 2 * page_bytes);
  CHECK(memory.mapped == 14 * page_bytes);
  CHECK(memory.mappings == 2 * (4 + 1));  // tiles, and the private memory behind them
}

TEST_CASE("folding: an array beyond the kernel's limit of mappings is refused with the number", "[smpi][process]") {
  std::uint64_t limit = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> limit;
  Ranks ranks({.within = page_bytes});
  const std::uint64_t bytes = (limit + 1) * page_bytes;
  CHECK(ranks.named(0, "a", bytes) == nullptr);
  CHECK_THAT(ranks.folding.problem(), Contains("needs " + std::to_string(limit + 2) + " mappings"));
  CHECK_THAT(ranks.folding.problem(), Contains("--fold-within") && Contains("vm.max_map_count="));
  CHECK_FALSE(ranks.folding.corrupts_data());
  const std::uint64_t half = limit / 2 * page_bytes;
  auto* a = ranks.named(0, "b", half);
  REQUIRE(a != nullptr);
  CHECK(ranks.folding.problem().empty());
  CHECK(ranks.named(1, "b", half) == nullptr);
  CHECK_THAT(ranks.folding.problem(), Contains("needs " + std::to_string(limit / 2 + 1) + " mappings"));
  ranks.release(0, a);
  CHECK(ranks.named(1, "b", half) != nullptr);
}

TEST_CASE("folding: a static array folds when a second rank has written to it", "[smpi][process]") {
  Ranks ranks({.above = bytes_of_array, .keep = {"kept"}});
  constexpr std::uint64_t at = 100, bytes = bytes_of_array;  // so 7 whole pages are inside
  Folding::StaticArray grid{"grid", bytes, 0, {}}, kept{"kept", bytes, 0, {}};
  for (std::uint32_t i = 0; i < 3; ++i) {
    grid.of_rank.push_back(ranks.space.range(ActorId{i}) + (1 << 20) + at);
    kept.of_rank.push_back(ranks.space.range(ActorId{i}) + (2 << 20));
  }
  ranks.folding.watch(grid);
  ranks.folding.watch(kept);
  const auto word = [&](const Folding::StaticArray& array, std::uint32_t rank, std::size_t page) {
    return reinterpret_cast<std::uint64_t*>(array.of_rank[rank] - at % page_bytes + page * page_bytes);
  };
  *word(grid, 0, 1) = 5;
  *word(grid, 0, 3) = reinterpret_cast<std::uintptr_t>(grid.of_rank[0]);
  ranks.folding.look_after_step(ranks.owner(0));
  ranks.folding.look_after_step(ranks.owner(1));  // has not written
  CHECK_FALSE(ranks.folding.corrupts_data());
  *word(grid, 1, 4) = reinterpret_cast<std::uintptr_t>(grid.of_rank[1]);
  *word(kept, 0, 1) = *word(kept, 1, 1) = 1;
  ranks.folding.look_after_step(ranks.owner(1));
  CHECK(ranks.folding.corrupts_data());
  CHECK(*word(grid, 2, 1) == 5);
  std::string folded;
  for (std::size_t page = 1; page < 8; ++page) {
    *word(grid, 2, page) = 1000 + page;
    folded += *word(grid, 1, page) == 1000 + page ? 'x' : '-';
  }
  CHECK(folded == "xx--xxx");
  *word(kept, 2, 1) = 1000;
  CHECK(*word(kept, 1, 1) == 1);
  const auto sites = ranks.folding.sites();
  REQUIRE(sites.size() == 2);
  CHECK((sites[0].is_static && sites[0].folded == 3 && sites[0].pages_apart == 2));
  CHECK(sites[1].kept == "--fold-keep");
}

TEST_CASE("folding: large arrays use huge pages, where the kernel has them", "[smpi][process]") {
  Ranks ranks({});
  constexpr std::uint64_t bytes = 9 << 20;
  auto* a = ranks.named(0, "a", bytes);
  CHECK(reinterpret_cast<std::uintptr_t>(a) % (2 << 20) == 0);
  std::memset(a, 1, 5 << 20);  // two and a half huge pages
  CHECK(ranks.folding.most_memory().huge == 0);
  auto* b = ranks.named(1, "a", bytes);
  const FoldedMemory memory = ranks.folding.most_memory();
  CHECK((memory.huge == 0 || memory.huge == 6 << 20));
  CHECK(memory.shared <= 6 << 20);  // the rest is not touched
  CHECK(std::memcmp(a, b, bytes) == 0);
  CHECK(are_one(a, b, bytes / 8 - 1));
  ranks.release(0, a);
  ranks.release(1, b);
  CHECK(ranks.named(2, "a", bytes)[0] == 0);
}

TEST_CASE("folding: the first result of a shared call stays", "[smpi][process]") {
  Ranks ranks({});
  int one = 1, two = 2;
  CHECK(ranks.folding.find_result("call:x") == nullptr);
  CHECK(ranks.folding.store_result("call:x", &one) == &one);
  CHECK_FALSE(ranks.folding.corrupts_data());
  CHECK(ranks.folding.store_result("call:x", &two) == &one);
  REQUIRE(ranks.folding.find_result("call:x") != nullptr);
  CHECK(*ranks.folding.find_result("call:x") == &one);
  CHECK(ranks.folding.corrupts_data());
}

}  // namespace folding_test
