// SPDX-License-Identifier: MIT
//
// The equations, and the three questions: a failing step, a wait that never ends, a message that is never received.
#include "mc/footprints/word_equations.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace rehearse::mc::footprints {

namespace {

using flow::Effort;
using flow::Family;
using flow::Question;
using flow::Relation;
using flow::Row;
using flow::Solver;
using flow::Variable;

constexpr double seconds_per_question = 8;
constexpr std::uint32_t most_divisions = 64;
constexpr Variable no_variable = ~Variable{0};

Row at_least_one(const std::vector<Variable>& variables) {
  Row row{{}, Relation::at_most, -1};
  for (const Variable variable : variables) row.terms.push_back({variable, -1});
  return row;
}

Row at_most_one(const std::vector<Variable>& variables) {
  Row row{{}, Relation::at_most, 1};
  for (const Variable variable : variables) row.terms.push_back({variable, 1});
  return row;
}

bool is_waiting(const Point& point) {
  return point.place.kind == Place::Kind::receives || point.place.kind == Place::Kind::sends;
}

}  // namespace

WordModel::WordModel(const WordNet& net) : net_(net) {
  for (const Step& step : net_.steps()) {
    const bool fails = net_.points()[step.to].place.kind == Place::Kind::failed;
    steps_.push_back(step.from == none || fails ? no_variable : system_.add_variable());
  }
  for (std::size_t i = 0; i < net_.points().size(); ++i) points_.push_back(system_.add_variable());
  for (std::size_t i = 0; i < net_.messages().size(); ++i) messages_.push_back(system_.add_variable());
  add_balances();
}

Family WordModel::family(FamilyOf of, std::uint64_t first, std::uint64_t second, std::uint32_t place) {
  const auto next = static_cast<std::uint32_t>(families_.size());
  const std::uint32_t id = families_.emplace(std::tuple(of, first, second), next).first->second;
  return {id, static_cast<std::int32_t>(std::min(place, static_cast<std::uint32_t>(flow::place_max)))};
}

Family WordModel::family_of(FamilyOf of, const Message& message) {
  const auto next = static_cast<std::uint32_t>(channels_.size());
  const Line line{message.source, message.context};
  const std::uint32_t channel = channels_.emplace(std::pair(line, message.destination), next).first->second;
  return family(of, channel, 0, message.number);
}

// The terms of one step are together.
void WordModel::add_to(Row& row, Variable step, std::int32_t factor) {
  if (row.terms.empty() || row.terms.back().variable != step) row.terms.push_back({step, 0});
  row.terms.back().factor += factor;
}

// A message is sent, and then it is taken or there; of a group, some of these numbers. Before the first failing step,
// none has happened. So failing steps are in no balance.
void WordModel::add_balances() {
  std::vector<Row> points(net_.points().size(), Row{{}, Relation::equal, 0});
  std::vector<Row> messages(net_.messages().size(), Row{{}, Relation::equal, 0});
  for (StepId s = 0; s < net_.steps().size(); ++s) {
    const Step& step = net_.steps()[s];
    if (step.from == none) {
      --points[step.to].bound;
      for (const MessageId sent : step.sends) --messages[net_.group_of(sent)].bound;
    }
    if (steps_[s] == no_variable) continue;
    points[step.to].terms.push_back({steps_[s], 1});
    points[step.from].terms.push_back({steps_[s], -1});
    for (const MessageId sent : step.sends) add_to(messages[net_.group_of(sent)], steps_[s], 1);
    if (step.taken != none) add_to(messages[net_.group_of(step.taken)], steps_[s], -1);
  }
  for (PointId p = 0; p < points.size(); ++p) {
    const Point& point = net_.points()[p];
    points[p].terms.push_back({points_[p], -1});
    system_.add(std::move(points[p]), family(FamilyOf::points, point.actor, point.place.site, point.states.count));
  }
  for (MessageId m = 0; m < messages.size(); ++m) {
    messages[net_.group_of(m)].terms.push_back({messages_[m], -1});
  }
  for (MessageId m = 0; m < messages.size(); ++m)
    if (net_.group_of(m) == m) system_.add(std::move(messages[m]), family_of(FamilyOf::messages, net_.messages()[m]));
}

// An actor stands at one point, and a number in a channel has one content, so one row says it for several of them.
void WordModel::forbid_takes() {
  using Slot = std::tuple<Line, std::uint32_t, std::uint32_t>;
  std::map<std::pair<Slot, std::vector<PointId>>, std::vector<MessageId>> groups;
  for (MessageId m = 0; m < messages_.size(); ++m) {
    const Message& message = net_.messages()[m];
    std::vector<PointId> where;
    for (PointId p = 0; p < points_.size(); ++p) {
      const Point& point = net_.points()[p];
      if (point.actor == message.destination &&
          point.place.accepts(message.source, message.context, message.content.tag))
        where.push_back(p);
    }
    if (!where.empty())
      groups[{{{message.source, message.context}, message.destination, message.number}, where}].push_back(m);
  }
  for (const auto& [key, messages] : groups) {
    std::vector<Variable> all;
    for (const PointId point : key.second) all.push_back(points_[point]);
    for (const MessageId message : messages) all.push_back(messages_[message]);
    system_.add(at_most_one(all), family_of(FamilyOf::takes, net_.messages()[messages.front()]));
  }
}

// Whoever waits in a send waits because its message is there.
void WordModel::add_holds() {
  for (PointId p = 0; p < points_.size(); ++p) {
    const Point& point = net_.points()[p];
    if (point.place.kind != Place::Kind::sends) continue;
    Row row{{{points_[p], 1}}, Relation::at_most, 0};
    for (MessageId m = 0; m < messages_.size(); ++m)
      if (net_.group_of(m) == net_.group_of(point.own)) row.terms.push_back({messages_[m], -1});
    system_.add(std::move(row));
  }
}

void WordModel::forbid_waits() {
  std::vector<std::vector<Variable>> ended(net_.actor_count());
  for (PointId p = 0; p < points_.size(); ++p)
    if (net_.points()[p].place.kind == Place::Kind::ended) ended[net_.points()[p].actor].push_back(points_[p]);
  for (const std::vector<Variable>& points : ended) system_.add(at_least_one(points));
}

void WordEquations::count(const WordModel& model, const Solver& solver) {
  equations_ = std::max<std::uint64_t>(equations_, model.system().rows().size());
  questions_ += solver.statistics().questions;
}

std::string WordEquations::possible_failure() {
  std::map<std::pair<PointId, MessageId>, std::string> failing;
  for (const Step& step : net_.steps()) {
    const Place& end = net_.points()[step.to].place;
    if (end.kind != Place::Kind::failed) continue;
    if (step.from == none) return end.reason;
    failing.emplace(std::pair(step.from, step.taken), end.reason);
  }
  if (failing.empty()) return "";
  const WordModel model(net_);
  Solver solver(model.system(), seconds_per_question, goes_on_);
  std::string possible;
  for (const auto& [where, reason] : failing) {
    Question question{{}, {{model.point(where.first), true}}};
    if (where.second != none) question.fixed.push_back({model.message(where.second), true});
    if (solver.refutes(question, Effort::thorough, most_divisions)) continue;
    possible = reason;
    break;
  }
  count(model, solver);
  return possible;
}

// Asked about all points together first: what is refuted for several is refuted for each of them. Then about one point
// after the other, those with few messages first: in a deadlock, nobody stands at a refuted point, which makes the
// questions about later points easier.
std::string WordEquations::possible_deadlock() {
  WordModel model(net_);
  model.forbid_takes();
  model.add_holds();
  Solver solver(model.system(), seconds_per_question, goes_on_);
  std::vector<PointId> waiting;
  std::vector<Variable> all;
  for (PointId p = 0; p < net_.points().size(); ++p) {
    if (!is_waiting(net_.points()[p])) continue;
    waiting.push_back(p);
    all.push_back(model.point(p));
  }
  bool is_excluded = waiting.empty() || solver.refutes({{at_least_one(all)}, {}});
  if (!is_excluded) {
    std::ranges::stable_sort(waiting, {}, [&](PointId point) { return net_.total_at(net_.points()[point]); });
    std::ranges::transform(waiting, all.begin(), [&](PointId point) { return model.point(point); });
    is_excluded = excludes_all(solver, std::move(all));
  }
  count(model, solver);
  return is_excluded ? "" : "a wait that never ends";
}

// Whether nobody stands at any of these points. Those that were not refuted are asked about again, when there are more
// refuted ones, and at last with divisions.
bool WordEquations::excludes_all(Solver& solver, std::vector<Variable> left) {
  std::vector<flow::Fixed> refuted;
  for (const std::uint32_t divisions : {0u, most_divisions}) {
    for (std::size_t before = left.size() + 1; !left.empty() && left.size() < before;) {
      before = left.size();
      std::erase_if(left, [&](Variable point) {
        Question question{{}, refuted};
        question.fixed.push_back({point, true});
        if (!solver.refutes(question, Effort::fine, divisions)) return false;
        refuted.push_back({point, false});
        return true;
      });
      if (!goes_on_()) return false;
    }
  }
  return left.empty();
}

std::string WordEquations::possible_loss() {
  if (net_.messages().empty()) return "";
  WordModel model(net_);
  model.forbid_waits();
  Solver solver(model.system(), seconds_per_question, goes_on_);
  const bool is_excluded = solver.refutes({{at_least_one(model.messages())}, {}}) ||
                           std::ranges::all_of(model.messages(), [&](Variable message) {
                             return solver.refutes({{}, {{message, true}}}, Effort::thorough, most_divisions);
                           });
  count(model, solver);
  return is_excluded ? "" : "a message that is never received";
}

std::string WordEquations::possible_error() {
  if (std::string failure = possible_failure(); !failure.empty()) return failure;
  if (std::string deadlock = possible_deadlock(); !deadlock.empty()) return deadlock;
  return possible_loss();
}

}  // namespace rehearse::mc::footprints
