// SPDX-License-Identifier: MIT
//
// See frame_choice.hpp.
#include "app/calibration/frame_choice.hpp"

#include <algorithm>

#include "app/calibration/model_errors.hpp"

namespace rehearse::app {
namespace {

constexpr double ethernet_frame = 1538;  // bytes on the wire, as in the network model
constexpr double credible_factor = 1.2;  // of a bandwidth: headers do not grow with short messages, and noise

double left_out_error(const MessageModel& model, const std::vector<SizePoint>& half_round_trips, std::size_t folds) {
  const std::vector<double> predicted = cross_validated(model, half_round_trips, folds);
  std::vector<PredictedCase> cases;
  for (std::size_t i = 0; i < predicted.size(); ++i) cases.push_back({predicted[i], half_round_trips[i].seconds});
  return figures_of("", cases).mean;
}

}  // namespace

void fit_frames_and_pieces(MessageModel& model, const std::vector<SizePoint>& half_round_trips, std::size_t folds) {
  MessageModel framed = model;
  model.frame_bytes = 0;
  fit_pieces(model, half_round_trips);
  if (model.further_links <= 0) return;
  framed.frame_bytes = ethernet_frame;
  fit_pieces(framed, half_round_trips);
  const auto is_credible = [](const WirePiece& piece) { return piece.bandwidth_factor <= credible_factor; };
  if (!std::ranges::all_of(framed.pieces, is_credible)) return;
  if (left_out_error(framed, half_round_trips, folds) < left_out_error(model, half_round_trips, folds)) model = framed;
}

}  // namespace rehearse::app
