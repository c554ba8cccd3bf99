// SPDX-License-Identifier: MIT
//
// See reported_once.hpp.
#include "app/cli/report/reported_once.hpp"

#include <algorithm>

#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t ranks_named = 8;

// Whether each finding is about one rank, and both have the same text for the same line.
bool are_alike(const Finding& a, const Finding& b) {
  if (a.id != b.id || a.severity != b.severity || a.policies != b.policies) return false;
  if (a.actors.size() != 1 || b.actors.size() != 1 || a.locations.empty() || b.locations.empty()) return false;
  const Location &here = a.locations.front(), &there = b.locations.front();
  return !here.file.empty() && here.file == there.file && here.line == there.line && here.function == there.function &&
         !here.what.empty() && here.what == there.what;
}

}  // namespace

std::string ReportedOnce::likewise() const {
  if (others.empty()) return "";
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < std::min(others.size(), ranks_named); ++i)
    numbers.push_back(std::to_string(others[i].value));
  if (others.size() > ranks_named) numbers.push_back(app::with_commas(others.size() - ranks_named) + " more");
  return std::string(" (likewise ") + (others.size() == 1 ? "rank " : "ranks ") + app::list_of(numbers) + ")";
}

std::vector<ReportedOnce> reported_once(const std::vector<Finding>& findings) {
  std::vector<ReportedOnce> reported;
  for (const Finding& finding : findings) {
    const auto known =
        std::ranges::find_if(reported, [&](const ReportedOnce& other) { return are_alike(*other.finding, finding); });
    if (known == reported.end()) {
      reported.push_back({&finding, {}});
      continue;
    }
    const ActorId actor = finding.actors.front();
    const bool is_named = actor == known->finding->actors.front() || std::ranges::count(known->others, actor) > 0;
    if (!is_named) known->others.push_back(actor);
  }
  return reported;
}

}  // namespace rehearse::cli
