// SPDX-License-Identifier: MIT
//
// The members of a collective between two groups that have arrived: their number, and whether their calls agree.
//
// Threads: none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simcore/operation.hpp"

namespace rehearse::engine {

class Sides {
 public:
  // Begins a new collective. `first` is as in TwoGroups; 0: there is one group, and this object has no other use.
  void reset(std::uint32_t first, std::size_t members);

  bool are_there() const { return first_ != 0; }
  std::uint32_t first() const { return first_; }

  // A member arrives. Returns how its call differs from earlier ones (root, operator, count, signature); empty: it
  // agrees.
  const char* arrive(std::uint32_t member, const Collective& operation);

  // The root, or another_root while no member has named it.
  std::uint32_t root() const { return root_; }
  // Another member of the member's group is the root: this one gives and takes nothing.
  bool is_bystander(std::uint32_t member) const { return are_there() && is_bystander_[member]; }
  // Whether all members of the other group have arrived.
  bool has_all_opposite(std::uint32_t member) const { return missing_[1 - side_of(member)] == 0; }

 private:
  // The first types that members of a group named.
  struct Types {
    std::uint64_t signature = 0;
    std::uint64_t gives = 0;
    std::uint64_t takes = 0;
  };

  std::size_t side_of(std::uint32_t member) const { return member < first_ ? 0 : 1; }
  bool agrees_on_root(std::uint32_t member, std::uint32_t root);

  std::uint32_t first_ = 0;
  std::uint32_t root_ = another_root;
  std::array<std::uint32_t, 2> missing_{};  // by group: how many have not arrived
  std::array<bool, 2> has_bystanders_{};    // by group
  std::array<Types, 2> types_{};            // by group
  std::vector<bool> is_bystander_;          // by member
};

}  // namespace rehearse::engine
