// SPDX-License-Identifier: MIT
//
// What the results of a sweep are based on: how far draws go beyond the samples, and the first ranks over time.
#pragma once

#include <string>
#include <vector>

#include "app/manynode/sweep_place.hpp"
#include "app/sweep.hpp"
#include "manynode/profile.hpp"

namespace rehearse::app {

inline constexpr std::uint32_t timeline_ranks_most = 4096;  // of a run whose timeline is shown

// By marker and mode of the profile, at the number of ranks of the point, which knows its draws.
std::vector<DrawSupport> support_of(const SweepPoint& point, const manynode::Skeleton& skeleton,
                                    const manynode::Profile& profile);
// Where there are more than 100 times as many draws as samples.
std::vector<std::string> warnings_of(const std::vector<DrawSupport>& support);

// Of the first eight ranks in the first replica, which runs again.
Result<SweepTimeline> timeline_of(SweepPlace& place);

// The numbers of the clusters of the skeleton, by rank.
Result<std::vector<std::uint32_t>> clusters_of(const SweepPlace& place);

}  // namespace rehearse::app
