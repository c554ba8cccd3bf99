// SPDX-License-Identifier: MIT
//
// The relation, spelled out for every pair: a kind of access that is added does not compile until it is here.
#include "mc/reduction/dependence.hpp"

#include <algorithm>

namespace rehearse::mc {
namespace {

enum class Order : std::uint8_t { free, matters };

constexpr Order reads_and(Access other) {
  switch (other) {
    case Access::reads: return Order::free;
    case Access::writes: return Order::matters;
    case Access::acquires: return Order::matters;  // whoever looks whether it is taken
    case Access::frees: return Order::matters;
    case Access::makes: return Order::matters;     // whoever looks whether it is there
    case Access::needs: return Order::free;
  }
  return Order::matters;  // for values that are none of these
}

constexpr Order writes_and(Access other) {
  switch (other) {
    case Access::reads: return Order::matters;
    case Access::writes: return Order::matters;
    case Access::acquires: return Order::matters;
    case Access::frees: return Order::matters;
    case Access::makes: return Order::matters;
    case Access::needs: return Order::matters;
  }
  return Order::matters;  // for values that are none of these
}

constexpr Order acquires_and(Access other) {
  switch (other) {
    case Access::reads: return Order::matters;
    case Access::writes: return Order::matters;
    case Access::acquires: return Order::matters;  // who comes first
    case Access::frees: return Order::matters;     // there may be none before
    case Access::makes: return Order::matters;
    case Access::needs: return Order::matters;
  }
  return Order::matters;  // for values that are none of these
}

constexpr Order frees_and(Access other) {
  switch (other) {
    case Access::reads: return Order::matters;
    case Access::writes: return Order::matters;
    case Access::acquires: return Order::matters;
    case Access::frees: return Order::matters;     // whom the first wakes
    case Access::makes: return Order::matters;
    case Access::needs: return Order::matters;
  }
  return Order::matters;  // for values that are none of these
}

constexpr Order makes_and(Access other) {
  switch (other) {
    case Access::reads: return Order::matters;
    case Access::writes: return Order::matters;
    case Access::acquires: return Order::matters;
    case Access::frees: return Order::matters;
    case Access::makes: return Order::matters;
    case Access::needs: return Order::matters;     // in one order only
  }
  return Order::matters;  // for values that are none of these
}

constexpr Order needs_and(Access other) {
  switch (other) {
    case Access::reads: return Order::free;
    case Access::writes: return Order::matters;
    case Access::acquires: return Order::matters;
    case Access::frees: return Order::matters;
    case Access::makes: return Order::matters;
    case Access::needs: return Order::free;
  }
  return Order::matters;  // for values that are none of these
}

constexpr Order order_of(Access a, Access b) {
  switch (a) {
    case Access::reads: return reads_and(b);
    case Access::writes: return writes_and(b);
    case Access::acquires: return acquires_and(b);
    case Access::frees: return frees_and(b);
    case Access::makes: return makes_and(b);
    case Access::needs: return needs_and(b);
  }
  return Order::matters;  // for values that are none of these
}

constexpr bool is_symmetric() {
  for (int a = 0; a <= static_cast<int>(Access::needs); ++a)
    for (int b = 0; b <= static_cast<int>(Access::needs); ++b)
      if (order_of(Access(a), Access(b)) != order_of(Access(b), Access(a))) return false;
  return true;
}
static_assert(is_symmetric());

// 0 stands for an object that is not known.
bool is_same(std::uint64_t a, std::uint64_t b) { return a == b || a == 0 || b == 0; }

}  // namespace

bool dependent(Access a, Access b) { return order_of(a, b) == Order::matters; }

bool dependent(const Footprint& a, const Footprint& b) {
  if (a.anything || b.anything) return true;
  return std::ranges::any_of(a.touches, [&](const Touch& x) {
    return std::ranges::any_of(
        b.touches, [&](const Touch& y) { return is_same(x.object, y.object) && dependent(x.access, y.access); });
  });
}

}  // namespace rehearse::mc
