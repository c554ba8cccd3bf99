// SPDX-License-Identifier: MIT
//
// rehearse platform: lists, shows, validates and generates platforms.
#include <array>
#include <iomanip>
#include <iostream>

#include "app/cli/message.hpp"
#include "app/cli/platform_commands.hpp"
#include "app/cli/verbs.hpp"
#include "app/exit_status.hpp"

namespace rehearse::cli {
namespace {

int run_platform_list(const Arguments& arguments) {
  Arguments all{"platforms"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return run_list(all);
}

constexpr std::array commands = {
    Verb{"list", "list the built-in platforms", run_platform_list},
    Verb{"show", "show the hosts, links and routes of a platform", run_platform_show},
    Verb{"validate", "check a platform file and report the line of an error", run_platform_validate},
    Verb{"route", "show the links between two hosts", run_platform_route},
    Verb{"generate", "generate a platform file for a random or regular graph", run_platform_generate},
};

void print_help(std::ostream& out) {
  out << "example:\n  rehearse platform route cluster:4 node-0 node-3\n\nusage: rehearse platform COMMAND ...\n\n";
  for (const Verb& command : commands)
    out << "  " << std::left << std::setw(10) << command.name << command.summary << '\n';
  out << "\n`rehearse platform COMMAND --help` describes a command.\n";
}

}  // namespace

int run_platform(const Arguments& arguments) {
  if (arguments.empty()) {
    print_help(std::cerr);
    return app::exit_bad_input;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    print_help(std::cout);
    return app::exit_good;
  }
  std::string names;
  for (const Verb& command : commands) {
    if (command.name == name) return command.run({arguments.begin() + 1, arguments.end()});
    names += (names.empty() ? "" : ", ") + std::string(command.name);
  }
  return report_error({"platform: unknown command '" + name + "'; accepted: " + names});
}

}  // namespace rehearse::cli
