// SPDX-License-Identifier: MIT
//
// Finds actors that wait forever, and searches for such an execution again.
#include "tests/support/blocked.hpp"

#include "simcore/schedule.hpp"
#include "tests/support/litmus.hpp"

namespace rehearse::tests {

std::vector<Finding> judge_blocked(const Outcome& outcome, const Describe&) {
  Finding finding;
  finding.id = "deadlock";
  for (std::uint32_t a = 0; a < outcome.actors.size(); ++a)
    if (outcome.actors[a].state == ActorOutcome::State::blocked) finding.actors.push_back({a});
  return finding.actors.empty() ? std::vector<Finding>() : std::vector{finding};
}

Blocked::Blocked(const std::string& text, const Policy& policy) : program_(make_litmus(text)), policy_(policy) {
  how_.bounds.all_findings = true;
  how_.semantics.policies = {policy};
  findings_ = mc::explore(*program_, how_, judge_).findings;
}

mc::counterexample::Runs& Blocked::look_for(const Finding& finding, const mc::counterexample::Limit& limit) {
  finding_ = finding;
  runs_ = std::make_unique<mc::counterexample::Runs>(*program_, how_, policy_, judge_, finding_, limit);
  return *runs_;
}

mc::counterexample::Runs& Blocked::look_for(const Finding& finding) {
  return look_for(finding, {1'000'000, 100'000'000, 600});
}

mc::counterexample::Forced forced_match(std::uint32_t receiver, std::uint32_t request, std::uint32_t source,
                                        std::uint32_t sent) {
  mc::counterexample::Forced forced;
  forced.schedule.matches[{ActorId{receiver}, RequestId{request}}] = {ActorId{source}, RequestId{sent}};
  return forced;
}

mc::counterexample::Forced forced_answer(std::uint32_t actor, std::uint32_t operation, bool flag,
                                         std::vector<std::uint32_t> completed) {
  mc::counterexample::Forced forced;
  Answer& answer = forced.schedule.answers[{ActorId{actor}, operation}];
  answer.flag = flag;
  answer.completed = std::move(completed);
  return forced;
}

std::string text_of(const mc::counterexample::Forced& forced) {
  std::string text = to_text(forced.schedule);
  for (const auto& [actor, operation] : forced.starved)
    text += (text.empty() ? "" : ";") + std::to_string(actor.value) + ":o" + std::to_string(operation) + " starves";
  return text;
}

}  // namespace rehearse::tests
