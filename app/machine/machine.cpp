// SPDX-License-Identifier: MIT
//
// Making the machine.
#include "app/machine.hpp"

#include <algorithm>

#include "app/hostfile.hpp"
#include "app/job.hpp"
#include "app/policies.hpp"
#include "app/rank_map.hpp"
#include "simcore/support/format.hpp"
#include "smpi/collective_rules.hpp"

namespace rehearse::app {

namespace {

HostId host_of(const Machine& machine, std::uint32_t rank) {
  const auto hosts = static_cast<std::uint32_t>(machine.platform.hosts().size());
  return machine.placement.empty() ? HostId{rank % hosts} : machine.placement[rank];
}

}  // namespace

void place_started(Machine& machine, std::uint32_t actors) {
  if (machine.placement.empty()) return;
  const auto hosts = static_cast<std::uint32_t>(machine.platform.hosts().size());
  while (machine.placement.size() < actors) machine.placement.push_back({(machine.placement.back().value + 1) % hosts});
}

smpi::NodeMap nodes_of(const Machine& machine, std::uint32_t ranks) {
  std::vector<std::string> names;
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    names.push_back(machine.platform.host(host_of(machine, rank)).name);
  return nodes_of(names);
}

std::vector<std::uint32_t> cores_of_ranks(const Machine& machine, std::uint32_t ranks) {
  std::vector<std::uint32_t> ranks_of_host(machine.platform.hosts().size()), cores;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) ++ranks_of_host[host_of(machine, rank).value];
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const HostId host = host_of(machine, rank);
    cores.push_back(std::max(1U, machine.platform.host(host).cores / ranks_of_host[host.value]));
  }
  return cores;
}

namespace {

// Nobody has chosen a network model, and the platform has none. SimGrid's quirks belong to its own models.
bool takes_default_network(const ModelOptions& models, const PlatformSettings& settings) {
  return models.network.empty() && !settings.network_model && !settings.parallel_tasks.value_or(false) &&
         !models.simgrid_quirks;
}

}  // namespace

void apply(const MessageProtocol& protocol, EngineOptions& options) {
  options.message_costs = protocol.costs;
  options.handshake = protocol.handshake;
  options.eager_bytes = protocol.eager_bytes;
}

Result<std::unique_ptr<Machine>> make_machine(const MachineOptions& options, std::uint32_t ranks) {
  auto models = make_model_options(options.models);
  if (!models) return models.error();
  models.value().changes = options.changes;
  models.value().stop = options.stop;
  auto platform = make_platform_for(options.on.empty() ? fmt::format("cluster:{}", ranks) : options.on, models.value());
  if (!platform) return platform.error();
  auto machine = std::make_unique<Machine>(
      Machine{std::move(platform.value()), {}, {}, {}, {}, {}, nullptr, nullptr, nullptr, {}, nullptr});
  const bool has_chosen_network = !models.value().network.empty();
  if (takes_default_network(models.value(), machine->platform.settings())) models.value().network = library_network;
  auto capture = start_capture(options.pcap, models.value(), machine->platform);
  if (!capture) return capture.error();
  machine->capture = std::move(capture.value());
  auto statistics = start_statistics(options.statistics, models.value(), machine->platform);
  if (!statistics) return statistics.error();
  machine->statistics = std::move(statistics.value());
  auto costs = make_cost_model(models.value(), machine->platform);
  if (!costs) return costs.error();
  machine->models = models.value();
  machine->network = network_model_name(models.value(), machine->platform);
  machine->costs = std::move(costs.value());
  if (options.energy) {
    auto energy = EnergyMeter::start(machine->platform, *machine->costs, machine->network);
    if (!energy) return energy.error();
    machine->energy = std::move(energy.value());
  }
  if (options.usage) {
    auto usage = UsageMeter::start(machine->platform, *machine->costs, machine->network);
    if (!usage) return usage.error();
    machine->usage = std::move(usage.value());
  }
  const PlatformSettings& settings = machine->platform.settings();
  machine->protocol = choose_protocol(options.protocol, settings, machine->network, machine->platform.hosts().size());
  if (!options.changes.has_overheads) machine->protocol.costs = {};
  machine->algorithms = !options.collectives.empty() ? options.collectives : settings.collectives.value_or("generic");
  machine->description = describe_network(options, models.value(), machine->platform, machine->protocol,
                                          machine->algorithms, has_chosen_network);
  auto collectives = make_schedules(machine->algorithms, smpi::collective_rules());
  if (!collectives) {
    if (options.collectives.empty())
      return Error{"platform '" + machine->platform.name() + "': rehearse/collectives: " + collectives.error().text};
    std::string text = "--collective-algorithms: " + collectives.error().text;
    if (is_synchronisation(options.collectives))
      text += "; whether members of a collective wait for all others is --collective-synchronisation of rehearse check";
    return Error{text};
  }
  machine->collectives = std::move(collectives.value());
  auto files = file_system_of(options.files, machine->platform);
  if (!files) return files.error();
  machine->file_system = std::move(files.value());
  if (!options.hostfile.empty()) {
    auto placement = read_hostfile(options.hostfile, machine->platform, ranks);
    if (!placement) return placement.error();
    machine->placement = std::move(placement.value());
  } else if (!options.map.empty()) {
    auto placement = map_ranks(options.map, machine->platform, ranks);
    if (!placement) return Error{"--map: " + placement.error().text};
    machine->placement = std::move(placement.value());
  }
  return machine;
}

}  // namespace rehearse::app
