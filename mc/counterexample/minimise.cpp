// SPDX-License-Identifier: MIT
//
// Delta debugging, then executions with fewer deviations.
#include "mc/counterexample/minimise.hpp"

#include <algorithm>

namespace rehearse::mc::counterexample {

namespace {

using Decisions = std::vector<Forced>;

bool shows_finding(Runs& runs, const Decisions& decisions) {
  return runs.follow(Follower::Orders{all_of(decisions), {}, false}).same.has_value();
}

// Part number `which` of `parts` parts of about the same size; with `is_rest`, all others.
Decisions part(const Decisions& all, std::size_t parts, std::size_t which, bool is_rest) {
  const std::size_t begin = all.size() * which / parts, end = all.size() * (which + 1) / parts;
  Decisions result;
  for (std::size_t i = 0; i < all.size(); ++i)
    if ((i >= begin && i < end) != is_rest) result.push_back(all[i]);
  return result;
}

// The result is minimal: it needs each of its decisions, unless a limit was reached.
Decisions reduce(Runs& runs, Decisions decisions) {
  if (decisions.empty() || shows_finding(runs, {})) return {};
  std::size_t parts = 2;
  while (decisions.size() > 1 && !runs.is_over()) {
    bool is_smaller = false;
    for (const bool is_rest : {false, true}) {
      for (std::size_t i = 0; i < parts && !is_smaller; ++i) {
        if (is_rest && parts == 2) break;  // the same as the other half
        Decisions fewer = part(decisions, parts, i, is_rest);
        if (!shows_finding(runs, fewer)) continue;
        decisions = std::move(fewer);
        parts = is_rest ? std::max<std::size_t>(parts - 1, 2) : 2;
        is_smaller = true;
      }
      if (is_smaller) break;
    }
    if (is_smaller) continue;
    if (parts >= decisions.size()) break;
    parts = std::min(parts * 2, decisions.size());
  }
  return decisions;
}

// The decisions that are not defaults; or all decisions, if these alone do not lead to the finding.
std::optional<Decisions> decisions_of(Runs& runs, const std::vector<Taken>& taken) {
  Decisions all, deviating;
  for (const Taken& choice : taken) {
    all.push_back(choice.options[choice.chosen]);
    if (!choice.is_default) deviating.push_back(choice.options[choice.chosen]);
  }
  if (shows_finding(runs, deviating)) return deviating;
  if (shows_finding(runs, all)) return all;
  return std::nullopt;
}

// Searches for an execution with the finding. This is necessary for the schedule of an execution that blocks under a
// policy: it does not contain the later decisions of the blocked actors, on which others may depend.
std::optional<Decisions> searched(Runs& runs) {
  bool is_complete = false;
  for (std::uint32_t deviations = 0; !is_complete && !runs.is_over(); ++deviations) {
    Decisions deviating, all;
    if (!runs.search(deviations, deviating, all, is_complete).same) continue;
    if (shows_finding(runs, deviating)) return deviating;
    if (shows_finding(runs, all)) return all;
    break;
  }
  return std::nullopt;
}

}  // namespace

Forced all_of(const std::vector<Forced>& decisions) {
  Forced all;
  for (const Forced& decision : decisions) all.add(decision);
  return all;
}

std::optional<Minimal> minimise(Runs& runs, const Schedule& schedule) {
  const ExecutionResult whole = runs.follow(Follower::Orders{{schedule, {}}, {}, true});
  std::optional<Decisions> decisions;
  if (whole.same) decisions = decisions_of(runs, whole.taken);
  if (!decisions) decisions = searched(runs);
  if (!decisions) return std::nullopt;
  Minimal result{{}, static_cast<std::uint32_t>(std::ranges::count(whole.taken, false, &Taken::is_default)), false};
  result.decisions = reduce(runs, std::move(*decisions));
  bool is_complete = false;
  std::uint32_t deviations = 0;
  for (; deviations < result.decisions.size() && !is_complete && !runs.is_over(); ++deviations) {
    Decisions fewer, all;
    if (!runs.search(deviations, fewer, all, is_complete).same) continue;
    if (shows_finding(runs, fewer)) result.decisions = reduce(runs, std::move(fewer));
    break;
  }
  result.is_fewest = deviations >= result.decisions.size() && !runs.is_over();
  return result;
}

}  // namespace rehearse::mc::counterexample
