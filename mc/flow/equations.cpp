// SPDX-License-Identifier: MIT
//
// The three questions.
#include "mc/flow/equations.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace rehearse::mc::flow {

namespace {

constexpr double seconds_per_question = 8;
constexpr std::uint32_t most_divisions = 64;
constexpr Variable no_variable = ~Variable{0};

bool has_ended(const Point& point) { return std::holds_alternative<End>(point.state.node->operation); }

// When an actor at this point cannot continue in the end.
struct Hold {
  enum class Kind : std::uint8_t {
    none,     // it always continues, or is over
    always,   // it waits for a message, and none that it can take is there
    any_own,  // one of these messages of its own is still there
    all_own   // all of them are
  } kind = Kind::none;
  std::vector<MessageId> own;
};

Hold hold_at(const Point& point) {
  if (point.state.is_over()) return {};
  const LocalState::Wait wait = point.state.wait();
  Hold hold;
  bool has_complete = false, has_open = false;
  for (const std::uint32_t i : wait.requests) {
    const StartedRequest& request = point.state.requests[i];
    if (!request.is_complete()) has_open = true;
    else if (request.may_wait) hold.own.push_back(request.sent);
    else has_complete = true;
  }
  if (wait.for_all) hold.kind = has_open ? Hold::Kind::always : Hold::Kind::any_own;
  else hold.kind = has_complete ? Hold::Kind::none : hold.own.empty() ? Hold::Kind::always : Hold::Kind::all_own;
  return hold;
}

// The row: the sum of the variables is at least the bound.
Row at_least(const std::vector<Variable>& variables, std::int64_t bound) {
  Row row{{}, Relation::at_most, -bound};
  for (const Variable variable : variables) row.terms.push_back({variable, -1});
  return row;
}

Row at_most(const std::vector<Variable>& variables, std::int64_t bound) {
  Row row{{}, Relation::at_most, bound};
  for (const Variable variable : variables) row.terms.push_back({variable, 1});
  return row;
}

}  // namespace

// Steps with an objection have no variable: before the first of them, none has happened.
struct Equations::Model {
  System system;
  std::vector<Variable> step, point, message;
  std::vector<std::vector<std::uint32_t>> senders, takers;  // by message: steps
  std::vector<std::vector<MessageId>> takeable;             // by point: what steps take there, ascending
};

Equations::Model Equations::make_model() const {
  Model model;
  model.senders.resize(net_.messages().size());
  model.takers.resize(net_.messages().size());
  for (std::uint32_t s = 0; s < net_.steps().size(); ++s) {
    const Step& step = net_.steps()[s];
    const bool counts = step.from != no_point && step.objection.empty();
    model.step.push_back(counts ? model.system.add_variable() : no_variable);
    if (!counts && step.from != no_point) continue;
    if (step.from == no_point && !rules_.counts_start) continue;
    for (const MessageId message : step.sends) model.senders[message].push_back(s);
    if (step.taken != no_message) model.takers[step.taken].push_back(s);
  }
  for (std::size_t i = 0; i < net_.points().size(); ++i) model.point.push_back(model.system.add_variable());
  for (std::size_t i = 0; i < net_.messages().size(); ++i) model.message.push_back(model.system.add_variable());
  add_balances(model);
  return model;
}

void Equations::add_balances(Model& model) const {
  std::vector<Row> points(net_.points().size(), Row{{}, Relation::equal, 0});
  for (std::uint32_t s = 0; s < net_.steps().size(); ++s) {
    const Step& step = net_.steps()[s];
    if (step.from == no_point) {
      if (step.objection.empty()) --points[step.to].bound;
      continue;
    }
    if (model.step[s] == no_variable) continue;
    points[step.to].terms.push_back({model.step[s], 1});
    points[step.from].terms.push_back({model.step[s], -1});
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].terms.push_back({model.point[i], -1});
    model.system.add(std::move(points[i]));
  }
  for (std::size_t m = 0; m < model.message.size(); ++m) {
    Row row{{{model.message[m], -1}}, Relation::equal, 0};
    for (const std::uint32_t s : model.senders[m]) {
      if (model.step[s] == no_variable) --row.bound;  // at the start
      else row.terms.push_back({model.step[s], 1});
    }
    for (const std::uint32_t s : model.takers[m]) row.terms.push_back({model.step[s], -1});
    model.system.add(std::move(row));
  }
}

// Nobody stands where a message that is there can be taken. An actor stands at one point, and a number in a channel has
// one content, so one row says this for all points and all contents.
void Equations::forbid_takes(Model& model) const {
  std::map<std::pair<std::pair<ChannelId, std::uint32_t>, std::vector<PointId>>, std::vector<MessageId>> groups;
  model.takeable.resize(net_.points().size());
  for (MessageId m = 0; m < model.message.size(); ++m) {
    std::set<PointId> where;
    for (const std::uint32_t s : model.takers[m]) where.insert(net_.steps()[s].from);
    for (const PointId point : where) model.takeable[point].push_back(m);
    if (where.empty()) continue;
    const Messages::Message& message = net_.messages().message(m);
    groups[{{message.channel, message.number}, {where.begin(), where.end()}}].push_back(m);
  }
  for (const auto& [key, messages] : groups) {
    std::vector<Variable> all;
    for (const PointId point : key.second) all.push_back(model.point[point]);
    for (const MessageId message : messages) all.push_back(model.message[message]);
    model.system.add(at_most(all, 1));
  }
}

// Where an actor waits because of its own messages, they are there.
void Equations::add_waits(Model& model) const {
  for (PointId p = 0; p < net_.points().size(); ++p) {
    const Point& point = net_.points()[p];
    if (point.state.is_over()) continue;
    const Hold hold = hold_at(point);
    if (hold.kind == Hold::Kind::always) continue;
    if (hold.kind == Hold::Kind::none || !rules_.lets_sends_wait) {
      model.system.add(at_most({model.point[p]}, 0));
      continue;
    }
    Row row{{{model.point[p], 1}}, Relation::at_most, 0};
    for (const MessageId own : hold.own) {
      row.terms.push_back({model.message[own], -1});
      if (hold.kind == Hold::Kind::any_own) continue;
      model.system.add(row);
      row.terms.pop_back();
    }
    if (hold.kind == Hold::Kind::any_own) model.system.add(std::move(row));
  }
}

// What the counters at the point say about the messages that its actor has taken and sent when it stands there.
std::vector<Row> Equations::facts(const Model& model, PointId id) const {
  const Point& point = net_.points()[id];
  const Counters& counters = net_.counters();
  std::map<std::pair<ChannelId, std::uint32_t>, std::pair<std::vector<Variable>, std::int64_t>> taken, sent;
  const auto collect = [&](auto& into, MessageId m, const std::vector<std::uint32_t>& steps) {
    const Messages::Message& message = net_.messages().message(m);
    auto& [variables, at_start] = into[{message.channel, message.number}];
    for (const std::uint32_t s : steps) {
      if (model.step[s] == no_variable) ++at_start;
      else variables.push_back(model.step[s]);
    }
  };
  for (MessageId m = 0; m < model.message.size(); ++m) {
    const Channel& channel = net_.messages().channel(net_.messages().message(m).channel);
    if (channel.destination == point.state.actor) collect(taken, m, model.takers[m]);
    if (channel.source == point.state.actor) collect(sent, m, model.senders[m]);
  }
  std::vector<Row> rows;
  const auto add = [&](const auto& all, bool is_taken) {
    for (const auto& [which, steps] : all) {
      const auto& [channel, number] = which;
      const Channel& of = net_.messages().channel(channel);
      const std::vector<CounterValue> values = net_.values_at(point, is_taken ? of.source : of.destination);
      const auto has = [&, channel = channel, number = number](CounterValue value) {
        return is_taken ? counters.has_taken(value, channel, number) : counters.sent(value, channel) > number;
      };
      if (std::ranges::all_of(values, has)) rows.push_back(at_least(steps.first, 1 - steps.second));
      else if (std::ranges::none_of(values, has)) rows.push_back(at_most(steps.first, -steps.second));
    }
  };
  add(taken, true);
  add(sent, false);
  return rows;
}

void Equations::count(const Model& model, const Solver& solver) {
  equations_ = std::max<std::uint64_t>(equations_, model.system.rows().size());
  statistics_.questions += solver.statistics().questions;
  statistics_.refuted += solver.statistics().refuted;
  statistics_.unchecked += solver.statistics().unchecked;
}

std::string Equations::possible_failure(const Solver::GoesOn& goes_on) {
  std::map<std::pair<PointId, MessageId>, const Step*> failing;
  for (const Step& step : net_.steps()) {
    if (step.objection.empty()) continue;
    if (step.from == no_point) return step.objection;
    failing.emplace(std::pair(step.from, step.taken), &step);
  }
  if (failing.empty()) return "";
  const Model model = make_model();
  Solver solver(model.system, seconds_per_question, goes_on);
  std::string possible;
  for (const auto& [where, step] : failing) {
    Question question{facts(model, where.first), {{model.point[where.first], true}}};
    if (where.second != no_message) question.fixed.push_back({model.message[where.second], true});
    if (solver.refutes(question, most_divisions)) continue;
    possible = step->objection;
    break;
  }
  count(model, solver);
  return possible;
}

// Asked about all points together first, then about those where the same messages can be taken, then about single ones:
// an actor stands at one point, but the equations may divide it among several.
bool Equations::excludes_waiting(Solver& solver, const Model& model, const std::vector<PointId>& where) const {
  const auto excludes = [&](const std::vector<PointId>& points) {
    std::vector<Variable> variables;
    for (const PointId p : points) variables.push_back(model.point[p]);
    return points.empty() || solver.refutes({{at_least(variables, 1)}, {}});
  };
  if (excludes(where)) return true;
  std::map<std::vector<MessageId>, std::vector<PointId>> groups;
  for (const PointId p : where) groups[model.takeable[p]].push_back(p);
  return std::ranges::all_of(groups, [&](const auto& group) {
    return excludes(group.second) || std::ranges::all_of(group.second, [&](PointId p) {
             return solver.refutes({facts(model, p), {{model.point[p], true}}}, most_divisions);
           });
  });
}

std::string Equations::possible_deadlock(const Solver::GoesOn& goes_on) {
  Model model = make_model();
  forbid_takes(model);
  add_waits(model);
  Solver solver(model.system, seconds_per_question, goes_on);
  std::vector<std::vector<PointId>> waiting(net_.actor_count());
  std::vector<Variable> everybody;
  for (PointId p = 0; p < net_.points().size(); ++p) {
    const Point& point = net_.points()[p];
    if (hold_at(point).kind == Hold::Kind::none) continue;
    waiting[point.state.actor].push_back(p);
    everybody.push_back(model.point[p]);
  }
  const bool is_excluded =
      everybody.empty() || solver.refutes({{at_least(everybody, 1)}, {}}) ||
      std::ranges::all_of(waiting, [&](const auto& where) { return excludes_waiting(solver, model, where); });
  const std::string possible = is_excluded ? "" : "a wait that never ends";
  count(model, solver);
  return possible;
}

std::string Equations::possible_loss(const Solver::GoesOn& goes_on) {
  if (net_.messages().size() == 0) return "";
  Model model = make_model();
  std::vector<std::vector<Variable>> ended(net_.actor_count());
  for (PointId p = 0; p < net_.points().size(); ++p)
    if (has_ended(net_.points()[p])) ended[net_.points()[p].state.actor].push_back(model.point[p]);
  for (const std::vector<Variable>& points : ended) model.system.add(at_least(points, 1));
  Solver solver(model.system, seconds_per_question, goes_on);
  bool is_excluded = solver.refutes({{at_least(model.message, 1)}, {}});
  for (std::size_t m = 0; !is_excluded; ++m) {
    if (m == model.message.size()) is_excluded = true;
    else if (!solver.refutes({{}, {{model.message[m], true}}}, most_divisions)) break;
  }
  count(model, solver);
  return is_excluded ? "" : "a message that is never received";
}

std::string Equations::possible_error(const Solver::GoesOn& goes_on) {
  if (std::string failure = possible_failure(goes_on); !failure.empty()) return failure;
  if (std::string deadlock = possible_deadlock(goes_on); !deadlock.empty()) return deadlock;
  return possible_loss(goes_on);
}

}  // namespace rehearse::mc::flow
