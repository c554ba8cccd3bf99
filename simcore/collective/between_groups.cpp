// SPDX-License-Identifier: MIT
//
// See between_groups.hpp. Payloads count members as the collective does: those of the first group come first.
#include "simcore/collective/between_groups.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "simcore/collective/trees.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::collective {

namespace between_groups_family {
namespace {

constexpr std::uint32_t radix = 2;

// The members of one group: `size` of them, from `leader` on.
struct Side {
  std::uint32_t leader;
  std::uint32_t size;

  bool has(std::uint32_t member) const { return leader <= member && member < leader + size; }
  Range members() const { return {leader, size, 1}; }
};

class Groups {
 public:
  explicit Groups(const CollectiveShape& shape)
      : first_{0, shape.first_group},
        second_{shape.first_group, shape.members - shape.first_group},
        root_(shape.root),
        members_(shape.members) {
    REHEARSE_ASSERT(first_.size > 0 && second_.size > 0, "there are two groups");
  }

  const Side& opposite(const Side& side) const { return side.leader == 0 ? second_ : first_; }
  const Side& of(std::uint32_t member) const { return first_.has(member) ? first_ : second_; }
  // The group opposite the root.
  const Side& remote() const { return opposite(of(root_)); }
  std::uint32_t root() const { return root_; }
  Range all() const { return {0, members_, 1}; }
  std::uint32_t members() const { return members_; }

  // A schedule made for the tree of each group.
  template <class Make>
  SchedulePtr in_both(Make make) const {
    return in_groups(members_,
                     {group_of(first_, make(first_, tree(first_))), group_of(second_, make(second_, tree(second_)))});
  }
  template <class Make>
  SchedulePtr in_remote(Make make) const {
    return in_groups(members_, {group_of(remote(), make(remote(), tree(remote())))});
  }

 private:
  static Tree tree(const Side& side) { return Tree(TreeKind::knomial, side.size, radix); }
  static Group group_of(const Side& side, SchedulePtr schedule) {
    Group group{std::vector<std::uint32_t>(side.size), std::move(schedule)};
    std::iota(group.members.begin(), group.members.end(), side.leader);
    return group;
  }

  Side first_;
  Side second_;
  std::uint32_t root_;
  std::uint32_t members_;
};

// A schedule of one message.
SchedulePtr one(std::uint32_t source, std::uint32_t destination, const Payload& payload) {
  return planned(1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    if (me == source) plan.sends.push_back({destination, payload, {}});
    if (me == destination) plan.receives.push_back({source, 0});
  });
}

// Each leader sends the payload `payload_of(its side)` to the other one.
template <class PayloadOf>
SchedulePtr leaders_exchange(const Groups& groups, PayloadOf payload_of) {
  return planned(1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    const Side& mine = groups.of(me);
    if (me != mine.leader) return;
    const std::uint32_t other = groups.opposite(mine).leader;
    plan.receives.push_back({other, 0});
    plan.sends.push_back({other, payload_of(mine), {}});
  });
}

// Gathers the blocks of the members of a side at its leader.
SchedulePtr gathered(const Side& side, const Tree& tree, const Range& targets) {
  const SchedulePtr up = gather_up(tree, 0);
  return planned(up->rounds(), [=](std::uint32_t node, std::uint32_t round, Round& plan) {
    const std::size_t before = plan.sends.size();
    up->plan(node, round, plan);
    for (std::size_t i = before; i < plan.sends.size(); ++i) {
      plan.sends[i].payload.origins.first += side.leader;
      plan.sends[i].payload.targets = targets;
    }
  });
}

SchedulePtr barrier(const Groups& groups) {
  return sequence({groups.in_both([](const Side&, const Tree& tree) { return combine_up(tree, 0, {}, true); }),
                   leaders_exchange(groups, [](const Side&) { return Payload{}; }),
                   groups.in_both([](const Side&, const Tree& tree) { return send_down(tree, 0, {}); })});
}

SchedulePtr broadcast(const Groups& groups) {
  const Payload payload = of_origin(groups.root(), groups.members());
  return sequence({one(groups.root(), groups.remote().leader, payload),
                   groups.in_remote([=](const Side&, const Tree& tree) { return send_down(tree, 0, payload); })});
}

SchedulePtr reduce(const Groups& groups) {
  const Payload payload = whole(groups.members());
  return sequence({groups.in_remote([=](const Side&, const Tree& tree) { return combine_up(tree, 0, payload, true); }),
                   one(groups.remote().leader, groups.root(), payload)});
}

// Afterwards the leader of each side has the combined contributions of the other side.
SchedulePtr combined_across(const Groups& groups) {
  const Payload payload = whole(groups.members());
  return sequence({groups.in_both([=](const Side&, const Tree& tree) { return combine_up(tree, 0, payload, true); }),
                   leaders_exchange(groups, [=](const Side&) { return payload; })});
}

SchedulePtr allreduce(const Groups& groups) {
  const Payload payload = whole(groups.members());
  return sequence({combined_across(groups),
                   groups.in_both([=](const Side&, const Tree& tree) { return send_down(tree, 0, payload); })});
}

// Assumes pieces of equal size.
SchedulePtr reduce_scatter(const Groups& groups) {
  const SchedulePtr down = planned(1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    const Side& mine = groups.of(me);
    if (me != mine.leader) return plan.receives.push_back({mine.leader, 0});
    for (std::uint32_t i = 1; i < mine.size; ++i)
      plan.sends.push_back({mine.leader + i, part(whole(groups.members()), {i, 1, 1}, mine.size), {}});
  });
  return sequence({combined_across(groups), down});
}

SchedulePtr gather(const Groups& groups) {
  return planned(1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    const Side& remote = groups.remote();
    if (remote.has(me)) plan.sends.push_back({groups.root(), {{me, 1, 1}, groups.all()}, {}});
    if (me != groups.root()) return;
    for (std::uint32_t i = 0; i < remote.size; ++i) plan.receives.push_back({remote.leader + i, 0});
  });
}

SchedulePtr scatter(const Groups& groups) {
  return planned(1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    const Side& remote = groups.remote();
    if (remote.has(me)) plan.receives.push_back({groups.root(), 0});
    if (me != groups.root()) return;
    for (std::uint32_t i = 0; i < remote.size; ++i)
      plan.sends.push_back({remote.leader + i, {{me, 1, 1}, {remote.leader + i, 1, 1}}, {}});
  });
}

SchedulePtr allgather(const Groups& groups) {
  return sequence(
      {groups.in_both([=](const Side& side, const Tree& tree) { return gathered(side, tree, groups.all()); }),
       leaders_exchange(groups,
                        [=](const Side& mine) {
                          return Payload{mine.members(), groups.all()};
                        }),
       groups.in_both([=](const Side& side, const Tree& tree) {
         return send_down(tree, 0, {groups.opposite(side).members(), groups.all()});
       })});
}

// Exchanges in pairs. There are as many rounds as the larger group has members.
SchedulePtr alltoall(const Groups& groups) {
  const Range all = groups.all();
  const std::uint32_t first = groups.of(0).size;
  const std::uint32_t rounds = std::max(first, all.count - first);
  return planned(rounds, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const Side& mine = groups.of(me);
    const Side& theirs = groups.opposite(mine);
    const std::uint32_t number = me - mine.leader;
    const std::uint32_t to = (number + round) % rounds, from = (number + rounds - round) % rounds;
    if (from < theirs.size) plan.receives.push_back({theirs.leader + from, 0});
    if (to < theirs.size) plan.sends.push_back({theirs.leader + to, {{me, 1, 1}, {theirs.leader + to, 1, 1}}, {}});
  });
}

}  // namespace
}  // namespace between_groups_family

SchedulePtr between_groups(const CollectiveShape& shape) {
  const between_groups_family::Groups groups(shape);
  switch (shape.kind) {
    case CollectiveKind::barrier: return barrier(groups);
    case CollectiveKind::broadcast: return broadcast(groups);
    case CollectiveKind::reduce: return reduce(groups);
    case CollectiveKind::allreduce: return allreduce(groups);
    case CollectiveKind::gather:
    case CollectiveKind::gatherv: return gather(groups);
    case CollectiveKind::scatter:
    case CollectiveKind::scatterv: return scatter(groups);
    case CollectiveKind::allgather:
    case CollectiveKind::allgatherv: return allgather(groups);
    case CollectiveKind::alltoall:
    case CollectiveKind::alltoallv: return alltoall(groups);
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::reduce_scatter_block: return reduce_scatter(groups);
    case CollectiveKind::by_flow:
    case CollectiveKind::scan:
    case CollectiveKind::exscan: break;
  }
  REHEARSE_ASSERT(false, "a scan is not defined between two groups");
  return nullptr;
}

}  // namespace rehearse::collective
