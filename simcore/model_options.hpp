// SPDX-License-Identifier: MIT
//
// The choice of cost models and their parameters. A missing parameter has the value of the chosen network model.
//
// Units: bytes, seconds, bytes per second.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simcore/contention.hpp"
#include "simcore/packet_loss.hpp"
#include "simcore/platform.hpp"
#include "simcore/slow_hosts.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"
#include "simcore/time.hpp"

namespace rehearse {

class PacketCapture;
class PacketStatistics;

// A factor for sizes strictly above a bound, up to the bound of the next piece; 1 below the first.
struct FactorPiece {
  double above_bytes = 0;
  double factor = 1;
};

// In place of tables. The links are those of the route.
using NetworkFactor =
    std::function<double(double bytes, HostId source, HostId destination, std::span<const LinkId> links)>;

// Parameters of `loggps`; see simcore/network/log_gps.hpp.
struct LogGpsOptions {
  std::optional<double> latency = {};                            // L; default: that of the route
  double overhead = 0;                                           // o, at each end
  double gap = 0;                                                // g, between messages at one port
  std::optional<double> gap_per_byte = {};                       // G; default: 1 / the smallest bandwidth on the route
  double eager_bytes = std::numeric_limits<double>::infinity();  // S; above it, a handshake comes first
};

// A network that is another one than the platform's, for questions such as "and with twice the bandwidth?".
struct NetworkChanges {
  double latency_factor = 1;    // of all latencies; 0: none
  double bandwidth_factor = 1;  // of all bandwidths; infinite: a transfer takes no longer than an empty one
  bool has_contention = true;   // false: no transfer takes bandwidth from another one
  bool has_overheads = true;    // false: messages cost the hosts nothing (`o` of loggps)

  bool has_bandwidths() const { return bandwidth_factor < std::numeric_limits<double>::infinity(); }
};

struct ModelOptions {
  std::string network = {};                       // empty: the model of the platform file, or lv08
  std::optional<double> cross_traffic = {};       // bytes on the reverse route for each byte; 0: none
  std::optional<double> window_bytes = {};        // 0: no bound
  std::optional<double> weight_bytes = {};        // 0: all flows weigh the same
  std::vector<FactorPiece> latency_factors = {};  // empty: the model's
  std::vector<FactorPiece> bandwidth_factors = {};
  NetworkFactor latency_factor = {};  // if set, instead of tables
  NetworkFactor bandwidth_factor = {};
  std::optional<double> loopback_bandwidth = {};  // of hosts without their own loopback
  std::optional<double> loopback_latency = {};
  double delay_seconds = 1;  // of every transfer, by `constant`
  // Of library_network: see simcore/network/library_parameters.hpp.
  std::optional<double> envelope_bytes = {};        // in front of the data of each message
  std::optional<double> frame_bytes = {};           // that each further link stores before it forwards; 0: none
  std::optional<double> transmit_queue_bytes = {};  // largest message in the transmit queue of its host; 0: no queue
  std::vector<ContentionPiece> contention = {};     // empty: the model's
  LogGpsOptions loggps = {};
  PacketCapture* capture = nullptr;            // of `packet`, and of one cost model
  std::string packet = {};                     // KEY=VALUE,... of `packet` and `ns3`; see simcore/packet/parameters.hpp
  std::vector<PacketLoss> packet_losses = {};  // of `packet`, besides those of its keys
  std::vector<SlowHost> slow_hosts = {};       // for the maker of the platform: models take the links as they are there
  std::function<void(TimePoint)> on_progress = {};  // gets the dates that `ns3` reaches, about twice a second
  PacketStatistics* statistics = nullptr;           // likewise
  StopToken stop = {};  // of `packet` and `ns3`: after a request, next_end() and advance() may end before their dates
  NetworkChanges changes = {};

  std::string parallel = {};  // solver for parallel tasks: bmf (if empty) or fair-bottleneck
  std::function<double(HostId, double flops)> compute_factor = {};  // multiplies speed
  std::function<double(DiskId, double bytes, bool is_write)> disk_factor = {};

  bool simgrid_quirks = false;    // departures of SimGrid from its own documentation, for comparison
  std::uint64_t seed = 1;         // of stochastic profiles
  std::uint64_t packet_seed = 1;  // of `packet` and `ns3`, if `packet` has no key `seed`
};

// A number, the factor of all sizes, or pieces `bound:factor;bound:factor;...` by rising bounds.
Result<std::vector<FactorPiece>> parse_factors(const std::string& text);

}  // namespace rehearse
