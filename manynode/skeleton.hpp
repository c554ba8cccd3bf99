// SPDX-License-Identifier: MIT
//
// A skeleton: the communication of a program as a function of its number of ranks, with the computation between as
// draws from distributions.
//
// Shape:  clusters say which ranks behave alike; the first one that holds a rank has it. A marker names a computation;
//         it has draws for each cluster that executes it. The body is executed by every rank.
// Bytes:  of a message, or as in the call of a collective: what each member brings (broadcast, reduce, all-reduce,
//         gather, all-gather, scans), or the part for each member (scatter, all-to-all, reduce-scatter).
// Source: the method of S. Eyerman, W. Heirman, K. Du Bois, I. Hur, Accurate and scalable many-node simulation,
//         arXiv 2401.09877.
// Threads: none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "manynode/draws.hpp"
#include "manynode/expression.hpp"
#include "manynode/profile.hpp"
#include "simcore/operation.hpp"

namespace rehearse::manynode {

struct Cluster {
  std::string id;
  std::optional<Expression> rule;         // true for its ranks; nothing: all, unless it lists them
  std::vector<std::uint32_t> ranks;       // ascending
  std::optional<ClusterRule> named = {};  // of a profile, instead of the rule
};

struct Marker {
  std::string id;
  std::vector<std::shared_ptr<const Draws>> of_cluster;  // null: the cluster does not execute it
};

struct Step;
using Body = std::vector<Step>;

struct ComputeStep {
  std::uint32_t marker = 0;
  Expression scale = Expression(1);
  bool is_common = false;  // all ranks share the draw of an occurrence
};

// Where a communicator splits the ranks: those with the same colour, by key and then by rank, as MPI_Comm_split.
struct Communicator {
  std::string id;
  Expression colour, key;
};

constexpr std::uint32_t world = ~0u;  // a number of a communicator

struct MessageStep {
  bool is_send = true;
  bool is_blocking = true;
  SendMode mode = SendMode::standard;
  std::optional<Expression> peer;   // in the world; nothing: a receive from any
  std::optional<Expression> bytes;  // nothing: a receive of any size
  std::optional<Expression> tag;    // nothing: a receive of any
  std::uint32_t communicator = world;
};

// A send and a receive at once, and the wait for both.
struct ExchangeStep {
  MessageStep send, receive;
};

struct WaitStep {
  enum class What : std::uint8_t { all, any, one } what = What::all;
  Expression which;  // of one: its place among the open requests, the oldest first
};

struct CollectiveStep {
  CollectiveKind kind = CollectiveKind::barrier;
  bool is_blocking = true;
  Expression bytes;     // with m: of member m
  Expression root;      // in the communicator
  Expression elements;  // 0: unknown
  std::uint32_t communicator = world;
};

// Each rank sends to and receives from its neighbours, and waits.
struct NeighbourStep {
  std::vector<std::uint32_t> sizes;  // by dimension; empty: `dimensions` balanced factors of the number of ranks
  std::uint32_t dimensions = 1;
  bool is_periodic = true;
  std::string text;
  Expression bytes;
};

struct LoopStep {
  Expression count;
  Body body;
};

struct BranchStep {
  Expression condition;
  Body body;
  Body otherwise;
};

struct Step {
  std::variant<ComputeStep, MessageStep, ExchangeStep, WaitStep, CollectiveStep, NeighbourStep, LoopStep, BranchStep>
      what;
  std::string place;  // body[2].body[0]
};

struct Skeleton {
  std::string name;
  std::vector<Cluster> clusters;
  std::vector<Marker> markers;
  std::vector<Communicator> communicators;
  Body body;
};

// ring, torus:AxBxC, torus:2d, grid:AxB, grid:3d. The error lists what is accepted.
Result<NeighbourStep> parse_neighbours(std::string_view text);

// The collective of this name, in small letters as in MPI's: allreduce, bcast, reduce_scatter_block...
std::optional<CollectiveKind> find_collective(std::string_view name);
std::string_view name_of(CollectiveKind kind);
std::string collective_names();

// As many factors of `ranks` as dimensions, as equal as possible, the largest first.
std::vector<std::uint32_t> balanced_factors(std::uint32_t ranks, std::uint32_t dimensions);

}  // namespace rehearse::manynode
