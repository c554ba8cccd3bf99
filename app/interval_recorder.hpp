// SPDX-License-Identifier: MIT
//
// Listens to a timed run and notes how long each computation of each rank takes: between two calls of the library
// (automatic markers), or between the begin and the end of a region that the program names.
//
// Markers:  automatic ones are those of trace/computation.hpp. Of nested regions, each has the time of those in it.
// Time
//           in calls of the library is no computation.
// Cost:     an interval takes one look into a small table and 32 bytes. Every 64th interval is timed, so the cost is
//           known; it is not part of the times.
// Protocol: begin(), the run, finish() while the program still exists; then write().
// Units:    seconds on this machine, by the scale of the run.
// Threads:  none.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/run.hpp"
#include "simcore/program.hpp"
#include "simcore/tap.hpp"
#include "trace/trace_recorder.hpp"

namespace rehearse::app {

enum class IntervalMarkers : std::uint8_t { automatic, user };

struct IntervalCost {
  std::uint64_t intervals = 0;
  double nanoseconds = 0;  // of an interval, the median of those that were timed
};

class IntervalRecorder final : public Tap {
 public:
  explicit IntervalRecorder(IntervalMarkers markers) : markers_(markers) {}

  void begin(Program& program, double flops_per_second);
  void on_application(ActorId actor, double flops, VolumeOrigin origin) override;
  void on_answer(ActorId actor, const Operation& operation, const Observation& answer, Duration took) override;
  void on_wildcard_match(ActorId, RequestId, const Envelope&) override {}
  void on_stop(ActorId actor, const Operation& operation) override;
  void finish(const std::function<trace::CallPlace(std::uint64_t site)>& locate);

  // CSV: rank, marker, iteration, seconds, messages, bytes. The last two are those that the call behind it sends.
  void write(std::ostream& out) const;
  IntervalCost cost() const;
  IntervalMarkers markers() const { return markers_; }
  // Regions that never ended; empty: none.
  const std::string& open_region() const { return open_region_; }

 private:
  struct Interval {
    std::uint32_t marker = 0;
    double flops = 0;
    std::uint64_t bytes = 0;
    std::uint32_t messages = 0;
  };
  struct KnownMarker {
    std::uint64_t before = 0, after = 0;
    std::uint32_t marker = 0;
    bool is_known = false;
  };
  struct OpenRegion {
    std::uint32_t marker = 0;
    double flops = 0;
  };
  struct Rank {
    double flops = 0;          // since the last call
    std::uint64_t before = 0;  // site of the last call
    std::vector<Interval> intervals;
    std::vector<OpenRegion> open;
  };

  void note(ActorId actor, const Operation& operation);
  void note_call(Rank& rank, const Operation& operation, std::uint64_t site);
  void note_mark(Rank& rank, std::string_view name);
  std::uint32_t marker_of(std::uint64_t before, std::uint64_t after);
  std::uint32_t find_marker(std::uint64_t before, std::uint64_t after, std::uint64_t hash);

  IntervalMarkers markers_;
  Program* program_ = nullptr;
  double seconds_per_flop_ = 0;
  std::vector<Rank> ranks_;
  // The places of automatic markers; the names of all.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places_;
  std::vector<std::string> names_;
  std::array<KnownMarker, 256> known_ = {};                            // the last ones, by a part of their hashes
  std::unordered_map<std::uint64_t, std::uint32_t> marker_of_places_;  // by hash of the places
  std::unordered_map<std::string, std::uint32_t> marker_of_name_;
  std::uint64_t count_ = 0;
  std::vector<float> timed_;  // nanoseconds
  std::string open_region_;
};

// Runs a program as run() does (app/run.hpp), and lets the recorder listen. The request must not name a trace.
Result<MachineRun> run_recorded(const RunRequest& request, OutputSink* output, IntervalRecorder& recorder);

}  // namespace rehearse::app
