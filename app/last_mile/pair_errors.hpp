// SPDX-License-Identifier: MIT
//
// Errors of models of pairs: of the pairs that they were fitted to, and of pairs that were left out.
//
// Cross-validation: each part of the pairs is predicted by the models of the other parts (Stone, JRSS B 36, 1974). Only
//                   pairs count that all models can predict: both hosts are in other pairs.
// Simple models:    `means of hosts`: the geometric mean of the geometric means of the pairs from i and of those to j.
//                   With by_direction = false, both are of all pairs of the host. `one value`: the median of all pairs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/calibration/model_errors.hpp"
#include "app/last_mile/pair_values.hpp"

namespace rehearse::app {

// Not a number: it cannot predict the pair.
using PairPredictor = std::function<double(std::uint32_t from, std::uint32_t to)>;

struct PairModel {
  std::string name;
  std::function<PairPredictor(const std::vector<PairValue>& pairs)> fit;
};

PairModel means_of_hosts(std::size_t hosts, bool by_direction);
PairModel one_value();

struct PairErrors {
  std::vector<ErrorFigures> fitted, left_out;    // by model
  std::vector<std::vector<double>> predictions;  // by model, of each pair when it was left out
  std::size_t unpredicted = 0;                   // pairs with a host in no other pair
};

PairErrors errors_of(const std::vector<PairModel>& models, const std::vector<PairValue>& pairs, std::uint32_t folds);

}  // namespace rehearse::app
