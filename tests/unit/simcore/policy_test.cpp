// SPDX-License-Identifier: MIT
//
// Policies into words and from words.
#include "simcore/policy.hpp"

#include <catch2/catch.hpp>

namespace rehearse {

TEST_CASE("policy: the text names the buffers, then the collectives") {
  CHECK(to_text(Policy{}) == "infinite");
  CHECK(to_text(Policy{0, false}) == "zero");
  CHECK(to_text(Policy{4096, false}) == "eager:4096");
  CHECK(to_text(Policy{Policy::mixed, false}) == "mixed");
  CHECK(to_text(Policy{Policy::infinite, true}) == "infinite+synchronising");
  CHECK(to_text(Policy{17, true}) == "eager:17+synchronising");
}

TEST_CASE("policy: the text is read as the same policy") {
  const std::uint64_t eager_bytes = GENERATE(std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{17}, Policy::mixed - 1,
                                             std::uint64_t{Policy::mixed}, std::uint64_t{Policy::infinite});
  const bool synchronising = GENERATE(false, true);
  const Policy policy{eager_bytes, synchronising};
  const Result<Policy> read = parse_policy(to_text(policy));
  REQUIRE(read);
  CHECK(read.value() == policy);
}

TEST_CASE("policy: another text is an error that lists the accepted words") {
  const std::string text = GENERATE("", "all", "Zero", "zero ", "eager", "eager:", "eager:0", "eager:-1", "eager:4k",
                                    "eager:99999999999999999999", "eager:18446744073709551614", "mixed ",
                                    "+synchronising", "zero+", "synchronising", "zero+synchronising+synchronising");
  const Result<Policy> read = parse_policy(text);
  REQUIRE_FALSE(read);
  CHECK(read.error().text ==
        "policy '" + text + "'; accepted: infinite, zero, eager:BYTES, mixed, or one with +synchronising");
}

}  // namespace rehearse
