// SPDX-License-Identifier: MIT
//
// See mpi_ranks.hpp.
#include "tests/support/mpi_ranks.hpp"

#include <vector>

#include "simcore/fiber_program.hpp"
#include "smpi/abi/calls.hpp"

namespace rehearse::tests {

RoundRobinResult run_bare_ranks(int ranks, const std::function<void(int rank)>& body, RoundRobinOptions options) {
  std::vector<std::function<void()>> actors;
  for (int rank = 0; rank < ranks; ++rank) actors.push_back([&body, rank] { body(rank); });
  FiberProgram program(actors);
  return run_round_robin(program, options);
}

RoundRobinResult run_ranks(int ranks, const std::function<void(int rank)>& body, RoundRobinOptions options) {
  return run_bare_ranks(
      ranks,
      [&body](int rank) {
        smpi::calls::Init(nullptr, nullptr);
        body(rank);
        smpi::calls::Finalize();
      },
      options);
}

}  // namespace rehearse::tests
