// SPDX-License-Identifier: MIT
//
// Equations, and questions that are refuted exactly (mc/flow/solver.hpp).
#include "mc/footprints/word_equations.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace rehearse::mc::footprints {

namespace {

using flow::Question;
using flow::Relation;
using flow::Row;
using flow::Solver;
using flow::System;
using flow::Variable;

constexpr double seconds_per_question = 8;
constexpr std::uint32_t most_divisions = 64, few_divisions = 4;
constexpr Variable no_variable = ~Variable{0};
constexpr std::int64_t largest_amount = 1 << 15;  // of a sum; System has a limit

Row sum_at_least(const std::vector<Variable>& variables, std::int64_t bound) {
  Row row{{}, Relation::at_most, -bound};
  for (const Variable variable : variables) row.terms.push_back({variable, -1});
  return row;
}

Row sum_at_most(const std::vector<Variable>& variables, std::int64_t bound) {
  Row row{{}, Relation::at_most, bound};
  for (const Variable variable : variables) row.terms.push_back({variable, 1});
  return row;
}

bool is_start(const Step& step) { return step.from == none; }

}  // namespace

struct WordEquations::Model {
  std::uint64_t version = 0;
  System system;
  std::vector<Variable> step, point, message;  // no step has a variable that starts an actor
  std::vector<std::vector<StepId>> takers;     // by message
  std::unique_ptr<Solver> solver;
};

WordEquations::WordEquations(const WordNet& net, WordNet::GoesOn goes_on) : net_(net), goes_on_(std::move(goes_on)) {}
WordEquations::~WordEquations() = default;

const WordEquations::Model& WordEquations::model() {
  if (model_ != nullptr && model_->version == net_.version()) return *model_;
  model_ = std::make_unique<Model>();
  Model& model = *model_;
  model.version = net_.version();
  model.takers.resize(net_.messages().size());
  for (StepId s = 0; s < net_.steps().size(); ++s) {
    const Step& step = net_.steps()[s];
    model.step.push_back(is_start(step) ? no_variable : model.system.add_variable());
    if (!is_start(step)) model.takers[step.taken].push_back(s);
  }
  for (std::size_t i = 0; i < net_.points().size(); ++i) model.point.push_back(model.system.add_variable());
  for (std::size_t i = 0; i < net_.messages().size(); ++i) model.message.push_back(model.system.add_variable());
  add_balances(model);
  add_reads(model);
  model.solver = std::make_unique<Solver>(model.system, seconds_per_question, goes_on_);
  return model;
}

void WordEquations::add_balances(Model& model) const {
  std::vector<Row> points(net_.points().size(), Row{{}, Relation::equal, 0});
  for (StepId s = 0; s < net_.steps().size(); ++s) {
    const Step& step = net_.steps()[s];
    if (is_start(step)) {
      --points[step.to].bound;
      continue;
    }
    points[step.to].terms.push_back({model.step[s], 1});
    points[step.from].terms.push_back({model.step[s], -1});
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].terms.push_back({model.point[i], -1});
    model.system.add(std::move(points[i]));
  }
  for (std::size_t m = 0; m < net_.messages().size(); ++m) {
    Row row{{{model.message[m], -1}}, Relation::equal, 0};
    for (const StepId s : net_.messages()[m].senders) {
      if (is_start(net_.steps()[s])) --row.bound;
      else row.terms.push_back({model.step[s], 1});
    }
    for (const StepId s : model.takers[m]) row.terms.push_back({model.step[s], -1});
    model.system.add(std::move(row));
  }
}

// A step needs one of the writers of each word that it reads.
void WordEquations::add_reads(Model& model) const {
  for (StepId s = 0; s < net_.steps().size(); ++s)
    for (const auto& [word, writers] : net_.steps()[s].reads) {
      if (std::ranges::any_of(writers, [&](StepId writer) { return is_start(net_.steps()[writer]); })) continue;
      Row row{{{model.step[s], 1}}, Relation::at_most, 0};
      for (const StepId writer : writers) row.terms.push_back({model.step[writer], -1});
      model.system.add(std::move(row));
    }
}

std::vector<Row> WordEquations::nobody_wrote(const Model& model, std::uint32_t actor, Word word) const {
  std::vector<Variable> writers;
  for (StepId s = 0; s < net_.steps().size(); ++s) {
    const Step& step = net_.steps()[s];
    if (step.actor == actor && !is_start(step) && step.writes.contains(word)) writers.push_back(model.step[s]);
  }
  if (writers.empty()) return {};
  return {sum_at_most(writers, 0)};
}

// What the writers at the point say about an actor that stands there.
std::vector<Row> WordEquations::facts(const Model& model, PointId id) const {
  const Point& point = net_.points()[id];
  std::vector<Row> rows;
  for (const auto& [word, writers] : point.writers) {
    if (net_.is_added_to(word, point.actor)) continue;
    std::vector<Variable> steps;
    for (const StepId writer : writers)
      if (!is_start(net_.steps()[writer])) steps.push_back(model.step[writer]);
    if (steps.size() == writers.size()) rows.push_back(sum_at_least(steps, 1));
    else if (steps.empty())
      for (Row& row : nobody_wrote(model, point.actor, word)) rows.push_back(std::move(row));
  }
  return rows;
}

// The actor stands at the point, and the message is there. As rows: the solver then gives multipliers more often than
// for variables with one value.
std::vector<Row> WordEquations::here(const Model& model, PointId point, MessageId message) const {
  std::vector<Row> rows = facts(model, point);
  rows.push_back(sum_at_least({model.point[point]}, 1));
  rows.push_back(sum_at_least({model.message[message]}, 1));
  return rows;
}

bool WordEquations::refutes(Solver& solver, const Question& question, std::uint32_t divisions) {
  ++questions_;
  return solver.refutes(question, divisions);
}

bool WordEquations::is_possible(PointId point, MessageId message, Word word, const std::set<StepId>& writers) {
  std::vector<Variable> steps;
  const Model& now = model();
  for (const StepId writer : writers)
    if (!is_start(net_.steps()[writer])) steps.push_back(now.step[writer]);
  if (!steps.empty() && steps.size() != writers.size()) return true;
  Question question{here(now, point, message), {}};
  if (!steps.empty()) question.rows.push_back(sum_at_least(steps, 1));
  else
    for (Row& row : nobody_wrote(now, net_.points()[point].actor, word)) question.rows.push_back(std::move(row));
  return !refutes(*now.solver, question, few_divisions);
}

bool WordEquations::is_sum(PointId point, MessageId message, Word word, std::int64_t amount) {
  if (std::abs(amount) > (std::int64_t{1} << 39)) return false;
  const Model& now = model();
  Row sum{{}, Relation::at_most, 0};
  for (StepId s = 0; s < net_.steps().size(); ++s) {
    const Step& step = net_.steps()[s];
    const auto added = step.sums.find(word);
    if (step.actor != net_.points()[point].actor || is_start(step) || added == step.sums.end()) continue;
    if (std::abs(added->second) > largest_amount) return false;
    sum.terms.push_back({now.step[s], static_cast<std::int32_t>(added->second)});
  }
  for (const int sign : {1, -1}) {  // less; more
    Row row = sum;
    for (flow::Term& term : row.terms) term.factor *= sign;
    row.bound = sign * amount - 1;
    Question question{here(now, point, message), {}};
    question.rows.push_back(std::move(row));
    if (!refutes(*now.solver, question, few_divisions)) return false;
  }
  return true;
}

std::string WordEquations::possible_failure() {
  for (StepId s = 0; s < net_.steps().size(); ++s) {
    const Step& step = net_.steps()[s];
    const Place& end = net_.points()[step.to].place;
    if (end.kind != Place::Kind::failed) continue;
    if (is_start(step)) return end.reason;
    const Model& now = model();
    Question question;
    if (net_.rules().asks_before_steps) {
      question.rows = here(now, step.from, step.taken);
    } else {
      question.rows = facts(now, step.from);
      question.fixed = {{now.step[s], true}};
    }
    for (const auto& [word, writers] : step.reads) {
      if (!std::ranges::all_of(writers, [&](StepId writer) { return is_start(net_.steps()[writer]); })) continue;
      for (Row& row : nobody_wrote(now, step.actor, word)) question.rows.push_back(std::move(row));
    }
    if (!refutes(*now.solver, question, most_divisions)) return end.reason;
  }
  return "";
}

void WordEquations::forbid_failures(System& system, const Model& model) const {
  for (StepId s = 0; s < net_.steps().size(); ++s)
    if (net_.points()[net_.steps()[s].to].place.kind == Place::Kind::failed)
      system.add(sum_at_most({model.step[s]}, 0));
}

// Nobody waits for a message that is there.
void WordEquations::forbid_takes(System& system, const Model& model) const {
  for (MessageId m = 0; m < net_.messages().size(); ++m) {
    const Message& message = net_.messages()[m];
    std::vector<Variable> together{model.message[m]};
    for (PointId p = 0; p < net_.points().size(); ++p)
      if (net_.points()[p].actor == message.destination &&
          net_.points()[p].place.accepts(message.source, message.content.tag))
        together.push_back(model.point[p]);
    if (together.size() > 1) system.add(sum_at_most(together, 1));
  }
}

std::string WordEquations::possible_deadlock() {
  const Model& now = model();
  System system = now.system;
  forbid_failures(system, now);
  forbid_takes(system, now);
  Solver solver(system, seconds_per_question, goes_on_);
  std::vector<Variable> all;
  for (PointId p = 0; p < net_.points().size(); ++p)
    if (net_.points()[p].place.kind == Place::Kind::receives) all.push_back(now.point[p]);
  if (all.empty() || refutes(solver, {{sum_at_least(all, 1)}, {}}, 0)) return "";
  for (PointId p = 0; p < net_.points().size(); ++p)
    if (net_.points()[p].place.kind == Place::Kind::receives &&
        !refutes(solver, {facts(now, p), {{now.point[p], true}}}, most_divisions))
      return "a wait that never ends";
  return "";
}

std::string WordEquations::possible_loss() {
  const Model& now = model();
  if (net_.messages().empty()) return "";
  System system = now.system;
  forbid_failures(system, now);
  for (PointId p = 0; p < net_.points().size(); ++p)
    if (net_.points()[p].place.kind != Place::Kind::ended) system.add(sum_at_most({now.point[p]}, 0));
  Solver solver(system, seconds_per_question, goes_on_);
  if (refutes(solver, {{sum_at_least(now.message, 1)}, {}}, 0)) return "";
  for (const Variable message : now.message)
    if (!refutes(solver, {{}, {{message, true}}}, most_divisions)) return "a message that is never received";
  return "";
}

std::string WordEquations::possible_error() {
  if (std::string failure = possible_failure(); !failure.empty()) return failure;
  if (std::string deadlock = possible_deadlock(); !deadlock.empty()) return deadlock;
  return possible_loss();
}

}  // namespace rehearse::mc::footprints
