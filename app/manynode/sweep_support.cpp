// SPDX-License-Identifier: MIT
//
// See sweep_support.hpp.
#include "app/manynode/sweep_support.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/support/format.hpp"
#include "simcore/timeline.hpp"

namespace rehearse::app {
namespace {

using manynode::BinnedDistribution;
using manynode::TailUse;

constexpr std::uint64_t draws_most = 100;  // times the samples
constexpr std::uint32_t timeline_ranks = 8;
constexpr std::size_t timeline_spans = 400;  // of a rank

// The median of the slowest of `count` draws.
double slowest_of(const BinnedDistribution& distribution, std::uint32_t count, TailUse use) {
  return distribution.quantile(std::pow(0.5, 1.0 / count), use);
}

ConfidenceInterval band_of(const manynode::ModeProfile& mode, std::uint32_t count, double otherwise) {
  std::vector<double> all;
  const double u = std::pow(0.5, 1.0 / count);
  for (const manynode::ParetoTail& tail : mode.resampled)
    all.push_back(u > 1 - tail.share ? tail.quantile(u) : otherwise);
  if (all.empty()) return {otherwise, otherwise};
  std::ranges::sort(all);
  const auto at = [&](double part) {
    return all[static_cast<std::size_t>(part * static_cast<double>(all.size() - 1))];
  };
  return {at(0.025), at(0.975)};
}

std::uint32_t ranks_of_cluster(const manynode::Profile& profile, std::uint32_t cluster, std::uint32_t ranks) {
  std::uint32_t count = 0;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) count += cluster_of(profile.clusters, rank, ranks) == cluster;
  return count;
}

// The spans of the first ranks.
class SpanTimeline final : public Timeline {
 public:
  explicit SpanTimeline(SweepTimeline& timeline) : timeline_(timeline) {}

  void on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) override {
    const bool computes = std::holds_alternative<Sleep>(operation) || std::holds_alternative<Compute>(operation);
    add(actor, computes ? SweepTimeline::Activity::computation : SweepTimeline::Activity::waiting, begin, end);
  }
  void on_computation(ActorId actor, TimePoint begin, TimePoint end) override {
    add(actor, SweepTimeline::Activity::computation, begin, end);
  }

 private:
  void add(ActorId actor, SweepTimeline::Activity activity, TimePoint begin, TimePoint end) {
    if (actor.value >= timeline_.spans.size() || begin == end) return;
    std::vector<SweepTimeline::Span>& spans = timeline_.spans[actor.value];
    const double from = (begin - TimePoint{}).seconds(), to = (end - TimePoint{}).seconds();
    if (!spans.empty() && spans.back().activity == activity && spans.back().end == from) spans.back().end = to;
    else if (spans.size() < timeline_spans) spans.push_back({activity, from, to});
  }

  SweepTimeline& timeline_;
};

}  // namespace

std::vector<DrawSupport> support_of(const SweepPoint& point, const manynode::Skeleton& skeleton,
                                    const manynode::Profile& profile) {
  std::vector<DrawSupport> all;
  for (std::size_t cluster = 0; cluster < skeleton.clusters.size(); ++cluster)
    for (std::size_t i = 0; i < skeleton.markers.size(); ++i) {
      const std::uint64_t draws = point.draws[cluster * skeleton.markers.size() + i];
      const auto known = std::ranges::find_if(profile.markers, [&](const manynode::MarkerProfile& each) {
        return each.id == skeleton.markers[i].id && std::to_string(each.cluster) == skeleton.clusters[cluster].id;
      });
      if (draws == 0 || known == profile.markers.end() || known->law) continue;
      const std::uint32_t of_ranks = ranks_of_cluster(profile, known->cluster, point.ranks);
      for (std::uint32_t mode = 0; of_ranks > 0 && mode < known->modes.size(); ++mode) {
        const manynode::ModeProfile& law = known->modes[mode];
        DrawSupport support{point.ranks, known->id, known->cluster, mode, of_ranks, law.distribution.samples()};
        support.draws = static_cast<std::uint64_t>(std::llround(static_cast<double>(draws) * law.weight));
        support.slowest = slowest_of(law.distribution, of_ranks, TailUse::fitted);
        support.slowest_measured = slowest_of(law.distribution, of_ranks, TailUse::measured);
        support.band = band_of(law, of_ranks, support.slowest);
        all.push_back(std::move(support));
      }
    }
  return all;
}

std::vector<std::string> warnings_of(const std::vector<DrawSupport>& support) {
  std::vector<std::string> warnings;
  std::vector<const DrawSupport*> worst;  // of each mode, that of the most draws
  for (const DrawSupport& each : support) {
    if (each.samples == 0 || each.draws <= draws_most * each.samples) continue;
    const auto same = std::ranges::find_if(worst, [&](const DrawSupport* other) {
      return other->marker == each.marker && other->cluster == each.cluster && other->mode == each.mode;
    });
    if (same == worst.end()) worst.push_back(&each);
    else if ((*same)->draws < each.draws) *same = &each;
  }
  for (const DrawSupport* each : worst)
    warnings.push_back(fmt::format(
        "marker '{}' of cluster {}: {} draws of {} ranks from {} samples, more than {} times as many; the slowest rank "
        "takes {:.3g} s by the fitted tail, {:.3g} to {:.3g} s with its error, and {:.3g} s by the samples alone",
        each->marker, each->cluster, each->draws, each->ranks, each->samples, draws_most, each->slowest, each->band.low,
        each->band.high, each->slowest_measured));
  return warnings;
}

Result<SweepTimeline> timeline_of(SweepPlace& place) {
  manynode::ReplicaSetting& setting = place.setting;
  SweepTimeline timeline;
  timeline.variability = setting.run.variability;
  timeline.ranks = setting.run.ranks;
  timeline.spans.resize(std::min(timeline_ranks, setting.run.ranks));
  SpanTimeline spans(timeline);
  manynode::CollectivesAlone alone(setting);
  manynode::ReplicaSetting shown = setting;
  shown.engine.timeline = &spans;
  const auto times = run_replica(shown, place.has_collectives_alone ? &alone : nullptr);
  if (!times) return times.error();
  return timeline;
}

Result<std::vector<std::uint32_t>> clusters_of(const SweepPlace& place) {
  const auto program = manynode::SkeletonProgram::make(place.setting.skeleton, place.setting.run);
  if (!program) return program.error();
  return program.value()->clusters();
}

}  // namespace rehearse::app
