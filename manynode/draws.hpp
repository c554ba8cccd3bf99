// SPDX-License-Identifier: MIT
//
// The times of one marker on one cluster of ranks: modes, their order, and the part that ranks or iterations share.
//
// Common effects: a share of the variance belongs to the rank (drawn once for each replica) and to the iteration (drawn
//                 once for each replica and iteration, for all ranks). Shares are combined as normal numbers, whose sum
//                 selects the quantile of the mode (a Gaussian copula). So the distribution of single times stays that
//                 of the samples.
// Units:   seconds.
// Threads: none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manynode/law.hpp"
#include "manynode/random.hpp"

namespace rehearse::manynode {

struct DrawMode {
  double weight = 1;
  Law law;
};

enum class DrawOrder : std::uint8_t { constant, period, markov, independent };

struct Draws {
  std::vector<DrawMode> modes;  // not empty, by rising mean
  DrawOrder order = DrawOrder::independent;
  std::vector<std::uint32_t> prefix, period;      // modes
  double agreement = 1;                           // part of the executions that keep prefix and period
  std::vector<std::vector<double>> transitions;   // rows of probabilities, by mode
  double rank_sd = 0, iteration_sd = 0, residual_sd = 0;  // of logarithms; both first ones 0: no common effects
  std::string warning;  // about how far these draws can be trusted; empty: none

  explicit Draws(Law law) { modes.push_back({1, std::move(law)}); }
  explicit Draws(std::vector<DrawMode> all) : modes(std::move(all)) {}

  double mean() const;
};

// full: modes, order and common effects. mean: each draw is the mean. independent: neither order nor common effects.
// trace: the recorded times.
enum class Variability : std::uint8_t { full, mean, independent, trace };

std::string_view name_of(Variability variability);

// Of one rank and marker: its place in the sequence.
struct DrawState {
  std::uint32_t occurrence = 0;
  std::uint32_t mode = 0;  // the last one of a Markov chain
};

// Draws the next time. `at` names seed, replica, rank and marker.
double draw(const Draws& draws, Variability variability, DrawState& state, DrawAddress at);

}  // namespace rehearse::manynode
