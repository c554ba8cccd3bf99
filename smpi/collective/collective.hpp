// SPDX-License-Identifier: MIT
//
// One collective call of one rank, blocking or not: its contribution, and the use of the others' contributions.
//
// Source: MPI 5.0, chapter 6. Blocking and nonblocking collectives do not match each other, so
//         their names differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "mpi.h"
#include "simcore/operation.hpp"
#include "smpi/arguments.hpp"
#include "smpi/collective/blocks.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

// The three ways to call a collective: under which name, where the handle of the request goes.
struct Completing {
  enum class Form : std::uint8_t { blocking, nonblocking, persistent };

  const char* name;  // MPI_Bcast, MPI_Ibcast or MPI_Bcast_init
  Form form = Form::blocking;
  MPI_Request* request = nullptr;  // unless blocking
  MPI_Info info = MPI_INFO_NULL;   // if persistent

  bool blocking() const { return form == Form::blocking; }
};

inline Completing nonblocking(const char* name, MPI_Request* request) {
  return {name, Completing::Form::nonblocking, request};
}
inline Completing persistent(const char* name, MPI_Info info, MPI_Request* request) {
  return {name, Completing::Form::persistent, request, info};
}

// A collective as checked: all that starting it needs, once or, if it is persistent, many times. The
// contributions that its end is given are those of the peers.
struct Plan {
  Flow flow = Flow::all_to_all;
  int root = 0;                 // as the caller names it
  std::uint64_t signature = 0;  // what must agree besides name and root; 0: unknown
  // On an intercommunicator the signature is compared within a group; of what a member gives each of the other group
  // and takes from each of them, one must be what the other is there.
  std::uint64_t gives = 0;
  std::uint64_t takes = 0;
  bool combining = false;      // a reduction: what travels does not grow
  Blocks send;                 // what the caller gives
  bool segmented = false;      // one block for each peer, instead of all for all
  CollectiveHints hints = {};  // by which costs choose an algorithm
  CollectiveEnd end;
  // Where the end of a blocking call puts what each gives it, or the only one that does, unless it puts it elsewhere or
  // the caller's own data is there.
  Blocks receive = {};
  Blocks into = {};                       // all that the end writes; in place: and the call reads
  bool in_place = false;                  // what is sent lies in it
  std::vector<std::uint64_t> types = {};  // of what the caller gives, for those who compare: element_types.hpp
};

// Asks for the collective, or makes the request that will. Blocking: applies its end and raises the
// trouble that it had.
int run_plan(const CommunicatorRef& communicator, const Completing& completing, Plan plan);

// The same for collectives that are not on data of the program.
struct Contribution {
  Flow flow = Flow::all_to_all;
  std::uint32_t root = 0;       // see Collective
  std::uint64_t signature = 0;  // what must agree besides name and root; 0: unknown
  // On an intercommunicator: it goes to the other group only. Otherwise all members of both are one group.
  bool between_groups = false;
  std::uint64_t gives = 0, takes = 0;                 // see Plan
  std::span<const std::byte> data;                    // the driver copies it
  std::span<const std::uint64_t> segments;            // see Collective
  bool combining = false;                             // a reduction: what travels does not grow
  std::span<const std::span<std::byte>> places = {};  // see Collective
  CollectiveHints hints = {};                         // by which costs choose an algorithm
  std::span<const std::byte> remark = {};             // see Collective
};

// Asks for the collective. Blocking: applies its end and raises the trouble that it had; otherwise
// makes the request.
int run_collective(const CommunicatorRef& communicator, const Completing& completing, const Contribution& contribution,
                   CollectiveEnd end);

// The checks that every collective begins with.
Arguments collective_arguments(MPI_Comm comm, const Completing& completing);

// Whether the caller is the root, as it names it.
inline bool is_root(const Communicator& communicator, int root) {
  return communicator.is_inter() ? root == MPI_ROOT : communicator.rank() == root;
}

// An end for ranks that receive nothing.
Trouble nothing_to_do(Contributions);

// A count that a rank expected from another and did not get.
Trouble count_trouble(int rank, std::uint64_t bytes, const Buffer& expected);

// One number for several that must all agree; 0 if one of them is 0 (unknown).
std::uint64_t combine_signatures(std::uint64_t a, std::uint64_t b);

}  // namespace rehearse::smpi
