// SPDX-License-Identifier: MIT
//
// Texts by number.
#include "app/string_table.hpp"

#include <catch2/catch.hpp>

using rehearse::app::StringTable;

TEST_CASE("string table: equal texts have equal numbers, and 0 is the empty one", "[cli][recording]") {
  StringTable table;
  const std::uint32_t one = table.add("one");
  for (int i = 0; i < 1000; ++i) table.add("text " + std::to_string(i));
  CHECK(table.add("") == 0);
  CHECK(table.add("one") == one);
  CHECK(table[one] == "one");
  CHECK(table.size() == 1002);
  const StringTable moved = std::move(table);
  CHECK(moved[one] == "one");
}
