// SPDX-License-Identifier: MIT
//
// The value of an element behind the operations before, against one that is computed from all of them.
#include "smpi/rma_model/element_value.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <tuple>
#include <vector>

namespace element_value_test {

using namespace rehearse;
using namespace rehearse::smpi;
using namespace rehearse::smpi::model;

namespace {

constexpr std::uintptr_t address = 0x1000;

Record operation_of(Deed deed, OpCode op, std::vector<std::int32_t> values) {
  OperationHeader header;
  header.deed = deed;
  header.op = op;
  header.element = MPI_INT32_T;
  header.answer_bytes = has_answer(deed) ? sizeof(std::int32_t) : 0;
  const TargetBlock block{reinterpret_cast<std::byte*>(address), 1};
  Record record;
  record.owner = 1;
  record.memory = {{address, address + sizeof(std::int32_t)}};
  record.data = make_message(header, std::span(&block, 1), std::as_bytes(std::span(values)));
  return record;
}

Record store_of(std::int32_t value) {
  Record record;
  record.kind = RecordKind::change;
  record.owner = 1;
  record.memory = {{address, address + sizeof value}};
  const auto bytes = std::as_bytes(std::span(&value, 1));
  record.data.assign(bytes.begin(), bytes.end());
  return record;
}

std::vector<std::byte> value_from_all(const Record& operation, const Records& records, const RecordSet& placed) {
  std::vector<RecordRef> before;
  for (const auto& [id, record] : records)
    if (id != operation.id && record->changes_memory() && (placed.contains(id) || is_known(id, *operation.known)))
      before.push_back(record);
  std::ranges::sort(before, {}, [](const RecordRef& record) { return std::tuple(record->lamport, record->id); });
  MemoryImage image;
  for (const RecordRef& record : before) image.apply(*record);
  std::vector<std::byte> value;
  image.carry_out(operation.data, value);
  return value;
}

}  // namespace

TEST_CASE("element values: operations in random orders see what a computation from all records gives") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 random(seed);
    Records records;
    RecordSet placed;
    ElementValue kept;
    std::uint32_t stores = 0, operations = 0;
    const auto make = [&](Record record, std::uint64_t lamport) {
      record.id = {0, record.is_operation() ? operations++ | RecordId::operation_bit : stores++};
      record.lamport = lamport;
      Knowledge known;
      const std::uint32_t forgets = random() % 4 == 0 ? std::min<std::uint32_t>(stores - 1, random() % 2) : 0;
      known.clock = {stores - forgets, 0};
      record.known = std::make_shared<const Knowledge>(known);
      const auto made = std::make_shared<const Record>(record);
      records.emplace(made->id, made);
      kept.add(made);
      return made;
    };
    Record content = store_of(5);
    content.kind = RecordKind::content;
    make(content, 1);
    for (std::uint64_t date = 2; date < 60; ++date) {
      const auto number = static_cast<std::int32_t>(random() % 9);
      const std::uint64_t late = random() % 5 == 0 ? random() % 4 : 0;  // dates need not ascend
      switch (random() % 5) {
        case 0: make(store_of(number), date - std::min(date - 1, late)); continue;
        case 1: placed.emplace(make(operation_of(Deed::accumulate, OpCode::sum, {number}), date)->id, {}); continue;
        default: break;
      }
      const bool swaps = random() % 3 == 0;
      const RecordRef asked =
          swaps ? make(operation_of(Deed::swap, OpCode::replace, {5 + number, number}), date - late % date)
                : make(operation_of(Deed::fetch, OpCode::sum, {number}), date - late % date);
      std::vector<std::byte> value;
      const std::vector<std::byte> wanted = value_from_all(*asked, records, placed);
      kept.carry_out(*asked, records, placed, value);
      REQUIRE(value == wanted);
      placed.emplace(asked->id, {});
    }
  }
}

}  // namespace element_value_test
