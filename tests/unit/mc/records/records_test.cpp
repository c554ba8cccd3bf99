// SPDX-License-Identifier: MIT
//
// Records of executions can be read back from their bytes; truncated or damaged bytes are recognised or harmless.
#include "mc/records/records.hpp"

#include <catch2/catch.hpp>

#include "mc/parallel/assignment.hpp"
#include "tests/support/records.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::records;
using mc::verdict::Execution;
using tests::text_of;

namespace {

template <class T>
std::string bytes_of_one(const T& value) {
  Writer to;
  put(to, value);
  return to.bytes();
}

// What comes back; false: it was not read to its end, or is bad.
template <class T>
bool read_back(std::string_view bytes, T& value) {
  Reader from(bytes);
  get(from, value);
  return from.is_good() && from.at_end();
}

}  // namespace

TEST_CASE("records: executions can be read back completely", "[mc][records][fuzz]") {
  SplitMix chance(3);
  for (int i = 0; i < 300; ++i) {
    const Execution execution = tests::random_execution(chance);
    Execution again = tests::random_execution(chance);  // what was there before is gone
    CHECK(read_back(bytes_of_one(execution), again));
    CHECK(text_of(again) == text_of(execution));
  }
}

TEST_CASE("records: executions that were cut off are recognised", "[mc][records][fuzz]") {
  SplitMix chance(4);
  for (int i = 0; i < 40; ++i) {
    const std::string bytes = bytes_of_one(tests::random_execution(chance));
    for (std::size_t cut = 0; cut < bytes.size(); cut += 1 + cut / 16) {
      Execution again;
      CHECK_FALSE(read_back(std::string_view(bytes).substr(0, cut), again));
    }
  }
}

TEST_CASE("records: reading arbitrary bytes ends", "[mc][records][fuzz]") {
  SplitMix chance(5);
  std::size_t bad = 0;
  for (int i = 0; i < 500; ++i) {
    std::string bytes = bytes_of_one(tests::random_execution(chance));
    for (int k = 0; k < 4; ++k) bytes[chance.below(bytes.size())] = static_cast<char>(chance.below(256));
    Execution again;
    bad += !read_back(bytes, again);
  }
  CHECK(bad > 0);
}

TEST_CASE("records: a plain execution takes a class and a byte", "[mc][records]") {
  CHECK(bytes_of_one(tests::plain_execution(7)).size() == 1 + sizeof(history::Hash128));
}

TEST_CASE("records: a plain execution without a class is bad", "[mc][records]") {
  std::string bytes = bytes_of_one(tests::plain_execution(7));
  bytes[0] = static_cast<char>(bytes[0] & ~1);
  Execution again;
  CHECK_FALSE(read_back(bytes, again));
}

TEST_CASE("records: a finding of no known severity is bad", "[mc][records]") {
  verdict::Cause cause;
  cause.findings.push_back(tests::plain_finding("abc", Severity::note));
  std::string bytes = bytes_of_one(cause);
  const std::size_t severity = bytes.find("abc") + 3;
  verdict::Cause again;
  CHECK(read_back(bytes, again));
  CHECK(again.findings[0].severity == Severity::note);
  bytes[severity] = 3;
  CHECK_FALSE(read_back(bytes, again));
}

TEST_CASE("records: paths come back, also without candidates and limits", "[mc][records][fuzz]") {
  SplitMix chance(6);
  for (int i = 0; i < 200; ++i) {
    const reduction::Path path = tests::random_path(chance);
    reduction::Path again;
    CHECK(read_back(bytes_of_one(path), again));
    CHECK(again == path);
  }
}

TEST_CASE("records: limits come back, single ones and all together", "[mc][records]") {
  for (int which = 0; which < 64; ++which) {
    verdict::Limits limits;
    limits.refusals_left_out = which & 1;
    limits.orders_left_out = which & 2;
    limits.executions_not_meant = which & 4;
    if (which & 8) limits.unsupported = {"one", "two"};
    if (which & 16) limits.assumptions = {"three"};
    if (which & 32) limits.strayed = {""};
    verdict::Limits again;
    CHECK(read_back(bytes_of_one(limits), again));
    CHECK(text_of(again) == text_of(limits));
  }
}

TEST_CASE("records: branchings, races and texts come back", "[mc][records]") {
  const Branching branching{~std::uint64_t{0}, 5, true, 1'000'000'000'000};
  Branching other;
  CHECK(read_back(bytes_of_one(branching), other));
  CHECK(other.site == branching.site);
  CHECK(other.executions == branching.executions);
  CHECK(other.of_any_source);
  const std::vector<std::string> texts{"", "a", std::string(300, 'b')};
  std::vector<std::string> again{"before"};
  CHECK(read_back(bytes_of_one(texts), again));
  CHECK(again == texts);
  std::vector<reduction::Race> races(2), races_again;
  races[1].taken = 9;
  CHECK(read_back(bytes_of_one(races), races_again));
  REQUIRE(races_again.size() == 2);
  CHECK(races_again[1].taken == 9);
  CHECK(races_again[1].observed == graph::no_event);
}

TEST_CASE("assignment: it comes back with its donated parts in order", "[mc][records][parallel]") {
  SplitMix chance(8);
  parallel::Assignment assignment;
  assignment.path = tests::random_path(chance);
  assignment.skip = 12;
  assignment.donated = {{3, {7, 2}}, {12, {9, reduction::no_limit}}};
  assignment.is_careful = true;
  parallel::Assignment again;
  CHECK(read_back(bytes_of_one(assignment), again));
  CHECK(again.path == assignment.path);
  CHECK(again.skip == 12);
  REQUIRE(again.donated.size() == 2);
  CHECK(again.donated[0].after == 3);
  CHECK(again.donated[0].cut == reduction::Cut{7, 2});
  CHECK(again.donated[1].cut == reduction::Cut{9, reduction::no_limit});
  CHECK(again.is_careful);
}
