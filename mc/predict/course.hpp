// SPDX-License-Identifier: MIT
//
// The control flow of one execution: what each actor does, without the messages that its receives took.
//
// An actor's operations are divided by its waits. A *segment* is what it starts between two waits: messages, receives,
// arrivals at collectives. Segment 0 begins at once, segment s when the waits 0 to s-1 have been passed. Waits between
// which the actor starts nothing are one wait: nobody can notice between which of them it stands. For the same reason
// blocking receives with the same pattern, one after the other, are receives of one segment with one wait: they take
// messages in the order in which they are posted, so none takes one before the receives before it have theirs.
//
// Answers to calls with a choice (waits for some of several requests, polls) are part of the control flow: such a wait
// is passed when the requests are complete that completed in the execution. A poll that was answered "no" is no wait,
// because that answer is possible in every state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mc/graph/graph.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::mc::predict {

using Index = std::uint32_t;
constexpr Index none = ~Index{0};

struct Message {
  Index source = 0, destination = 0, segment = 0;
  RequestId request;
  ContextId context;
  Tag tag = 0;
  SendMode mode = SendMode::standard;
  std::uint64_t bytes = 0, signature = 0;
};

struct Receive {
  Index actor = 0, segment = 0;
  RequestId request;
  Pattern pattern;
  std::uint64_t capacity = 0;
  std::uint64_t site = 0;  // of the call, as Node::site
  Index took = none;       // the message of the execution
};

struct Arrival {
  Index actor = 0, segment = 0;
  graph::EventRef event;
};

// A request: an index into Course::messages, receives or arrivals.
struct Request {
  enum class Kind : std::uint8_t { message, receive, arrival };
  Kind kind = Kind::message;
  Index index = 0;
  bool operator==(const Request&) const = default;
};

struct Wait {
  // all: until each of `needs` is complete. some: until one of `among` is; `needs` were complete in the execution.
  // poll: it does not wait, but was answered "yes".
  enum class Kind : std::uint8_t { all, some, poll };
  Kind kind = Kind::all;
  std::vector<Request> needs, among;
};

// An answer of the execution to a call with a choice.
struct GivenAnswer {
  Index actor = 0, segment = 0;  // it was given when this segment had begun
  Index wait = none;             // the wait that it passed; none: the answer was "no"
  std::uint32_t operation = 0;   // number of the operation
  Answer answer;
};

struct Course {
  std::vector<std::vector<Wait>> waits;  // by actor
  std::vector<Message> messages;         // those of a source in the order in which it sent them
  std::vector<Receive> receives;         // those of an actor in the order in which it posted them
  std::vector<Arrival> arrivals;
  std::vector<GivenAnswer> answers;

  std::vector<std::string> unsupported;  // what prevents a prediction, as sentences
  std::vector<std::string> open;         // what keeps an answer "no error" from being complete, as sentences

  Index actor_count() const { return static_cast<Index>(waits.size()); }
};

// The control flow of an execution whose actors have all ended. `actor_noun`: the word for an actor in sentences.
Course course_of(const graph::Graph& graph, const std::string& actor_noun);

}  // namespace rehearse::mc::predict
