// SPDX-License-Identifier: MIT
//
// The observer of a network of packets: hands its events to the recorders of links, connections and messages.
#include <algorithm>
#include <set>

#include "simcore/packet/empty_network.hpp"
#include "simcore/packet/observer.hpp"
#include "simcore/packet_statistics.hpp"
#include "simcore/statistics/connection_recorder.hpp"
#include "simcore/statistics/link_recorder.hpp"
#include "simcore/statistics/message_recorder.hpp"
#include "simcore/statistics/series_choice.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::statistics {
namespace {

constexpr std::uint64_t envelope_size = 32;

class PacketRecorder final : public PacketStatistics, private packet::Observer {
 public:
  explicit PacketRecorder(SeriesChoice choice) : choice_(std::move(choice)) {}

  packet::Observer& attach(const Platform& platform, const packet::Network& network) override {
    REHEARSE_ASSERT(network_ == nullptr, "one network for all statistics of a run");
    platform_ = &platform;
    network_ = &network;
    links_.emplace(platform, network, choice_);
    connections_.emplace(platform, network, choice_);
    return *this;
  }

  NetworkStatistics finish(TimePoint end) override {
    NetworkStatistics all;
    all.end_seconds = end.seconds();
    if (network_ == nullptr) return all;
    links_->finish(all, end.picoseconds);
    connections_->finish(all, end.picoseconds);
    messages_.finish(all);
    all.edges.assign(edges_.begin(), edges_.end());
    return all;
  }

 private:
  void on_transmission(std::uint32_t link, const packet::Packet& packet, Picoseconds start) override {
    links_->transmit(link, packet, start);
    const packet::Paths& paths = network_->fabric().paths();
    if ((packet.flags & packet::answer_flag) || !paths.is_first(packet.hop)) return;
    const packet::Fabric& fabric = network_->fabric();
    connections_->send(paths.end_of(packet.hop) / 2, start,
                       start + fabric.link(link).duration(fabric.wire_bytes(packet)));
  }
  void on_wait(std::uint32_t link, std::uint32_t bytes, Picoseconds from, Picoseconds until) override {
    links_->wait(link, bytes, from, until);
  }
  void on_requeue(std::uint32_t link, Picoseconds now) override { links_->requeue(link, now); }

  void on_message(std::uint32_t connection, std::uint64_t begin, std::uint64_t, bool has_envelope,
                  const Transfer& transfer) override {
    has_envelope_ = has_envelope;
    if (begin > 0) return;
    connections_->open(connection, transfer);
    const packet::Connection& opened = network_->ends()[connection];
    add_edges(opened.forward, transfer.source, transfer.destination);
    add_edges(opened.back, transfer.destination, transfer.source);
  }
  void on_close(std::uint32_t connection) override { connections_->close(connection); }
  void on_sender(std::uint32_t connection, Picoseconds now) override { connections_->sample(connection, now); }
  void on_timeout(std::uint32_t connection, Picoseconds waited, Picoseconds now) override {
    connections_->wait_for_timer(connection, waited, now);
  }
  void on_round_trip(std::uint32_t connection, Picoseconds time, Picoseconds now) override {
    connections_->measure(connection, time, now);
  }

  void on_start(std::uint32_t activity, std::uint32_t connection, const Transfer& transfer, Picoseconds now) override {
    connections_->sample(connection, now);
    const packet::Connection& of = network_->ends()[connection];
    const auto bytes = static_cast<std::uint64_t>(std::llround(transfer.bytes)) + (has_envelope_ ? envelope_size : 0);
    const Picoseconds ideal = packet::empty_network_time(network_->fabric(), network_->parameters(),
                                                         network_->fabric().paths().links(of.forward), bytes);
    messages_.start(activity, {connections_->record_of(connection), connection, transfer.kind, transfer.bytes, now,
                               ideal, of.totals.timer_wait});
  }
  void on_end(std::uint32_t activity, bool has_failed, Picoseconds now) override {
    const MessageRecorder::Start* message = messages_.find(activity);
    if (message == nullptr) return;
    connections_->sample(message->connection, now);
    if (!has_failed) connections_->arrive(message->record, message->kind, message->bytes);
    messages_.end(activity, has_failed, network_->ends()[message->connection].totals.timer_wait, now);
  }
  void on_cancel(std::uint32_t activity, Picoseconds now) override {
    if (const MessageRecorder::Start* message = messages_.find(activity))
      connections_->sample(message->connection, now);
    messages_.forget(activity);
  }

  void add_edges(std::uint32_t path, HostId from, HostId to) {
    const auto hosts = static_cast<std::uint32_t>(platform_->hosts().size());
    std::uint32_t last = from.value;
    const auto add = [&](std::uint32_t next) {
      if (next != last) edges_.emplace(std::min(last, next), std::max(last, next));
      last = next;
    };
    for (const std::uint32_t link : network_->fabric().paths().links(path))
      if (const std::uint32_t origin = network_->fabric().origin(link); origin < packet::distance_origin)
        add(hosts + origin);
    add(to.value);
  }

  SeriesChoice choice_;
  const Platform* platform_ = nullptr;
  const packet::Network* network_ = nullptr;
  std::optional<LinkRecorder> links_;
  std::optional<ConnectionRecorder> connections_;
  MessageRecorder messages_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges_;
  bool has_envelope_ = false;  // of the message that starts
};

}  // namespace
}  // namespace rehearse::statistics

namespace rehearse {

Result<std::unique_ptr<PacketStatistics>> make_packet_statistics(const std::string& series) {
  auto choice = statistics::SeriesChoice::parse(series);
  if (!choice) return choice.error();
  return std::unique_ptr<PacketStatistics>(std::make_unique<statistics::PacketRecorder>(std::move(choice.value())));
}

}  // namespace rehearse
