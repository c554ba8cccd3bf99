// SPDX-License-Identifier: MIT
//
// See sides.hpp.
#include "simcore/engine/sides.hpp"

#include "simcore/collective_flow.hpp"

namespace rehearse::engine {

void Sides::reset(std::uint32_t first, std::size_t members) {
  first_ = first;
  if (first == 0) return;
  root_ = another_root;
  missing_ = {first, static_cast<std::uint32_t>(members) - first};
  has_bystanders_ = {};
  types_ = {};
  is_bystander_.assign(members, false);
}

bool Sides::agrees_on_root(std::uint32_t member, std::uint32_t root) {
  const std::size_t side = side_of(member);
  if (root == another_root) {
    is_bystander_[member] = has_bystanders_[side] = true;
    const bool is_elsewhere = root_ != another_root && (root_ == member || side_of(root_) != side);
    return !is_elsewhere && !has_bystanders_[1 - side];
  }
  const bool is_refused = is_bystander_[root] || has_bystanders_[1 - side_of(root)];
  if (root_ == another_root) root_ = root;
  return root_ == root && !is_refused;
}

const char* Sides::arrive(std::uint32_t member, const Collective& operation) {
  const bool agrees = agrees_on_root(member, operation.root);
  Types& mine = types_[side_of(member)];
  const Types& theirs = types_[1 - side_of(member)];
  --missing_[side_of(member)];
  SignatureClash clash = clash_of(operation.signature, mine.signature);
  if (!clash) clash = clash_of(operation.groups.gives, theirs.takes);
  if (!clash) clash = clash_of(operation.groups.takes, theirs.gives);
  if (mine.signature == 0) mine.signature = operation.signature;
  if (mine.gives == 0) mine.gives = operation.groups.gives;
  if (mine.takes == 0) mine.takes = operation.groups.takes;
  if (!agrees) return "root";
  return clash ? what_differs(clash.one, clash.other) : "";
}

}  // namespace rehearse::engine
