// SPDX-License-Identifier: MIT
//
// See window_objects.hpp.
#include "app/check/window_objects.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/check/cancelled_sends.hpp"
#include "app/check/single_execution.hpp"
#include "simcore/support/format.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t window_objects_max = 200;
bool is_window_call(std::string_view call) {
  constexpr std::array calls = {"MPI_Win_",       "MPI_Put",          "MPI_Get",
                                "MPI_Accumulate", "MPI_Fetch_and_op", "MPI_Compare_and_swap",
                                "MPI_Rput",       "MPI_Rget",         "MPI_Raccumulate",
                                "MPI_File_"};  // shared file pointers
  return std::ranges::any_of(calls, [&](std::string_view begin) { return call.starts_with(begin); });
}

// Adds the objects that the exploration did not have. Whether there are any.
bool learn_objects(const mc::Verdict& verdict, std::uint32_t polls, std::vector<std::string>& objects) {
  const std::size_t known = objects.size();
  for (std::string_view reason : verdict.reasons) {
    const auto says = [&](std::string_view text) { return reason.find(text) != std::string_view::npos; };
    if (known == 0 && (says(smpi::owner_order_unknown) || says(smpi::elements_in_one_step)))
      objects.assign(1, std::string(smpi::accesses_as_messages) + "/" + std::to_string(polls));
    if (!reason.ends_with(not_supported_yet)) continue;
    reason.remove_suffix(not_supported_yet.size());
    if (known == 0 && is_window_call(reason))
      objects.assign(1, std::string(smpi::accesses_as_messages) + "/" + std::to_string(polls));
    const std::size_t at = reason.find(smpi::window_object_missing);
    if (at == std::string::npos) continue;
    for (std::string_view names = reason.substr(at + smpi::window_object_missing.size()); !names.empty();) {
      const std::string object(names.substr(0, names.find(smpi::between_objects)));
      names.remove_prefix(std::min(object.size() + smpi::between_objects.size(), names.size()));
      if (std::ranges::find(objects, object) == objects.end()) objects.push_back(object);
    }
  }
  return objects.size() > known;
}

// Messages have more bytes then, so a policy that counts them cannot be judged.
bool counts_bytes(const CheckRequest& request) {
  return std::ranges::any_of(request.semantics.policies, [](const Policy& policy) {
    return policy.eager_bytes != 0 && policy.eager_bytes != Policy::infinite;
  });
}

// Explores single executions as long as they teach something. Returns the seconds that this took.
Result<double> learn_from_single_executions(CheckRequest& request, const CheckHooks& hooks, const CommonTime& time) {
  CheckRequest single = single_execution_of(request);
  CheckHooks quiet;
  quiet.stop = hooks.stop;
  double spent = 0;
  while (request.job.window_objects.size() < window_objects_max) {
    single.job = request.job;
    single.bounds.max_seconds = time.left();
    auto explored = explore(single, quiet);
    if (!explored) return explored.error();
    spent += explored.value().seconds;
    if (!learn_objects(explored.value().verdict, request.semantics.polls, request.job.window_objects)) break;
  }
  return spent;
}

}  // namespace

Result<Explored> explore_windows(CheckRequest& request, const CheckHooks& hooks) {
  std::vector<std::string>& objects = request.job.window_objects;
  if (request.separate_windows) {
    if (!request.save.empty() || !request.resume.empty() || counts_bytes(request))
      return Error{"the separate memory model cannot be explored with saved explorations or --buffering eager:BYTES"};
    objects = {fmt::format("{}/{}", smpi::accesses_as_messages, request.semantics.polls),
               std::string(smpi::separate_copies)};
    request.helpers.clear();
  }
  CommonTime time(request);
  double spent = 0;
  for (;;) {
    auto explored = explore_cancelled_sends(request, hooks, time);
    if (!explored) return explored;
    explored.value().seconds = spent += explored.value().seconds;
    const bool may_learn = request.save.empty() && request.resume.empty() && !counts_bytes(request);
    // Objects take messages of any rank.
    std::erase_if(explored.value().verdict.findings, [&](const Finding& finding) {
      return std::ranges::any_of(finding.actors, [&](ActorId actor) { return actor.value >= all_ranks(request.job); });
    });
    if (!may_learn || objects.size() >= window_objects_max) return explored;
    if (!learn_objects(explored.value().verdict, request.semantics.polls, objects)) return explored;
    request.helpers.clear();  // their processes know nothing of these objects
    const auto learned = learn_from_single_executions(request, hooks, time);
    if (!learned) return learned.error();
    spent += learned.value();
  }
}

}  // namespace rehearse::app
