// SPDX-License-Identifier: MIT
//
// One run of a program in simulated time, with its findings: the common part of `run` and `replay`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/core_load.hpp"
#include "app/data_mark.hpp"
#include "app/energy.hpp"
#include "app/folding.hpp"
#include "app/machine.hpp"
#include "app/merging.hpp"
#include "app/recording.hpp"
#include "app/sampling.hpp"
#include "app/statistics.hpp"
#include "properties/selection.hpp"
#include "simcore/engine.hpp"
#include "simcore/finding.hpp"
#include "simcore/packet_network.hpp"
#include "simcore/program.hpp"

namespace rehearse::app {

struct TimedRun {
  RunResult result;
  std::vector<Finding> findings;
  std::vector<std::string> unsupported;  // reasons for an inconclusive run
  std::optional<Recording> recording;    // if requested
  SamplingSummary sampling = {};
  FoldingSummary folding = {};
  std::optional<smpi::MergedMemory> merged = {};     // none: pages were not to be merged
  std::optional<PacketSummary> packets = {};         // of a network of packets
  std::optional<NetworkStatistics> statistics = {};  // if requested
  std::optional<CoreLoad> load = {};                 // of this machine, if computation was measured
  std::optional<EnergyUse> energy = {};              // if requested
  std::optional<UseMap> usage = {};                  // likewise

  DataMark data() const { return {sampling.skipped, folding.corrupts_data}; }
};

enum class Recorded : std::uint8_t { nothing, calls, calls_and_resources };

// The machine's cost model cannot be used again. Completes the captures of packets. A timeline in the options gets the
// events, also while they are recorded. `reported`: the findings of judges to report. If the machine's stop token ends
// the run, the reason is in `unsupported`. Such a run, and one that is cut, has no findings about what ranks wait for.
Result<TimedRun> run_timed(Program& program, Machine& machine, EngineOptions options,
                           const properties::Selection& reported = {}, Recorded recorded = Recorded::nothing);

}  // namespace rehearse::app
