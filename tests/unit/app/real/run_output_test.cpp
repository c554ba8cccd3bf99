// SPDX-License-Identifier: MIT
//
// The output of several processes as that of one run, and its comparison with that of the simulation.
#include "app/real/run_output.hpp"

#include <catch2/catch.hpp>

#include "app/real_actors.hpp"

using namespace rehearse;
using namespace rehearse::app;

namespace {

const std::string begin_mark = real_output_mark("secret", true), end_mark = real_output_mark("secret", false);

}  // namespace

TEST_CASE("run output: outside of a run, only the first process is heard") {
  std::string shown;
  RunOutput output(2, "secret", [&](std::string_view text) { shown += text; });
  output.add(1, "before\n" + begin_mark + "two\n" + end_mark + "after\n");
  CHECK(shown.empty());  // the first one has not come to the run
  output.add(0, "before\n" + begin_mark);
  CHECK(shown == "before\ntwo\n");
  output.add(0, "one\n" + end_mark + "after\n");
  CHECK(shown == "before\ntwo\none\nafter\n");
  output.close(1);
  output.close(0);
  CHECK(shown == "before\ntwo\none\nafter\n");
}

TEST_CASE("run output: lines of a run stay whole, and marks may come in pieces") {
  std::string shown;
  RunOutput output(2, "secret", [&](std::string_view text) { shown += text; });
  const std::string first = "x" + begin_mark + "one \x1e line\n" + end_mark + "y";
  output.add(1, begin_mark + "half");
  for (const char byte : first) output.add(0, {&byte, 1});
  output.add(1, " a line\n" + end_mark);
  CHECK(shown == "xone \x1e line\nhalf a line\ny");
}

TEST_CASE("run output: a process that dies inside of a run does not hold the others up") {
  std::string shown;
  RunOutput output(2, "secret", [&](std::string_view text) { shown += text; });
  output.add(0, begin_mark + "one\n" + end_mark + "after\n");
  output.add(1, begin_mark + "two");
  CHECK(shown == "one\n");
  output.close(1);
  CHECK(shown == "one\ntwoafter\n");
}

TEST_CASE("compared output: dates and the order of lines do not matter, other numbers do") {
  CHECK(compare_output("at 0.5 s\nsum 3\n", "at 0.25 s\nsum 3\n").is_in_order);
  const OutputComparison other_order = compare_output("a\nb\n", "b\na\n");
  CHECK(other_order.is_same);
  CHECK_FALSE(other_order.is_in_order);
  const OutputComparison different = compare_output("sum 3\n", "sum 4\n");
  CHECK_FALSE(different.is_same);
  CHECK(different.first_difference == "only for real: sum 3; only simulated: sum 4");
  CHECK_FALSE(compare_output("3 sums\n", "4 sums\n").is_same);
  CHECK_FALSE(compare_output("a\na\n", "a\n").is_same);
  CHECK(compare_output("it took 1e-05 s, or so\n", "it took 2 s, or so\n").is_same);
  CHECK_FALSE(compare_output("host3 s\n", "host4 s\n").is_same);
}
