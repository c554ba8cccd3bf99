// SPDX-License-Identifier: MIT
//
// One line after the other.
#include "proof/read_net.hpp"

#include <deque>
#include <map>
#include <utility>

namespace rehearse::proof {

namespace {

constexpr std::size_t most = std::size_t{1} << 24;  // of anything in a net

class NetReader {
 public:
  explicit NetReader(Lines& lines) : lines_(lines) {}

  Net read() {
    if (!lines_.is("ranks")) lines_.refuse("a net begins with the number of its ranks");
    net_.ranks = lines_.index(1, most, "rank");
    lines_.require_words(2);
    net_.starts.resize(net_.ranks);
    lines_.next();
    while (read_line()) lines_.next();
    for (const Start& start : net_.starts)
      if (start.to == none) lines_.refuse("a rank of the net above has no start");
    require_continuations();
    if (in_order(net_).size() != net_.points.size()) lines_.refuse("steps of the net above lead back to a point");
    return std::move(net_);
  }

 private:
  bool read_line() {
    if (lines_.is("channel")) return read_channel();
    if (lines_.is("message")) return read_message();
    if (lines_.is("point")) return read_point();
    if (lines_.is("start")) return read_start();
    if (lines_.is("step")) return read_step();
    if (lines_.is("fail")) return read_failure();
    if (lines_.is("accepts")) return read_accepted();
    return false;
  }

  bool read_channel() {
    net_.channels.push_back({lines_.index(1, net_.ranks, "rank"), lines_.index(2, net_.ranks, "rank")});
    lines_.require_words(3);
    return true;
  }

  bool read_message() {
    net_.messages.push_back({lines_.index(1, net_.channels.size(), "channel"), lines_.index(2, most, "message")});
    lines_.require_words(3);
    return true;
  }

  bool read_point() {
    static const std::map<std::string, Stay, std::less<>> kinds = {
        {"ends", Stay::ends},   {"fails", Stay::fails},         {"goes-on", Stay::goes_on},
        {"waits", Stay::waits}, {"while-any", Stay::while_any}, {"while-all", Stay::while_all}};
    Point& point = net_.points.emplace_back();
    point.rank = lines_.index(1, net_.ranks, "rank");
    const auto kind = lines_.words().size() > 2 ? kinds.find(lines_.words()[2]) : kinds.end();
    if (kind == kinds.end())
      lines_.refuse("a point ends, fails, goes-on, waits, or stays while-any or while-all messages are there");
    point.stay = kind->second;
    if (point.stay != Stay::while_any && point.stay != Stay::while_all) lines_.require_words(3);
    for (std::size_t word = 3; word < lines_.words().size(); ++word) point.own.push_back(message(word));
    return true;
  }

  bool read_start() {
    const std::uint32_t to = point(1);
    Start& start = net_.starts[net_.points[to].rank];
    if (start.to != none) lines_.refuse("this rank has a second start");
    start.to = to;
    if (lines_.words().size() > 2 && lines_.words()[2] != "sends") lines_.refuse("'sends' is expected here");
    start.sends = sent_from(3, net_.points[to].rank);
    require_reachable(to);
    std::map<std::uint32_t, std::uint32_t> sent;  // by channel
    for (const std::uint32_t id : start.sends)
      if (net_.messages[id].number != sent[net_.messages[id].channel]++)
        lines_.refuse("message " + std::to_string(id) + " is not the next one in its channel");
    return true;
  }

  bool read_step() {
    Step step;
    step.from = point(1);
    step.to = point(2);
    const std::uint32_t rank = net_.points[step.from].rank;
    if (net_.points[step.to].rank != rank) lines_.refuse("the points of a step belong to two ranks");
    if (net_.points[step.from].stay == Stay::ends) lines_.refuse("a step leads from an end");
    require_reachable(step.to);
    step.taken = taken(3, rank);
    std::size_t word = 4;
    const auto& words = lines_.words();
    if (word < words.size() && words[word] == "after") {
      if (step.taken == none) lines_.refuse("'after' is for steps that take a message");
      for (++word; word < words.size() && words[word] != "sends"; ++word)
        step.after.push_back(lines_.index(word, most, "message in its channel"));
    }
    if (word < words.size() && words[word] != "sends") lines_.refuse("'" + words[word] + "' is too much here");
    step.sends = sent_from(word + 1, rank);
    net_.steps.push_back(std::move(step));
    return true;
  }

  bool read_failure() {
    const std::uint32_t from = point(1);
    net_.failures.push_back({from, taken(2, net_.points[from].rank)});  // then words about the reason
    return true;
  }

  bool read_accepted() {
    const std::uint32_t at = point(1);
    for (std::size_t word = 2; word < lines_.words().size(); ++word)
      net_.accepted.push_back({at, message_for(word, net_.points[at].rank)});
    return true;
  }

  void require_reachable(std::uint32_t id) const {
    if (net_.points[id].stay == Stay::fails) lines_.refuse("only failing steps lead to a point that fails");
  }

  void require_continuations() const {
    std::vector<bool> has(net_.points.size());
    for (const Step& step : net_.steps)
      if (step.taken == none) has[step.from] = true;
    for (const Failure& failure : net_.failures)
      if (failure.taken == none) has[failure.from] = true;
    for (std::size_t p = 0; p < has.size(); ++p)
      if (net_.points[p].stay == Stay::goes_on && !has[p])
        lines_.refuse("point " + std::to_string(p) + " of the net above goes on, but no step without a message does");
  }

  std::uint32_t point(std::size_t word) const { return lines_.index(word, net_.points.size(), "point"); }
  std::uint32_t message(std::size_t word) const { return lines_.index(word, net_.messages.size(), "message"); }

  std::uint32_t taken(std::size_t word, std::uint32_t rank) const {
    if (word < lines_.words().size() && lines_.words()[word] == "-") return none;
    return message_for(word, rank);
  }

  std::uint32_t message_for(std::size_t word, std::uint32_t rank) const {
    const std::uint32_t id = message(word);
    if (net_.channels[net_.messages[id].channel].destination != rank) lines_.refuse("the message is for another rank");
    return id;
  }

  std::vector<std::uint32_t> sent_from(std::size_t first, std::uint32_t rank) const {
    std::vector<std::uint32_t> sent;
    for (std::size_t word = first; word < lines_.words().size(); ++word) {
      sent.push_back(message(word));
      if (net_.channels[net_.messages[sent.back()].channel].source != rank)
        lines_.refuse("another rank sends message " + lines_.words()[word]);
    }
    return sent;
  }

  Lines& lines_;
  Net net_;
};

}  // namespace

Net read_net(Lines& lines) { return NetReader(lines).read(); }

std::vector<std::uint32_t> in_order(const Net& net) {
  std::vector<std::vector<std::uint32_t>> next(net.points.size());
  std::vector<std::uint32_t> before(net.points.size());
  for (const Step& step : net.steps) {
    next[step.from].push_back(step.to);
    ++before[step.to];
  }
  std::deque<std::uint32_t> ready;
  for (std::uint32_t p = 0; p < before.size(); ++p)
    if (before[p] == 0) ready.push_back(p);
  std::vector<std::uint32_t> order;
  for (; !ready.empty(); ready.pop_front()) {
    order.push_back(ready.front());
    for (const std::uint32_t to : next[ready.front()])
      if (--before[to] == 0) ready.push_back(to);
  }
  return order;
}

}  // namespace rehearse::proof
