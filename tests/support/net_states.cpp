// SPDX-License-Identifier: MIT
//
// A search over the states of a net, and the three claims in each.
#include "tests/support/net_states.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "proof/read_net.hpp"

namespace rehearse::tests {

namespace {

using proof::Net;
using proof::Stay;

struct Marking {
  std::vector<std::uint32_t> at;                            // by rank
  std::multiset<std::uint32_t> there;                       // messages
  std::set<std::pair<std::uint32_t, std::uint32_t>> taken;  // channel, number
  std::map<std::uint32_t, std::uint32_t> sent;              // by channel
  auto operator<=>(const Marking&) const = default;
};

class States {
 public:
  explicit States(const Net& net) : net_(net) {}

  std::optional<bool> claims_hold(std::size_t most) {
    Marking start;
    for (const proof::Start& of : net_.starts) {
      start.at.push_back(of.to);
      if (!send(of.sends, start)) return true;  // there is no state
    }
    reach(start);
    for (; !queue_.empty(); queue_.pop_front()) {
      if (known_.size() > most) return std::nullopt;
      const Marking& state = *queue_.front();
      if (fails(state) || is_dead(state) || loses(state)) return false;
      for (const proof::Step& step : net_.steps) try_step(state, step);
    }
    return true;
  }

 private:
  void reach(Marking state) {
    const auto [found, is_new] = known_.insert(std::move(state));
    if (is_new) queue_.push_back(&*found);
  }

  bool stands(const Marking& state, std::uint32_t point) const { return state.at[net_.points[point].rank] == point; }

  bool send(const std::vector<std::uint32_t>& messages, Marking& state) const {
    for (const std::uint32_t message : messages) {
      if (net_.messages[message].number != state.sent[net_.messages[message].channel]++) return false;
      state.there.insert(message);
    }
    return true;
  }

  void try_step(const Marking& state, const proof::Step& step) {
    if (!stands(state, step.from)) return;
    Marking next = state;
    if (step.taken != proof::none) {
      const auto found = next.there.find(step.taken);
      if (found == next.there.end()) return;
      next.there.erase(found);
      const proof::Message& message = net_.messages[step.taken];
      for (const std::uint32_t number : step.after)
        if (!state.taken.contains({message.channel, number})) return;
      next.taken.insert({message.channel, message.number});
    }
    if (!send(step.sends, next)) return;
    next.at[net_.points[step.to].rank] = step.to;
    reach(std::move(next));
  }

  bool fails(const Marking& state) const {
    return std::ranges::any_of(net_.failures, [&](const proof::Failure& failure) {
      return stands(state, failure.from) && (failure.taken == proof::none || state.there.contains(failure.taken));
    });
  }

  bool is_dead(const Marking& state) const {
    for (const proof::Step& step : net_.steps)
      if (step.taken != proof::none && stands(state, step.from) && state.there.contains(step.taken)) return false;
    for (const proof::Accepted& accepted : net_.accepted)
      if (stands(state, accepted.point) && state.there.contains(accepted.message)) return false;
    bool someone_waits = false;
    for (const std::uint32_t at : state.at) {
      const proof::Point& point = net_.points[at];
      const auto is_there = [&](std::uint32_t own) { return state.there.contains(own); };
      if (point.stay == Stay::goes_on) return false;
      if (point.stay == Stay::while_any && std::ranges::none_of(point.own, is_there)) return false;
      if (point.stay == Stay::while_all && !std::ranges::all_of(point.own, is_there)) return false;
      someone_waits = someone_waits || point.stay != Stay::ends;
    }
    return someone_waits;
  }

  bool loses(const Marking& state) const {
    return !state.there.empty() &&
           std::ranges::all_of(state.at, [&](std::uint32_t at) { return net_.points[at].stay == Stay::ends; });
  }

  const Net& net_;
  std::set<Marking> known_;
  std::deque<const Marking*> queue_;
};

}  // namespace

std::optional<bool> claims_are_true(const std::string& text, std::size_t most_states) {
  std::istringstream in(text);
  try {
    proof::Lines lines(in);
    for (lines.next(); !lines.is_over();) {
      lines.next();  // after `net`
      const Net net = proof::read_net(lines);
      const std::optional<bool> holds = States(net).claims_hold(most_states);
      if (!holds || !*holds) return holds;
      while (!lines.is_over() && !lines.is("net")) lines.next();  // questions
    }
  } catch (const proof::BadLine&) {
    return std::nullopt;
  }
  return true;
}

}  // namespace rehearse::tests
