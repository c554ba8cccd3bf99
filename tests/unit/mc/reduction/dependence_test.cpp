// SPDX-License-Identifier: MIT
//
// Which steps can change places: by what they do to which objects.
#include "mc/reduction/dependence.hpp"

#include <catch2/catch.hpp>
#include <initializer_list>

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;

namespace {

constexpr Access every_access[] = {Access::reads, Access::writes, Access::acquires,
                                   Access::frees, Access::makes,  Access::needs};

Footprint touching(std::initializer_list<Touch> touches) {
  Footprint footprint;
  footprint.touches.assign(touches.begin(), touches.end());
  return footprint;
}

bool only_looks(Access access) { return access == Access::reads || access == Access::needs; }

}  // namespace

TEST_CASE("dependence: two accesses are independent if both only read", "[mc][dependence]") {
  for (const Access a : every_access)
    for (const Access b : every_access) {
      CHECK(dependent(a, b) == !(only_looks(a) && only_looks(b)));
      CHECK(dependent(a, b) == dependent(b, a));
    }
}

TEST_CASE("dependence: steps that access different objects are independent", "[mc][dependence]") {
  for (const Access a : every_access)
    for (const Access b : every_access) {
      CHECK_FALSE(dependent(touching({{1, a}}), touching({{2, b}})));
      CHECK(dependent(touching({{1, a}}), touching({{1, b}})) == dependent(a, b));
    }
}

TEST_CASE("dependence: an unknown object may be any object", "[mc][dependence]") {
  CHECK(dependent(touching({{0, Access::writes}}), touching({{9, Access::reads}})));
  CHECK(dependent(touching({{9, Access::reads}}), touching({{0, Access::writes}})));
  CHECK_FALSE(dependent(touching({{0, Access::reads}}), touching({{9, Access::reads}})));
}

TEST_CASE("dependence: one dependent pair of accesses is enough", "[mc][dependence]") {
  const Footprint mixed = touching({{1, Access::reads}, {2, Access::reads}, {3, Access::writes}});
  CHECK(dependent(mixed, touching({{4, Access::writes}, {3, Access::needs}})));
  CHECK_FALSE(dependent(mixed, touching({{1, Access::reads}, {2, Access::needs}, {4, Access::writes}})));
}

TEST_CASE("dependence: a step without accesses depends only on steps with unknown accesses", "[mc][dependence]") {
  Footprint anything;
  anything.anything = true;
  CHECK_FALSE(dependent(touching({}), touching({})));
  CHECK_FALSE(dependent(touching({}), touching({{1, Access::writes}})));
  CHECK(dependent(touching({}), anything));
  CHECK(dependent(anything, touching({{1, Access::reads}})));
  CHECK(dependent(anything, anything));
}
