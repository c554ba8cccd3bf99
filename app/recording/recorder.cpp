// SPDX-License-Identifier: MIT
//
// From operations to calls: all operations of one call are one interval.
#include "app/recording/recorder.hpp"

#include <algorithm>
#include <set>

#include "properties/process_failures.hpp"
#include "properties/wait_graph.hpp"
#include "simcore/actor_context.hpp"
#include "simcore/birth.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t most_passages = 50'000;  // inside collectives, of which a run may have millions
constexpr std::size_t most_pairs = 20'000;     // of hosts, whose routes are recorded

Doing doing_of(const Operation& operation) {
  if (std::holds_alternative<Send>(operation)) return Doing::send;
  if (std::holds_alternative<Post>(operation)) return Doing::receive;
  if (std::holds_alternative<Observe>(operation) || std::holds_alternative<Await>(operation)) return Doing::wait;
  if (std::holds_alternative<Probe>(operation)) return Doing::probe;
  if (std::holds_alternative<Collective>(operation)) return Doing::collective;
  if (std::holds_alternative<Compute>(operation)) return Doing::computation;
  if (std::holds_alternative<Sleep>(operation)) return Doing::pause;
  return Doing::other;
}

// The activity of a call with both activities.
Doing both(Doing one, Doing other) {
  const bool sends = one == Doing::send || other == Doing::send;
  const bool receives = one == Doing::receive || other == Doing::receive;
  return sends && receives ? std::max(Doing::exchange, std::max(one, other)) : std::max(one, other);
}

// It takes no time, and other ranks cannot observe it.
bool is_silent(const Operation& operation) {
  return std::holds_alternative<Log>(operation) || std::holds_alternative<Report>(operation) ||
         std::holds_alternative<Release>(operation) || std::holds_alternative<Clock>(operation) ||
         std::holds_alternative<Work>(operation);
}

std::uint32_t& at(std::vector<std::uint32_t>& numbers, RequestId request) {
  if (request.value >= numbers.size()) numbers.resize(request.value + 1, none);
  return numbers[request.value];
}

}  // namespace

Recorder::Recorder(Program& program, const Platform& platform, CostModel* costs)
    : program_(program), platform_(platform), ranks_(program.actor_count()) {
  if (costs != nullptr) resources_.emplace(platform, *costs);
  recording_.places.emplace_back();
  places_[{}] = 0;
}

void Recorder::on_computation(ActorId actor, TimePoint begin, TimePoint end) {
  RankState& rank = ranks_[actor.value];
  rank.last = static_cast<std::uint32_t>(recording_.intervals.size());
  rank.call_number = 0;
  Interval& interval = recording_.intervals.emplace_back();
  interval.rank = actor.value;
  interval.begin = begin;
  interval.end = end;
  interval.doing = Doing::computation;
}

void Recorder::on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) {
  const bool is_brief = is_silent(operation) || std::holds_alternative<Await>(operation);
  if ((is_brief && begin == end) || awaits_birth(operation)) return;
  const auto* send = std::get_if<Send>(&operation);
  if (send != nullptr && send->context == service_context) return;  // by an actor that is no rank
  if (const auto* compute = std::get_if<Compute>(&operation)) {
    on_computation(actor, begin, end);
    recording_.intervals.back().flops = compute->flops;
    return;
  }
  const std::uint32_t interval = interval_of(actor, operation, begin, end);
  RankState& rank = ranks_[actor.value];
  if (send != nullptr) note(actor, interval, *send, begin);
  if (const auto* post = std::get_if<Post>(&operation)) note_start(rank, post->request, interval);
  if (const auto* collective = std::get_if<Collective>(&operation)) {
    note_start(rank, collective->request, interval);
    recording_.intervals[interval].collective = collective_of(rank, *collective);
    recording_.intervals[interval].bytes = collective->contribution.size();
    if (!collective->blocking) nonblocking_.push_back({interval, collective->request});
  }
  if (const auto* observe = std::get_if<Observe>(&operation))
    for (const RequestId request : observe->requests) at(rank.ends, request) = interval;
}

// The interval of its call, which may exist already.
std::uint32_t Recorder::interval_of(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) {
  RankState& rank = ranks_[actor.value];
  const std::uint64_t number = smpi::call_number(program_, actor);
  if (number != 0 && number == rank.call_number) {
    Interval& known = recording_.intervals[rank.last];
    known.end = end;
    known.doing = both(known.doing, doing_of(operation));
    return rank.last;
  }
  smpi::CallText text = smpi::call_text(program_, actor);
  if (text.call.empty()) text.call = program_.describe(actor).call;  // no MPI program, or a call that is not counted
  Interval interval;
  interval.rank = actor.value;
  interval.text = recording_.texts.add(text.call.empty() ? kind_name(operation) : text.call);
  interval.region = recording_.texts.add(text.region);
  interval.place = place_of(actor, rank);
  interval.begin = begin;
  interval.end = end;
  interval.doing = doing_of(operation);
  rank.call_number = number;
  if (repeats_last(interval, rank.last)) {
    ++recording_.intervals[rank.last].times;
    return rank.last;
  }
  rank.last = static_cast<std::uint32_t>(recording_.intervals.size());
  recording_.intervals.push_back(interval);
  return rank.last;
}

// Unsuccessful polls at one date, of which there may be a thousand, are one interval.
bool Recorder::repeats_last(const Interval& interval, std::uint32_t last) const {
  if (last == none || (interval.doing != Doing::wait && interval.doing != Doing::probe)) return false;
  const Interval& before = recording_.intervals[last];
  return interval.begin == interval.end && before.begin == interval.begin && before.end == interval.end &&
         before.text == interval.text && before.place == interval.place && before.doing == interval.doing;
}

std::uint32_t Recorder::place_of(ActorId actor, RankState& rank) {
  const std::uint64_t site = program_.site(actor);
  if (site == 0) return add_place(program_.describe(actor));
  const auto [known, is_new] = rank.places.try_emplace(site, 0);
  if (is_new) known->second = add_place(program_.describe(actor));
  return known->second;
}

std::uint32_t Recorder::add_place(const CallDescription& description) {
  if (description.frames.empty()) return 0;
  const Frame& frame = description.frames.front();
  const RecordedPlace place{recording_.texts.add(frame.function), recording_.texts.add(frame.file), frame.line};
  const auto [known, is_new] = places_.try_emplace(place, static_cast<std::uint32_t>(recording_.places.size()));
  if (is_new) recording_.places.push_back(place);
  return known->second;
}

std::uint32_t Recorder::context_number(ContextId context) {
  return contexts_.try_emplace(context.value, static_cast<std::uint32_t>(contexts_.size())).first->second;
}

void Recorder::note_start(RankState& rank, RequestId request, std::uint32_t interval) {
  at(rank.starts, request) = interval;
}

RecordedMessage& Recorder::message(ActorId source, RequestId send) {
  std::uint32_t& number = at(ranks_[source.value].messages, send);
  if (number == none) {
    number = static_cast<std::uint32_t>(recording_.messages.size());
    recording_.messages.emplace_back().source = source.value;
    receives_.push_back({none, {}});
    sends_.push_back(send);
  }
  return recording_.messages[number];
}

void Recorder::note(ActorId actor, std::uint32_t interval, const Send& send, TimePoint begin) {
  note_start(ranks_[actor.value], send.request, interval);
  if (is_service(send.context, send.tag)) return;
  RecordedMessage& message = this->message(actor, send.request);
  if (message.sender != none) return;
  message.sender = interval;
  message.destination = send.destination.value;
  message.tag = send.tag;
  message.context = context_number(send.context);
  message.bytes = send.data.size();
  if (receives_[ranks_[actor.value].messages[send.request.value]].first == none) message.sent = begin;
}

void Recorder::on_delivery(const Delivery& delivery) {
  if (is_service(delivery.context, delivery.tag)) return;
  RecordedMessage& message = this->message(delivery.source, delivery.send);
  message.destination = delivery.destination.value;
  message.tag = delivery.tag;
  message.context = context_number(delivery.context);
  message.bytes = delivery.bytes;
  message.sent = delivery.sent;
  message.arrived = delivery.arrived;
  receives_[ranks_[delivery.source.value].messages[delivery.send.value]] = {delivery.destination.value,
                                                                            delivery.receive};
}

void Recorder::on_inner_delivery(const InnerDelivery& delivery) {
  if (recording_.passages.size() == most_passages) {
    ++recording_.passages_more;
    return;
  }
  recording_.passages.push_back(
      {delivery.source.value, delivery.destination.value, delivery.bytes, delivery.sent, delivery.arrived});
}

// The n-th collective calls of the members of a context belong together.
std::uint32_t Recorder::collective_of(RankState& rank, const Collective& operation) {
  const std::uint32_t context = context_number(operation.context);
  const std::uint64_t number = rank.collectives[context]++;
  const auto [known, is_new] =
      collectives_.try_emplace({context, number}, static_cast<std::uint32_t>(recording_.collectives.size()));
  const bool is_rooted = operation.flow == rehearse::Flow::root_to_all || operation.flow == rehearse::Flow::all_to_root;
  if (recording_.members.size() <= context) recording_.members.resize(context + 1);
  if (auto& members = recording_.members[context]; members.empty())
    for (const ActorId member : operation.members) members.push_back(member.value);
  if (is_new)
    recording_.collectives.push_back({recording_.texts.add(operation.name), context, number, operation.hints.kind,
                                      is_rooted ? operation.root : none});
  return known->second;
}

Recording Recorder::finish(const RunResult& result) {
  recording_.end = result.end;
  for (const Interval& interval : recording_.intervals) recording_.end = std::max(recording_.end, interval.end);
  add_stops(result);
  for (std::size_t i = 0; i < recording_.messages.size(); ++i) {
    RecordedMessage& message = recording_.messages[i];
    const auto& [rank, request] = receives_[i];
    message.sender_end = at(ranks_[message.source].ends, sends_[i]);
    if (rank == none) {
      message.arrived = recording_.end;
      continue;
    }
    message.receiver = at(ranks_[rank].starts, request);
    message.receiver_end = at(ranks_[rank].ends, request);
  }
  for (const auto& [interval, request] : nonblocking_)
    recording_.completions.push_back({interval, at(ranks_[recording_.intervals[interval].rank].ends, request)});
  if (!result.was_cut) add_waits(result.outcome);
  if (resources_) resources_->finish(recording_);
  std::vector<HostId> hosts;
  for (const ActorResult& actor : result.actors) hosts.push_back(actor.host);
  if (resources_) add_edges(hosts);
  return std::move(recording_);
}

void Recorder::add_stops(const RunResult& result) {
  for (std::uint32_t i = 0; i < result.actors.size(); ++i) {
    RecordedStop& stop = recording_.stops.emplace_back();
    stop.host = result.actors[i].host;
    stop.time = result.actors[i].stopped;
    stop.state = result.outcome.actors[i].state;
    if (stop.state != ActorOutcome::State::ended) stop.interval = last_stand({i}, result);
    if (properties::has_failed(result.outcome, {i})) stop.state = ActorOutcome::State::failed;
  }
}

// The interval of the call from which the rank never returned; none if there is none.
std::uint32_t Recorder::last_stand(ActorId actor, const RunResult& result) {
  const auto& where = result.actors[actor.value].where;
  const TimePoint begin = result.actors[actor.value].stopped;
  if (!where || where->call.empty()) return none;
  const Operation& operation = program_.next(actor);
  on_operation(actor, operation, begin, recording_.end);
  const std::uint32_t last = ranks_[actor.value].last;
  if (last != none && !is_silent(operation)) recording_.intervals[last].is_open = true;
  return last;
}

void Recorder::add_waits(const Outcome& outcome) {
  const Outcome seen = properties::without_notices(outcome);
  const properties::WaitGraph graph(seen);
  for (std::uint32_t i = 0; i < recording_.stops.size(); ++i) {
    if (!graph.is_blocked({i})) continue;
    for (const ActorId provider : graph.reason({i}).providers) recording_.stops[i].waits_for.push_back(provider.value);
  }
}

// Neighbours on the routes between all pairs of hosts that exchanged messages, up to a bound.
void Recorder::add_edges(std::span<const HostId> hosts) {
  std::set<std::pair<HostId, HostId>> pairs;
  for (const RecordedMessage& message : recording_.messages) {
    if (pairs.size() >= most_pairs) break;
    pairs.emplace(hosts[message.source], hosts[message.destination]);
    pairs.emplace(hosts[message.destination], hosts[message.source]);  // handshakes, acknowledgements
  }
  // Algorithms of collectives send to ranks at distances of powers of two, to roots, and along rings.
  const std::size_t ranks = hosts.size();
  for (std::size_t distance = 1; distance < ranks && !recording_.collectives.empty(); distance *= 2) {
    for (std::size_t rank = 0; rank < ranks && pairs.size() < most_pairs; ++rank) {
      for (const std::size_t other : {rank ^ distance, (rank + distance) % ranks, ranks - 1}) {
        if (other >= ranks) continue;
        pairs.emplace(hosts[rank], hosts[other]);
        pairs.emplace(hosts[other], hosts[rank]);
      }
    }
  }
  const auto first_link = static_cast<std::uint32_t>(platform_.hosts().size());
  std::set<RecordedEdge> edges;
  const auto add = [&edges](std::uint32_t one, std::uint32_t other) {
    edges.insert({std::min(one, other), std::max(one, other)});
  };
  for (const auto& [from, to] : pairs) {
    Route route;
    if (from == to || !platform_.find_route(from, to, route)) continue;
    std::uint32_t before = from.value;
    for (const LinkId link : route.links) {
      add(before, first_link + link.value);
      before = first_link + link.value;
    }
    add(before, to.value);
  }
  recording_.edges.assign(edges.begin(), edges.end());
}

}  // namespace rehearse::app
