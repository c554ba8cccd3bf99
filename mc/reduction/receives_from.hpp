// SPDX-License-Identifier: MIT
//
// Receives-from exploration of execution graphs: every class of executions, each reached along one path.
//
// The graph grows event by event under a fixed scheduler. An observation whose answer is open takes its first option;
// the others are tried when the exploration comes back (forward alternatives). A new send is offered to every earlier
// observation of its receiver that it could have fed and that is not in its past (backward revisits): the revisit keeps
// what was there before the observation and the past of the send, drops the rest, and is taken only if all that it
// drops is what the scheduler would have chosen anyway, so that no two paths lead to one graph.
//
// Here no send waits for its receive and members of collectives wait only for the data they need; policies are judged
// on the executions found (mc/buffering).
//
// Memory:  linear in the length of one execution, apart from the History.
// Source:  as graph.hpp. Departures: posted receives are decided at their first observation, in posting order, together
//          with what the non-overtaking rule forces; an observation that other receives of the actor can starve has one
//          more option, checked when the execution is maximal. Their correctness is argued in docs/soundness.md and
//          tested against brute force.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_set>
#include <vector>

#include "mc/graph/graph.hpp"
#include "mc/history/history.hpp"
#include "mc/reduction/actor_set.hpp"
#include "mc/reduction/guide.hpp"
#include "mc/reduction/options.hpp"
#include "mc/reduction/path.hpp"
#include "mc/reduction/questions.hpp"
#include "mc/reduction/race.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::mc {

class Matching {
 public:
  // Called with each maximal execution; false stops the exploration.
  using Visitor = std::function<bool(const Graph&)>;

  // Asked now and then, also in the middle of an execution; false stops.
  using GoesOn = std::function<bool(const Matching&)>;

  static constexpr std::uint64_t events_between_questions = 1024;

  Matching(History& history, std::uint32_t actors, std::uint32_t polls, GoesOn goes_on);

  // True when all that is to be visited was. After a stop it goes on where it was.
  bool run(const Visitor& visit);

  // From now on this is asked, every so many events.
  void ask(GoesOn goes_on, std::uint64_t events_between = events_between_questions) {
    goes_on_ = std::move(goes_on);
    events_between_ = events_between;
  }

  // Goes where the Path leads, before anything else: run() does what the Path says is to be done. Throws PathLost.
  void load(const Path& path);

  // The visitor was not done with the execution at hand: after a stop it comes once more.
  void visit_again() { is_at_leaf_ = false; }

  // What is left to be done. Not after run() has returned true.
  Path remaining() const;

  // Between two executions: leaves to somebody else what comes last of all that is left, by the order of a depth-first
  // exploration. Nothing where all that is left may be what comes next.
  struct Gift {
    Path path;
    double position = 0;  // of where it begins
    Cut cut;  // what this exploration does not own any more
  };
  std::optional<Gift> give_away();
  void give_up(const Cut& cut);

  // From the start: executions are visited that take at most so many turns, alternatives that are not the first.
  void limit_turns(std::uint32_t most) { turns_max_ = most; }
  std::uint32_t turns() const { return trail_.empty() ? 0 : trail_.back().turns; }  // of the execution at hand
  bool left_turns_out() const { return left_turns_out_; }                           // that it could have taken

  // With an execution at hand: adds the races of which it is the other side, at places that are not known, if it
  // `counts`, which is asked only if there are any; otherwise they will come with the next one that they lead to.
  using Places = std::unordered_set<Hash128, HashOfHash>;
  void find_races(const Places& known, const std::function<bool()>& counts, std::vector<Race>& races);

  // How much of everything comes before what is left, as a fraction: an estimate, which takes the alternatives of one
  // decision for equally large.
  double position() const;

  // Grows one execution, in which chance chooses who observes next and what: every class can come out. Null: chance led
  // nowhere (an actor was to wait for ever for a message that nothing kept from it) or was stopped. At most once,
  // instead of run().
  const Graph* walk(SplitMix& chance);

  // Grows one execution in which the guide chooses. Null: it led nowhere, or was stopped. At most once, instead of
  // run().
  const Graph* follow(Guide& guide);

  // The observations and decisions at which the execution at hand takes a turn.
  std::vector<EventRef> turned() const;
  std::optional<EventRef> last_turn() const;

  std::uint64_t events() const { return events_; }
  const Graph& graph() const { return graph_; }
  // Whether fairness kept a poll from being told "no" once more.
  bool refusals_left_out() const { return refusals_left_out_; }
  // Choices that this exploration does not make, by name; not empty: it is incomplete.
  std::vector<std::string> unsupported() const;

 private:
  struct Entry {
    enum class Kind : std::uint8_t { plain, choice, offer, revisit } kind = Kind::plain;
    std::uint32_t actor = 0;
    EventIndex event = no_event;             // the actor's, that came with it
    std::vector<Option> options;             // choice: all; offer: of the candidate
    std::vector<Option> given;               // choice: those behind them, which others try
    std::uint32_t next = 0;                  // option to try next; offer: no_event when there is nothing to try
    // offer: whose event is being revisited (which of its possible readers, in the upper half) and which of the
    // reader's revisitable ones; -1: none yet
    std::int64_t candidate = -1;
    std::vector<Graph::Removed> removed;     // revisit: what it dropped, in that order
    std::uint32_t stamp = 0;                 // revisit: the next stamp before it
    std::uint32_t refused_in_a_row = 0;      // polls that were refused because nothing else could happen, with it
    std::uint64_t check = 0;                 // of the trail up to here: what happened, and what was chosen
    std::uint32_t turns = 0;                 // up to here, with what is chosen here
    std::uint32_t width = 0;                 // choice: how many options there were
  };

  struct Candidate {
    std::uint32_t reader = 0;
    EventIndex index = no_event;
  };

  struct Pending {
    EventKind kind = EventKind::observe;
    RequestId decides;
    Question question;
    bool satisfied = false;
  };

  static bool is_turn(const Entry& entry);
  bool go_through(const Visitor& visit);
  bool visit_leaf(const Visitor& visit);
  const Graph* walk_on(SplitMix& chance);
  const Graph* follow_on(Guide& guide);
  bool step();
  bool lowest(ActorSet& candidates, bool (Matching::*step)(std::uint32_t actor));
  void wake(std::uint32_t actor);
  void wake_members(const Event& arrival);
  void forget_histories();
  bool start_something(std::uint32_t actor);
  bool observe_settled(std::uint32_t actor);
  bool observe_open(std::uint32_t actor);
  bool observe_by_chance(SplitMix& chance);
  bool observe_as_told(Guide& guide, bool is_last);
  bool refuse_as_told(Guide& guide);
  std::optional<Pending> open_question(std::uint32_t actor, std::vector<Option>& options);
  bool refuse_some_poll();
  bool refuse_poll(std::uint32_t actor);
  void add_observation(std::uint32_t actor, EventKind kind, RequestId decides, Option option, bool settled);
  void advance_observer(std::uint32_t actor);
  template <class Advance>
  void move_on(std::uint32_t actor, const Advance& advance);
  bool stands_at_observation(std::uint32_t actor) const;
  std::optional<Pending> pending(std::uint32_t actor);
  void decide_first(std::uint32_t actor, Pending& pending) const;
  bool is_settled(std::uint32_t actor, const Question& question) const;

  // A part of everything that is explored, in the order of the exploration.
  struct Stretch {
    double begin = 0, length = 1;
  };

  bool backtrack();
  bool may_turn(const Entry& entry);
  Stretch stretch(std::size_t length) const;
  double revisits_expected() const;
  bool next_option(Entry& entry);
  bool next_revisit(std::size_t entry);
  bool next_candidate(Entry& entry, EventRef offered);
  bool load_candidate(Entry& entry, EventRef offered);
  Candidate candidate_of(const Entry& entry, EventRef offered) const;
  std::optional<std::uint32_t> reader_of(EventRef offered, std::size_t ordinal) const;
  bool reads(std::uint32_t reader, const Event& observation, const Option& option, EventRef offered) const;
  bool try_revisit(EventRef offered, Candidate candidate, const Option& option);
  bool droppable(EventRef offered, EventRef revisited, std::span<const std::uint32_t> keep,
                 std::span<const std::uint32_t> past);
  bool is_canonical(std::uint32_t actor, EventIndex index, EventRef offered, std::span<const std::uint32_t> past);
  void undo_revisit(Entry& entry);
  void put_back(std::vector<Graph::Removed>& removed, std::uint32_t next_stamp);

  View now(std::uint32_t actor);
  std::uint32_t count_until(std::uint32_t actor, std::uint32_t stamp) const;
  bool leaf_is_real();
  bool count_event();
  Entry& push(Entry::Kind kind, std::uint32_t actor);
  bool may_revisit(const Entry& entry) const;
  EventRef newest_of(const Entry& entry) const;
  bool is_open(const Entry& entry) const;
  std::optional<std::size_t> to_give() const;
  Path write_down(std::size_t length, bool is_done) const;
  void add_races(std::size_t position, const Places& known, std::vector<Race>& races) const;
  void add_race(std::size_t position, EventIndex taken, const Places& known, std::vector<Race>& races) const;
  void grow_to(std::size_t length);
  void take_turn(const Turn& turn);

  History& history_;
  Graph graph_;
  Questions questions_;
  Options options_;
  std::vector<Entry> trail_;
  ActorSet may_start_, may_settle_, may_observe_;  // who is not in there cannot
  std::vector<std::uint32_t> all_;      // the visible part of everything
  std::vector<Option> scratch_;
  std::uint64_t events_ = 0;
  bool is_at_leaf_ = false;   // the trail as it is was visited
  std::size_t unasked_ = 0;   // entries from there on were not looked at for races
  Cut cut_;
  std::uint32_t turns_max_ = no_limit;
  bool left_turns_out_ = false;
  std::uint64_t offers_tried_ = 0, revisits_taken_ = 0;  // as far as known
  GoesOn goes_on_;
  std::uint64_t events_between_ = events_between_questions;
  std::uint32_t polls_;
  bool refusals_left_out_ = false;
};

}  // namespace rehearse::mc
