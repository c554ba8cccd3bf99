// SPDX-License-Identifier: MIT
//
// Balances, and what holds in a deadlock and after all ends.
#include "mc/footprints/word_model.hpp"

#include <algorithm>

namespace rehearse::mc::footprints {

namespace {

using flow::Family;
using flow::Relation;
using flow::Row;
using flow::RowName;
using flow::Variable;

constexpr Variable no_variable = ~Variable{0};

Row at_most_one(const std::vector<Variable>& variables) {
  Row row{{}, Relation::at_most, 1};
  for (const Variable variable : variables) row.terms.push_back({variable, 1});
  return row;
}

}  // namespace

Row at_least_one(const std::vector<Variable>& variables) {
  Row row{{}, Relation::at_most, -1};
  for (const Variable variable : variables) row.terms.push_back({variable, -1});
  return row;
}

bool accepts(const WordNet& net, PointId id, MessageId of) {
  const Point& point = net.points()[id];
  const Message& message = net.messages()[of];
  return point.actor == message.destination &&
         point.place.accepts(message.source, message.context, message.content.tag);
}

void WordModel::add(Row row, RowName name, Family family) {
  system_.add(std::move(row), family);
  names_.push_back(name);
}

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
    add(std::move(points[p]), {RowName::Kind::point, p},
        family(FamilyOf::points, point.actor, point.place.site, point.states.count));
  }
  for (MessageId m = 0; m < messages.size(); ++m) messages[net_.group_of(m)].terms.push_back({messages_[m], -1});
  for (MessageId m = 0; m < messages.size(); ++m)
    if (net_.group_of(m) == m)
      add(std::move(messages[m]), {RowName::Kind::message, m}, family_of(FamilyOf::messages, net_.messages()[m]));
}

// An actor stands at one point, and a number in a channel has one content, so one row says it for several of them.
void WordModel::forbid_takes() {
  using Slot = std::tuple<Line, std::uint32_t, std::uint32_t>;
  std::map<std::pair<Slot, std::vector<PointId>>, std::vector<MessageId>> groups;
  for (MessageId m = 0; m < messages_.size(); ++m) {
    const Message& message = net_.messages()[m];
    std::vector<PointId> where;
    for (PointId p = 0; p < points_.size(); ++p)
      if (accepts(net_, p, m)) where.push_back(p);
    if (!where.empty())
      groups[{{{message.source, message.context}, message.destination, message.number}, where}].push_back(m);
  }
  for (const auto& [key, messages] : groups) {
    std::vector<Variable> all;
    for (const PointId point : key.second) all.push_back(points_[point]);
    for (const MessageId message : messages) all.push_back(messages_[message]);
    const MessageId first = messages.front();
    add(at_most_one(all), {RowName::Kind::takes, first}, family_of(FamilyOf::takes, net_.messages()[first]));
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
    add(std::move(row), {RowName::Kind::stays, p});
  }
}

void WordModel::forbid_waits() {
  std::vector<std::vector<Variable>> ended(net_.actor_count());
  for (PointId p = 0; p < points_.size(); ++p)
    if (net_.points()[p].place.kind == Place::Kind::ended) ended[net_.points()[p].actor].push_back(points_[p]);
  for (std::uint32_t actor = 0; actor < ended.size(); ++actor)
    add(at_least_one(ended[actor]), {RowName::Kind::ended, actor});
}

}  // namespace rehearse::mc::footprints
