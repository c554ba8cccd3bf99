// SPDX-License-Identifier: MIT
//
// Errors of models of half round trips: of the fit, cross-validated, and of simpler models beside it.
//
// Cross-validation: every k-th size is left out, the pieces are fitted again to the others, and predict the sizes left
//                   out (Stone, Cross-validatory choice and assessment of statistical predictions, JRSS B 36, 1974).
// Logarithmic error: |ln(predicted / measured)|, which treats half and double alike; its mean as a factor less one
//                   (Velho, Schnorr, Casanova, Legrand, On the validity of flow-level TCP network models for grid and
//                   cloud simulations, TOMACS 23(4), 2013).
#pragma once

#include <string>
#include <vector>

#include "app/calibration/contention_fit.hpp"
#include "app/calibration/message_model.hpp"

namespace rehearse::app {

struct ErrorFigures {
  std::string name;
  std::size_t cases = 0;
  double mean = 0, median = 0, greatest = 0;  // relative
  double logarithmic = 0;                     // mean, as a factor less one
};

struct PredictedCase {
  double predicted = 0, measured = 0;
};

ErrorFigures figures_of(const std::string& name, const std::vector<PredictedCase>& times);

// The predicted time of each size by the other folds. `model`: before adjust_empty_messages().
std::vector<double> cross_validated(const MessageModel& model, const std::vector<SizePoint>& half_round_trips,
                                    std::size_t folds);

// Latency and bandwidth of the route; the best line; the pieces; the pieces cross-validated.
std::vector<ErrorFigures> point_to_point_errors(const MessageModel& model, const std::vector<SizePoint>& points,
                                                const std::vector<double>& cross_validated);

// Of flows at once: without contention, with shared links, and with the table of contention.
std::vector<ErrorFigures> contention_errors(const MessageModel& model, const std::vector<LinkContention>& pieces,
                                            const std::vector<FlowsAtOnce>& measured);

}  // namespace rehearse::app
