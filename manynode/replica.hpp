// SPDX-License-Identifier: MIT
//
// One replica: a skeleton with its draws, in simulated time on a platform.
//
// Speeds:  a drawn time is that of a core of `reference_flops`. A rank computes on its host at the host's speed, times
//          `speed`, and with `node_sd` times a factor exp(node_sd z) that is drawn once for each host and replica.
// Memory:  where a profile knows the part of a time that is bound by memory, all ranks of a host compute at once.
// Cores:   a rank has its core to itself, unless a host has more ranks than cores, or a speed that changes over time:
//          then computations share the cores of the host.
// Units:   seconds.
// Errors:  a skeleton that does not fit its number of ranks, or deadlocks, in one line with its place.
// Threads: none.
#pragma once

#include <cstdint>
#include <memory>

#include "manynode/skeleton_program.hpp"
#include "simcore/collective_times.hpp"
#include "simcore/engine.hpp"
#include "simcore/model_options.hpp"
#include "simcore/platform.hpp"

namespace rehearse::manynode {

inline constexpr double reference_flops = 10e9;

struct ReplicaSetting {
  std::shared_ptr<const Skeleton> skeleton;
  SkeletonRun run;
  const Platform* platform = nullptr;
  ModelOptions models;
  EngineOptions engine;  // placement, protocol and collectives
  double speed = 1;
  double node_sd = 0;
};

struct ReplicaTimes {
  Duration makespan;
  // Means over ranks; together they are the makespan.
  double compute_seconds = 0;
  double communication_seconds = 0;  // without the waiting
  double waiting_seconds = 0;        // for partners that had not begun, and for the last rank at the end
  std::uint64_t messages = 0;
  std::vector<std::uint64_t> draws;  // by cluster of the skeleton, and of it by marker
};

// Durations of collectives by running each of them alone, once, on the platform of the setting, where all ranks begin
// at the same date. Without a simulation where messages take no time.
class CollectivesAlone final : public CollectiveTimes {
 public:
  // The setting must outlive this.
  explicit CollectivesAlone(const ReplicaSetting& setting) : setting_(setting) {}
  Duration duration(const CollectiveShape& shape) override;
  const std::string& problem() const { return problem_; }  // empty: none

 private:
  using Key = std::tuple<CollectiveKind, std::uint64_t, std::uint64_t>;  // kind, bytes, elements
  const ReplicaSetting& setting_;
  std::map<Key, Duration> known_;
  std::string problem_;
};

// `collectives`: null: their messages decide.
Result<ReplicaTimes> run_replica(const ReplicaSetting& setting, CollectivesAlone* collectives);

}  // namespace rehearse::manynode
