// SPDX-License-Identifier: MIT
//
// A skeleton as a Program: a rank is a small state machine without a stack.
//
// Time:    a computation is a Sleep of the drawn time, divided by the speed of the rank, because a rank has its core to
//          itself. With `as_volumes` it is a Compute instead, so that ranks share the cores of their host.
// Draws:   their address has a hash of the marker's name, so they do not depend on other markers.
// Memory:  about 60 bytes a rank, and those of its open messages. Ranks that wait in the same collective share the
//          Operation.
// Errors:  a peer, size or count that is not possible fails the rank as unsupported; problem() has the text, with the
//          place in the skeleton. A collective that blocks has request number 0, as it starts no request.
// Protocol: save() returns null. Messages carry no data: a span has no address, but a size.
// Threads: none.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "manynode/recorded_times.hpp"
#include "manynode/skeleton.hpp"
#include "simcore/program.hpp"

namespace rehearse::manynode {

struct SkeletonRun {
  std::uint32_t ranks = 1;
  std::uint64_t seed = 1;
  std::uint32_t replica = 0;
  Variability variability = Variability::full;
  const RecordedTimes* recorded = nullptr;   // of Variability::trace, which needs them
  double noise = 1;                          // factor on the distance of a draw from its mean
  std::vector<double> speeds;                // by rank; empty: 1
  std::vector<std::uint32_t> ranks_of_node;  // by rank: those of its host; empty: as in the profile
  double as_volumes = 0;                     // flops per second of the recorded machine; 0: times
};

class SkeletonCode;
struct Instruction;

class SkeletonProgram final : public Program {
 public:
  // The skeleton, bound to the number of ranks. Errors: a marker or cluster that does not fit, with its place.
  static Result<std::unique_ptr<SkeletonProgram>> make(std::shared_ptr<const Skeleton> skeleton, SkeletonRun run);
  ~SkeletonProgram() override;

  // Empty: none.
  const std::string& problem() const { return problem_; }
  // Over all ranks.
  double compute_seconds() const { return static_cast<double>(computed_picoseconds_) * 1e-12; }
  std::uint64_t draws() const { return draws_; }
  std::vector<std::uint32_t> clusters() const;  // their numbers, by rank
  // By cluster, and of it by marker.
  std::vector<std::uint64_t> draws_by_cluster() const;

  std::uint32_t actor_count() const override { return run_.ranks; }
  const Operation& next(ActorId actor) override;
  void resume(ActorId actor, const Observation& observation) override;
  void restart(ActorId actor) override;
  std::unique_ptr<Snapshot> save(ActorId actor) override;
  void restore(ActorId actor, const Snapshot& snapshot) override;
  std::uint64_t site(ActorId actor) override;
  std::string_view actor_noun() const override { return "rank"; }
  CallDescription describe(ActorId actor) override;

 private:
  static constexpr std::uint32_t shared = ~0u;  // its operation is not its own

  struct Rank {
    const Operation* operation = nullptr;  // null: not started
    std::uint32_t own = shared;            // number of its own operation
    std::uint32_t at = 0;                  // instruction, the next one once it has an operation
    std::uint32_t place = 0;               // instruction of its operation
    std::uint32_t part = 0;                // of an exchange with neighbours
    std::uint32_t requests = 0;            // started
    std::uint32_t observed = 0;            // first of the open requests that it observes
    std::uint32_t observed_count = 0;      // 0: it observes none
    std::uint16_t cluster = 0;
    bool observes_any = false;
  };

  SkeletonProgram(std::shared_ptr<const Skeleton> skeleton, SkeletonRun run, std::unique_ptr<SkeletonCode> code);
  void advance(std::uint32_t number, Rank& rank);
  bool compute(std::uint32_t number, Rank& rank);
  bool message(std::uint32_t number, Rank& rank);
  bool exchange(std::uint32_t number, Rank& rank);
  bool ask_message(std::uint32_t number, Rank& rank, const Instruction& step, bool is_blocking);
  bool wait(std::uint32_t number, Rank& rank);
  bool wait_for_all(std::uint32_t number, Rank& rank);
  void observe(std::uint32_t number, Rank& rank, std::size_t first, std::size_t count, Quantifier quantifier);
  void end_observation(std::uint32_t number, Rank& rank, const Observation& observation);
  struct CollectiveSizes {
    std::uint64_t contribution = 0;
    std::uint64_t elements = 0;
    std::uint32_t root = 0;
    std::vector<std::uint64_t> segments;
    std::uint32_t repeat = 0;  // number of equal segments, of which there is only the first
  };
  std::optional<CollectiveSizes> sizes_of(std::uint32_t number, Rank& rank, const Instruction& step);
  Collective make_collective(std::uint32_t number, const Instruction& step, const CollectiveSizes& sizes);
  bool collective(std::uint32_t number, Rank& rank);
  bool neighbours(std::uint32_t number, Rank& rank);
  void loop(std::uint32_t number, Rank& rank);
  void next_turn(std::uint32_t number, Rank& rank);
  double drawn_seconds(std::uint32_t number, const Rank& rank);
  void find_factors();
  std::optional<std::int64_t> turns_of(std::uint32_t number, Rank& rank, const Instruction& loop);

  Operation& own(Rank& rank);
  void give_back(Rank& rank);
  RequestId start(std::uint32_t number, Rank& rank);
  Expression::Variables variables(std::uint32_t number) const;
  double value_of(std::uint32_t number, const Expression& expression, std::uint32_t member = 0) const;
  bool fail(Rank& rank, const std::string& what);
  // An integer value within the bounds; nothing: the rank has failed.
  std::optional<std::int64_t> integer(std::uint32_t number, Rank& rank, const Expression& expression, const char* what,
                                      std::int64_t least, std::int64_t most, std::uint32_t member = 0);

  std::shared_ptr<const Skeleton> skeleton_;
  SkeletonRun run_;
  std::unique_ptr<SkeletonCode> code_;
  std::vector<Rank> ranks_;
  std::vector<std::uint32_t> turns_;           // by rank and loop depth
  std::vector<DrawState> draw_states_;         // by rank and marker
  std::vector<std::uint32_t> marker_numbers_;  // of draws
  std::vector<double> factors_;                // on times, by cluster and marker
  std::vector<std::vector<RequestId>> open_;   // by rank; empty: the skeleton has no messages
  std::vector<ActorId> everyone_;
  std::deque<Operation> own_;
  std::vector<std::uint32_t> unused_;
  struct SharedCollective {
    std::vector<std::uint64_t> segments;
    Operation operation = End{};
  };
  // By place, bytes, root and group; those that are never the same: by rank, too.
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>, SharedCollective>
      shared_;
  std::vector<const Operation*> fixed_;  // by instruction, of collectives that are always the same; null: unknown
  std::int64_t computed_picoseconds_ = 0;
  std::uint64_t draws_ = 0;
  std::string problem_;
};

}  // namespace rehearse::manynode
