// SPDX-License-Identifier: MIT
//
// See model_errors.hpp.
#include "app/calibration/model_errors.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse::app {

ErrorFigures figures_of(const std::string& name, const std::vector<PredictedCase>& times) {
  ErrorFigures figures;
  figures.name = name;
  std::vector<double> errors;
  for (const auto& [predicted, measured] : times) {
    if (measured <= 0 || predicted <= 0) continue;
    const double error = std::abs(predicted - measured) / measured;
    ++figures.cases;
    errors.push_back(error);
    figures.mean += error;
    figures.greatest = std::max(figures.greatest, error);
    figures.logarithmic += std::abs(std::log(predicted / measured));
  }
  if (figures.cases == 0) return figures;
  figures.mean /= static_cast<double>(figures.cases);
  figures.median = quantile(std::move(errors), 0.5);
  figures.logarithmic = std::expm1(figures.logarithmic / static_cast<double>(figures.cases));
  return figures;
}

std::vector<double> cross_validated(const MessageModel& model, const std::vector<SizePoint>& half_round_trips,
                                    std::size_t folds) {
  std::vector<double> predicted(half_round_trips.size(), 0);
  folds = std::min(folds, half_round_trips.size());
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::vector<SizePoint> others;
    for (std::size_t i = 0; i < half_round_trips.size(); ++i)
      if (i % folds != fold) others.push_back(half_round_trips[i]);
    MessageModel refitted = model;  // with its route
    fit_pieces(refitted, others);
    adjust_empty_messages(refitted, others);
    for (std::size_t i = fold; i < half_round_trips.size(); i += folds)
      predicted[i] = refitted.half_round_trip(half_round_trips[i].bytes);
  }
  return predicted;
}

std::vector<ErrorFigures> point_to_point_errors(const MessageModel& model, const std::vector<SizePoint>& points,
                                                const std::vector<double>& cross_validated) {
  FitOptions straight;
  straight.segments_max = 1;
  std::vector<FitPoint> fit_points;
  for (const SizePoint& point : points) fit_points.push_back({point.bytes, point.seconds, point.seconds});
  const SegmentedFit best_line = fit_segments(fit_points, straight);
  std::vector<PredictedCase> nominal, best, pieces, validated;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [bytes, seconds, spread, repetitions, outliers] = points[i];
    nominal.push_back({model.latency + bytes / model.bandwidth, seconds});
    best.push_back({best_line.at(bytes), seconds});
    pieces.push_back({model.half_round_trip(bytes), seconds});
    validated.push_back({cross_validated[i], seconds});
  }
  return {figures_of("affine (latency and bandwidth of the route)", nominal), figures_of("best affine", best),
          figures_of("piecewise", pieces), figures_of("piecewise, cross-validated", validated)};
}

std::vector<ErrorFigures> contention_errors(const MessageModel& model, const std::vector<LinkContention>& pieces,
                                            const std::vector<FlowsAtOnce>& measured) {
  std::vector<PredictedCase> alone, shared, calibrated;
  for (const FlowsAtOnce& each : measured) {
    if (each.flows < 2) continue;
    alone.push_back({time_of_flows(model, 1, each.bytes, 1), each.seconds});
    shared.push_back({time_of_flows(model, each.flows, each.bytes, 1), each.seconds});
    calibrated.push_back(
        {time_of_flows(model, each.flows, each.bytes, contention_at(pieces, each.flows)), each.seconds});
  }
  if (alone.empty()) return {};
  return {figures_of("no contention", alone), figures_of("shared links", shared),
          figures_of("shared links with the table of contention", calibrated)};
}

}  // namespace rehearse::app
