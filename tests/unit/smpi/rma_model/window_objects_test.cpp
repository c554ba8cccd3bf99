// SPDX-License-Identifier: MIT
//
// The names of the objects of windows, and which elements have one.
#include "smpi/rma_model/window_objects.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "smpi/window_model.hpp"

namespace window_objects_test {

using namespace rehearse::smpi;
using namespace rehearse::smpi::model;

constexpr std::uint64_t window = 0x4000;

ObjectName element(std::uint32_t owner, std::uint64_t place) { return {ObjectKind::atom, window, owner, place}; }

TEST_CASE("window objects: a range has an element with an object only at a multiple of the extent") {
  const WindowObjects objects({"messages/1", to_text(element(1, 40)), to_text(element(2, 8))}, 3);
  CHECK(objects.contains_element(element(1, 40), 1, 8));
  CHECK(objects.contains_element(element(1, 0), 6, 8));
  CHECK_FALSE(objects.contains_element(element(1, 0), 5, 8));
  CHECK_FALSE(objects.contains_element(element(1, 4), 100, 8));
  CHECK(objects.contains_element(element(1, 4), 100, 4));
  CHECK_FALSE(objects.contains_element(element(1, 48), 100, 8));
  CHECK_FALSE(objects.contains_element(element(0, 0), 100, 8));
}

TEST_CASE("window objects: the text of missing ones has all names, up to 16") {
  const std::string two = missing_objects({element(1, 40), element(2, 8)});
  CHECK(two == std::string(window_object_missing) + "atom/4000/1/40, atom/4000/2/8");
  std::vector<ObjectName> many;
  for (std::uint64_t place = 0; place < 20; ++place) many.push_back(element(0, place));
  const std::string text = missing_objects(many);
  CHECK(text.ends_with("atom/4000/0/15"));
}

}  // namespace window_objects_test
