// SPDX-License-Identifier: MIT
//
// Results that show that the order of the operands matters, and their nearest neighbours that do not.
#include "smpi/op/commutativity.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/table.hpp"

using namespace rehearse::smpi;

namespace {

const Datatype& basic(MPI_Datatype handle) { return *predefined_datatype(handle); }

template <class T>
struct Results {
  std::vector<T> left, right, in_order, swapped;

  std::string of(const Datatype& type, std::int64_t count) const {
    const auto bytes = [](const std::vector<T>& all) { return std::as_bytes(std::span(all)); };
    return order_matters(type, count, {bytes(left), bytes(right), bytes(in_order), bytes(swapped)});
  }
};

}  // namespace

TEST_CASE("commutativity: integer results must be equal for both orders", "[smpi][op]") {
  const Results<int> differs{{1, 5}, {2, 3}, {3, 2}, {3, -2}};
  CHECK(differs.of(basic(MPI_INT), 2) == "element 1 is 2 one way and -2 with the operands exchanged (5 and 3)");
  const Results<int> same{{1, 5}, {2, 3}, {3, 8}, {3, 8}};
  CHECK(same.of(basic(MPI_INT), 2).empty());
}

TEST_CASE("commutativity: a difference by rounding does not count", "[smpi][op]") {
  const Results<double> rounded{{1e8}, {3}, {1e-8}, {0}};
  CHECK(rounded.of(basic(MPI_DOUBLE), 1).empty());
  const Results<double> differs{{1}, {3}, {0.5}, {0.25}};
  CHECK_FALSE(differs.of(basic(MPI_DOUBLE), 1).empty());
  const Results<float> coarse{{1}, {1}, {0.9999f}, {1}}, wrong{{1}, {1}, {0.9f}, {1}};
  CHECK(coarse.of(basic(MPI_FLOAT), 1).empty());
  CHECK_FALSE(wrong.of(basic(MPI_FLOAT), 1).empty());
  const double infinite = std::numeric_limits<double>::infinity();
  const Results<double> overflown{{1}, {3}, {infinite}, {1}};
  CHECK(overflown.of(basic(MPI_DOUBLE), 1).empty());
}

TEST_CASE("commutativity: the choice among operands that are equal in their other number is no evidence",
          "[smpi][op]") {
  const Results<int> tie{{7, 1}, {7, 2}, {7, 1}, {7, 2}};
  CHECK(tie.of(basic(MPI_2INT), 1).empty());
  const Results<int> untouched{{7, 1}, {8, 2}, {15, 2}, {15, 1}};
  CHECK(untouched.of(basic(MPI_2INT), 1).empty());
  const Results<int> first{{7, 1}, {8, 2}, {7, 1}, {8, 2}};
  CHECK_FALSE(first.of(basic(MPI_2INT), 1).empty());
}

TEST_CASE("commutativity: for a datatype of the program, its numbers are compared", "[smpi][op]") {
  const Block fields[] = {{1, 0, &basic(MPI_BYTE)}, {1, 8, &basic(MPI_DOUBLE)}};
  const auto mixed = make_indexed(fields, {});
  CHECK(has_numbers(*mixed));
  CHECK_FALSE(has_numbers(basic(MPI_BYTE)));
  CHECK_FALSE(has_numbers(basic(MPI_CHAR)));
  CHECK_FALSE(has_numbers(basic(MPI_C_BOOL)));
  std::vector<std::byte> one(9), other(9);
  one[0] = std::byte{1};
  CHECK(order_matters(*mixed, 1, {one, one, one, other}).empty());
  other[8] = std::byte{0x40};
  CHECK_FALSE(order_matters(*mixed, 1, {one, one, one, other}).empty());
}
