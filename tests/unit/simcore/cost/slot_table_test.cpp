// SPDX-License-Identifier: MIT
//
// Slots of the cost model's activities: their lists and failures.
#include "simcore/cost/slot_table.hpp"

#include <catch2/catch.hpp>

namespace rehearse::cost {
namespace {

using Indices = std::vector<std::uint32_t>;

TEST_CASE("slots: a list stays in the order of starts after any removal", "[simcore]") {
  EitherFluid fluid(nullptr);
  SlotTable slots(fluid);
  std::uint32_t head = none;
  for (std::uint32_t i = 0; i < 4; ++i) slots.enlist(slots.make(SlotKind::transfer, 0), head);
  CHECK(slots.listed(head) == Indices{0, 1, 2, 3});
  slots.unlist(2, head);
  slots.unlist(3, head);
  CHECK(slots.listed(head) == Indices{0, 1});
  slots.unlist(0, head);
  slots.unlist(1, head);
  CHECK(head == none);
}

TEST_CASE("slots: failures are reported once, in their order, and the slots are free then", "[simcore]") {
  EitherFluid fluid(nullptr);
  SlotTable slots(fluid);
  for (std::uint32_t i = 0; i < 3; ++i) slots.make(SlotKind::computation, 0);
  for (const std::uint32_t index : {2u, 0u, 1u}) slots.note_failure(index);
  slots.forget_failure(0);
  std::vector<Ended> ended;
  slots.report_failures(ended);
  REQUIRE(ended.size() == 2);
  CHECK(ended[0].activity.value == 2);
  CHECK(ended[0].failed);
  CHECK(ended[1].activity.value == 1);
  CHECK_FALSE(slots.has_failures());
  CHECK_FALSE(slots.is_empty());
  slots.release(0);
  CHECK(slots.is_empty());
}

TEST_CASE("slots: the fluid's activity is found by its number while it is open", "[simcore]") {
  EitherFluid fluid(nullptr);
  SlotTable slots(fluid);
  const std::uint32_t index = slots.make(SlotKind::access, 5);
  slots.open(index, {.delay = Duration::from_seconds(1), .uses = {}}, {});
  CHECK(slots.slot_of(slots[index].activity) == index);
  slots.close(index, {});
  CHECK(slots[index].activity == none);
}

}  // namespace
}  // namespace rehearse::cost
