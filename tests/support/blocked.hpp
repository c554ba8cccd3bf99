// SPDX-License-Identifier: MIT
//
// Programs in which actors wait for ever, and what makes executions of them one by one: for tests of counter-examples.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mc/counterexample/runs.hpp"
#include "mc/explore.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::tests {

// A Judge: one finding, who waits forever.
std::vector<Finding> judge_blocked(const Outcome& outcome, const Describe& describe);

// A litmus program with what is found in it under a policy, and runs that look for one of the findings.
class Blocked {
 public:
  explicit Blocked(const std::string& text, const Policy& policy = {});

  Program& program() { return *program_; }
  const std::vector<Finding>& findings() const { return findings_; }
  // New ones, about that finding.
  mc::counterexample::Runs& look_for(const Finding& finding, const mc::counterexample::Limit& limit);
  mc::counterexample::Runs& look_for(const Finding& finding);  // with hardly any limit
  mc::counterexample::Runs& look_for_first() { return look_for(findings_.at(0)); }

 private:
  std::unique_ptr<Program> program_;
  mc::ExploreOptions how_;
  Policy policy_;
  Judge judge_ = judge_blocked;
  std::vector<Finding> findings_;
  Finding finding_;
  std::unique_ptr<mc::counterexample::Runs> runs_;
};

// The decisions, each alone.
mc::counterexample::Forced forced_match(std::uint32_t receiver, std::uint32_t request, std::uint32_t source,
                                        std::uint32_t sent);
mc::counterexample::Forced forced_answer(std::uint32_t actor, std::uint32_t operation, bool flag,
                                         std::vector<std::uint32_t> completed = {});

// In words: `0:r1<-2#0`, as schedules say it, and `0:o3 starves`.
std::string text_of(const mc::counterexample::Forced& forced);

}  // namespace rehearse::tests
