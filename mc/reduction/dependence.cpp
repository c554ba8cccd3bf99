// SPDX-License-Identifier: MIT
//
// The relation, for each pair of kinds of access. A new kind does not compile until it is added here.
#include "mc/reduction/dependence.hpp"

#include <algorithm>

namespace rehearse::mc::reduction {
namespace {

// Whether whoever touches the same object can notice.
constexpr bool changes(Access access) {
  switch (access) {
    case Access::reads: return false;
    case Access::needs: return false;  // that it is there
    case Access::writes: return true;
    case Access::acquires: return true;  // who comes first, and whether it is taken
    case Access::frees: return true;     // whether there is one left, and whom it wakes
    case Access::makes: return true;     // whether it is there
  }
  return true;  // for values that are none of these
}

// 0 stands for an object that is not known.
bool is_same(std::uint64_t a, std::uint64_t b) { return a == b || a == 0 || b == 0; }

}  // namespace

bool dependent(Access a, Access b) { return changes(a) || changes(b); }

bool dependent(const Footprint& a, const Footprint& b) {
  if (a.anything || b.anything) return true;
  return std::ranges::any_of(a.touches, [&](const Touch& x) {
    return std::ranges::any_of(b.touches, [&](const Touch& y) {
      return is_same(x.object, y.object) && dependent(x.access, y.access);
    });
  });
}

}  // namespace rehearse::mc::reduction
