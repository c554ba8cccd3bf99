// SPDX-License-Identifier: MIT
//
// The numbers of network models; their sources are in the header.
#include "simcore/network/network_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "simcore/message_protocol.hpp"
#include "simcore/network/library_parameters.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

namespace {

std::optional<double> parse_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

Error bad_factors(const std::string& text, const std::string& what) {
  return Error{"factors '" + text + "': " + what +
               "; accepted: a number greater than 0, or bound:factor;bound:factor;... with rising "
               "bounds in bytes"};
}

}  // namespace

Result<std::vector<FactorPiece>> parse_factors(const std::string& text) {
  // A single factor applies to all sizes, including empty messages.
  if (const auto number = parse_number(text)) {
    if (*number <= 0) return bad_factors(text, "is not greater than 0");
    return std::vector<FactorPiece>{{-1, *number}};
  }
  std::vector<FactorPiece> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::string piece = text.substr(at, end - at);
    at = end + 1;
    if (piece.find_first_not_of(" \t\n") == std::string::npos) continue;
    const std::size_t colon = piece.find(':');
    if (colon == std::string::npos) return bad_factors(text, "'" + piece + "' has no ':'");
    const auto bound = parse_number(piece.substr(0, colon));
    const auto factor = parse_number(piece.substr(colon + 1));
    if (!bound || *bound < 0) return bad_factors(text, "'" + piece + "' has no bound in bytes");
    if (!factor || *factor <= 0) return bad_factors(text, "'" + piece + "' has no factor > 0");
    if (!pieces.empty() && pieces.back().above_bytes >= *bound)
      return bad_factors(text, "the bound of '" + piece + "' is not above the one before");
    pieces.push_back({*bound, *factor});
  }
  if (pieces.empty()) return bad_factors(text, "there is none");
  return pieces;
}

namespace network {

namespace {

constexpr double window_bytes = 4'194'304;
constexpr double acknowledgements = 0.05;

std::vector<FactorPiece> smpi_latency() {
  return {{0, 2.01467},    {257, 1.95341},  {732, 1.9503},    {1426, 1.61075}, {3484, 1.88101},
          {5776, 2.18796}, {9376, 2.59299}, {15424, 3.48845}, {65472, 11.6436}};
}

std::vector<FactorPiece> smpi_bandwidth() {
  return {{0, 0.812084},   {257, 0.338112}, {732, 0.341987},   {1426, 0.608902}, {3484, 0.77493},
          {5776, 1.08739}, {9376, 0.58729}, {15424, 0.697866}, {65472, 0.940694}};
}

std::optional<NetworkParameters> find_network(const std::string& name) {
  NetworkParameters network;
  network.name = name;
  if (name == "raw" || name == "packet" || name == "ns3") return network;  // packets: of all that is not on links
  if (name == "constant") {
    network.kind = NetworkKind::constant;
    return network;
  }
  if (name == "last_mile") {
    network.kind = NetworkKind::last_mile;
    return network;
  }
  if (name == "loggps") {
    network.kind = NetworkKind::loggps;
    return network;
  }
  if (name == library_network) {
    network.has_connections = true;
    network.cross_traffic = ethernet_acknowledgements;
    network.bandwidth_pieces = {{-1, ethernet_payload_part}};
    network.envelope_bytes = library_envelope_bytes;
    network.frame_bytes = ethernet_frame_bytes;
    network.transmit_queue_bytes = library_transmit_queue_bytes;
    return network;
  }
  network.window_bytes = window_bytes;
  if (name == "ptask") {
    network.kind = NetworkKind::parallel;
    return network;
  }
  network.cross_traffic = acknowledgements;
  if (name == "cm02") return network;
  if (name == "lv08") {
    network.weight_bytes = 20537;
    network.latency_pieces = {{-1, 13.01}};
    network.bandwidth_pieces = {{-1, 0.97}};
    return network;
  }
  if (name == "smpi") {
    network.weight_bytes = 8775;
    network.latency_pieces = smpi_latency();
    network.bandwidth_pieces = smpi_bandwidth();
    return network;
  }
  return std::nullopt;
}

std::string network_of(const ModelOptions& options, const PlatformSettings& settings) {
  if (!options.network.empty()) return options.network;
  if (settings.network_model) return *settings.network_model;
  return settings.parallel_tasks.value_or(false) ? "ptask" : flow_network;
}

// Fills options that the user did not set from the settings of the platform.
Result<ModelOptions> complete(ModelOptions options, const PlatformSettings& settings) {
  options.network = network_of(options, settings);
  if (!options.cross_traffic && settings.cross_traffic)
    options.cross_traffic = !*settings.cross_traffic             ? 0
                            : options.network == library_network ? ethernet_acknowledgements
                                                                 : acknowledgements;
  if (!options.window_bytes) options.window_bytes = settings.window_bytes;
  if (!options.weight_bytes) options.weight_bytes = settings.weight_bytes;
  if (options.network == library_network) {
    if (!options.envelope_bytes) options.envelope_bytes = settings.envelope_bytes;
    if (!options.frame_bytes) options.frame_bytes = settings.frame_bytes;
    if (!options.transmit_queue_bytes) options.transmit_queue_bytes = settings.transmit_queue_bytes;
    if (options.contention.empty()) options.contention = settings.contention;
  }
  if (options.parallel.empty()) options.parallel = settings.sharing_solver.value_or("bmf");
  if (options.parallel == "maxmin") options.parallel = "bmf";
  for (const auto& [text, pieces] : {std::pair{&settings.latency_factor, &options.latency_factors},
                                     std::pair{&settings.bandwidth_factor, &options.bandwidth_factors}}) {
    if (!*text || !pieces->empty()) continue;
    auto parsed = parse_factors(**text);
    if (!parsed) return parsed.error();
    *pieces = std::move(parsed.value());
  }
  return options;
}

std::optional<Error> check_range(const char* name, std::optional<double> value, double least, double most,
                                 const char* accepted) {
  if (!value || (*value >= least && *value <= most)) return std::nullopt;
  return Error{fmt::format("{} {:f} given; accepted: {}", name, *value, accepted)};
}

// The first option that only library_network has; empty if there is none.
std::string_view library_option(const ModelOptions& options) {
  if (options.envelope_bytes) return "envelope";
  if (options.frame_bytes) return "store-and-forward";
  if (options.transmit_queue_bytes) return "transmit-queue";
  return options.contention.empty() ? "" : "contention-factor";
}

std::optional<Error> check(const ModelOptions& options) {
  constexpr double most = std::numeric_limits<double>::max();
  const char* positive = "0 or more";
  for (const auto& error : {check_range("cross-traffic", options.cross_traffic, 0, 1, "0 to 1"),
                            check_range("window", options.window_bytes, 0, most, "bytes, 0 (no bound) or more"),
                            check_range("weight", options.weight_bytes, 0, most, "bytes, 0 or more"),
                            check_range("loopback bandwidth", options.loopback_bandwidth, 1e-9, most, "above 0"),
                            check_range("loopback latency", options.loopback_latency, 0, most, positive),
                            check_range("envelope", options.envelope_bytes, 0, most, "bytes, 0 or more"),
                            check_range("store-and-forward", options.frame_bytes, 0, most, "bytes, 0 or more"),
                            check_range("transmit-queue", options.transmit_queue_bytes, 0, most, "bytes, 0 or more"),
                            check_range("delay", options.delay_seconds, 0, 4e6, "seconds from 0 to 4e6"),
                            check_range("loggps latency", options.loggps.latency, 0, 4e6, positive),
                            check_range("loggps overhead", options.loggps.overhead, 0, 4e6, positive),
                            check_range("loggps gap", options.loggps.gap, 0, 4e6, positive),
                            check_range("loggps gap per byte", options.loggps.gap_per_byte, 0, 4e6, positive),
                            check_range("factor of latencies", options.changes.latency_factor, 0, most, positive)})
    if (error) return error;
  if (!(options.changes.bandwidth_factor > 0))
    return Error{
        fmt::format("factor of bandwidths {} given; accepted: greater than 0", options.changes.bandwidth_factor)};
  if (options.parallel != "bmf" && options.parallel != "fair-bottleneck")
    return Error{"parallel tasks '" + options.parallel + "' given; accepted: bmf, fair-bottleneck"};
  return std::nullopt;
}

}  // namespace

double factor_for(std::span<const FactorPiece> pieces, double bytes) {
  const auto next = std::lower_bound(pieces.begin(), pieces.end(), bytes,
                                     [](const FactorPiece& piece, double size) { return piece.above_bytes < size; });
  return next == pieces.begin() ? 1.0 : std::prev(next)->factor;
}

Result<NetworkParameters> make_network_parameters(const ModelOptions& given, const Platform& platform) {
  auto completed = complete(given, platform.settings());
  if (!completed) return completed.error();
  const ModelOptions& options = completed.value();
  auto network = find_network(options.network);
  if (!network)
    return Error{"network model '" + options.network + "' does not exist; accepted: " + std::string(network_names())};
  if (const auto error = check(options)) return *error;
  if (!network->has_connections && !library_option(options).empty())
    return Error{fmt::format("{} given with network model '{}'; accepted: {}", library_option(options), options.network,
                             library_network)};
  if (options.cross_traffic) network->cross_traffic = *options.cross_traffic;
  if (options.window_bytes) network->window_bytes = *options.window_bytes;
  if (options.weight_bytes) network->weight_bytes = *options.weight_bytes;
  if (!options.latency_factors.empty()) network->latency_pieces = options.latency_factors;
  if (!options.bandwidth_factors.empty()) network->bandwidth_pieces = options.bandwidth_factors;
  if (options.envelope_bytes) network->envelope_bytes = *options.envelope_bytes;
  if (options.frame_bytes) network->frame_bytes = *options.frame_bytes;
  if (options.transmit_queue_bytes) network->transmit_queue_bytes = *options.transmit_queue_bytes;
  if (!options.contention.empty()) network->contention = options.contention;
  network->latency_function = options.latency_factor;
  network->bandwidth_function = options.bandwidth_factor;
  network->loopback_bandwidth = options.loopback_bandwidth;
  network->loopback_latency = options.loopback_latency;
  network->delay_seconds = options.delay_seconds * options.changes.latency_factor;
  network->loggps = options.loggps;
  if (!options.changes.has_overheads) network->loggps.overhead = 0;
  network->changes = options.changes;
  network->has_fair_bottleneck = options.parallel == "fair-bottleneck";
  network->has_quirks = options.simgrid_quirks;
  return std::move(*network);
}

std::string_view network_names() {
  static const std::string names = [] {
    std::string all;
    for (const ModelDescription& model : descriptions()) all += (all.empty() ? "" : ", ") + std::string(model.name);
    return all;
  }();
  return names;
}

std::span<const ModelDescription> descriptions() {
  static constexpr ModelDescription models[] = {
      {library_network, "flows with the protocol of a messaging library: connections, envelopes, frames of Ethernet"},
      {"lv08", "flows share links; latency x 13.01, 97 % payload, 5 % acknowledgements, TCP window"},
      {"smpi", "as lv08, with factors by message size, fitted to message passing over gigabit Ethernet"},
      {"cm02", "flows share links equally; 5 % acknowledgements, TCP window"},
      {"raw", "flows share links equally, nothing else"},
      {"constant", "every transfer takes the same time: --delay"},
      {"last_mile", "only the upload and download bandwidths of hosts limit"},
      {"loggps", "latency, overhead and gaps at the ports of hosts: --loggps"},
      {"packet", "packets in queues, with TCP, back-pressure or neither: --packet"},
      {"ns3", "packets of ns-3's TCP, by the program rehearse-ns3: --packet"},
      {"ptask", "everything as parallel tasks: bottleneck max fairness, or fair bottlenecks"}};
  return models;
}

std::string name_of_network(const ModelOptions& options, const Platform& platform) {
  return network_of(options, platform.settings());
}

}  // namespace network
}  // namespace rehearse
