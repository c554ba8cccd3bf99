// SPDX-License-Identifier: MIT
//
// The numbers of a network model. The name of the model sets them; the user and the platform can change them.
//
// Source: CM02: Casanova, Marchal, A network model for simulation of grid applications, 2002. LV08:
//         Velho, Legrand, Accuracy study and improvement of network simulation in the SimGrid
//         framework, SIMUTools 2009 (13.01, 0.97, 20537; window 4 MiB); cross-traffic 5 %: Velho,
//         Schnorr, Casanova, Legrand, TOMACS 2013. smpi: piecewise factors fitted to ping-pongs on
//         gigabit Ethernet with TCP: Clauss et al., IPDPS 2011, in the values that SimGrid ships.
//         loggps: see log_gps.hpp. last_mile: see last_mile.hpp. library_network: see
//         library_parameters.hpp.
// Errors: make_network_parameters: the option, the given value, the accepted values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/cost_model.hpp"

namespace rehearse::network {

enum class NetworkKind : std::uint8_t { fluid, parallel, constant, last_mile, loggps };

struct NetworkParameters {
  std::string name;
  NetworkKind kind = NetworkKind::fluid;
  // Sharing weight of a flow = latency + sum over its links of this/bandwidth, in seconds: flows with
  // long round trips get less. 0: all flows weigh the same.
  double weight_bytes = 0;
  // A flow is not faster than this / (2 latency); 0: no such bound.
  double window_bytes = 0;
  // Bytes on the reverse route for each byte of payload (acknowledgements).
  double cross_traffic = 0;
  // The delay before the first byte is the latency times its factor. The payload gets the part of the rate
  // that the bandwidth's factor gives.
  std::vector<FactorPiece> latency_pieces;
  std::vector<FactorPiece> bandwidth_pieces;
  NetworkFactor latency_function;
  NetworkFactor bandwidth_function;
  std::optional<double> loopback_bandwidth;
  std::optional<double> loopback_latency;
  double delay_seconds = 1;
  // Of library_network. Transfers of one connection flow one after the other, and envelopes are bytes on it.
  bool has_connections = false;
  double envelope_bytes = 0;
  double frame_bytes = 0;           // stored and forwarded by each further link; 0: none
  double transmit_queue_bytes = 0;  // largest message in the transmit queue of its host; 0: no queue
  std::vector<ContentionPiece> contention;
  LogGpsOptions loggps;
  NetworkChanges changes;
  bool has_fair_bottleneck = false;  // for kind parallel; false: bottleneck max fairness
  bool has_quirks = false;
};

// The factor of the last piece whose bound is below `bytes`; 1 up to the first bound.
double factor_for(std::span<const FactorPiece> pieces, double bytes);

Result<NetworkParameters> make_network_parameters(const ModelOptions& options, const Platform& platform);
std::string_view network_names();
std::span<const ModelDescription> descriptions();
std::string name_of_network(const ModelOptions& options, const Platform& platform);

}  // namespace rehearse::network
