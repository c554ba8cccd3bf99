// SPDX-License-Identifier: MIT
//
// See lasso_words.hpp.
#include "app/check/lasso_words.hpp"

#include <algorithm>
#include <string>

#include "app/wording.hpp"
#include "properties/words.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

using Kind = mc::LassoStep::Kind;

std::string words_of(const mc::LassoStep& step) {
  const std::uint32_t rank = step.actor.value, peer = step.peer.value;
  const std::string call = step.at.call.empty() ? "a call" : step.at.call;
  switch (step.kind) {
    case Kind::publish: return fmt::format("rank {} publishes {} = {}", rank, step.name, step.value);
    case Kind::start: return fmt::format("rank {} starts {}", rank, call);
    case Kind::match: return fmt::format("a receive of rank {} takes the next message of rank {}", rank, peer);
    case Kind::notice: return fmt::format("a request of rank {} becomes complete", rank);
    case Kind::see: return fmt::format("a message of rank {} becomes visible to rank {}", peer, rank);
    case Kind::answer: break;
  }
  return fmt::format("rank {} {} {}{}", rank, step.flag ? "completes" : "calls", call,
                     step.flag ? "" : ", which finds nothing");
}

std::string place_of_step(const mc::LassoStep& step) {
  const bool is_of_code = step.kind == Kind::publish || step.kind == Kind::start || step.kind == Kind::answer;
  if (!is_of_code || step.at.frames.empty() || step.at.frames.front().file.empty()) return "";
  const std::string& file = step.at.frames.front().file;
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), step.at.frames.front().line);
}

std::string values_of(const mc::LassoStep& step) {
  return step.kind == Kind::publish ? fmt::format("{}@{} = {}", step.name, step.actor.value, step.value) : "";
}

// Each place of the loop once, by rank.
void add_location(const mc::LassoStep& step, Finding& finding) {
  if (std::ranges::find(finding.actors, step.actor) == finding.actors.end()) finding.actors.push_back(step.actor);
  if (place_of_step(step).empty() || step.kind == Kind::publish) return;
  Location location = properties::place(step.actor, step.at, "in the loop");
  const auto is_here = [&](const Location& known) {
    return known.actor == location.actor && known.file == location.file && known.line == location.line &&
           known.call == location.call;
  };
  if (std::ranges::none_of(finding.locations, is_here)) finding.locations.push_back(std::move(location));
}

}  // namespace

void describe_lasso(const mc::FoundLasso& lasso, Counterexample& counterexample) {
  Finding& finding = counterexample.finding;
  const std::size_t stem = lasso.steps.size() - lasso.loop;
  const std::string steps = fmt::format(" after {}", counted(stem, "step"));
  finding.message += lasso.loop == 0
                         ? fmt::format(": the execution ends{}, and its last state stays", steps)
                         : fmt::format(":{} come {} that repeat forever", steps, counted(lasso.loop, "step"));
  for (std::size_t i = 0; i < lasso.steps.size(); ++i) {
    const mc::LassoStep& step = lasso.steps[i];
    counterexample.steps.push_back({words_of(step), {}, {}, place_of_step(step), values_of(step)});
    if (i >= stem) add_location(step, finding);
  }
  std::ranges::sort(finding.actors);
  std::ranges::stable_sort(finding.locations, {}, &Location::actor);
  if (finding.actors.empty()) finding.actors = {ActorId{0}};
  finding.witness.schedule = lasso.schedule;
  counterexample.loop = static_cast<std::uint32_t>(lasso.loop);
  counterexample.operations = lasso.operations;
}

}  // namespace rehearse::app
