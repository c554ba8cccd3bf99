// SPDX-License-Identifier: MIT
//
// Touched pages, of this process and of one that was forked from it.
#include "simcore/memory/pages.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace rehearse {
namespace {

struct Pages {
  static constexpr std::size_t count = 64;
  std::byte* begin = static_cast<std::byte*>(
      mmap(nullptr, count* page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ~Pages() { munmap(begin, count * page_bytes); }

  std::byte* page(std::size_t number) { return begin + number * page_bytes; }
  bool are_touched(std::initializer_list<std::size_t> numbers) {
    std::vector<ByteRange> touched;
    append_touched({begin, begin + count * page_bytes}, touched);
    if (touched.size() != numbers.size()) return false;
    std::size_t i = 0;
    for (const std::size_t number : numbers) {
      if (touched[i].begin != page(number) || touched[i].bytes() != page_bytes) return false;
      ++i;
    }
    return true;
  }
};

TEST_CASE("pages: touched pages are reported", "[simcore][memory]") {
  Pages pages;
  CHECK(pages.are_touched({}));
  *pages.page(3) = std::byte{1};
  *pages.page(9) = std::byte{1};
  CHECK(pages.are_touched({3, 9}));
}

TEST_CASE("pages: a forked process gets its own pages", "[simcore][memory]") {
  Pages pages;
  *pages.page(3) = std::byte{1};
  REQUIRE(pages.are_touched({3}));
  const pid_t child = fork();
  if (child == 0) {
    *pages.page(7) = std::byte{1};
    _exit(pages.are_touched({3, 7}) ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(pages.are_touched({3}));
}

}  // namespace
}  // namespace rehearse
