// SPDX-License-Identifier: MIT
//
// What a rank knows about failed processes and revoked communicators, and its own failure.
//
// Knowledge: a rank learns of a failure or revocation only while it waits or asks, so all ranks may learn at different
//            times, in each order. What a rank knows, it never forgets.
// Protocol:  a call that communicates begins with point(), where the rank may fail. known() then tells whether it must
//            not start. Waits go through wait(), which ends when the request is complete, or cannot become complete.
// Source:    see smpi/failure_plan.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mpi.h"
#include "simcore/ids.hpp"
#include "simcore/observation.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/failure_plan.hpp"

namespace rehearse::smpi {

struct Request;
struct Transfer;

// Whose failure ends a wait in a communicator.
struct Watch {
  enum class Who : std::uint8_t {
    peer,      // of this process
    anybody,   // of a member that is not acknowledged: a receive from any source
    everybody  // of a member: a collective
  };
  const Communicator& communicator;
  Who who = Who::everybody;
  ActorId peer = {};
};

// Why a call cannot complete: an error class and a text. MPI_SUCCESS: it can.
struct Interruption {
  int error = MPI_SUCCESS;
  std::string text;
  explicit operator bool() const { return error != MPI_SUCCESS; }
};

// What a wait for `request` watches. `transfer`: as smpi/request/request.hpp; `request`: started.
Watch watch_of(const Communicator& communicator, const Transfer& transfer);
Watch watch_of(const Request& request);

class Failures {
 public:
  explicit Failures(const FailurePlan& plan) : plan_(plan) {}

  // Once, in MPI_Init: learns which ranks can fail.
  void begin();
  // The rank may fail here; then this does not return.
  void point();
  // The same at the last call: a rank that was chosen to fail fails here at the latest.
  void last_point();
  [[noreturn]] void die(std::string_view why);

  // What the rank knows already.
  Interruption known(const Watch& watch) const;

  struct Waited {
    const Observation* answer = nullptr;  // of an Observe: the request is its only completion; null: interrupted
    Interruption why;
  };
  // Waits for a started request. An interrupted one still exists.
  Waited wait(RequestId request, const Watch& watch);

  // The requests by which the rank hears of the events that end such a wait. They are valid until one is taken.
  struct Notice {
    RequestId request;
    std::optional<ActorId> dead;  // none: the communicator is revoked
    const Communicator* revoked = nullptr;
  };
  std::vector<Notice> notices(const Watch& watch);
  // The request of this notice is complete: the rank knows it from now on.
  void take(const Notice& notice);
  // Whether the event ends a wait of this kind.
  bool concerns(const Notice& notice, const Watch& watch) const;
  // Hears of events in the communicator that may already be known to others, without waiting.
  void look(const Communicator& communicator);

  // The known failed members, in the order in which the rank learned of them.
  std::vector<ActorId> dead_in(const Communicator& communicator) const;
  bool knows_dead(ActorId actor) const;
  void learn_dead(ActorId actor);
  // The first ones of dead_in() that the program acknowledged.
  std::vector<ActorId> acknowledged_in(const Communicator& communicator) const;
  void acknowledge(const Communicator& communicator, std::size_t count);

  bool is_revoked(const Communicator& communicator) const { return revoked_.contains(communicator.context()); }
  void revoke(const Communicator& communicator);

  bool can_die(ActorId actor) const;
  bool are_chosen() const { return plan_.chosen > 0; }
  // A communicator that the rank is about to make: if it fails before, its other members must hear of that there.
  void expect(std::uint64_t context, const std::vector<ActorId>& members) { expected_ = {context, members}; }

 private:
  void choose_mortals();
  RequestId post(ContextId context, std::optional<ActorId> source, Tag tag);
  RequestId death_request(ActorId actor);
  RequestId revocation_request(const Communicator& communicator);
  void tell_agreements(std::uint64_t context, const std::vector<ActorId>& members) const;

  const FailurePlan& plan_;
  std::vector<ActorId> mortals_;  // ascending
  std::uint64_t points_ = 0;
  bool is_chosen_ = false;  // this rank fails at a call that the driver chooses
  std::vector<ActorId> dead_;
  std::map<std::uint64_t, std::size_t> acknowledged_;  // by communicator: number of its dead members
  std::set<std::uint64_t> revoked_;                    // communicators
  std::map<ActorId, RequestId> death_requests_;
  std::map<std::uint64_t, RequestId> revocation_requests_;
  std::pair<std::uint64_t, std::vector<ActorId>> expected_;
};

// Of the calling rank; null if no process of its program can fail.
Failures* failures();

// Sends a message between the libraries of ranks. It takes no time.
void send_notice(ContextId context, ActorId to, Tag tag, std::span<const std::byte> data = {});

// The context of the agreements in a communicator.
ContextId agreement_context(std::uint64_t communicator);

// The rank may fail here, if processes can fail.
inline void failure_point() {
  if (Failures* known = failures()) known->point();
}

}  // namespace rehearse::smpi
