// SPDX-License-Identifier: MIT
//
// The fields of an action: numbers, sizes of types, communicators, and the message for each wrong one.
#include "trace/ti/fields.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "trace/ti/words.hpp"

namespace rehearse::trace::ti {
namespace {

// The fields of a line without its rank.
class Line {
 public:
  explicit Line(std::string text, std::uint64_t default_size = 1) : text_(std::move(text)) {
    split(text_, words_);
    fields.emplace(words_[0], std::span(words_).subspan(1), default_size);
  }

  std::optional<Fields> fields;

 private:
  std::string text_;
  std::vector<std::string_view> words_;
};

TEST_CASE("ti fields: counts are whole numbers or decimal ones, and negative ones are unknown") {
  Line line("recv 7 1e6 2.9 -1 9000000000000000");
  Fields& fields = *line.fields;
  CHECK(fields.count(0) == 7);
  CHECK(fields.count(1) == 1'000'000);
  CHECK(fields.count(2) == 2);
  CHECK_FALSE(fields.count_or_unknown(3));
  CHECK(fields.count(4) == 9'000'000'000'000'000);
  CHECK(fields.ok());
}

TEST_CASE("ti fields: the first problem stays") {
  Line line("send 0 x -5");
  Fields& fields = *line.fields;
  CHECK(fields.whole(1, "a tag") == 0);
  CHECK(fields.problem() == "send: a tag is a whole number; found: x");
  fields.count(2);
  CHECK(fields.problem() == "send: a tag is a whole number; found: x");
}

TEST_CASE("ti fields: a wrong field has a message with its value and the accepted ones") {
  const auto problem_of = [](const std::string& text, auto&& use) {
    Line line(text);
    use(*line.fields);
    return line.fields->problem();
  };
  CHECK(problem_of("compute -1", [](Fields& fields) { fields.amount(0, "the volume"); }) ==
        "compute: the volume is a number from 0 on; found: -1");
  CHECK(problem_of("compute nan", [](Fields& fields) { fields.amount(0, "the volume"); }) ==
        "compute: the volume is a number from 0 on; found: nan");
  CHECK(problem_of("send 3", [](Fields& fields) { fields.rank(0, 3); }) ==
        "send: rank 3 is not one of the 3 ranks of the trace");
  CHECK(problem_of("bcast 1 2", [](Fields& fields) { fields.root(1, 2); }) ==
        "bcast: root 2 is not one of the 2 ranks of the communicator");
  CHECK(problem_of("send 1 2", [](Fields& fields) { fields.need(3, "destination, tag and count"); }) ==
        "send needs destination, tag and count; found: send 1 2");
  CHECK(problem_of("send 1 2 1e16", [](Fields& fields) { fields.count(2); }) ==
        "send: a count is a number up to 9e15; found: 1e16");
  CHECK(problem_of("send 1 2147483648 0", [](Fields& fields) { fields.whole(1, "a tag"); }) ==
        "send: a tag is a whole number; found: 2147483648");
}

TEST_CASE("ti fields: types are numbers of the table, or bytes=N") {
  Line line("send 0 1 6 14 bytes=24", 8);
  Fields& fields = *line.fields;
  CHECK(fields.type_size(0) == 8);
  CHECK(fields.type_size(1) == 4);
  CHECK(fields.type_size(2) == 1);
  CHECK(fields.type_size(3) == 16);
  CHECK(fields.type_size(4) == 24);
  CHECK(fields.type_size(5) == 8);  // the default
  CHECK(fields.ok());
  Line derived("send -1");
  CHECK(derived.fields->type_size(0) == 0);
  CHECK(derived.fields->problem().find("bytes=N") != std::string::npos);
  Line unknown("send 99");
  CHECK(unknown.fields->type_size(0) == 0);
  CHECK(unknown.fields->problem() == "send: no datatype has the number 99");
}

TEST_CASE("ti fields: the communicator is the last field") {
  Line line("barrier comm=3");
  CHECK(line.fields->communicator() == 3);
  CHECK(line.fields->size() == 0);
  CHECK_FALSE(Line("barrier").fields->communicator());
  Line wrong("barrier comm=x");
  CHECK(wrong.fields->problem() == "comm= needs a whole number; found: comm=x");
}

}  // namespace
}  // namespace rehearse::trace::ti
