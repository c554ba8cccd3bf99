// SPDX-License-Identifier: MIT
//
// See communicators.hpp.
#include "manynode/inference/communicators.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "simcore/support/format.hpp"

namespace rehearse::manynode::inference {

std::vector<std::vector<std::uint32_t>> number_communicators(RecordedRun& run) {
  std::vector<std::vector<std::uint32_t>> all;
  for (std::vector<RecordedCall>& calls : run.calls) {
    std::vector<std::uint32_t>& own = all.emplace_back(1, 0);
    for (RecordedCall& call : calls) {
      if (call.communicator == 0) continue;
      const auto found = std::ranges::find(own, call.communicator);
      const auto number = static_cast<std::uint32_t>(found - own.begin());
      if (found == own.end()) own.push_back(call.communicator);
      call.communicator = number;
    }
  }
  return all;
}

bool is_colour(const Term& colour, std::size_t number, const RecordedRun& run,
               const std::vector<std::vector<std::uint32_t>>& of_run, const Vocabulary& vocabulary) {
  static constexpr std::int32_t no_counters[most_depth] = {};
  std::map<double, std::vector<std::uint32_t>> members;
  std::map<double, std::uint32_t> index;
  for (std::uint32_t rank = 0; rank < run.ranks; ++rank) {
    if (of_run[rank].size() <= number) return false;
    const std::vector<double> names = vocabulary.values_at(run.ranks, rank);
    const double value = colour.at({names.data(), no_counters});
    if (!(value >= 0)) return false;
    members[value].push_back(rank);
    const auto [found, is_new] = index.try_emplace(value, of_run[rank][number]);
    if (!is_new && found->second != of_run[rank][number]) return false;
  }
  return std::ranges::all_of(members,
                             [&](const auto& each) { return run.communicators[index.at(each.first)] == each.second; });
}

Result<std::vector<Term>> find_colours(const RecordedRuns& runs,
                                       const std::vector<std::vector<std::vector<std::uint32_t>>>& of_runs,
                                       const Vocabulary& vocabulary) {
  std::size_t numbers = 1;
  for (const auto& of_run : of_runs)
    for (const auto& own : of_run) numbers = std::max(numbers, own.size());
  std::vector<Term> candidates = {Term(0), vocabulary.rank()};
  for (const Grid& grid : vocabulary.grids()) {
    for (const Term& place : grid.places) candidates.push_back(place);
    for (std::size_t k = 0; k < grid.places.size(); ++k)
      for (std::size_t other = k + 1; other < grid.places.size(); ++other)
        candidates.push_back(grid.places[k] * grid.sizes[other] + grid.places[other]);
  }
  std::vector<Term> colours;
  for (std::size_t number = 1; number < numbers; ++number) {
    const auto fits = [&](const Term& colour) {
      for (std::size_t run = 0; run < runs.runs.size(); ++run)
        if (!is_colour(colour, number, runs.runs[run], of_runs[run], vocabulary)) return false;
      return true;
    };
    const auto found = std::ranges::find_if(candidates, fits);
    if (found == candidates.end())
      return Error{fmt::format("the members of communicator {} of each rank (in the order of first calls) are no row, "
                               "column, plane or group of the ranks, in the order of ranks",
                               number)};
    colours.push_back(*found);
  }
  return colours;
}

}  // namespace rehearse::manynode::inference
