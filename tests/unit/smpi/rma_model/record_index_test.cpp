// SPDX-License-Identifier: MIT
//
// Records by their memory, against a look at all of them.
#include "smpi/rma_model/record_index.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

namespace record_index_test {

using namespace rehearse::smpi::model;

TEST_CASE("record index: random searches agree with a look at all records") {
  std::mt19937 random(3);
  const auto piece = [&] {
    const std::uintptr_t begin = 1000 + random() % 300;
    return Bytes{begin, begin + random() % (random() % 5 == 0 ? 200 : 9)};
  };
  RecordIndex index;
  std::vector<Record> records;
  for (std::uint32_t i = 0; i < 400; ++i) {
    Record record;
    const std::uint32_t number = i / 3;
    record.id = {i % 3, random() % 2 == 0 ? number : number | RecordId::operation_bit};
    for (unsigned count = 1 + static_cast<unsigned>(random() % 3); count > 0; --count) record.memory.push_back(piece());
    index.add(record);
    records.push_back(std::move(record));
  }
  for (int search = 0; search < 500; ++search) {
    Knowledge known;
    known.clock = {static_cast<std::uint32_t>(random() % 140), static_cast<std::uint32_t>(random() % 140), 0};
    for (const Record& record : records)
      if (record.is_operation() && random() % 8 != 0) known.effects.insert(record.id);
    const bool skips = random() % 2 == 0;
    const std::vector<Bytes> memory = {piece(), piece()};
    std::vector<RecordId> wanted;
    for (const Record& record : records) {
      const bool meets = std::ranges::any_of(record.memory, [&](const Bytes& one) {
        return std::ranges::any_of(memory, [&](const Bytes& other) {
          return one.begin < one.end && other.begin < other.end && one.meets(other);
        });
      });
      if (meets && !(skips && is_known(record, known))) wanted.push_back(record.id);
    }
    std::ranges::sort(wanted);
    REQUIRE(index.meeting(memory, skips ? &known : nullptr) == wanted);
  }
}

}  // namespace record_index_test
