// SPDX-License-Identifier: MIT
//
// The relation for each pair of kinds of access. A new kind of access does not compile until it is added here.
#include "mc/reduction/dependence.hpp"

#include <algorithm>

namespace rehearse::mc::reduction {
namespace {

// Whether another step that accesses the same object can notice this access.
constexpr bool changes(Access access) {
  switch (access) {
    case Access::reads: return false;
    case Access::needs: return false;  // that the object exists
    case Access::writes: return true;
    case Access::acquires: return true;  // order of the acquirers, and whether the object is taken
    case Access::frees: return true;     // whether a token remains, and which waiter wakes
    case Access::makes: return true;     // whether the object exists
  }
  return true;  // not reached: no other value exists
}

// 0 stands for an unknown object, which may be any.
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
