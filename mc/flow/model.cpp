// SPDX-License-Identifier: MIT
//
// Balances, and what holds in a deadlock, after all ends, and at a point.
#include "mc/flow/model.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

namespace rehearse::mc::flow {

namespace {

constexpr Variable no_variable = ~Variable{0};

std::vector<std::uint32_t> distances(const Net& net) {
  constexpr std::uint32_t unknown = ~std::uint32_t{0};
  std::vector<std::vector<PointId>> next(net.points().size());
  std::vector<std::uint32_t> distance(net.points().size(), unknown);
  std::deque<PointId> queue;
  const auto reach = [&](PointId point, std::uint32_t steps) {
    if (distance[point] != unknown) return;
    distance[point] = steps;
    queue.push_back(point);
  };
  for (const Step& step : net.steps()) {
    if (step.from == no_point) reach(step.to, 0);
    else next[step.from].push_back(step.to);
  }
  while (!queue.empty()) {
    const PointId point = queue.front();
    queue.pop_front();
    for (const PointId to : next[point]) reach(to, distance[point] + 1);
  }
  return distance;
}

}  // namespace

bool has_ended(const Point& point) { return std::holds_alternative<End>(point.state.node->operation); }

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

Model::Model(const Net& net, Rules rules) : net_(net), rules_(rules), distances_(distances(net)) {
  add_variables();
  add_balances();
}

void Model::add(Row row, RowName name, Family family) {
  system_.add(std::move(row), family);
  names_.push_back(name);
}

Family Model::family(FamilyOf of, std::uint64_t first, std::uint64_t second, std::uint32_t place) {
  const auto next = static_cast<std::uint32_t>(families_.size());
  const std::uint32_t id = families_.emplace(std::tuple(of, first, second), next).first->second;
  return {id, static_cast<std::int32_t>(std::min(place, static_cast<std::uint32_t>(place_max)))};
}

// Points of an actor at one place in the program are alike, and the number of steps to them counts.
Family Model::family_of_point(FamilyOf of, PointId id) {
  constexpr unsigned bits_of_site = 56;
  const LocalState& state = net_.points()[id].state;
  const std::uint64_t place = state.node->site ^ std::uint64_t{state.node->operation.index()} << bits_of_site;
  return family(of, state.actor, place, distances_[id]);
}

void Model::add_variables() {
  senders_.resize(net_.messages().size());
  takers_.resize(net_.messages().size());
  for (std::uint32_t s = 0; s < net_.steps().size(); ++s) {
    const Step& step = net_.steps()[s];
    const bool counts = step.from != no_point && step.objection.empty();
    steps_.push_back(counts ? system_.add_variable() : no_variable);
    if (!counts && step.from != no_point) continue;
    if (step.from == no_point && !rules_.counts_start) continue;
    for (const MessageId message : step.sends) senders_[message].push_back(s);
    if (step.taken != no_message) takers_[step.taken].push_back(s);
  }
  for (std::size_t i = 0; i < net_.points().size(); ++i) points_.push_back(system_.add_variable());
  for (std::size_t i = 0; i < net_.messages().size(); ++i) messages_.push_back(system_.add_variable());
}

void Model::add_balances() {
  std::vector<Row> rows(net_.points().size(), Row{{}, Relation::equal, 0});
  for (std::uint32_t s = 0; s < net_.steps().size(); ++s) {
    const Step& step = net_.steps()[s];
    if (step.from == no_point) {
      if (step.objection.empty()) --rows[step.to].bound;
      continue;
    }
    if (steps_[s] == no_variable) continue;
    rows[step.to].terms.push_back({steps_[s], 1});
    rows[step.from].terms.push_back({steps_[s], -1});
  }
  for (PointId p = 0; p < rows.size(); ++p) {
    rows[p].terms.push_back({points_[p], -1});
    add(std::move(rows[p]), {RowName::Kind::point, p}, family_of_point(FamilyOf::points, p));
  }
  for (MessageId m = 0; m < messages_.size(); ++m) {
    Row row{{{messages_[m], -1}}, Relation::equal, 0};
    for (const std::uint32_t s : senders_[m]) {
      if (steps_[s] == no_variable) --row.bound;  // at the start
      else row.terms.push_back({steps_[s], 1});
    }
    for (const std::uint32_t s : takers_[m]) row.terms.push_back({steps_[s], -1});
    const Messages::Message& message = net_.messages().message(m);
    add(std::move(row), {RowName::Kind::message, m}, family(FamilyOf::messages, message.channel, message.number));
  }
}

void Model::add_deadlock() {
  forbid_takes();
  add_holds();
}

// An actor stands at one point, and a number in a channel has one content, so one row says for all points and all
// contents that no message can be taken.
void Model::forbid_takes() {
  std::map<std::pair<std::pair<ChannelId, std::uint32_t>, std::vector<PointId>>, std::vector<MessageId>> groups;
  takeable_.resize(net_.points().size());
  for (MessageId m = 0; m < messages_.size(); ++m) {
    std::set<PointId> where;
    for (const std::uint32_t s : takers_[m]) where.insert(net_.steps()[s].from);
    for (const PointId point : where) takeable_[point].push_back(m);
    if (where.empty()) continue;
    const Messages::Message& message = net_.messages().message(m);
    groups[{{message.channel, message.number}, {where.begin(), where.end()}}].push_back(m);
  }
  for (const auto& [key, messages] : groups) {
    std::vector<Variable> all;
    for (const PointId point : key.second) all.push_back(points_[point]);
    for (const MessageId message : messages) all.push_back(messages_[message]);
    const auto& [channel, number] = key.first;
    add(at_most(all, 1), {RowName::Kind::takes, messages.front()}, family(FamilyOf::takes, channel, number));
  }
}

// Where an actor waits because of its own messages, they are there.
void Model::add_holds() {
  for (PointId p = 0; p < net_.points().size(); ++p) {
    const Point& point = net_.points()[p];
    if (point.state.is_over()) continue;
    const Hold hold = hold_at(point);
    if (hold.kind == Hold::Kind::always) continue;
    if (hold.kind == Hold::Kind::none || !rules_.lets_sends_wait) {
      add(at_most({points_[p]}, 0), {RowName::Kind::stays, p}, family_of_point(FamilyOf::holds, p));
      continue;
    }
    Row row{{{points_[p], 1}}, Relation::at_most, 0};
    for (std::uint32_t i = 0; i < hold.own.size(); ++i) {
      row.terms.push_back({messages_[hold.own[i]], -1});
      if (hold.kind == Hold::Kind::any_own) continue;
      add(row, {RowName::Kind::stays, p, i}, no_family);
      row.terms.pop_back();
    }
    if (hold.kind == Hold::Kind::any_own) add(std::move(row), {RowName::Kind::stays, p}, no_family);
  }
}

void Model::add_ends() {
  std::vector<std::vector<Variable>> ended(net_.actor_count());
  for (PointId p = 0; p < net_.points().size(); ++p)
    if (has_ended(net_.points()[p])) ended[net_.points()[p].state.actor].push_back(points_[p]);
  for (std::uint32_t actor = 0; actor < ended.size(); ++actor)
    add(at_least(ended[actor], 1), {RowName::Kind::ended, actor}, no_family);
}

std::vector<NamedRow> Model::facts(PointId id) const {
  const Point& point = net_.points()[id];
  const Counters& counters = net_.counters();
  std::map<std::pair<ChannelId, std::uint32_t>, std::pair<std::vector<Variable>, std::int64_t>> taken, sent;
  const auto collect = [&](auto& into, MessageId m, const std::vector<std::uint32_t>& steps) {
    const Messages::Message& message = net_.messages().message(m);
    auto& [variables, at_start] = into[{message.channel, message.number}];
    for (const std::uint32_t s : steps) {
      if (steps_[s] == no_variable) ++at_start;
      else variables.push_back(steps_[s]);
    }
  };
  for (MessageId m = 0; m < messages_.size(); ++m) {
    const Channel& channel = net_.messages().channel(net_.messages().message(m).channel);
    if (channel.destination == point.state.actor) collect(taken, m, takers_[m]);
    if (channel.source == point.state.actor) collect(sent, m, senders_[m]);
  }
  std::vector<NamedRow> rows;
  const auto add_all = [&](const auto& all, RowName::Kind kind) {
    const bool is_taken = kind == RowName::Kind::taken;
    for (const auto& [which, steps] : all) {
      const auto& [channel, number] = which;
      const Channel& of = net_.messages().channel(channel);
      const std::vector<CounterValue> values = net_.values_at(point, is_taken ? of.source : of.destination);
      const auto has = [&, channel = channel, number = number](CounterValue value) {
        return is_taken ? counters.has_taken(value, channel, number) : counters.sent(value, channel) > number;
      };
      const RowName name{kind, channel, number};
      if (std::ranges::all_of(values, has)) rows.push_back({at_least(steps.first, 1 - steps.second), name});
      else if (std::ranges::none_of(values, has)) rows.push_back({at_most(steps.first, -steps.second), name});
    }
  };
  add_all(taken, RowName::Kind::taken);
  add_all(sent, RowName::Kind::sent);
  return rows;
}

}  // namespace rehearse::mc::flow
