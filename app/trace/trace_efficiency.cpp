// SPDX-License-Identifier: MIT
//
// See trace_efficiency.hpp.
#include "app/trace_efficiency.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include "app/trace_caveats.hpp"
#include "app/wording.hpp"

namespace rehearse::app {
namespace {

std::optional<double> quotient(double above, double below) {
  if (!(below > 0)) return std::nullopt;
  return above / below;
}

std::optional<double> product(std::optional<double> one, std::optional<double> other) {
  if (!one || !other) return std::nullopt;
  return *one * *other;
}

// Counts the volumes of each rank, and its computation by function and by date.
class VolumeCounter final : public ReplayListener, public Timeline {
 public:
  explicit VolumeCounter(bool keeps_dates) : keeps_dates_(keeps_dates) {}

  Timeline& listen(trace::ReplayedProgram& program, const Machine&) override {
    program_ = &program;
    flops_.assign(program.ranks(), 0);
    has_computed_.assign(program.actor_count(), false);
    processors_.assign(program.ranks(), 0);
    for (const trace::ActionPlace& place : program.places()) has_functions_ |= !place.function.empty();
    return *this;
  }
  void on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) override {
    const auto* compute = std::get_if<Compute>(&operation);
    if (compute == nullptr) return;
    const std::uint32_t rank = program_->rank_of(actor);
    flops_[rank] += compute->flops;
    if (!has_computed_[actor.value]) ++processors_[rank];
    has_computed_[actor.value] = true;
    if (keeps_dates_) bursts_.push_back({rank, begin, end});
    if (!has_functions_) return;
    std::vector<double>& of_region = regions_[function_of(actor)];
    of_region.resize(flops_.size());
    of_region[rank] += (end - begin).seconds();
  }
  void on_computation(ActorId, TimePoint, TimePoint) override {}

  double flops(std::size_t rank) const { return flops_[rank]; }
  // That compute, at least one.
  double processors(std::size_t rank) const { return std::max(1u, processors_[rank]); }

  std::vector<PartWork> regions(double seconds) const {
    std::vector<PartWork> parts;
    for (const auto& [function, of_rank] : regions_) parts.push_back(part_of(of_rank, 0, seconds, function));
    std::ranges::stable_sort(parts, [](const PartWork& one, const PartWork& other) { return one.mean > other.mean; });
    return parts;
  }

  std::vector<PartWork> windows(std::uint32_t count, double seconds) const {
    const double length = seconds / count;
    std::vector<std::vector<double>> work(count, std::vector<double>(flops_.size()));
    for (const Burst& burst : bursts_) {
      const double begin = burst.begin.seconds(), end = burst.end.seconds();
      for (auto i = static_cast<std::uint32_t>(begin / length); i < count && i * length < end; ++i)
        work[i][burst.rank] += std::max(0.0, std::min(end, (i + 1) * length) - std::max(begin, i * length)) /
                               processors(burst.rank);
    }
    std::vector<PartWork> parts;
    for (std::uint32_t i = 0; i < count; ++i) parts.push_back(part_of(work[i], i * length, length, ""));
    return parts;
  }

 private:
  struct Burst {
    std::uint32_t rank = 0;
    TimePoint begin, end;
  };

  const std::string& function_of(ActorId actor) {
    const trace::ActionPlace place = program_->place(actor);
    if (place.site >= functions_.size()) functions_.resize(place.site + 1);
    std::string& function = functions_[place.site];
    if (function.empty()) function = place.function;
    return function;
  }

  static PartWork part_of(const std::vector<double>& of_rank, double begin, double seconds, std::string function) {
    PartWork part{std::move(function), begin, seconds, 0, 0, {}, {}, {}};
    for (const double work : of_rank) {
      part.mean += work / static_cast<double>(of_rank.size());
      part.most = std::max(part.most, work);
    }
    part.load_balance = quotient(part.mean, part.most);
    part.communication = quotient(part.most, seconds);
    part.parallel = quotient(part.mean, seconds);
    return part;
  }

  bool keeps_dates_;
  trace::ReplayedProgram* program_ = nullptr;
  bool has_functions_ = false;
  std::vector<bool> has_computed_;                      // by actor
  std::vector<double> flops_;                           // by rank
  std::vector<std::uint32_t> processors_;               // the same: actors that compute
  std::vector<std::string> functions_;                  // by place
  std::map<std::string, std::vector<double>> regions_;  // seconds of each rank
  std::vector<Burst> bursts_;
};

bool has_ended(const TimedRun& run) {
  return run.unsupported.empty() && std::ranges::all_of(run.result.outcome.actors, [](const ActorOutcome& actor) {
           return actor.state == ActorOutcome::State::ended;
         });
}

MeasuredWork work_of(const TimedRun& run, const VolumeCounter& volumes) {
  MeasuredWork work;
  work.seconds = run.result.end.seconds();
  for (std::size_t rank = 0; rank < run.result.actors.size(); ++rank)
    work.ranks.push_back({run.result.actors[rank].compute_seconds / volumes.processors(rank), volumes.flops(rank)});
  return work;
}

struct MeasuredReplay {
  TraceReplay replay;
  MeasuredWork work;
  std::vector<PartWork> regions, windows;
};

Result<MeasuredReplay> measure(const TraceReplayRequest& request, std::uint32_t windows = 0) {
  VolumeCounter volumes(windows > 0);
  auto replay = replay_any(request, &volumes);
  if (!replay) return replay.error();
  MeasuredWork work = work_of(replay.value().run, volumes);
  const double seconds = work.seconds;
  return MeasuredReplay{std::move(replay.value()), std::move(work), volumes.regions(seconds),
                        windows > 0 && seconds > 0 ? volumes.windows(windows, seconds) : std::vector<PartWork>{}};
}

// The end of a replay that must end, as the one on the machine did.
Result<double> end_of(TraceReplayRequest request) {
  request.recorded = Recorded::nothing;
  const auto replay = replay_any(request);
  if (!replay) return replay.error();
  if (!has_ended(replay.value().run))
    return Error{request.verb +
                 ": the trace ends on the machine, but not on a machine of the what-ifs; try --wildcards "
                 "recorded"};
  return replay.value().run.result.end.seconds();
}

// The simulated time of the other rule for wildcards, if the recorded messages were taken.
Result<void> add_free_wildcards(TraceReplayRequest request, TraceEfficiency& efficiency) {
  if (efficiency.replay.frozen.wildcards == 0) return {};
  request.recorded = Recorded::nothing;
  request.wildcards = trace::Wildcards::free;
  const auto replay = replay_trace(request);
  if (!replay) return replay.error();
  const TimedRun& run = replay.value().run;
  efficiency.caveats.push_back(has_ended(run) ? "with --wildcards free the replay takes " + in_seconds(run.result.end)
                                              : std::string("with --wildcards free the replay does not end"));
  return {};
}

void remove_overheads(TraceReplayRequest& request) {
  request.combine_flops_per_byte = 0;
  request.machine.changes.has_overheads = false;
}

// Every rank computes as long as the mean.
void balance(TraceReplayRequest& request, const MeasuredWork& work) {
  auto& factors = request.alterations.rank_factors;
  factors.resize(work.ranks.size(), 1);
  const double mean = work.mean_seconds();
  for (std::size_t rank = 0; rank < work.ranks.size(); ++rank)
    if (work.ranks[rank].compute_seconds > 0) factors[rank] *= mean / work.ranks[rank].compute_seconds;
}

using Step = void (*)(TraceReplayRequest& request);
struct NamedStep {
  const char* name;
  Step take;
};
constexpr NamedStep network_steps[] = {
    {"no latency", [](TraceReplayRequest& request) { request.machine.changes.latency_factor = 0; }},
    {"infinite bandwidth",
     [](TraceReplayRequest& request) {
       request.machine.changes.bandwidth_factor = std::numeric_limits<double>::infinity();
     }},
    {"no contention", [](TraceReplayRequest& request) { request.machine.changes.has_contention = false; }},
    {"no overheads", remove_overheads},
};

Result<void> climb(const TraceReplayRequest& request, TraceEfficiency& efficiency) {
  std::vector<LadderStep>& ladder = efficiency.ladder;
  ladder.push_back({"as recorded", efficiency.work.seconds});
  for (const NamedStep& step : network_steps) {
    TraceReplayRequest changed = request;
    step.take(changed);
    const auto end = end_of(std::move(changed));
    if (!end) return end.error();
    ladder.push_back({step.name, end.value()});
  }
  ladder.push_back({"ideal network: all of these", efficiency.ideal_seconds});
  TraceReplayRequest balanced = request;
  balance(balanced, efficiency.work);
  const auto alone = end_of(balanced);
  if (!alone) return alone.error();
  ladder.push_back({"equal computation on all ranks", alone.value()});
  const auto together = end_of(on_ideal_network(std::move(balanced)));
  if (!together) return together.error();
  ladder.push_back({"ideal network and equal computation", together.value()});
  return {};
}

Result<ScalingMetrics> compare_with_smaller(const EfficiencyRequest& request, const TraceEfficiency& efficiency) {
  TraceReplayRequest smaller = request.replay;
  smaller.file = request.reference;
  smaller.recorded = Recorded::nothing;
  const auto measured = measure(smaller);
  if (!measured) return measured.error();
  if (!has_ended(measured.value().replay.run))
    return Error{request.replay.verb + ": --reference " + request.reference + ": the replay does not end"};
  ScalingMetrics scaling =
      scaling_of(efficiency.work, measured.value().work, request.scaling, efficiency.metrics.parallel);
  scaling.trace = request.reference;
  return scaling;
}

}  // namespace

double MeasuredWork::mean_seconds() const {
  return ranks.empty() ? 0 : sum_seconds() / static_cast<double>(ranks.size());
}

double MeasuredWork::most_seconds() const {
  double most = 0;
  for (const RankWork& rank : ranks) most = std::max(most, rank.compute_seconds);
  return most;
}

double MeasuredWork::sum_seconds() const {
  double sum = 0;
  for (const RankWork& rank : ranks) sum += rank.compute_seconds;
  return sum;
}

double MeasuredWork::sum_flops() const {
  double sum = 0;
  for (const RankWork& rank : ranks) sum += rank.flops;
  return sum;
}

EfficiencyMetrics efficiency_of(const MeasuredWork& work, double ideal_seconds) {
  EfficiencyMetrics metrics;
  const double mean = work.mean_seconds(), most = work.most_seconds();
  metrics.load_balance = quotient(mean, most);
  metrics.serialisation = quotient(most, ideal_seconds);
  metrics.transfer = quotient(ideal_seconds, work.seconds);
  metrics.communication = quotient(most, work.seconds);
  metrics.parallel = quotient(mean, work.seconds);
  return metrics;
}

ScalingMetrics scaling_of(const MeasuredWork& work, const MeasuredWork& smaller, Scaling scaling,
                          std::optional<double> parallel) {
  ScalingMetrics metrics;
  metrics.ranks = static_cast<std::uint32_t>(smaller.ranks.size());
  metrics.seconds = smaller.seconds;
  const double growth = scaling == Scaling::strong
                            ? 1.0
                            : static_cast<double>(work.ranks.size()) / static_cast<double>(smaller.ranks.size());
  metrics.computation = quotient(growth * smaller.sum_seconds(), work.sum_seconds());
  metrics.volume = quotient(growth * smaller.sum_flops(), work.sum_flops());
  const auto rate = quotient(work.sum_flops(), work.sum_seconds());
  const auto smaller_rate = quotient(smaller.sum_flops(), smaller.sum_seconds());
  if (rate && smaller_rate) metrics.rate = quotient(*rate, *smaller_rate);
  metrics.global = product(parallel, metrics.computation);
  return metrics;
}

TraceReplayRequest on_ideal_network(TraceReplayRequest request) {
  request.machine.models.values["network"] = "constant";
  request.machine.models.values["delay"] = "0";
  request.machine.models.without_packet_keys = true;
  request.machine.models.without_slow_hosts = true;
  request.machine.changes = {};
  remove_overheads(request);
  return request;
}

bool TraceEfficiency::is_complete() const { return has_ended(replay.run); }

Result<TraceEfficiency> measure_efficiency(const EfficiencyRequest& request) {
  auto measured = measure(request.replay, request.windows);
  if (!measured) return measured.error();
  TraceEfficiency efficiency;
  efficiency.replay = std::move(measured.value().replay);
  efficiency.work = std::move(measured.value().work);
  efficiency.regions = std::move(measured.value().regions);
  efficiency.windows = std::move(measured.value().windows);
  if (!efficiency.is_complete()) return efficiency;
  const auto ideal = end_of(on_ideal_network(request.replay));
  if (!ideal) return ideal.error();
  efficiency.ideal_seconds = ideal.value();
  efficiency.metrics = efficiency_of(efficiency.work, efficiency.ideal_seconds);
  if (!request.reference.empty()) {
    auto scaling = compare_with_smaller(request, efficiency);
    if (!scaling) return scaling.error();
    efficiency.scaling = std::move(scaling.value());
  }
  if (request.has_ladder)
    if (const auto climbed = climb(request.replay, efficiency); !climbed) return climbed.error();
  efficiency.caveats = caveats_of(request.replay, efficiency.replay);
  if (const auto added = add_free_wildcards(request.replay, efficiency); !added) return added.error();
  return efficiency;
}

}  // namespace rehearse::app
