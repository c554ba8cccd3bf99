// SPDX-License-Identifier: MIT
//
// rehearse trace: recorded executions.
#include <array>

#include "app/cli/command_group.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/cli/verbs.hpp"

namespace rehearse::cli {
namespace {

constexpr std::array trace_commands = {
    Verb{"record", "record a run of a program (the same as run --trace)", run_trace_record},
    Verb{"replay", "replay a trace in simulated time on a platform", run_trace_replay},
    Verb{"gather", "make one recording from the streams of the ranks of a real MPI", run_trace_gather},
    Verb{"check", "look for faults in a trace, without a platform", run_trace_check},
    Verb{"efficiency", "report where the time of a replay is lost", run_trace_efficiency},
    Verb{"profile", "report how the ranks spend their time in a replay, and the critical path", run_trace_profile},
    Verb{"convert", "write a trace in another format", run_trace_convert},
    Verb{"info", "describe a trace", run_trace_info},
    Verb{"compare", "report the first difference of each rank between two traces", run_trace_compare},
    Verb{"compare-models", "replay a trace under several network models and report where they differ",
         run_trace_compare_models},
};

}  // namespace

int run_trace(const Arguments& arguments) {
  return run_command_of({"trace", "rehearse trace replay --on cluster:16 lu.ti", trace_commands}, arguments);
}

}  // namespace rehearse::cli
