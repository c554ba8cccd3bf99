// SPDX-License-Identifier: MIT
//
// See message_model.hpp.
#include "app/calibration/message_model.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double least_latency_factor = 1e-3;
constexpr double usual_payload = 1448.0 / 1538;  // part of a frame of Ethernet
constexpr double least_wire_part = 0.02;         // of a half round trip: what overheads leave to the network at least

// What remains for latency and transmission, and for what a frame takes more than one of usual contents.
std::vector<FitPoint> wire_points(const MessageModel& model, const std::vector<SizePoint>& half_round_trips,
                                  double envelopes) {
  std::vector<FitPoint> points;
  for (const SizePoint& point : half_round_trips) {
    if (point.bytes < 1 || point.seconds <= 0) continue;
    double rest = point.seconds - cost_at(model.send, point.bytes);
    rest -= model.is_eager(point.bytes) ? cost_at(model.receive, point.bytes) : envelopes;
    rest -= model.stored(point.bytes, usual_payload);
    points.push_back({point.bytes, std::max(rest, least_wire_part * point.seconds), point.seconds});
  }
  return points;
}

FitOptions fit_options_of(const MessageModel& model) {
  FitOptions options;
  if (std::isfinite(model.eager_bytes)) options.boundaries = {model.eager_bytes};
  return options;
}

// The route of a star that is made of the measurements alone.
void choose_route(MessageModel& model, const std::vector<SizePoint>& half_round_trips) {
  MessageModel unframed = model;  // frames do not change the slope of large messages
  unframed.frame_bytes = 0;
  const SegmentedFit fit = fit_segments(wire_points(unframed, half_round_trips, 0), fit_options_of(model));
  if (fit.pieces.empty()) return;
  if (model.bandwidth <= 0) model.bandwidth = 1 / std::max(fit.pieces.back().slope, 1e-15);
  if (model.latency > 0) return;
  const SizePoint& first = half_round_trips.front();
  const double overheads = cost_at(model.send, first.bytes) + cost_at(model.receive, first.bytes);
  const double wire = first.seconds - overheads - model.stored(first.bytes, 1) -
                      (first.bytes + model.envelope_bytes) / model.bandwidth;
  model.latency = std::max(wire, least_wire_part * first.seconds);
}

double relative(double error, double of) { return of > 0 ? error / of : 0; }

// Of a line of wire_points() up to a size. Bytes of messages within one frame pass each link one after the other.
void set_bandwidth_factor(const MessageModel& model, const LinePiece& line, double end, WirePiece& piece) {
  double links = 1, passes = line.slope * model.bandwidth;  // of the narrowest link
  if (end + model.envelope_bytes <= model.frame_bytes * usual_payload) {
    links += model.further_links;
    passes += model.further_links / usual_payload;
  }
  piece.bandwidth_factor = links / passes;
  piece.bandwidth_error = relative(line.slope_error * model.bandwidth, passes);
}

}  // namespace

double cost_at(const std::vector<SizeCost::Piece>& pieces, double bytes) {
  double cost = 0;
  for (const SizeCost::Piece& piece : pieces)
    if (piece.from_bytes <= bytes) cost = piece.seconds + piece.seconds_per_byte * bytes;
  return cost;
}

const WirePiece* MessageModel::piece(double bytes) const {
  const WirePiece* found = nullptr;
  for (const WirePiece& piece : pieces)
    if (piece.above_bytes < bytes) found = &piece;
  return found;
}

double MessageModel::stored(double bytes, double bandwidth_factor) const {
  if (frame_bytes <= 0 || further_links <= 0) return 0;
  return std::min(frame_bytes, (bytes + envelope_bytes) / bandwidth_factor) * further_links / bandwidth;
}

double MessageModel::wire(double bytes) const {
  const WirePiece* found = piece(bytes);
  const double slower = found == nullptr ? 1 : found->latency_factor;
  const double part = found == nullptr ? 1 : found->bandwidth_factor;
  return latency * slower + stored(bytes, part) + (bytes + envelope_bytes) / (part * bandwidth);
}

double MessageModel::envelopes() const { return (handshake == Handshake::answered ? 2 : 1) * wire(0); }

double MessageModel::half_round_trip(double bytes) const {
  return cost_at(send, bytes) + wire(bytes) + (is_eager(bytes) ? cost_at(receive, bytes) : envelopes());
}

std::string text_of(const std::vector<SizeCost::Piece>& pieces) {
  std::string text;
  for (const SizeCost::Piece& piece : pieces)
    text += fmt::format("{}{:.0f}:{:.6g}:{:.6g}", text.empty() ? "" : ";", piece.from_bytes, piece.seconds,
                        piece.seconds_per_byte);
  return text;
}

std::string latency_factors_of(const MessageModel& model) {
  std::string text;
  for (const WirePiece& piece : model.pieces)
    text += fmt::format("{}{:.0f}:{:.6g}", text.empty() ? "" : ";", piece.above_bytes, piece.latency_factor);
  return text;
}

std::string bandwidth_factors_of(const MessageModel& model) {
  std::string text;
  for (const WirePiece& piece : model.pieces)
    text += fmt::format("{}{:.0f}:{:.6g}", text.empty() ? "" : ";", piece.above_bytes, piece.bandwidth_factor);
  return text;
}

SegmentedFit fit_pieces(MessageModel& model, const std::vector<SizePoint>& half_round_trips) {
  model.pieces.clear();
  if (half_round_trips.empty()) return {};
  if (model.latency <= 0 || model.bandwidth <= 0) choose_route(model, half_round_trips);
  FitOptions options = fit_options_of(model);
  options.least_intercept = least_latency_factor * model.latency;
  options.least_slope = 1 / (model.greatest_bandwidth_factor * model.bandwidth);
  SegmentedFit fit = fit_segments(wire_points(model, half_round_trips, model.envelopes()), options);
  for (std::size_t i = 0; i < fit.pieces.size(); ++i) {
    const LinePiece& line = fit.pieces[i];
    const double end = i + 1 < fit.pieces.size() ? fit.pieces[i + 1].above_bytes : half_round_trips.back().bytes;
    const double rest = std::max(line.intercept - line.slope * model.envelope_bytes, options.least_intercept);
    WirePiece piece;
    piece.above_bytes = std::max(line.above_bytes, 0.0);
    piece.latency_factor = rest / model.latency;
    piece.latency_error = relative(line.intercept_error, rest);
    piece.points = line.points;
    set_bandwidth_factor(model, line, end, piece);
    model.pieces.push_back(piece);
  }
  return fit;
}

void adjust_empty_messages(MessageModel& model, const std::vector<SizePoint>& half_round_trips) {
  constexpr double nearly_empty = 16;
  if (half_round_trips.size() < 2 || half_round_trips[1].bytes > nearly_empty) return;
  // An empty message takes no longer than the next size: what is more is a disturbance.
  const double measured = std::min(half_round_trips[0].seconds, half_round_trips[1].seconds);
  const double missing = measured - model.half_round_trip(0);
  double mean_error = 0;
  for (const SizePoint& point : half_round_trips)
    mean_error += std::abs(model.half_round_trip(point.bytes) / point.seconds - 1);
  mean_error /= static_cast<double>(half_round_trips.size());
  constexpr double least_part = 0.01, deviations = 5;  // noise is no reason
  if (missing <= std::max(least_part, deviations * mean_error) * half_round_trips.front().seconds) return;
  for (auto* pieces : {&model.send, &model.started_send}) {
    SizeCost::Piece empty{0, cost_at(*pieces, 0) + missing, 0};
    if (pieces->empty()) *pieces = {empty, {1, 0, 0}};
    else {
      if (pieces->size() == 1 || (*pieces)[1].from_bytes > 1) {
        SizeCost::Piece rest = pieces->front();
        rest.from_bytes = 1;
        pieces->insert(pieces->begin() + 1, rest);
      }
      pieces->front() = empty;
    }
  }
}

}  // namespace rehearse::app
