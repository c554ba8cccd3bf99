// SPDX-License-Identifier: MIT
//
// The texts of findings about states that violate predicates.
#include "properties/differences.hpp"
#include "properties/words.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::properties {

namespace {

Finding unknown_value(const GlobalState& state, Finding finding) {
  finding.id = "property.value";
  finding.message += " asks about " + state.missing + ", which " +
                     (state.missing.find('@') == std::string::npos ? "no rank publishes" : "is not published");
  finding.actors = {state.declared_by};
  finding.locations = {state.declared_at};
  finding.locations.front().what = "declares the predicate";
  return finding;
}

}  // namespace

std::vector<Finding> report_state(const GlobalState& state) {
  Finding finding;
  finding.witness.schedule = state.schedule;
  finding.message = std::string(state.is_never ? "rehearse_never" : "rehearse_always") + "(\"" + state.predicate +
                    "\")";
  if (!state.missing.empty()) return {unknown_value(state, std::move(finding))};
  finding.id = state.is_never ? "property.never" : "property.always";
  std::vector<std::string> held;
  for (const GlobalState::Value& value : state.values) {
    if (finding.actors.empty() || finding.actors.back() != value.actor) finding.actors.push_back(value.actor);
    const std::string text = fmt::format("{} = {}", value.name, value.value);
    held.push_back(rank(value.actor) + " has " + text);
    finding.locations.push_back(value.published);
    finding.locations.back().what = "published " + text;
  }
  finding.message += std::string(" is ") + (state.is_never ? "true" : "false") + " when " + joined(held, " and ");
  return {finding};
}

}  // namespace rehearse::properties
