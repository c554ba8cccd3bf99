// SPDX-License-Identifier: MIT
//
// The net over words: points where actors wait, steps between them, and who may have written each word last.
//
// A point is a place with the values of its control words. For every other word, it has the set of the steps that may
// have written it last. A step is tried for each combination of the values of the words that it reads, so far as their
// writers can have been last together. States of several actors, and of all words of one actor, are never formed.
//
// Sums:   a word that steps only add to has no writers. A step may read it where the equations leave one value.
//         Otherwise the word is no sum, and the net is grown again.
// Order:  what an actor has taken from, and sent to, each other actor are words, too.
// Errors: NoProof if the net becomes too large, or if it takes too long.
// Source: docs/soundness.md, "Footprints".
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "mc/footprints/machine.hpp"
#include "mc/footprints/samples.hpp"

namespace rehearse::mc::footprints {

using PointId = std::uint32_t;
using StepId = std::uint32_t;
using MessageId = std::uint32_t;
inline constexpr std::uint32_t none = ~std::uint32_t{0};

struct NoProof {
  std::string why;
};

// Rules that can be left out, to show in tests that each is necessary.
struct Rules {
  bool tries_all_values = true;   // false: a word that is read has one value
  bool asks_again = true;         // false: answers for the unfinished net stay, and guesses of sums
  bool asks_before_steps = true;  // false: what is known of a point must hold after the step
  bool looks_again = true;        // false: points are looked at once
};

struct Limits {
  std::uint64_t steps = 50'000;
  std::uint64_t branches = 2'000'000;  // partial combinations of values
};

struct Point {
  std::uint32_t actor = 0;
  Place place;
  Values control;
  std::map<Word, std::set<StepId>> writers;  // who may have written it last
};

struct Step {
  std::uint32_t actor = 0;
  PointId from = none;  // none: the actor starts
  PointId to = none;
  MessageId taken = none;
  Values writes;
  std::map<Word, std::int64_t> sums;
  std::vector<MessageId> sends;
  std::map<Word, std::set<StepId>> reads;  // the possible writers of what it reads
};

struct Message {
  std::uint32_t source = 0, destination = 0, number = 0;
  Content content;
  std::vector<StepId> senders;
};

// Answers questions about the net as it is now. False: impossible.
class Oracle {
 public:
  virtual ~Oracle() = default;
  // May the actor stand at the point while the message is there, and one of these have written the word last?
  virtual bool is_possible(PointId point, MessageId message, Word word, const std::set<StepId>& writers) = 0;
  // Must the sum of all amounts that were added to the word be this when the actor stands there?
  virtual bool is_sum(PointId point, MessageId message, Word word, std::int64_t amount) = 0;
};

class WordNet {
 public:
  using GoesOn = std::function<bool()>;  // false: stop

  WordNet(Machine& machine, const Samples& samples, Rules rules, Limits limits)
      : machine_(machine), samples_(samples), rules_(rules), limits_(limits) {}

  // Grows the net until nothing new comes of it, and all answers of the oracle hold for the whole net.
  void grow(Oracle& oracle, const GoesOn& goes_on);

  const std::vector<Point>& points() const { return points_; }
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<Message>& messages() const { return messages_; }
  const Rules& rules() const { return rules_; }
  bool is_added_to(Word word, std::uint32_t actor) const { return added_to_.contains({actor, word}); }
  std::uint64_t version() const { return version_; }  // changes with the net
  std::uint64_t runs() const { return runs_; }        // steps of the program

 private:
  struct NotASum {};
  using ActorWord = std::pair<std::uint32_t, Word>;
  using Picks = std::map<Word, std::set<StepId>>;
  struct Branch {
    Values values;
    Picks picks;
  };
  using RunKey = std::tuple<std::uint32_t, Place, std::uint32_t, Content, Values>;
  using StepKey = std::tuple<std::uint32_t, PointId, MessageId, Values, std::map<Word, std::int64_t>, PointId,
                             std::vector<MessageId>>;
  using Dropped = std::tuple<PointId, MessageId, Word, Value>;

  static Word taken_from(std::uint32_t source) { return first_own_word + source; }
  static Word sent_to(std::uint32_t destination) { return first_own_word + (Word{1} << 32) + destination; }

  void clear();
  void begin();
  void grow_once();
  bool has_changed_answers();
  void put(PointId point);
  void look_at(PointId point);
  void try_message(PointId point, MessageId message);
  std::optional<Word> open_word(PointId point, MessageId message, const Branch& branch, const Effect& effect);
  std::optional<Word> open_control_word(const Branch& branch, const Effect& effect, std::uint32_t actor);
  void branch_over(PointId point, MessageId message, Word word, const Branch& branch, std::vector<Branch>& into);
  void read_sum(PointId point, MessageId message, Word word, const Effect& effect, const Branch& branch,
                std::vector<Branch>& into);
  const Effect& run(PointId point, MessageId message, const Values& values);
  void note_words(std::uint32_t actor, const Effect& effect);
  bool strike_off(std::uint32_t actor, Word word);
  bool is_next(PointId point, MessageId message, Value taken) const;
  void finish(PointId point, MessageId message, const Branch& branch, const Effect& effect);
  void reach(PointId to, StepId step, const Picks& picks);
  PointId point_of(std::uint32_t actor, const Place& place, Values control);
  MessageId message_of(std::uint32_t source, const Emission& emission, std::uint32_t number);
  bool may_stay(StepId writer, Word word, const Step& step, const Picks& picks) const;
  bool are_together(StepId t, Word w, StepId u, Word v) const;
  bool have_same_message(MessageId a, MessageId b) const;
  Picks narrowed(const Picks& picks) const;
  Value with_taken(Value before, std::uint32_t number);

  Machine& machine_;
  const Samples& samples_;
  Rules rules_;
  Limits limits_;
  Oracle* oracle_ = nullptr;
  std::vector<Point> points_;
  std::vector<Step> steps_;
  std::vector<Message> messages_;
  std::map<std::tuple<std::uint32_t, Place, Values>, PointId> point_by_key_;
  std::map<StepKey, StepId> step_by_key_;
  // By source and destination: of each number, the possible messages.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::vector<MessageId>>> channels_;
  std::vector<std::vector<PointId>> by_actor_;
  std::vector<std::vector<std::uint32_t>> taken_sets_;  // values of taken_from: numbers of messages, ascending
  std::map<std::vector<std::uint32_t>, Value> taken_numbers_;
  std::map<RunKey, Effect> known_runs_;
  std::set<ActorWord> added_to_, no_sums_;
  std::map<Dropped, std::set<StepId>> dropped_;                   // values that cannot be there: their writers
  std::map<std::tuple<PointId, MessageId, Word>, Value> summed_;  // values of sums that were read
  std::deque<PointId> queue_;
  std::vector<bool> is_queued_;
  std::uint64_t version_ = 0, runs_ = 0, branches_ = 0;
  const GoesOn* goes_on_ = nullptr;
};

}  // namespace rehearse::mc::footprints
