// SPDX-License-Identifier: MIT
//
// Whether the members of an aggregate can be sent as bytes: its members are counted and their types found at compile
// time. So a structure with a pointer is refused, and one of numbers is sent without a word of its author.
//
// Limits: up to 12 members; without base classes and anonymous unions. Other aggregates need a member wire().
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace rehearse::sim {
namespace wire_fields {

inline constexpr std::size_t fields_max = 12;

// Becomes any member, any base, any union.
struct Anything {
  template <class T>
  operator T() const;
};
template <class Derived>
struct AnyBase {
  template <class T>
  requires(std::is_base_of_v<T, Derived> && !std::is_same_v<T, Derived>) operator T() const;
};
struct AnyUnion {
  template <class T>
  requires std::is_union_v<T>
  operator T() const;
};

// Empty braces stand for any member, also for an array.
// clang-format off
template <class T, std::size_t count>
constexpr bool takes() {
  if constexpr (count == 0) return requires { T{}; };
  else if constexpr (count == 1) return requires { T{{}}; };
  else if constexpr (count == 2) return requires { T{{}, {}}; };
  else if constexpr (count == 3) return requires { T{{}, {}, {}}; };
  else if constexpr (count == 4) return requires { T{{}, {}, {}, {}}; };
  else if constexpr (count == 5) return requires { T{{}, {}, {}, {}, {}}; };
  else if constexpr (count == 6) return requires { T{{}, {}, {}, {}, {}, {}}; };
  else if constexpr (count == 7) return requires { T{{}, {}, {}, {}, {}, {}, {}}; };
  else if constexpr (count == 8) return requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; };
  else if constexpr (count == 9) return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; };
  else if constexpr (count == 10) return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
  else if constexpr (count == 11) return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
  else if constexpr (count == 12) return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
  else return requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; };
}

// The same with one more value behind them.
template <class T, std::size_t count, class Last>
constexpr bool takes_also() {
  if constexpr (count == 0) return requires(Last last) { T{last}; };
  else if constexpr (count == 1) return requires(Last last) { T{{}, last}; };
  else if constexpr (count == 2) return requires(Last last) { T{{}, {}, last}; };
  else if constexpr (count == 3) return requires(Last last) { T{{}, {}, {}, last}; };
  else if constexpr (count == 4) return requires(Last last) { T{{}, {}, {}, {}, last}; };
  else if constexpr (count == 5) return requires(Last last) { T{{}, {}, {}, {}, {}, last}; };
  else if constexpr (count == 6) return requires(Last last) { T{{}, {}, {}, {}, {}, {}, last}; };
  else if constexpr (count == 7) return requires(Last last) { T{{}, {}, {}, {}, {}, {}, {}, last}; };
  else if constexpr (count == 8) return requires(Last last) { T{{}, {}, {}, {}, {}, {}, {}, {}, last}; };
  else if constexpr (count == 9) return requires(Last last) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, last}; };
  else if constexpr (count == 10) return requires(Last last) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, last}; };
  else if constexpr (count == 11) return requires(Last last) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, last}; };
  else return requires(Last last) { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, last}; };
}

template <class... Members>
using Types = std::tuple<Members...>*;

// A null pointer to the tuple of the members' types.
template <class T, std::size_t count>
constexpr auto members(T* value) {
  if constexpr (count == 0) return Types<>{};
  else if constexpr (count == 1) {
    auto& [a] = *value;
    return Types<decltype(a)>{};
  }
  else if constexpr (count == 2) {
    auto& [a, b] = *value;
    return Types<decltype(a), decltype(b)>{};
  }
  else if constexpr (count == 3) {
    auto& [a, b, c] = *value;
    return Types<decltype(a), decltype(b), decltype(c)>{};
  }
  else if constexpr (count == 4) {
    auto& [a, b, c, d] = *value;
    return Types<decltype(a), decltype(b), decltype(c), decltype(d)>{};
  }
  else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = *value;
    return Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e)>{};
  }
  else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = *value;
    return Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f)>{};
  }
  else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = *value;
    return Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                 decltype(g)>{};
  }
  else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = *value;
    return Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                 decltype(g), decltype(h)>{};
  }
  else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = *value;
    return Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                 decltype(g), decltype(h), decltype(i)>{};
  }
  else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = *value;
    return Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                 decltype(g), decltype(h), decltype(i), decltype(j)>{};
  }
  else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = *value;
    return Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                 decltype(g), decltype(h), decltype(i), decltype(j), decltype(k)>{};
  }
  else {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = *value;
    return Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f),
                 decltype(g), decltype(h), decltype(i), decltype(j), decltype(k), decltype(l)>{};
  }
}
// clang-format on

// Braces are accepted up to the number of members. A member that accepts none ends the search too early.
template <class T, std::size_t count = 0>
constexpr std::size_t count_of_fields() {
  if constexpr (count < fields_max + 1 && takes<T, count + 1>()) return count_of_fields<T, count + 1>();
  else return count;
}

template <class T, std::size_t count, std::size_t at = 0>
constexpr bool has_union() {
  if constexpr (at == count) return false;
  else return takes_also<T, at, AnyUnion>() || has_union<T, count, at + 1>();
}

template <template <class> class Wire, class... Members>
constexpr bool each_has_wire(std::tuple<Members...>*) {
  return (Wire<std::remove_cv_t<Members>>::is_possible && ...);
}

template <class T, template <class> class Wire>
constexpr bool all_have_wire() {
  if constexpr (!std::is_aggregate_v<T> || !std::is_class_v<T> || !std::is_trivially_copyable_v<T>) {
    return false;
  } else if constexpr (!takes<T, 0>() || takes_also<T, 0, AnyBase<T>>()) {
    return false;
  } else {
    constexpr std::size_t count = count_of_fields<T>();
    if constexpr (count > fields_max) return false;
    else if constexpr (takes_also<T, count, Anything>() || has_union<T, count>()) return false;
    else return each_has_wire<Wire>(decltype(members<T, count>(nullptr)){});
  }
}

}  // namespace wire_fields
}  // namespace rehearse::sim
