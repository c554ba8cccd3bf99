// SPDX-License-Identifier: MIT
//
// Runs C++ functions as MPI ranks under the round-robin driver, to test the MPI implementation without loading a
// program.
//
// Use: RoundRobinResult result = run_ranks(3, [](int rank) { ...calls::Send(...)...; }); Functions run between
//      calls::Init and calls::Finalize. Their Catch2 checks run on the fiber.
#pragma once

#include <functional>

#include "tests/support/round_robin.hpp"

namespace rehearse::tests {

// Every rank runs `body`.
RoundRobinResult run_ranks(int ranks, const std::function<void(int rank)>& body, RoundRobinOptions options = {});

// The same without MPI_Init and MPI_Finalize.
RoundRobinResult run_bare_ranks(int ranks, const std::function<void(int rank)>& body, RoundRobinOptions options = {});

}  // namespace rehearse::tests
