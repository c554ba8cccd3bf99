// SPDX-License-Identifier: MIT
//
// What is remembered of application code: by history, and by nothing else.
#include "simcore/application_record.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <string_view>

using namespace rehearse;

namespace {

constexpr ActorId first{0}, second{1};

void record_text(ApplicationRecord& record, ActorId actor, std::string_view text, std::int64_t now = 0) {
  std::array<Completion, 1> completions;
  completions[0].source = second;
  completions[0].tag = 3;
  completions[0].data = std::as_bytes(std::span(text));
  Observation answer;
  answer.completions = completions;
  answer.now = TimePoint{now};
  record.on_answer(actor, answer);
}

}  // namespace

TEST_CASE("application code record: the same history has the cost of its first time", "[simcore]") {
  ApplicationRecord record;
  record.begin(2);
  CHECK(record.took(first, 1) == 1);
  record_text(record, first, "ab");
  CHECK(record.took(first, 2) == 2);
  record.begin(2);
  CHECK(record.took(first, 5) == 1);
  record_text(record, first, "ab");
  CHECK(record.took(first, 6) == 2);
  CHECK(record.size() == 2);
}

TEST_CASE("application code record: another actor, message, date or order is another history", "[simcore]") {
  ApplicationRecord record;
  const auto after = [&record](ActorId actor, auto... texts) {
    record.begin(2);
    (record_text(record, actor, texts), ...);
    return record.took(actor, static_cast<double>(record.size() + 1));
  };
  CHECK(after(first, "a", "b") == 1);
  CHECK(after(second, "a", "b") == 2);
  CHECK(after(first, "b", "a") == 3);
  CHECK(after(first, "ab") == 4);
  CHECK(after(first, "a message of more than eight bytes") == 5);
  CHECK(after(first, "a message of more than eight bytez") == 6);
  CHECK(after(first, "a", "b") == 1);
  record.begin(2);
  record_text(record, first, "a");
  record_text(record, first, "b", 7);
  CHECK(record.took(first, 9) == 9);
}

TEST_CASE("application code record: a history without room in the record is measured each time", "[simcore]") {
  ApplicationRecord record(1);
  record.begin(1);
  CHECK(record.took(first, 1) == 1);
  record_text(record, first, "a");
  CHECK(record.took(first, 2) == 2);
  CHECK(record.took(first, 3) == 3);
  record.begin(1);
  CHECK(record.took(first, 4) == 1);
}
