// SPDX-License-Identifier: MIT
//
// The steps that are possible in a state of all actors under one policy, and the states after them. No step is left
// out: this is the operational semantics without any reduction.
//
// Doers:   each step has a doer, for weak fairness: an actor (publishes, starts, or gets an answer), a receive that
//          takes a message, a request that becomes noticeable, a message that becomes visible. The choice between
//          several messages for one receive is free.
// Polls:   a test may fail although the operation is complete elsewhere. So completion becomes noticeable in a step of
//          its own, after which tests succeed. Likewise a message becomes visible to probes. Without such a step, a
//          poll could be answered "no" forever although the doer that answers it can act all the time. These steps
//          exist only in programs that test or probe without blocking.
// Errors:  NotComparable, thrown: a feature without a rule here.
// Source:  docs/soundness.md, "Which executions are explored"; mc/reduction/moves.hpp has the same rules on graphs.
// Threads: none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mc/cycle/world.hpp"

namespace rehearse::mc::cycle {

// Thrown: states of programs with this feature cannot be compared.
struct NotComparable {
  std::string feature;
};

// Thrown: the program polls in a way that was not known, so the rules change and the search starts again.
struct NewPolls {};

struct Polls {
  bool tests = false, probes = false;
};

struct Step {
  enum class Kind : std::uint8_t {
    publish,  // others see the next published value
    start,    // the actor sends, posts or arrives
    answer,   // the actor gets the answer to its operation
    match,    // the receive takes a message
    notice,   // the completion of a request becomes noticeable
    see,      // a message becomes visible
  } kind = Kind::start;
  std::uint32_t actor = 0;
  RequestId request;                     // of a match and a notice
  std::uint32_t message = nobody;        // of a match, a see and the answer of a probe: index in the inbox
  bool flag = true;                      // of an answer
  std::vector<std::uint32_t> completed;  // of an answer: indices into Observe::requests

  bool operator==(const Step&) const = default;
};

class Rules {
 public:
  Rules(history::History& history, const Policy& policy, Polls polls)
      : history_(history), policy_(policy), polls_(polls) {}

  World first(std::uint32_t actors) const;
  std::vector<Step> steps(const World& world) const;
  void make(World& world, const Step& step) const;

  // Equal for the same doer. The number of an actor is its doer's.
  static std::uint64_t doer_of(const World& world, const Step& step);

  const Policy& policy() const { return policy_; }

 private:
  using Steps = std::vector<Step>;

  void require_support(const World& world, std::uint32_t actor) const;
  void list_actor(const World& world, std::uint32_t actor, Steps& steps) const;
  void list_observe(const World& world, std::uint32_t actor, const Observe& observe, Steps& steps) const;
  void list_probe(const World& world, std::uint32_t actor, const Probe& probe, Steps& steps) const;
  void list_matches(const World& world, std::uint32_t actor, Steps& steps) const;
  void list_notices(const World& world, std::uint32_t actor, Steps& steps) const;
  bool is_sent(const World& world, std::uint32_t actor, const Started& send) const;
  bool is_gathered(const World& world, std::uint32_t actor, const Started& collective) const;
  bool is_complete(const World& world, std::uint32_t actor, const Started& started) const;
  bool may_wait(const Send& send) const;
  void start(World& world, std::uint32_t actor) const;
  void arrive(World& world, std::uint32_t actor, const Collective& collective) const;
  void answer(World& world, const Step& step) const;
  void forget(World& world, std::uint32_t actor, RequestId request) const;
  void stand_at(World& world, std::uint32_t actor, const Node* node) const;

  history::History& history_;
  Policy policy_;
  Polls polls_;
};

}  // namespace rehearse::mc::cycle
