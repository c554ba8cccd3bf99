// SPDX-License-Identifier: MIT
//
// The profile of a program: which ranks do the same, how long each of their computations takes, and in which order.
//
// Model:   execution number i of a marker on rank r has a mode, by the order of modes; its time is a draw from the
//          distribution of that mode. With common effects, the time is a draw from the residuals of the mode, times
//          exp(rank_sd z_r + iteration_sd z_i), where z_r is drawn once for each rank and z_i once for each iteration.
// Modes:   numbered by rising mean.
// Units:   seconds.
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manynode/distribution.hpp"
#include "manynode/law.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::manynode {

// Where a coordinate is in its dimension. A dimension of one rank has only a first one.
enum class GridPlace : std::uint8_t { first, middle, last };

// Which ranks belong to a cluster, for any number of ranks P.
struct ClusterRule {
  enum class Kind {
    all,
    first,      // rank == 0
    last,       // rank == P-1
    remainder,  // rank % divisor == remainder
    boundary,   // so many (`remainder`) coordinates are first or last, in the balanced grid of P
    position,   // all coordinates are at these places of that grid
    otherwise,  // those that no other rule names
    share,      // no rule found: a part of the ranks
  };
  Kind kind = Kind::all;
  std::uint32_t divisor = 1, remainder = 0;
  // Of the profiled run. For other P it is balanced again, with the largest dimension first, or last if it is here.
  std::vector<std::uint32_t> grid = {};
  std::vector<GridPlace> places = {};  // by dimension
  double part = 1;                     // of the ranks

  // `otherwise` and `share` contain every rank: see cluster_of().
  bool contains(std::uint32_t rank, std::uint32_t ranks) const;
  bool operator==(const ClusterRule&) const = default;
};

// "all", "rank == 0", "rank == P-1", "rank % 8 == 0", "interior of 8x8", "first,middle of 8x8", "otherwise",
// "share 0.25".
std::string text_of(const ClusterRule& rule);
Result<ClusterRule> parse_rule(std::string_view text);

struct RankCluster {
  std::uint32_t id = 0;
  std::vector<std::uint32_t> ranks;  // of the profiled run, ascending
  std::uint32_t representative = 0;  // the rank nearest to all others
  ClusterRule rule;
};

// The cluster of a rank in a run with `ranks` ranks: the first whose rule names it, then the one that is `otherwise`,
// or that has its place in most dimensions of the grid. Without rules, ranks are spread by the parts of the clusters.
// Requires clusters.
std::uint32_t cluster_of(const std::vector<RankCluster>& clusters, std::uint32_t rank, std::uint32_t ranks);

struct ModeProfile {
  double weight = 1;                                           // part of the executions
  BinnedDistribution distribution;                             // of the times
  std::optional<BinnedDistribution> residuals = std::nullopt;  // of the times without common effects, if there are any
  std::vector<ParetoTail> resampled = {};                      // tails of samples drawn again: the error of the tail
};

struct ModeOrder {
  enum class Kind { constant, period, markov, independent };
  Kind kind = Kind::independent;
  std::vector<std::uint32_t> prefix, period;     // labels
  double agreement = 1;                          // part of the executions that keep prefix and period
  std::vector<std::vector<double>> transitions;  // of markov: row = mode before
  bool is_common = false;                        // all ranks have the same mode in the same iteration

  // The mode of execution number `occurrence`, whose last one had mode `before`. `u` is uniform; `modes` have weights.
  std::uint32_t mode(const std::vector<ModeProfile>& modes, std::uint64_t occurrence, std::uint32_t before,
                     double u) const;
};
std::string_view name_of(ModeOrder::Kind kind);

// Standard deviations of log t by rank, by iteration, and of the rest.
struct CommonEffects {
  double rank_sd = 0, iteration_sd = 0, residual_sd = 0;
  bool are_significant = false;  // beyond chance: the residuals of modes are to be used
};

// First and last third differ, and no order of modes explains it: draws are by position.
struct MarkerDrift {
  double probability = 1;                  // of such a difference by chance
  std::uint64_t executions = 0;            // of a rank in the profiled run
  std::vector<BinnedDistribution> thirds;  // of the times
  std::size_t third(std::uint64_t occurrence) const;
};

// metric(P) = constant + slope f(P).
struct ScalingFit {
  std::string term = "1";  // f: 1, log2(P), P^(-1/3), P^(-1/2), P^(-1), P^(1/3), P^(1/2), P
  double constant = 0, slope = 0;
  std::uint32_t least = 0, most = 0;  // sizes of the measured runs

  double at(double ranks) const;
  static bool is_term(std::string_view name);
  // Beyond 32 times the largest measured size, a fit of so few sizes is not believed.
  static constexpr double most_extrapolation = 32;
  bool supports(double ranks) const { return ranks >= least && ranks <= most_extrapolation * most; }
};

// Ranks of a node that compute at once share its memory bandwidth: with k of them, a part of the time is stretched by
// max(1, k / ranks_at_bandwidth).
struct MemoryShare {
  double part = 0;                  // of the time of a rank that computes alone, bound by memory
  double ranks_at_bandwidth = 1;    // so many ranks use all of it
  std::uint32_t measured_with = 1;  // ranks of each node, in the samples of the profile

  double factor(double ranks_of_node) const;
};

struct MarkerProfile {
  std::string id;
  std::uint32_t cluster = 0;
  std::uint64_t samples = 0;
  std::vector<ModeProfile> modes;
  std::optional<Law> law = std::nullopt;  // instead of modes
  ModeOrder order;
  std::optional<CommonEffects> effects = std::nullopt;
  std::optional<MarkerDrift> drift = std::nullopt;
  std::optional<ScalingFit> scaling = std::nullopt;  // of the mean, over runs with several sizes
  std::optional<MemoryShare> memory = std::nullopt;  // over runs with several ranks of a node

  double mean() const;  // of the law, or of all modes by weight
};

struct Profile {
  std::string source;        // "measured", or whose samples these are
  std::uint32_t ranks = 0;   // of the profiled run
  std::string clustered_by;  // the counters
  std::vector<RankCluster> clusters;
  std::vector<MarkerProfile> markers;
  std::optional<ScalingFit> scaling = std::nullopt;  // of a metric that was given as numbers
  std::vector<std::string> warnings;

  // Null: the profile has no such marker of this cluster.
  const MarkerProfile* find_marker(std::string_view id, std::uint32_t cluster) const;
};

}  // namespace rehearse::manynode
