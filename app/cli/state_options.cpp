// SPDX-License-Identifier: MIT
//
// See state_options.hpp.
#include "app/cli/state_options.hpp"

#include <utility>

namespace rehearse::cli {

void declare(OptionSet& app, StateOptions& options) {
  app.add_option("--ltl", options.formulas,
                 "a formula of linear temporal logic that each execution of a program of the actor API must satisfy, "
                 "such as 'G (requested -> F granted)'; can be given several times")
      ->allow_extra_args(false);
  app.add_option("--fair", options.fairness,
                 "endless executions of a program of the actor API that count: those in which an actor or event that "
                 "can act all the time acts at last (weak, the default), or all (none)")
      ->check(one_of({"weak", "none"}));
  app.add_option("--max-steps", options.max_steps,
                 "explore states instead of executions, and look for a loop, if an execution of a program of the "
                 "actor API has more steps than this (default 20000)")
      ->check(whole_number(1, UINT32_MAX));
  app.add_option("--max-states", options.max_states,
                 "stop after this number of states of a program of the actor API (default 100000)")
      ->check(whole_number(1, UINT32_MAX));
}

Result<void> refuse_state_options(const OptionSet& app) {
  for (const char* name : {"--ltl", "--fair", "--max-steps", "--max-states"})
    if (app.count(name) > 0)
      return Error{std::string(name) + " is for programs of the actor API; this is an MPI program"};
  return {};
}

Result<void> read_state_options(const StateOptions& options, app::ActorCheckRequest& request) {
  request.fairness = options.fairness == "none" ? mc::Fairness::none : mc::Fairness::weak;
  request.max_steps = options.max_steps;
  request.max_states = options.max_states;
  for (const std::string& text : options.formulas) {
    auto formula = mc::TemporalFormula::parse(text);
    if (!formula) return Error{"--ltl '" + text + "': " + formula.error().text};
    request.formulas.push_back({text, std::move(formula.value())});
  }
  return {};
}

}  // namespace rehearse::cli
