// SPDX-License-Identifier: MIT
//
// The facts about a recording that its trace keeps.
#pragma once

#include <cstdint>
#include <string>

#include "app/data_mark.hpp"
#include "app/machine.hpp"
#include "app/replay.hpp"
#include "app/run.hpp"
#include "simcore/engine.hpp"
#include "trace/trace_recorder.hpp"

namespace rehearse::app {

// As JSON: program, arguments, machine, options, and the schedule if there is one.
std::string about_recording(const RunRequest& request, const Machine& machine);
// The same of the execution of a counter-example.
std::string about_recording(const ReplayRequest& request, const EngineOptions& engine, const Machine& machine);

// What the end of the run showed; empty: nothing.
std::string about_end_of(const TimedRun& run);

// The mark of the recorded run.
DataMark mark_in(const std::string& about);

trace::CallPlace place_of_call(const smpi::LoadedProgram& program, std::uint64_t site);

}  // namespace rehearse::app
