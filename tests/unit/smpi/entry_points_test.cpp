// SPDX-License-Identifier: MIT
//
// The C entry points: every function of the ABI can be found, and what is not implemented says so.
#include <algorithm>
#include <catch2/catch.hpp>

#include "mpi.h"
#include "simcore/fiber_program.hpp"
#include "smpi/abi.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/abi/unsupported.hpp"
#include "tests/support/round_robin.hpp"

using namespace rehearse;
using namespace rehearse::smpi;

TEST_CASE("entry points: every function is found under both of its names, and nothing else", "[smpi]") {
  CHECK(functions().size() == 664 + 42);
  CHECK(std::ranges::is_sorted(functions(), {}, &FunctionInfo::name));
  for (const FunctionInfo& function : functions()) {
    const std::string name(function.name);
    CHECK(find_mpi_symbol(name) != nullptr);
    CHECK(find_mpi_symbol("P" + name) == find_mpi_symbol(name));
  }
  CHECK(find_mpi_symbol("MPI_Send") == reinterpret_cast<void*>(&MPI_Send));
  CHECK(find_mpi_symbol("MPI_Sen") == nullptr);
  CHECK(find_mpi_symbol("PPMPI_Send") == nullptr);
  CHECK(find_mpi_symbol("") == nullptr);
}

TEST_CASE("entry points: every function is implemented", "[smpi]") {
  for (const FunctionInfo& function : functions()) {
    CAPTURE(function.name);
    CHECK(function.implemented);
  }
}

// What the generator writes for a function without an implementation.
TEST_CASE("entry points: a function that is not implemented ends its rank by name", "[smpi]") {
  const std::uint16_t index = 7;
  FiberProgram program({[&] { unsupported_function(index); }});
  const tests::RoundRobinResult result = tests::run_round_robin(program);
  CHECK(result.actors[0].state == ActorOutcome::State::failed);
  CHECK(result.actors[0].failure == FailureKind::unsupported);
  CHECK(result.actors[0].id == "unsupported.function");
  CHECK(result.actors[0].what == functions()[index].name);
}

TEST_CASE("call scope: the innermost call is the one that is printed, and it closes with the call", "[smpi]") {
  std::vector<std::string> seen;
  FiberProgram program({[&] {
    const auto index = [](const char* name) {
      return static_cast<std::uint16_t>(std::ranges::find(functions(), name, &FunctionInfo::name) -
                                        functions().begin());
    };
    seen.push_back(print_current_call());
    const std::uint64_t outer_words[] = {argument_word(MPI_COMM_WORLD)};
    const CallScope outer(index("MPI_Barrier"), outer_words, CallPlace{&seen});
    {
      const std::uint64_t inner_words[] = {argument_word(MPI_COMM_SELF), argument_word(3)};
      const CallScope inner(index("MPI_Abort"), inner_words, CallPlace{});
      seen.push_back(print_current_call());
    }
    seen.push_back(print_current_call());
    CHECK(current_call_site() == &seen);
  }});
  CHECK(tests::run_round_robin(program).all_ended());
  CHECK(seen == std::vector<std::string>{"", "MPI_Abort(MPI_COMM_SELF, 3)", "MPI_Barrier(MPI_COMM_WORLD)"});
}
