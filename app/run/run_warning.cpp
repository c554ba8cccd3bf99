// SPDX-License-Identifier: MIT
//
// See run_warning.hpp.
#include "app/run_warning.hpp"

#include <algorithm>
#include <map>

#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

void add_network(const Machine& machine, std::vector<RunWarning>& warnings) {
  if (machine.description.calibrated) return;
  const std::string numbers = machine.description.preset.empty() ? "defaults"
                                                                 : "those of the preset " + machine.description.preset;
  warnings.push_back(
      {"network.uncalibrated", fmt::format("the numbers of network model {} are {}, not measured on a machine of yours",
                                           machine.network, numbers)});
}

void add_shared_hosts(const Machine& machine, const TimedRun& run, std::vector<RunWarning>& warnings) {
  std::map<std::uint32_t, std::uint32_t> ranks_of;
  for (const ActorResult& rank : run.result.actors) ++ranks_of[rank.host.value];
  const auto most = std::ranges::max_element(ranks_of, {}, [](const auto& entry) { return entry.second; });
  if (most == ranks_of.end() || most->second < 2 || machine.platform.hosts().size() < 2) return;
  warnings.push_back(
      {"hosts.shared", fmt::format("{} share {} ({} on {}): messages inside a host do not use the network",
                                   counted(run.result.actors.size(), "rank"), counted(ranks_of.size(), "host"),
                                   most->second, machine.platform.host({most->first}).name)});
}

void add_disturbance(const TimedRun& run, std::vector<RunWarning>& warnings) {
  if (!run.load) return;
  if (run.load->has_other_load())
    warnings.push_back(
        {"computation.disturbed",
         fmt::format("this process had a core in {:.0f} % of the {:.2g} s of the run: other load can make measured "
                     "computation longer; repeat the run on a quiet machine, and compare (--repeat-disturbed)",
                     100 * run.load->core_part(), run.load->wall_seconds)});
  else if (run.load->has_slow_core())
    warnings.push_back({"computation.disturbed",
                        "the core became slower during the run (its frequency, or a process on its other hardware "
                        "thread), and measured computation with it; repeat the run, and compare (--repeat-disturbed)"});
}

}  // namespace

std::vector<RunWarning> warnings_of(const Machine& machine, const TimedRun& run) {
  std::vector<RunWarning> warnings;
  add_network(machine, warnings);
  add_shared_hosts(machine, run, warnings);
  add_disturbance(run, warnings);
  return warnings;
}

Json to_json(const std::vector<RunWarning>& warnings) {
  Json json = Json::array();
  for (const RunWarning& warning : warnings) json.push_back({{"id", warning.id}, {"text", warning.text}});
  return json;
}

}  // namespace rehearse::app
