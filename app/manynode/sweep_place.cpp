// SPDX-License-Identifier: MIT
//
// See sweep_place.hpp.
#include "app/manynode/sweep_place.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>

#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

struct Unit {
  const char* name;
  double factor;
};
constexpr Unit bandwidth_units[] = {{"Tbps", 1.25e11}, {"Gbps", 1.25e8}, {"Mbps", 1.25e5}, {"kbps", 125},
                                    {"TBps", 1e12},    {"GBps", 1e9},    {"MBps", 1e6},    {"kBps", 1e3}};
constexpr Unit time_units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};

// A number and the text behind it.
std::optional<std::pair<double, std::string>> number_and_unit(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(number) || number < 0) return std::nullopt;
  return std::pair(number, std::string(end));
}

// The values of all parameters of a point, as far as they do not belong to the machine's options.
struct AppliedValues {
  double speed = 1, noise = 1, node_sd = 0;
  std::string bandwidth, latency;  // to be related to the platform; empty: as it is
};

Result<double> plain_number(const std::string& key, const std::string& text, double least) {
  const auto number = number_and_unit(text);
  if (!number || !number->second.empty() || number->first < least)
    return Error{fmt::format("--vary: {}: '{}'; accepted: a number from {}", key, text, least)};
  return number->first;
}

Result<void> apply_value(const std::string& key, const std::string& text, MachineOptions& machine,
                         AppliedValues& values) {
  if (key == "bandwidth") {
    values.bandwidth = text;
  } else if (key == "latency") {
    values.latency = text;
  } else if (key == "placement") {
    machine.map = text;
  } else if (key == "collectives") {
    machine.collectives = text;
  } else if (key == "speed" || key == "noise" || key == "node-noise") {
    const Result<double> number = plain_number(key, text, 0);
    if (!number) return number.error();
    if (key == "speed" && number.value() == 0) return Error{"--vary: speed: '0'; accepted: a number above 0"};
    (key == "speed" ? values.speed : key == "noise" ? values.noise : values.node_sd) = number.value();
  } else {
    std::string known = "bandwidth, latency, speed, noise, node-noise, placement, collectives";
    for (const ModelFlag& flag : model_flags()) {
      known += std::string(", ") + flag.name;
      if (key != flag.name) continue;
      machine.models.values[key] = text;
      return {};
    }
    return Error{fmt::format("--vary: '{}'; accepted: {}", key, known)};
  }
  return {};
}

// The factor that makes `present` what the text says: a factor itself, or a value with a unit.
template <std::size_t N>
Result<double> factor_for(const std::string& key, const std::string& text, const Unit (&units)[N],
                          const std::function<std::optional<double>()>& present) {
  const auto number = number_and_unit(text);
  if (number && number->second.empty()) return number->first;
  std::string known;
  for (const Unit& unit : units) {
    known += std::string(known.empty() ? "" : ", ") + unit.name;
    if (!number || number->second != unit.name) continue;
    const std::optional<double> value = present();
    if (!value || *value <= 0)
      return Error{
          fmt::format("--vary: {}: '{}': the platform has no link between its first two hosts to compare with; "
                      "accepted: a factor",
                      key, text)};
    return number->first * unit.factor / *value;
  }
  return Error{fmt::format("--vary: {}: '{}'; accepted: a factor, or a value for the first link of a host with one of "
                           "the units {}",
                           key, text, known)};
}

// The first link on the way between the first two hosts.
std::optional<Link> first_link(const MachineOptions& options, std::uint32_t ranks) {
  auto models = make_model_options(options.models);
  if (!models) return std::nullopt;
  auto platform = make_platform_for(options.on.empty() ? fmt::format("cluster:{}", ranks) : options.on, models.value());
  if (!platform || platform.value().hosts().size() < 2) return std::nullopt;
  const auto route = platform.value().find_route({0}, {1});
  if (!route || route->links.empty()) return std::nullopt;
  return platform.value().link(route->links.front());
}

Result<void> apply_network(const AppliedValues& values, std::uint32_t ranks, MachineOptions& machine) {
  if (!values.bandwidth.empty()) {
    const auto factor = factor_for("bandwidth", values.bandwidth, bandwidth_units, [&]() -> std::optional<double> {
      const auto link = first_link(machine, ranks);
      return link ? std::optional(link->bytes_per_second) : std::nullopt;
    });
    if (!factor) return factor.error();
    if (factor.value() == 0) return Error{"--vary: bandwidth: '0'; accepted: a number above 0"};
    machine.changes.bandwidth_factor *= factor.value();
  }
  if (!values.latency.empty()) {
    const auto factor = factor_for("latency", values.latency, time_units, [&]() -> std::optional<double> {
      const auto link = first_link(machine, ranks);
      return link ? std::optional(link->latency_seconds) : std::nullopt;
    });
    if (!factor) return factor.error();
    machine.changes.latency_factor *= factor.value();
  }
  return {};
}

bool runs_collectives_alone(CollectiveDurations choice, const Machine& machine) {
  if (choice == CollectiveDurations::automatic) return machine.network == "constant";
  return choice == CollectiveDurations::alone;
}

}  // namespace

Result<std::unique_ptr<SweepPlace>> prepare(const SweepRequest& request, const SweepPoint& point,
                                            std::shared_ptr<const manynode::Skeleton> skeleton,
                                            const manynode::RecordedTimes* recorded) {
  MachineOptions options = request.machine;
  options.on = point.platform;
  AppliedValues values;
  for (const auto& [key, text] : point.parameters)
    if (const auto applied = apply_value(key, text, options, values); !applied) return applied.error();
  if (const auto applied = apply_network(values, point.ranks, options); !applied) return applied.error();
  auto machine = make_machine(options, point.ranks);
  if (!machine) return machine.error();
  auto place = std::make_unique<SweepPlace>();
  place->machine = std::move(machine.value());
  place->machine->costs = nullptr;
  manynode::ReplicaSetting& setting = place->setting;
  setting.skeleton = std::move(skeleton);
  setting.run.ranks = point.ranks;
  setting.run.seed = request.seed;
  setting.run.variability = point.variability;
  setting.run.recorded = recorded;
  setting.run.noise = values.noise;
  setting.platform = &place->machine->platform;
  setting.models = place->machine->models;
  setting.speed = values.speed;
  setting.node_sd = point.variability == manynode::Variability::mean ? 0 : values.node_sd;
  apply(place->machine->protocol, setting.engine);
  setting.engine.placement = place->machine->placement;
  setting.engine.collectives = place->machine->collectives.get();
  // A delay is all that a message costs there.
  if (place->machine->network == "constant") setting.engine.combine_flops_per_byte = 0;
  place->has_collectives_alone = runs_collectives_alone(request.collectives, *place->machine);
  return place;
}

}  // namespace rehearse::app
