// SPDX-License-Identifier: MIT
//
// rehearse platform: lists, shows, validates, generates and cuts platforms.
#include <array>

#include "app/cli/command_group.hpp"
#include "app/cli/platform_commands.hpp"
#include "app/cli/verbs.hpp"

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
    Verb{"generate", "generate a platform file for a random, regular or hierarchical graph", run_platform_generate},
    Verb{"extract", "write a platform file with some hosts of a platform", run_platform_extract},
};

}  // namespace

int run_platform(const Arguments& arguments) {
  return run_command_of({"platform", "rehearse platform route cluster:4 node-0 node-3", commands}, arguments);
}

}  // namespace rehearse::cli
