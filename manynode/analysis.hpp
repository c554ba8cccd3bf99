// SPDX-License-Identifier: MIT
//
// From samples to a profile: clusters of ranks, modes, their order, common effects, drift, scaling.
//
// Source:  D. Defays, An efficient algorithm for a complete link method, 1977 (clusters: complete linkage);
//          B. Silverman, Density estimation, 1986 (width of the kernel); L. Kish, Survey sampling, 1965 (effective
//          number of samples that are correlated).
// Units:   seconds.
// Threads: none; the results are functions of the arguments.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "manynode/profile.hpp"
#include "manynode/samples.hpp"

namespace rehearse::manynode {

// Upper bounds of all modes but the last: valleys of the density of log t. `independent`: the number of samples that
// count as independent; at most their number.
std::vector<double> mode_bounds(std::span<const double> samples, double independent);
std::uint32_t mode_label(std::span<const double> bounds, double sample);

struct PeriodicOrder {
  std::size_t prefix = 0;           // its length
  std::vector<std::uint32_t> word;  // of the period
};
// The shortest period of at most 256 labels that 98 % of the last two thirds keep with at least three repeats.
std::optional<PeriodicOrder> find_period(std::span<const std::uint32_t> labels);
// Of the label sequences of ranks, each of at least one label; labels are below `modes`.
ModeOrder find_order(const std::vector<std::vector<std::uint32_t>>& sequences, std::uint32_t modes);

// Of a table [rank][iteration] of log t, with at least two of both.
CommonEffects effects_of(const std::vector<std::vector<double>>& table);

// Groups of rows in which no two differ by more than `similar` in any column, relative to the mean of the column (in a
// column that counts by factors: by more than a factor of 2). Sorted by their first row.
std::vector<std::vector<std::size_t>> cluster_rows(const CounterTable& counters, double similar);
// The clusters with representatives and rules.
std::vector<RankCluster> cluster_ranks(const CounterTable& counters, double similar);

// The term with the least error where each size in turn is left out; "1" unless another is at least 10 % better.
// Requires at least 3 sizes.
ScalingFit fit_scaling(std::span<const SizedValue> values);

// Of times by ranks of a node, with that of one rank. Of equally good fits that with the highest part.
MemoryShare fit_memory_share(std::span<const SizedValue> times);

struct AnalysisOptions {
  double similar = 0.1;
  std::uint64_t seed = 1;  // of resampled tails
  std::size_t resamples = 100;
};

// `counters`: nothing: those of the samples, or else the counts and times of the samples.
Result<Profile> analyse(const SampleTable& samples, const std::optional<CounterTable>& counters,
                        const AnalysisOptions& options);

}  // namespace rehearse::manynode
