// SPDX-License-Identifier: MIT
//
// Policies from words of the command line.
#include "app/policies.hpp"

#include <catch2/catch.hpp>

namespace rehearse::app {

TEST_CASE("policies: of all policies the first one has infinite buffers", "[cli]") {
  auto policies = make_policies("all", "both");
  REQUIRE(policies);
  const std::vector<Policy> expected = {{Policy::infinite, false}, {Policy::infinite, true}, {0, false}, {0, true}};
  CHECK(policies.value() == expected);
}

TEST_CASE("policies: mixed buffering includes the two extremes, which come first", "[cli]") {
  auto policies = make_policies("mixed", "relaxed");
  REQUIRE(policies);
  const std::vector<Policy> expected = {{Policy::infinite, false}, {0, false}, {Policy::mixed, false}};
  CHECK(policies.value() == expected);
}

TEST_CASE("policies: one word of each kind is one policy", "[cli]") {
  auto policies = make_policies("eager:4096", "synchronising");
  REQUIRE(policies);
  CHECK(policies.value() == std::vector<Policy>{{4096, true}});
}

TEST_CASE("policies: unknown words are refused with the accepted ones", "[cli]") {
  const std::string word = GENERATE("", "some", "eager", "eager:", "eager:0", "eager:-1", "eager:4k", "Zero");
  const auto buffering = make_policies(word, "both");
  REQUIRE_FALSE(buffering);
  CHECK(buffering.error().text.find("'" + word + "' given; accepted: all, infinite, zero") != std::string::npos);
  const auto collectives = make_policies("all", word);
  REQUIRE_FALSE(collectives);
  CHECK(collectives.error().text.find("accepted: both, relaxed, synchronising") != std::string::npos);
}

}  // namespace rehearse::app
