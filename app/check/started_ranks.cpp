// SPDX-License-Identifier: MIT
//
// See started_ranks.hpp.
#include "app/check/started_ranks.hpp"

#include <algorithm>
#include <string_view>

#include "app/check/single_execution.hpp"
#include "app/launch.hpp"
#include "smpi/requirements.hpp"

namespace rehearse::app {
namespace {

// Adds the groups that the exploration did not know. Whether there are any.
bool learn_groups(const mc::Verdict& verdict, std::vector<smpi::SpawnedGroup>& groups) {
  const std::size_t known = groups.size();
  for (std::string_view reason : verdict.reasons) {
    if (!reason.starts_with(smpi::unknown_group) || !reason.ends_with(not_supported_yet)) continue;
    reason.remove_suffix(not_supported_yet.size());
    reason.remove_prefix(smpi::unknown_group.size());
    const auto group = smpi::parse_spawned_group(reason);
    if (group && std::ranges::find(groups, *group) == groups.end()) groups.push_back(*group);
  }
  return groups.size() > known;
}

// Explores single executions as long as they teach something.
Result<void> learn_from_single_executions(CheckRequest& request, const CheckHooks& hooks) {
  CheckRequest single = single_execution_of(request);
  for (;;) {
    single.job = request.job;
    CheckHooks quiet;
    quiet.stop = hooks.stop;
    auto explored = explore(single, quiet);
    if (!explored) return explored.error();
    if (!learn_groups(explored.value().verdict, request.job.starts.groups)) return {};
  }
}

// The reason why this exploration cannot know groups of ranks; empty: there is none.
std::string obstacle_of(const CheckRequest& request) {
  if (!request.save.empty() || !request.resume.empty()) return "MPI_Comm_spawn in a saved exploration";
  if (!request.job.window_objects.empty()) return "MPI_Comm_spawn in a program that shares windows by locks";
  return {};
}

}  // namespace

Result<Explored> explore_started_ranks(CheckRequest& request, const CheckHooks& hooks, CommonTime& time) {
  Job& job = request.job;
  const std::string obstacle = obstacle_of(request);
  job.starts.knows_groups = obstacle.empty() && smpi::may_start_ranks(launch_spec(job));
  if (!obstacle.empty()) job.starts.refusal = obstacle;
  for (bool is_first = true;; is_first = false) {
    if (job.starts.knows_groups)
      if (const auto learnt = learn_from_single_executions(request, hooks); !learnt) return learnt.error();
    if (!is_first || !job.starts.groups.empty())
      request.helpers.clear();  // their processes know nothing of these groups
    time.begin_exploration();
    auto explored = explore(request, hooks);
    if (!explored || !job.starts.knows_groups || !learn_groups(explored.value().verdict, job.starts.groups))
      return explored;
  }
}

}  // namespace rehearse::app
