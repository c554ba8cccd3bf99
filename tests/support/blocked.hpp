// SPDX-License-Identifier: MIT
//
// Programs in which actors wait forever, and single executions of them, for tests of counter-examples.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mc/counterexample/runs.hpp"
#include "mc/explore.hpp"
#include "simcore/outcome.hpp"

namespace rehearse::tests {

// A Judge with one finding: the actors that wait forever.
std::vector<Finding> judge_blocked(const Outcome& outcome, const Describe& describe);

// A litmus program with its findings under a policy, and runs that search for one of the findings.
class Blocked {
 public:
  explicit Blocked(const std::string& text, const Policy& policy = {});

  Program& program() { return *program_; }
  const std::vector<Finding>& findings() const { return findings_; }
  // New runs that search for this finding.
  mc::counterexample::Runs& look_for(const Finding& finding, const mc::counterexample::Limit& limit);
  mc::counterexample::Runs& look_for(const Finding& finding);  // with a very high limit
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

// Single decisions.
mc::counterexample::Forced forced_match(std::uint32_t receiver, std::uint32_t request, std::uint32_t source,
                                        std::uint32_t sent);
mc::counterexample::Forced forced_answer(std::uint32_t actor, std::uint32_t operation, bool flag,
                                         std::vector<std::uint32_t> completed = {});

// As text: `0:r1<-2#0`, as in schedules, and `0:o3 starves`.
std::string text_of(const mc::counterexample::Forced& forced);

}  // namespace rehearse::tests
