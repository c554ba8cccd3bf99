// SPDX-License-Identifier: MIT
//
// The definition of datatypes taken literally: a type map, entry by entry. The judge of everything
// that smpi/datatype computes in cleverer ways.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "smpi/datatype/construct.hpp"

namespace rehearse::tests {

struct MapEntry {
  std::int64_t displacement = 0;
  const smpi::BasicType* basic = nullptr;
};

// A datatype twice: as we make it, and as a type map with its markers.
struct TypeWithMap {
  smpi::DatatypeRef type;
  std::vector<MapEntry> map;
  std::vector<std::int64_t> lower_marks, upper_marks;
  std::string text;

  std::int64_t lower_bound() const;
  std::int64_t upper_bound() const;
  std::int64_t extent() const { return upper_bound() - lower_bound(); }
  std::int64_t size() const;
  void append(const TypeWithMap& other, std::int64_t displacement);
};

TypeWithMap predefined(MPI_Datatype handle);

// Numbers of a fixed sequence.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}
  std::int64_t between(std::int64_t low, std::int64_t high);  // both included

 private:
  std::uint64_t state_;
};

// A tree of constructors over small predefined types, of at most this depth; committed.
TypeWithMap random_type(Random& random, int depth);

}  // namespace rehearse::tests
