// SPDX-License-Identifier: MIT
//
// See replica.hpp.
#include "manynode/replica.hpp"

#include <algorithm>
#include <cmath>

#include "manynode/law.hpp"
#include "manynode/random.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/portable_math.hpp"

namespace rehearse::manynode {
namespace {

constexpr std::uint32_t node_speed_marker = 3u << 30;  // no marker has this number

HostId host_of(const ReplicaSetting& setting, std::uint32_t rank) {
  const std::vector<HostId>& placement = setting.engine.placement;
  if (!placement.empty()) return placement[rank];
  return {rank % static_cast<std::uint32_t>(setting.platform->hosts().size())};
}

// By host.
std::vector<std::uint32_t> count_ranks(const ReplicaSetting& setting) {
  std::vector<std::uint32_t> ranks_on(setting.platform->hosts().size());
  for (std::uint32_t rank = 0; rank < setting.run.ranks; ++rank) ++ranks_on[host_of(setting, rank).value];
  return ranks_on;
}

// Whether ranks share cores, or cores change their speed.
bool needs_host_model(const Platform& platform, const std::vector<std::uint32_t>& ranks_on) {
  for (std::uint32_t i = 0; i < ranks_on.size(); ++i)
    if (ranks_on[i] > platform.host({i}).cores || (ranks_on[i] > 0 && platform.speed_profile({i}) != nullptr))
      return true;
  return false;
}

bool has_memory_shares(const Skeleton& skeleton) {
  return std::ranges::any_of(skeleton.markers, [](const Marker& marker) {
    return std::ranges::any_of(marker.of_cluster, [](const auto& draws) { return draws != nullptr && draws->memory; });
  });
}

// By rank; empty: all are 1.
std::vector<double> speeds_of(const ReplicaSetting& setting, bool has_host_model) {
  std::vector<double> speeds(setting.run.ranks, setting.speed);
  bool are_one = setting.speed == 1;
  for (std::uint32_t rank = 0; rank < setting.run.ranks; ++rank) {
    const HostId host = host_of(setting, rank);
    if (!has_host_model) speeds[rank] *= setting.platform->host(host).flops_per_second / reference_flops;
    if (setting.node_sd > 0) {
      const DrawAddress at{setting.run.seed, setting.run.replica, host.value, node_speed_marker, 0};
      speeds[rank] *= std::exp(setting.node_sd * portable_normal_quantile(uniform(at)));
    }
    are_one &= speeds[rank] == 1;
  }
  if (are_one) speeds.clear();
  return speeds;
}

// Messages take no time, neither on the network nor of their ranks.
bool is_free(const ReplicaSetting& setting) {
  return network_model_name(setting.models, *setting.platform) == "constant" && setting.models.delay_seconds == 0 &&
         setting.engine.combine_flops_per_byte == 0 && setting.engine.message_costs.are_none();
}

Error blocked_ranks(SkeletonProgram& program, const RunResult& result) {
  std::uint32_t blocked = 0;
  std::string first;
  for (std::uint32_t i = 0; i < result.outcome.actors.size(); ++i) {
    if (result.outcome.actors[i].state == ActorOutcome::State::ended) continue;
    if (blocked++ == 0) first = fmt::format("rank {} in {}", i, program.describe({i}).call);
  }
  return {fmt::format("deadlock: {} of {} ranks wait for messages that never come; the first one is {}", blocked,
                      result.outcome.actors.size(), first)};
}

}  // namespace

Result<ReplicaTimes> run_replica(const ReplicaSetting& setting, CollectivesAlone* collectives) {
  SkeletonRun run = setting.run;
  const std::vector<std::uint32_t> ranks_on = count_ranks(setting);
  const bool has_host_model = needs_host_model(*setting.platform, ranks_on);
  if (has_memory_shares(*setting.skeleton))
    for (std::uint32_t i = 0; i < run.ranks; ++i) run.ranks_of_node.push_back(ranks_on[host_of(setting, i).value]);
  if (has_host_model) run.as_volumes = reference_flops;
  run.speeds = speeds_of(setting, has_host_model);
  const std::uint32_t ranks = run.ranks;
  auto program = SkeletonProgram::make(setting.skeleton, std::move(run));
  if (!program) return program.error();
  auto costs = make_cost_model(setting.models, *setting.platform);
  if (!costs) return costs.error();
  EngineOptions options = setting.engine;
  options.collective_times = collectives;
  auto result = Engine(*program.value(), *setting.platform, std::move(costs.value()), options).run();
  if (!program.value()->problem().empty()) return Error{program.value()->problem()};
  if (collectives != nullptr && !collectives->problem().empty()) return Error{collectives->problem()};
  if (!result) return result.error();
  const RunResult& ended = result.value();
  if (std::ranges::any_of(ended.outcome.actors,
                          [](const ActorOutcome& actor) { return actor.state != ActorOutcome::State::ended; }))
    return blocked_ranks(*program.value(), ended);
  ReplicaTimes times;
  times.draws = program.value()->draws_by_cluster();
  times.makespan = ended.end - TimePoint{};
  double idle = 0;
  for (const ActorResult& actor : ended.actors) {
    times.waiting_seconds += actor.waiting_seconds;
    times.communication_seconds += actor.communication_seconds - actor.waiting_seconds;
    times.compute_seconds += actor.compute_seconds;
    idle += (ended.end - actor.stopped).seconds();
    times.messages += actor.messages;
  }
  if (!has_host_model) times.compute_seconds = program.value()->compute_seconds();
  times.waiting_seconds = (times.waiting_seconds + idle) / ranks;
  times.communication_seconds /= ranks;
  times.compute_seconds /= ranks;
  return times;
}

Duration CollectivesAlone::duration(const CollectiveShape& shape) {
  if (is_free(setting_)) return {};
  const auto [found, is_new] = known_.try_emplace({shape.kind, shape.bytes, shape.elements});
  if (!is_new) return found->second;
  const bool has_segments = shape.kind == CollectiveKind::alltoall ||
                            shape.kind == CollectiveKind::reduce_scatter_block;
  CollectiveStep step;
  step.kind = shape.kind;
  step.bytes = Expression(static_cast<double>(shape.bytes / (has_segments ? shape.members : 1)));
  step.elements = Expression(static_cast<double>(shape.elements));
  auto skeleton = std::make_shared<Skeleton>();
  skeleton->clusters.push_back({"0", {}, {}, {}});
  skeleton->body.push_back({step, std::string(name_of(shape.kind))});
  ReplicaSetting alone = setting_;
  alone.skeleton = skeleton;
  alone.run = {};
  alone.run.ranks = shape.members;
  alone.engine.timeline = nullptr;  // it is of the run that asks
  const Result<ReplicaTimes> times = run_replica(alone, nullptr);
  if (times) found->second = times.value().makespan;
  else if (problem_.empty()) problem_ = times.error().text;
  return found->second;
}

}  // namespace rehearse::manynode
