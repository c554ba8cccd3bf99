// SPDX-License-Identifier: MIT
//
// See trees.hpp. A node of an unsegmented k-nomial tree serves one child after another, which its logarithmic number of
// rounds requires. A node of other trees and of pipelines serves all children at once.
#include "simcore/collective/trees.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::collective {

Tree::Tree(TreeKind kind, std::uint32_t members, std::uint32_t radix)
    : kind_(kind), members_(members), radix_(std::max(radix, kind == TreeKind::knomial ? 2u : 1u)) {}

std::uint32_t Tree::chain_begin(std::uint32_t chain) const {
  const std::uint32_t others = members_ - 1;
  return 1 + chain * (others / radix_) + std::min(chain, others % radix_);
}

// Descends from the root. A subtree is an interval: its left subtree, its right subtree, its root.
Tree::Links Tree::in_order(std::uint32_t node) const {
  std::uint32_t first = 0, last = members_;  // the subtree [first, last); its root is last - 1
  std::uint32_t parent = none;
  for (;;) {
    const std::uint32_t root = last - 1;
    const std::uint32_t middle = first + (root - first) / 2;
    if (node == root) {
      Links links{parent, {none, none}, first};
      if (middle > first) links.children[0] = middle - 1;
      if (root > middle) links.children[1] = root - 1;
      return links;
    }
    parent = root;
    (node < middle ? last : first) = middle;
    if (node >= middle) last = root;
  }
}

std::uint32_t Tree::parent(std::uint32_t node) const {
  switch (kind_) {
    case TreeKind::linear: return node == 0 ? none : 0;
    case TreeKind::binary: return node == 0 ? none : (node - 1) / 2;
    case TreeKind::in_order_binary: return in_order(node).parent;
    case TreeKind::chain: {
      if (node == 0) return none;
      for (std::uint32_t chain = 0; chain < radix_; ++chain)
        if (chain_begin(chain) == node) return 0;
      return node - 1;
    }
    case TreeKind::knomial: {
      if (node == 0) return none;
      std::uint64_t weight = 1;
      while (node / weight % radix_ == 0) weight *= radix_;
      return static_cast<std::uint32_t>(node - node / weight % radix_ * weight);
    }
  }
  return none;
}

std::vector<std::uint32_t> Tree::children(std::uint32_t node) const {
  std::vector<std::uint32_t> children;
  const auto add = [&](std::uint64_t child) {
    if (child < members_) children.push_back(static_cast<std::uint32_t>(child));
  };
  switch (kind_) {
    case TreeKind::linear:
      for (std::uint32_t i = 1; node == 0 && i < members_; ++i) add(i);
      break;
    case TreeKind::binary:
      add(2ull * node + 1);
      add(2ull * node + 2);
      break;
    case TreeKind::in_order_binary:
      for (const std::uint32_t child : in_order(node).children)
        if (child != none) children.push_back(child);
      break;
    case TreeKind::chain:
      if (node > 0) {
        if (node + 1 < members_ && parent(node + 1) == node) add(node + 1);
      } else {
        for (std::uint32_t chain = 0; chain < radix_ && chain + 1 < members_; ++chain) add(chain_begin(chain));
      }
      break;
    case TreeKind::knomial: {
      std::uint64_t weight = 1;
      for (; weight < members_ && node / weight % radix_ == 0; weight *= radix_)
        for (std::uint32_t digit = 1; digit < radix_; ++digit) add(node + digit * weight);
      std::reverse(children.begin(), children.end());
    }
  }
  return children;
}

std::uint32_t Tree::covered(std::uint32_t node) const {
  switch (kind_) {
    case TreeKind::linear: return node == 0 ? members_ : 1;
    case TreeKind::binary: break;
    case TreeKind::in_order_binary: return node - in_order(node).first + 1;
    case TreeKind::chain: {
      if (node == 0) return members_;
      for (std::uint32_t chain = 1; chain < radix_; ++chain)
        if (chain_begin(chain) > node) return chain_begin(chain) - node;
      return members_ - node;
    }
    case TreeKind::knomial: {
      std::uint64_t weight = 1;
      while (weight < members_ && node / weight % radix_ == 0) weight *= radix_;
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(weight, members_ - node));
    }
  }
  REHEARSE_ASSERT(false, "the subtrees of a binary tree are not consecutive");
  return 0;
}

std::uint32_t Tree::most_children() const {
  switch (kind_) {
    case TreeKind::linear: return members_ - 1;
    case TreeKind::binary:
    case TreeKind::in_order_binary: return 2;
    case TreeKind::chain: return radix_;
    case TreeKind::knomial: break;
  }
  std::uint32_t digits = 0;
  for (std::uint64_t weight = 1; weight < members_; weight *= radix_) ++digits;
  return digits * (radix_ - 1);
}

namespace {

Payload segment_of(const Payload& payload, std::uint32_t segment, std::uint32_t segments) {
  Payload cut = payload;
  cut.parts = {payload.parts.first * segments + segment * payload.parts.count, payload.parts.count, 1};
  cut.of_parts = payload.of_parts * segments;
  return cut;
}

// Numbers relative to a root.
struct Relative {
  std::uint32_t root, members;
  std::uint32_t node(std::uint32_t member) const { return (member + members - root) % members; }
  std::uint32_t member(std::uint32_t node) const { return (root + node) % members; }
};

// All rounds of a member of a serial tree, one round for each child. The round with the parent is the first or the
// last.
template <class Down, class Up>
SchedulePtr by_children(const Tree& tree, std::uint32_t root, bool is_downwards, Down child_step, Up parent_step) {
  const Relative relative{root, tree.members()};
  return planned(tree.most_children() + 1, [=](std::uint32_t member, std::uint32_t round, Round& plan) {
    const std::uint32_t node = relative.node(member);
    const std::uint32_t parent = tree.parent(node);
    const std::vector<std::uint32_t> children = tree.children(node);
    const auto count = static_cast<std::uint32_t>(children.size());
    const std::uint32_t parents_round = is_downwards ? 0 : count;
    if (round == parents_round && parent != Tree::none) parent_step(node, relative.member(parent), plan);
    const std::uint32_t turn = is_downwards ? round - 1 : round;
    if (turn >= count) return;
    const std::uint32_t child = children[is_downwards ? turn : count - 1 - turn];
    child_step(child, relative.member(child), plan);
  });
}

}  // namespace

SchedulePtr send_down(Tree tree, std::uint32_t root, Payload payload, std::uint32_t segments) {
  if (segments == 1 && tree.is_serial())
    return by_children(
        tree, root, true,
        [=](std::uint32_t, std::uint32_t child, Round& plan) {
          plan.sends.push_back({child, payload, {}});
        },
        [=](std::uint32_t, std::uint32_t parent, Round& plan) {
          plan.receives.push_back({parent, 0});
        });
  const Relative relative{root, tree.members()};
  return planned(segments + 1, [=](std::uint32_t member, std::uint32_t round, Round& plan) {
    const std::uint32_t node = relative.node(member);
    const std::uint32_t parent = tree.parent(node);
    const bool is_root = parent == Tree::none;
    if (!is_root && round < segments) plan.receives.push_back({relative.member(parent), 0});
    const std::uint32_t segment = is_root ? round : round - 1;
    if (segment >= segments) return;
    for (const std::uint32_t child : tree.children(node))
      plan.sends.push_back({relative.member(child), segment_of(payload, segment, segments), {}});
  });
}

SchedulePtr combine_up(Tree tree, std::uint32_t root, Payload payload, bool in_order, std::uint32_t segments) {
  const std::uint32_t members = tree.members();
  const Relative relative{in_order ? 0 : root, members};
  SchedulePtr up;
  if (segments == 1 && tree.is_serial()) {
    up = by_children(
        tree, relative.root, false,
        [=](std::uint32_t, std::uint32_t child, Round& plan) {
          plan.receives.push_back({child, 1});
        },
        [=](std::uint32_t, std::uint32_t parent, Round& plan) {
          plan.sends.push_back({parent, payload, {}});
        });
  } else {
    up = planned(segments + 1, [=](std::uint32_t member, std::uint32_t round, Round& plan) {
      const std::uint32_t node = relative.node(member);
      const std::uint32_t parent = tree.parent(node);
      const std::vector<std::uint32_t> children = tree.children(node);
      if (round < segments)
        for (const std::uint32_t child : children) plan.receives.push_back({relative.member(child), 1});
      const std::uint32_t segment = children.empty() ? round : round - 1;
      if (segment < segments && parent != Tree::none)
        plan.sends.push_back({relative.member(parent), segment_of(payload, segment, segments), {}});
    });
  }
  const std::uint32_t top = relative.member(tree.root());
  if (top == root) return up;
  return sequence({up, planned(1, [=](std::uint32_t member, std::uint32_t, Round& plan) {
                     if (member == top) plan.sends.push_back({root, payload, {}});
                     if (member == root) plan.receives.push_back({top, 0});
                   })});
}

SchedulePtr gather_up(Tree tree, std::uint32_t root) {
  const std::uint32_t members = tree.members();
  return by_children(
      tree, root, false,
      [=](std::uint32_t, std::uint32_t child, Round& plan) {
        plan.receives.push_back({child, 0});
      },
      [=](std::uint32_t node, std::uint32_t parent, Round& plan) {
        const Range origins{(root + node) % members, tree.covered(node), 1};
        plan.sends.push_back({parent, {origins, {0, members, 1}}, {}});
      });
}

SchedulePtr scatter_down(Tree tree, std::uint32_t root) {
  const std::uint32_t members = tree.members();
  return by_children(
      tree, root, true,
      [=](std::uint32_t node, std::uint32_t child, Round& plan) {
        const Range targets{(root + node) % members, tree.covered(node), 1};
        plan.sends.push_back({child, {{root, 1, 1}, targets}, {}});
      },
      [=](std::uint32_t, std::uint32_t parent, Round& plan) {
        plan.receives.push_back({parent, 0});
      });
}

}  // namespace rehearse::collective
