// SPDX-License-Identifier: MIT
//
// Tests whether a function of the user is wrongly declared commutative.
//
// Source: MPI 4.1, 6.9.5: with commute = true the order of the operands may be changed.
// Certain: integers and floating-point numbers are compared, the latter with a tolerance for rounding. Bytes and
//          characters are not, because their meaning is unknown; nor are parts that the function only copies from one
//          of the operands.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// The packed operands of a function, and its results.
struct BothOrders {
  std::span<const std::byte> left, right;  // the operands
  std::span<const std::byte> in_order;     // of (left, right)
  std::span<const std::byte> swapped;      // of (right, left)
};

// Whether elements of the type can be compared at all.
bool has_numbers(const Datatype& type);

// "element 0 is 3 one way and -3 with the operands exchanged (1 and 2)"; empty: nothing shows that the order matters.
std::string order_matters(const Datatype& type, std::int64_t count, const BothOrders& both);

}  // namespace rehearse::smpi
