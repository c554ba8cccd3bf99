// SPDX-License-Identifier: MIT
//
// The cost model `ns3`: transfers between hosts are packets that `rehearse-ns3` simulates with ns-3; all else is as in
// the fluid models.
//
// Shape:    see OtherCosts; this one observes the other model. Messages, envelopes, persistent connections and equal
//           routes are as in the model `packet`.
// Time:     the simulator runs up to the date that the caller allows, or up to the first end of a transfer.
// Limits:   the simulator shows no limits of transfers (has_limits()), and no path crosses a link twice.
// Errors:   make_ns3_cost_model: keys of `packet` that ns-3 does not have, links as in the model `packet`, no
//           simulator.
//           problem(): the simulator has ended during the run. Then no transfer ends any more.
// Threads:  none.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simcore/cost_model.hpp"
#include "simcore/ns3/simulated_paths.hpp"
#include "simcore/ns3/simulator_process.hpp"
#include "simcore/packet/other_costs.hpp"
#include "simcore/packet/streams.hpp"

namespace rehearse::ns3 {

Result<std::unique_ptr<CostModel>> make_ns3_cost_model(const ModelOptions& options, const Platform& platform,
                                                       std::unique_ptr<CostModel> others);

class Ns3CostModel final : public packet::OtherCosts, private ResourceObserver, private PacketNetwork {
 public:
  Ns3CostModel(const Platform& platform, std::unique_ptr<CostModel> others, const packet::Parameters& parameters,
               std::vector<packet::LinkParameters> own, const NetworkChanges& changes, bool has_profiles,
               std::unique_ptr<SimulatorProcess> process);

  using OtherCosts::start;
  std::optional<ActivityId> start(const Transfer& transfer, TimePoint now) override;
  void cancel(ActivityId activity, TimePoint now) override;
  void suspend(ActivityId activity, TimePoint now) override;
  void resume(ActivityId activity, TimePoint now) override;
  void set_rate(ActivityId activity, double rate, TimePoint now) override;
  double remaining(ActivityId activity, TimePoint now) override;
  double rate(ActivityId activity, TimePoint now) override;  // of a transfer: the mean since its start
  Limit limit(ActivityId activity, TimePoint now) override;
  bool has_limits() const override { return false; }
  void set_bandwidth(LinkId link, double bytes_per_second, TimePoint now) override;
  void set_latency(LinkId link, double seconds, TimePoint now) override;
  bool carries_envelopes() const override { return true; }
  std::optional<Duration> latency(HostId source, HostId destination, TimePoint now) override;
  TransferTerms terms(const Transfer& transfer, TimePoint now) override;
  TimePoint next_date() override;
  TimePoint next_end(TimePoint limit) override;
  bool is_busy() const override { return active_ > 0 || others_->is_busy(); }
  const PacketNetwork* packets() const override { return problem() == nullptr ? this : nullptr; }
  const std::string* problem() const override;
  void advance(TimePoint now, std::vector<Ended>& ended) override;

 private:
  enum class SlotState : std::uint8_t { free, active, failed, done };
  struct Slot {
    SlotState state = SlotState::free;
    std::uint32_t connection = 0;
    HostId source, destination;
    double bytes = 0;
    double rate = unlimited;
    std::uint64_t message = 0;  // its number, by start
    TimePoint started;
    PacketFlow totals;
  };
  struct Connection {
    std::uint32_t path = 0;
    bool is_persistent = false;
    bool is_closed = false;
    PacketFlow totals;  // up to the end of the last message
  };

  Slot& slot(ActivityId activity) { return slots_[activity.value / 2]; }

  void on_host_state(HostId host, bool is_on, TimePoint now) override;
  void on_link_state(LinkId link, bool is_on, TimePoint now) override;
  void on_link_bandwidth(LinkId link, double bytes_per_second, TimePoint now) override;
  void on_link_latency(LinkId link, double seconds, TimePoint now) override;
  PacketTotals totals() const override;
  SmallWindow small_window() const override { return {}; }
  std::vector<PacketLink> links() const override;
  PacketFlow flow(ActivityId ended) const override { return slots_[ended.value / 2].totals; }

  std::optional<std::uint32_t> connection_for(const Transfer& transfer, TimePoint now);
  std::uint32_t make_slot();
  void release(std::uint32_t index);
  bool is_usable(const Transfer& transfer, std::uint32_t connection, TimePoint now);
  void close(std::uint32_t connection);
  void fail(std::uint32_t index, TimePoint now);
  template <class Condition>
  void fail_if(const Condition& condition, TimePoint now);
  void run_until(TimePoint limit);
  void catch_up(TimePoint now);
  void end_message(const Done& done);
  Totals counts() const;

  const Platform& platform_;
  packet::Parameters parameters_;
  std::unique_ptr<SimulatorProcess> process_;
  SimulatedPaths paths_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> failed_;                         // to report
  std::vector<std::uint32_t> done_;                           // likewise
  std::unordered_map<std::uint64_t, std::uint32_t> slot_of_;  // by message
  packet::Streams streams_;
  std::vector<Connection> connections_;
  TimePoint date_;         // that the simulator has reached
  TimePoint next_event_;   // of the simulator, after date_
  bool has_news_ = false;  // for the simulator since then
  TimePoint report_date_;  // of failed_ and done_
  std::uint64_t messages_ = 0;
  std::uint32_t active_ = 0;
  std::uint64_t retransmissions_ = 0, timeouts_ = 0;  // until the last ends of messages
  std::string problem_;                               // of ours
  std::vector<Ended> theirs_;
};

}  // namespace rehearse::ns3
