// SPDX-License-Identifier: MIT
//
// See contention_fit.hpp.
#include "app/calibration/contention_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double least_bandwidth_part = 0.5;
constexpr double least_factor = 0.02;
constexpr double near_one = 0.97;

double transmission(const MessageModel& model, double bytes) {
  const WirePiece* piece = model.piece(bytes);
  return bytes / ((piece == nullptr ? 1 : piece->bandwidth_factor) * model.bandwidth);
}

// Flows from other nodes to that of rank 0, or of the pairs on the node with most of them.
std::uint32_t flows_on_one_link(const MeasuredCase& measured, const std::vector<std::string>& hosts) {
  const auto ranks = static_cast<std::uint32_t>(hosts.size());
  std::uint32_t most = 0;
  std::map<std::string, std::uint32_t> leaving;
  if (measured.test == "incast") {
    for (std::uint32_t i = 1; i < measured.ranks && i < ranks; ++i) most += hosts[ranks - i] != hosts[0];
    return most;
  }
  for (std::uint32_t i = 0; i < measured.ranks / 2 && i + ranks / 2 < ranks; ++i)
    if (hosts[i] != hosts[i + ranks / 2]) most = std::max(most, ++leaving[hosts[i]]);
  return most;
}

}  // namespace

std::vector<FlowsAtOnce> flows_at_once(const Measurements& all, Statistic statistic) {
  std::vector<FlowsAtOnce> found;
  for (const char* test : {"pairs", "incast"})
    for (const std::uint32_t ranks : ranks_of(all, test))
      for (const SizePoint& point : size_points(all, test, statistic, ranks)) {
        const std::uint32_t flows = flows_on_one_link({test, ranks, 0}, all.hosts);
        if (flows > 0) found.push_back({test, flows, point.bytes, point.seconds});
      }
  return found;
}

double time_of_flows(const MessageModel& model, std::uint32_t flows, double bytes, double capacity_part) {
  const double alone = transmission(model, bytes);
  return model.half_round_trip(0) + model.half_round_trip(bytes) - alone + flows * alone / capacity_part;
}

std::vector<LinkContention> fit_contention(const MessageModel& model, const std::vector<FlowsAtOnce>& measured) {
  std::map<std::uint32_t, std::vector<double>> estimates;
  for (const FlowsAtOnce& each : measured) {
    if (each.flows < 2) continue;
    const double shared = each.flows * transmission(model, each.bytes);
    const double ideal = time_of_flows(model, each.flows, each.bytes, 1);
    if (shared < least_bandwidth_part * ideal) continue;
    const double rest = std::max(each.seconds - (ideal - shared), shared);  // a link has no more than its capacity
    estimates[each.flows].push_back(std::max(shared / rest, least_factor));
  }
  std::vector<LinkContention> pieces;
  for (const auto& [flows, factors] : estimates) {
    const double factor = quantile(factors, 0.5);
    pieces.push_back({flows, factor > near_one ? 1 : factor, *std::ranges::min_element(factors),
                      *std::ranges::max_element(factors), factors.size()});
  }
  return pieces;
}

double contention_at(const std::vector<LinkContention>& pieces, std::uint32_t flows) {
  double factor = 1;
  for (const LinkContention& piece : pieces)
    if (piece.flows <= flows) factor = piece.factor;
  return factor;
}

std::string text_of(const std::vector<LinkContention>& pieces) {
  std::string text = "1:1";
  for (const LinkContention& piece : pieces) text += fmt::format(";{}:{:.4g}", piece.flows, piece.factor);
  return text;
}

std::optional<double> fit_cross_traffic(const MessageModel& model, const std::vector<SizePoint>& both_ways) {
  std::vector<double> parts;
  for (const SizePoint& point : both_ways) {
    const double alone = transmission(model, point.bytes), ideal = model.half_round_trip(point.bytes);
    if (!model.is_eager(point.bytes) || alone < least_bandwidth_part * ideal) continue;
    parts.push_back(std::clamp((point.seconds - ideal) / alone, 0.0, 1.0));
  }
  if (parts.empty()) return std::nullopt;
  return quantile(parts, 0.5);
}

std::optional<Loopback> fit_loopback(const MessageModel& model, const std::vector<SizePoint>& half_round_trips) {
  // Linear in the latency and in the seconds per byte.
  double aa = 0, ab = 0, bb = 0, at = 0, bt = 0;
  const auto terms = [&](double bytes) {
    const double handshake = model.is_eager(bytes) ? 0 : model.handshake == Handshake::answered ? 2 : 1;
    return std::pair{1 + handshake, bytes + model.envelope_bytes + handshake * model.envelope_bytes};
  };
  const auto overheads = [&](double bytes) {
    return cost_at(model.send, bytes) + (model.is_eager(bytes) ? cost_at(model.receive, bytes) : 0);
  };
  for (const SizePoint& point : half_round_trips) {
    if (point.seconds <= 0) continue;
    const double weight = 1 / (point.seconds * point.seconds);
    const auto [a, b] = terms(point.bytes);
    const double rest = std::max(point.seconds - overheads(point.bytes), 0.0);
    aa += weight * a * a;
    ab += weight * a * b;
    bb += weight * b * b;
    at += weight * a * rest;
    bt += weight * b * rest;
  }
  const double determinant = aa * bb - ab * ab;
  if (half_round_trips.size() < 3 || determinant <= 0) return std::nullopt;
  double latency = (bb * at - ab * bt) / determinant, per_byte = (aa * bt - ab * at) / determinant;
  if (latency < 0) latency = 0, per_byte = bt / bb;
  if (per_byte <= 0) per_byte = 1e-15, latency = at / aa;
  Loopback found{latency, 1 / per_byte, 0};
  for (const SizePoint& point : half_round_trips) {
    const auto [a, b] = terms(point.bytes);
    found.relative_error += std::abs(overheads(point.bytes) + latency * a + per_byte * b - point.seconds) /
                            point.seconds;
  }
  found.relative_error /= static_cast<double>(half_round_trips.size());
  return found;
}

}  // namespace rehearse::app
