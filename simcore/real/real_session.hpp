// SPDX-License-Identifier: MIT
//
// The part of a program of actors in a run for real (docs/design/real-actors.md): this process is one of several of the
// same program. The first Simulation, or the first object that actors share, connects it with the others.
//
// Clock:    the start is a date of the coordinator's clock. Its difference from the clock here is estimated by the
//           fastest of some round trips (Cristian, Probabilistic clock synchronization, Distributed Computing 3, 1989).
// Output:   marks in the standard output and error where a run begins and ends.
// Errors:   without a connection the process ends with status 2 and a line on standard error.
// Threads:  the program must use the API in one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "simcore/actor_api/simulation.hpp"
#include "simcore/real/real_world.hpp"
#include "simcore/real_coordinator.hpp"

namespace rehearse::sim::kernel {
class Preparing;
}

namespace rehearse::real {

class RealSession {
 public:
  // Null: there is none.
  static RealSession* find();

  std::unique_ptr<sim::kernel::World> make_world(std::unique_ptr<CostModel> states);
  // After the kernel of a simulation was made, and before it is destroyed.
  void prepare(sim::kernel::Kernel& kernel);
  void forget(sim::kernel::Kernel& kernel);
  // A name for an object that main() makes before the first simulation: the same in all processes.
  std::uint64_t name_of_early_object() { return ++early_objects_; }

  bool drives(sim::kernel::World& world) const;
  sim::RunReport run(sim::kernel::Kernel& kernel, TimePoint until);

 private:
  explicit RealSession(const RealActorsPlace& place);
  ~RealSession();

  void join();
  void compare_clocks();
  void received(ControlKind kind, const std::string& body);
  void await_start(sim::kernel::Kernel& kernel);
  sim::RunReport finish(sim::kernel::Kernel& kernel);
  void mark(bool begins) const;

  RealActorsPlace place_;
  boost::asio::io_context io_;
  ControlLink control_;
  PeerNetwork network_;
  std::optional<std::vector<PeerAddress>> peers_;
  RealWorld* world_ = nullptr;  // of the present run
  std::uint32_t run_ = 0;
  std::uint64_t early_objects_ = 0;
  std::optional<std::int64_t> coordinator_ns_;  // the latest answer to a ping
  std::int64_t clock_difference_ns_ = 0;        // coordinator's clock - this one
  double clock_error_ = 0;
  std::optional<std::int64_t> start_ns_;  // on the coordinator's clock
  std::optional<sim::RunReport> report_;  // of all processes
  std::map<const sim::kernel::Kernel*, std::unique_ptr<sim::kernel::Preparing>> prepared_;
};

}  // namespace rehearse::real
