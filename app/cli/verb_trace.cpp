// SPDX-License-Identifier: MIT
//
// rehearse trace: recorded executions.
#include <array>
#include <iomanip>
#include <iostream>
#include <string>

#include "app/cli/message.hpp"
#include "app/cli/trace_commands.hpp"
#include "app/exit_status.hpp"

namespace rehearse::cli {
namespace {

constexpr std::array trace_commands = {
    Verb{"record", "record a run of a program (the same as run --trace)", run_trace_record},
    Verb{"replay", "replay a trace in simulated time on a platform", run_trace_replay},
    Verb{"info", "describe a recording", run_trace_info},
    Verb{"compare", "report the first difference of each rank between two recordings", run_trace_compare},
};

void print_trace_help(std::ostream& out) {
  out << "example:\n  rehearse trace replay --on cluster:16 lu.ti\n\nusage: rehearse trace COMMAND ...\n\n";
  for (const Verb& command : trace_commands)
    out << "  " << std::left << std::setw(10) << command.name << command.summary << '\n';
  out << "\n`rehearse trace COMMAND --help` says more.\n";
}

}  // namespace

int run_trace(const Arguments& arguments) {
  if (arguments.empty()) {
    print_trace_help(std::cerr);
    return app::exit_bad_input;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    print_trace_help(std::cout);
    return app::exit_good;
  }
  std::string names;
  for (const Verb& command : trace_commands) {
    if (command.name == name) return command.run({arguments.begin() + 1, arguments.end()});
    names += (names.empty() ? "" : ", ") + std::string(command.name);
  }
  return report_error({"trace: unknown command '" + name + "'; accepted: " + names});
}

}  // namespace rehearse::cli
