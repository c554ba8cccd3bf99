// SPDX-License-Identifier: MIT
//
// The efficiency of a recorded execution on a machine, from replays: the metrics of the POP project, and a ladder of
// what-ifs.
//
// Terms:   c_r: the time of computation of rank r in the replay, of several processors their mean; T: the date of the
// last end of a rank; T0: the same on
//          an ideal network, which has no latency, infinite bandwidth, no contention and no overheads.
//          load balance = mean c / max c; serialisation = max c / T0; transfer = T0 / T;
//          communication = serialisation x transfer = max c / T; parallel = load balance x communication = mean c / T.
// Scaling: with the trace of a smaller run: computation = sum c of the smaller run / sum c; for weak scaling, times
//          the quotient of the numbers of ranks. It is the product of the scalings of volumes and of rates.
//          global = parallel x computation.
// Source:  Rosas, Gimenez, Labarta, Scalability prediction for fundamental performance factors, Supercomputing
//          Frontiers and Innovations 1(2), 2014; POP, Standard metrics for performance analysis.
// Units:   seconds, flops.
// Errors:  as of replay_trace().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/log_gops_replay.hpp"
#include "app/trace_replay.hpp"

namespace rehearse::app {

// Without a value: a divisor is 0.
struct EfficiencyMetrics {
  std::optional<double> load_balance, serialisation, transfer, communication, parallel;
};

struct RankWork {
  double compute_seconds = 0;
  double flops = 0;
};

struct MeasuredWork {
  std::vector<RankWork> ranks;
  double seconds = 0;  // T

  double mean_seconds() const;
  double most_seconds() const;
  double sum_seconds() const;
  double sum_flops() const;
};

// `ideal_seconds`: T0.
EfficiencyMetrics efficiency_of(const MeasuredWork& work, double ideal_seconds);

// A part of the run, or of the program. load balance = mean / most; communication = most / seconds (of a part of the
// program: of all time); parallel = load balance x communication.
struct PartWork {
  std::string function;       // whose calls end the computation; empty: unknown, or a part of the run
  double begin_seconds = 0;   // of a part of the run
  double seconds = 0;         // of the part of the run, or T
  double mean = 0, most = 0;  // computation of the ranks in it
  std::optional<double> load_balance, communication, parallel;
};

enum class Scaling : std::uint8_t { strong, weak };

struct ScalingMetrics {
  std::string trace;  // the smaller one
  std::uint32_t ranks = 0;
  double seconds = 0;  // its T
  std::optional<double> computation, volume, rate, global;
};
ScalingMetrics scaling_of(const MeasuredWork& work, const MeasuredWork& smaller, Scaling scaling,
                          std::optional<double> parallel);

// One what-if: the replay with one difference, or with several.
struct LadderStep {
  std::string name;
  double seconds = 0;
};

struct EfficiencyRequest {
  TraceReplayRequest replay;
  std::string reference;  // trace of a smaller run; empty: none
  Scaling scaling = Scaling::strong;
  bool has_ladder = false;
  std::uint32_t windows = 0;  // equal parts of the run; 0: none
};

// Of a replay that ended.
struct EfficiencyFigures {
  MeasuredWork work;
  double ideal_seconds = 0;
  EfficiencyMetrics metrics;
  std::optional<ScalingMetrics> scaling;
  std::vector<LadderStep> ladder;    // empty: not requested
  std::vector<PartWork> regions;     // by mean computation, most first; empty: the trace has no functions
  std::vector<PartWork> windows;     // as requested
  std::vector<std::string> caveats;  // of the result
};

struct TraceEfficiency : EfficiencyFigures {
  TraceReplay replay;  // on the machine

  // Otherwise the replay did not end, and there are no metrics.
  bool is_complete() const;
};

Result<TraceEfficiency> measure_efficiency(const EfficiencyRequest& request);

// The same replay on an ideal network.
TraceReplayRequest on_ideal_network(TraceReplayRequest request);

// In the LogGOPS model. The ideal network has no latency, gaps or overheads, and the same limit of eager messages. Of
// the efficiency request, the replay does not matter.
struct LogGopsEfficiency : EfficiencyFigures {
  LogGopsReplay replay;

  bool is_complete() const { return replay.has_ended(); }
};

Result<LogGopsEfficiency> measure_efficiency(const LogGopsRequest& replay, const EfficiencyRequest& request);

}  // namespace rehearse::app
