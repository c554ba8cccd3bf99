// SPDX-License-Identifier: MIT
//
// See trace_rates.hpp.
#include "app/trace_rates.hpp"

#include <map>
#include <utility>
#include <variant>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

// Sums the volumes of a replay by function.
class RegionCounter final : public ReplayListener, public Timeline {
 public:
  Timeline& listen(trace::ReplayedProgram& program, const Machine&) override {
    program_ = &program;
    return *this;
  }
  void on_operation(ActorId actor, const Operation& operation, TimePoint, TimePoint) override {
    const auto* compute = std::get_if<Compute>(&operation);
    if (compute == nullptr) return;
    const trace::ActionPlace place = program_->place(actor);
    if (place.site >= sums_of_sites_.size()) sums_of_sites_.resize(place.site + 1);
    double*& sum = sums_of_sites_[place.site];
    if (sum == nullptr) sum = &sums_[std::string(place.function)];
    *sum += compute->flops;
  }
  void on_computation(ActorId, TimePoint, TimePoint) override {}

  std::vector<RegionVolume> sums() const {
    std::vector<RegionVolume> all;
    for (const auto& [function, flops] : sums_) all.push_back({function, flops});
    return all;
  }

 private:
  trace::ReplayedProgram* program_ = nullptr;
  std::map<std::string, double> sums_;  // by function
  std::vector<double*> sums_of_sites_;
};

struct RegionVolumes {
  RecordedVolume volume;
  std::size_t ranks = 0;
  std::vector<RegionVolume> regions;
};

Result<RegionVolumes> read_volumes(const TraceReplayRequest& request) {
  RegionCounter counter;
  const auto replay = replay_trace(request, &counter);
  if (!replay) return replay.error();
  const TimedRun& run = replay.value().run;
  if (!run.unsupported.empty()) return Error{request.file + ": " + run.unsupported.front(), true};
  return RegionVolumes{volume_in(replay.value().format, replay.value().about), run.result.actors.size(),
                       counter.sums()};
}

}  // namespace

Result<std::vector<RegionRate>> measure_rates(const TraceReplayRequest& volumes, const std::string& times) {
  const auto counted = read_volumes(volumes);
  if (!counted) return counted.error();
  TraceReplayRequest other = volumes;
  other.file = times;
  const auto timed = read_volumes(other);
  if (!timed) return timed.error();
  using Kind = RecordedVolume::Kind;
  if (counted.value().volume.kind == Kind::seconds)
    return Error{fmt::format("{}: --rates: the volumes of {} are processor time; accepted: a recording of instructions "
                             "or flops",
                             volumes.verb, volumes.file)};
  if (timed.value().volume.kind != Kind::seconds)
    return Error{fmt::format("{}: --times: the volumes of {} are {}; accepted: a recording of processor time",
                             volumes.verb, times, timed.value().volume.name())};
  if (counted.value().ranks != timed.value().ranks)
    return Error{fmt::format("{}: --times: {} has {} ranks, and {} has {}", volumes.verb, times, timed.value().ranks,
                             volumes.file, counted.value().ranks)};
  return rates_of(counted.value().regions, counted.value().volume, timed.value().regions, timed.value().volume);
}

Json to_json(const std::vector<RegionRate>& rates) {
  Json json = Json::object();
  for (const RegionRate& rate : rates)
    json[rate.function.empty() ? std::string("default") : "region " + rate.function] = rate.per_second;
  return json;
}

}  // namespace rehearse::app
