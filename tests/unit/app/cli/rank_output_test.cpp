// SPDX-License-Identifier: MIT
//
// The output of ranks is printed in whole lines.
#include "app/cli/rank_output.hpp"

#include <catch2/catch.hpp>
#include <sstream>

namespace rehearse::cli {

TEST_CASE("rank output: pieces of different ranks do not mix within a line", "[cli]") {
  std::ostringstream out, err;
  {
    RankOutput output(2, false, out, err);
    output.write({0}, 1, "one ");
    output.write({1}, 1, "two\nthree");
    output.write({0}, 1, "line\n");
    CHECK(out.str() == "two\none line\n");
  }
  CHECK(out.str() == "two\none line\nthree");
}

TEST_CASE("rank output: each line begins with the label", "[cli]") {
  std::ostringstream out, err;
  {
    RankOutput output(2, true, out, err);
    output.write({1}, 1, "a\nb\n\n");
    output.write({0}, 2, "wrong");
  }
  CHECK(out.str() == "[1] a\n[1] b\n[1] \n");
  CHECK(err.str() == "[0] wrong");
}

}  // namespace rehearse::cli
