// SPDX-License-Identifier: MIT
//
// The phase of MPI in the calling rank (before MPI_Init, running, finalized), and the numbers of its requests.
#pragma once

#include <bitset>
#include <cstdint>

#include "mpi.h"
#include "simcore/ids.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/births.hpp"

namespace rehearse::smpi {

class Failures;

enum class Phase : std::uint8_t { before_init, running, finalized };

// Reports that a user's operator communicates.
void report_communication_of_operator();

struct Library {
  Phase phase = Phase::before_init;
  int thread_level = MPI_THREAD_SINGLE;

  // The number of the next Send, Post or Collective of this rank (see RequestId).
  RequestId start_request() {
    if (running_operators > 0) [[unlikely]]
      report_communication_of_operator();
    return {next_request++};
  }

  // Each of these numbers grows without end, so that no state of the rank would come again. If `repeats_states` is set,
  // numbers of completed requests are used again (repeated_states.hpp), handles of requests, too, and
  // `heard` stands still. Only for programs without windows and files of several ranks.
  bool repeats_states = false;

  std::uint32_t next_request = birth_message().empty() ? 0 : 1;  // the receive of the birth message was the first
  int running_operators = 0;            // functions of the program that are combining elements now
  std::uint64_t heard = 0;              // number of times that the rank got news from others
  Failures* failures = nullptr;         // null: no process of the program can fail, or MPI has not started
  std::bitset<256> live_requests = {};  // with `repeats_states`: those that are started and not complete
  int open_sessions = 0;                // MPI may be used while there is one, whatever the phase
};

inline Library& library() { return per_rank<Library>(); }

// Ends the rank: `lifecycle.not_initialized` or `lifecycle.finalized`.
[[noreturn]] void refuse_call(Phase phase);

// Whether MPI calls may be made now. If not, ends the rank.
inline void require_running() {
  const Library& mpi = library();
  if (mpi.phase != Phase::running && mpi.open_sessions == 0) refuse_call(mpi.phase);
}

}  // namespace rehearse::smpi
