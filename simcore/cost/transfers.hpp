// SPDX-License-Identifier: MIT
//
// Transfers as activities of the fluid: their factors, weights, bounds and uses, and changes of these.
//
// Units:  bytes, bytes per second, seconds.
// Model:  by the network's parameters a transfer is a flow on its path, also one that waits for its predecessor on its
//         connection (connections.hpp) or for its turn at its host (transmit_queues.hpp), or a message in two phases
//         (log_gps.hpp).
// Source: simcore/network, which has the formulas.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "simcore/cost/connections.hpp"
#include "simcore/cost/cost_state.hpp"
#include "simcore/cost/slot_table.hpp"
#include "simcore/cost/transmit_queues.hpp"
#include "simcore/network/log_gps.hpp"

namespace rehearse::cost {

class Transfers {
 public:
  Transfers(CostState& state, SlotTable& slots)
      : state_(state),
        slots_(slots),
        messages_(state.parameters.loggps, state.parameters.changes.has_contention, state.platform.hosts().size()) {}

  bool are_messages() const { return state_.parameters.kind == network::NetworkKind::loggps; }
  // Opens the transfer, or lets it wait for its predecessor on its connection.
  void start(std::uint32_t index, const Transfer& transfer, TimePoint now);
  void open_message(std::uint32_t index, double bytes, TimePoint now);
  // Of a transfer that nothing else delays.
  Duration delay_of(network::Path& path, double bytes) { return terms_of(path, bytes, false).delay; }
  // A phase of a message is over. False: the message is complete. True: it has reached the port of its destination.
  bool go_on(std::uint32_t index, TimePoint now);
  // The transfer is over, or does not take place. Its successor flows.
  void end(std::uint32_t index, TimePoint now);

  double latency_factor(const network::Path& path, double bytes) const;
  double bandwidth_factor(const network::Path& path, double bytes) const;
  // Of the first frame of so many bytes on the links.
  double stored_seconds(const network::Path& path, double bytes) const {
    return std::min(state_.parameters.frame_bytes, bytes) * path.store_seconds_per_byte;
  }
  double bound_of(const Slot& slot);

  // Updates the transfer to its path, after a change of a link. With quirks, a flow keeps the least bandwidth at its
  // start as a bound (F2), drops this bound when a latency changes, and adds `weight_change` to its weight.
  void refresh(std::uint32_t index, double weight_change, bool has_new_latency, TimePoint now);
  // Updates the transfer after a change of the coefficients.
  void refresh_uses(std::uint32_t index, TimePoint now);

 private:
  struct Stream {
    std::optional<DiskId> read_from;
    std::optional<DiskId> write_to;
  };

  network::Path::Terms& terms_of(network::Path& path, double bytes, bool has_envelope);
  Duration time_in_queue(const network::Path& path, double amount, TimePoint now);
  void open(std::uint32_t index, network::Path::Terms& terms, Duration delay, TimePoint now);
  void open_next(std::uint32_t index, TimePoint now);
  std::span<const sharing::Use> uses_of(std::uint32_t index);

  CostState& state_;
  SlotTable& slots_;
  network::LogGps messages_;
  Connections connections_;  // only if the model has some
  TransmitQueues queues_;    // likewise
  std::unordered_map<std::uint32_t, Stream> streams_;
  std::vector<sharing::Use> uses_;
};

}  // namespace rehearse::cost
