// SPDX-License-Identifier: MIT
//
// Collectives in time: members meet by the order of their calls, a schedule says which transfers start
// when, and data is handed over from the contributions as the operation's Flow says.
#include <algorithm>

#include "simcore/engine/core.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

namespace {

// What Instance::waits says of a transfer that was started.
constexpr std::uint32_t started_eager = ~0u;
constexpr std::uint32_t started_large = ~0u - 1;

bool needs(Flow flow, std::uint32_t root, std::uint32_t member, std::uint32_t other) {
  switch (flow) {
    case Flow::all_to_all: return true;
    case Flow::root_to_all: return other == root;
    case Flow::all_to_root: return member == root;
    case Flow::prefix: return other <= member;
  }
  return true;
}

}  // namespace

engine::CollectiveSpace& Engine::Core::space(const Collective& operation) {
  engine::CollectiveSpace& space = spaces_[operation.context.value];
  if (space.actors.empty()) {
    space.actors.assign(operation.members.begin(), operation.members.end());
    space.calls.resize(space.actors.size());
    for (std::uint32_t i = 0; i < space.actors.size(); ++i)
      space.member_of[space.actors[i].value] = i;
  }
  REHEARSE_ASSERT(space.actors.size() == operation.members.size(),
                  "a context has always the same members");
  return space;
}

// The instance of this member's next call.
Engine::Core::Instance& Engine::Core::instance(engine::CollectiveSpace& space,
                                               std::uint32_t member,
                                               const Collective& operation) {
  const std::uint64_t number = space.calls[member]++;
  if (number < space.first_open + space.open.size())
    return *space.open[number - space.first_open];
  Instance& instance = instances_.take();
  space.open.push_back(&instance);
  instance.name = operation.name;
  instance.flow = operation.flow;
  instance.root = operation.root;
  instance.signature = operation.signature;
  instance.is_combining = operation.combining;
  instance.is_broken = false;
  instance.context = operation.context;
  instance.number = number;
  instance.actors = &space.actors;
  instance.first_member = member;
  instance.arrived = 0;
  instance.delivered = 0;
  instance.schedule = nullptr;
  instance.members.resize(space.actors.size());
  for (engine::Member& each : instance.members) {
    each.request = nullptr;
    each.is_done = false;
    each.mismatch = "";
    each.open_transfers = 0;
    each.parked.clear();
  }
  return instance;
}

void Engine::Core::compare(Instance& instance, std::uint32_t member, const Collective& operation) {
  if (instance.signature == 0) instance.signature = operation.signature;
  const bool has_other_signature =
      operation.signature != 0 && instance.signature != operation.signature;
  const char* mismatch = instance.name != operation.name   ? "operation"
                         : instance.root != operation.root ? "root"
                         : has_other_signature             ? "signature"
                                                           : "";
  instance.members[member].mismatch = mismatch;
  instance.members[member].name.clear();
  if (!*mismatch) return;
  instance.is_broken = true;
  instance.members[member].name = operation.name;
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Collective& operation) {
  note_interaction(actor);
  engine::CollectiveSpace& space = this->space(operation);
  const auto known = space.member_of.find(id.value);
  REHEARSE_ASSERT(known != space.member_of.end(), "the caller is a member");
  const std::uint32_t index = known->second;
  Instance& instance = this->instance(space, index, operation);
  Request& request = make_request(id, operation.request, Request::Kind::collective);
  request.instance = &instance;
  request.member = index;
  engine::Member& member = instance.members[index];
  member.request = &request;
  member.contribution.assign(operation.contribution.begin(), operation.contribution.end());
  member.segment_ends.assign(operation.segment_bytes.begin(), operation.segment_bytes.end());
  for (std::size_t i = 1; i < member.segment_ends.size(); ++i)
    member.segment_ends[i] += member.segment_ends[i - 1];
  ++instance.arrived;
  compare(instance, index, operation);
  if (!instance.is_broken) {
    const bool is_known =
        operation.flow != Flow::root_to_all || index == operation.root || instance.schedule;
    if (is_known && !instance.schedule) {
      make_schedule(instance, operation.contribution.size(), !operation.segment_bytes.empty());
      for (std::uint32_t i = 0; i < instance.members.size(); ++i)
        if (instance.members[i].request) admit(instance, i);
    } else if (instance.schedule) {
      admit(instance, index);
    }
    if (options_.synchronising_collectives && instance.arrived == instance.members.size())
      for (std::uint32_t i = 0; i < instance.members.size(); ++i) finish_member(instance, i);
  }
  return finish_start(actor, request, operation.blocking);
}

// Asks for the schedule and turns its dependencies around.
void Engine::Core::make_schedule(Instance& instance, std::uint64_t bytes, bool has_segments) {
  const auto members = static_cast<std::uint32_t>(instance.members.size());
  instance.schedule =
      options_.collectives->find({instance.name, instance.flow, instance.root, members,
                                  instance.is_combining, has_segments, bytes});
  const auto& transfers = instance.schedule->transfers;
  const auto& dependencies = instance.schedule->dependencies;
  const auto count = static_cast<std::uint32_t>(transfers.size());
  instance.waits.resize(count);
  instance.first_next.assign(count + 1, 0);
  instance.first_from.assign(members + 1, 0);
  instance.next.resize(dependencies.size());
  instance.from.resize(count);
  for (std::uint32_t t = 0; t < count; ++t) {
    const ScheduledTransfer& transfer = transfers[t];
    instance.waits[t] = transfer.dependencies + 1;
    ++instance.first_from[transfer.source];
    ++instance.members[transfer.source].open_transfers;
    ++instance.members[transfer.destination].open_transfers;
    for (std::uint32_t d = 0; d < transfer.dependencies; ++d)
      ++instance.first_next[dependencies[transfer.first_dependency + d]];
  }
  // Counts become ends, and going backwards, ends become beginnings.
  for (std::uint32_t t = 1; t <= count; ++t) instance.first_next[t] += instance.first_next[t - 1];
  for (std::uint32_t m = 1; m <= members; ++m) instance.first_from[m] += instance.first_from[m - 1];
  for (std::uint32_t t = count; t-- > 0;) {
    instance.from[--instance.first_from[transfers[t].source]] = t;
    for (std::uint32_t d = 0; d < transfers[t].dependencies; ++d)
      instance.next[--instance.first_next[dependencies[transfers[t].first_dependency + d]]] = t;
  }
}

// A member that has arrived can make its transfers and be sent large ones.
void Engine::Core::admit(Instance& instance, std::uint32_t index) {
  engine::Member& member = instance.members[index];
  for (std::uint32_t i = instance.first_from[index]; i < instance.first_from[index + 1]; ++i)
    satisfy(instance, instance.from[i]);
  for (const std::uint32_t transfer : std::exchange(member.parked, {}))
    start_scheduled(instance, transfer);
  finish_member(instance, index);
}

void Engine::Core::satisfy(Instance& instance, std::uint32_t transfer) {
  if (--instance.waits[transfer] == 0) start_scheduled(instance, transfer);
}

std::uint64_t Engine::Core::payload_bytes(const Instance& instance, const Payload& payload) const {
  const auto count = static_cast<std::uint32_t>(instance.members.size());
  std::uint64_t bytes = 0;
  for (std::uint32_t o = 0; o < payload.origins; ++o) {
    const engine::Member& origin = instance.members[(payload.first_origin + o) % count];
    REHEARSE_ASSERT(origin.request, "a block travels only once its origin has arrived");
    std::uint64_t block = origin.contribution.size();
    if (!origin.segment_ends.empty()) {
      block = 0;
      for (std::uint32_t t = 0; t < payload.targets; ++t) {
        const std::uint32_t target = (payload.first_target + t) % count;
        block += origin.segment_ends[target] - (target ? origin.segment_ends[target - 1] : 0);
      }
    }
    bytes = instance.is_combining ? std::max(bytes, block) : bytes + block;
  }
  return (bytes + payload.parts - 1) / payload.parts;
}

void Engine::Core::start_scheduled(Instance& instance, std::uint32_t index) {
  const ScheduledTransfer& transfer = instance.schedule->transfers[index];
  const std::uint64_t bytes = payload_bytes(instance, transfer.payload);
  const bool is_small = is_eager(bytes);
  engine::Member& destination = instance.members[transfer.destination];
  if (!is_small && !destination.request) return destination.parked.push_back(index);
  instance.waits[index] = is_small ? started_eager : started_large;
  start_transfer((*instance.actors)[transfer.source], (*instance.actors)[transfer.destination],
                 bytes, {Continuation::Kind::collective, instance.index, index});
  if (is_small) close_transfer(instance, transfer.source);
}

void Engine::Core::end_scheduled(Instance& instance, std::uint32_t index) {
  const ScheduledTransfer& transfer = instance.schedule->transfers[index];
  for (std::uint32_t i = instance.first_next[index]; i < instance.first_next[index + 1]; ++i)
    satisfy(instance, instance.next[i]);
  if (instance.waits[index] == started_large) close_transfer(instance, transfer.source);
  close_transfer(instance, transfer.destination);
}

void Engine::Core::close_transfer(Instance& instance, std::uint32_t member) {
  --instance.members[member].open_transfers;
  finish_member(instance, member);
}

bool Engine::Core::has_what_it_needs(const Instance& instance, std::uint32_t member) const {
  for (std::uint32_t i = 0; i < instance.members.size(); ++i)
    if (needs(instance.flow, instance.root, member, i) && !instance.members[i].request)
      return false;
  return true;
}

// Lets the member go on if all its transfers are over.
void Engine::Core::finish_member(Instance& instance, std::uint32_t index) {
  engine::Member& member = instance.members[index];
  if (!member.request || member.is_done || member.open_transfers > 0) return;
  if (*member.mismatch) return;  // it called something else: what arrives for it is not what it waits for
  if (options_.synchronising_collectives && instance.arrived < instance.members.size()) return;
  REHEARSE_ASSERT(has_what_it_needs(instance, index), "a schedule brings what the flow needs");
  member.is_done = true;
  complete(*member.request);
}

std::span<const std::span<const std::byte>> Engine::Core::deliver(Request& request) {
  const Instance& instance = *request.instance;
  const std::uint32_t observer = request.member;
  auto& spans = contributions_.emplace_back(instance.members.size());
  for (std::uint32_t i = 0; i < spans.size(); ++i) {
    if (!needs(instance.flow, instance.root, observer, i)) continue;
    const engine::Member& member = instance.members[i];
    spans[i] = member.contribution;
    if (member.segment_ends.empty()) continue;
    const std::uint64_t begin = observer ? member.segment_ends[observer - 1] : 0;
    spans[i] = spans[i].subspan(begin, member.segment_ends[observer] - begin);
  }
  return spans;
}

// The member has been told; the last one takes the instance away.
void Engine::Core::leave(Request& request) {
  Instance& instance = *request.instance;
  requests_.give_back(request);
  if (++instance.delivered < instance.members.size()) return;
  engine::CollectiveSpace& space = spaces_[instance.context.value];
  space.open[instance.number - space.first_open] = nullptr;
  while (!space.open.empty() && space.open.front() == nullptr) {
    space.open.pop_front();
    ++space.first_open;
  }
  instances_.give_back(instance);
}

}  // namespace rehearse
