// SPDX-License-Identifier: MIT
//
// Hosts, links and disks: data of the platform, and actions of the cost model.
#include "simcore/actor_api/resources.hpp"

#include <utility>

#include "simcore/actor_api/this_actor.hpp"
#include "simcore/kernel/far_side.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::sim {
namespace {

template <class Id>
std::optional<std::string> find_property(const Platform& platform, Id id, const std::string& name) {
  const Properties* properties = platform.properties(id);
  if (properties == nullptr) return {};
  const auto found = properties->find(name);
  if (found == properties->end()) return {};
  return found->second;
}

void touch(kernel::Kernel& kernel) {
  if (kernel::running_actor() != nullptr) kernel.before({kernel::Touched::resource, 0});
}

// For actors in several processes, hosts and links are as they are.
void require_simulated(kernel::Kernel& kernel, const std::string& change) {
  if (kernel::FarSide* far = kernel.world().far_side()) far->refuse("a change of " + change);
}

void require_bandwidth(double value) {
  if (!(value >= 0)) throw BadUse(fmt::format("a bandwidth of {:f} bytes per second", value));
}

}  // namespace

// ---------------------------------------------------------------- hosts

const std::string& HostRef::name() const { return kernel_->host_name(id_); }
std::uint32_t HostRef::cores() const { return kernel_->platform().host(id_).cores; }
double HostRef::speed() const { return kernel_->costs().host_speed(id_, kernel_->now()); }

double HostRef::speed(std::uint32_t pstate) const {
  const auto speeds = kernel_->platform().speeds(id_);
  if (pstate >= speeds.size())
    throw BadUse(fmt::format("host '{}' has no speed state {}: it has {}", name(), pstate, speeds.size()));
  return speeds[pstate];
}

std::uint32_t HostRef::pstates() const { return static_cast<std::uint32_t>(kernel_->platform().speeds(id_).size()); }
std::uint32_t HostRef::pstate() const { return kernel_->costs().pstate(id_); }

void HostRef::set_pstate(std::uint32_t pstate) const {
  (void)speed(pstate);
  require_simulated(*kernel_, "the speed of host '" + name() + "'");
  touch(*kernel_);
  kernel_->costs().set_pstate(id_, pstate, kernel_->now());
}

bool HostRef::is_on() const { return kernel_->costs().is_host_on(id_, kernel_->now()); }

void HostRef::turn_on() const {
  touch(*kernel_);
  kernel_->changes().set_host_on(id_, true);
}

void HostRef::turn_off() const {
  touch(*kernel_);
  kernel_->changes().set_host_on(id_, false);
}

std::vector<DiskRef> HostRef::disks() const {
  std::vector<DiskRef> result;
  for (const DiskId disk : kernel_->platform().disks_of(id_)) result.emplace_back(*kernel_, disk);
  return result;
}

DiskRef HostRef::disk(std::string_view disk) const {
  const auto found = kernel_->platform().find_disk(id_, disk);
  if (!found) throw BadUse("host '" + name() + "' has no disk '" + std::string(disk) + "'");
  return DiskRef(*kernel_, *found);
}

std::optional<std::string> HostRef::property(const std::string& name) const {
  return find_property(kernel_->platform(), id_, name);
}

std::vector<ActorHandle> HostRef::actors() const {
  std::vector<ActorHandle> result;
  for (kernel::ActorRecord* actor : kernel_->actors().on(id_)) result.emplace_back(actor);
  return result;
}

ActorHandle HostRef::add_actor(std::string name, std::function<void()> function) const {
  return add_actor(std::move(name), std::move(function), ActorOptions{});
}

ActorHandle HostRef::add_actor(std::string name, std::function<void()> function, const ActorOptions& options) const {
  return kernel_->simulation().add_actor(std::move(name), *this, std::move(function), options);
}

Exec HostRef::exec_init(double flops) const { return kernel_->simulation().exec_init(flops).set_host(*this); }
Exec HostRef::exec_async(double flops) const { return exec_init(flops).start(); }
void HostRef::execute(double flops, double priority) const { exec_init(flops).set_priority(priority).wait(); }

// ---------------------------------------------------------------- links

const std::string& LinkRef::name() const { return kernel_->platform().link(id_).name; }
double LinkRef::bandwidth() const { return kernel_->costs().bandwidth(id_, kernel_->now()); }

void LinkRef::set_bandwidth(double bytes_per_second) const {
  require_bandwidth(bytes_per_second);
  require_simulated(*kernel_, "link '" + name() + "'");
  touch(*kernel_);
  kernel_->costs().set_bandwidth(id_, bytes_per_second, kernel_->now());
}

double LinkRef::latency() const { return kernel_->costs().link_latency(id_, kernel_->now()); }

void LinkRef::set_latency(double seconds) const {
  if (!(seconds >= 0)) throw BadUse(fmt::format("a latency of {:f} s", seconds));
  require_simulated(*kernel_, "link '" + name() + "'");
  touch(*kernel_);
  kernel_->costs().set_latency(id_, seconds, kernel_->now());
}

bool LinkRef::is_on() const { return kernel_->costs().is_link_on(id_, kernel_->now()); }

void LinkRef::turn_on() const {
  touch(*kernel_);
  kernel_->costs().set_link_on(id_, true, kernel_->now());
  kernel_->changes().handle();
}

void LinkRef::turn_off() const {
  require_simulated(*kernel_, "link '" + name() + "'");
  touch(*kernel_);
  kernel_->costs().set_link_on(id_, false, kernel_->now());
  kernel_->changes().handle();
}

void LinkRef::set_concurrency_limit(std::uint32_t flows) const {
  require_simulated(*kernel_, "link '" + name() + "'");
  kernel_->costs().set_concurrency_limit(id_, flows, kernel_->now());
}

void LinkRef::set_capacity_function(std::function<double(double, std::uint32_t)> function) const {
  require_simulated(*kernel_, "link '" + name() + "'");
  kernel_->costs().set_link_capacity_function(id_, std::move(function), kernel_->now());
}

void LinkRef::set_wifi_rate(HostRef station, std::uint32_t level) const {
  require_simulated(*kernel_, "link '" + name() + "'");
  kernel_->costs().set_wifi_rate(id_, station.id(), level, kernel_->now());
}

std::optional<std::string> LinkRef::property(const std::string& name) const {
  return find_property(kernel_->platform(), id_, name);
}

// ---------------------------------------------------------------- disks

const std::string& DiskRef::name() const { return kernel_->platform().disk(id_).name; }
HostRef DiskRef::host() const { return HostRef(*kernel_, kernel_->platform().disk(id_).host); }

void DiskRef::set_bandwidths(double read, double write) const {
  set_bandwidths(read, write, read > write ? read : write);
}

void DiskRef::set_bandwidths(double read, double write, double total) const {
  require_bandwidth(read);
  require_bandwidth(write);
  require_bandwidth(total);
  require_simulated(*kernel_, "disk '" + name() + "'");
  touch(*kernel_);
  kernel_->costs().set_disk_bandwidths(id_, read, write, total, kernel_->now());
}

std::optional<std::string> DiskRef::property(const std::string& name) const {
  return find_property(kernel_->platform(), id_, name);
}

Io DiskRef::read_init(double bytes, double priority) const {
  return kernel_->simulation().io_init(bytes, IoKind::read).set_priority(priority).set_disk(*this);
}

Io DiskRef::write_init(double bytes, double priority) const {
  return kernel_->simulation().io_init(bytes, IoKind::write).set_priority(priority).set_disk(*this);
}

Io DiskRef::read_async(double bytes, double priority) const { return read_init(bytes, priority).start(); }
Io DiskRef::write_async(double bytes, double priority) const { return write_init(bytes, priority).start(); }
void DiskRef::read(double bytes, double priority) const { read_init(bytes, priority).wait(); }
void DiskRef::write(double bytes, double priority) const { write_init(bytes, priority).wait(); }

}  // namespace rehearse::sim
