// SPDX-License-Identifier: MIT
//
// One simulation: a platform, the actors on it, and its time. A process can have several.
//
// Protocol:  make it, add actors (or activities with dependencies, without any actor), run().
// Ownership: the platform must outlive it. It owns mailboxes and queues. At the end of run() no actor remains.
// Errors:    BadUse, with a description of the mistake.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/actor_api/activity.hpp"
#include "simcore/actor_api/actor_handle.hpp"
#include "simcore/actor_api/mailbox.hpp"
#include "simcore/actor_api/message_queue.hpp"
#include "simcore/actor_api/resources.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/platform.hpp"

namespace rehearse::sim {

namespace kernel {
class World;
}

struct SimulationOptions {
  ModelOptions models = {};
  std::size_t stack_bytes = std::size_t{256} << 10;  // of an actor; only used pages take memory
  // Threads that run the code of computations (Exec::set_code), with the one that calls run(); 0: one for each
  // processor. Only in simulated time; dates and results are the same for any number.
  std::uint32_t workers = 1;
};

// How code of computations ran so far (Exec::set_code).
struct CodeUse {
  std::uint64_t runs = 0;
  std::uint64_t runs_by_threads = 0;  // other than that of the simulation
  double hand_over_seconds = 0;       // real time to give code to a thread and to hear of its end; 0: not measured yet
};

// An actor that waits for an event that never happens.
struct BlockedActor {
  std::string name;
  std::string host;
  std::string waits_for;
};

// An actor that ended by an exception.
struct FailedActor {
  std::string name;
  std::string host;
  std::string what;
  double date = 0;
};

struct RunReport {
  double end = 0;
  std::vector<BlockedActor> blocked;  // deadlock, if there are any
  std::vector<FailedActor> failed;
  bool is_deadlock() const { return !blocked.empty(); }
  std::string text() const;  // a line for each blocked and failed actor; empty if there are none
};

class Simulation {
 public:
  using Arguments = std::vector<std::string>;

  explicit Simulation(const Platform& platform, SimulationOptions options = {});
  Simulation(const Platform& platform, std::unique_ptr<CostModel> costs, SimulationOptions options = {});
  Simulation(const Platform& platform, std::unique_ptr<kernel::World> world, SimulationOptions options = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();  // kills the remaining actors

  const Platform& platform() const;
  double now() const;
  CodeUse code_use();
  CostModel& costs();  // for features without a function here: capacity functions, observers, limits

  HostRef host(std::string_view name);
  HostRef host(HostId id);
  std::vector<HostRef> hosts();
  LinkRef link(std::string_view name);
  std::vector<LinkRef> links();
  DiskRef disk(std::string_view host, std::string_view name);
  Mailbox& mailbox(std::string_view name);
  MessageQueue& message_queue(std::string_view name);

  ActorHandle add_actor(std::string name, HostRef host, std::function<void()> function,
                        const ActorOptions& options = {});
  std::vector<ActorHandle> actors();  // alive or to start, by pid
  ActorHandle find_actor(std::uint32_t pid);

  // The actors that the platform's file deploys, each with the function registered under its name.
  void register_function(std::string name, std::function<void(const Arguments&)> function);
  void deploy();
  void deploy(std::span<const DeployedActor> actors);  // from another file: read_deployment()

  // Activities without actors; missing properties are set later.
  Exec exec_init(double flops);
  Exec exec_init(const std::vector<HostRef>& hosts, std::vector<double> flops, std::vector<double> bytes);
  Comm comm_init(double bytes);
  Io io_init(double bytes, IoKind kind = IoKind::read);
  Sleep sleep_init(double seconds);

  // Runs to the end: until nothing more can happen. Daemons are killed when no other actor remains. The run waits for
  // actors that restart with their host while other actors live, or if all actors so far were of that kind.
  RunReport run();
  // Runs to a date, or to the end if that comes first. Another run can follow.
  RunReport run_until(double date);

  // Must not block.
  void on_time_advance(std::function<void(double seconds)> callback);
  void on_activity_start(std::function<void(const Activity&)> callback);
  void on_activity_end(std::function<void(const Activity&)> callback);
  void on_actor_start(std::function<void(const ActorHandle&)> callback);
  void on_actor_end(std::function<void(const ActorHandle&)> callback);
  void on_host_state(std::function<void(const HostRef&, bool is_on)> callback);
  void on_link_state(std::function<void(const LinkRef&, bool is_on)> callback);
  void on_deadlock(std::function<void(const RunReport&)> callback);

  kernel::Kernel& kernel() { return *kernel_; }

 private:
  std::unique_ptr<kernel::Kernel> kernel_;
};

}  // namespace rehearse::sim
