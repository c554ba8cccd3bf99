// SPDX-License-Identifier: MIT
//
// An attached job from its platform to its report.
#include "app/attach.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "app/attach/addresses.hpp"
#include "app/attach/job_folder.hpp"
#include "app/attach/kernel_keys.hpp"
#include "app/attach/session.hpp"
#include "app/child_command.hpp"
#include "app/hostfile.hpp"
#include "app/rank_map.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double tolerated_share_of_latency = 0.05;
constexpr std::size_t host_name_most = 64;  // of the kernel

struct AttachedMachine {
  explicit AttachedMachine(Platform made) : platform(std::move(made)) {}
  Platform platform;
  AttachedKeys keys;
  std::unique_ptr<CostModel> costs;  // refers to the platform
  std::vector<HostId> hosts;         // that take part
  std::vector<std::string> names;
  std::vector<std::uint32_t> placement;  // index in `hosts` of each rank
};

Result<std::vector<HostId>> place(const AttachRequest& request, const Platform& platform) {
  const MachineOptions& machine = request.machine;
  if (!machine.hostfile.empty()) return read_hostfile(machine.hostfile, platform, request.ranks);
  auto placed = map_ranks(machine.map.empty() ? "cyclic" : machine.map, platform, request.ranks);
  if (!placed) return Error{"--map: " + placed.error().text};
  return placed;
}

// Each host of the placement once, in the order of the ranks.
Result<void> choose_hosts(AttachedMachine& machine, const std::vector<HostId>& placement) {
  for (const HostId host : placement) {
    const auto found = std::ranges::find(machine.hosts, host);
    machine.placement.push_back(static_cast<std::uint32_t>(found - machine.hosts.begin()));
    if (found != machine.hosts.end()) continue;
    machine.hosts.push_back(host);
    const std::string& name = machine.platform.host(host).name;
    if (name.size() > host_name_most)
      return Error{fmt::format("host '{}': its name is longer than {} characters", name, host_name_most)};
    machine.names.push_back(name);
  }
  if (machine.hosts.size() > attached_hosts_max)
    return Error{fmt::format("{} hosts take part; accepted: up to {}", machine.hosts.size(), attached_hosts_max)};
  return {};
}

// Most options of models are about flows, and would have no effect.
Result<void> check_flags(const ModelFlags& flags) {
  constexpr const char* accepted = "--network, --packet, --packet-loss, --slow, --profile-seed, --compat";
  constexpr std::array<std::string_view, 6> names = {"network", "packet",       "packet-loss",
                                                     "slow",    "profile-seed", "compat"};
  const auto refuse = [&](const std::string& name) {
    return Error{fmt::format("--{}: has no meaning for real processes; accepted: {}", name, accepted)};
  };
  for (const auto& [name, value] : flags.values)
    if (std::ranges::find(names, name) == names.end()) return refuse(name);
  if (flags.no_cross_traffic) return refuse("no-cross-traffic");
  return {};
}

Result<std::unique_ptr<AttachedMachine>> make_attached_machine(const AttachRequest& request) {
  const ModelFlags& flags = request.machine.models;
  if (const auto checked = check_flags(flags); !checked) return checked.error();
  auto models = make_model_options(flags);
  if (!models) return models.error();
  ModelOptions& options = models.value();
  if (options.network.empty()) options.network = "packet";
  if (options.network != "packet")
    return Error{fmt::format("--network: '{}' given; accepted: packet", options.network)};
  auto keys = split_keys(options.packet, request.time_factor);
  if (!keys) return keys.error();
  options.packet = keys.value().model;
  auto platform =
      make_platform_for(request.machine.on.empty() ? fmt::format("cluster:{}", request.ranks) : request.machine.on,
                        options);
  if (!platform) return platform.error();
  auto machine = std::make_unique<AttachedMachine>(std::move(platform.value()));
  machine->keys = std::move(keys.value());
  auto costs = make_cost_model(options, machine->platform);
  if (!costs) return costs.error();
  machine->costs = std::move(costs.value());
  const auto placement = place(request, machine->platform);
  if (!placement) return placement.error();
  if (const auto chosen = choose_hosts(*machine, placement.value()); !chosen) return chosen.error();
  return machine;
}

// Of the links on the routes between hosts that take part; none: all are 0, or there is one host only.
std::optional<Duration> smallest_latency(const AttachedMachine& machine) {
  constexpr std::size_t hosts_of_all_pairs = 64;
  const bool has_all = machine.hosts.size() <= hosts_of_all_pairs;
  double least = unlimited;
  for (std::size_t from = 0; from < machine.hosts.size(); ++from)
    for (std::size_t to = 0; to < machine.hosts.size(); ++to) {
      if (from == to || (!has_all && to != 0 && from != 0 && to != from + 1)) continue;
      const auto route = machine.platform.find_route(machine.hosts[from], machine.hosts[to]);
      if (!route) continue;
      for (const LinkId link : route->links)
        if (const double latency = machine.platform.link(link).latency_seconds; latency > 0)
          least = std::min(least, latency);
    }
  if (least == unlimited) return std::nullopt;
  return Duration::from_seconds(least * tolerated_share_of_latency);
}

Result<LaunchKind> kind_of(const AttachRequest& request) {
  if (request.start == "copies") return LaunchKind::copies;
  if (request.start == "once") return LaunchKind::once;
  if (request.start == "openmpi") return LaunchKind::openmpi;
  if (request.start == "mpich") return LaunchKind::mpich;
  const std::string& program = request.program[0];
  if (!is_launcher(program)) return LaunchKind::copies;
  const auto version = output_of_command({program, "--version"});
  if (!version) return version.error();
  return launch_kind(program, version.value());
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

Result<void> fill(const JobFolder& folder, const LaunchPlan& plan, const AttachRequest& request) {
  for (const auto& [name, text] : plan.files)
    if (auto written = folder.write(name, text); !written) return written;
  const std::string agent = fmt::format("#!/bin/sh\nexec {} attach --enter-at {} \"$@\"\n", quoted(request.own_program),
                                        quoted(folder.file(socket_file)));
  if (auto written = folder.write(agent_file, agent, true); !written) return written;
  return folder.add_folder(temporary_folder);
}

void report_network(AttachReport& report, const AttachedMachine& machine, const Bridge& bridge) {
  const FrameCounts& frames = bridge.counts();
  report.frames_entered = frames.entered;
  report.frames_delivered = frames.delivered;
  report.frames_dropped = frames.dropped;
  report.frames_marked = frames.marked;
  report.frames_ignored = frames.ignored;
  report.frames_unreachable = frames.unreachable;
  report.frames_inside = bridge.inside();
  const PacketNetwork& network = *machine.costs->packets();
  report.packet_hops = network.totals().packet_hops;
  report.events = network.totals().events;
  for (const PacketLink& link : network.links()) report.links.push_back({machine.platform.link(link.link).name, link});
}

void report_lag(AttachReport& report, const LagMeter& lag) {
  report.max_behind = lag.max_behind().seconds();
  report.mean_behind = lag.mean_behind().seconds();
  report.late_frames = lag.late_events();
  if (lag.limit()) report.behind_limit = lag.limit()->seconds();
  report.proposed_factor = lag.proposed_factor(report.time_factor);
}

void report_programs(AttachReport& report, const LaunchPlan& plan, Session& session, const AttachedMachine& machine) {
  constexpr int killed = 128 + 9;  // with its namespace
  for (std::size_t i = 0; i < plan.programs.size(); ++i) {
    const PlannedProgram& program = plan.programs[i];
    const ProgramEnd end = session.ends()[i].value_or(ProgramEnd{killed, session.now()});
    report.programs.push_back({program.name, machine.names[program.host], end.status, end.date.seconds()});
    report.seconds = std::max(report.seconds, end.date.seconds());
  }
  const std::vector<std::uint64_t> drops = session.kernel_drops();
  for (std::uint32_t i = 0; i < machine.names.size(); ++i)
    report.hosts.push_back({machine.names[i], address_text(address_of(i)), i < drops.size() ? drops[i] : 0});
}

}  // namespace

Result<AttachReport> attach(const AttachRequest& request) {
  auto made = make_attached_machine(request);
  if (!made) return made.error();
  const AttachedMachine& machine = *made.value();
  const auto kind = kind_of(request);
  if (!kind) return kind.error();
  std::error_code problem;
  if (request.time_factor > 1 && !std::filesystem::exists(request.slowing_library, problem))
    return Error{request.slowing_library + " is missing; accepted without it: --time-factor 1"};
  const auto folder = JobFolder::make();
  if (!folder) return folder.error();
  const LaunchPlan plan =
      make_plan({kind.value(), request.program, machine.names, machine.placement, folder.value().path(),
                 request.time_factor, request.slowing_library, realtime_now(), monotonic_now(), geteuid() == 0});
  if (auto filled = fill(folder.value(), plan, request); !filled) return filled.error();
  const auto listener = listen_at(folder.value().file(socket_file));
  if (!listener) return listener.error();
  auto warden = Warden::start({machine.names, machine.keys.mtu, machine.keys.settings, folder.value().file("hosts")});
  if (!warden) return warden.error();
  Bridge bridge(*made.value()->costs, machine.hosts);
  const SessionSetup setup{machine.names,
                           plan.programs,
                           request.environment,
                           plan.agent_environment,
                           std::filesystem::current_path(problem).string(),
                           request.spins,
                           request.stop};
  const std::int64_t start_ns = monotonic_now();
  Session session(*warden.value(), bridge, Pacing(request.time_factor, start_ns), LagMeter(smallest_latency(machine)),
                  listener.value(), setup);
  if (auto done = session.run(); !done) return done.error();
  AttachReport report;
  report.platform = machine.platform.name();
  report.time_factor = request.time_factor;
  report.wall_seconds = static_cast<double>(monotonic_now() - start_ns) * 1e-9;
  report.was_interrupted = session.was_interrupted();
  report.has_realtime_priority = session.has_realtime_priority();
  report.frames_refused = session.refused_frames();
  report_programs(report, plan, session, machine);
  report_network(report, machine, bridge);
  report_lag(report, session.lag());
  return report;
}

}  // namespace rehearse::app
