// SPDX-License-Identifier: MIT
//
// See log_gops_options.hpp.
#include "app/cli/log_gops_options.hpp"

#include <array>
#include <string>
#include <string_view>

#include "app/cli/goal_options.hpp"
#include "app/cli/verb_options.hpp"
#include "trace/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::string_view log_gops_name = "loggops";

// Of platforms, and of changes of calls.
constexpr std::array not_in_log_gops = {
    "--on",          "--hostfile",        "--eager",    "--handshake",    "--os",         "--ois",
    "--or",          "--timeline",        "--sequence", "--report",       "--pcap",       "--reduction-flops",
    "--statistics",  "--series",          "--map",      "--network-file", "--contention", "--no-crosstraffic",
    "--scale-bytes", "--scale-compute",   "--noise",    "--noise-seed",   "--replicas",   "--scale-latency",
    "--rate",        "--rate-file",       "--until",    "--seed",         "--repeat",     "--jobs",
    "--windows",     "--scale-bandwidth", "--energy",   "--usage",
};
constexpr std::array not_for_schedules = {"--os",        "--reduction-flops", "--collective-algorithms",
                                          "--wildcards", "--scale-compute",   "--scale-bytes",
                                          "--noise",     "--noise-seed",      "--replicas",
                                          "--rate",      "--rate-file"};

}  // namespace

void declare(OptionSet& app, app::LogGopsRequest& request) {
  app.add_option_function(
      "--loggops",
      [&target = request.parameters](const std::string& text) {
        const auto parsed = trace::parse_log_gops(text);
        if (parsed) target = parsed.value();
        return parsed ? std::string() : parsed.error().text;
      },
      "parameters of --network loggops: L=,o=,g=,G=,O= in ns, S= in bytes (default " +
          text_of(trace::LogGopsParameters{}) + "). This network is the default for GOAL schedules");
  declare(app, request.conversion);
}

Result<ReplayKind> choose_replay(app::TraceReplayRequest& request, app::LogGopsRequest& log_gops,
                                 const OptionSet& given) {
  const auto& values = request.machine.models.values;
  const auto network = values.find("network");
  const auto format = trace::find_format(request.file);
  const bool is_goal = format && trace::is_goal(format.value());
  const bool is_wanted = network != values.end() && network->second == log_gops_name;
  const bool is_default = is_goal && network == values.end() && given.count("--on") == 0;
  if (is_wanted || is_default) {
    for (const char* name : not_in_log_gops)
      if (given.count(name) > 0) return Error{std::string(name) + " does not apply to --network loggops"};
    for (const auto& [name, value] : values)
      if (name != "network") return Error{"--" + name + " does not apply to --network loggops"};
    log_gops.file = request.file;
    log_gops.wildcards = request.wildcards;
    if (given.count("--collective-algorithms") > 0)
      if (const auto set = set_algorithms(request.machine.collectives, log_gops.conversion); !set) return set.error();
    return ReplayKind::log_gops;
  }
  if (given.count("--loggops") > 0) return Error{"--loggops needs --network loggops"};
  if (!is_goal && given.count("--speed") > 0) return Error{"--speed needs --network loggops, or a GOAL schedule"};
  if (!is_goal) return ReplayKind::calls;
  for (const char* name : not_for_schedules)
    if (given.count(name) > 0) return Error{std::string(name) + " does not apply to GOAL schedules"};
  if (const auto& speed = log_gops.conversion.flops_per_second) request.schedule_flops_per_second = *speed;
  return ReplayKind::schedule;
}

}  // namespace rehearse::cli
