// SPDX-License-Identifier: MIT
//
// See frame_choice.hpp.
#include "app/calibration/frame_choice.hpp"

#include "app/calibration/model_errors.hpp"

namespace rehearse::app {
namespace {

constexpr double ethernet_frame = 1538;  // bytes on the wire, as in the network model
constexpr double undecided = 1.1;        // ratio of errors up to which frames win, because most links store them
constexpr double credible_factor = 1.2;  // of a bandwidth: headers do not grow with short messages, and noise

double error_of(const MessageModel& model, const FrameEvidence& evidence) {
  const std::vector<double> predicted = cross_validated(model, evidence.half_round_trips, evidence.folds);
  std::vector<PredictedCase> alone, together;
  for (std::size_t i = 0; i < predicted.size(); ++i)
    alone.push_back({predicted[i], evidence.half_round_trips[i].seconds});
  for (const FlowsAtOnce& each : evidence.flows)
    if (each.flows > 1) together.push_back({time_of_flows(model, each.flows, each.bytes, 1), each.seconds});
  return figures_of("", alone).mean + figures_of("", together).mean;
}

}  // namespace

void fit_frames_and_pieces(MessageModel& model, const FrameEvidence& evidence) {
  MessageModel framed = model;
  fit_pieces(model, evidence.half_round_trips);
  if (model.further_links <= 0) return;
  framed.frame_bytes = ethernet_frame;
  framed.greatest_bandwidth_factor = credible_factor;
  fit_pieces(framed, evidence.half_round_trips);
  if (error_of(framed, evidence) < undecided * error_of(model, evidence)) model = framed;
}

}  // namespace rehearse::app
