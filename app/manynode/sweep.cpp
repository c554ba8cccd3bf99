// SPDX-License-Identifier: MIT
//
// Runs the points of a sweep one after the other, and the replicas of a point in child processes.
#include "app/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "app/isolated_pool.hpp"
#include "app/manynode/sweep_place.hpp"
#include "app/manynode/sweep_support.hpp"
#include "app/manynode_profile.hpp"
#include "app/skeleton_file.hpp"
#include "manynode/strong_scaling.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::app {
namespace {

using manynode::ReplicaTimes;
using manynode::Variability;

constexpr double ranks_of_a_child = 1 << 19;  // so many in all replicas of one child process, or one replica
constexpr double sweep_seconds_to_end = 2;    // of children that were asked to end

// A line of a child process: number, error (empty: none), makespan in picoseconds, three times; of the first replica
// the numbers of draws.
std::string line_of(std::uint32_t replica, const Result<ReplicaTimes>& times) {
  if (!times) return fmt::format("{} error {}\n", replica, times.error().text);
  const ReplicaTimes& t = times.value();
  std::string draws;
  for (const std::uint64_t each : t.draws)
    if (replica == 0) draws += fmt::format(" {}", each);
  return fmt::format("{} times {} {:.17g} {:.17g} {:.17g}{}\n", replica, t.makespan.picoseconds, t.compute_seconds,
                     t.communication_seconds, t.waiting_seconds, draws);
}

struct ReplicaEnd {
  ReplicaTimes times;
  std::string error;
};

// The replicas of one point.
class PointRunner {
 public:
  PointRunner(const SweepRequest& request, SweepPlace& place, std::function<void(std::uint32_t)> progress)
      : request_(request), place_(place), progress_(std::move(progress)) {
    const Variability variability = place.setting.run.variability;
    is_single_ = variability == Variability::mean || variability == Variability::trace;
    most_ = is_single_ ? 1 : request.half_width ? sweep_replicas_most : request.replicas;
  }

  std::uint32_t most() const { return most_; }

  // False: it was interrupted.
  bool run(const StopToken& stop) {
    while (!is_done()) {
      start_children();
      if (pool_.running().empty()) {
        error_ = "the system has no process for the replicas";
        return true;
      }
      const auto ended = pool_.wait(stop);
      if (!ended) {
        pool_.request_end();
        const StopToken soon = StopToken().until(StopToken::Clock::now(), sweep_seconds_to_end);
        while (pool_.wait(soon)) {
        }
        return false;
      }
      take(*ended);
    }
    return true;
  }

  const std::string& error() const { return error_; }

  void fill(SweepPoint& point) const {
    for (std::uint32_t i = 0; i < counted_; ++i) {
      const ReplicaTimes& times = ends_.at(i).times;
      point.makespans.push_back(times.makespan.seconds());
      point.compute_seconds += times.compute_seconds / counted_;
      point.communication_seconds += times.communication_seconds / counted_;
      point.waiting_seconds += times.waiting_seconds / counted_;
    }
    point.times = statistics_of(point.makespans);
    if (ends_.contains(0)) point.draws = ends_.at(0).times.draws;
  }

 private:
  bool is_done() const { return !error_.empty() || counted_ == wanted(); }
  std::uint32_t wanted() const { return enough_.value_or(most_); }

  // With a half-width, not many more than those that may be needed.
  std::uint32_t start_until() const {
    if (!request_.half_width || is_single_) return most_;
    return std::min(most_, std::max(sweep_replicas_least, counted_ + 2 * request_.jobs + counted_ / 4));
  }

  std::uint32_t size_of_child() const {
    const double fit = std::floor(ranks_of_a_child / place_.setting.run.ranks);
    const double share = std::ceil(static_cast<double>(most_) / request_.jobs);
    return static_cast<std::uint32_t>(std::clamp(std::min(fit, share), 1.0, 64.0));
  }

  void start_children() {
    while (pool_.running().size() < request_.jobs && started_ < start_until() && !enough_) {
      const std::uint32_t first = started_, count = std::min(size_of_child(), start_until() - started_);
      const auto work = [&, first, count] { return replicas(first, count); };
      if (!pool_.start(first, IsolatedPool::Streams::none, work)) return;
      started_ += count;
    }
  }

  // In a child process.
  std::string replicas(std::uint32_t first, std::uint32_t count) {
    manynode::ReplicaSetting& setting = place_.setting;
    manynode::CollectivesAlone alone(setting);
    std::string text;
    for (std::uint32_t i = first; i < first + count; ++i) {
      setting.run.replica = i;
      text += line_of(i, run_replica(setting, place_.has_collectives_alone ? &alone : nullptr));
    }
    return text;
  }

  void take(const IsolatedPool::Ended& ended) {
    if (!ended.death.empty()) {
      error_ = fmt::format("the process of replica {} ended {}", ended.number, ended.death);
      return;
    }
    std::size_t begin = 0;
    while (begin < ended.text.size()) {
      const std::size_t end = std::min(ended.text.find('\n', begin), ended.text.size());
      take_line(ended.text.substr(begin, end - begin));
      begin = end + 1;
    }
    judge();
    progress_(counted_);
  }

  void take_line(const std::string& line) {
    unsigned replica = 0;
    int behind = 0, draws = 0;
    ReplicaEnd end;
    long long picoseconds = 0;
    if (std::sscanf(line.c_str(), "%u error %n", &replica, &behind) == 1 && behind > 0) {
      end.error = line.substr(static_cast<std::size_t>(behind));
    } else if (std::sscanf(line.c_str(), "%u times %lld %lg %lg %lg%n", &replica, &picoseconds,
                           &end.times.compute_seconds, &end.times.communication_seconds, &end.times.waiting_seconds,
                           &draws) != 5) {
      end.error = "a process of a replica gave no result";
    } else {
      std::istringstream rest(line.substr(static_cast<std::size_t>(draws)));
      for (std::uint64_t count = 0; rest >> count;) end.times.draws.push_back(count);
    }
    end.times.makespan = {picoseconds};
    ends_[replica] = std::move(end);
  }

  // Counts replicas in their order, until there are enough.
  void judge() {
    while (counted_ < wanted() && ends_.contains(counted_)) {
      const ReplicaEnd& end = ends_.at(counted_);
      if (!end.error.empty()) {
        error_ = end.error;
        return;
      }
      seconds_.push_back(end.times.makespan.seconds());
      ++counted_;
      if (!request_.half_width || counted_ < sweep_replicas_least || is_single_) continue;
      const TimeStatistics times = statistics_of(seconds_);
      const double half = times.of_mean ? (times.of_mean->high - times.of_mean->low) / 2 : 0;
      if (half <= *request_.half_width * times.mean) enough_ = counted_;
    }
  }

  const SweepRequest& request_;
  SweepPlace& place_;
  std::function<void(std::uint32_t)> progress_;
  bool is_single_ = false;
  std::uint32_t most_ = 1;
  std::uint32_t started_ = 0, counted_ = 0;
  std::optional<std::uint32_t> enough_;
  std::map<std::uint32_t, ReplicaEnd> ends_;
  std::vector<double> seconds_;
  std::string error_;
  IsolatedPool pool_;
};

std::shared_ptr<const manynode::Skeleton> with_measured_tails(const manynode::Skeleton& skeleton) {
  auto changed = std::make_shared<manynode::Skeleton>(skeleton);
  for (manynode::Marker& marker : changed->markers)
    for (auto& draws : marker.of_cluster)
      if (draws != nullptr)
        draws = std::make_shared<const manynode::Draws>(with_tails(*draws, manynode::TailUse::measured));
  return changed;
}

class Sweeper {
 public:
  Sweeper(const SweepRequest& request, const std::vector<SweepPoint>& known, const StopToken& stop,
          SweepListener& listener)
      : request_(request), known_(known), stop_(stop), listener_(listener) {}

  Result<SweepReport> sweep() {
    if (auto read = read_inputs(); !read) return read.error();
    list_points();
    report_.skeleton = skeletons_.begin()->second->name;
    report_.seed = request_.seed;
    report_.axes = request_.axes;
    report_.points_wanted = wanted_.size();
    for (SweepPoint& point : wanted_) {
      if (auto run = run_point(point); !run) return run.error();
      if (report_.was_interrupted) break;
      work_done_ += work_of(point);
    }
    if (profiles_.size() == 1) add_support();
    if (request_.wants_pictures && !report_.was_interrupted)
      if (auto added = add_pictures(); !added) return added.error();
    return std::move(report_);
  }

 private:
  Result<void> read_inputs() {
    std::vector<manynode::Profile>& profiles = profiles_;
    for (const std::string& file : request_.profiles) {
      auto read = read_profile(file);
      if (!read) return read.error();
      for (const std::string& warning : read.value().warnings) report_.warnings.push_back("profile: " + warning);
      profiles.push_back(std::move(read.value()));
    }
    if (!request_.is_strong && profiles.size() > 1)
      return Error{"--profile: several profiles are those of strong scaling; accepted: one, or --scaling strong"};
    for (const std::uint32_t ranks : request_.ranks)
      if (auto made = make_skeleton(ranks, profiles); !made) return made.error();
    return read_recorded();
  }

  Result<void> make_skeleton(std::uint32_t ranks, const std::vector<manynode::Profile>& profiles) {
    if (!request_.is_strong && !skeletons_.empty()) {  // the same for all numbers of ranks
      skeletons_[ranks] = skeletons_.begin()->second;
      return check_support(ranks, profiles);
    }
    std::optional<manynode::Profile> profile;
    if (request_.is_strong) {
      auto made = manynode::interpolated(profiles, ranks, request_.extrapolates);
      if (!made) return made.error();
      profile = std::move(made.value());
    } else if (!profiles.empty()) {
      profile = profiles.front();
    }
    auto skeleton = read_skeleton(request_.skeleton, profile ? &*profile : nullptr);
    if (!skeleton) return skeleton.error();
    if (profile)
      if (auto used = check_use(*profile); !used) return used;
    skeletons_[ranks] = request_.has_fitted_tails ? std::move(skeleton.value())
                                                  : with_measured_tails(*skeleton.value());
    return request_.is_strong ? Result<void>() : check_support(ranks, profiles);
  }

  // A profile of another program, or with other names, would change nothing.
  Result<void> check_use(const manynode::Profile& profile) {
    auto own = read_skeleton(request_.skeleton, nullptr);
    if (!own) return {};  // its markers are only in the profile
    std::string missing, known;
    std::size_t used = 0;
    for (const manynode::Marker& marker : own.value()->markers) {
      if (std::ranges::find(profile.markers, marker.id, &manynode::MarkerProfile::id) != profile.markers.end()) ++used;
      else missing += fmt::format("{}'{}'", missing.empty() ? "" : ", ", marker.id);
    }
    std::set<std::string> names;
    for (const manynode::MarkerProfile& marker : profile.markers) names.insert(marker.id);
    for (const std::string& name : names) known += fmt::format("{}'{}'", known.empty() ? "" : ", ", name);
    if (used == 0 && !missing.empty())
      return Error{fmt::format("--profile: it has none of the markers of the skeleton, {}; it has {}", missing,
                               known.empty() ? "no markers" : known)};
    const std::string warning =
        fmt::format("the profile has no marker {}: its times are those of the skeleton", missing);
    if (!missing.empty() && std::ranges::find(report_.warnings, warning) == report_.warnings.end())
      report_.warnings.push_back(warning);
    return {};
  }

  // Fits of the work over numbers of ranks hold near the measured ones.
  Result<void> check_support(std::uint32_t ranks, const std::vector<manynode::Profile>& profiles) {
    for (const manynode::Profile& profile : profiles)
      for (const manynode::MarkerProfile& marker : profile.markers) {
        if (!marker.scaling || marker.scaling->supports(ranks)) continue;
        const std::string text = fmt::format(
            "{} ranks: the work of marker '{}' was measured with {} to {} ranks, and grows by {}; it is not "
            "known beyond {:.0f} ranks",
            ranks, marker.id, marker.scaling->least, marker.scaling->most, marker.scaling->term,
            manynode::ScalingFit::most_extrapolation * marker.scaling->most);
        if (!request_.extrapolates) return Error{text + "; accepted: fewer ranks, or --extrapolate"};
        report_.warnings.push_back(text);
      }
    return {};
  }

  Result<void> read_recorded() {
    const bool needs = std::ranges::find(request_.variabilities, Variability::trace) != request_.variabilities.end();
    if (!needs) return {};
    if (request_.samples.empty())
      return Error{"--variability trace needs recorded times; accepted: with --samples FILE.csv"};
    const auto text = read_file(request_.samples);
    if (!text) return Error{fmt::format("--samples: '{}' cannot be read", request_.samples)};
    manynode::SampleTable table;
    if (auto read = manynode::read_samples(*text, request_.samples, table); !read) return read.error();
    if (auto finished = manynode::finish(table); !finished) return finished.error();
    for (const auto& [marker, series] : table.markers)
      for (const manynode::Series& each : series)
        for (const manynode::Execution& execution : each.executions)
          recorded_.add(marker, each.rank, execution.seconds);
    for (const manynode::Marker& marker : skeletons_.begin()->second->markers)
      if (!recorded_.has(marker.id))
        return Error{fmt::format("--samples: '{}' has no times of marker '{}'", request_.samples, marker.id)};
    return {};
  }

  void list_points() {
    std::vector<std::vector<std::pair<std::string, std::string>>> combinations(1);
    for (const SweepAxis& axis : request_.axes) {
      std::vector<std::vector<std::pair<std::string, std::string>>> longer;
      for (const auto& before : combinations)
        for (const std::string& value : axis.values) {
          longer.push_back(before);
          longer.back().emplace_back(axis.key, value);
        }
      combinations = std::move(longer);
    }
    for (const std::string& platform : request_.platforms)
      for (const std::uint32_t ranks : request_.ranks)
        for (const auto& parameters : combinations)
          for (const Variability variability : request_.variabilities) {
            SweepPoint point;
            point.platform = platform.empty() ? fmt::format("cluster:{}", ranks) : platform;
            point.ranks = ranks;
            point.parameters = parameters;
            point.variability = variability;
            wanted_.push_back(std::move(point));
          }
    for (const SweepPoint& point : wanted_) work_ += work_of(point);
  }

  double work_of(const SweepPoint& point) const {
    const bool is_single = point.variability == Variability::mean || point.variability == Variability::trace;
    return static_cast<double>(point.ranks) * (is_single ? 1 : request_.replicas);
  }

  Result<void> run_point(SweepPoint& point) {
    const auto found = std::ranges::find_if(known_, [&](const SweepPoint& other) { return other.is_same(point); });
    if (found != known_.end()) {
      report_.points.push_back(*found);
      return {};
    }
    const auto began = std::chrono::steady_clock::now();
    const auto with_name = [&](const std::string& text) {
      return Error{fmt::format("skeleton '{}', {}: {}", request_.skeleton, point.name(), text)};
    };
    auto place = prepare(request_, point, skeletons_.at(point.ranks), &recorded_);
    if (!place) return place.error();
    std::uint32_t most = 1;
    PointRunner runner(request_, *place.value(), [&](std::uint32_t done) { show(point, done, most); });
    most = runner.most();
    show(point, 0, most);
    report_.was_interrupted = !runner.run(stop_);
    if (report_.was_interrupted) return {};
    if (!runner.error().empty()) return with_name(runner.error());
    runner.fill(point);
    point.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    report_.points.push_back(point);
    return listener_.on_point(point);
  }

  // Draws beyond the samples come from fitted tails.
  void add_support() {
    std::set<std::uint32_t> done;
    for (const SweepPoint& point : report_.points) {
      if (point.draws.empty() || point.variability != Variability::full || !done.insert(point.ranks).second) continue;
      for (DrawSupport& each : support_of(point, *skeletons_.at(point.ranks), profiles_.front()))
        report_.support.push_back(std::move(each));
    }
    for (std::string& warning : warnings_of(report_.support)) report_.warnings.push_back(std::move(warning));
  }

  Result<void> add_pictures() {
    report_.model = skeletons_.rbegin()->second;
    const auto least = std::ranges::min_element(report_.points, {}, &SweepPoint::ranks);
    if (least == report_.points.end() || least->ranks > timeline_ranks_most) return {};
    SweepPoint point = *least;
    for (const Variability variability : {Variability::full, Variability::mean}) {
      point.variability = variability;
      auto place = prepare(request_, point, skeletons_.at(point.ranks), &recorded_);
      if (!place) return place.error();
      auto timeline = timeline_of(*place.value());
      if (!timeline) return timeline.error();
      report_.timelines.push_back(std::move(timeline.value()));
      auto clusters = clusters_of(*place.value());
      if (!clusters) return clusters.error();
      report_.clusters = std::move(clusters.value());
    }
    return {};
  }

  void show(const SweepPoint& point, std::uint32_t done, std::uint32_t most) {
    SweepProgress progress;
    progress.points_done = report_.points.size();
    progress.points = wanted_.size();
    progress.replicas_done = done;
    progress.replicas = most;
    progress.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    progress.fraction = work_ > 0 ? (work_done_ + work_of(point) * done / most) / work_ : 0;
    listener_.on_progress(progress);
  }

  const SweepRequest& request_;
  const std::vector<SweepPoint>& known_;
  const StopToken& stop_;
  SweepListener& listener_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::vector<manynode::Profile> profiles_;
  std::map<std::uint32_t, std::shared_ptr<const manynode::Skeleton>> skeletons_;  // by ranks
  manynode::RecordedTimes recorded_;
  std::vector<SweepPoint> wanted_;
  double work_ = 0, work_done_ = 0;
  SweepReport report_;
};

}  // namespace

Result<SweepReport> sweep(const SweepRequest& request, const std::vector<SweepPoint>& known, const StopToken& stop,
                          SweepListener& listener) {
  return Sweeper(request, known, stop, listener).sweep();
}

}  // namespace rehearse::app
