// SPDX-License-Identifier: MIT
//
// Messages at the same time: on one link, in both directions of it, and inside of a node.
//
// Contention: n flows of s bytes on one direction of a link take T(0) + T(s) + (n - 1) s / (BF B) if they share it
//             without loss. C(n) is the part of the capacity with which the same formula gives the measured time: the
//             median over the tests `pairs` and `incast` and the sizes for which the bandwidth is half of the time.
// Crossing:   likewise for eager messages in both directions at once (`sendrecv`): the bytes on the reverse route for
//             each byte.
// Loopback:   latency and bandwidth with which the model gives half round trips inside of a node, by least squares of
//             relative errors. The factors of the network do not hold there.
// Units:      bytes, seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/calibration/message_model.hpp"

namespace rehearse::app {

// A measured time of several flows on one direction of a link.
struct FlowsAtOnce {
  std::string test;
  std::uint32_t flows = 0;
  double bytes = 0;    // of each flow
  double seconds = 0;  // measured
};

std::vector<FlowsAtOnce> flows_at_once(const Measurements& all, Statistic statistic);

// The model's time, with this part of the capacity.
double time_of_flows(const MessageModel& model, std::uint32_t flows, double bytes, double capacity_part);

struct LinkContention {
  std::uint32_t flows = 0;
  double factor = 1;
  double least = 1, greatest = 1;  // of the estimates
  std::size_t estimates = 0;
};

// From two flows on; empty: none was measured.
std::vector<LinkContention> fit_contention(const MessageModel& model, const std::vector<FlowsAtOnce>& measured);

// The factor of the last piece with at most so many flows.
double contention_at(const std::vector<LinkContention>& pieces, std::uint32_t flows);

// `n:factor;...`, with the first piece 1:1.
std::string text_of(const std::vector<LinkContention>& pieces);

// Nothing: no size allows an estimate.
std::optional<double> fit_cross_traffic(const MessageModel& model, const std::vector<SizePoint>& both_ways);

struct Loopback {
  double latency = 0, bandwidth = 0;
  double relative_error = 0;  // mean
};

std::optional<Loopback> fit_loopback(const MessageModel& model, const std::vector<SizePoint>& half_round_trips);

}  // namespace rehearse::app
