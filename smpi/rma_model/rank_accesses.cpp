// SPDX-License-Identifier: MIT
//
// Accesses of a rank to windows: locks, and operations in lock epochs.
#include <algorithm>
#include <cstring>
#include <tuple>

#include "smpi/datatype/table.hpp"
#include "smpi/rma_model/atomic_object.hpp"
#include "smpi/rma_model/gate_object.hpp"
#include "smpi/rma_model/rank_driver.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::smpi::model {
namespace {

constexpr std::byte was_done{0}, is_not_attached{1};
constexpr std::uint64_t most_elements = 16;  // of an atomic operation of which others see parts

std::uint64_t element_count(const OperationView& operation) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < operation.header().blocks; ++i) count += operation.block(i).count;
  return count;
}

// One element of an atomic operation as an operation of its own.
std::vector<std::byte> element_of(const OperationView& operation, const TargetBlock& at, std::uint64_t number) {
  OperationHeader header = operation.header();
  const auto size = static_cast<std::uint64_t>(predefined_datatype(header.element)->size());
  header.answer_bytes = has_answer(header.deed) ? size : 0;
  std::span<const std::byte> data = operation.data();
  if (header.deed != Deed::swap && !data.empty()) data = data.subspan(number * size, size);
  return make_message(header, std::span(&at, 1), data);
}

OwnStep step_to(ActorId object, Channel channel, Tag tag, std::vector<std::byte> data) {
  OwnStep step;
  step.peer = object;
  step.context = context_of(object, channel);
  step.tag = tag;
  step.data = std::move(data);
  return step;
}

OwnStep answer_from(ActorId object, Tag tag, bool blocking) {
  OwnStep step = step_to(object, Channel::answers, tag, {});
  step.kind = OwnStep::Kind::receive;
  step.blocking = blocking;
  return step;
}

}  // namespace

// True: the access is answered at once, unless steps or a missing object come first.
bool RankDriver::begin_access(const RemoteAccess& access) {
  if (access.effect == nullptr) return false;
  AccessHeader header;
  std::memcpy(&header, access.data.data(), sizeof header);
  switch (header.kind) {
    case AccessKind::take_shared:
    case AccessKind::take_exclusive: return take_lock(access, header);
    case AccessKind::release_shared:
    case AccessKind::release_exclusive: release_lock(access); return true;
    case AccessKind::operation: return begin_operation(access, header);
  }
  return false;
}

// A shared lock that nobody takes exclusively in any execution so far needs no object.
bool RankDriver::take_lock(const RemoteAccess& access, const AccessHeader& header) {
  model_.last_poll.reset();
  const std::uint64_t window = access.context.value;
  const std::uint32_t owner = access.target.value;
  Begun& begun = begun_as(access.request);
  begun = {};
  begun.kind = Begun::Kind::done;
  ObjectName name{ObjectKind::lock, window, owner, 0};
  const bool is_shared = header.kind == AccessKind::take_shared;
  if (is_shared && !objects_.contains(name)) return true;
  if (is_shared) name = {ObjectKind::read, window, owner, rank_.value};
  const auto object = objects_.find(name);
  if (!object) {
    model_.missing = missing_objects({name});
    return true;
  }
  const auto& held = model_.windows[window].held;
  if (!held.empty() && access.blocking && (owner == rank_.value || held.contains(rank_.value)))
    model_.has_nested = true;
  model_.steps.push_back(step_to(*object, Channel::requests, tags::request, {}));
  model_.steps.push_back(answer_from(*object, tags::grant, access.blocking));
  model_.answers_rank = true;
  if (access.blocking) {
    model_.steps.back().grant = {window, owner};
    return true;
  }
  begun.kind = Begun::Kind::parts;
  begun.parts = {RequestId{model_.requests + 1}};
  begun.lock = {window, owner};
  begun.asked_object = *object;
  return true;
}

// The news of a release has the effects of the rank's operations there, but not those of operations elsewhere that
// MPI_Win_unlock_all may still have under way.
void RankDriver::release_lock(const RemoteAccess& access) {
  AccessHeader header;
  std::memcpy(&header, access.data.data(), sizeof header);
  begun_as(access.request).kind = Begun::Kind::done;
  model_.last_poll.reset();
  ObjectName name{ObjectKind::lock, access.context.value, access.target.value, 0};
  if (header.kind == AccessKind::release_shared && !objects_.contains(name)) return;
  if (header.kind == AccessKind::release_shared)
    name = {ObjectKind::read, access.context.value, access.target.value, rank_.value};
  const auto object = objects_.find(name);
  if (!object) return;  // taken in another way: an error that the rank has reported
  WindowState& window = model_.windows[access.context.value];
  std::vector<RecordId> effects;
  const auto add_open = [&](ActorId target, std::uint64_t end, std::vector<RecordId>& records) {
    const auto place = static_cast<std::uint64_t>(std::ranges::find(window.members, target) - window.members.begin());
    for (auto it = window.open.lower_bound({place, 0}); it != window.open.end() && it->first.first == place; ++it)
      if (it->first.second < end) records.insert(records.end(), it->second.begin(), it->second.end());
  };
  add_open(access.target, header.complete, effects);
  std::vector<RecordId> without;  // its memory shows them already
  if (access.target != rank_) add_open(rank_, UINT64_MAX, without);
  const auto held = window.held.extract(access.target.value);
  const bool is_used = held.empty() || held.mapped().is_used;
  std::vector<std::byte> news;
  if (is_used) {
    HeldRecords& partner = model_.held[*object];
    news = model_.view.news_with(effects, without, partner);
    partner.add(partner.missing(model_.view.records()));
  }
  model_.steps.push_back(step_to(*object, Channel::requests, tags::release, std::move(news)));
  model_.answers_rank = true;
}

bool RankDriver::begin_operation(const RemoteAccess& access, const AccessHeader& header) {
  const OperationView operation(access.data.subspan(sizeof header));
  Begun& begun = begun_as(access.request);
  begun = {};
  begun.kind = Begun::Kind::done;
  begun.returns = has_answer(operation.header().deed);
  begun.is_request = header.has_request != 0;
  Record record;
  record.owner = access.target.value;
  record.site = operation.site();
  const std::uint64_t window = access.context.value;
  record.separate = model_.windows[window].separate;
  record.window = window;
  bool is_begun = true;
  begun.is_in_fence = header.is_in_fence != 0;
  if (header.exposure > 0 || begun.is_in_fence) {
    record.exposure = begun.is_in_fence ? fence_exposure(header.fences) : header.exposure;
    record.is_exposed = false;
    begun.reads_late = operation.header().deed == Deed::get;
  }
  if (header.exposure > 0) {
    model_.windows[window].started[record.owner].exposure = header.exposure;
    if (begun.returns) await_exposure({window, record.owner});
    if (begun.returns) begun.needs = {window, record.owner};
  }
  if (const auto held = model_.windows[window].held.find(record.owner); held != model_.windows[window].held.end()) {
    if (!held->second.is_used) learn_from(held->second.object, held->second.news);
    held->second.is_used = true;
  }
  WindowState& state = model_.windows[window];
  const auto target = static_cast<std::size_t>(std::ranges::find(state.members, access.target) - state.members.begin());
  if (record.is_exposed && !model_.view.image().has(operation)) {
    begun.answer = {is_not_attached};
    state.open.emplace({target, state.issued[target]++}, {});
    return true;
  }
  const ObjectName place{ObjectKind::atom, window, record.owner, 0};
  const bool is_alone = !is_atomic(operation.header().deed) || is_idle(operation.header());
  if (is_alone || operation.header().blocks == 0) begin_whole(operation, record, begun);
  else is_begun = begin_elements(operation, record, begun, place);
  if (is_begun && header.has_request != 0) is_begun = make_request(begun);
  if (!is_begun) return true;
  if (record.exposure == 0) state.open.emplace({target, state.issued[target]++}, begun.records);
  if (!model_.steps.empty()) model_.answers_rank = true;
  if (begun.kind == Begun::Kind::done && !is_atomic(operation.header().deed)) model_.last_poll.reset();
  if (begun.kind == Begun::Kind::done && operation.header().deed == Deed::get && record.is_exposed)
    model_.reads.add(operation.message(), begun.answer);
  else model_.reads = {};
  report_races();
  return true;
}

// From the first operation with an answer on, MPI_Win_complete waits for the exposure.
void RankDriver::await_exposure(const WindowMember& member) {
  Started& epoch = model_.windows[member.window].started[member.owner];
  if (epoch.receive) return;
  const auto [context, tag] = exposure_channel({member.owner}, member.window, epoch.exposure);
  OwnStep step;
  step.kind = OwnStep::Kind::receive;
  step.peer = {member.owner};
  step.context = context;
  step.tag = tag;
  step.blocking = false;
  model_.steps.push_back(std::move(step));
  epoch.receive = {model_.requests + static_cast<std::uint32_t>(model_.steps.size()) - 1};
}

// A message of the rank to itself stands for the request: the driver decides when it is complete.
bool RankDriver::make_request(Begun& begun) {
  if (begun.kind == Begun::Kind::parts) {
    if (begun.parts.size() == 1 && begun.returns) return true;
    model_.missing = "a request of an atomic operation of several elements, or of MPI_REPLACE";
    return false;
  }
  OwnStep step;
  step.peer = rank_;
  step.context = {self_context};
  model_.steps.push_back(step);
  step.kind = OwnStep::Kind::receive;
  step.blocking = false;
  model_.steps.push_back(step);
  begun.kind = Begun::Kind::plain;
  begun.number = {model_.requests + static_cast<std::uint32_t>(model_.steps.size()) - 1};
  return true;
}

// A put, a get, or an accumulate whose order does not matter. A get takes effect now: what can change its value later
// would be a race.
void RankDriver::begin_whole(const OperationView& operation, Record record, Begun& begun) {
  const std::span<const std::byte> message = operation.message();
  record.data.assign(message.begin(), message.end());
  for (std::uint64_t i = 0; i < operation.header().blocks; ++i) {
    const TargetBlock block = operation.block(i);
    const auto address = reinterpret_cast<std::uintptr_t>(block.address);
    record.memory.push_back({address, address + operation.bytes_of(block)});
  }
  begun.answer = {was_done};
  if (operation.header().deed == Deed::get && record.is_exposed) model_.view.image().carry_out(message, begun.answer);
  begun.records.push_back(model_.view.add(std::move(record))->id);
}

// Each element of an atomic operation takes effect by itself.
bool RankDriver::begin_elements(const OperationView& operation, const Record& record, Begun& begun, ObjectName place) {
  const OperationHeader& header = operation.header();
  const std::uintptr_t base = model_.windows[place.window].bases[record.owner];
  const auto extent = static_cast<std::uint64_t>(predefined_datatype(header.element)->extent());
  const bool needs_object = needs_order(header) && !is_replacement(header);
  bool is_ordered = needs_object;
  for (std::uint64_t i = 0; i < header.blocks && !is_ordered; ++i) {
    place.place = reinterpret_cast<std::uintptr_t>(operation.block(i).address) - base;
    is_ordered = objects_.contains_element(place, operation.block(i).count, extent);
  }
  if (!is_ordered) {
    begin_whole(operation, record, begun);
    return true;
  }
  if (element_count(operation) > most_elements) {
    model_.missing = "the order of atomic operations of more than 16 elements";
    return false;
  }
  std::vector<std::pair<TargetBlock, ObjectName>> elements;
  std::vector<ObjectName> unknown;
  for (std::uint64_t i = 0; i < header.blocks; ++i)
    for (std::uint64_t k = 0; k < operation.block(i).count; ++k) {
      const TargetBlock at{operation.block(i).address + k * extent, 1};
      place.place = reinterpret_cast<std::uintptr_t>(at.address) - base;
      elements.emplace_back(at, place);
      if (needs_object && !objects_.contains(place)) unknown.push_back(place);
    }
  if (!unknown.empty()) {
    model_.missing = missing_objects(unknown);
    return false;
  }
  std::uint64_t number = 0;
  begun.answer = {was_done};
  for (const auto& [at, name] : elements) {
    Record one = record;
    one.data = element_of(operation, at, number++);
    const auto address = reinterpret_cast<std::uintptr_t>(at.address);
    one.memory = {{address, address + extent}};
    const auto object = objects_.find(name);
    ObjectName poll = name;
    poll.kind = ObjectKind::poll;
    if (object && !ask_object(*object, std::move(one), poll, begun)) return false;
    if (!object) begun.records.push_back(model_.view.add(std::move(one))->id);
  }
  return true;
}

// Whether earlier atomic operations of the rank on this window may still wait for an exposure.
bool RankDriver::is_behind_start_epoch(const Record& record) const {
  return std::ranges::any_of(model_.view.records(), [&](const auto& entry) {
    const Record& other = *entry.second;
    return other.id.actor == rank_.value && other.owner == record.owner && other.exposure > 0 &&
           is_atomic(OperationView(other.data).header().deed) && !is_known(other, model_.view.known());
  });
}

// Whether the operation repeats the last poll. False: the rank cannot continue.
bool RankDriver::note_poll(LastPoll asked, bool reads, bool is_polled, const ObjectName& poll, Repeats& repeats) {
  constexpr std::uint32_t most_polls = 100;
  const bool is_repeated = reads && model_.last_poll == asked;
  if (is_repeated && !is_polled) {
    model_.missing = missing_objects({poll});
    return false;
  }
  if (is_repeated) repeats = model_.polls_forever ? Repeats::forever : Repeats::yes;
  model_.polls = is_repeated ? model_.polls + 1 : 0;
  if (model_.polls > most_polls) {
    model_.missing = "a loop that reads an unchanged value of a window more than 100 times in a row";
    model_.polls_endlessly = true;
    return false;
  }
  model_.has_polled = model_.has_polled || repeats == Repeats::yes;
  if (reads) model_.last_poll = std::move(asked);
  else model_.last_poll.reset();
  return true;
}

// Sends the operation on one element to its object. False: the rank cannot continue.
bool RankDriver::ask_object(ActorId object, Record record, const ObjectName& poll, Begun& begun) {
  const OperationHeader header = OperationView(record.data).header();
  const bool is_polled = objects_.contains(poll);
  const bool is_update = !needs_order(header) && !is_polled;
  const bool reads = header.deed == Deed::swap || (header.deed == Deed::fetch && header.op == OpCode::no_op);
  const ObjectName gate_name{ObjectKind::gate, poll.window, poll.owner, rank_.value};
  const auto gate = objects_.find(gate_name);
  if (record.exposure > 0 && !gate) model_.missing = missing_objects({gate_name});
  if (record.exposure == 0 && gate && is_behind_start_epoch(record))
    model_.missing = "an atomic operation in an epoch of locks behind unfinished ones in another epoch";
  if (!model_.missing.empty()) return false;
  AtomicRequest request;
  if (!note_poll({object, record.data}, reads, is_polled, poll, request.repeats)) return false;
  record.is_settled = is_update;
  const RecordRef made = model_.view.add(std::move(record));
  request.operation = made->id;
  request.updates.resize(program_.actor_count());
  if (!is_polled) {
    request.updates = model_.view.updates_before(*made);
    request.updates[rank_.value] = model_.added[object];
  }
  // A request comes behind all earlier ones of the rank, and an update behind the earlier requests. To a gate, each
  // comes behind all earlier ones.
  HeldRecords& held = model_.held[gate ? *gate : object];
  request.news = {*made->known, held.missing(model_.view.records()), 0, rank_.value, model_.view.held_rows()};
  if (gate || !is_update) held.add(request.news.records);
  const Channel channel = is_update ? Channel::updates : Channel::requests;
  const auto tag = is_update ? static_cast<Tag>(model_.asked[object]) : tags::request;
  const GateMessage message{object, channel, tag, made->exposure, !is_polled, write_request(request)};
  if (gate) model_.steps.push_back(step_to(*gate, Channel::requests, tags::request, write_gate_message(message)));
  else model_.steps.push_back(step_to(object, channel, tag, message.request));
  begun.records.push_back(made->id);
  if (is_update) {
    ++model_.added[object];
    return true;
  }
  ++model_.asked[object];
  const bool is_of_start_epoch = made->exposure > 0 && !is_by_fence(made->exposure);
  if (is_of_start_epoch && !has_answer(header.deed)) return true;  // the owner waits for it
  model_.steps.push_back(answer_from(object, tags::answer, false));
  begun.kind = Begun::Kind::parts;
  begun.asked.push_back(made->id);
  begun.parts.push_back({model_.requests + static_cast<std::uint32_t>(model_.steps.size()) - 1});
  return true;
}

}  // namespace rehearse::smpi::model
