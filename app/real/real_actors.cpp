// SPDX-License-Identifier: MIT
//
// A run for real from its simulation to its report.
#include "app/real_actors.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "app/actor_steps.hpp"
#include "app/attach/addresses.hpp"
#include "app/hostfile.hpp"
#include "app/real/launcher.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr std::uint32_t processes_max = 256;
constexpr const char* socket_name = "coordinator";

Error system_error(const std::string& what) { return Error{what + ": " + std::strerror(errno)}; }

// ---------------------------------------------------------------- the simulation

void note(SimulatedSide& side, const ActorEvent& event) {
  switch (event.kind) {
    case ActorEvent::Kind::start:
      side.actors[event.actor] = {event.name, event.host, -1};
      side.speed = std::max(side.speed, event.amount);
      break;
    case ActorEvent::Kind::interval:
      if (event.act == ActorEvent::Act::executes) side.flops += event.amount;
      break;
    case ActorEvent::Kind::message:
      ++side.messages;
      side.bytes += event.amount;
      break;
    case ActorEvent::Kind::end: side.actors[event.actor].end = event.end.seconds(); break;
    case ActorEvent::Kind::open: break;
  }
}

std::string read_from_begin(int file) {
  std::string text;
  std::array<char, 1 << 16> part;
  for (ssize_t count; (count = pread(file, part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
    text.append(part.data(), static_cast<std::size_t>(count));
  return text;
}

Result<SimulatedSide> simulate(const RealActorsRequest& request) {
  SimulatedSide side;
  const FileHandle output(memfd_create("rehearse-output", MFD_CLOEXEC));
  if (!output.is_open()) return system_error("memory for the output");
  RemoteActorProgram::Launch launch{request.program, request.arguments};
  launch.output = output.get();
  launch.stop = request.stop;
  auto run = run_actor_program(launch, [&](const ActorEvent& event) { note(side, event); });
  if (!run) return run.error();
  side.run = std::move(run.value());
  side.output = read_from_begin(output.get());
  return side;
}

// ---------------------------------------------------------------- the processes

struct Plan {
  std::vector<std::string> machines;  // of each process; empty: this one
  bool has_remote = false;
};

std::string own_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

Result<std::uint32_t> count_processes(const RealActorsRequest& request, const SimulatedSide& side) {
  const std::uint32_t hosts = side.run.hosts_with_actors;
  const std::uint32_t count = request.processes > 0 ? request.processes : hosts;
  if (count == 0) return Error{request.program + ": no actor exists when run() begins"};
  if (count > hosts)
    return Error{
        fmt::format("--processes: {} given; accepted: up to {}, the number of hosts with actors", count, hosts)};
  if (count > processes_max)
    return Error{fmt::format("{} hosts have actors, and each would have a process; --processes takes up to {}", count,
                             processes_max)};
  return count;
}

Result<Plan> place_processes(const RealActorsRequest& request, std::uint32_t count) {
  Plan plan;
  plan.machines.resize(count);
  if (request.hostfile.empty()) return plan;
  auto names = read_host_names(request.hostfile, count);
  if (!names) return names.error();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string& name = names.value()[i];
    if (name == "localhost" || name == own_name()) continue;
    plan.machines[i] = name;
    plan.has_remote = true;
  }
  const bool has_local = std::ranges::any_of(plan.machines, &std::string::empty);
  if (plan.has_remote && has_local && request.address.empty())
    return Error{request.hostfile +
                 ": processes here and on other machines: --address names the address of this machine"};
  return plan;
}

Result<FileHandle> listen_here(const std::string& path) {
  FileHandle socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return Error{path + ": too long for a socket"};
  std::ranges::copy(path, address.sun_path);
  if (!socket.is_open() || bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket.get(), SOMAXCONN) != 0)
    return system_error(path);
  return socket;
}

Result<FileHandle> listen_to_all(std::uint16_t& port) {
  FileHandle socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t bytes = sizeof address;
  if (!socket.is_open() || bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(socket.get(), SOMAXCONN) != 0 ||
      getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &bytes) != 0)
    return system_error("a port for processes on other machines");
  port = ntohs(address.sin_port);
  return socket;
}

Result<std::string> make_secret() {
  std::array<unsigned char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return system_error("getrandom");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

// Of the processes, in the order of the actors; otherwise numbers.
std::vector<std::string> namespace_names(const SimulatedSide& side, std::uint32_t count) {
  std::vector<std::string> names;
  for (const auto& [number, actor] : side.actors)
    if (std::ranges::find(names, actor.host) == names.end()) names.push_back(actor.host);
  const bool fit = names.size() == count && std::ranges::all_of(names, [](const std::string& name) {
                     constexpr std::size_t most = 64;  // of the kernel
                     return name.size() <= most && name.find_first_of(" \t#") == std::string::npos;
                   });
  if (fit) return names;
  names.clear();
  for (std::uint32_t i = 0; i < count; ++i) names.push_back(fmt::format("process-{}", i));
  return names;
}

struct Sockets {
  std::vector<FileHandle> listeners;
  std::string here, elsewhere;  // RealActorsPlace::coordinator of processes on this machine and on others
};

Result<Sockets> open_sockets(const RealActorsRequest& request, const Plan& plan, const JobFolder& folder) {
  Sockets sockets;
  const std::string path = folder.file(socket_name);
  auto near = listen_here(path);
  if (!near) return near.error();
  sockets.listeners.push_back(std::move(near.value()));
  sockets.here = "unix:" + path;
  if (!plan.has_remote) return sockets;
  std::uint16_t port = 0;
  auto far = listen_to_all(port);
  if (!far) return far.error();
  sockets.listeners.push_back(std::move(far.value()));
  sockets.elsewhere = fmt::format("tcp:{}:{}", request.address.empty() ? "ssh" : request.address, port);
  return sockets;
}

std::vector<StartedProcess> list_processes(const RealActorsRequest& request, const Plan& plan, const Sockets& sockets,
                                           const std::string& secret) {
  std::error_code problem;
  std::vector<std::string> words{std::filesystem::absolute(request.program, problem).string()};
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  std::vector<StartedProcess> processes;
  for (std::uint32_t i = 0; i < plan.machines.size(); ++i) {
    const bool is_remote = !plan.machines[i].empty();
    RealActorsPlace place{is_remote ? sockets.elsewhere : sockets.here, i, secret, "127.0.0.1"};
    if (request.has_namespaces) place.address = address_text(address_of(i));
    else if (is_remote) place.address = "ssh";
    else if (plan.has_remote) place.address = request.address;
    processes.push_back({words, fmt::format("{}={}", real_actors_variable, place.text()), plan.machines[i]});
  }
  return processes;
}

Result<std::unique_ptr<ProcessStarter>> make_starter(const RealActorsRequest& request, const SimulatedSide& side,
                                                     const Plan& plan, const JobFolder& folder) {
  if (request.has_namespaces)
    return make_namespace_starter(namespace_names(side, static_cast<std::uint32_t>(plan.machines.size())), folder);
  return plan.has_remote ? make_ssh_starter(request.ssh) : make_local_starter();
}

Result<void> run_real_side(const RealActorsRequest& request, const Plan& plan, RealActorsReport& report) {
  const auto folder = JobFolder::make();
  if (!folder) return folder.error();
  auto sockets = open_sockets(request, plan, folder.value());
  if (!sockets) return sockets.error();
  const auto secret = make_secret();
  if (!secret) return secret.error();
  auto starter = make_starter(request, report.simulated, plan, folder.value());
  if (!starter) return starter.error();
  std::string output;
  const RunOutput::Write keep = [&](std::string_view text) {
    output += text;
    request.output(text);
  };
  RealLauncher launcher(*starter.value(), std::move(sockets.value().listeners),
                        {request.program, secret.value(),
                         list_processes(request, plan, sockets.value(), secret.value()), keep, request.errors,
                         request.stop});
  if (const auto done = launcher.run(); !done) return done;
  report.real = launcher.result();
  report.was_interrupted = launcher.was_interrupted();
  report.output = compare_output(output, report.simulated.output);
  return {};
}

}  // namespace

Result<RealActorsReport> run_actors_for_real(const RealActorsRequest& request) {
  RealActorsReport report;
  auto simulated = simulate(request);
  if (!simulated) return simulated.error();
  report.simulated = std::move(simulated.value());
  report.was_interrupted = report.simulated.run.was_interrupted;
  if (report.was_interrupted) return report;
  const TimedActorRun& run = report.simulated.run;
  if (!run.has_run && !run.id.empty()) {
    report.is_only_simulated = true;
    report.findings = judge_actors(run.id, run.what, run.exit_status, run.stops);
    return report;
  }
  if (!run.has_run)
    return Error{request.program + ": ended without Simulation::run(): there is nothing to run for real"};
  const auto count = count_processes(request, report.simulated);
  if (!count) return count.error();
  const auto plan = place_processes(request, count.value());
  if (!plan) return plan.error();
  report.machines = plan.value().machines;
  if (const auto done = run_real_side(request, plan.value(), report); !done) return done.error();
  if (report.was_interrupted) return report;
  if (!report.real.refused.empty()) return Error{request.program + ": for real: " + report.real.refused};
  report.findings = judge_actors(report.real.id, report.real.what, report.real.exit_status, report.real.stops);
  return report;
}

}  // namespace rehearse::app
