// SPDX-License-Identifier: MIT
//
// The net over words: points where actors wait, and steps between them. It is a form of mc/flow/net.hpp that looks into
// steps.
//
// A point stands for all local states of an actor at one place that have taken equally many messages since the same
// base (word_states.hpp). At each point, the actor tries every message that some step of the net sends to it, with
// every value that a word which the step reads can have there. So a fan-in of n sums has n^2 steps instead of 2^n. The
// states of several actors are never combined. But a message is only tried where its receiver has taken as many
// messages as every way to send it needs, and an actor takes no two messages that exclude each other.
//
// Order:  how many messages an actor has sent to each other one is a word, too. If it may have several values, one step
//         stands for all of them: it sends one message of a group, which has one for each number.
// Errors: NoProof if a step reads a word of which nothing is known, if the net becomes too large, or takes too long.
// Source: docs/design/exploration.md, "Footprints: nets that look into steps".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mc/footprints/machine.hpp"
#include "mc/footprints/net_messages.hpp"
#include "mc/footprints/sets_before.hpp"
#include "mc/footprints/states_after.hpp"
#include "mc/footprints/word_states.hpp"

namespace rehearse::mc::footprints {

using PointId = std::uint32_t;
using StepId = std::uint32_t;
// Rules that can be left out, to show in tests that each is necessary.
struct Rules {
  JoinRules join = {};
  bool tries_all_values = true;  // false: a word that is read has one of its values
  bool counts_taken = true;      // false: all messages that may have been taken have been
  bool looks_again = true;       // false: points are looked at once
  bool passes_over = true;       // false: every channel counts as in order
  bool counts_sends = true;      // false: all messages of a channel have one number
  bool checks_bases = true;      // false: a point that was a base once stays one
  bool needs_old_value = true;   // false: a word that is written had any one of its values before
  bool all_senders = true;       // false: a message is in the origins that its first sender says
  bool all_numbers = true;       // false: a group has the message with the first number only
  bool moves_statements = true;  // false: a word to which another one is moved is only added to
};

struct Limits {
  std::uint64_t steps = 50'000;
  std::uint64_t tries = 500'000;  // of steps, most of which are known
  std::size_t values = 96;        // of one word
  std::size_t numbers = 4;        // of the messages of one step, together; with more of them, it sends groups
};

struct Point {
  std::uint32_t actor = 0;
  Place place;
  std::uint32_t base = 0;
  WordStates states;
  MessageId own = none;       // at a send: its message
  std::uint64_t version = 0;  // of the states
};

struct Step {
  std::uint32_t actor = 0;
  PointId from = none;  // none: the actor starts
  PointId to = none;
  MessageId taken = none;        // none also: a send is complete
  std::vector<MessageId> sends;  // one of the group of each of them
};

class WordNet {
 public:
  using GoesOn = std::function<bool()>;  // false: stop

  WordNet(Machine& machine, Rules rules, Limits limits)
      : machine_(machine),
        rules_(rules),
        limits_(limits),
        messages_({rules.join.compares_needs, rules.all_senders}),
        sets_(messages_, not_in_order_, rules.counts_taken) {}

  // Grows the net until nothing new comes of it.
  void grow(const GoesOn& goes_on);

  const std::vector<Point>& points() const { return points_; }
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<Message>& messages() const { return messages_.all(); }
  MessageId group_of(MessageId message) const { return messages_.group_of(message); }
  // How many messages the actor has taken at the point.
  std::uint32_t total_at(const Point& point) const { return bases_[point.base].count + point.states.count; }
  std::uint32_t actor_count() const { return machine_.actor_count(); }
  std::uint64_t runs() const { return runs_; }  // steps of the program

 private:
  using StepKey = std::tuple<PointId, MessageId, PointId, std::vector<MessageId>>;
  struct Base {
    Numbers taken;                // before it
    std::uint32_t count = 0;      // of these
    bool has_other_sets = false;  // its point has states that have taken other messages, so it is no base
  };
  using PointKey = std::tuple<std::uint32_t, Place, std::uint32_t, std::uint32_t, MessageId>;  // ..., base, count, own
  // What an actor knows when it looks at a message.
  struct View {
    std::uint32_t actor = 0;
    PointId point = none;
    Place place;
    std::uint32_t base = 0;
    WordStates states;
    Known known;  // without words of the net
  };
  // What a step was tried with: with the same again, the same would come of it.
  struct Tried {
    std::uint64_t point = 0, channel = 0, origins = 0;
    bool operator==(const Tried&) const = default;
  };
  using Turn = std::tuple<std::uint32_t, bool, PointId>;  // messages taken; whether the actor receives from anybody
  struct Again {};

  Word sent_in(const Channel& channel);
  Value initial(std::uint32_t actor, Word word) { return word >= first_own_word ? 0 : machine_.initial(actor, word); }

  void clear();
  bool grow_once();
  void start(std::uint32_t actor);
  void put(PointId point);
  void look_at(PointId point);
  View view_of(PointId point);
  std::optional<PointId> next_point();
  bool has_taken_all(const Point& point) const;
  bool is_base(PointId point);
  Numbers taken_at(const Point& point) const;
  void begin_base(View& view);
  void try_message(const View& view, MessageId message);
  void try_all(const View& view, const PossibleSets& sets, MessageId message);
  Effect run(const View& view, MessageId message, const Known& known);
  PossibleSets sets_before(const View& view, MessageId arriving) const;
  // What is not known of a step yet.
  struct Opened {
    std::optional<std::pair<Word, std::set<Value>>> choice;  // a word with several values, or with none
    std::optional<Word> unknown;                             // one of which nothing is known
    bool is_as_found = true;                                 // words with one value had it when the step ran
  };
  // `chosen`: the values of words that are not known otherwise; adds those of words with one value.
  Opened open(const View& view, const PossibleSets& sets, const Effect& effect, Values& chosen);
  // The values that a step depends on, as it found them; without those that are known.
  Values open_words(const View& view, const Effect& effect, const Values& chosen);
  bool sends_groups(const View& view, const PossibleSets& sets, const Effect& effect, const Values& open) const;
  Word counter_of(std::uint32_t actor, const Emission& emission);
  std::vector<std::uint32_t> numbers_of(const View& view, const PossibleSets& sets, Word counter,
                                        const Values& chosen) const;
  std::optional<Value> only_value(const PossibleSets& sets, Word word, const WordFunction& function) const;
  void finish(const View& view, const PossibleSets& sets, MessageId message, const Values& chosen,
              const Effect& effect);
  PointId reach(std::uint32_t actor, const Place& place, std::uint32_t base, WordStates states, MessageId own);
  MessageId message_of(std::uint32_t source, const Emission& emission, std::uint32_t number, const Needs& needs,
                       const std::vector<Origins::Id>& origins);
  MessageId group_with(std::uint32_t source, const Emission& emission, const std::vector<std::uint32_t>& numbers,
                       const Needs& needs, const std::vector<Origins::Id>& origins);
  void check_order(std::uint32_t actor, const Place& place, const Line& line, std::int64_t tag);
  void add_step(Step step);

  Machine& machine_;
  Rules rules_;
  Limits limits_;
  std::vector<Point> points_;
  std::vector<Step> steps_;
  NetMessages messages_;
  std::map<PointKey, PointId> point_by_key_;
  std::set<StepKey> known_steps_;
  std::vector<std::vector<PointId>> by_actor_;
  // These stay when the net is grown again. An actor has its own number as its first base.
  std::vector<Base> bases_;
  std::map<PointKey, std::uint32_t> base_after_;
  std::set<Channel> not_in_order_;
  SetsBefore sets_;
  std::map<Channel, Word> sent_in_;                // the word that counts what was sent
  std::set<Turn> queue_, late_queue_;              // late: points that are bases as far as is known
  std::vector<bool> is_queued_;                    // by point
  std::vector<bool> is_open_to_all_;               // by actor: some receive names no source
  std::vector<std::map<MessageId, Tried>> tried_;  // by point
  std::uint64_t runs_ = 0, tries_ = 0;
  const GoesOn* goes_on_ = nullptr;
};

}  // namespace rehearse::mc::footprints
