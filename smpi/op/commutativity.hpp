// SPDX-License-Identifier: MIT
//
// Tests whether a user's function that was declared commutative is not.
//
// Source: MPI 4.1, 6.9.5: with commute = true the order of the operands may be changed.
// Certain: compared are integers and floating-point numbers, the latter with room for rounding. Bytes and characters,
//          which may be anything, are not; nor are parts that the function merely leaves as they are in one of the
//          operands.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// The packed elements that a function was given, and what it made of them.
struct BothOrders {
  std::span<const std::byte> left, right;  // the operands
  std::span<const std::byte> in_order;     // of (left, right)
  std::span<const std::byte> swapped;      // of (right, left)
};

// Whether elements of the type can be compared at all.
bool has_numbers(const Datatype& type);

// "element 0 is 3 one way and -3 the other way round"; empty: nothing shows that the order matters.
std::string order_matters(const Datatype& type, std::int64_t count, const BothOrders& both);

}  // namespace rehearse::smpi
