// SPDX-License-Identifier: MIT
//
// See app/rank_failures.hpp.
#include "app/rank_failures.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

template <class T>
std::optional<T> number_in(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The first date at which the host goes off; none: it never does, or at random.
std::optional<double> end_of(const Platform& platform, HostId host) {
  const Profile* profile = platform.state_profile(host);
  if (profile == nullptr || profile->is_stochastic()) return std::nullopt;
  const auto off = std::ranges::find_if(profile->points(), [](const ProfilePoint& point) { return point.value == 0; });
  if (off == profile->points().end()) return std::nullopt;
  return off->date;
}

}  // namespace

Result<RequestedFailure> parse_failure(const std::string& text) {
  static constexpr std::string_view call = "call:";
  const Error wrong{"'" + text + "' given; accepted: RANK@SECONDS, or RANK@call:NUMBER with a number from 1 on"};
  const std::size_t at = text.find('@');
  if (at == std::string::npos) return wrong;
  const std::string_view all = text;
  const auto rank = number_in<std::uint32_t>(all.substr(0, at));
  const std::string_view when = all.substr(at + 1);
  if (!rank) return wrong;
  if (when.starts_with(call)) {
    const auto number = number_in<std::uint64_t>(when.substr(call.size()));
    if (!number || *number == 0) return wrong;
    return RequestedFailure{*rank, std::nullopt, number};
  }
  const auto seconds = number_in<double>(when);
  if (!seconds || !std::isfinite(*seconds) || *seconds < 0) return wrong;
  return RequestedFailure{*rank, seconds, std::nullopt};
}

Result<RunFailures> failures_of(const std::vector<RequestedFailure>& requested, const Machine& machine,
                                std::uint32_t ranks) {
  RunFailures result;
  std::map<std::uint32_t, Loss> losses;  // by rank
  const Platform& platform = machine.platform;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const HostId host = machine.placement.empty() ? HostId{static_cast<std::uint32_t>(rank % platform.hosts().size())}
                                                  : machine.placement[rank];
    if (const Profile* profile = platform.state_profile(host); profile != nullptr && profile->is_stochastic())
      result.reports_outages = false;
    if (const auto date = end_of(platform, host))
      losses[rank] = {{rank},
                      TimePoint{} + Duration::from_seconds(*date),
                      fmt::format("at {:.9g} s, because host '{}' goes off", *date, platform.host(host).name)};
  }
  std::vector<bool> is_named(ranks);
  for (const RequestedFailure& failure : requested) {
    if (failure.rank >= ranks) return Error{fmt::format("rank {} given; accepted: 0 to {}", failure.rank, ranks - 1)};
    if (is_named[failure.rank]) return Error{fmt::format("rank {} given twice; accepted: once", failure.rank)};
    is_named[failure.rank] = true;
    if (failure.call) {
      result.plan.at_calls.push_back({failure.rank, *failure.call});
      continue;
    }
    const TimePoint date = TimePoint{} + Duration::from_seconds(*failure.seconds);
    const auto known = losses.find(failure.rank);
    if (known == losses.end() || date < known->second.date)
      losses[failure.rank] = {{failure.rank}, date, fmt::format("at {:.9g} s, as requested", *failure.seconds)};
  }
  for (auto& [rank, loss] : losses) {
    result.plan.mortal.push_back(rank);
    result.losses.push_back(std::move(loss));
  }
  return result;
}

}  // namespace rehearse::app
