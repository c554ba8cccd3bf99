// SPDX-License-Identifier: MIT
//
// The options of an observation: the matches of pending receives and messages that the non-overtaking rule permits.
//
// A match forces others. Earlier receives that accept its message must be matched before it, and so must earlier
// messages of the channel that its receive accepts. An Option is therefore a minimal set of matches that contains all
// matches forced by its members; the actor's matching engine can make them in some order.
//
// Source: the non-overtaking rule of message-passing standards; docs/soundness.md.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "mc/graph/graph.hpp"

namespace rehearse::mc::reduction {

using graph::EventIndex;
using graph::EventRef;
using graph::Graph;
using graph::Option;

// The part of a graph that a question refers to: the actor's events before `limit`, and a prefix of the events of every
// other actor.
struct View {
  std::uint32_t actor = 0;
  EventIndex limit = 0;
  std::span<const std::uint32_t> visible;  // by actor: number of its events in the view
};

// The requests or messages that an actor's observation waits for or polls.
struct Question {
  struct Target {
    bool complete = false;              // the request is complete, without a decision
    bool impossible = false;            // cannot complete in this view
    EventIndex post = graph::no_event;  // an undecided receive
  };
  std::uint32_t choices = 0;  // of a Choose: number of ways; the other members do not matter then
  bool probe = false;
  bool blocking = true;
  bool no_is_possible = false;  // of a poll: the answer "no" is permitted
  Quantifier quantifier = Quantifier::all;
  boost::container::small_vector<Target, 4> targets;  // one for each request
  Pattern pattern;                                    // of a probe
};

// A call that completes some of several requests: all subsets of the requests that may be complete are options, if
// there are at most this many such requests. Otherwise only single requests are, and left_out() reports it.
constexpr std::size_t max_subset_targets = 12;

class Options {
 public:
  // All options, each once, in an order that depends only on their content: "no" first.
  void enumerate(const Graph& graph, const View& view, const Question& question, std::vector<Option>& out);

  // Whether an enumeration so far was incomplete.
  bool left_out() const { return left_out_; }

  // Whether the actor can starve: other pending receives may take the messages that the question waits for, although it
  // has an option.
  bool can_starve(const Graph& graph, const View& view, const Question& question);

  // Whether the actor's matching engine can reach a state without another match in which the question has no answer.
  bool starves(const Graph& graph, const View& view, const Question& question);

  // Whether a probe with this pattern sees a message in this view that an earlier probe reported.
  bool sees_known(const Graph& graph, const View& view, const Pattern& pattern);

 private:
  struct Pair {
    EventIndex post;
    EventRef send;
  };
  struct Demands {
    std::vector<EventIndex> posts;  // receives that must be matched
    std::vector<EventRef> sends;    // messages that some receive must take
    EventRef spared;                // the message that no receive may take
  };

  void load(const Graph& graph, const View& view);
  static bool first_in_line(const Graph& graph, const View& view, EventIndex post, std::vector<Option>& out);
  bool simple(const Graph& graph, EventIndex post, std::vector<Option>& out);
  void assign(std::span<const std::uint32_t> chosen, std::size_t next, Demands& demands);
  std::optional<std::uint32_t> first_other(std::span<const std::uint32_t> chosen, std::uint32_t limit,
                                           EventRef send) const;
  void grow(std::span<const std::uint32_t> chosen, std::uint32_t more);
  void finish(std::span<const std::uint32_t> chosen, const Demands& demands);
  bool is_minimal(const Demands& demands) const;
  bool allowed(EventIndex post, EventRef send, std::span<const std::uint8_t> post_gone,
               std::span<const std::uint8_t> send_gone) const;
  void solve(Demands demands, const Option& as, std::vector<Option>& out);
  std::vector<std::uint32_t> possible_targets(const Question& question) const;
  void answer_requests(const Question& question, std::vector<Option>& out);
  void answer_probe(const Question& question, std::vector<Option>& out);
  bool visible_to_probe(const Pattern& pattern, EventRef send) const;
  bool rest_without(const std::vector<EventIndex>& targets, std::vector<std::uint8_t>& post_gone,
                    std::vector<std::uint8_t>& send_gone, const Question& question);
  std::size_t post_position(EventIndex post) const;
  std::size_t send_position(EventRef send) const;

  bool left_out_ = false;
  const Graph* graph_ = nullptr;
  std::uint32_t actor_ = 0;
  std::vector<EventIndex> posts_;                    // undecided, in posting order
  std::vector<EventRef> sends_;                      // unmatched, by source and then in sending order
  std::vector<Pair> pairs_;                          // the matches of the current attempt
  std::vector<std::uint8_t> taken_;                  // by position in sends_: a pair has the message
  std::set<std::vector<std::uint32_t>> known_;       // sets of receives (positions in posts_): tried, or to be tried
  std::vector<std::vector<std::uint32_t>> choices_;  // of these, to be tried
  std::vector<std::vector<Pair>> solutions_;         // minimal closed sets
};

}  // namespace rehearse::mc::reduction
