// SPDX-License-Identifier: MIT
//
// The times of one marker on one cluster of ranks: modes, their order, and the part that ranks or iterations share.
//
// Common effects: a time is a draw from the residuals of its mode, times exp(rank_sd z_r + iteration_sd z_i). z_r is
//                 drawn once for each replica and rank, z_i once for each replica and iteration, for all ranks.
// Units:   seconds.
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manynode/law.hpp"
#include "manynode/profile.hpp"
#include "manynode/random.hpp"

namespace rehearse::manynode {

struct DrawMode {
  double weight = 1;
  Law law;
  std::optional<Law> residuals = {};  // nothing: no common effects
};

struct Draws {
  std::vector<DrawMode> modes;  // not empty, by rising mean
  ModeOrder::Kind order = ModeOrder::Kind::independent;
  std::vector<std::uint32_t> prefix, period;     // modes
  double agreement = 1;                          // part of the executions that keep prefix and period
  std::vector<std::vector<double>> transitions;  // rows of probabilities, by mode
  bool is_order_common = false;                  // all ranks have the same mode in the same iteration
  double rank_sd = 0, iteration_sd = 0;          // of logarithms
  std::vector<Law> by_position;  // of the first, second... part of `executions`; empty: they do not drift
  std::uint64_t executions = 0;
  std::optional<ScalingFit> scaling;  // of the mean over numbers of ranks
  std::uint32_t profiled_ranks = 0;
  std::optional<MemoryShare> memory;  // that ranks of a node share
  std::string warning;                // about how far these draws can be trusted; empty: none

  explicit Draws(Law law) { modes.push_back({1, std::move(law)}); }
  explicit Draws(std::vector<DrawMode> all) : modes(std::move(all)) {}

  double mean() const;
  // Factor on all times with this number of ranks.
  double factor(std::uint32_t ranks) const;
  // Factor on the times of a rank of a node where so many ranks compute at once.
  double factor_on_node(std::uint32_t ranks_of_node) const;
};

// As profiled with so many ranks.
Draws draws_of(const MarkerProfile& marker, std::uint32_t ranks);

// The same, with this use of the fitted tails of samples.
Draws with_tails(const Draws& draws, TailUse use);

// full: modes, order and common effects. mean: each draw is the mean. independent: neither order nor common effects.
// trace: the recorded times.
enum class Variability : std::uint8_t { full, mean, independent, trace };

std::string_view name_of(Variability variability);

// The number of a marker in the addresses of its draws: a hash of its name, below 2^30.
std::uint32_t number_of(std::string_view marker);

// Of one rank and marker: its place in the sequence.
struct DrawState {
  std::uint32_t occurrence = 0;
  std::uint32_t mode = 0;  // the last one of a Markov chain
};

// Draws the next time. `at` names seed, replica, rank and marker.
double draw(const Draws& draws, Variability variability, DrawState& state, DrawAddress at);

}  // namespace rehearse::manynode
