// SPDX-License-Identifier: MIT
//
// A skeleton as a flat list of instructions, for one number of ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manynode/skeleton.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::manynode {

enum class Action : std::uint8_t {
  compute,
  message,
  exchange,  // its send; the next instruction is its receive
  wait,
  collective,
  neighbours,
  loop,       // enters the loop, or jumps behind it
  next_turn,  // of the loop around it
  branch,     // to `target` if the condition is false
  jump,
  end
};

struct Instruction {
  Action action = Action::end;
  bool is_common = false;
  bool is_send = false;
  bool is_blocking = false;
  bool is_periodic = false;
  bool has_peer = true, has_bytes = true, has_tag = true;  // of a receive
  SendMode mode = SendMode::standard;
  WaitStep::What waits = WaitStep::What::all;
  CollectiveKind kind = CollectiveKind::barrier;
  std::uint32_t marker = 0;
  std::uint32_t depth = 0;   // of the loop
  std::uint32_t target = 0;  // instruction
  std::int64_t turns = -1;   // of a loop, if they are the same for all ranks; otherwise -1
  std::uint32_t communicator = world;
  Expression first;  // scale, peer, root, count, condition, which
  Expression bytes;
  Expression second;                 // tag, elements
  std::vector<std::uint32_t> sizes;  // of neighbourhoods
  std::string place;
};

// The Flow of data, whether contributions are combined, and whether each member gets a part of its own.
struct CollectiveForm {
  Flow flow;
  bool is_combining;
  bool has_segments;
};
CollectiveForm form_of(CollectiveKind kind);

// The rank of a neighbour: 0 the next one in the first dimension, 1 the previous one, 2 the next one in the second...
// Nothing: the grid ends there, or the dimension has one rank only.
std::optional<std::uint32_t> neighbour_of(std::uint32_t rank, const Instruction& step, std::uint32_t direction);

// The groups into which a communicator splits the ranks.
struct RankGroups {
  std::vector<std::vector<ActorId>> members;  // by group
  std::vector<std::uint32_t> group_of;        // by rank
  std::vector<std::uint32_t> number_of;       // by rank: in its group
};

class SkeletonCode {
 public:
  static Result<std::unique_ptr<SkeletonCode>> make(const Skeleton& skeleton, std::uint32_t ranks);

  const std::vector<Instruction>& instructions() const { return instructions_; }
  std::uint32_t loop_depth() const { return loop_depth_; }
  bool has_messages() const { return has_messages_; }
  const std::vector<RankGroups>& groups() const { return groups_; }             // by communicator
  const std::vector<std::uint16_t>& cluster_of() const { return cluster_of_; }  // by rank

 private:
  Result<void> add(const Body& body, std::uint32_t depth);
  Result<void> add(const Step& step, std::uint32_t depth);
  Result<void> add_neighbours(const NeighbourStep& step, const std::string& place);
  void add_message(const MessageStep& step, Action action, const std::string& place);
  void split(const Communicator& communicator);
  Result<void> place_ranks(const Skeleton& skeleton);
  Instruction& append(Action action, const std::string& place);
  std::uint32_t size() const { return static_cast<std::uint32_t>(instructions_.size()); }

  std::uint32_t ranks_ = 1;
  std::vector<Instruction> instructions_;
  std::uint32_t loop_depth_ = 0;
  bool has_messages_ = false;
  std::vector<RankGroups> groups_;
  std::vector<std::uint16_t> cluster_of_;
};

}  // namespace rehearse::manynode
