// SPDX-License-Identifier: MIT
//
// Making the machine.
#include "cli/machine.hpp"

#include <CLI/CLI.hpp>

#include "cli/hostfile.hpp"
#include "cli/job.hpp"
#include "smpi/collective_rules.hpp"

namespace rehearse::cli {

bool is_synchronisation(std::string_view word) {
  return word == "both" || word == "relaxed" || word == "synchronising";
}

void declare_platform(CLI::App& app, MachineOptions& options) {
  app.add_option("--on", options.on, "platform: a built-in one (rehearse list platforms) or an XML file");
  declare(app, options.models);
  app.add_option("--hostfile", options.hostfile, "which hosts the ranks run on: lines HOST, HOST:SLOTS");
}

void declare_algorithms(CLI::App& app, const std::string& names, MachineOptions& options) {
  app.add_option(names, options.collectives,
                 "algorithms of collectives: generic, ompi, mpich, a file of rules, OPERATION=ALGORITHM,...");
}

void declare(CLI::App& app, MachineOptions& options) {
  declare_platform(app, options);
  // The second name is the older one; it means something else for `check`.
  declare_algorithms(app, "--collective-algorithms,--collectives", options);
  declare(app, options.compute);
}

smpi::NodeMap nodes_of(const Machine& machine, std::uint32_t ranks) {
  std::vector<std::string> names;
  const auto hosts = static_cast<std::uint32_t>(machine.platform.hosts().size());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const HostId host = machine.placement.empty() ? HostId{rank % hosts} : machine.placement[rank];
    names.push_back(machine.platform.host(host).name);
  }
  return nodes_of(names);
}

Result<std::unique_ptr<Machine>> make_machine(const MachineOptions& options, std::uint32_t ranks) {
  auto models = make_model_options(options.models);
  if (!models) return models.error();
  auto platform = make_platform(options.on.empty() ? "cluster:" + std::to_string(ranks) : options.on,
                                routes_of(models.value()));
  if (!platform) return platform.error();
  auto machine = std::make_unique<Machine>(Machine{std::move(platform.value()), {}, {}, nullptr, {}, nullptr});
  auto costs = make_cost_model(models.value(), machine->platform);
  if (!costs) return costs.error();
  machine->models = models.value();
  machine->network = network_model_name(models.value(), machine->platform);
  machine->costs = std::move(costs.value());
  auto collectives = make_schedules(options.collectives, smpi::collective_rules());
  if (!collectives) {
    std::string text = "--collective-algorithms: " + collectives.error().text;
    if (is_synchronisation(options.collectives))
      text += "; whether members of a collective wait for all others is --collective-synchronisation of rehearse check";
    return Error{text};
  }
  machine->collectives = std::move(collectives.value());
  if (!options.hostfile.empty()) {
    auto placement = read_hostfile(options.hostfile, machine->platform, ranks);
    if (!placement) return placement.error();
    machine->placement = std::move(placement.value());
  }
  return machine;
}

}  // namespace rehearse::cli
