// SPDX-License-Identifier: MIT
//
// Samples, counters and sizes of CSV files.
#include "manynode/samples.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "manynode/profile/csv.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode {
namespace {

constexpr std::uint64_t most_rank = (1u << 24) - 1;
constexpr std::uint64_t most_iteration = std::numeric_limits<std::uint32_t>::max();

// The series of a rank; the last one is tried first, as files have a rank's rows one after the other.
Series& series_of(std::vector<Series>& all, std::map<std::uint32_t, std::size_t>& index, std::uint32_t rank) {
  if (!all.empty() && all.back().rank == rank) return all.back();
  const auto [at, is_new] = index.try_emplace(rank, all.size());
  if (is_new) all.push_back({rank, {}});
  return all[at->second];
}

}  // namespace

std::uint64_t SampleTable::size() const {
  std::uint64_t sum = 0;
  for (const auto& [name, all] : markers) {
    for (const Series& each : all) sum += each.executions.size();
  }
  return sum;
}

Result<void> read_samples(std::string_view text, const std::string& name, SampleTable& table) {
  CsvReader csv(text, name);
  if (auto opened = csv.open({"rank", "marker", "iteration", "seconds"}); !opened) return opened;
  const std::size_t rank_at = csv.column("rank"), marker_at = csv.column("marker");
  const std::size_t iteration_at = csv.column("iteration"), seconds_at = csv.column("seconds");
  std::map<std::string, std::map<std::uint32_t, std::size_t>, std::less<>> index;
  for (const auto& [marker, all] : table.markers) {
    for (std::size_t i = 0; i < all.size(); ++i) index[marker].emplace(all[i].rank, i);
  }
  std::uint64_t rows = 0;
  for (; csv.next(); ++rows) {
    const auto rank = static_cast<std::uint32_t>(csv.whole(rank_at, most_rank));
    const std::uint64_t iteration = csv.whole(iteration_at, most_iteration);
    const double seconds = csv.number(seconds_at);
    if (seconds < 0) csv.refuse(seconds_at, "a time of at least 0");
    const std::string marker(csv.field(marker_at));
    if (marker.empty()) csv.refuse(marker_at, "the name of a marker");
    for (std::size_t i = 0; i < csv.columns().size(); ++i) {
      if (i == rank_at || i == marker_at || i == iteration_at || i == seconds_at) continue;
      table.counters[csv.columns()[i]][rank] += csv.number(i);
    }
    if (csv.problem()) break;
    series_of(table.markers[marker], index[marker], rank).executions.push_back({iteration, seconds});
    table.ranks = std::max(table.ranks, rank + 1);
  }
  if (csv.problem()) return *csv.problem();
  if (rows == 0) return Error{fmt::format("{}: no samples, expected at least one line behind the header", name)};
  return {};
}

Result<void> finish(SampleTable& table) {
  for (auto& [marker, all] : table.markers) {
    std::ranges::sort(all, {}, &Series::rank);
    for (Series& each : all) {
      std::ranges::stable_sort(each.executions, {}, &Execution::iteration);
      const auto twice = std::ranges::adjacent_find(each.executions, {}, &Execution::iteration);
      if (twice != each.executions.end()) {
        return Error{fmt::format("samples: iteration {} of marker '{}' on rank {} is there twice, expected the samples "
                                 "of one run",
                                 twice->iteration, marker, each.rank)};
      }
    }
  }
  return {};
}

Result<CounterTable> read_counters(std::string_view text, const std::string& name) {
  CsvReader csv(text, name);
  if (auto opened = csv.open({"rank"}); !opened) return opened.error();
  const std::size_t rank_at = csv.column("rank");
  std::map<std::uint32_t, std::vector<double>> rows;
  while (csv.next()) {
    const auto rank = static_cast<std::uint32_t>(csv.whole(rank_at, most_rank));
    std::vector<double> row;
    for (std::size_t i = 0; i < csv.columns().size(); ++i) {
      if (i != rank_at) row.push_back(csv.number(i));
    }
    if (rows.contains(rank)) csv.refuse(rank_at, "each rank once");
    rows.emplace(rank, std::move(row));
  }
  if (csv.problem()) return *csv.problem();
  if (rows.empty()) return Error{fmt::format("{}: no ranks, expected at least one line behind the header", name)};
  CounterTable table;
  for (std::size_t i = 0; i < csv.columns().size(); ++i) {
    if (i != rank_at) table.names.push_back(csv.columns()[i]);
  }
  if (table.names.empty()) return Error{fmt::format("{}: no counters, expected a column besides 'rank'", name)};
  table.is_factor.assign(table.names.size(), false);
  for (auto& [rank, row] : rows) {
    table.ranks.push_back(rank);
    table.rows.push_back(std::move(row));
  }
  return table;
}

Result<std::vector<SizedValue>> read_scaling(std::string_view text, const std::string& name) {
  CsvReader csv(text, name);
  if (auto opened = csv.open({"ranks", "value"}); !opened) return opened.error();
  const std::size_t ranks_at = csv.column("ranks"), value_at = csv.column("value");
  std::vector<SizedValue> values;
  std::set<std::uint32_t> sizes;
  while (csv.next()) {
    const auto ranks = static_cast<std::uint32_t>(csv.whole(ranks_at, most_rank + 1));
    const double value = csv.number(value_at);
    if (ranks == 0) csv.refuse(ranks_at, "at least 1 rank");
    if (!(value > 0)) csv.refuse(value_at, "a number above 0");
    values.push_back({ranks, value});
    sizes.insert(ranks);
  }
  if (csv.problem()) return *csv.problem();
  if (sizes.size() < 3) {
    return Error{fmt::format("{}: {} numbers of ranks, expected at least 3 for a law of scaling", name, sizes.size())};
  }
  return values;
}

}  // namespace rehearse::manynode
