// SPDX-License-Identifier: MIT
//
// The cost model `packet`: transfers between hosts are packets; all else is as in the fluid models.
//
// Shape:   see OtherCosts; this one observes the other model.
// Messages: with a transport that has streams, each has an envelope of 32 bytes in front of its data; announcements and
//          answers are envelopes alone.
// Limits:  of concurrent flows on a link and functions of a link's capacity have no meaning for packets.
//          make_packet_cost_model() refuses platforms that have such limits. Observers of loads get packets.
// Errors:  make_packet_cost_model: keys, the property `packet` of a link, WIFI links, --packet-loss.
// Threads: none.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/packet/network.hpp"
#include "simcore/packet/observer_list.hpp"
#include "simcore/packet/other_costs.hpp"
#include "simcore/packet/platform_links.hpp"
#include "simcore/packet/routes.hpp"
#include "simcore/packet/streams.hpp"
#include "simcore/packet_relay.hpp"

namespace rehearse::packet {

Result<std::unique_ptr<CostModel>> make_packet_cost_model(const ModelOptions& options, const Platform& platform,
                                                          std::unique_ptr<CostModel> others);

class PacketCostModel final : public OtherCosts, private ResourceObserver, private PacketNetwork, private PacketRelay {
 public:
  PacketCostModel(const Platform& platform, std::unique_ptr<CostModel> others, const Parameters& parameters,
                  PlatformLinks links, const NetworkChanges& changes);

  // Before the first start.
  Result<void> capture(PacketCapture& capture);
  void record(PacketStatistics& statistics);
  void stop_when(const StopToken& stop) { network_.stop_when(stop); }

  using OtherCosts::start;
  std::optional<ActivityId> start(const Transfer& transfer, TimePoint now) override;
  void cancel(ActivityId activity, TimePoint now) override;
  void suspend(ActivityId activity, TimePoint now) override;
  void resume(ActivityId activity, TimePoint now) override;
  void set_rate(ActivityId activity, double rate, TimePoint now) override;
  double remaining(ActivityId activity, TimePoint now) override;
  // Of a transfer: the mean since its start.
  double rate(ActivityId activity, TimePoint now) override;
  Limit limit(ActivityId activity, TimePoint now) override;
  void set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) override;
  void set_latency(LinkId link, double seconds, TimePoint now) override;
  std::optional<Duration> latency(HostId source, HostId destination, TimePoint now) override;
  TransferTerms terms(const Transfer& transfer, TimePoint now) override;
  void observe(ResourceObserver& observer, ObserverNeeds needs) override;
  const PacketNetwork* packets() const override { return this; }
  bool has_streams() const override { return network_.parameters().streams > 1; }
  PacketRelay* relay() override { return this; }
  bool carries_envelopes() const override { return network_.parameters().transport != Transport::raw; }
  TimePoint next_date() override;
  TimePoint next_end(TimePoint limit) override;
  bool is_busy() const override { return active_ > 0 || others_->is_busy(); }
  void advance(TimePoint now, std::vector<Ended>& ended) override;

 private:
  enum class SlotState : std::uint8_t { free, active, failed, done };
  struct Slot {
    SlotState state = SlotState::free;
    bool is_suspended = false;
    std::uint32_t connection = nothing;
    HostId source, destination;
    double bytes = 0;
    double rate = unlimited;
    std::uint64_t serial = 0;  // of its start
    TimePoint started;
    PacketFlow totals;
  };

  Slot& slot(ActivityId activity) { return slots_[activity.value / 2]; }

  void on_host_state(HostId host, bool is_on, TimePoint now) override;
  void on_link_state(LinkId link, bool is_on, TimePoint now) override;
  void on_link_bandwidth(LinkId link, double bytes_per_second, TimePoint now) override;
  void on_link_latency(LinkId link, double seconds, TimePoint now) override;
  PacketTotals totals() const override;
  SmallWindow small_window() const override { return small_window_; }
  std::vector<PacketLink> links() const override;
  PacketFlow flow(ActivityId ended) const override { return slots_[ended.value / 2].totals; }

  // relay.cpp
  std::optional<std::uint32_t> open(HostId source, HostId destination, std::uint64_t flow, TimePoint now) override;
  void send(std::uint32_t path, std::uint64_t number, std::uint32_t bytes, TimePoint now) override;
  std::vector<RelayedPacket> take() override;

  void catch_up(TimePoint now);
  void collect();
  void note_window(const Slot& slot);
  void attach(Observer& observer);
  void clean_up();
  std::uint32_t make_slot();
  void release(std::uint32_t index);
  bool is_usable(const Transfer& transfer, TimePoint now);
  std::optional<std::uint32_t> connection_for(const Transfer& transfer, TimePoint now);
  std::uint32_t flows_over(std::uint32_t link) const;
  template <class Condition>
  void fail_if(const Condition& condition, TimePoint now);

  const Platform& platform_;
  Network network_;
  ObserverList observers_;
  std::vector<std::unique_ptr<Observer>> loads_;  // for observers of resources
  Observer* observer_ = nullptr;                  // null: none
  PairLosses pair_losses_;
  Routes routes_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> failed_;  // to report
  std::vector<std::uint32_t> done_;    // likewise
  Streams streams_;
  TimePoint report_date_;  // of failed_ and done_
  std::uint64_t serial_ = 0;
  std::uint32_t active_ = 0;
  std::vector<Ended> theirs_;
  SmallWindow small_window_;
  struct RelayPath {
    HostId source, destination;
    std::uint32_t connection = 0;
  };
  std::vector<RelayPath> relay_paths_;
  std::vector<RelayedPacket> refused_;  // packets of hosts that are off
};

}  // namespace rehearse::packet
