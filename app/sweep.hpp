// SPDX-License-Identifier: MIT
//
// Monte Carlo over a skeleton: replicas at each point of a sweep over platforms, numbers of ranks and parameters.
//
// Points:    for each platform, number of ranks and combination of values, one point for each variability; the last one
//            changes fastest.
// Draws:     functions of seed, replica, rank, marker and occurrence. So two points have the same draws in the same
//            replica, and results depend neither on the number of jobs nor on other points.
// Replicas:  those of a point run in child processes. With a half-width, replicas are judged in their order: the first
//            number of them whose interval is narrow enough counts, at least 5, at most 1,000.
// Stop:      the points that ended count.
// Units:     seconds.
// Errors:    one line with the skeleton or option, the value and what is accepted.
// Threads:   none; processes as IsolatedPool.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/json.hpp"
#include "app/machine.hpp"
#include "app/repeated_times.hpp"
#include "manynode/draws.hpp"
#include "manynode/skeleton.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// A parameter of the sweep: bandwidth, latency, speed, noise, node-noise, placement, collectives, or an option of the
// network model.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;
};

// "16,256,4096", "64..4096:x2", "16..64:+16".
Result<std::vector<std::uint32_t>> parse_rank_counts(const std::string& text);
// "KEY=V1,V2"; with a semicolon among the values, semicolons separate them.
Result<SweepAxis> parse_sweep_axis(const std::string& text);
// "full,mean".
Result<std::vector<manynode::Variability>> parse_variabilities(const std::string& text);

enum class CollectiveDurations : std::uint8_t {
  automatic,  // alone on the network `constant`, else messages
  messages,   // of their algorithm, among all others
  alone       // of a collective whose members begin together on an idle network
};

struct SweepRequest {
  std::string skeleton;
  std::vector<std::string> profiles;  // files; none, one, or with `is_strong` several
  std::string samples;                // file; empty: none
  std::vector<std::uint32_t> ranks;
  std::vector<std::string> platforms;
  std::vector<SweepAxis> axes;
  std::vector<manynode::Variability> variabilities = {manynode::Variability::full};
  std::uint32_t replicas = 30;
  std::optional<double> half_width;  // part of the mean
  std::uint64_t seed = 1;
  std::uint32_t jobs = 1;
  MachineOptions machine;  // its platform does not matter
  CollectiveDurations collectives = CollectiveDurations::automatic;
  bool has_fitted_tails = true;
  bool is_strong = false;       // the profiles are of one problem on several numbers of ranks
  bool extrapolates = false;    // beyond the numbers of ranks that the profiles support
  bool wants_pictures = false;  // timelines, and the skeleton, for a page
};

inline constexpr std::uint32_t sweep_replicas_least = 5, sweep_replicas_most = 1000;

struct SweepPoint {
  std::string platform;
  std::uint32_t ranks = 0;
  std::vector<std::pair<std::string, std::string>> parameters;  // by axis
  manynode::Variability variability = manynode::Variability::full;
  std::vector<double> makespans;                                               // by replica
  TimeStatistics times;                                                        // of them
  double compute_seconds = 0, communication_seconds = 0, waiting_seconds = 0;  // means over ranks and replicas
  double wall_seconds = 0;
  std::vector<std::uint64_t> draws;  // of a replica, by cluster of the skeleton and of it by marker; empty: unknown

  // Of the mean; the mean itself twice if the times do not differ.
  ConfidenceInterval interval() const;
  // Below 20 replicas least, median and greatest; else 5, 50 and 95 %.
  std::vector<std::pair<std::string, double>> quantiles() const;
  // Platform, ranks, parameters and variability, in one line.
  std::string name() const;
  bool is_same(const SweepPoint& other) const;
};

// What the draws of one mode of a marker are based on. Its law reaches as far as the slowest of `of_ranks` ranks.
struct DrawSupport {
  std::uint32_t ranks = 0;  // of the point
  std::string marker;
  std::uint32_t cluster = 0, mode = 0, of_ranks = 0;  // of the cluster
  std::uint64_t samples = 0, draws = 0;               // of the mode; of a replica
  // Median of the slowest of `of_ranks` draws: by the fitted tail; by the samples alone; 95 % of it by the tails of
  // samples that were drawn again (bootstrap).
  double slowest = 0, slowest_measured = 0;
  ConfidenceInterval band = {};
};

// The activities of the first ranks of a replica.
struct SweepTimeline {
  enum class Activity : std::uint8_t { computation, waiting };  // waiting: and transfer
  struct Span {
    Activity activity = Activity::computation;
    double begin = 0, end = 0;  // seconds
  };
  manynode::Variability variability = manynode::Variability::full;
  std::uint32_t ranks = 0;               // of the run
  std::vector<std::vector<Span>> spans;  // by rank
};

struct SweepReport {
  std::string skeleton;  // its name
  std::uint64_t seed = 1;
  std::vector<SweepAxis> axes;
  std::vector<SweepPoint> points;
  std::vector<std::string> warnings;
  std::vector<DrawSupport> support;                 // of points with draws from a profile
  std::vector<SweepTimeline> timelines;             // with `wants_pictures`
  std::shared_ptr<const manynode::Skeleton> model;  // with `wants_pictures`: that of the largest number of ranks
  std::vector<std::uint32_t> clusters;              // with `wants_pictures`: by rank, at the smallest number of ranks
  bool was_interrupted = false;
  std::size_t points_wanted = 0;
};

struct SweepProgress {
  std::size_t points_done = 0, points = 0;
  std::uint32_t replicas_done = 0, replicas = 0;  // of the present point; with a half-width the latter is a bound
  double seconds = 0;                             // since the beginning
  double fraction = 0;                            // of the expected work
};

class SweepListener {
 public:
  virtual ~SweepListener() = default;
  virtual void on_progress(const SweepProgress&) {}
  virtual Result<void> on_point(const SweepPoint&) { return {}; }
};

// `known`: points of an earlier sweep with the same skeleton, seed and options, which are not run again.
Result<SweepReport> sweep(const SweepRequest& request, const std::vector<SweepPoint>& known, const StopToken& stop,
                          SweepListener& listener);

Json to_json(const SweepReport& report);

// Lines of a CSV file: what identifies the sweep, the header, and a line for each point.
std::string csv_head(const SweepRequest& request);
std::string csv_line(const SweepPoint& point);
// The points of such a file. An error: the file is of another sweep, or damaged. A line without an end does not count.
Result<std::vector<SweepPoint>> read_sweep_csv(const std::string& file, const SweepRequest& request);

// Where one platform (or value of an axis) becomes faster than another one with more ranks, in words.
std::vector<std::string> crossings(const SweepReport& report);

}  // namespace rehearse::app
