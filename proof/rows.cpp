// SPDX-License-Identifier: MIT
//
// One function for each name.
#include "proof/rows.hpp"

namespace rehearse::proof {

Rows::Rows(const Net& net, const std::vector<std::uint32_t>& order)
    : net_(net),
      counters_(net, order),
      into_(net.points.size()),
      out_of_(net.points.size()),
      senders_(net.messages.size()),
      takers_(net.messages.size()),
      sent_at_start_(net.messages.size()),
      where_(net.messages.size()) {
  for (std::uint32_t s = 0; s < net.steps.size(); ++s) {
    const Step& step = net.steps[s];
    into_[step.to].push_back(s);
    out_of_[step.from].push_back(s);
    for (const std::uint32_t message : step.sends) senders_[message].push_back(s);
    if (step.taken == none) continue;
    takers_[step.taken].push_back(s);
    where_[step.taken].insert(step.from);
  }
  for (const Accepted& accepted : net.accepted) where_[accepted.message].insert(accepted.point);
  for (const Start& start : net.starts)
    for (const std::uint32_t message : start.sends) ++sent_at_start_[message];
  for (std::uint32_t m = 0; m < net.messages.size(); ++m)
    alike_[{{net.messages[m].channel, net.messages[m].number}, where_[m]}].push_back(m);
}

Row Rows::named(const Lines& line, const StateQuestion& question, std::size_t& used) {
  used = 2;
  if (line.is("point")) return balance_of_point(line.index(1, net_.points.size(), "point"));
  if (line.is("message")) return balance_of_message(line.index(1, net_.messages.size(), "message"));
  if (line.is("takes") && question.kind == Kind::deadlock) return takes(line);
  if (line.is("ended") && question.kind == Kind::loss) return ended(line.index(1, net_.ranks, "rank"));
  if (line.is("question") && question.kind != Kind::failure) {
    used = 1;
    return some_of(question);
  }
  used = 3;
  if (line.is("stays") && question.kind == Kind::deadlock) return stays(line);
  if (line.is("taken")) return fact(line, question, true);
  if (line.is("sent")) return fact(line, question, false);
  line.refuse("there is no row '" + line.words().front() + "' for this question");
}

// Started there + steps into it - steps out of it = stands there.
Row Rows::balance_of_point(std::uint32_t id) const {
  Row row{{{point(id), -1}}, true, net_.starts[net_.points[id].rank].to == id ? -1 : 0};
  for (const std::uint32_t s : into_[id]) row.terms.emplace_back(step(s), 1);
  for (const std::uint32_t s : out_of_[id]) row.terms.emplace_back(step(s), -1);
  return row;
}

// Sent at the start + steps that send it - steps that take it = is there.
Row Rows::balance_of_message(std::uint32_t id) const {
  Row row{{{message(id), -1}}, true, -std::int64_t{sent_at_start_[id]}};
  for (const std::uint32_t s : senders_[id]) row.terms.emplace_back(step(s), 1);
  for (const std::uint32_t s : takers_[id]) row.terms.emplace_back(step(s), -1);
  return row;
}

// A rank stands at one point, and a number in a channel is sent once. So of the points where a message is taken or
// accepted, and the messages of its number with the same points, at most one variable is 1 in a deadlock.
Row Rows::takes(const Lines& line) const {
  const std::uint32_t id = line.index(1, net_.messages.size(), "message");
  if (where_[id].empty()) line.refuse("no step takes this message, and no point accepts it");
  Row row{{}, false, 1};
  for (const std::uint32_t p : where_[id]) row.terms.emplace_back(point(p), 1);
  for (const std::uint32_t m : alike_.at({{net_.messages[id].channel, net_.messages[id].number}, where_[id]}))
    row.terms.emplace_back(message(m), 1);
  return row;
}

// Stands there - one of its own messages, or all of them, are there <= 0. `while-all` has a row for each of them.
Row Rows::stays(const Lines& line) const {
  const std::uint32_t id = line.index(1, net_.points.size(), "point");
  const Point& of = net_.points[id];
  const std::uint32_t part = line.index(2, of.stay == Stay::while_all ? of.own.size() : 1, "message of this point");
  Row row{{{point(id), 1}}, false, 0};
  if (of.stay == Stay::while_any)
    for (const std::uint32_t own : of.own) row.terms.emplace_back(message(own), -1);
  else if (of.stay == Stay::while_all) row.terms.emplace_back(message(of.own[part]), -1);
  else if (of.stay != Stay::goes_on) line.refuse("a rank may stay at this point");
  return row;
}

Row Rows::ended(std::uint32_t rank) const {
  Row row{{}, false, -1};
  for (std::uint32_t p = 0; p < net_.points.size(); ++p)
    if (net_.points[p].rank == rank && net_.points[p].stay == Stay::ends) row.terms.emplace_back(point(p), -1);
  return row;
}

// If the rank of the point of the question has taken (sent) the message of this number in all cases, a step that does
// so has happened; if in none, no such step has.
Row Rows::fact(const Lines& line, const StateQuestion& question, bool is_taken) {
  const std::uint32_t channel = line.index(1, net_.channels.size(), "channel");
  const std::uint32_t number = line.index(2, none, "message in this channel");
  if (question.point == none) line.refuse("this question is not about one point");
  const Channel& of = net_.channels[channel];
  const std::uint32_t rank = net_.points[question.point].rank, other = is_taken ? of.source : of.destination;
  if ((is_taken ? of.destination : of.source) != rank) line.refuse("the channel belongs to other ranks");
  std::size_t with = 0, without = 0;
  for (const Counter& counter : counters_.at(question.point, other)) {
    const bool has = is_taken ? counter.has_taken(channel, number) : counter.sent_in(channel) > number;
    ++(has ? with : without);
  }
  if (with > 0 && without > 0) line.refuse("the steps to this point do not say so");
  const std::int32_t sign = without == 0 ? -1 : 1;
  Row row{{}, false, without == 0 ? -1 : 0};
  for (std::uint32_t m = 0; m < net_.messages.size(); ++m) {
    if (net_.messages[m].channel != channel || net_.messages[m].number != number) continue;
    for (const std::uint32_t s : is_taken ? takers_[m] : senders_[m]) row.terms.emplace_back(step(s), sign);
    if (!is_taken) row.bound -= sign * std::int64_t{sent_at_start_[m]};
  }
  return row;
}

Row Rows::some_of(const StateQuestion& question) const {
  Row row{{}, false, -1};
  for (const std::uint32_t element : question.elements)
    row.terms.emplace_back(question.kind == Kind::loss ? message(element) : point(element), -1);
  return row;
}

}  // namespace rehearse::proof
