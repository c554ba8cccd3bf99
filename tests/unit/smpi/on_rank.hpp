// SPDX-License-Identifier: MIT
//
// Runs a piece of an MPI program on one rank, between MPI_Init and MPI_Finalize.
#pragma once

#include <functional>
#include <string>

#include "simcore/fiber_program.hpp"
#include "smpi/abi/calls.hpp"
#include "tests/support/round_robin.hpp"

namespace rehearse::tests {

// Errors are returned.
inline RoundRobinResult on_rank(const std::function<void()>& body) {
  FiberProgram program({[&] {
    smpi::calls::Init(nullptr, nullptr);
    smpi::calls::Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    smpi::calls::Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    body();
    smpi::calls::Finalize();
  }});
  return run_round_robin(program);
}

// Errors end the rank; the finding's id and text.
inline std::string failure_on_rank(const std::function<void()>& body) {
  FiberProgram program({[&] {
    smpi::calls::Init(nullptr, nullptr);
    body();
    smpi::calls::Finalize();
  }});
  const ActorOutcome outcome = run_round_robin(program).actors[0];
  return outcome.state == ActorOutcome::State::failed ? outcome.id + ": " + outcome.what : "";
}

}  // namespace rehearse::tests
