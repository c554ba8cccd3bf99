// SPDX-License-Identifier: MIT
//
// See state_options.hpp.
#include "app/cli/state_options.hpp"

#include <utility>

namespace rehearse::cli {

void declare(OptionSet& app, StateOptions& options) {
  app.add_option("--ltl", options.formulas,
                 "a formula of linear temporal logic that each execution must satisfy, such as 'G (requested -> F "
                 "granted)'; can be given several times")
      ->allow_extra_args(false);
  app.add_option("--fair", options.fairness,
                 "endless executions that count: those in which an actor, rank or event that can act all the time acts "
                 "at last (weak, the default), or all (none)")
      ->check(one_of({"weak", "none"}));
  app.add_option("--max-steps", options.max_steps,
                 "look for a loop of states if an execution has more steps than this (default 20000)")
      ->check(whole_number(1, UINT32_MAX));
  app.add_option("--max-states", options.max_states, "stop after this number of states (default 100000)")
      ->check(whole_number(1, UINT32_MAX));
}

namespace {

mc::Fairness fairness_of(const StateOptions& options) {
  return options.fairness == "none" ? mc::Fairness::none : mc::Fairness::weak;
}

Result<mc::NamedFormula> read_formula(const std::string& text) {
  auto formula = mc::TemporalFormula::parse(text);
  if (!formula) return Error{"--ltl '" + text + "': " + formula.error().text};
  return mc::NamedFormula{text, std::move(formula.value())};
}

}  // namespace

Result<app::StateQuestions> read_state_options(const StateOptions& options, const OptionSet& app) {
  app::StateQuestions questions;
  questions.fairness = fairness_of(options);
  questions.max_states = options.max_states;
  for (const std::string& text : options.formulas) {
    auto formula = read_formula(text);
    if (!formula) return formula.error();
    questions.formulas.push_back(std::move(formula.value()));
  }
  if (questions.formulas.empty()) return questions;
  for (const char* name :
       {"--reduction", "--search", "--count-merges", "--polls", "--rma-model", "--failures", "--distributed",
        "--deterministic", "--on", "--time-bound", "--try-ranks", "--needless-barriers", "--needed-buffering", "--save",
        "--resume", "--proof", "--max-executions", "--max-steps"})
    if (app.count(name) > 0) return Error{std::string(name) + " does not work with --ltl for MPI programs"};
  return questions;
}

Result<void> read_state_options(const StateOptions& options, app::ActorCheckRequest& request) {
  request.fairness = fairness_of(options);
  request.max_steps = options.max_steps;
  request.max_states = options.max_states;
  for (const std::string& text : options.formulas) {
    auto formula = read_formula(text);
    if (!formula) return formula.error();
    request.formulas.push_back({text, std::move(formula.value().formula)});
  }
  return {};
}

}  // namespace rehearse::cli
