// SPDX-License-Identifier: MIT
//
// The execution graph: for each actor the events of one (partial) execution in program order, and for each matched
// receive the send that it reads from.
//
// An event is a visible step: a sent message, a posted receive, the arrival at a collective, an observation (the answer
// to a call), or a decision (the match of a receive, made before the observation of that receive because other matches
// depend on it). Stamps number the events in the order in which they were added; the stamps of an actor increase. The
// causal past of an event (program order, a send before its receive, arrivals before the completion that needs them) is
// a vector clock. A prefix of each actor's events is a graph again if no event in it has an event outside in its past.
//
// Shape:  events(a)[i] is the i-th event of actor a; clock(a, i)[b] is the number of events of b in the past of
//         that event, including the event.
// Source: Enea, Giannakopoulou, Kokologiannakis, Majumdar, "Model Checking Distributed Protocols in Must", OOPSLA 2024;
//         Kokologiannakis et al., "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022. Departures:
//         receives are posted and decided in two events, an observation may read several sends.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "mc/graph/sorted_events.hpp"
#include "mc/history/history.hpp"
#include "simcore/ids.hpp"

namespace rehearse::mc::graph {

constexpr EventIndex no_event = ~EventIndex{0};

struct EventRef {
  std::uint32_t actor = 0;
  EventIndex event = no_event;
  auto operator<=>(const EventRef&) const = default;
};

// A receive posted by event `post` of the reading actor takes the message sent by `send`.
struct Match {
  EventIndex post = no_event;
  EventRef send;
  auto operator<=>(const Match&) const = default;
};

// The answer to an observation or a decision: one alternative.
struct Option {
  bool flag = true;      // answer to a poll: yes or no
  bool starved = false;  // the actor waits here forever, because its other receives took the messages
  boost::container::small_vector<std::uint32_t, 2> completed;  // indices into Observe::requests, ascending
  boost::container::small_vector<Match, 1> matches;            // decided here, ascending
  EventRef probed;                                             // the message that a Probe reports
  bool operator==(const Option&) const = default;
};

// One call of a collective by all its members, with the members that have arrived.
struct CollectiveInstance {
  ContextId context;
  std::uint32_t number = 0;  // numbers all instances of the graph
  std::uint32_t arrived = 0;
  std::vector<EventIndex> arrivals;         // by actor; no_event: not arrived
  mutable std::vector<std::uint32_t> past;  // union of the pasts of all arrivals; empty: not computed
};

enum class EventKind : std::uint8_t { send, post, arrive, decide, observe };

struct Event {
  Event() {}  // not `= default`, which would clear all members first

  EventKind kind = EventKind::send;
  bool issued_before = false;       // the event before is the first half of the same blocking operation
  bool settled = false;             // observe, decide: no event that is added later can give it another option
  bool forced = false;              // observe: a poll got the answer "no" because nothing else could happen
  std::uint16_t early_readers = 0;  // send, arrive: probes and observations with older stamps that read it
  std::uint32_t stamp = 0;
  const history::Node* node = nullptr;  // the Node with the Operation
  RequestId request;                    // send, post, arrive: the one started; decide: the receive
  EventRef partner;  // send: the post that takes it (no_event: a probe took it, no post yet); post: the send
  EventIndex decided_by = no_event;              // send, post: the receiver's event that matched or withdrew it
  EventIndex probed_by = no_event;               // send: the receiver's first probe that reported it
  Option option;                                 // observe, decide
  const CollectiveInstance* instance = nullptr;  // arrive
  history::Hash128 history;                      // hash of the actor's observations up to this event
};

class Graph {
 public:
  explicit Graph(std::uint32_t actors);

  struct Actor {
    const history::Node* node = nullptr;  // of its next operation
    bool issued = false;                  // the first half of its blocking operation is an event
    std::vector<Event> events;
    std::vector<std::uint32_t> clocks;    // actor_count() words per event
    std::vector<EventIndex> requests;     // by RequestId: the event that started the request
    std::vector<EventIndex> posts;        // its receives in posting order, except those of messages that a probe took
    SortedEvents open_posts;              // of these, the undecided ones
    std::vector<EventIndex> takes;        // its probes that took a message (matched probes)
    std::uint32_t probed = 0;             // number of messages that its probes reported
    std::uint32_t open_probed = 0;        // of these, the undecided ones
    std::vector<EventIndex> revisitable;  // its observations and decisions that are not settled
    std::vector<std::vector<EventIndex>> inbox;  // by source: the sends to this actor in sending order
    std::vector<SortedEvents> open_inbox;        // of these, the undecided ones
  };

  // Sums over all events of the graph.
  struct Tally {
    std::uint32_t sends = 0, synchronous_sends = 0, ready_sends = 0;
    std::uint32_t standard_sends = 0;        // standard and ready sends
    std::uint32_t matched = 0;               // receives that have a message
    std::uint32_t partial_arrivals = 0;      // at collectives in which not all members need all members
    std::uint32_t starved = 0;               // actors that wait forever
    std::uint32_t collective_questions = 0;  // unsettled observations that ask about collectives
    history::Hash128 unobserved;             // hash of the set of matches that no actor has observed
  };

  std::uint32_t actor_count() const { return static_cast<std::uint32_t>(actors_.size()); }
  const Actor& actor(std::uint32_t a) const { return actors_[a]; }
  const Event& event(EventRef e) const { return actors_[e.actor].events[e.event]; }
  std::span<const std::uint32_t> clock(EventRef e) const {
    return {actors_[e.actor].clocks.data() + std::size_t{e.event} * actors_.size(), actors_.size()};
  }
  // e is in the past of f, or is f.
  bool before(EventRef e, EventRef f) const { return clock(f)[e.actor] > e.event; }

  // Sets the actor's node. `issued`: the first half of its blocking operation is an event.
  void stand_at(std::uint32_t actor, const history::Node* node, bool issued = false) {
    actors_[actor].node = node;
    actors_[actor].issued = issued;
  }

  // Appends an event to its actor with the next stamp. Its past is that of the actor's event before. `decides`: the
  // request of a decision.
  void append(std::uint32_t actor, EventKind kind, RequestId decides = {}, bool settled = false);
  // The actor's last event is a poll that got the answer "no" because nothing else could happen.
  void mark_forced(std::uint32_t actor) { actors_[actor].events.back().forced = true; }
  // Adds an event, or all arrivals of an instance, to the past of the actor's last event.
  void join(std::uint32_t actor, EventRef past);
  void join(std::uint32_t actor, const CollectiveInstance& instance);

  const Tally& tally() const { return tally_; }
  std::uint32_t instance_count() const { return instance_count_; }

  // Registers the last event of the actor as a send, post or arrival.
  void register_send(std::uint32_t actor, const Send& send);
  void register_post(std::uint32_t actor);
  void register_arrival(std::uint32_t actor, const Collective& collective);
  // Sets the option of the actor's last event and makes the matches of the option.
  void set_option(std::uint32_t actor, Option option);

  // Matches the receive with the message apart from any observation or decision: for reductions in which a match is a
  // step of its own. The tally does not count such matches.
  void match(EventRef receive, EventRef send);
  void unmatch(EventRef receive, EventRef send);

  // Removes the actor's last event and returns the actor to its node before it. No other event may depend on it.
  void pop(std::uint32_t actor);

  std::uint32_t next_stamp() const { return next_stamp_; }
  void set_next_stamp(std::uint32_t stamp) { next_stamp_ = stamp; }

  // Removes the actor's last event and returns the state that put_back() needs.
  struct Removed {
    std::uint32_t actor;
    Event event;
    std::vector<std::uint32_t> clock;
    const history::Node* node_after;
    bool issued_after;
  };
  Removed remove_last(std::uint32_t actor);
  void put_back(Removed removed);

  // The receive that the observation withdrew, or no_event.
  EventIndex withdrawn_by(std::uint32_t actor, const Event& observation) const;

  const Send& send_of(EventRef e) const { return std::get<Send>(event(e).node->operation); }
  const Pattern& pattern_of(std::uint32_t a, EventIndex post) const {
    return std::get<Post>(actors_[a].events[post].node->operation).pattern;
  }

 private:
  struct Context {
    std::vector<std::uint32_t> counts;         // by actor: number of instances at which it has arrived
    std::deque<CollectiveInstance> instances;  // in order; an instance stays when all its arrivals have been removed
  };

  Event& mutable_event(EventRef e) { return actors_[e.actor].events[e.event]; }
  void reset_clock(std::uint32_t actor);
  void clear_option(std::uint32_t actor);
  void leave_instance(std::uint32_t actor);
  void settle_matches(std::uint32_t actor);
  void unsettle_matches(std::uint32_t actor);
  void settle_send(std::uint32_t actor, EventRef send, EventRef partner);
  void unsettle_send(std::uint32_t actor, EventRef send);
  void mark_probed(std::uint32_t actor, EventRef send);
  void unmark_probed(std::uint32_t actor, EventRef send);
  void count_send(const Send& send, std::uint32_t by);
  void count_unobserved(EventRef receive, EventRef send, bool added);
  bool asks_about_collective(std::uint32_t actor, const Event& observation) const;
  void count_early_readers(std::uint32_t actor, const Event& observation, bool added);
  void count_observed(std::uint32_t actor, const Event& observation, bool added);

  std::vector<Actor> actors_;
  std::map<ContextId, Context> contexts_;
  std::uint32_t instance_count_ = 0;
  std::uint32_t next_stamp_ = 0;
  Tally tally_;
};

inline bool accepts(const Pattern& pattern, std::uint32_t source, const Send& send) {
  return pattern.context == send.context && (!pattern.source || pattern.source->value == source) &&
         (!pattern.tag || *pattern.tag == send.tag);
}

}  // namespace rehearse::mc::graph
