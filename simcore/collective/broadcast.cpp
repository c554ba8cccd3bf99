// SPDX-License-Identifier: MIT
//
// Broadcasts: trees, pipelines, a tree split in two, and scatter with allgather.
//
// Source: Pjesivac-Grbovic et al., Performance analysis of collective operations, 2007 (trees, pipelines, split
//         binary); Barnett, van de Geijn et al., Interprocessor collective communication library, 1994 (scatter
//         and allgather); Thakur, Rabenseifner, Gropp, 2005.
#include <algorithm>

#include "simcore/collective/algorithm.hpp"
#include "simcore/collective/trees.hpp"

namespace rehearse::collective {

namespace broadcast_family {
namespace {

SchedulePtr down(const CollectiveShape& shape, const Parameters& parameters, TreeKind kind, std::uint32_t radix) {
  return send_down(Tree(kind, shape.members, radix), shape.root, of_origin(shape.root, shape.members),
                   segments_of(shape, shape.bytes, parameters));
}

SchedulePtr linear(const CollectiveShape& shape, const Parameters& parameters) {
  return down(shape, parameters, TreeKind::linear, 0);
}
SchedulePtr chain(const CollectiveShape& shape, const Parameters& parameters) {
  return down(shape, parameters, TreeKind::chain, parameters.radix);
}
SchedulePtr pipeline(const CollectiveShape& shape, const Parameters& parameters) {
  return down(shape, parameters, TreeKind::chain, 1);
}
SchedulePtr binary(const CollectiveShape& shape, const Parameters& parameters) {
  return down(shape, parameters, TreeKind::binary, 2);
}
SchedulePtr binomial(const CollectiveShape& shape, const Parameters& parameters) {
  return down(shape, parameters, TreeKind::knomial, 2);
}
SchedulePtr knomial(const CollectiveShape& shape, const Parameters& parameters) {
  return down(shape, parameters, TreeKind::knomial, parameters.radix);
}

// The members other than the root form pairs, with one member in each of two binary trees below the root. Each tree
// carries one half; then the pairs exchange the halves. A member without a partner gets the second half from the root.
class SplitBinary {
 public:
  SplitBinary(std::uint32_t root, std::uint32_t members, std::uint32_t segments)
      : root_(root), members_(members), segments_(segments) {}

  std::uint32_t rounds() const { return segments_ + 2; }

  void operator()(std::uint32_t member, std::uint32_t round, Round& plan) const {
    const std::uint32_t node = (member + members_ - root_) % members_;
    if (round == segments_ + 1) return exchange(node, plan);
    if (node == 0) {
      for (std::uint32_t half = 0; half < 2 && round < segments_; ++half)
        send(half + 1, half * segments_ + round, 1, plan);
      return;
    }
    const std::uint32_t half = (node - 1) % 2, place = (node - 1) / 2;
    if (round < segments_) receive(place == 0 ? 0 : 2 * ((place - 1) / 2) + 1 + half, plan);
    for (std::uint32_t child = 2 * place + 1; round > 0 && child <= 2 * place + 2; ++child)
      if (2 * child + 1 + half < members_) send(2 * child + 1 + half, half * segments_ + round - 1, 1, plan);
  }

 private:
  void send(std::uint32_t node, std::uint32_t first, std::uint32_t count, Round& plan) const {
    plan.sends.push_back(
        {(root_ + node) % members_, part(of_origin(root_, members_), {first, count, 1}, 2 * segments_), {}});
  }
  void receive(std::uint32_t node, Round& plan) const { plan.receives.push_back({(root_ + node) % members_, 0}); }
  void exchange(std::uint32_t node, Round& plan) const {
    const std::uint32_t single = members_ % 2 == 0 ? members_ - 1 : 0;  // 0: none
    if (node == 0) {
      if (single > 0) send(single, segments_, segments_, plan);
      return;
    }
    if (node == single) return receive(0, plan);
    const bool has_first = node % 2 == 1;
    const std::uint32_t partner = has_first ? node + 1 : node - 1;
    receive(partner, plan);
    send(partner, has_first ? 0 : segments_, segments_, plan);
  }

  std::uint32_t root_, members_, segments_;
};

SchedulePtr split_binary(const CollectiveShape& shape, const Parameters& parameters) {
  const SplitBinary split(shape.root, shape.members, segments_of(shape, shape.bytes / 2, parameters));
  return planned(split.rounds(), split);
}

// Scatters the parts: node n gets part n.
SchedulePtr scatter_parts(const CollectiveShape& shape) {
  const std::uint32_t members = shape.members, root = shape.root;
  const Tree tree(TreeKind::knomial, members, 2);
  return planned(tree.most_children() + 1, [=](std::uint32_t member, std::uint32_t round, Round& plan) {
    const std::uint32_t node = (member + members - root) % members;
    if (round == 0) {
      if (node > 0) plan.receives.push_back({(root + tree.parent(node)) % members, 0});
      return;
    }
    const std::vector<std::uint32_t> children = tree.children(node);
    if (round > children.size()) return;
    const std::uint32_t child = children[round - 1];
    plan.sends.push_back(
        {(root + child) % members, part(of_origin(root, members), {child, tree.covered(child), 1}, members), {}});
  });
}

// Scatter, then allgather: by recursive doubling, or by Bruck's algorithm if members are not a power of two.
SchedulePtr scatter_allgather(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members, root = shape.root;
  const bool is_power = power_below(members).value == members;
  const SchedulePtr allgather =
      planned(doublings(members), [=](std::uint32_t member, std::uint32_t round, Round& plan) {
        const std::uint32_t node = (member + members - root) % members;
        const std::uint32_t distance = 1u << round;
        const std::uint32_t to = is_power ? node ^ distance : (node + members - distance) % members;
        const std::uint32_t from = is_power ? to : (node + distance) % members;
        const Range parts{is_power ? node & ~(distance - 1) : node, std::min(distance, members - distance), 1};
        plan.receives.push_back({(root + from) % members, 0});
        plan.sends.push_back({(root + to) % members, part(of_origin(root, members), parts, members), {}});
      });
  return sequence({scatter_parts(shape), allgather});
}

SchedulePtr scatter_allgather_ring(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members, root = shape.root;
  const SchedulePtr ring = planned(members - 1, [=](std::uint32_t member, std::uint32_t round, Round& plan) {
    const std::uint32_t node = (member + members - root) % members;
    const Range parts{(node + members - round) % members, 1, 1};
    plan.receives.push_back({(member + members - 1) % members, 0});
    plan.sends.push_back({(member + 1) % members, part(of_origin(root, members), parts, members), {}});
  });
  return sequence({scatter_parts(shape), ring});
}

constexpr CollectiveKind broadcast = CollectiveKind::broadcast;

const Algorithm algorithms[] = {
    {.operation = broadcast, .name = "binomial", .has_segment = true, .build = binomial},
    {.operation = broadcast,
     .name = "knomial",
     .defaults = {.radix = 4},
     .has_segment = true,
     .has_radix = true,
     .build = knomial},
    {.operation = broadcast, .name = "linear", .has_segment = true, .build = linear},
    {.operation = broadcast,
     .name = "chain",
     .defaults = {.radix = 4},
     .has_segment = true,
     .has_radix = true,
     .build = chain},
    {.operation = broadcast,
     .name = "pipeline",
     .defaults = {.segment = 131072},
     .has_segment = true,
     .build = pipeline},
    {.operation = broadcast, .name = "binary", .defaults = {.segment = 32768}, .has_segment = true, .build = binary},
    {.operation = broadcast,
     .name = "split_binary",
     .needs = {.least_members = 3, .elements = Elements::at_least_two},
     .otherwise = "binary",
     .defaults = {.segment = 32768},
     .has_segment = true,
     .build = split_binary},
    {.operation = broadcast,
     .name = "scatter_allgather",
     .needs = {.elements = Elements::at_least_members},
     .otherwise = "binomial",
     .build = scatter_allgather},
    {.operation = broadcast,
     .name = "scatter_allgather_ring",
     .needs = {.elements = Elements::at_least_members},
     .otherwise = "binomial",
     .build = scatter_allgather_ring},
};

}  // namespace
}  // namespace broadcast_family

std::span<const Algorithm> broadcast_algorithms() { return broadcast_family::algorithms; }

}  // namespace rehearse::collective
