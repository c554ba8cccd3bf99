// SPDX-License-Identifier: MIT
//
// See cancelled_sends.hpp.
#include "app/check/cancelled_sends.hpp"

#include <algorithm>
#include <cstdlib>

#include "app/check/started_ranks.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t cancelled_sends_max = 16;  // places whose two outcomes are explored

// Adds the places of cancelled sends that the exploration did not know. Whether there are any.
bool learn_cancelled_sends(const mc::Verdict& verdict, smpi::CancelSearch& cancels) {
  const std::size_t known = cancels.places.size();
  for (const std::string& reason : verdict.reasons) {
    const std::size_t at = reason.find(smpi::CancelSearch::place_reported);
    if (at == std::string::npos) continue;
    const char* number = reason.c_str() + at + smpi::CancelSearch::place_reported.size();
    const std::uint64_t place = std::strtoull(number, nullptr, 10);
    if (!cancels.knows(place)) cancels.places.push_back(place);
  }
  std::ranges::sort(cancels.places);
  return cancels.places.size() > known;
}

}  // namespace

Result<Explored> explore_cancelled_sends(CheckRequest& request, const CheckHooks& hooks, CommonTime& time) {
  smpi::CancelSearch& cancels = request.job.cancels;
  cancels.reports = request.save.empty() && request.resume.empty();  // a saved exploration contains no places
  for (;;) {
    auto explored = explore_started_ranks(request, hooks, time);
    request.helpers.clear();  // their processes know nothing of these places
    if (!explored || !cancels.reports || !learn_cancelled_sends(explored.value().verdict, cancels)) return explored;
    cancels.reports = cancels.places.size() < cancelled_sends_max;
  }
}

}  // namespace rehearse::app
