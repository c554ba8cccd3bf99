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

// The form of a call of a collective (blocking, nonblocking or persistent), its name, and the place for the request's
// handle.
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

// A collective with checked arguments: everything that its start needs. A persistent collective starts many times. Its
// end gets the contributions of the peers.
struct Plan {
  Flow flow = Flow::all_to_all;
  int root = 0;                 // the caller's argument
  std::uint64_t signature = 0;  // must agree, as must name and root; 0: unknown
  // On an intercommunicator the signature is compared within a group. `gives` of each member of one group must equal
  // `takes` of the members of the other group.
  std::uint64_t gives = 0;
  std::uint64_t takes = 0;
  bool combining = false;      // a reduction: combined data does not grow on its way
  Blocks send;                 // the caller's data
  bool segmented = false;      // one block for each peer, instead of all for all
  CollectiveHints hints = {};  // by which costs choose an algorithm
  CollectiveEnd end;
  // The blocks into which the end of a blocking call puts the data of each sender (or of the only one). Empty if the
  // end puts the data elsewhere, or if the caller's own data is there.
  Blocks receive = {};
  Blocks into = {};                       // memory that the end writes and, if in_place, that the call reads
  bool in_place = false;                  // the sent data lies in `into`
  std::vector<std::uint64_t> types = {};  // of the caller's data, for comparison: element_types.hpp
};

// Starts the collective or, if it is persistent, creates its request. Blocking: applies its end and raises its error.
int run_plan(const CommunicatorRef& communicator, const Completing& completing, Plan plan);

// The same for collectives that do not move data of the program.
struct Contribution {
  Flow flow = Flow::all_to_all;
  std::uint32_t root = 0;       // see Collective
  std::uint64_t signature = 0;  // must agree, as must name and root; 0: unknown
  // On an intercommunicator: the data goes to the other group only. If false, the members of both groups act as one
  // group.
  bool between_groups = false;
  std::uint64_t gives = 0, takes = 0;                 // see Plan
  std::span<const std::byte> data;                    // the driver copies it
  std::span<const std::uint64_t> segments;            // see Collective
  bool combining = false;                             // a reduction: combined data does not grow on its way
  std::span<const std::span<std::byte>> places = {};  // see Collective
  CollectiveHints hints = {};                         // by which costs choose an algorithm
  std::span<const std::byte> remark = {};             // see Collective
};

// Starts the collective. Blocking: applies its end and raises its error. Nonblocking: creates the request.
int run_collective(const CommunicatorRef& communicator, const Completing& completing, const Contribution& contribution,
                   CollectiveEnd end);

// The checks at the start of every collective.
Arguments collective_arguments(MPI_Comm comm, const Completing& completing);

// Whether the caller is the root, by its own argument.
inline bool is_root(const Communicator& communicator, int root) {
  return communicator.is_inter() ? root == MPI_ROOT : communicator.rank() == root;
}

// An end for ranks that receive nothing.
Trouble nothing_to_do(Contributions);

// The error for a count that differs from the expected one.
Trouble count_trouble(int rank, std::uint64_t bytes, const Buffer& expected);

// Combines signatures that must all agree into one; 0 if one of them is 0 (unknown).
std::uint64_t combine_signatures(std::uint64_t a, std::uint64_t b);

}  // namespace rehearse::smpi
