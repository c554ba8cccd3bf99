// SPDX-License-Identifier: MIT
//
// See collective_rounds.hpp.
#include "simcore/engine/collective_rounds.hpp"

#include <algorithm>

#include "simcore/engine/contributions.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::engine {

namespace {

// Of the bytes of all parts, those of the first `parts` ones.
std::uint64_t bytes_before(std::uint64_t bytes, std::uint64_t parts, std::uint64_t of_parts) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(bytes) * parts / of_parts);
}

std::uint64_t bytes_of_parts(std::uint64_t bytes, const Payload& payload) {
  const auto [first, count, stride] = payload.parts;
  if (payload.of_parts == 1) return count == 0 ? 0 : bytes;
  const std::uint64_t end = std::uint64_t{first} + count;
  const std::uint64_t until = std::min<std::uint64_t>(end, payload.of_parts);
  std::uint64_t sum = bytes_before(bytes, until, payload.of_parts) - bytes_before(bytes, first, payload.of_parts);
  if (end > until) sum += bytes_before(bytes, end - until, payload.of_parts);
  return sum;
}

std::uint64_t payload_bytes(const Instance& instance, std::uint32_t source, const Payload& payload) {
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
      const std::uint64_t place = (payload.origins.first + std::uint64_t{i} * payload.origins.stride) % count;
      bytes += block(order.empty() ? static_cast<std::uint32_t>(place) : order[place]);
    }
  }
  return bytes_of_parts(bytes, payload);
}

bool has_what_it_needs(const Instance& instance, std::uint32_t member) {
  if (instance.sides.are_there()) {
    if (instance.flow == Flow::root_to_all)
      return !needs(instance, member, instance.root) || instance.members[instance.root].request != nullptr;
    return (instance.flow == Flow::all_to_root && member != instance.root) || instance.sides.has_all_opposite(member);
  }
  switch (instance.flow) {
    case Flow::all_to_all:
    case Flow::nobody:
    case Flow::optional: break;
    case Flow::root_to_all: return instance.members[instance.root].request != nullptr;
    case Flow::all_to_root:
      if (member != instance.root) return true;
      break;
    case Flow::prefix: return instance.in_prefix > member;
  }
  return instance.arrived == instance.members.size();
}

}  // namespace

Passage& pair_passage(Instance& instance, std::uint32_t source, std::uint32_t destination, bool sends) {
  const auto [found, is_new] = instance.unpaired.try_emplace({source, destination});
  UnpairedPassages& unpaired = found->second;
  if (!is_new) {
    Passage& first = instance.passages[unpaired.first];
    if (sends ? first.is_posted : first.is_sent) {
      unpaired.first = first.next;
      if (unpaired.first == Passage::none) instance.unpaired.erase(found);
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
  if (is_new) unpaired.first = index;
  else instance.passages[unpaired.last].next = index;
  unpaired.last = index;
  Passage& passage = instance.passages[index] = {};
  passage.source = source;
  passage.destination = destination;
  return passage;
}

void CollectiveRounds::go_through(Instance& instance, std::uint32_t index) {
  Member& member = instance.members[index];
  const std::uint32_t rounds = instance.schedule->rounds();
  while (member.open == 0 && !member.is_combining && member.round < rounds) {
    round_.clear();
    instance.schedule->plan(index, member.round++, round_);
    for (const ScheduledReceive& receive : round_.receives) post_receive(instance, index, receive);
    for (const ScheduledSend& send : round_.sends) start_send(instance, index, send);
  }
  finish_member(instance, index);
}

void CollectiveRounds::start_send(Instance& instance, std::uint32_t index, const ScheduledSend& send) {
  Passage& passage = pair_passage(instance, index, send.destination, true);
  passage.bytes = payload_bytes(instance, index, send.payload) + payload_bytes(instance, index, send.more);
  passage.is_sent = true;
  passage.is_small = run_.is_eager(passage.bytes);
  const bool is_alone = round_.receives.empty() && round_.sends.size() == 1;
  const MessageCosts& costs = run_.options.message_costs;
  const Duration cost = (is_alone ? costs.send : costs.started_send).of(passage.bytes);
  if (spend(instance, passage, index, Timer::Kind::departure, cost)) ++instance.members[index].open;
  else depart(instance, passage);
}

// Whether the member needs time for the passage. The timer ends it.
bool CollectiveRounds::spend(Instance& instance, const Passage& passage, std::uint32_t member, Timer::Kind what,
                             Duration cost) {
  if (cost <= Duration{}) return false;
  TimePoint& busy_until = instance.members[member].busy_until;
  busy_until = std::max(busy_until, agenda_.now()) + cost;
  const auto index = static_cast<std::uint32_t>(&passage - instance.passages.data());
  agenda_.set_passage_timer(what, instance.index, index, busy_until);
  return true;
}

void CollectiveRounds::end_departure(Instance& instance, std::uint32_t index) {
  const std::uint32_t source = instance.passages[index].source;
  depart(instance, instance.passages[index]);
  if (--instance.members[source].open == 0) go_through(instance, source);
}

void CollectiveRounds::depart(Instance& instance, Passage& passage) {
  passage.has_left = true;
  if (!passage.is_small) ++instance.members[passage.source].open;
  if (passage.is_small) start_passage(instance, passage);
  else if (agenda_.carries_envelopes()) start_envelope(instance, passage, TransferKind::announcement);
  else if (passage.is_posted) start_passage(instance, passage);
}

static MessageLabel label_of(const Instance& instance, const Passage& passage) {
  return {static_cast<std::uint32_t>(instance.context.value),
          0,
          passage.bytes,
          instance.members[passage.source].origin.address,
          !passage.is_small,
          true};
}

// Of a large passage, where envelopes are transfers; elsewhere its data start when both ends are there.
void CollectiveRounds::start_envelope(Instance& instance, const Passage& passage, TransferKind kind) {
  const auto index = static_cast<std::uint32_t>(&passage - instance.passages.data());
  const ActorId source = (*instance.actors)[passage.source], destination = (*instance.actors)[passage.destination];
  if (kind == TransferKind::announcement)
    agenda_.start_envelope(kind, source, destination, label_of(instance, passage),
                           {Continuation::Kind::collective_announcement, instance.index, index});
  else
    agenda_.start_envelope(kind, destination, source, label_of(instance, passage),
                           {Continuation::Kind::collective_answer, instance.index, index});
}

void CollectiveRounds::end_announcement(Instance& instance, std::uint32_t index) {
  Passage& passage = instance.passages[index];
  passage.is_announced = true;
  if (passage.is_posted) answer(instance, passage);
}

void CollectiveRounds::answer(Instance& instance, Passage& passage) {
  if (run_.options.handshake == Handshake::announced) start_passage(instance, passage);
  else start_envelope(instance, passage, TransferKind::answer);
}

void CollectiveRounds::post_receive(Instance& instance, std::uint32_t index, const ScheduledReceive& receive) {
  Passage& passage = pair_passage(instance, receive.source, index, false);
  passage.combinations = receive.combinations;
  passage.is_posted = true;
  ++instance.members[index].open;
  if (passage.is_announced) answer(instance, passage);
  else if (passage.has_left && !passage.is_small && !agenda_.carries_envelopes()) start_passage(instance, passage);
  if (passage.has_arrived) take_in(instance, passage);
}

void CollectiveRounds::start_passage(Instance& instance, Passage& passage) {
  const auto index = static_cast<std::uint32_t>(&passage - instance.passages.data());
  passage.began = agenda_.now();
  agenda_.start_transfer((*instance.actors)[passage.source], (*instance.actors)[passage.destination],
                         label_of(instance, passage), {Continuation::Kind::collective, instance.index, index});
}

void CollectiveRounds::end_passage(Instance& instance, std::uint32_t index) {
  Passage& passage = instance.passages[index];
  const std::uint32_t source = passage.source, destination = passage.destination;
  const bool is_small = passage.is_small;
  passage.has_arrived = true;
  if (run_.options.timeline)
    run_.options.timeline->on_inner_delivery(
        {(*instance.actors)[source], (*instance.actors)[destination], passage.bytes, passage.began, agenda_.now()});
  if (passage.is_posted) {
    take_in(instance, passage);
    if (instance.members[destination].open == 0) go_through(instance, destination);
  }
  if (!is_small && --instance.members[source].open == 0) go_through(instance, source);
}

// The data are there. Only eager ones wait for their receiver in a buffer.
void CollectiveRounds::take_in(Instance& instance, Passage& passage) {
  const Duration cost = passage.is_small ? run_.options.message_costs.receive.of(passage.bytes) : Duration{};
  if (!spend(instance, passage, passage.destination, Timer::Kind::receipt, cost)) end_receive(instance, passage);
}

void CollectiveRounds::end_receipt(Instance& instance, std::uint32_t index) {
  const std::uint32_t destination = instance.passages[index].destination;
  end_receive(instance, instance.passages[index]);
  if (instance.members[destination].open == 0) go_through(instance, destination);
}

// The passage is over. Its member may continue, if this was the last one it waited for.
void CollectiveRounds::end_receive(Instance& instance, Passage& passage) {
  Member& member = instance.members[passage.destination];
  --member.open;
  if (instance.is_combining) member.uncombined += static_cast<double>(passage.bytes) * passage.combinations;
  passage.next = instance.unused;
  instance.unused = static_cast<std::uint32_t>(&passage - instance.passages.data());
  combine(instance, passage.destination);
}

// Data that arrives during a combination is combined after it.
void CollectiveRounds::combine(Instance& instance, std::uint32_t index) {
  Member& member = instance.members[index];
  const double flops = member.uncombined * run_.options.combine_flops_per_byte;
  if (member.is_combining || flops <= 0) return;
  member.uncombined = 0;
  member.is_combining = true;
  agenda_.begin_flight();
  agenda_.start_computation((*instance.actors)[index], flops, {Continuation::Kind::combination, instance.index, index});
}

void CollectiveRounds::end_combination(Instance& instance, std::uint32_t index) {
  instance.members[index].is_combining = false;
  combine(instance, index);
  if (instance.members[index].open == 0) go_through(instance, index);
}

void CollectiveRounds::finish_member(Instance& instance, std::uint32_t index) {
  Member& member = instance.members[index];
  if (!member.request || member.is_done) return;
  if (!instance.sides.is_bystander(index)) {
    if (!instance.schedule || member.open > 0 || member.is_combining) return;
    if (member.round < instance.schedule->rounds()) return;
  }
  if (*member.mismatch) return;  // its call differs: the data that arrives is not the expected data
  if (run_.options.synchronising_collectives && instance.arrived < instance.members.size()) return;
  REHEARSE_ASSERT(instance.sides.is_bystander(index) || has_what_it_needs(instance, index),
                  "a schedule brings what the flow needs");
  member.is_done = true;
  requests_.complete(*member.request);
}

}  // namespace rehearse::engine
