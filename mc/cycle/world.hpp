// SPDX-License-Identifier: MIT
//
// A state of all actors as a value: where each actor stands, what it has started and not seen complete, the messages on
// their way to it, and the collectives that some member has not completed. Unlike an execution graph it has no past, so
// a state can come again.
//
// Requests: numbers of completed requests are used again; a number names one started request of its actor at a time.
// Equality: hash() covers all that the future depends on. Messages count by content and place, not by the history of
//           their sender.
// Threads:  none.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "mc/history/history.hpp"
#include "simcore/policy.hpp"

namespace rehearse::mc::cycle {

using history::Node;

inline constexpr std::uint32_t nobody = ~std::uint32_t{0};

// A message that no receive has taken.
struct Message {
  std::uint32_t source = 0;
  const Node* sent = nullptr;      // its Send
  std::uint32_t request = nobody;  // of the sender, until the sender has seen it complete
  bool is_visible = false;         // probes must report it; see Rules
};

// A started operation whose completion its actor has not seen.
struct Started {
  enum class Kind : std::uint8_t { send, receive, collective } kind = Kind::send;
  RequestId request;
  const Node* node = nullptr;     // its operation
  bool is_matched = false;        // a send: its message was taken; a receive: it has `message`
  bool is_noticeable = false;     // tests must find it complete; see Rules
  std::uint32_t source = nobody;  // of `message`
  const Node* message = nullptr;
};

struct Actor {
  const Node* node = nullptr;   // of its next operation
  bool is_issued = false;       // this operation blocks and was started
  std::uint32_t published = 0;  // number of values published before this operation that others can see
  boost::container::small_vector<Started, 2> started;  // in the order of their starts
  std::vector<Message> inbox;                          // by source, of each in the order of sending
};

// A collective of some members. The n-th call of each member in a context is one instance.
struct Instance {
  ContextId context;
  std::vector<const Node*> arrivals;  // by index of the member; null: not arrived
  std::vector<bool> done;             // by index of the member: it has seen it complete
};

struct World {
  std::vector<Actor> actors;
  std::vector<Instance> instances;  // of each context in their order

  history::Hash128 hash() const;

  const Started* find(std::uint32_t actor, RequestId request) const;
  Started* find(std::uint32_t actor, RequestId request);
  // The instance of a started collective.
  std::size_t instance_of(std::uint32_t actor, RequestId request) const;
};

// The values that an actor publishes before its operation: those that are no predicates.
std::vector<const Published*> published_before(const Node& node);

}  // namespace rehearse::mc::cycle
