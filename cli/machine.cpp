// SPDX-License-Identifier: MIT
//
// Making the machine.
#include "cli/machine.hpp"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "smpi/collective_rules.hpp"

namespace rehearse::cli {
namespace {

struct Slots {
  std::string host;
  std::uint32_t count = 1;
};

// One line without its comment; nothing if it cannot be read.
std::optional<Slots> parse_line(const std::string& line) {
  std::istringstream words(line);
  Slots slots;
  std::string count, rest;
  words >> slots.host >> count >> rest;
  if (!rest.empty()) return std::nullopt;
  if (const auto colon = slots.host.find(':'); colon != std::string::npos) {
    if (!count.empty()) return std::nullopt;
    count = slots.host.substr(colon + 1);
    slots.host.resize(colon);
  } else if (!count.empty()) {
    if (!count.starts_with("slots=")) return std::nullopt;
    count.erase(0, std::strlen("slots="));
  } else {
    return slots;
  }
  const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), slots.count);
  if (error != std::errc{} || end != count.data() + count.size() || slots.count == 0) return std::nullopt;
  return slots;
}

}  // namespace

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

Result<std::vector<HostId>> read_hostfile(const std::string& file, const Platform& platform, std::uint32_t ranks) {
  std::ifstream in(file);
  if (!in) return Error{file + ": cannot read: " + std::strerror(errno)};
  std::vector<HostId> slots;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = file + ":" + std::to_string(number) + ": ";
    const auto parsed = parse_line(line);
    if (!parsed) return Error{place + "'" + line + "' given; accepted: HOST, HOST:SLOTS or HOST slots=N"};
    const auto host = platform.find_host(parsed->host);
    if (!host) return Error{place + "platform " + platform.name() + " has no host '" + parsed->host + "'"};
    slots.insert(slots.end(), std::min(parsed->count, ranks), *host);
  }
  if (slots.empty()) return Error{file + ": names no host"};
  std::vector<HostId> placement;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) placement.push_back(slots[rank % slots.size()]);
  return placement;
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
