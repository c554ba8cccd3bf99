// SPDX-License-Identifier: MIT
//
// Whether an output is the expected one, in each way to compare them.
#include "app/grading/output_comparison.hpp"

#include <catch2/catch.hpp>

namespace rehearse::app {

using How = ExpectedOutput::How;

TEST_CASE("output comparison: exact output differs in a blank, lines do not") {
  CHECK(difference({How::exact, {"a\nb\n"}}, "a\nb\n").empty());
  CHECK(difference({How::exact, {"a\nb\n"}}, "a \nb\n") == "the output differs in blanks or line breaks");
  CHECK(difference({How::lines, {"a", "b"}}, "a \r\nb\n\n").empty());
}

TEST_CASE("output comparison: the text names the first line that differs") {
  CHECK(difference({How::lines, {"a", "b"}}, "a\nc\n") == "line 2 of the output is 'c', not 'b'");
  CHECK(difference({How::lines, {"a", "b"}}, "a\n") == "line 2 of the output is missing: 'b'");
  CHECK(difference({How::lines, {"a"}}, "a\nb\n") == "line 2 of the output is too much: 'b'");
}

TEST_CASE("output comparison: sorted lines may come in any order, each as often as expected") {
  CHECK(difference({How::sorted, {"b", "a"}}, "a\nb\n").empty());
  CHECK(difference({How::sorted, {"a", "a"}}, "a\n") == "a line of the output is missing: 'a'");
  CHECK(difference({How::sorted, {"a"}}, "b\n") == "a line of the output is missing: 'a'; one is too much: 'b'");
}

TEST_CASE("output comparison: contained lines have their order, with others between them") {
  CHECK(difference({How::contains, {"a", "c"}}, "x\na\nb\nc\n").empty());
  CHECK(difference({How::contains, {"c", "a"}}, "a\nc\n") == "a line of the output is missing: 'a'");
}

TEST_CASE("output comparison: long lines are cut") {
  const std::string text = difference({How::lines, {"a"}}, std::string(1000, 'b'));
  CHECK(text.size() < 200);
  CHECK(text.find("...") != std::string::npos);
}

}  // namespace rehearse::app
