// SPDX-License-Identifier: MIT
//
// See replay_profiler.hpp.
#include "app/trace/replay_profiler.hpp"

#include <algorithm>
#include <bit>
#include <variant>

namespace rehearse::app {
namespace {

std::uint64_t name_of_send(ActorId source, RequestId send) { return std::uint64_t{source.value} << 32 | send.value; }

// The use of time in an operation that nothing else ended.
Spent own_use(const Operation& operation) {
  if (std::holds_alternative<Compute>(operation)) return Spent::computation;
  if (std::holds_alternative<Sleep>(operation)) return Spent::pause;
  const auto* observe = std::get_if<Observe>(&operation);
  const auto* probe = std::get_if<Probe>(&operation);
  const bool is_poll = (observe != nullptr && !observe->blocking) || (probe != nullptr && !probe->blocking);
  return is_poll ? Spent::polling : Spent::overhead;
}

std::uint64_t bytes_of(const Operation& operation) {
  if (const auto* send = std::get_if<Send>(&operation)) return send->data.size();
  if (const auto* collective = std::get_if<Collective>(&operation)) return collective->contribution.size();
  return 0;
}

}  // namespace

Timeline& ReplayProfiler::listen(trace::ReplayedProgram& program, const Machine&) {
  program_ = &program;
  ranks_.resize(program.actor_count());
  rank_sums_.resize(program.actor_count());
  log_.segments.resize(program.actor_count());
  return *this;
}

// A call that the compiler copied (an inlined function, an unrolled loop) has one row for all copies.
std::uint32_t ReplayProfiler::row_of_place(const trace::ActionPlace& place, bool is_computation) {
  const std::string_view action = is_computation ? "computation" : place.action;
  const auto known = std::ranges::find_if(rows_, [&](const ProfileRow& row) {
    return row.action == action && row.function == place.function && row.file == place.file && row.line == place.line;
  });
  if (known != rows_.end()) return static_cast<std::uint32_t>(known - rows_.begin());
  return add_row(place, action);
}

std::uint32_t ReplayProfiler::add_row(const trace::ActionPlace& place, std::string_view action) {
  ProfileRow& row = rows_.emplace_back();
  row.action = action;
  row.function = place.function;
  row.file = place.file;
  row.line = place.line;
  return static_cast<std::uint32_t>(rows_.size() - 1);
}

std::uint32_t ReplayProfiler::row_of(ActorId actor, const Operation& operation) {
  const trace::ActionPlace place = program_->place(actor);
  const bool is_computation = std::holds_alternative<Compute>(operation);
  if (place.site != 0) {
    const std::size_t key = 2 * std::size_t{place.site} + (is_computation ? 1 : 0);
    if (key >= rows_of_sites_.size()) rows_of_sites_.resize(key + 1);
    if (rows_of_sites_[key] == 0) rows_of_sites_[key] = row_of_place(place, is_computation) + 1;
    return rows_of_sites_[key] - 1;
  }
  const std::string_view name = is_computation ? "computation" : place.action;
  const auto known = rows_of_actions_.find(name);
  if (known != rows_of_actions_.end()) return known->second;
  return rows_of_actions_[std::string(name)] = add_row(place, name);
}

void ReplayProfiler::on_visible(const SendName& send, ActorId destination, TimePoint now) {
  const std::uint64_t name = name_of_send(send.source, send.request);
  flights_[name].visible = now;
  ranks_[destination.value].last_visible = {name, now};
}

void ReplayProfiler::on_match(ActorId, RequestId, const SendName& send, TimePoint now) {
  flights_[name_of_send(send.source, send.request)].matched = now;
}

void ReplayProfiler::on_delivery(const Delivery& delivery) {
  const std::uint64_t name = name_of_send(delivery.source, delivery.send);
  const auto flight = flights_.find(name);
  const Flight dates = flight == flights_.end() ? Flight{delivery.arrived, delivery.arrived} : flight->second;
  if (flight != flights_.end()) flights_.erase(flight);
  WaitCause cause;
  cause.kind = WaitCause::Kind::message;
  cause.source = delivery.source.value;
  cause.destination = delivery.destination.value;
  const bool is_receive_late = dates.matched > dates.visible;
  cause.release = is_receive_late ? Release{delivery.destination.value, dates.matched}
                                  : Release{delivery.source.value, delivery.sent};
  const TimePoint date = std::max(delivery.arrived, dates.matched);
  ranks_[delivery.destination.value].completions.push_back({delivery.receive, date, cause});
  ranks_[delivery.source.value].completions.push_back({delivery.send, date, cause});
  if (const auto probed = probed_.find(name); probed != probed_.end()) {
    log_.causes[probed->second] = cause;
    log_.causes[probed->second].release = {delivery.source.value, delivery.sent};
    probed_.erase(probed);
  }
  ProfilePair& pair = pair_of(delivery.source.value, delivery.destination.value);
  ++pair.messages;
  pair.bytes += delivery.bytes;
  ProfileRank& sender = rank_sums_[delivery.source.value];
  ++sender.messages;
  sender.bytes += delivery.bytes;
  const std::uint64_t least = std::bit_floor(delivery.bytes);
  ProfileSize& size = sizes_[least];
  size.least = least;
  ++size.messages;
  size.bytes += delivery.bytes;
  size.flight = size.flight + (delivery.arrived - delivery.sent);
}

ProfilePair& ReplayProfiler::pair_of(std::uint32_t source, std::uint32_t destination) {
  ProfilePair& pair = pairs_[{source, destination}];
  pair.source = source;
  pair.destination = destination;
  return pair;
}

// The collective to which the call belongs: the n-th calls of all members on a context.
std::uint32_t ReplayProfiler::instance_of(ActorId actor, const Collective& operation, TimePoint begin) {
  Rank& rank = ranks_[actor.value];
  const std::uint64_t number = rank.collectives[operation.context.value]++;
  const auto [known, is_new] = instances_.try_emplace({operation.context.value, number}, 0);
  if (is_new) {
    known->second = static_cast<std::uint32_t>(log_.collectives.size());
    CollectiveArrivals& made = log_.collectives.emplace_back();
    made.flow = operation.flow;
    made.missing = static_cast<std::uint32_t>(operation.members.size());
    if (operation.root < operation.members.size()) made.root = operation.members[operation.root].value;
  }
  const std::uint32_t index = known->second;
  CollectiveArrivals& instance = log_.collectives[index];
  if (begin >= instance.last.date) instance.last = {actor.value, begin};
  const bool is_symmetric = instance.flow == Flow::all_to_all || instance.flow == Flow::nobody ||
                            instance.flow == Flow::optional;
  if (!is_symmetric) {
    if (actor.value == instance.root) instance.of_root = {actor.value, begin};
    const auto member = std::ranges::find(operation.members, actor) - operation.members.begin();
    instance.arrivals.push_back({static_cast<std::uint32_t>(member), actor.value, begin});
  }
  if (--instance.missing == 0) instances_.erase(known);
  return index;
}

std::uint32_t ReplayProfiler::add_cause(const WaitCause& cause) {
  log_.causes.push_back(cause);
  return static_cast<std::uint32_t>(log_.causes.size() - 1);
}

std::uint32_t ReplayProfiler::add_collective_cause(std::uint32_t instance) {
  WaitCause cause;
  cause.kind = WaitCause::Kind::collective;
  cause.instance = instance;
  return add_cause(cause);
}

// The departure of the message is known when it is delivered.
std::uint32_t ReplayProfiler::add_probe_cause(const Rank& rank, TimePoint end) {
  if (rank.last_visible.date != end || rank.last_visible.name == 0) return no_cause;
  return probed_[rank.last_visible.name] = add_cause({});
}

std::uint32_t ReplayProfiler::cause_of_wait(Rank& rank, const Observe& observe, TimePoint end) {
  const Completion* last = nullptr;
  for (const Completion& completion : rank.completions)
    if ((last == nullptr || completion.date >= last->date) &&
        std::ranges::find(observe.requests, completion.request) != observe.requests.end())
      last = &completion;
  if (last != nullptr && last->date == end) return add_cause(last->cause);
  for (const RequestId request : observe.requests)
    if (const auto open = rank.open_collectives.find(request.value); open != rank.open_collectives.end())
      return add_collective_cause(open->second);
  return last == nullptr ? no_cause : add_cause(last->cause);
}

// Of an operation that took time.
std::uint32_t ReplayProfiler::cause_of(ActorId actor, const Operation& operation, std::uint32_t instance,
                                       TimePoint end) {
  Rank& rank = ranks_[actor.value];
  if (std::holds_alternative<Collective>(operation)) return add_collective_cause(instance);
  if (const auto* observe = std::get_if<Observe>(&operation))
    return observe->blocking ? cause_of_wait(rank, *observe, end) : no_cause;
  if (const auto* probe = std::get_if<Probe>(&operation))
    return probe->blocking ? add_probe_cause(rank, end) : no_cause;
  std::optional<RequestId> request;
  if (const auto* send = std::get_if<Send>(&operation); send != nullptr && send->blocking) request = send->request;
  if (const auto* post = std::get_if<Post>(&operation); post != nullptr && post->blocking) request = post->request;
  if (!request) return no_cause;
  for (const Completion& completion : rank.completions)
    if (completion.request == *request && completion.date == end) return add_cause(completion.cause);
  return no_cause;
}

void ReplayProfiler::add_segment(ActorId actor, const Segment& segment) {
  if (segment.end > segment.begin) log_.segments[actor.value].push_back(segment);
}

void ReplayProfiler::on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) {
  Rank& rank = ranks_[actor.value];
  const std::uint32_t row = row_of(actor, operation);
  ++rows_[row].operations;
  rows_[row].bytes += bytes_of(operation);
  std::uint32_t instance = 0;
  if (const auto* collective = std::get_if<Collective>(&operation)) {
    instance = instance_of(actor, *collective, begin);
    if (!collective->blocking) rank.open_collectives[collective->request.value] = instance;
  }
  // What the rank paid for a message that it received before.
  add_segment(actor, {rank.last_end, begin, row, no_cause, Spent::overhead});
  if (end > begin) {
    const bool can_wait = !std::holds_alternative<Compute>(operation) && !std::holds_alternative<Sleep>(operation);
    const bool is_start = std::holds_alternative<Collective>(operation) && !std::get<Collective>(operation).blocking;
    const std::uint32_t cause = can_wait && !is_start ? cause_of(actor, operation, instance, end) : no_cause;
    add_segment(actor, {begin, end, row, cause, own_use(operation)});
  }
  const auto* observe = std::get_if<Observe>(&operation);
  if (observe != nullptr && observe->blocking && observe->quantifier == Quantifier::all)
    for (const RequestId request : observe->requests) rank.open_collectives.erase(request.value);
  rank.completions.clear();
  rank.last_end = end;
  rank.last_row = row;
}

void ReplayProfiler::sum_up(TimeProfile& profile) {
  for (std::uint32_t rank = 0; rank < log_.segments.size(); ++rank) {
    for (const Segment& segment : log_.segments[rank]) {
      const WaitCauses::Division parts = log_.divide(rank, segment);
      TimeByUse time;
      time[parts.first] = parts.at - segment.begin;
      time[parts.second] = time[parts.second] + (segment.end - parts.at);
      rows_[segment.row].time.add(time);
      rank_sums_[rank].time.add(time);
      if (segment.cause == no_cause || log_.causes[segment.cause].kind != WaitCause::Kind::message) continue;
      const WaitCause& cause = log_.causes[segment.cause];
      ProfilePair& pair = pair_of(cause.source, cause.destination);
      pair.late_sender = pair.late_sender + time[Spent::late_sender];
      pair.late_receiver = pair.late_receiver + time[Spent::late_receiver];
      pair.transfer = pair.transfer + time[Spent::transfer];
    }
  }
  if (rows_.empty()) return;
  log_.walk_critical_path(profile.end, [&](const WaitCauses::Piece& piece) {
    const Duration length = piece.end - piece.begin;
    for (TimeByUse* sum : {&rows_[piece.row].path, &rank_sums_[piece.rank].path, &profile.path})
      (*sum)[piece.use] = (*sum)[piece.use] + length;
  });
}

TimeProfile ReplayProfiler::finish(const RunResult& result) {
  TimeProfile profile;
  profile.end = result.end;
  // What a rank pays for its last messages, behind its last operation.
  for (std::uint32_t rank = 0; rank < ranks_.size() && !rows_.empty(); ++rank)
    add_segment({rank},
                {ranks_[rank].last_end, result.actors[rank].stopped, ranks_[rank].last_row, no_cause, Spent::overhead});
  sum_up(profile);
  profile.rows = std::move(rows_);
  profile.ranks = std::move(rank_sums_);
  std::ranges::stable_sort(profile.rows, [](const ProfileRow& one, const ProfileRow& other) {
    return one.time.all() > other.time.all();
  });
  for (auto& [ends, pair] : pairs_) profile.pairs.push_back(pair);
  for (auto& [least, size] : sizes_) profile.sizes.push_back(size);
  return profile;
}

}  // namespace rehearse::app
