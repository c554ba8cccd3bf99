// SPDX-License-Identifier: MIT
//
// The public interface of a simulation, on top of its kernel.
#include "simcore/actor_api/simulation.hpp"

#include <cstdio>
#include <utility>

#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/session.hpp"
#include "simcore/kernel/timed_world.hpp"
#include "simcore/real/entry.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::sim {

using kernel::ActivityKind;
using kernel::ActivityRecord;

namespace {

std::unique_ptr<CostModel> make_costs(const Platform& platform, const ModelOptions& options) {
  auto costs = make_cost_model(options, platform);
  if (!costs) throw BadUse(costs.error().text);
  return std::move(costs.value());
}

// A program that `rehearse` drives has another world.
std::unique_ptr<kernel::World> make_world(std::unique_ptr<CostModel> costs) {
  if (kernel::Session* session = kernel::Session::find()) return session->make_world(std::move(costs));
  if (real::takes_part()) return real::make_world(std::move(costs));
  return std::make_unique<kernel::TimedWorld>(std::move(costs));
}

void require_amount(double amount, const char* what) {
  if (!(amount >= 0)) throw BadUse(fmt::format("{} of {:f}", what, amount));
}

}  // namespace

std::string RunReport::text() const {
  std::string result;
  for (const BlockedActor& actor : blocked)
    result += "actor '" + actor.name + "' on '" + actor.host + "' waits for " + actor.waits_for + "\n";
  for (const FailedActor& actor : failed) {
    char date[32];
    std::snprintf(date, sizeof date, "%.6f", actor.date);
    result += "actor '" + actor.name + "' on '" + actor.host + "' failed at " + date + ": " + actor.what + "\n";
  }
  return result;
}

Simulation::Simulation(const Platform& platform, SimulationOptions options)
    : Simulation(platform, make_costs(platform, options.models), options) {}

Simulation::Simulation(const Platform& platform, std::unique_ptr<CostModel> costs, SimulationOptions options)
    : Simulation(platform, make_world(std::move(costs)), std::move(options)) {
  if (kernel::Session* session = kernel::Session::find()) session->prepare(*kernel_);
  real::prepare(*kernel_);
}

Simulation::Simulation(const Platform& platform, std::unique_ptr<kernel::World> world, SimulationOptions options)
    : kernel_(std::make_unique<kernel::Kernel>(*this, platform, std::move(world), options)) {}

Simulation::~Simulation() {
  if (kernel::Session* session = kernel::Session::find()) session->forget(*kernel_);
  real::forget(*kernel_);
}

const Platform& Simulation::platform() const { return kernel_->platform(); }
double Simulation::now() const {
  if (kernel::running_actor() != nullptr) kernel_->world().date_is_read();
  return kernel_->now().seconds();
}
CodeUse Simulation::code_use() { return kernel_->code_workers().use(); }
CostModel& Simulation::costs() { return kernel_->costs(); }

HostRef Simulation::host(std::string_view name) {
  const auto found = platform().find_host(name);
  if (!found) throw BadUse("platform '" + platform().name() + "' has no host '" + std::string(name) + "'");
  return HostRef(*kernel_, *found);
}

HostRef Simulation::host(HostId id) {
  if (id.value >= platform().hosts().size())
    throw BadUse(fmt::format("platform '{}' has no host number {}", platform().name(), id.value));
  return HostRef(*kernel_, id);
}

std::vector<HostRef> Simulation::hosts() {
  std::vector<HostRef> result;
  for (std::uint32_t i = 0; i < platform().hosts().size(); ++i) result.emplace_back(*kernel_, HostId{i});
  return result;
}

LinkRef Simulation::link(std::string_view name) {
  const auto found = platform().find_link(name);
  if (!found) throw BadUse("platform '" + platform().name() + "' has no link '" + std::string(name) + "'");
  return LinkRef(*kernel_, *found);
}

std::vector<LinkRef> Simulation::links() {
  std::vector<LinkRef> result;
  for (std::uint32_t i = 0; i < platform().links().size(); ++i) result.emplace_back(*kernel_, LinkId{i});
  return result;
}

DiskRef Simulation::disk(std::string_view host_name, std::string_view name) { return host(host_name).disk(name); }
Mailbox& Simulation::mailbox(std::string_view name) { return kernel_->exchange().mailbox(name); }
MessageQueue& Simulation::message_queue(std::string_view name) { return kernel_->exchange().message_queue(name); }

ActorHandle Simulation::add_actor(std::string name, HostRef host, std::function<void()> function,
                                  const ActorOptions& options) {
  if (!host) throw BadUse("actor '" + name + "' has no host");
  return ActorHandle(kernel_->actors().add(std::move(name), host.id(), std::move(function), options));
}

std::vector<ActorHandle> Simulation::actors() {
  std::vector<ActorHandle> result;
  for (kernel::ActorRecord* actor : kernel_->actors().living()) result.emplace_back(actor);
  return result;
}

ActorHandle Simulation::find_actor(std::uint32_t pid) { return ActorHandle(kernel_->actors().find(pid)); }

void Simulation::register_function(std::string name, std::function<void(const Arguments&)> function) {
  kernel_->functions()[std::move(name)] = std::move(function);
}

void Simulation::deploy() { deploy(platform().actors()); }

void Simulation::deploy(std::span<const DeployedActor> actors) {
  for (const DeployedActor& actor : actors) {
    const auto function = kernel_->functions().find(actor.function);
    if (function == kernel_->functions().end()) {
      std::string known;
      for (const auto& entry : kernel_->functions()) known += (known.empty() ? "" : ", ") + entry.first;
      throw BadUse("no function is registered as '" + actor.function + "', which the platform deploys on '" +
                   kernel_->host_name(actor.host) + "'; there are: " + (known.empty() ? "none" : known));
    }
    ActorOptions options;
    if (actor.start_seconds > 0) options.start_time = actor.start_seconds;
    if (actor.kill_seconds) options.kill_time = *actor.kill_seconds;
    options.auto_restart = actor.is_restarted;
    options.properties = actor.properties;
    kernel_->actors().deploy(
        actor.function, actor.host, [code = function->second, arguments = actor.arguments] { code(arguments); },
        options);
  }
}

Exec Simulation::exec_init(double flops) {
  require_amount(flops, "a number of flops");
  ActivityRecord* record = kernel_->activities().make(ActivityKind::exec);
  record->amount = flops;
  return Exec(record);
}

Exec Simulation::exec_init(const std::vector<HostRef>& hosts, std::vector<double> flops, std::vector<double> bytes) {
  return Exec(kernel_->activities().make(ActivityKind::exec)).set_hosts(hosts, std::move(flops), std::move(bytes));
}

Comm Simulation::comm_init(double bytes) {
  require_amount(bytes, "a number of bytes");
  ActivityRecord* record = kernel_->activities().make(ActivityKind::comm);
  record->amount = bytes;
  return Comm(record);
}

Io Simulation::io_init(double bytes, IoKind kind) {
  require_amount(bytes, "a number of bytes");
  ActivityRecord* record = kernel_->activities().make(ActivityKind::io);
  record->amount = bytes;
  record->is_write = kind == IoKind::write;
  return Io(record);
}

Sleep Simulation::sleep_init(double seconds) {
  require_amount(seconds, "a number of seconds");
  ActivityRecord* record = kernel_->activities().make(ActivityKind::pause);
  record->amount = seconds;
  return Sleep(record);
}

RunReport Simulation::run() { return kernel_->run(CostModel::never); }
RunReport Simulation::run_until(double date) { return kernel_->run(kernel::date_from(date)); }

void Simulation::on_time_advance(std::function<void(double)> callback) {
  kernel_->callbacks().on_time_advance.push_back(std::move(callback));
}
void Simulation::on_activity_start(std::function<void(const Activity&)> callback) {
  kernel_->callbacks().on_activity_start.push_back(std::move(callback));
}
void Simulation::on_activity_end(std::function<void(const Activity&)> callback) {
  kernel_->callbacks().on_activity_end.push_back(std::move(callback));
}
void Simulation::on_actor_start(std::function<void(const ActorHandle&)> callback) {
  kernel_->callbacks().on_actor_start.push_back(std::move(callback));
}
void Simulation::on_actor_end(std::function<void(const ActorHandle&)> callback) {
  kernel_->callbacks().on_actor_end.push_back(std::move(callback));
}
void Simulation::on_host_state(std::function<void(const HostRef&, bool)> callback) {
  kernel_->callbacks().on_host_state.push_back(std::move(callback));
}
void Simulation::on_link_state(std::function<void(const LinkRef&, bool)> callback) {
  kernel_->callbacks().on_link_state.push_back(std::move(callback));
}
void Simulation::on_deadlock(std::function<void(const RunReport&)> callback) {
  kernel_->callbacks().on_deadlock.push_back(std::move(callback));
}

}  // namespace rehearse::sim
