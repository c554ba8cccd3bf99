// SPDX-License-Identifier: MIT
//
// Values of the standard's ABI and of another MPI library for the same constants.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rehearse::smpi::foreign {

struct Pair {
  std::int64_t ours, theirs;
};

struct NamedHandle {
  std::int64_t ours;
  const char* object;  // whose address is the handle
};

// A value without an equivalent stays as it is.
inline int ours_of(std::span<const Pair> constants, int theirs) {
  for (const Pair& pair : constants)
    if (pair.theirs == theirs) return static_cast<int>(pair.ours);
  return theirs;
}

inline int foreign_of(std::span<const Pair> constants, int ours) {
  for (const Pair& pair : constants)
    if (pair.ours == ours) return static_cast<int>(pair.theirs);
  return ours;
}

// Sets of bits.
struct Bits {
  std::span<const Pair> pairs;
};

inline int ours_of(const Bits& bits, int theirs) {
  int result = 0;
  for (const Pair& pair : bits.pairs)
    if ((theirs & pair.theirs) != 0) {
      result |= static_cast<int>(pair.ours);
      theirs &= static_cast<int>(~pair.theirs);
    }
  return result | theirs;
}

inline int foreign_of(const Bits& bits, int ours) {
  int result = 0;
  for (const Pair& pair : bits.pairs)
    if ((ours & pair.ours) != 0) {
      result |= static_cast<int>(pair.theirs);
      ours &= static_cast<int>(~pair.ours);
    }
  return result | ours;
}

// A list of the program with all values converted.
class IntegerList {
 public:
  IntegerList(std::span<const Pair> constants, const int* theirs, int count) {
    for (int i = 0; i < count; ++i) values_.push_back(ours_of(constants, theirs[i]));
    if (values_.empty()) values_.push_back(0);
  }
  const int* values() const { return values_.data(); }

 private:
  std::vector<int> values_;
};

}  // namespace rehearse::smpi::foreign
