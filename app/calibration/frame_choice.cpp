// SPDX-License-Identifier: MIT
//
// See frame_choice.hpp.
#include "app/calibration/frame_choice.hpp"

#include <cmath>

namespace rehearse::app {
namespace {

constexpr double ethernet_frame = 1538;  // bytes on the wire, as in the network model
constexpr double credible_factor = 1.2;  // of a bandwidth: headers do not grow with short messages, and noise

// Of the errors of several messages at once. Neither model has parameters for them.
double criterion_of_flows(const MessageModel& model, const std::vector<FlowsAtOnce>& flows) {
  double squares = 0, n = 0;
  for (const FlowsAtOnce& each : flows) {
    if (each.flows < 2) continue;
    const double error = std::log(time_of_flows(model, each.flows, each.bytes, 1) / each.seconds);
    squares += error * error;
    ++n;
  }
  return n > 0 ? criterion_of_errors(n, squares / n, FitOptions{}.noise_floor) : 0;
}

}  // namespace

void fit_frames_and_pieces(MessageModel& model, const FrameEvidence& evidence) {
  MessageModel framed = model;
  const double plain = fit_pieces(model, evidence.half_round_trips).criterion;
  if (model.further_links <= 0) return;
  framed.frame_bytes = ethernet_frame;
  framed.greatest_bandwidth_factor = credible_factor;
  const double with_frames = fit_pieces(framed, evidence.half_round_trips).criterion;
  if (with_frames + criterion_of_flows(framed, evidence.flows) < plain + criterion_of_flows(model, evidence.flows))
    model = framed;
}

}  // namespace rehearse::app
