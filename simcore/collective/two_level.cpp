// SPDX-License-Identifier: MIT
//
// Algorithms for members that share hosts: the members of a node communicate with their leader (the root if it is one
// of them, otherwise the first member), and the leaders with each other.
//
// Source: Karonis, de Supinski, Foster, Gropp, Lusk, Bresnahan, Exploiting hierarchy in parallel computer networks
//         to optimize collective operation performance, 2000; Traff, Hempel, 2000s (two-level collectives).
#include <algorithm>

#include "simcore/collective/algorithm.hpp"
#include "simcore/collective/trees.hpp"

namespace rehearse::collective {

namespace two_level_family {
namespace {

constexpr std::uint32_t radix = 2;

Tree binomial(std::size_t members) { return Tree(TreeKind::knomial, static_cast<std::uint32_t>(members), radix); }

class Levels {
 public:
  explicit Levels(const CollectiveShape& shape) : nodes(shape), members_(shape.members) {
    root_node = nodes.node_of[shape.root];
    auto& first = nodes.members[root_node];
    std::rotate(first.begin(), std::ranges::find(first, shape.root), first.end());
    for (const auto& node : nodes.members) {
      leaders.push_back(node.front());
      begin.push_back(static_cast<std::uint32_t>(order.size()));
      order.insert(order.end(), node.begin(), node.end());
    }
    begin.push_back(members_);
    place_of.resize(members_);
    for (std::uint32_t i = 0; i < members_; ++i) place_of[order[i]] = i;
  }

  std::uint32_t count() const { return static_cast<std::uint32_t>(leaders.size()); }
  bool is_leader(std::uint32_t member) const { return leaders[nodes.node_of[member]] == member; }

  // Places of the members of `node_count` nodes, cyclically.
  Range places(std::uint32_t first, std::uint32_t node_count) const {
    std::uint32_t places = 0;
    for (std::uint32_t i = 0; i < node_count; ++i) {
      const std::uint32_t node = (first + i) % count();
      places += begin[node + 1] - begin[node];
    }
    return {begin[first], places, 1};
  }
  Range all() const { return {0, members_, 1}; }
  // Places of the members of all other nodes.
  Range others(std::uint32_t node) const { return places((node + 1) % count(), count() - 1); }

  template <class Make>
  SchedulePtr in_nodes(Make make) const {
    std::vector<Group> groups;
    for (const auto& node : nodes.members)
      if (node.size() > 1) groups.push_back({node, make(binomial(node.size()))});
    return in_groups(members_, std::move(groups));
  }
  SchedulePtr among_leaders(SchedulePtr schedule) const {
    return in_groups(members_, {{leaders, std::move(schedule)}});
  }
  SchedulePtr combined_in_nodes(const Payload& payload) const {
    return in_nodes([&](const Tree& tree) { return combine_up(tree, 0, payload, true); });
  }
  SchedulePtr broadcast_in_nodes(const Payload& payload) const {
    return in_nodes([&](const Tree& tree) { return send_down(tree, 0, payload); });
  }

  Nodes nodes;
  std::uint32_t root_node = 0;
  std::vector<std::uint32_t> leaders;   // by node
  std::vector<std::uint32_t> order;     // members, node by node
  std::vector<std::uint32_t> begin;     // by node: its first place in order
  std::vector<std::uint32_t> place_of;  // by member: its place in order

 private:
  std::uint32_t members_;
};

// Every member that is not a leader sends the payload `payload_of(member)` to its leader.
template <class PayloadOf>
SchedulePtr to_leaders(const Levels& levels, PayloadOf payload_of) {
  return planned(1, [levels, payload_of](std::uint32_t me, std::uint32_t, Round& plan) {
    const std::uint32_t node = levels.nodes.node_of[me];
    if (!levels.is_leader(me)) return plan.sends.push_back({levels.leaders[node], payload_of(me), {}});
    for (const std::uint32_t member : levels.nodes.members[node])
      if (member != me) plan.receives.push_back({member, 0});
  });
}

template <class PayloadOf>
SchedulePtr from_leaders(const Levels& levels, PayloadOf payload_of) {
  return planned(1, [levels, payload_of](std::uint32_t me, std::uint32_t, Round& plan) {
    const std::uint32_t node = levels.nodes.node_of[me];
    if (!levels.is_leader(me)) return plan.receives.push_back({levels.leaders[node], 0});
    for (const std::uint32_t member : levels.nodes.members[node])
      if (member != me) plan.sends.push_back({member, payload_of(member), {}});
  });
}

SchedulePtr build(CollectiveKind operation, std::string_view name, std::uint32_t members) {
  const CollectiveShape shape{.kind = operation, .members = members};
  return find_algorithm(operation, name)->build(shape, {});
}

SchedulePtr barrier(const CollectiveShape& shape, const Parameters&) {
  const Levels levels(shape);
  return sequence({levels.combined_in_nodes({}),
                   levels.among_leaders(build(CollectiveKind::barrier, "dissemination", levels.count())),
                   levels.broadcast_in_nodes({})});
}

SchedulePtr broadcast(const CollectiveShape& shape, const Parameters&) {
  const Levels levels(shape);
  const Payload payload = of_origin(shape.root, shape.members);
  return sequence({levels.among_leaders(send_down(binomial(levels.count()), levels.root_node, payload)),
                   levels.broadcast_in_nodes(payload)});
}

SchedulePtr reduce(const CollectiveShape& shape, const Parameters&) {
  const Levels levels(shape);
  const Payload payload = whole(shape.members);
  return sequence({levels.combined_in_nodes(payload),
                   levels.among_leaders(combine_up(binomial(levels.count()), levels.root_node, payload, false))});
}

SchedulePtr allreduce(const CollectiveShape& shape, const Parameters&) {
  const Levels levels(shape);
  const Payload payload = whole(shape.members);
  return sequence({levels.combined_in_nodes(payload),
                   levels.among_leaders(build(CollectiveKind::allreduce, "recursive_doubling", levels.count())),
                   levels.broadcast_in_nodes(payload)});
}

// Along a binomial tree of the nodes below the root's node. In each round a leader makes the step with its parent or
// that with one child.
template <class Parent, class Child>
SchedulePtr node_tree(const Levels& levels, bool is_downwards, Parent parent_step, Child child_step) {
  const std::uint32_t count = levels.count(), root = levels.root_node;
  const Tree tree = binomial(count);
  const std::uint32_t rounds = tree.most_children() + 1;
  return levels.among_leaders(planned(rounds, [=](std::uint32_t node, std::uint32_t round, Round& plan) {
    const std::uint32_t place = (node + count - root) % count;
    const std::vector<std::uint32_t> children = tree.children(place);
    const std::uint32_t turn = is_downwards ? round : rounds - 1 - round;
    if (turn == 0) {
      if (place > 0) parent_step(node, (root + tree.parent(place)) % count, plan, tree.covered(place));
    } else if (turn <= children.size()) {
      const std::uint32_t child = children[turn - 1];
      child_step((root + child) % count, plan, tree.covered(child));
    }
  }));
}

SchedulePtr gather(const CollectiveShape& shape, const Parameters&) {
  const Levels levels(shape);
  const SchedulePtr local = to_leaders(levels, [=](std::uint32_t member) {
    return Payload{{levels.place_of[member], 1, 1}, levels.all()};
  });
  const SchedulePtr far = node_tree(
      levels, false,
      [=](std::uint32_t node, std::uint32_t parent, Round& plan, std::uint32_t covered) {
        plan.sends.push_back({parent, {levels.places(node, covered), levels.all()}, {}});
      },
      [](std::uint32_t child, Round& plan, std::uint32_t) {
        plan.receives.push_back({child, 0});
      });
  return ordered(sequence({local, far}), levels.order);
}

SchedulePtr scatter(const CollectiveShape& shape, const Parameters&) {
  const Levels levels(shape);
  const Range origin{levels.place_of[shape.root], 1, 1};
  const SchedulePtr far = node_tree(
      levels, true,
      [](std::uint32_t, std::uint32_t parent, Round& plan, std::uint32_t) {
        plan.receives.push_back({parent, 0});
      },
      [=](std::uint32_t child, Round& plan, std::uint32_t covered) {
        plan.sends.push_back({child, {origin, levels.places(child, covered)}, {}});
      });
  const SchedulePtr local = from_leaders(levels, [=](std::uint32_t member) {
    return Payload{origin, {levels.place_of[member], 1, 1}};
  });
  return ordered(sequence({far, local}), levels.order);
}

// Bruck's algorithm among the leaders, with the blocks of nodes.
SchedulePtr allgather(const CollectiveShape& shape, const Parameters&) {
  const Levels levels(shape);
  const std::uint32_t count = levels.count();
  const SchedulePtr local = to_leaders(levels, [=](std::uint32_t member) {
    return Payload{{levels.place_of[member], 1, 1}, levels.all()};
  });
  const SchedulePtr far = planned(doublings(count), [=](std::uint32_t node, std::uint32_t round, Round& plan) {
    const std::uint32_t distance = 1u << round;
    const Range has = levels.places(node, std::min(distance, count - distance));
    plan.receives.push_back({(node + distance) % count, 0});
    plan.sends.push_back({(node + count - distance) % count, {has, levels.all()}, {}});
  });
  return ordered(sequence({local, levels.among_leaders(far), levels.broadcast_in_nodes({levels.all(), levels.all()})}),
                 levels.order);
}

SchedulePtr alltoall(const CollectiveShape& shape, const Parameters&) {
  const Levels levels(shape);
  const std::uint32_t count = levels.count();
  const SchedulePtr near = planned(1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    for (const std::uint32_t other : levels.nodes.members[levels.nodes.node_of[me]]) {
      if (other == me) continue;
      plan.receives.push_back({other, 0});
      plan.sends.push_back({other, {{levels.place_of[me], 1, 1}, {levels.place_of[other], 1, 1}}, {}});
    }
  });
  const SchedulePtr collected = to_leaders(levels, [=](std::uint32_t member) {
    return Payload{{levels.place_of[member], 1, 1}, levels.others(levels.nodes.node_of[member])};
  });
  const SchedulePtr far = planned(count - 1, [=](std::uint32_t node, std::uint32_t round, Round& plan) {
    const std::uint32_t to = (node + round + 1) % count;
    plan.receives.push_back({(node + count - round - 1) % count, 0});
    plan.sends.push_back({to, {levels.places(node, 1), levels.places(to, 1)}, {}});
  });
  const SchedulePtr handed_out = from_leaders(levels, [=](std::uint32_t member) {
    return Payload{levels.others(levels.nodes.node_of[member]), {levels.place_of[member], 1, 1}};
  });
  return ordered(sequence({near, collected, levels.among_leaders(far), handed_out}), levels.order);
}

constexpr Precondition shared{.shared_hosts = true};

Algorithm two_level(CollectiveKind operation, std::string_view otherwise,
                    SchedulePtr (*build)(const CollectiveShape&, const Parameters&), Precondition needs = shared) {
  return {.operation = operation, .name = "two_level", .needs = needs, .otherwise = otherwise, .build = build};
}

const Algorithm algorithms[] = {
    two_level(CollectiveKind::barrier, "dissemination", barrier),
    two_level(CollectiveKind::broadcast, "binomial", broadcast),
    two_level(CollectiveKind::reduce, "binomial", reduce, {.commutative = true, .shared_hosts = true}),
    two_level(CollectiveKind::allreduce, "recursive_doubling", allreduce, {.commutative = true, .shared_hosts = true}),
    two_level(CollectiveKind::gather, "binomial", gather),
    two_level(CollectiveKind::scatter, "binomial", scatter),
    two_level(CollectiveKind::allgather, "bruck", allgather),
    two_level(CollectiveKind::allgatherv, "bruck", allgather),
    two_level(CollectiveKind::alltoall, "pairwise", alltoall),
    two_level(CollectiveKind::alltoallv, "pairwise", alltoall),
};

}  // namespace
}  // namespace two_level_family

std::span<const Algorithm> two_level_algorithms() { return two_level_family::algorithms; }

}  // namespace rehearse::collective
