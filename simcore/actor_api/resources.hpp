// SPDX-License-Identifier: MIT
//
// The hosts, links and disks of a simulation's platform, in their current state.
//
// Ownership: cheap values; the Simulation must outlive them.
// Errors:    BadUse for invalid levels and amounts.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/platform.hpp"

namespace rehearse::sim {

namespace kernel {
class Kernel;
}

class ActorHandle;
class DiskRef;
class Exec;
class Io;
struct ActorOptions;

class HostRef {
 public:
  HostRef() = default;  // no host
  HostRef(kernel::Kernel& kernel, HostId id) : kernel_(&kernel), id_(id) {}
  explicit operator bool() const { return kernel_ != nullptr; }
  bool operator==(const HostRef& other) const = default;

  HostId id() const { return id_; }
  const std::string& name() const;
  std::uint32_t cores() const;
  double speed() const;  // flops per second of one core at present, including its profile
  double speed(std::uint32_t pstate) const;
  std::uint32_t pstates() const;
  std::uint32_t pstate() const;
  void set_pstate(std::uint32_t pstate) const;

  bool is_on() const;
  void turn_on() const;   // starts its actors that restart
  void turn_off() const;  // kills its actors, also the calling one

  std::vector<DiskRef> disks() const;
  DiskRef disk(std::string_view name) const;
  std::optional<std::string> property(const std::string& name) const;
  std::vector<ActorHandle> actors() const;

  ActorHandle add_actor(std::string name, std::function<void()> function) const;
  ActorHandle add_actor(std::string name, std::function<void()> function, const ActorOptions& options) const;
  Exec exec_init(double flops) const;
  Exec exec_async(double flops) const;
  void execute(double flops, double priority = 1) const;  // the calling actor waits

  kernel::Kernel* kernel() const { return kernel_; }

 private:
  kernel::Kernel* kernel_ = nullptr;
  HostId id_;
};

class LinkRef {
 public:
  LinkRef() = default;
  LinkRef(kernel::Kernel& kernel, LinkId id) : kernel_(&kernel), id_(id) {}
  explicit operator bool() const { return kernel_ != nullptr; }
  bool operator==(const LinkRef& other) const = default;

  LinkId id() const { return id_; }
  const std::string& name() const;
  double bandwidth() const;
  void set_bandwidth(double bytes_per_second) const;
  double latency() const;
  void set_latency(double seconds) const;
  bool is_on() const;
  void turn_on() const;
  void turn_off() const;
  void set_concurrency_limit(std::uint32_t flows) const;  // 0: none
  void set_capacity_function(std::function<double(double capacity, std::uint32_t flows)> function) const;
  void set_wifi_rate(HostRef station, std::uint32_t level) const;
  std::optional<std::string> property(const std::string& name) const;

 private:
  kernel::Kernel* kernel_ = nullptr;
  LinkId id_;
};

class DiskRef {
 public:
  DiskRef() = default;
  DiskRef(kernel::Kernel& kernel, DiskId id) : kernel_(&kernel), id_(id) {}
  explicit operator bool() const { return kernel_ != nullptr; }
  bool operator==(const DiskRef& other) const = default;

  DiskId id() const { return id_; }
  const std::string& name() const;
  HostRef host() const;
  void set_bandwidths(double read, double write) const;  // together: the larger of both
  void set_bandwidths(double read, double write, double total) const;
  std::optional<std::string> property(const std::string& name) const;

  void read(double bytes, double priority = 1) const;  // the calling actor waits
  void write(double bytes, double priority = 1) const;
  Io read_async(double bytes, double priority = 1) const;
  Io write_async(double bytes, double priority = 1) const;
  Io read_init(double bytes, double priority = 1) const;
  Io write_init(double bytes, double priority = 1) const;

 private:
  kernel::Kernel* kernel_ = nullptr;
  DiskId id_;
};

}  // namespace rehearse::sim
