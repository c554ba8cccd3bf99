// SPDX-License-Identifier: MIT
//
// Textbook collective algorithms, chosen by flow and size.
//
// Choice: all_to_all without data: dissemination. With segments: pairwise exchange. Combining: recursive
//         doubling, or for more than large_bytes a ring (reduce-scatter, then gather). Otherwise: the
//         dissemination gather, or for more than large_bytes a ring. root_to_all and all_to_root:
//         binomial trees. prefix: recursive doubling.
// Source: Hensgen, Finkel, Manber, Two algorithms for barrier synchronization, 1988 (dissemination);
//         Bruck, Ho, Kipnis, Upfal, Weathersby, Efficient algorithms for all-to-all communications,
//         1997; Thakur, Rabenseifner, Gropp, Optimization of collective communication operations,
//         2005; Hillis, Steele, Data parallel algorithms, 1986 (prefix).
#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include "simcore/collective_schedule.hpp"

namespace rehearse {

namespace {

constexpr std::uint64_t large_bytes = 65536;

class ScheduleBuilder {
 public:
  static constexpr std::uint32_t none = ~0u;

  explicit ScheduleBuilder(std::uint32_t members) : members_(members), came_in_(members) {}

  // Adds a transfer that depends on those given (`none` is left out); returns its number.
  std::uint32_t add(std::uint32_t source, std::uint32_t destination, Payload payload,
                    std::span<const std::uint32_t> after) {
    ScheduledTransfer transfer{source % members_, destination % members_, payload,
                               static_cast<std::uint32_t>(schedule_.dependencies.size()), 0};
    for (const std::uint32_t dependency : after) {
      if (dependency == none) continue;
      schedule_.dependencies.push_back(dependency);
      ++transfer.dependencies;
    }
    schedule_.transfers.push_back(transfer);
    return static_cast<std::uint32_t>(schedule_.transfers.size() - 1);
  }

  // For algorithms of few rounds: a transfer depends on all that came to its source in earlier ones.
  void add_to_round(std::uint32_t source, std::uint32_t destination, Payload payload) {
    this_round_.push_back(add(source, destination, payload, came_in_[source % members_]));
  }
  void end_round() {
    for (const std::uint32_t transfer : this_round_)
      came_in_[schedule_.transfers[transfer].destination].push_back(transfer);
    this_round_.clear();
  }

  CollectiveSchedule take() { return std::move(schedule_); }

 private:
  std::uint32_t members_;
  CollectiveSchedule schedule_;
  std::vector<std::vector<std::uint32_t>> came_in_;  // by member
  std::vector<std::uint32_t> this_round_;
};

CollectiveSchedule dissemination(std::uint32_t members, bool carries_data) {
  ScheduleBuilder builder(members);
  for (std::uint32_t distance = 1; distance < members; distance *= 2) {
    const std::uint32_t blocks = std::min(distance, members - distance);
    for (std::uint32_t i = 0; i < members; ++i) {
      // Member i has the blocks i, i+1 .. i+distance-1 and passes them on downwards.
      const Payload payload{i, carries_data ? blocks : 0, 0, 0, 1};
      builder.add_to_round(i, i + members - distance, payload);
    }
    builder.end_round();
  }
  return builder.take();
}

CollectiveSchedule ring(std::uint32_t members, bool is_combining) {
  ScheduleBuilder builder(members);
  // Combining goes round twice, each time with one part of everybody's block.
  const std::uint32_t rounds = (is_combining ? 2 : 1) * (members - 1);
  std::vector<std::uint32_t> last_out(members, ScheduleBuilder::none);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    std::vector<std::uint32_t> out(members);
    for (std::uint32_t i = 0; i < members; ++i) {
      const std::uint32_t origin = is_combining ? i : (i + members - round) % members;
      const Payload payload{origin, 1, 0, 0, is_combining ? members : 1};
      const std::uint32_t after[] = {last_out[i], last_out[(i + members - 1) % members]};
      out[i] = builder.add(i, i + 1, payload, after);
    }
    last_out = std::move(out);
  }
  return builder.take();
}

// The members beyond the greatest power of two first give theirs to a partner and get the result last.
CollectiveSchedule recursive_doubling(std::uint32_t members) {
  ScheduleBuilder builder(members);
  std::uint32_t power = 1;
  while (power * 2 <= members) power *= 2;
  const std::uint32_t extra = members - power;
  for (std::uint32_t i = 0; i < extra; ++i) builder.add_to_round(power + i, i, {power + i, 1});
  builder.end_round();
  for (std::uint32_t distance = 1; distance < power; distance *= 2) {
    for (std::uint32_t i = 0; i < power; ++i) builder.add_to_round(i, i ^ distance, {i, 1});
    builder.end_round();
  }
  for (std::uint32_t i = 0; i < extra; ++i) builder.add_to_round(i, power + i, {i, 1});
  builder.end_round();
  return builder.take();
}

CollectiveSchedule pairwise(std::uint32_t members) {
  ScheduleBuilder builder(members);
  std::vector<std::uint32_t> last_out(members, ScheduleBuilder::none);
  for (std::uint32_t distance = 1; distance < members; ++distance) {
    std::vector<std::uint32_t> out(members);
    for (std::uint32_t i = 0; i < members; ++i) {
      const std::uint32_t partner = (i + distance) % members;
      // A member exchanges with one pair of partners at a time.
      const std::uint32_t came_in =
          distance == 1 ? ScheduleBuilder::none
                        : last_out[(i + members - (distance - 1)) % members];
      const std::uint32_t after[] = {last_out[i], came_in};
      out[i] = builder.add(i, partner, {i, 1, partner, 1}, after);
    }
    last_out = std::move(out);
  }
  return builder.take();
}

// Numbers are relative to the root. The subtree below a child at distance d covers d members.
CollectiveSchedule binomial(const CollectiveShape& shape, bool is_serial) {
  const std::uint32_t members = shape.members;
  ScheduleBuilder builder(members);
  std::vector<std::uint32_t> reached(members, ScheduleBuilder::none);  // the transfer to it
  std::vector<std::uint32_t> last_out(members, ScheduleBuilder::none);
  std::uint32_t widest = 1;
  while (widest < members) widest *= 2;
  for (std::uint32_t distance = widest / 2; distance > 0; distance /= 2)
    for (std::uint32_t parent = 0; parent + distance < members; parent += 2 * distance) {
      const std::uint32_t child = parent + distance;
      const std::uint32_t covered = std::min(distance, members - child);
      const Payload payload{shape.root, 1, (shape.root + child) % members, covered, 1};
      const std::uint32_t after[] = {reached[parent],
                                     is_serial ? last_out[parent] : ScheduleBuilder::none};
      reached[child] =
          builder.add(shape.root + parent, shape.root + child, payload, after);
      last_out[parent] = reached[child];
    }
  return builder.take();
}

CollectiveSchedule binomial_to_root(const CollectiveShape& shape) {
  const std::uint32_t members = shape.members;
  ScheduleBuilder builder(members);
  std::vector<std::vector<std::uint32_t>> came_in(members);
  for (std::uint32_t distance = 1; distance < members; distance *= 2)
    for (std::uint32_t parent = 0; parent + distance < members; parent += 2 * distance) {
      const std::uint32_t child = parent + distance;
      const std::uint32_t covered = std::min(distance, members - child);
      const Payload payload{(shape.root + child) % members, covered, shape.root, 1, 1};
      came_in[parent].push_back(
          builder.add(shape.root + child, shape.root + parent, payload, came_in[child]));
    }
  return builder.take();
}

CollectiveSchedule prefix(std::uint32_t members, bool is_combining) {
  ScheduleBuilder builder(members);
  for (std::uint32_t distance = 1; distance < members; distance *= 2) {
    for (std::uint32_t i = 0; i + distance < members; ++i) {
      // Member i has the blocks of those up to distance-1 before it.
      const std::uint32_t blocks = std::min(distance, i + 1);
      const Payload payload = is_combining ? Payload{i, 1} : Payload{i + 1 - blocks, blocks};
      builder.add_to_round(i, i + distance, payload);
    }
    builder.end_round();
  }
  return builder.take();
}

CollectiveSchedule make_schedule(const CollectiveShape& shape) {
  const bool is_large = shape.bytes > large_bytes;
  switch (shape.flow) {
    case Flow::root_to_all: return binomial(shape, is_large);
    case Flow::all_to_root: return binomial_to_root(shape);
    case Flow::prefix: return prefix(shape.members, shape.is_combining);
    case Flow::all_to_all: break;
  }
  if (shape.has_segments) return pairwise(shape.members);
  if (shape.bytes == 0) return dissemination(shape.members, false);
  if (is_large) return ring(shape.members, shape.is_combining);
  return shape.is_combining ? recursive_doubling(shape.members)
                            : dissemination(shape.members, true);
}

class GenericSchedules final : public CollectiveSchedules {
 public:
  std::shared_ptr<const CollectiveSchedule> find(const CollectiveShape& shape) override {
    const int size = shape.bytes == 0 ? 0 : shape.bytes > large_bytes ? 2 : 1;
    const Key key{shape.flow, shape.root, shape.members, shape.is_combining, shape.has_segments,
                  size};
    auto& schedule = known_[key];
    if (!schedule)
      schedule = std::make_shared<const CollectiveSchedule>(make_schedule(shape));
    return schedule;
  }

 private:
  using Key = std::tuple<Flow, std::uint32_t, std::uint32_t, bool, bool, int>;
  std::map<Key, std::shared_ptr<const CollectiveSchedule>> known_;
};

}  // namespace

std::unique_ptr<CollectiveSchedules> make_generic_schedules() {
  return std::make_unique<GenericSchedules>();
}

}  // namespace rehearse
