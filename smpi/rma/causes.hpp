// SPDX-License-Identifier: MIT
//
// The order of causes in one execution: follows messages, collectives, locks of windows, and atomic operations that see
// each other. Where an event does not tell whether it ordered two ranks (a test of several requests), it counts as
// having ordered them.
//
// Source: MPI 5.0, 12.7; the rules are those of docs/design/one-sided.md.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "simcore/timeline.hpp"
#include "smpi/rma/access.hpp"
#include "smpi/rma/causal_clock.hpp"

namespace rehearse::smpi {

class Causes {
 public:
  explicit Causes(std::uint32_t ranks);

  // The rank is in an operation, or about to begin one.
  CausalClock& now(ActorId rank) { return clocks_[rank.value]; }
  const CausalClock& now(ActorId rank) const { return clocks_[rank.value]; }

  // To call in this order at the end of an operation, once all that the rank did before is known.
  void end_operation(ActorId rank, const Operation& operation);

  void deliver(const rehearse::Delivery& delivery);
  // The name of an access that the rank starts with this operation. Call before end_operation().
  AccessName name_access(ActorId rank, const RemoteAccess& access);
  void take_effect(ActorId rank, RequestId access);
  // All accesses of the rank on this way so far are over at the target.
  void finish_way(const AccessWay& way);

  // Whether all ranks know it.
  bool is_known_to_all(const AccessName& access) const;
  bool is_step_known_to_all(ActorId rank, std::uint64_t step) const;
  // There are so many atomic operations that their order is not followed any more.
  bool has_given_up() const { return has_given_up_; }

 private:
  using Name = std::pair<std::uint32_t, std::uint32_t>;  // rank and request

  struct Instance {
    std::vector<CausalClockRef> arrived;  // by member
    std::size_t ended = 0;
  };
  struct StartedCollective {
    std::shared_ptr<Instance> instance;
    Flow flow = Flow::all_to_all;
    std::uint32_t root = 0, first = 0, self = 0;
    std::vector<ActorId> members;
  };
  struct LockState {
    CausalClock after_exclusive, after_shared;  // releases so far
    std::set<std::uint32_t> exclusive_holders;
  };
  using Lock = std::pair<std::uint64_t, std::uint32_t>;  // context, target
  struct StartedAccess {
    AccessKind kind = AccessKind::operation;
    Lock lock;
    CausalClockRef clock;
    AccessName name;
    std::vector<const std::byte*> elements;  // of an atomic
    bool updates = false, replaces = false, returns = false;
    CausalClock seen;  // by an atomic with an answer, at its effect
    bool has_effect = false;
  };
  struct Element {
    CausalClock updates;  // the starts of the updates since the last replacement, and their effects
  };

  CausalClockRef snapshot(ActorId rank) const { return std::make_shared<const CausalClock>(now(rank)); }
  void end(ActorId rank, const Send& send);
  void end(ActorId rank, const Post& post);
  void end(ActorId rank, const Observe& observe);
  void end(ActorId rank, const Probe& probe);
  void end(ActorId rank, const Collective& collective);
  void end(ActorId rank, const RemoteAccess& access);
  template <class Other>
  void end(ActorId, const Other&) {}
  void conclude(ActorId rank, RequestId request, bool is_certain);
  void conclude_access(ActorId rank, const Name& name);
  void join_members(ActorId rank, const StartedCollective& collective);
  void take_lock(ActorId rank, const Lock& lock, bool exclusive);
  void touch_elements(StartedAccess& access);
  void forget_known_effects(CausalClock& clock);

  std::vector<CausalClock> clocks_;
  std::map<Name, CausalClockRef> sent_;     // of messages that have not been delivered
  std::set<Name> delivered_early_;          // before the end of their send
  std::map<Name, CausalClockRef> arrived_;  // by receive
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint64_t> calls_;  // by context and rank
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<Instance>> instances_;
  std::map<Name, StartedCollective> collectives_;
  std::map<Name, StartedAccess> accesses_;
  std::set<Name> early_effects_;
  std::map<AccessWay, std::uint64_t> started_;
  std::map<Lock, LockState> locks_;
  std::map<const std::byte*, Element> elements_;
  std::map<Name, ActorId> synchronous_;  // started synchronous sends: their destinations
  bool has_given_up_ = false;
};

}  // namespace rehearse::smpi
