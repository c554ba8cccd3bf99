// SPDX-License-Identifier: MIT
//
// Numbers of ranks on the command line.
#include "app/fewer_ranks.hpp"

#include <catch2/catch.hpp>

namespace rehearse::app {

TEST_CASE("fewer ranks: all from two on, or the given ones, ascending and once each") {
  CHECK(read_ranks("fewer", 5).value() == std::vector<std::uint32_t>{2, 3, 4});
  CHECK(read_ranks("4,1,4", 5).value() == std::vector<std::uint32_t>{1, 4});
  CHECK(read_ranks("fewer", 2).value().empty());
}

TEST_CASE("fewer ranks: as many ranks or more are refused, with the accepted numbers") {
  for (const char* text : {"5", "0", "", "2,", "2;3", "two"}) {
    const auto numbers = read_ranks(text, 5);
    INFO(text);
    REQUIRE_FALSE(numbers);
    CHECK(numbers.error().text.find("from 1 to 4") != std::string::npos);
  }
}

}  // namespace rehearse::app
