// SPDX-License-Identifier: MIT
//
// The contributions that members of a collective need, and the arguments that must agree: rules of both drivers.
//
// Between two groups, data moves from one group to the other; in a rooted collective only from or to the root.
// Threads: none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simcore/operation.hpp"
#include "simcore/signature_number.hpp"

namespace rehearse {

// Whether two members, by their indices, are in different groups; `first` as in TwoGroups.
constexpr bool are_apart(std::uint32_t first, std::size_t a, std::size_t b) { return (a < first) != (b < first); }

// Whether every member needs every other one.
constexpr bool needs_everybody(const Collective& op) { return op.flow == Flow::all_to_all && op.groups.first == 0; }

// Whether member `self` needs the contribution of member `other`. `root` is the root that `self` passes.
constexpr bool needs(Flow flow, std::uint32_t root, std::uint32_t first, std::size_t self, std::size_t other) {
  if (first != 0 && !are_apart(first, self, other)) return false;
  switch (flow) {
    case Flow::all_to_all: return true;
    case Flow::root_to_all: return other == root;
    case Flow::all_to_root: return self == root;
    case Flow::prefix: return other <= self;
    case Flow::nobody:
    case Flow::optional: return false;
  }
  return true;
}

constexpr bool needs(const Collective& op, std::size_t self, std::size_t other) {
  return needs(op.flow, op.root, op.groups.first, self, other);
}

// The root that one member passes, by its index: member `root`, or an unspecified other one of its own group.
struct RootClaim {
  std::uint32_t member;
  std::uint32_t root;
};

// Whether both claims can be true of one root; `first` as in TwoGroups.
constexpr bool agree_on_root(std::uint32_t first, const RootClaim& a, const RootClaim& b) {
  if (a.root != another_root && b.root != another_root) return a.root == b.root;
  if (a.root == another_root && b.root == another_root) return !are_apart(first, a.member, b.member);
  const RootClaim& known = a.root != another_root ? a : b;
  const RootClaim& vague = a.root != another_root ? b : a;
  return known.root != vague.member && !are_apart(first, known.root, vague.member);
}

// Two signatures that disagree, or two zeros. Unknown signatures agree with all.
struct SignatureClash {
  std::uint64_t one = 0;
  std::uint64_t other = 0;
  constexpr explicit operator bool() const { return one != other; }
};

constexpr SignatureClash clash_of(std::uint64_t one, std::uint64_t other) {
  return one == 0 || other == 0 || one == other ? SignatureClash{} : SignatureClash{one, other};
}

// The disagreement between the types or operators of two members of a collective, given by their indices.
constexpr SignatureClash clash_of(const Collective& a, std::size_t member_a, const Collective& b,
                                  std::size_t member_b) {
  if (!are_apart(a.groups.first, member_a, member_b)) return clash_of(a.signature, b.signature);
  const SignatureClash given = clash_of(a.groups.gives, b.groups.takes);
  return given ? given : clash_of(a.groups.takes, b.groups.gives);
}

}  // namespace rehearse
