// SPDX-License-Identifier: MIT
//
// Work in a child process.
#include "app/isolated.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <string>

namespace rehearse::app {

TEST_CASE("isolated: the text comes back, whatever its length") {
  CHECK(text_from_isolated([] { return std::string("done"); }, 10) == "done");
  const std::string longer(1'000'000, 'x');
  CHECK(text_from_isolated([&] { return longer; }, 10) == longer);
}

TEST_CASE("isolated: work that ends its process returns nothing") {
  const auto text = text_from_isolated(
      [] {
        std::signal(SIGTERM, SIG_DFL);
        std::raise(SIGTERM);
        return std::string("never");
      },
      10);
  CHECK_FALSE(text);
}

TEST_CASE("isolated: changes by the work stay in its process") {
  int changed = 0;
  const auto text = text_from_isolated([&changed] { return std::to_string(++changed); }, 10);
  CHECK(text == "1");
  CHECK(changed == 0);
}

}  // namespace rehearse::app
