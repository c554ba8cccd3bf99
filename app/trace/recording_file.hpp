// SPDX-License-Identifier: MIT
//
// The facts about a recording that its trace keeps.
#pragma once

#include <string>

#include "app/machine.hpp"
#include "app/run.hpp"
#include "trace/trace_recorder.hpp"

namespace rehearse::app {

// As JSON: program, arguments, machine, options.
std::string about_recording(const RunRequest& request, const Machine& machine);

trace::CallPlace place_of_call(const smpi::LoadedProgram& program, std::uint64_t site);

}  // namespace rehearse::app
