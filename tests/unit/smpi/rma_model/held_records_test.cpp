// SPDX-License-Identifier: MIT
//
// The records that a partner has, against a map of their versions.
#include "smpi/rma_model/held_records.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <random>

namespace held_records_test {

using namespace rehearse::smpi::model;

TEST_CASE("held records: random records and versions agree with a map of versions") {
  std::mt19937 random(11);
  HeldRecords held;
  Records records;
  std::map<RecordId, int> wanted;  // 1 + version
  for (int step = 0; step < 4000; ++step) {
    Record record;
    const auto number = static_cast<std::uint32_t>(random() % 100);
    record.id = {static_cast<std::uint32_t>(random() % 3),
                 random() % 2 == 0 ? number : number | RecordId::operation_bit};
    record.is_settled = random() % 3 != 0;
    record.is_exposed = random() % 3 != 0;
    records.assign(record.id, std::make_shared<const Record>(record));
    if (random() % 2 == 0) {
      held.add(record);
      wanted[record.id] = std::max(wanted[record.id], 1 + version_of(record));
    }
    REQUIRE(held.has(record) == (wanted[record.id] > version_of(record)));
    if (step % 100 != 0) continue;
    Records missing;
    for (const auto& [id, one] : records)
      if (wanted[id] <= version_of(*one)) missing.emplace(id, one);
    const Records found = held.missing(records);
    REQUIRE(std::ranges::equal(found, missing));
  }
}

TEST_CASE("held records: rows have the final records before the first gap") {
  HeldRecords held;
  const auto add = [&](std::uint32_t number, bool is_settled) {
    Record record;
    record.id = {1, number};
    record.is_settled = is_settled;
    held.add(record);
  };
  add(0, true);
  add(2, true);
  add(1, false);
  CHECK(held.rows() == HeldRows{0, 0, 1});
  add(1, true);
  CHECK(held.rows() == HeldRows{0, 0, 3});
  CHECK(common_rows({0, 0, 3}, {5, 1, 2, 7}) == HeldRows{0, 0, 2});
  CHECK(joined_rows({0, 0, 3}, {5, 1, 2, 7}) == HeldRows{5, 1, 3, 7});
}

TEST_CASE("held records: the rows of a partner add their records in the final version") {
  Records records;
  HeldRecords held;
  for (std::uint32_t number = 0; number < 6; ++number) {
    Record record;
    record.id = {1, number};
    records.emplace(record.id, std::make_shared<const Record>(record));
    if (number == 5) held.add(record);
  }
  held.add(HeldRows{0, 0, 3});
  const Records missing = held.missing(records);
  REQUIRE(missing.size() == 2);
  CHECK(missing.begin()->first == RecordId{1, 3});
  held.add(HeldRows{0, 0, 1});
  CHECK(held.rows() == HeldRows{0, 0, 3});
}

}  // namespace held_records_test
