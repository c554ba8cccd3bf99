// SPDX-License-Identifier: MIT
//
// See timed_execution.hpp.
#include "app/check/timed_execution.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/finding_json.hpp"
#include "app/isolated.hpp"
#include "app/replay.hpp"

namespace rehearse::app {
namespace {

constexpr double execution_seconds_max = 20;

// In a replay ranks cannot touch each other's memory, but those that share a window may.
bool may_share_memory(const Finding& finding) { return finding.id.text() == "crash.foreign_memory"; }

std::string errors_as_text(const Counterexample& of, double step_seconds) {
  Counterexample plain = of;
  plain.finding = {};
  const ReplayRequest request{plain, {}, step_seconds};
  const auto replayed = replay(request);
  Json errors = Json::array();
  if (replayed && std::ranges::none_of(replayed.value().run.findings, may_share_memory))
    for (const Finding& finding : replayed.value().run.findings)
      if (finding.severity == Severity::error) errors.push_back(to_json(finding));
  return text_of(errors);
}

}  // namespace

std::vector<Finding> errors_in_time(const Counterexample& of, double step_seconds) {
  const std::optional<std::string> text = text_from_isolated([&] { return errors_as_text(of, step_seconds); },
                                                             execution_seconds_max + step_seconds);
  std::vector<Finding> errors;
  if (!text) return errors;
  const auto list = parse_json(*text);
  if (!list) return errors;
  for (const Json& one : list.value())
    if (auto finding = finding_from_json(one)) errors.push_back(std::move(finding.value()));
  return errors;
}

}  // namespace rehearse::app
