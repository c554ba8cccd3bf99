// SPDX-License-Identifier: MIT
//
// The profile of a table of samples: clusters first, then each marker of each cluster.
#include "manynode/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "manynode/profile/marker_analysis.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode {
namespace {

constexpr std::uint64_t enough_samples = 100;

// Counts of executions by marker; their times by factors of 2, because times of a machine differ for many reasons.
CounterTable counters_of(const SampleTable& samples) {
  CounterTable table;
  std::map<std::uint32_t, std::vector<double>> rows;
  for (const auto& [marker, all] : samples.markers) {
    for (const Series& each : all) rows[each.rank];
  }
  std::map<std::uint32_t, double> seconds;
  for (const auto& [marker, all] : samples.markers) {
    std::map<std::uint32_t, double> counts;
    for (const Series& each : all) {
      counts[each.rank] = static_cast<double>(each.executions.size());
      for (const Execution& execution : each.executions) seconds[each.rank] += execution.seconds;
    }
    for (auto& [rank, row] : rows) row.push_back(counts[rank]);
    table.names.push_back("executions of " + marker);
    table.is_factor.push_back(false);
  }
  for (const auto& [name, by_rank] : samples.counters) {
    for (auto& [rank, row] : rows) row.push_back(by_rank.contains(rank) ? by_rank.at(rank) : 0);
    table.names.push_back(name);
    table.is_factor.push_back(false);
  }
  if (!samples.counters.contains("instructions")) {
    for (auto& [rank, row] : rows) row.push_back(std::log2(std::max(seconds[rank], 1e-9)));
    table.names.push_back("seconds, by factors of 2");
    table.is_factor.push_back(true);
  }
  for (auto& [rank, row] : rows) {
    table.ranks.push_back(rank);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string names_of(const CounterTable& counters, bool are_of_samples, std::size_t markers) {
  if (!are_of_samples) {
    std::string text;
    for (const std::string& each : counters.names) text += (text.empty() ? "" : ", ") + each;
    return text;
  }
  std::string text = "executions of each marker";
  for (std::size_t i = markers; i < counters.names.size(); ++i) text += ", " + counters.names[i];
  return text;
}

void note_few_samples(Profile& profile) {
  std::size_t few = 0;
  const MarkerProfile* least = nullptr;
  for (const MarkerProfile& each : profile.markers) {
    const bool is_constant = each.order.kind == ModeOrder::Kind::constant && each.samples > 1;
    if (each.samples >= enough_samples || is_constant) continue;
    ++few;
    if (least == nullptr || each.samples < least->samples) least = &each;
  }
  if (few == 0) return;
  profile.warnings.push_back(
      fmt::format("{} of {} markers have fewer than {} samples (the fewest: {} of '{}' in cluster {}), so their "
                  "distributions and tails are not known well",
                  few, profile.markers.size(), enough_samples, least->samples, least->id, least->cluster));
}

void note_unseen_places(Profile& profile) {
  for (const RankCluster& each : profile.clusters) {
    if (each.rule.kind != ClusterRule::Kind::position || std::ranges::min(each.rule.grid) > 2) continue;
    profile.warnings.push_back(
        fmt::format("the grid of {} ranks has a dimension without a middle, so on larger grids such ranks get the "
                    "cluster that is most alike; profile at least 3 ranks in each dimension",
                    profile.ranks));
    return;
  }
}

void note_shares(Profile& profile) {
  const bool has_rules = std::ranges::none_of(profile.clusters, [](const RankCluster& each) {
    return each.rule.kind == ClusterRule::Kind::share;
  });
  if (has_rules) return;
  profile.warnings.push_back(fmt::format("no rule explains the {} clusters, so other numbers of ranks get their parts",
                                         profile.clusters.size()));
}

Result<void> add_markers(Profile& profile, const SampleTable& samples, const AnalysisOptions& options) {
  std::map<std::uint32_t, std::uint32_t> cluster_by_rank;
  for (const RankCluster& cluster : profile.clusters) {
    for (const std::uint32_t rank : cluster.ranks) cluster_by_rank[rank] = cluster.id;
  }
  for (const auto& [marker, all] : samples.markers) {
    std::map<std::uint32_t, std::vector<const Series*>> by_cluster;
    for (const Series& each : all) {
      const auto cluster = cluster_by_rank.find(each.rank);
      if (cluster == cluster_by_rank.end()) {
        return Error{fmt::format("counters: no line of rank {}, which has samples of marker '{}'", each.rank, marker)};
      }
      by_cluster[cluster->second].push_back(&each);
    }
    for (const auto& [cluster, series] : by_cluster) {
      MarkerProfile made = analyse_marker(series, options);
      made.id = marker;
      made.cluster = cluster;
      profile.markers.push_back(std::move(made));
    }
  }
  std::ranges::stable_sort(profile.markers, std::ranges::greater(),
                           [](const MarkerProfile& each) { return each.mean() * static_cast<double>(each.samples); });
  return {};
}

void note_drifts(Profile& profile) {
  for (const MarkerProfile& each : profile.markers) {
    if (!each.drift) continue;
    profile.warnings.push_back(fmt::format(
        "marker '{}' of cluster {}: the first and the last third of its executions differ (p = {:.1g}), and "
        "no order of modes explains it, so draws depend on the position",
        each.id, each.cluster, each.drift->probability));
  }
}

}  // namespace

Result<Profile> analyse(const SampleTable& samples, const std::optional<CounterTable>& counters,
                        const AnalysisOptions& options) {
  Profile profile;
  profile.source = "measured";
  const CounterTable used = counters ? *counters : counters_of(samples);
  if (!used.ranks.empty()) {
    profile.clusters = cluster_ranks(used, options.similar);
    profile.clustered_by = names_of(used, !counters, samples.markers.size());
    profile.ranks = std::max(samples.ranks, used.ranks.back() + 1);
  }
  if (auto added = add_markers(profile, samples, options); !added) return added.error();
  note_few_samples(profile);
  note_shares(profile);
  note_unseen_places(profile);
  note_drifts(profile);
  return profile;
}

double MarkerProfile::mean() const {
  if (law) return law->mean();
  double sum = 0;
  for (const ModeProfile& each : modes) sum += each.weight * each.distribution.mean();
  return sum;
}

const MarkerProfile* Profile::find_marker(std::string_view id, std::uint32_t cluster) const {
  const auto found = std::ranges::find_if(markers, [&](const MarkerProfile& each) {
    return each.id == id && each.cluster == cluster;
  });
  return found == markers.end() ? nullptr : &*found;
}

std::size_t MarkerDrift::third(std::uint64_t occurrence) const {
  return executions == 0 ? 0 : static_cast<std::size_t>(std::min<std::uint64_t>(2, 3 * occurrence / executions));
}

}  // namespace rehearse::manynode
