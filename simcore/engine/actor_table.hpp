// SPDX-License-Identifier: MIT
//
// The actors of a timed run: their states, the ready ones, the number of blocked and finished ones, and the counts in
// their results.
//
// Order:    actors run in the order in which they became ready.
// Progress: a number that grows with each change that another actor could notice.
// Errors:   place() reports a placement that does not fit by RunState::fail.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/engine.hpp"
#include "simcore/engine/state.hpp"

namespace rehearse::engine {

struct RunState;

class ActorTable {
 public:
  // Call it before anything else. False: the placement does not fit.
  bool place(RunState& run);

  std::uint32_t size() const { return static_cast<std::uint32_t>(states_.size()); }
  ActorState& operator[](ActorId id) { return states_[id.value]; }
  const ActorState& operator[](ActorId id) const { return states_[id.value]; }
  ActorResult& result(ActorId id) { return results_[id.value]; }
  std::vector<ActorResult>& results() { return results_; }
  // An actor that has not begun gets another host.
  void move(ActorId id, HostId host) { states_[id.value].host = results_[id.value].host = host; }

  // ---- ready actors
  void make_ready(ActorId id) {
    ActorState& actor = states_[id.value];
    if (actor.is_ready) return;
    actor.is_ready = true;
    if (is_blocking(actor.wait)) --blocked_;
    ready_.push_back(id);
  }
  bool has_ready() {
    if (first_ready_ < ready_.size()) return true;
    ready_.clear();
    first_ready_ = 0;
    return false;
  }
  // Requires: has_ready().
  ActorId take_ready() { return ready_[first_ready_++]; }

  // Always returns false: the value of begin() for an actor that has to wait.
  bool wait(ActorState& actor, Wait kind) {
    actor.wait = kind;
    if (is_blocking(kind)) ++blocked_;
    return false;
  }
  // The actor has ended or failed. Always returns false, as wait() does.
  bool finish(ActorId id, TimePoint now);
  bool is_nobody_left(std::uint32_t hanging) const { return hanging + blocked_ + finished_ == states_.size(); }

  // ---- progress
  void note_progress() { ++progress_; }
  std::uint64_t progress() const { return progress_; }
  void note_interaction(ActorState& actor) {
    actor.polls = {};
    note_progress();
  }
  // Counts the time of the actor's operation, which is answered now.
  void account(ActorId id, ActorState& actor, TimePoint now) {
    if (actor.began != now) add_time(id, actor, now);
  }

 private:
  static bool is_blocking(Wait kind) {
    return kind == Wait::request || kind == Wait::observe || kind == Wait::probe || kind == Wait::gathering ||
           kind == Wait::settle || kind == Wait::await;
  }
  void add_time(ActorId id, const ActorState& actor, TimePoint now);
  static void add_communication(ActorResult& result, const ActorState& actor, double elapsed);

  std::vector<ActorState> states_;
  std::vector<ActorResult> results_;
  std::vector<ActorId> ready_;  // from first_ready_ on
  std::size_t first_ready_ = 0;
  std::uint32_t blocked_ = 0;
  std::uint32_t finished_ = 0;
  std::uint64_t progress_ = 0;
};

}  // namespace rehearse::engine
