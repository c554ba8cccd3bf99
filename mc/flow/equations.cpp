// SPDX-License-Identifier: MIT
//
// The three questions.
#include "mc/flow/equations.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace rehearse::mc::flow {

namespace {

constexpr double seconds_per_question = 8;
constexpr std::uint32_t most_divisions = 64;

}  // namespace

struct Equations::Part {
  ProofWriter::Kind kind;
  const Model& model;
  Solver solver;

  const std::vector<Variable>& variables() const {
    return kind == ProofWriter::Kind::loss ? model.messages() : model.points();
  }
};

void Equations::count(const Part& part) {
  equations_ = std::max<std::uint64_t>(equations_, part.model.system().rows().size());
  const SolverStatistics& of = part.solver.statistics();
  statistics_.questions += of.questions;
  statistics_.refuted += of.refuted;
  statistics_.unchecked += of.unchecked;
  statistics_.given_up += of.given_up;
}

bool Equations::note(Part& part, const ProofWriter::Elements& elements, const std::vector<RowName>& names,
                     const std::optional<Refutation>& refutation) {
  if (refutation && writer_ != nullptr) writer_->add(part.kind, elements, part.model, names, *refutation);
  return refutation.has_value();
}

// Nobody stands at one of these points, or none of these messages is there.
bool Equations::excludes_any(Part& part, const std::vector<std::uint32_t>& elements, Effort effort) {
  if (elements.empty()) return true;
  std::vector<Variable> variables;
  for (const std::uint32_t element : elements) variables.push_back(part.variables()[element]);
  return note(part, elements, {{RowName::Kind::question}}, part.solver.refute({{at_least(variables, 1)}, {}}, effort));
}

// Nobody stands at this point (with this message).
bool Equations::excludes_point(Part& part, PointId point, MessageId message) {
  Question question{{}, {{part.model.points()[point], true}}};
  std::vector<RowName> names;
  for (NamedRow& fact : part.model.facts(point)) {
    question.rows.push_back(std::move(fact.row));
    names.push_back(fact.name);
  }
  ProofWriter::Elements elements{point};
  if (part.kind == ProofWriter::Kind::failure) elements.push_back(message);
  if (message != no_message) question.fixed.push_back({part.model.messages()[message], true});
  return note(part, elements, names, part.solver.refute(question, Effort::thorough, most_divisions));
}

bool Equations::excludes_message(Part& part, MessageId message) {
  const Question question{{}, {{part.model.messages()[message], true}}};
  return note(part, {message}, {}, part.solver.refute(question, Effort::thorough, most_divisions));
}

std::string Equations::possible_failure(const Solver::GoesOn& goes_on) {
  std::map<std::pair<PointId, MessageId>, const Step*> failing;
  for (const Step& step : net_.steps()) {
    if (step.objection.empty()) continue;
    if (step.from == no_point) return step.objection;
    failing.emplace(std::pair(step.from, step.taken), &step);
  }
  if (failing.empty()) return "";
  const Model model(net_, rules_);
  Part part{ProofWriter::Kind::failure, model, {model.system(), seconds_per_question, goes_on}};
  std::string possible;
  for (const auto& [where, step] : failing) {
    if (excludes_point(part, where.first, where.second)) continue;
    possible = step->objection;
    break;
  }
  count(part);
  return possible;
}

// Asked about all points together first, then about those where the same messages can be taken, then about single ones:
// an actor stands at one point, but the equations may divide it among several. What is refuted for several points is
// refuted for each of them, so the questions about many points only save others.
bool Equations::excludes_waiting(Part& part, const std::vector<PointId>& where) {
  if (excludes_any(part, where, Effort::brief)) return true;
  std::map<std::vector<MessageId>, std::vector<PointId>> groups;
  for (const PointId p : where) groups[part.model.takeable(p)].push_back(p);
  return std::ranges::all_of(groups, [&](const auto& group) {
    return excludes_any(part, group.second, Effort::thorough) ||
           std::ranges::all_of(group.second, [&](PointId p) { return excludes_point(part, p); });
  });
}

std::string Equations::possible_deadlock(const Solver::GoesOn& goes_on) {
  Model model(net_, rules_);
  model.add_deadlock();
  Part part{ProofWriter::Kind::deadlock, model, {model.system(), seconds_per_question, goes_on}};
  std::vector<std::vector<PointId>> waiting(net_.actor_count());
  std::vector<PointId> everybody;
  for (PointId p = 0; p < net_.points().size(); ++p) {
    const Point& point = net_.points()[p];
    if (hold_at(point).kind == Hold::Kind::none) continue;
    waiting[point.state.actor].push_back(p);
    everybody.push_back(p);
  }
  const bool is_excluded =
      excludes_any(part, everybody, Effort::brief) ||
      std::ranges::all_of(waiting, [&](const auto& where) { return excludes_waiting(part, where); });
  count(part);
  return is_excluded ? "" : "a wait that never ends";
}

// About all messages together first, then about those of one number in one channel, then about single ones.
bool Equations::excludes_messages(Part& part) {
  std::map<std::pair<ChannelId, std::uint32_t>, std::vector<MessageId>> numbers;
  std::vector<MessageId> all;
  for (MessageId m = 0; m < net_.messages().size(); ++m) {
    const Messages::Message& message = net_.messages().message(m);
    numbers[{message.channel, message.number}].push_back(m);
    all.push_back(m);
  }
  if (excludes_any(part, all, Effort::brief)) return true;
  return std::ranges::all_of(numbers, [&](const auto& number) {
    return excludes_any(part, number.second, Effort::thorough) ||
           std::ranges::all_of(number.second, [&](MessageId m) { return excludes_message(part, m); });
  });
}

std::string Equations::possible_loss(const Solver::GoesOn& goes_on) {
  if (net_.messages().size() == 0) return "";
  Model model(net_, rules_);
  model.add_ends();
  Part part{ProofWriter::Kind::loss, model, {model.system(), seconds_per_question, goes_on}};
  const bool is_excluded = excludes_messages(part);
  count(part);
  return is_excluded ? "" : "a message that is never received";
}

std::string Equations::possible_error(const Solver::GoesOn& goes_on) {
  if (std::string failure = possible_failure(goes_on); !failure.empty()) return failure;
  if (std::string deadlock = possible_deadlock(goes_on); !deadlock.empty()) return deadlock;
  return possible_loss(goes_on);
}

}  // namespace rehearse::mc::flow
