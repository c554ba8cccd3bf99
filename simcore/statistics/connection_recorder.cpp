// SPDX-License-Identifier: MIT
//
// See connection_recorder.hpp.
#include "simcore/statistics/connection_recorder.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/support/format.hpp"

namespace rehearse::statistics {

using packet::Connection;
using packet::Parameters;
using packet::SendingEnd;

std::uint32_t ConnectionRecorder::make_record(const Transfer& transfer) {
  const auto index = static_cast<std::uint32_t>(records_.size());
  if (index > listed_max) return index - 1;  // the last one has all others
  Record& record = records_.emplace_back();
  record.made.source = transfer.source;
  record.made.destination = transfer.destination;
  std::string name =
      fmt::format("{} -> {}", platform_.host(transfer.source).name, platform_.host(transfer.destination).name);
  if (index == listed_max) name = "others";
  if (const std::uint32_t number = ++names_[name]; number > 1) name += fmt::format(" #{}", number);
  record.made.name = name;
  if (choice_.takes_connection(name)) record.values.emplace(choice_.points_max());
  return index;
}

void ConnectionRecorder::open(std::uint32_t connection, const Transfer& transfer) {
  if (connection >= live_.size()) live_.resize(connection + 1);
  std::uint32_t record;
  if (transfer.connection == 0) {
    record = make_record(transfer);
  } else {
    const std::tuple key{transfer.connection, transfer.source, transfer.destination};
    const auto known = streams_.find(key);
    record = known != streams_.end() ? known->second : make_record(transfer);
    if (known == streams_.end()) streams_[key] = record;
  }
  live_[connection] = {};
  live_[connection].record = record;
}

void ConnectionRecorder::close(std::uint32_t connection) {
  if (record_of(connection) == packet::nothing) return;
  records_[live_[connection].record].totals += network_.ends()[connection].totals;
  live_[connection].record = packet::nothing;
}

double ConnectionRecorder::window_of(const Connection& connection) const {
  const Parameters& parameters = network_.parameters();
  if (parameters.transport == packet::Transport::raw) return 0;
  return std::min(connection.sender.window.bytes(), static_cast<double>(parameters.window));
}

ConnectionRecorder::Use ConnectionRecorder::use_of(const Connection& connection, Picoseconds now) const {
  const SendingEnd& sender = connection.sender;
  if (connection.delivered >= connection.messages.size() || connection.is_suspended) return Use::idle;
  if (connection.phase == packet::Phase::closed) return Use::idle;
  if (connection.phase != packet::Phase::open) return Use::peer;
  if (sender.offered > 0) return Use::sending;
  if (sender.recovery != packet::Recovery::none) return Use::network;
  if (sender.next >= sender.limit) return Use::peer;
  if (sender.may_start > now) return sender.rate_control ? Use::network : Use::sending;
  return sender.window.bytes() >= static_cast<double>(network_.parameters().window) ? Use::window : Use::network;
}

void ConnectionRecorder::pass(Live& live, Picoseconds now, std::optional<Use> use) {
  if (now <= live.since) return;
  Record& record = records_[live.record];
  const Picoseconds time = now - live.since;
  const Picoseconds sending = std::clamp<Picoseconds>(live.sent_at - live.since, 0, time);
  live.since = now;
  if (live.use == Use::idle) return;
  record.time[static_cast<int>(Use::sending)] += sending;
  record.time[static_cast<int>(use.value_or(live.use))] += time - sending;
  record.window_time += live.window * static_cast<double>(time);
}

void ConnectionRecorder::sample(std::uint32_t connection, Picoseconds now) {
  if (record_of(connection) == packet::nothing) return;
  Live& live = live_[connection];
  pass(live, now);
  live.since = std::max(live.since, now);
  Record& record = records_[live.record];
  const Connection& state = network_.ends()[connection];
  live.use = use_of(state, now);
  live.window = window_of(state);
  record.window_max = std::max(record.window_max, live.window);
  if (!record.values) return;
  const SendingEnd& sender = state.sender;
  if (live.window > 0) record.values->window.note(now, live.window);
  if (std::isfinite(sender.window.threshold())) record.values->threshold.note(now, sender.window.threshold());
  const std::uint64_t arrived = sender.scoreboard ? sender.scoreboard->received() : 0;
  const std::uint64_t flight = sender.next - std::min(sender.next, sender.acknowledged + arrived);
  record.values->flight.note(now, static_cast<double>(flight));
}

void ConnectionRecorder::send(std::uint32_t connection, Picoseconds start, Picoseconds end) {
  sample(connection, start);
  if (record_of(connection) != packet::nothing) live_[connection].sent_at = end;
}

void ConnectionRecorder::wait_for_timer(std::uint32_t connection, Picoseconds, Picoseconds now) {
  if (record_of(connection) == packet::nothing) return;
  pass(live_[connection], now, Use::network);
}

void ConnectionRecorder::measure(std::uint32_t connection, Picoseconds time, Picoseconds now) {
  if (record_of(connection) == packet::nothing) return;
  Record& record = records_[live_[connection].record];
  record.round_trips.add(static_cast<double>(time) * 1e-12);
  if (record.values) record.values->round_trip.note(now, static_cast<double>(time) * 1e-12);
}

void ConnectionRecorder::arrive(std::uint32_t record, TransferKind kind, double bytes) {
  ConnectionStatistics& made = records_[record].made;
  if (kind == TransferKind::announcement || kind == TransferKind::answer) {
    ++made.envelopes;
    return;
  }
  ++made.messages;
  made.bytes += static_cast<std::uint64_t>(std::llround(bytes));
}

void ConnectionRecorder::finish(NetworkStatistics& all, Picoseconds end) {
  for (std::uint32_t i = 0; i < live_.size(); ++i) {
    if (live_[i].record == packet::nothing) continue;
    pass(live_[i], end);
    close(i);
  }
  const auto seconds = [](Picoseconds time) { return static_cast<double>(time) * 1e-12; };
  for (Record& record : records_) {
    ConnectionStatistics& made = record.made;
    made.retransmissions = record.totals.retransmissions;
    made.recoveries = record.totals.recoveries;
    made.timeouts = record.totals.timeouts;
    made.drops = record.totals.drops;
    made.timer_wait_seconds = seconds(record.totals.timer_wait);
    made.round_trips = record.round_trips.count();
    made.round_trip_min = record.round_trips.least();
    made.round_trip_mean = record.round_trips.mean();
    made.round_trip_p99 = record.round_trips.at(0.99);
    made.sending_seconds = seconds(record.time[static_cast<int>(Use::sending)]);
    made.stalled_window_seconds = seconds(record.time[static_cast<int>(Use::window)]);
    made.stalled_network_seconds = seconds(record.time[static_cast<int>(Use::network)]);
    made.stalled_peer_seconds = seconds(record.time[static_cast<int>(Use::peer)]);
    made.busy_seconds = made.sending_seconds + made.stalled_window_seconds + made.stalled_network_seconds +
                        made.stalled_peer_seconds;
    made.window_max = record.window_max;
    if (made.busy_seconds > 0) {
      made.window_mean = record.window_time * 1e-12 / made.busy_seconds;
      made.goodput = static_cast<double>(made.bytes) / made.busy_seconds;
    }
    if (record.values)
      for (const auto& [quantity, series] : {std::pair{"window", &record.values->window},
                                             {"threshold", &record.values->threshold},
                                             {"flight", &record.values->flight},
                                             {"round_trip", &record.values->round_trip}})
        if (!series->empty()) all.series.push_back({made.name, quantity, series->finish(end)});
    all.connections.push_back(std::move(made));
  }
}

}  // namespace rehearse::statistics
