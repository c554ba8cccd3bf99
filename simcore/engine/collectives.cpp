// SPDX-License-Identifier: MIT
//
// Collectives in time: members meet by the order of their calls, each goes through the rounds of a
// schedule, and data is handed over from the contributions as the operation's Flow says.
#include <algorithm>
#include <cstring>

#include "simcore/collective_flow.hpp"
#include "simcore/engine/core.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/hash.hpp"

namespace rehearse {

namespace {

// What of a member's contribution is for the observer.
std::span<const std::byte> part_for(const engine::Member& member, std::uint32_t observer) {
  const std::span<const std::byte> all = member.contribution;
  if (member.has_equal_segments) return all.subspan(observer * member.equal_segment, member.equal_segment);
  if (member.segment_ends.empty()) return all;
  const std::uint64_t begin = observer ? member.segment_ends[observer - 1] : 0;
  return all.subspan(begin, member.segment_ends[observer] - begin);
}

// What the operation is, where nobody said.
CollectiveKind kind_of(const Collective& operation) {
  if (operation.hints.kind != CollectiveKind::by_flow) return operation.hints.kind;
  const bool has_segments = !operation.segment_bytes.empty();
  switch (operation.flow) {
    case Flow::root_to_all:
      return has_segments ? CollectiveKind::scatterv : CollectiveKind::broadcast;
    case Flow::all_to_root:
      return operation.combining ? CollectiveKind::reduce : CollectiveKind::gatherv;
    case Flow::prefix: return CollectiveKind::scan;
    case Flow::nobody: return CollectiveKind::barrier;
    case Flow::all_to_all: break;
  }
  if (has_segments)
    return operation.combining ? CollectiveKind::reduce_scatter : CollectiveKind::alltoallv;
  return operation.combining ? CollectiveKind::allreduce : CollectiveKind::allgatherv;
}

// Of the bytes of all parts, those of the first `parts` ones.
std::uint64_t bytes_before(std::uint64_t bytes, std::uint64_t parts, std::uint64_t of_parts) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(bytes) * parts / of_parts);
}

std::uint64_t bytes_of_parts(std::uint64_t bytes, const Payload& payload) {
  const auto [first, count, stride] = payload.parts;
  if (payload.of_parts == 1) return count == 0 ? 0 : bytes;
  const std::uint64_t end = std::uint64_t{first} + count;
  const std::uint64_t until = std::min<std::uint64_t>(end, payload.of_parts);
  std::uint64_t sum = bytes_before(bytes, until, payload.of_parts) -
                      bytes_before(bytes, first, payload.of_parts);
  if (end > until) sum += bytes_before(bytes, end - until, payload.of_parts);
  return sum;
}

// What of a contribution is for these members, counted by their places in `order`.
std::uint64_t bytes_for(const engine::Member& member, const Range& targets,
                        std::span<const std::uint32_t> order, std::uint32_t members) {
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

// Contributions that are smaller than this are copied at once.
constexpr std::size_t borrowed_bytes = 16384;

// Whether it pays to leave a contribution where it is: each byte of it is needed about once.
bool is_worth_borrowing(const Collective& operation) {
  return operation.blocking && !operation.combining && operation.contribution.size() >= borrowed_bytes &&
         (!operation.segment_bytes.empty() || operation.flow == Flow::all_to_root);
}

// Where the member will put what this one gives it, if it said so and it is of that size; otherwise nothing.
std::span<std::byte> place_for(const engine::Member& member, std::uint32_t giver, std::size_t bytes) {
  if (member.places.empty()) return {};
  const std::span<std::byte> place = member.places[member.places.size() == 1 ? 0 : giver];
  return place.size() == bytes ? place : std::span<std::byte>();
}

// Whether the observer needs what the giver gives.
bool needs(const engine::Instance& instance, std::uint32_t observer, std::uint32_t giver) {
  return rehearse::needs(instance.flow, instance.root, instance.sides.first(), observer, giver);
}

}  // namespace

const engine::Circle& Engine::Core::circle(std::span<const ActorId> actors) {
  const std::uint64_t hash = hash_in_memory(actors.data(), actors.size_bytes());
  const auto [begin, end] = circles_.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (std::ranges::equal(known->second->actors, actors)) return *known->second;
  auto circle = std::make_unique<engine::Circle>();
  circle->actors.assign(actors.begin(), actors.end());
  for (std::uint32_t i = 0; i < actors.size(); ++i) {
    circle->member_of[actors[i].value] = i;
    circle->hosts.push_back(actors_[actors[i].value].host.value);
  }
  return *circles_.emplace(hash, std::move(circle))->second;
}

engine::CollectiveSpace& Engine::Core::space(const Collective& operation) {
  engine::CollectiveSpace& space = spaces_[operation.context.value];
  if (space.circle == nullptr) {
    space.circle = &circle(operation.members);
    space.calls.resize(operation.members.size());
  }
  REHEARSE_ASSERT(space.circle->actors.size() == operation.members.size(),
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
  instance.signature_member = member;
  instance.is_combining = operation.combining;
  instance.is_broken = false;
  instance.sides.reset(operation.groups.first, operation.members.size());
  instance.context = operation.context;
  instance.number = number;
  instance.actors = &space.circle->actors;
  instance.first_member = member;
  instance.arrived = 0;
  instance.delivered = 0;
  instance.schedule = nullptr;
  instance.members.resize(operation.members.size());
  instance.is_uniform = true;
  instance.passages.clear();
  instance.unused = engine::Passage::none;
  instance.meetings.clear();
  instance.has_segments = false;
  instance.lists_differ = false;
  instance.in_prefix = 0;
  instance.list.assign(operation.members.size(), {});
  instance.listed = 0;
  instance.remarks.clear();
  instance.shared = {};
  for (engine::Member& each : instance.members) {
    each.request = nullptr;
    each.is_done = false;
    each.is_borrowed = false;
    each.is_handed_on = false;
    each.is_told = false;
    each.mismatch = "";
    each.round = 0;
    each.open = 0;
    each.uncombined = 0;
    each.is_combining = false;
  }
  return instance;
}

// How a member of one group differs from those before it; empty: it agrees.
const char* Engine::Core::difference(Instance& instance, std::uint32_t member, const Collective& operation) {
  if (instance.signature == 0) {
    instance.signature = operation.signature;
    instance.signature_member = member;
  }
  if (instance.root != operation.root) return "root";
  const SignatureClash clash = clash_of(operation.signature, instance.signature);
  return clash ? what_differs(clash.one, clash.other) : "";
}

void Engine::Core::compare(Instance& instance, std::uint32_t member, const Collective& operation) {
  const char* mismatch = "operation";
  if (instance.name == operation.name) {
    if (instance.sides.are_there()) {
      mismatch = instance.sides.arrive(member, operation);
      instance.root = instance.sides.root();
    } else {
      mismatch = difference(instance, member, operation);
    }
  }
  engine::Member& its = instance.members[member];
  its.mismatch = mismatch;
  its.origin = operation.origin;
  its.name.clear();
  if (!*mismatch) return;
  instance.is_broken = true;
  its.name = operation.name;
  its.root = operation.root;
  its.signature = operation.signature;
}

bool Engine::Core::begin(ActorId id, ActorState& actor, const Collective& operation) {
  note_interaction(actor);
  engine::CollectiveSpace& space = this->space(operation);
  const auto known = space.circle->member_of.find(id.value);
  REHEARSE_ASSERT(known != space.circle->member_of.end(), "the caller is a member");
  const std::uint32_t index = known->second;
  Instance& instance = this->instance(space, index, operation);
  Request& request = make_request(id, operation.request, Request::Kind::collective);
  request.instance = &instance;
  request.member = index;
  instance.members[index].request = &request;
  keep_contribution(instance, index, operation);
  keep_remark(instance, index, operation);
  ++instance.arrived;
  while (instance.in_prefix < instance.members.size() && instance.members[instance.in_prefix].request)
    ++instance.in_prefix;
  compare(instance, index, operation);
  if (!instance.is_broken) {
    const bool is_known = instance.root != another_root &&
                          (operation.flow != Flow::root_to_all || index == operation.root || instance.schedule);
    if (is_known && !instance.schedule) {
      make_schedule(instance, operation);
      for (std::uint32_t i = 0; i < instance.members.size(); ++i)
        if (instance.members[i].request) go_through_rounds(instance, i);
    } else if (instance.schedule) {
      go_through_rounds(instance, index);
    } else {
      finish_member(instance, index);
    }
    if (options_.synchronising_collectives && instance.arrived == instance.members.size())
      for (std::uint32_t i = 0; i < instance.members.size(); ++i) finish_member(instance, i);
  }
  return finish_start(actor, request, operation.blocking);
}

void Engine::Core::keep_contribution(Instance& instance, std::uint32_t index,
                                     const Collective& operation) {
  engine::Member& member = instance.members[index];
  member.is_borrowed = is_worth_borrowing(operation);
  member.contribution = operation.contribution;
  member.places = operation.blocking ? operation.places : decltype(operation.places)();
  if (!member.is_borrowed) {
    member.kept.assign(operation.contribution.begin(), operation.contribution.end());
    member.contribution = member.kept;
  }
  const auto& segments = operation.segment_bytes;
  instance.has_segments |= !segments.empty();
  member.has_equal_segments =
      !segments.empty() && std::ranges::find_if(segments, [&](std::uint64_t bytes) {
                             return bytes != segments[0];
                           }) == segments.end();
  member.equal_segment = member.has_equal_segments ? segments[0] : 0;
  member.segment_ends.clear();
  if (!member.has_equal_segments) {
    member.segment_ends.assign(segments.begin(), segments.end());
    for (std::size_t i = 1; i < member.segment_ends.size(); ++i)
      member.segment_ends[i] += member.segment_ends[i - 1];
  }
  if (instance.arrived == 0) {
    instance.uniform_bytes = member.contribution.size();
    instance.uniform_segment =
        member.has_equal_segments ? member.equal_segment : member.contribution.size();
  }
  instance.is_uniform &=
      member.segment_ends.empty() && member.contribution.size() == instance.uniform_bytes &&
      (!member.has_equal_segments || member.equal_segment == instance.uniform_segment);
}

// With a root that gives, nobody else is heard.
void Engine::Core::keep_remark(Instance& instance, std::uint32_t index, const Collective& operation) {
  if (operation.remark.empty() || (instance.flow == Flow::root_to_all && index != instance.root)) return;
  std::vector<std::byte>& kept = instance.members[index].remark;
  kept.assign(operation.remark.begin(), operation.remark.end());
  instance.remarks.resize(instance.members.size());
  instance.remarks[index] = {kept, operation.origin};
}

std::span<const Remark> Engine::Core::remarks_for(const Request& request) const {
  const Instance& instance = *request.instance;
  const std::span<const Remark> all = instance.remarks;
  if (all.empty() || (instance.flow == Flow::all_to_root && request.member != instance.root)) return {};
  return instance.flow == Flow::prefix ? all.first(request.member + 1) : all;
}

void Engine::Core::make_schedule(Instance& instance, const Collective& operation) {
  CollectiveShape shape;
  shape.kind = kind_of(operation);
  shape.root = instance.root;
  shape.members = static_cast<std::uint32_t>(instance.members.size());
  shape.is_combining = instance.is_combining;
  shape.is_commutative = operation.hints.is_commutative;
  shape.elements = operation.hints.elements;
  shape.bytes = operation.contribution.size();
  shape.total_bytes = operation.hints.total_bytes;
  shape.first_group = operation.groups.first;
  shape.hosts = spaces_[instance.context.value].circle->hosts;
  instance.schedule = options_.collectives->find(shape);
}

// Starts the rounds of a member that has arrived, as far as nothing of them has to be waited for.
void Engine::Core::go_through_rounds(Instance& instance, std::uint32_t index) {
  engine::Member& member = instance.members[index];
  const std::uint32_t rounds = instance.schedule->rounds();
  while (member.open == 0 && !member.is_combining && member.round < rounds) {
    round_.clear();
    instance.schedule->plan(index, member.round++, round_);
    for (const ScheduledReceive& receive : round_.receives) post_receive(instance, index, receive);
    for (const ScheduledSend& send : round_.sends) start_send(instance, index, send);
  }
  finish_member(instance, index);
}

// The passage that is next for this end: one that has the other end already, or a new one.
engine::Passage& Engine::Core::meet(Instance& instance, std::uint32_t source,
                                    std::uint32_t destination, bool sends) {
  using engine::Passage;
  const std::uint64_t key = std::uint64_t{destination} << 32 | source;
  const auto [found, is_new] = instance.meetings.try_emplace(key);
  engine::Meeting& meeting = found->second;
  if (!is_new) {
    Passage& first = instance.passages[meeting.first];
    if (sends ? first.is_posted : first.is_sent) {
      meeting.first = first.next;
      if (meeting.first == Passage::none) instance.meetings.erase(found);
      return first;
    }
  }
  std::uint32_t index = instance.unused;
  if (index == Passage::none) {
    index = static_cast<std::uint32_t>(instance.passages.size());
    instance.passages.emplace_back();
  } else {
    instance.unused = instance.passages[index].next;
  }
  if (is_new)
    meeting.first = index;
  else
    instance.passages[meeting.last].next = index;
  meeting.last = index;
  Passage& passage = instance.passages[index] = {};
  passage.source = source;
  passage.destination = destination;
  return passage;
}

void Engine::Core::start_send(Instance& instance, std::uint32_t index, const ScheduledSend& send) {
  engine::Passage& passage = meet(instance, index, send.destination, true);
  passage.bytes = payload_bytes(instance, index, send.payload) +
                  payload_bytes(instance, index, send.more);
  passage.is_sent = true;
  passage.is_small = is_eager(passage.bytes);
  if (!passage.is_small) ++instance.members[index].open;
  if (passage.is_small || passage.is_posted) start_passage(instance, passage);
}

void Engine::Core::post_receive(Instance& instance, std::uint32_t index,
                                const ScheduledReceive& receive) {
  engine::Passage& passage = meet(instance, receive.source, index, false);
  passage.combinations = receive.combinations;
  passage.is_posted = true;
  ++instance.members[index].open;
  if (passage.is_sent && !passage.is_small) start_passage(instance, passage);
  if (passage.has_arrived) end_receive(instance, passage);
}

void Engine::Core::start_passage(Instance& instance, engine::Passage& passage) {
  const auto index = static_cast<std::uint32_t>(&passage - instance.passages.data());
  passage.began = now_;
  start_transfer((*instance.actors)[passage.source], (*instance.actors)[passage.destination],
                 passage.bytes, {Continuation::Kind::collective, instance.index, index});
}

void Engine::Core::end_passage(Instance& instance, std::uint32_t index) {
  engine::Passage& passage = instance.passages[index];
  const std::uint32_t source = passage.source, destination = passage.destination;
  const bool is_small = passage.is_small;
  passage.has_arrived = true;
  if (options_.timeline)
    options_.timeline->on_inner_delivery(
        {(*instance.actors)[source], (*instance.actors)[destination], passage.bytes, passage.began, now_});
  if (passage.is_posted) {
    end_receive(instance, passage);
    if (instance.members[destination].open == 0) go_through_rounds(instance, destination);
  }
  if (!is_small && --instance.members[source].open == 0) go_through_rounds(instance, source);
}

// The passage is over. Its member may go on, if this was the last one it waited for.
void Engine::Core::end_receive(Instance& instance, engine::Passage& passage) {
  engine::Member& member = instance.members[passage.destination];
  --member.open;
  if (instance.is_combining)
    member.uncombined += static_cast<double>(passage.bytes) * passage.combinations;
  passage.next = instance.unused;
  instance.unused = static_cast<std::uint32_t>(&passage - instance.passages.data());
  combine(instance, passage.destination);
}

// What came while something is combined is combined after it.
void Engine::Core::combine(Instance& instance, std::uint32_t index) {
  engine::Member& member = instance.members[index];
  const double flops = member.uncombined * options_.combine_flops_per_byte;
  if (member.is_combining || flops <= 0) return;
  member.uncombined = 0;
  member.is_combining = true;
  ++in_flight_;
  start_computation((*instance.actors)[index], flops,
                    {Continuation::Kind::combination, instance.index, index});
}

void Engine::Core::end_combination(Instance& instance, std::uint32_t index) {
  instance.members[index].is_combining = false;
  combine(instance, index);
  if (instance.members[index].open == 0) go_through_rounds(instance, index);
}

std::uint64_t Engine::Core::payload_bytes(const Instance& instance, std::uint32_t source,
                                          const Payload& payload) const {
  if (payload.origins.count == 0) return 0;
  const auto count = static_cast<std::uint32_t>(instance.members.size());
  const std::span<const std::uint32_t> order = instance.schedule->order();
  const auto block = [&](std::uint32_t origin) {
    REHEARSE_ASSERT(instance.members[origin].request, "a block travels once its origin has arrived");
    return bytes_for(instance.members[origin], payload.targets, order, count);
  };
  std::uint64_t bytes = 0;
  if (instance.flow == Flow::root_to_all) {
    bytes = block(instance.root);
  } else if (instance.is_combining) {
    bytes = block(source);
  } else if (instance.is_uniform) {
    bytes = block(source) * payload.origins.count;
  } else {
    for (std::uint32_t i = 0; i < payload.origins.count; ++i) {
      const std::uint64_t place =
          (payload.origins.first + std::uint64_t{i} * payload.origins.stride) % count;
      bytes += block(order.empty() ? static_cast<std::uint32_t>(place) : order[place]);
    }
  }
  return bytes_of_parts(bytes, payload);
}

bool Engine::Core::has_what_it_needs(const Instance& instance, std::uint32_t member) const {
  if (instance.sides.are_there()) {
    if (instance.flow == Flow::root_to_all)
      return !needs(instance, member, instance.root) || instance.members[instance.root].request != nullptr;
    return (instance.flow == Flow::all_to_root && member != instance.root) || instance.sides.has_all_opposite(member);
  }
  switch (instance.flow) {
    case Flow::all_to_all:
    case Flow::nobody: break;
    case Flow::root_to_all: return instance.members[instance.root].request != nullptr;
    case Flow::all_to_root:
      if (member != instance.root) return true;
      break;
    case Flow::prefix: return instance.in_prefix > member;
  }
  return instance.arrived == instance.members.size();
}

// Lets the member go on if it is through with its rounds.
void Engine::Core::finish_member(Instance& instance, std::uint32_t index) {
  engine::Member& member = instance.members[index];
  if (!member.request || member.is_done) return;
  if (!instance.sides.is_bystander(index)) {
    if (!instance.schedule || member.open > 0 || member.is_combining) return;
    if (member.round < instance.schedule->rounds()) return;
  }
  if (*member.mismatch) return;  // it called something else: what arrives for it is not what it waits for
  if (options_.synchronising_collectives && instance.arrived < instance.members.size()) return;
  REHEARSE_ASSERT(instance.sides.is_bystander(index) || has_what_it_needs(instance, index),
                  "a schedule brings what the flow needs");
  member.is_done = true;
  complete(*member.request);
}

// Members that are given the same share one list; with segments, it is made anew for each.
std::span<const std::span<const std::byte>> Engine::Core::deliver(Request& request) {
  Instance& instance = *request.instance;
  const std::uint32_t observer = request.member;
  const auto count = static_cast<std::uint32_t>(instance.members.size());
  if ((instance.flow == Flow::all_to_root && observer != instance.root) || instance.sides.is_bystander(observer)) {
    if (no_contributions_.size() < count) no_contributions_.resize(count);
    settle(instance, observer);
    return std::span(no_contributions_).first(count);
  }
  if (instance.sides.are_there()) return deliver_between(instance, observer);
  if (instance.has_segments || instance.lists_differ) instance.listed = 0;
  const std::uint32_t until = instance.flow == Flow::prefix ? observer + 1 : count;
  const bool is_from_root = instance.flow == Flow::root_to_all;
  const std::uint32_t first = is_from_root ? instance.root : instance.listed;
  const std::uint32_t end = is_from_root ? instance.root + 1 : until;
  for (std::uint32_t i = first; i < end; ++i) {
    const engine::Member& giver = instance.members[i];
    instance.list[i] = part_for(giver, observer);
    if (giver.is_handed_on) instance.list[i] = place_for(instance.members[observer], i, instance.list[i].size());
  }
  instance.listed = std::max(instance.listed, until);
  settle(instance, observer);
  return std::span(instance.list).first(until);
}

// The list of one member: what the other group gives it.
std::span<const std::span<const std::byte>> Engine::Core::deliver_between(Instance& instance, std::uint32_t observer) {
  for (std::uint32_t i = 0; i < instance.members.size(); ++i) {
    const engine::Member& giver = instance.members[i];
    instance.list[i] = {};
    if (!needs(instance, observer, i)) continue;
    instance.list[i] = part_for(giver, observer);
    if (giver.is_handed_on) instance.list[i] = place_for(instance.members[observer], i, instance.list[i].size());
  }
  settle(instance, observer);
  return instance.list;
}

// The member is about to go on and may then change what it gave: who still needs it is given it now if all of them wait
// and said where they want it; otherwise it is kept.
void Engine::Core::settle(Instance& instance, std::uint32_t index) {
  engine::Member& giver = instance.members[index];
  giver.is_told = true;
  if (!giver.is_borrowed) return;
  giver.is_borrowed = false;
  instance.lists_differ = true;
  const auto still_needs = [&](std::uint32_t other) {
    return !instance.members[other].is_told && needs(instance, other, index);
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
SharedResult* Engine::Core::shared_result(const Request& request) {
  Instance& instance = *request.instance;
  const bool is_alike = instance.flow == Flow::all_to_all || instance.flow == Flow::prefix;
  if (!instance.is_combining || instance.has_segments || !instance.is_uniform || !is_alike) return nullptr;
  if (instance.sides.are_there()) return nullptr;
  if (instance.shared.what == 0) {
    instance.shared_data.resize(instance.uniform_bytes);
    instance.shared.data = instance.shared_data;
  }
  return &instance.shared;
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
