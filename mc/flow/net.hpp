// SPDX-License-Identifier: MIT
//
// The net of an actor program: points where actors wait, steps between them, and the messages that steps take and send.
// It contains every step of every execution, and others: each actor may take any message that some actor may send, if
// its counters permit it. No state of several actors is ever formed.
//
// Growth: steps add messages, points and counter values, and these may make further steps possible. A point is looked
//         at again until nothing new comes of it.
// Errors: NoProof, ShortMessage (local_runner.hpp); NoProof also if the net becomes too large.
// Source: docs/soundness.md, "Flow equations".
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "mc/flow/counters.hpp"
#include "mc/flow/local_runner.hpp"

namespace rehearse::mc::flow {

using PointId = std::uint32_t;
constexpr PointId no_point = ~PointId{0};

// An actor stands here at most once in an execution.
struct Point {
  LocalState state;
  std::vector<std::uint32_t> active;  // requests that may take a message here
  // The counters of other actors that may have another value than `nothing_yet` here: all possible values.
  std::map<std::uint32_t, std::vector<CounterValue>> counters;
  bool is_reached = false;  // `counters` is set
};

// Happens at most once in an execution.
struct Step {
  PointId from = no_point;  // none: the actor starts
  PointId to = no_point;
  MessageId taken = no_message;
  std::vector<MessageId> sends;
  std::string objection;  // why an execution with this step would be wrong; empty: it is not
};

class Net {
 public:
  // Rules that can be left out, to show in tests that each is necessary.
  struct Rules {
    bool looks_again = true;    // false: points are looked at once
    bool counts_sends = true;   // false: all messages of a channel have one number
    bool asks_all_tags = true;  // false: a receive never passes over a message
    LocalRules local = {};
  };
  struct Limits {
    std::uint64_t steps = 200'000;
    std::uint64_t tries = 2'000'000;   // of steps, most of which are known
    std::uint64_t combinations = 256;  // of counter values, at one step
  };

  // Called from time to time; false stops: NoProof.
  using GoesOn = std::function<bool()>;

  Net(LocalRunner& runner, Messages& messages, std::uint32_t actors, bool sends_wait, Rules rules, Limits limits)
      : runner_(runner),
        messages_(messages),
        sends_wait_(sends_wait),
        rules_(rules),
        limits_(limits),
        by_actor_(actors) {}

  void grow(const GoesOn& goes_on);

  const std::vector<Point>& points() const { return points_; }
  const std::vector<Step>& steps() const { return steps_; }
  const Messages& messages() const { return messages_; }
  const Counters& counters() const { return counters_; }
  std::uint32_t actor_count() const { return static_cast<std::uint32_t>(by_actor_.size()); }

  // The possible values of this actor's counter at the point.
  std::vector<CounterValue> values_at(const Point& point, std::uint32_t other) const;

  // The earlier numbers of the channel that the actor must have taken before it takes the message of this step.
  std::vector<std::uint32_t> taken_before(const Step& step) const;

 private:
  // What one step does to the counters: the values that it requires and the new ones.
  using Changes = std::map<std::uint32_t, std::pair<CounterValue, CounterValue>>;

  void put(PointId point);
  void look_at(PointId point);
  void take(PointId point, std::uint32_t request, MessageId message);
  bool is_for(const LocalState& state, std::uint32_t request, MessageId id) const;
  bool may_pass_over(const StartedRequest& request, ChannelId channel, std::uint32_t number) const;
  bool may_take(const LocalState& state, std::uint32_t request, const Messages::Message& message,
                CounterValue value) const;
  const Arrival& arrival(PointId from, std::uint32_t request, MessageId message);
  void apply(PointId from, MessageId taken, const Arrival& arrival, std::uint32_t source,
             const std::vector<CounterValue>& permitted);
  void make_step(PointId from, MessageId taken, const Arrival& arrival, const Changes& before);
  MessageId send(const Arrival::Emission& emission, CounterValue& value);
  PointId point_of(LocalState state);
  void reach(PointId from, PointId to, const Changes& changes);
  void add_step(Step step);

  LocalRunner& runner_;
  Messages& messages_;
  bool sends_wait_;
  Rules rules_;
  Limits limits_;
  Counters counters_;
  std::vector<Point> points_;
  std::vector<Step> steps_;
  std::vector<std::vector<PointId>> by_actor_;
  std::unordered_map<Hash128, PointId, history::HashOfHash> point_by_key_;
  std::unordered_map<Hash128, std::uint32_t, history::HashOfHash> step_by_key_;
  std::map<std::tuple<PointId, std::uint32_t, MessageId>, Arrival> arrivals_;
  std::map<PointId, std::vector<Arrival>> continuations_;
  std::deque<PointId> queue_;  // to look at
  std::uint64_t tries_ = 0;
  std::vector<bool> is_queued_;
};

}  // namespace rehearse::mc::flow
