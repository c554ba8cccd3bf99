// SPDX-License-Identifier: MIT
//
// See command_group.hpp.
#include "app/cli/command_group.hpp"

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/message.hpp"
#include "app/cli/spelling.hpp"
#include "app/exit_status.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

void print_group(const CommandGroup& group, std::ostream& out) {
  out << fmt::format("example:\n  {}\n\nusage: rehearse {} COMMAND ...\n\n", group.example, group.verb);
  std::size_t longest = 0;
  for (const Verb& command : group.commands) longest = std::max(longest, std::string_view(command.name).size());
  for (const Verb& command : group.commands)
    out << fmt::format("  {:<{}}{}\n", command.name, longest + 2, command.summary);
  out << fmt::format("\n`rehearse {} COMMAND --help` describes a command.\n", group.verb);
}

}  // namespace

int run_command_of(const CommandGroup& group, const Arguments& arguments) {
  if (arguments.empty()) {
    print_group(group, std::cerr);
    return app::exit_bad_input;
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    print_group(group, std::cout);
    return app::exit_good;
  }
  std::vector<std::string> names;
  std::string list;
  for (const Verb& command : group.commands) {
    if (command.name == name) return command.run({arguments.begin() + 1, arguments.end()});
    names.emplace_back(command.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return report_error(
      {fmt::format("{}: unknown command '{}'{}; accepted: {}", group.verb, name, suggestion(name, names), list)});
}

}  // namespace rehearse::cli
