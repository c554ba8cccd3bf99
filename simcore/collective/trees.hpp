// SPDX-License-Identifier: MIT
//
// Trees of members, and the transfers along them.
//
// Shape:  a tree's nodes are numbered 0 .. members-1. Node 0 is the root, except in the in-order binary
//         tree, whose root is the last node. Except in a binary tree, the nodes of a subtree are consecutive.
// Source: Pjesivac-Grbovic et al., Performance analysis of collective operations, 2007 (the family);
//         Thakur, Rabenseifner, Gropp, 2005 (binomial).
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/collective/rounds.hpp"

namespace rehearse::collective {

enum class TreeKind : std::uint8_t { linear, chain, binary, in_order_binary, knomial };

class Tree {
 public:
  static constexpr std::uint32_t none = ~0u;

  // radix: the number of chains, or the radix of a k-nomial tree (2: binomial).
  Tree(TreeKind kind, std::uint32_t members, std::uint32_t radix = 2);

  std::uint32_t members() const { return members_; }
  std::uint32_t root() const { return kind_ == TreeKind::in_order_binary ? members_ - 1 : 0; }
  std::uint32_t parent(std::uint32_t node) const;
  // The child with the largest subtree first.
  std::vector<std::uint32_t> children(std::uint32_t node) const;
  // The number of nodes of this node's subtree. For trees with consecutive subtrees.
  std::uint32_t covered(std::uint32_t node) const;
  // The largest number of children of a node.
  std::uint32_t most_children() const;
  // Children are served one after another, unless the payload is segmented.
  bool is_serial() const { return kind_ == TreeKind::knomial; }

 private:
  struct Links {
    std::uint32_t parent = none;
    std::uint32_t children[2] = {none, none};
    std::uint32_t first = 0;  // first node of the subtree
  };
  Links in_order(std::uint32_t node) const;
  std::uint32_t chain_begin(std::uint32_t chain) const;

  TreeKind kind_;
  std::uint32_t members_;
  std::uint32_t radix_;
};

// Sends the payload from the root of the tree to all members, segment by segment. Node n is member
// (root + n) % members, so the root of the tree must be node 0.
SchedulePtr send_down(Tree tree, std::uint32_t root, Payload payload, std::uint32_t segments = 1);

// Combines contributions up to the root of the tree, segment by segment. With `in_order` node n is
// member n; then the result continues to member `root`, if that is another one.
SchedulePtr combine_up(Tree tree, std::uint32_t root, Payload payload, bool in_order, std::uint32_t segments = 1);

// Moves blocks of consecutive members up or down. Node n is member (root + n) % members.
SchedulePtr gather_up(Tree tree, std::uint32_t root);
SchedulePtr scatter_down(Tree tree, std::uint32_t root);

}  // namespace rehearse::collective
