// SPDX-License-Identifier: MIT
//
// Groups of ranks by complete linkage, their representatives and their rules.
//
// Cost: n^2 numbers for n ranks, and about n^2 steps. Of more than 1,024 ranks an even sample is clustered; the others
//       join the nearest representative if they are within the cut of it, or else form clusters among themselves.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "manynode/analysis.hpp"
#include "manynode/profile/rules.hpp"

namespace rehearse::manynode {
namespace {

constexpr std::size_t most_clustered = 1024;

using Groups = std::vector<std::vector<std::size_t>>;

// The largest difference in any column, in units of the cut.
class RowDistance {
 public:
  RowDistance(const CounterTable& counters, double similar) : rows_(counters.rows) {
    for (std::size_t column = 0; column < counters.names.size(); ++column) {
      double sum = 0;
      for (const auto& row : rows_) sum += row[column];
      const double mean = std::abs(sum / static_cast<double>(rows_.size()));
      scales_.push_back(counters.is_factor[column] ? 1 : mean > 0 ? mean * similar : similar);
    }
  }

  double operator()(std::size_t a, std::size_t b) const {
    double most = 0;
    for (std::size_t column = 0; column < scales_.size(); ++column) {
      most = std::max(most, std::abs(rows_[a][column] - rows_[b][column]) / scales_[column]);
    }
    return most;
  }

 private:
  const std::vector<std::vector<double>>& rows_;
  std::vector<double> scales_;
};

// Merges the two nearest groups as long as they are within the cut. Each group keeps its nearest earlier one.
class Linkage {
 public:
  Linkage(const std::vector<std::size_t>& rows, const RowDistance& distance) : count_(rows.size()) {
    groups_.resize(count_);
    reach_.resize(count_ * count_);
    nearest_.resize(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      groups_[i] = {rows[i]};
      for (std::size_t k = 0; k < i; ++k) reach_[i * count_ + k] = reach_[k * count_ + i] = distance(rows[i], rows[k]);
      find_nearest(i);
    }
  }

  Groups run() {
    while (merge_nearest()) {
    }
    Groups alive;
    for (auto& group : groups_) {
      if (group.empty()) continue;
      std::ranges::sort(group);
      alive.push_back(std::move(group));
    }
    std::ranges::sort(alive);
    return alive;
  }

 private:
  double reach(std::size_t i, std::size_t k) const { return reach_[i * count_ + k]; }

  void find_nearest(std::size_t i) {
    nearest_[i] = i;
    for (std::size_t k = 0; k < i; ++k) {
      if (!groups_[k].empty() && (nearest_[i] == i || reach(i, k) < reach(i, nearest_[i]))) nearest_[i] = k;
    }
  }

  bool merge_nearest() {
    double best = std::numeric_limits<double>::infinity();
    std::size_t i = count_;
    for (std::size_t k = 0; k < count_; ++k) {
      if (groups_[k].empty() || nearest_[k] == k || !(reach(k, nearest_[k]) < best)) continue;
      best = reach(k, nearest_[k]);
      i = k;
    }
    if (i == count_ || best > 1) return false;
    const std::size_t into = nearest_[i];
    groups_[into].insert(groups_[into].end(), groups_[i].begin(), groups_[i].end());
    groups_[i].clear();
    for (std::size_t k = 0; k < count_; ++k) {
      if (groups_[k].empty() || k == into) continue;
      reach_[into * count_ + k] = reach_[k * count_ + into] = std::max(reach(into, k), reach(i, k));
    }
    for (std::size_t k = 0; k < count_; ++k) {
      if (!groups_[k].empty() && (k == into || nearest_[k] == i || nearest_[k] == into)) find_nearest(k);
    }
    return true;
  }

  std::size_t count_;
  Groups groups_;  // empty: merged into another one
  std::vector<double> reach_;
  std::vector<std::size_t> nearest_;  // of the groups before it; itself: there is none
};

std::size_t medoid_of(const std::vector<std::size_t>& group, const RowDistance& distance) {
  const std::size_t step = (group.size() + most_clustered - 1) / most_clustered;
  std::size_t best = group.front();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < group.size(); i += step) {
    double sum = 0;
    for (std::size_t k = 0; k < group.size(); k += step) sum += distance(group[i], group[k]);
    if (sum < least) {
      least = sum;
      best = group[i];
    }
  }
  return best;
}

Groups clusters_of_many(const std::vector<std::size_t>& rows, const RowDistance& distance) {
  if (rows.size() <= most_clustered) return Linkage(rows, distance).run();
  std::vector<std::size_t> sample, others;
  for (std::size_t i = 0, taken = 0; i < rows.size(); ++i) {
    const bool is_taken = taken < most_clustered && i * most_clustered / rows.size() >= taken;
    (is_taken ? sample : others).push_back(rows[i]);
    taken += is_taken;
  }
  Groups groups = Linkage(sample, distance).run();
  std::vector<std::size_t> medoids;
  for (const auto& group : groups) medoids.push_back(medoid_of(group, distance));
  std::vector<std::size_t> strange;
  for (const std::size_t row : others) {
    std::size_t nearest = 0;
    for (std::size_t k = 1; k < medoids.size(); ++k) {
      if (distance(row, medoids[k]) < distance(row, medoids[nearest])) nearest = k;
    }
    if (distance(row, medoids[nearest]) <= 1) groups[nearest].push_back(row);
    else strange.push_back(row);
  }
  if (!strange.empty()) {
    for (auto& group : clusters_of_many(strange, distance)) groups.push_back(std::move(group));
  }
  for (auto& group : groups) std::ranges::sort(group);
  std::ranges::sort(groups);
  return groups;
}

}  // namespace

std::vector<std::vector<std::size_t>> cluster_rows(const CounterTable& counters, double similar) {
  std::vector<std::size_t> rows(counters.rows.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return clusters_of_many(rows, RowDistance(counters, similar));
}

std::vector<RankCluster> cluster_ranks(const CounterTable& counters, double similar) {
  const RowDistance distance(counters, similar);
  std::vector<RankCluster> clusters;
  for (const auto& group : cluster_rows(counters, similar)) {
    RankCluster cluster;
    cluster.id = static_cast<std::uint32_t>(clusters.size());
    for (const std::size_t row : group) cluster.ranks.push_back(counters.ranks[row]);
    cluster.representative = counters.ranks[medoid_of(group, distance)];
    clusters.push_back(std::move(cluster));
  }
  set_rules(clusters, counters.ranks.back() + 1);
  return clusters;
}

}  // namespace rehearse::manynode
