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
    Verb{"convert", "write a trace in another format", run_trace_convert},
    Verb{"info", "describe a trace", run_trace_info},
    Verb{"compare", "report the first difference of each rank between two traces", run_trace_compare},
};

}  // namespace

int run_trace(const Arguments& arguments) {
  return run_command_of({"trace", "rehearse trace replay --on cluster:16 lu.ti", trace_commands}, arguments);
}

}  // namespace rehearse::cli
