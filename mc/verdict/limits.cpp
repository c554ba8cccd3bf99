// SPDX-License-Identifier: MIT
//
// Joins limits, and collects them.
#include "mc/verdict/limits.hpp"

#include <algorithm>

#include "mc/history/history.hpp"
#include "mc/reduction/execution_builder.hpp"

namespace rehearse::mc::verdict {

namespace {

void join(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& text : more)
    if (std::ranges::find(all, text) == all.end()) all.push_back(text);
}

}  // namespace

void Limits::join(const Limits& more) {
  refusals_left_out = refusals_left_out || more.refusals_left_out;
  orders_left_out = orders_left_out || more.orders_left_out;
  executions_not_meant = executions_not_meant || more.executions_not_meant;
  verdict::join(unsupported, more.unsupported);
  verdict::join(assumptions, more.assumptions);
  verdict::join(strayed, more.strayed);
}

std::size_t Limits::size() const {
  return unsupported.size() + assumptions.size() + strayed.size() + refusals_left_out + orders_left_out +
         executions_not_meant;
}

Limits limits_of(const reduction::ExecutionBuilder& builder) {
  return {.refusals_left_out = builder.has_left_out_refusals(), .unsupported = builder.unsupported()};
}

Limits limits_of(const Caveats& caveats) {
  return {.unsupported = caveats.unsupported, .assumptions = caveats.assumptions};
}

Limits limits_of(const history::History& history) {
  if (history.strayed() == nullptr) return {};
  return {.strayed = {to_text(*history.strayed())}};
}

}  // namespace rehearse::mc::verdict
