// SPDX-License-Identifier: MIT
//
// Agreements among the living members of a communicator: MPIX_Comm_agree and MPIX_Comm_shrink.
//
// Method:  each member sends its part to all others at once, and takes one message from each: its part, or the word
//          that it has failed. A rank never fails between two of these messages. So all members take part in the same
//          agreements from the view of everyone, and compute the same result.
// Errors:  members that call different functions are reported (collective.operation), which ends the caller.
#pragma once

#include <cstdint>
#include <vector>

#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {

struct FaultAgreement {
  enum class Kind : std::uint32_t { agree, shrink };

  int flag = ~0;                      // bitwise and of all parts
  std::uint64_t number = 0;           // of earlier agreements in this communicator
  std::vector<ActorId> participants;  // in rank order; the others have failed
  bool has_news = false;              // a member has failed that not all participants acknowledged
};

// `communicator` is no intercommunicator. It may be revoked.
FaultAgreement agree(const Communicator& communicator, FaultAgreement::Kind kind, int flag);

// The context of the communicator that the shrink of this number makes.
std::uint64_t shrunk_context(const Communicator& communicator, std::uint64_t number);

}  // namespace rehearse::smpi
