// SPDX-License-Identifier: MIT
//
// The same run, or the same replay, under several network models, and their differences: by call, by phase, by link;
// and whether the program needs a network of packets.
//
// Computation: measured once. The later runs take the measured times of the first one, as long as the ranks get the
//              same answers (ApplicationRecord). A replay has its volumes in any case.
// Calls:    the sum over the ranks of the time in each call of the program, by its place.
// Phases:   the time from the end of a collective of all ranks (when the last rank leaves it) to the end of the next
//           one, by the collective that ends it. The phases of a run add up to its simulated time.
// Links:    the use is the part of the capacity (bandwidth times simulated time) that carried bytes; with packets,
//           those of headers as well.
// Judge:    the first model of packets that ran. It is compared with the nearest other model: that with the nearest
//           simulated time.
// Process:  the runs happen in a child process; their output is dropped, and files that ranks write are discarded.
// Errors:   an unknown model. A model that refuses the run, or a run that dies, is a `problem` of that model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "app/run.hpp"
#include "app/trace_replay.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

inline constexpr const char* default_compared_models = "loggps,cm02,lv08,smpi,mpi,packet";

// MODEL, or MODEL:KEY=VALUE+KEY=VALUE with keys of --packet.
struct ModelChoice {
  std::string label;  // as the user wrote it
  std::string network;
  std::string packet_keys;  // separated by commas
};

// `text`: choices, separated by commas.
Result<std::vector<ModelChoice>> parse_model_choices(const std::string& text);

struct ComparedCall {
  std::string call;   // without its arguments
  std::string place;  // "file.c:12 in main"; empty: unknown
  bool is_collective = false;
  std::uint64_t times = 0;
  double seconds = 0;  // of all ranks
};

struct ComparedPhase {
  std::string end;  // the collective that ends it, with its place; "end": the end of the run
  std::uint64_t times = 0;
  double seconds = 0;
};

struct ComparedLink {
  std::string name;
  double bytes = 0;
  double use = 0;  // part of its capacity
  std::uint64_t drops = 0, losses = 0, marks = 0, pauses = 0;
  std::uint64_t longest_queue_bytes = 0;
};

struct ModelRun {
  std::string label;
  std::string network;   // the full name of the model
  std::string platform;  // with its number of hosts
  std::string problem;   // the reason why there is no time; empty: there is one
  std::string finding;   // the first error of the program; empty: none
  int exit_status = 0;   // of ExitStatus, as `run` would have it
  std::uint64_t ranks = 0;
  double simulated_seconds = 0;
  double wall_seconds = 0;
  double call_seconds = 0;  // in all calls of all ranks
  bool has_packets = false;
  std::uint64_t packet_hops = 0, retransmissions = 0, timeouts = 0;
  std::vector<ComparedCall> calls;    // by the time in them, most first
  std::vector<ComparedPhase> phases;  // in the order of their first ends
  std::vector<ComparedLink> links;    // in the order of the platform, the used ones

  bool has_run() const { return problem.empty(); }
};

// The run of one model as data. The machine's cost model may be used up.
ModelRun model_run_of(const ModelChoice& choice, const Machine& machine, const TimedRun& run, double wall_seconds);

Json to_json(const ModelRun& run);
ModelRun model_run_from(const Json& json);

// One run for each choice, in their order. The request's network model, and `recorded`, do not matter.
std::vector<ModelRun> run_models(const RunRequest& request, const std::vector<ModelChoice>& choices,
                                 const StopToken& stop);
std::vector<ModelRun> replay_models(const TraceReplayRequest& request, const std::vector<ModelChoice>& choices,
                                    const StopToken& stop);

// A call, phase or link under all models.
struct ModelDifference {
  std::string name, place;  // place of a call
  bool is_collective = false;
  std::uint64_t times = 0;
  std::vector<double> values;  // by model: seconds, or the use of a link; negative: does not occur
  double gap = 0;              // the largest value less the smallest one
  bool differs = false;        // of a call: by more than the tolerance between judge and nearest model
};

struct ModelComparison {
  std::vector<ModelRun> runs;
  double tolerance = 0.1;
  std::vector<ModelDifference> calls, phases, links;  // most different first; links: those with drops before others
  std::uint32_t judge = no_run, nearest = no_run;     // indices of runs
  bool needs_packets = false;                         // if there are a judge and another model
  std::string answer;                                 // a sentence
  std::vector<std::string> causes;                    // sentences

  static constexpr std::uint32_t no_run = ~0u;
  bool has_answer() const { return judge != no_run && nearest != no_run; }
};

// `tolerance`: of relative differences.
ModelComparison compare(std::vector<ModelRun> runs, double tolerance);

}  // namespace rehearse::app
