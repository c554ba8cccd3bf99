// SPDX-License-Identifier: MIT
//
// See contributions.hpp.
#include "simcore/engine/contributions.hpp"

#include <algorithm>
#include <cstring>

#include "simcore/collective_flow.hpp"

namespace rehearse::engine {

namespace {

std::size_t bytes_of_part(const Member& member, std::uint32_t observer) {
  if (member.has_equal_segments) return member.equal_segment;
  if (member.segment_ends.empty()) return member.contribution.size();
  return member.segment_ends[observer] - (observer ? member.segment_ends[observer - 1] : 0);
}

// The part of a member's contribution for the observer. It has no address if the contribution has none.
std::span<const std::byte> part_for(const Member& member, std::uint32_t observer) {
  const std::span<const std::byte> all = member.contribution;
  if (all.data() == nullptr) return {all.data(), bytes_of_part(member, observer)};
  if (member.has_equal_segments) return all.subspan(observer * member.equal_segment, member.equal_segment);
  if (member.segment_ends.empty()) return all;
  const std::uint64_t begin = observer ? member.segment_ends[observer - 1] : 0;
  return all.subspan(begin, member.segment_ends[observer] - begin);
}

// Contributions that are smaller than this are copied at once.
constexpr std::size_t borrowed_bytes = 16384;

// Whether it pays not to copy a contribution: each byte of it is needed about once.
bool is_worth_borrowing(const Collective& operation) {
  const std::span<const std::byte> all = operation.contribution;
  return all.data() != nullptr && all.size() >= borrowed_bytes && operation.blocking && !operation.combining &&
         (!operation.segment_bytes.empty() || operation.flow == Flow::all_to_root);
}

// The member's place for the giver's data, if it has named one of this size; otherwise empty.
std::span<std::byte> place_for(const Member& member, std::uint32_t giver, std::size_t bytes) {
  if (member.places.empty()) return {};
  const std::span<std::byte> place = member.places[member.places.size() == 1 ? 0 : giver];
  return place.size() == bytes ? place : std::span<std::byte>();
}

}  // namespace

bool needs(const Instance& instance, std::uint32_t observer, std::uint32_t giver) {
  return rehearse::needs(instance.flow, instance.root, instance.sides.first(), observer, giver);
}

std::uint64_t bytes_for(const Member& member, const Range& targets, std::span<const std::uint32_t> order,
                        std::uint32_t members) {
  if (member.has_equal_segments) return member.equal_segment * targets.count;
  if (member.segment_ends.empty()) return member.contribution.size();
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < targets.count; ++i) {
    const std::uint64_t place = (targets.first + std::uint64_t{i} * targets.stride) % members;
    const std::uint32_t target = order.empty() ? static_cast<std::uint32_t>(place) : order[place];
    bytes += member.segment_ends[target] - (target ? member.segment_ends[target - 1] : 0);
  }
  return bytes;
}

void Contributions::keep(Instance& instance, std::uint32_t index, const Collective& operation) {
  Member& member = instance.members[index];
  member.is_borrowed = is_worth_borrowing(operation);
  member.contribution = operation.contribution;
  member.places = operation.blocking ? operation.places : decltype(operation.places)();
  if (!member.is_borrowed && operation.contribution.data() != nullptr) {
    member.kept.assign(operation.contribution.begin(), operation.contribution.end());
    member.contribution = member.kept;
  }
  const auto& segments = operation.segment_bytes;
  instance.has_segments |= !segments.empty();
  member.has_equal_segments = !segments.empty() && std::ranges::find_if(segments, [&](std::uint64_t bytes) {
                                                     return bytes != segments[0];
                                                   }) == segments.end();
  member.equal_segment = member.has_equal_segments ? segments[0] : 0;
  member.segment_ends.clear();
  if (!member.has_equal_segments) {
    member.segment_ends.assign(segments.begin(), segments.end());
    for (std::size_t i = 1; i < member.segment_ends.size(); ++i) member.segment_ends[i] += member.segment_ends[i - 1];
  }
  if (instance.arrived == 0) {
    instance.uniform_bytes = member.contribution.size();
    instance.uniform_segment = member.has_equal_segments ? member.equal_segment : member.contribution.size();
  }
  instance.is_uniform &= member.segment_ends.empty() && member.contribution.size() == instance.uniform_bytes &&
                         (!member.has_equal_segments || member.equal_segment == instance.uniform_segment);
}

// If the root gives, only its remark counts.
void Contributions::keep_remark(Instance& instance, std::uint32_t index, const Collective& operation) {
  if (operation.remark.empty() || (instance.flow == Flow::root_to_all && index != instance.root)) return;
  std::vector<std::byte>& kept = instance.members[index].remark;
  kept.assign(operation.remark.begin(), operation.remark.end());
  instance.remarks.resize(instance.members.size());
  instance.remarks[index] = {kept, operation.origin};
}

std::span<const Remark> Contributions::remarks_for(const Request& request) {
  const Instance& instance = *request.instance;
  const std::span<const Remark> all = instance.remarks;
  if (all.empty() || (instance.flow == Flow::all_to_root && request.member != instance.root)) return {};
  return instance.flow == Flow::prefix ? all.first(request.member + 1) : all;
}

// Members that receive the same data share one list; with segments, each member gets a new list.
std::span<const std::span<const std::byte>> Contributions::deliver(Request& request) {
  Instance& instance = *request.instance;
  const std::uint32_t observer = request.member;
  const auto count = static_cast<std::uint32_t>(instance.members.size());
  if ((instance.flow == Flow::all_to_root && observer != instance.root) || instance.sides.is_bystander(observer)) {
    if (nothing_.size() < count) nothing_.resize(count);
    settle(instance, observer);
    return std::span(nothing_).first(count);
  }
  if (instance.sides.are_there()) return deliver_between(instance, observer);
  if (instance.has_segments || instance.lists_differ) instance.listed = 0;
  const std::uint32_t until = instance.flow == Flow::prefix ? observer + 1 : count;
  const bool is_from_root = instance.flow == Flow::root_to_all;
  const std::uint32_t first = is_from_root ? instance.root : instance.listed;
  const std::uint32_t end = is_from_root ? instance.root + 1 : until;
  for (std::uint32_t i = first; i < end; ++i) {
    const Member& giver = instance.members[i];
    instance.list[i] = part_for(giver, observer);
    if (giver.is_handed_on) instance.list[i] = place_for(instance.members[observer], i, instance.list[i].size());
  }
  instance.listed = std::max(instance.listed, until);
  settle(instance, observer);
  return std::span(instance.list).first(until);
}

// The list of one member: the contributions of the other group.
std::span<const std::span<const std::byte>> Contributions::deliver_between(Instance& instance, std::uint32_t observer) {
  for (std::uint32_t i = 0; i < instance.members.size(); ++i) {
    const Member& giver = instance.members[i];
    instance.list[i] = {};
    if (!needs(instance, observer, i)) continue;
    instance.list[i] = part_for(giver, observer);
    if (giver.is_handed_on) instance.list[i] = place_for(instance.members[observer], i, instance.list[i].size());
  }
  settle(instance, observer);
  return instance.list;
}

// The member is about to continue and may then change its contribution. If all members that still need it wait and have
// named their places for it, they get it now; otherwise it is copied.
void Contributions::settle(Instance& instance, std::uint32_t index) {
  Member& giver = instance.members[index];
  giver.is_answered = true;
  if (!giver.is_borrowed) return;
  giver.is_borrowed = false;
  instance.lists_differ = true;
  const auto still_needs = [&](std::uint32_t other) {
    return !instance.members[other].is_answered && needs(instance, other, index);
  };
  const auto count = static_cast<std::uint32_t>(instance.members.size());
  bool can_hand_on = !instance.is_broken;
  for (std::uint32_t i = 0; i < count && can_hand_on; ++i) {
    if (!still_needs(i)) continue;
    const std::size_t bytes = part_for(giver, i).size();
    can_hand_on = instance.members[i].request && place_for(instance.members[i], index, bytes).size() == bytes;
  }
  giver.is_handed_on = can_hand_on;
  if (!can_hand_on) {
    giver.kept.assign(giver.contribution.begin(), giver.contribution.end());
    giver.contribution = giver.kept;
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!still_needs(i)) continue;
    const std::span<const std::byte> part = part_for(giver, i);
    if (!part.empty()) std::memcpy(place_for(instance.members[i], index, part.size()).data(), part.data(), part.size());
  }
}

// Room for a result that is the same for several members of a combining collective.
SharedResult* Contributions::shared_result(const Request& request) {
  Instance& instance = *request.instance;
  const bool is_alike = instance.flow == Flow::all_to_all || instance.flow == Flow::prefix;
  if (!instance.is_combining || instance.has_segments || !instance.is_uniform || !is_alike) return nullptr;
  if (instance.sides.are_there()) return nullptr;
  if (instance.members[request.member].contribution.data() == nullptr) return nullptr;
  if (instance.shared.what == 0) {
    instance.shared_data.resize(instance.uniform_bytes);
    instance.shared.data = instance.shared_data;
  }
  return &instance.shared;
}

}  // namespace rehearse::engine
