// SPDX-License-Identifier: MIT
//
// Comparing predictions with all interleavings.
#include "tests/exactness/predict.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "mc/buffering/policy_replay.hpp"
#include "mc/counterexample/follower.hpp"
#include "mc/history/history.hpp"
#include "mc/predict/predictor.hpp"
#include "mc/reduction/single_execution.hpp"
#include "tests/exactness/comparison.hpp"
#include "tests/support/ends.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"
#include "tests/support/seeded_draws.hpp"

namespace rehearse::tests {

using namespace mc;

namespace {

Ends predicted_ends(const std::string& litmus, const Policy& policy, bool is_fixed) {
  const std::unique_ptr<Program> program = make_litmus(litmus);
  ExploreOptions options;
  options.strategy.search = Search::predict;
  options.strategy.is_fixed_course = is_fixed;
  options.semantics.policies = {policy};
  Ends ends;
  ends.verdict = explore(*program, options, tell_end);
  ends.is_all = ends.verdict.exhaustive;
  ends.texts = texts_of(ends.verdict);
  return ends;
}

void print_ends(const char* name, const Ends& ends) {
  std::printf("%s, %s:\n", name, ends.is_all ? "all" : "not all");
  for (const std::string& text : ends.texts) std::printf("  %s\n", text.c_str());
  for (const std::string& reason : ends.verdict.reasons) std::printf("  reason: %s\n", reason.c_str());
  if (!ends.verdict.prediction) return;
  const Prediction& prediction = *ends.verdict.prediction;
  std::printf("  %" PRIu64 " questions, %" PRIu64 " confirmed, %" PRIu64 " refuted\n", prediction.questions,
              prediction.confirmed, prediction.refuted);
}

// Of a deadlock only the states of the actors: which messages are left depends on matches that nobody has observed. If
// there are receives that nobody waits for (`frees`), that is so at every end.
std::set<std::string> kinds_of(const Ends& ends, bool frees) {
  std::set<std::string> kinds;
  for (const std::string& text : ends.texts) {
    const bool is_early = text.find("blocked") != std::string::npos || text.find("failed") != std::string::npos;
    if (!is_early && frees) continue;
    const std::size_t messages = is_early ? text.find(" to ") : std::string::npos;
    kinds.insert(messages == std::string::npos ? text : text.substr(0, text.rfind("; ", messages) + 2));
  }
  return kinds;
}

// Whether an actor starts more requests than it waits for.
bool has_unawaited(const std::string& litmus) {
  if (litmus.find("skipbelow") != std::string::npos) return true;  // perhaps
  std::istringstream lines(litmus);
  for (std::string line; std::getline(lines, line);) {
    std::set<std::string> started, awaited;
    std::istringstream parts(line.substr(line.find(':') + 1));
    for (std::string part; std::getline(parts, part, ';');) {
      std::istringstream words(part);
      std::string name, word, last;
      words >> name;
      for (bool waits = name.starts_with("wait"); words >> word; last = word)
        if (waits) awaited.insert(word);
      if (name.starts_with("i") && name.ends_with("recv")) started.insert(last);
    }
    if (!std::ranges::includes(awaited, started)) return true;
  }
  return false;
}

// No execution that was tried comes to its end, so there is none to predict from. The policy under which executions are
// recorded shows an error then.
bool is_unrecordable(const std::string& litmus, const Ends& ends) {
  const std::vector<std::string>& open = ends.verdict.prediction.value_or(Prediction{}).open;
  const auto says_so = [](const std::string& text) { return text.ends_with("did not come to its end"); };
  return !open.empty() && std::ranges::all_of(open, says_so) && !predicted_ends(litmus, Policy{}, true).texts.empty();
}

// Sometimes the lengths of messages and buffers change on the way.
std::string with_lengths(const std::string& litmus, std::uint64_t seed) {
  SplitMix chance(seed);
  std::string text;
  std::istringstream lines(litmus);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':') + 1;
    text += line.substr(0, colon) + " room 8 ;";
    std::istringstream parts(line.substr(colon));
    for (std::string part; std::getline(parts, part, ';');) {
      if (chance.below(3) == 0) text += " bytes " + std::to_string(4 + 4 * chance.below(2)) + " ;";
      if (chance.below(4) == 0) text += " room " + std::to_string(chance.below(3) == 0 ? 4 : 8) + " ;";
      text += part + ";";
    }
    text.pop_back();
    text += "\n";
  }
  return text;
}

}  // namespace

std::string random_course(std::uint64_t seed, bool is_fixed) {
  SeededDraws draw(seed + 11);
  LitmusShape shape;
  shape.actors = 2 + draw(3);
  shape.messages = 3 + draw(shape.actors == 4 ? 4 : 5);
  shape.branches = false;
  for (bool* feature : {&shape.nonblocking, &shape.tags, &shape.synchronous, &shape.barriers, &shape.collectives,
                        &shape.modes, &shape.communicators, &shape.frees})
    *feature = draw(3) == 0;
  shape.groups = shape.collectives && draw(4) == 0;
  const bool has_lengths = draw(4) == 0;
  if (!is_fixed)
    for (bool* feature : {&shape.waitany, &shape.some, &shape.polls, &shape.branches, &shape.memory, &shape.probes})
      *feature = draw(3) == 0;
  const std::string litmus = random_litmus(seed, shape);
  return has_lengths && is_fixed ? with_lengths(litmus, seed) : litmus;
}

bool PredictComparison::compare(const std::string& litmus, const Policy& policy, bool is_fixed) {
  const Ends all = ends_of(litmus, Reduction::none, policy, most_executions);
  if (!all.is_all) {
    ++too_large_;
    return true;
  }
  const Ends ends = predicted_ends(litmus, policy, is_fixed);
  const bool frees = has_unawaited(litmus);
  const Prediction prediction = ends.verdict.prediction.value_or(Prediction{});
  const bool is_false_alarm = !std::ranges::includes(kinds_of(all, frees), kinds_of(ends, frees));
  const bool is_missed = is_fixed && ends.texts.empty() && !all.texts.empty() && !is_unrecordable(litmus, ends);
  const bool is_wrong_proof = ends.texts.empty() && ends.is_all && !all.texts.empty();
  const bool is_inexact = is_fixed && prediction.refuted > 0;
  ++pairs_;
  with_errors_ += !all.texts.empty();
  predicted_ += prediction.confirmed > 0;
  complete_ += all.texts.empty() && ends.is_all;
  open_ += all.texts.empty() && !ends.is_all;
  if (!is_false_alarm && !is_missed && !is_wrong_proof && !is_inexact) return true;
  std::printf("DIFFERENCE (%s%s%s%s) under %s\n%s", is_false_alarm ? "false alarm " : "", is_missed ? "missed " : "",
              is_wrong_proof ? "wrong proof " : "", is_inexact ? "inexact" : "", to_text(policy).c_str(),
              litmus.c_str());
  print_ends("none", all);
  print_ends("predict", ends);
  return false;
}

bool PredictComparison::add(std::uint64_t seed) {
  const bool is_fixed = seed % 5 != 0;
  const std::string litmus = random_course(seed, is_fixed);
  for (const Policy& policy : all_policies)
    if (!compare(litmus, policy, is_fixed)) {
      std::printf("seed %" PRIu64 "\n", seed);
      return false;
    }
  ++programs_;
  return true;
}

void PredictComparison::print() const {
  std::printf("predict: %" PRIu64 " programs, %" PRIu64 " pairs with a policy, %" PRIu64
              " of them with errors, %" PRIu64 " of these predicted; %" PRIu64 " good ones completely decided, %" PRIu64
              " not; %" PRIu64 " too large\n",
              programs_, pairs_, with_errors_, predicted_, complete_, open_, too_large_);
  std::fflush(stdout);
}

namespace {

// The ends of the execution that the orders lead to.
class OneExecution {
 public:
  OneExecution(history::History& history, std::uint32_t actors, counterexample::Follower::Orders orders)
      : follower_(std::move(orders)),
        execution_(history, actors, 1, [](std::uint64_t) { return true; }),
        graph_(execution_.follow(follower_)) {}

  const graph::Graph* graph() const { return graph_; }

  bool ends_well(const Policy& policy) const {
    if (graph_ == nullptr) return true;
    bool is_good = true;
    buffering::PolicyReplay replay([] { return true; });
    replay.run(*graph_, policy, [&](const buffering::PolicyOutcome& outcome) {
      is_good = is_good && text_of_end(*graph_, outcome) == "good";
    });
    return is_good;
  }

 private:
  counterexample::Follower follower_;
  reduction::SingleExecution execution_;
  const graph::Graph* graph_;
};

}  // namespace

RuledPrediction predicted_by(const std::string& litmus, const Policy& policy, const predict::Rules& rules) {
  const std::unique_ptr<Program> program = make_litmus(litmus);
  history::History history(*program, ~std::uint64_t{0});
  const std::uint32_t actors = program->actor_count();
  const OneExecution first(history, actors, {});
  RuledPrediction result;
  if (first.graph() == nullptr || !first.ends_well(policy)) return result;
  predict::Predictor predictor(*first.graph(), {policy}, "actor", rules);
  result.is_possible = predictor.unsupported().empty();
  if (!result.is_possible) return result;
  const predict::Predictions found = predictor.predict(0, [&](const Schedule& schedule) {
    for (const bool to_the_end : {true, false})
      if (!OneExecution(history, actors, {{schedule, {}}, {}, to_the_end}).ends_well(policy))
        return predict::Shown::error;
    return predict::Shown::nothing;
  });
  result.finds_error = found.confirmed > 0;
  result.refuted = found.refuted;
  return result;
}

namespace {

// Programs without an error in which a rule matters. In the first, actor 0 must have taken the message of actor 2
// before any message to actor 1 exists, so it cannot take that of actor 1 instead.
const std::vector<std::string> aimed = {
    "0: recv * 0 ; send 1 0 ; send 3 0 ; recv 1 0\n1: recv * 0 ; send 0 0 ; recv * 0\n2: send 0 0\n"
    "3: recv 0 0 ; send 1 0\n",
    "0: irecv 2 0 a ; irecv * 0 b ; wait b ; wait a\n1: send 0 0\n2: send 0 0\n",
    "0: recv 1 * ; recv * 1\n1: send 0 0 ; send 0 1\n2: \n"};

// The program of this number: the aimed ones, and then random ones.
std::string control_program(std::uint64_t number) {
  if (number < aimed.size()) return aimed[number];
  return random_course(number % 5 == 0 ? number + 20'001 : number, true);
}

}  // namespace

bool needs_each_rule(std::uint64_t programs) {
  using predict::Rules;
  const std::vector<std::pair<const char*, bool Rules::*>> all = {{"one_match", &Rules::one_match},
                                                                  {"causality", &Rules::causality},
                                                                  {"message_order", &Rules::message_order},
                                                                  {"receive_order", &Rules::receive_order},
                                                                  {"maximality", &Rules::maximality}};
  std::vector<std::uint64_t> wrong(all.size(), 0);
  for (std::uint64_t number = 0; number < programs; ++number) {
    const std::string litmus = control_program(number);
    const Policy& policy = all_policies[number % all_policies.size()];
    const RuledPrediction right = predicted_by(litmus, policy, {});
    if (!right.is_possible) continue;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Rules rules;
      rules.*all[i].second = false;
      const RuledPrediction other = predicted_by(litmus, policy, rules);
      wrong[i] += other.refuted > 0 || other.finds_error != right.finds_error;
    }
    Rules slow;
    slow.groups = false;
    if (predicted_by(litmus, policy, slow).finds_error == right.finds_error) continue;
    std::printf("DIFFERENCE, number %" PRIu64 ": with groups and without\n%s", number, litmus.c_str());
    return false;
  }
  bool is_good = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::printf("without %s: %" PRIu64 " of %" PRIu64 " programs come out wrong\n", all[i].first, wrong[i], programs);
    is_good = is_good && wrong[i] > 0;
  }
  return is_good;
}

}  // namespace rehearse::tests
