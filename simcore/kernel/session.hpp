// SPDX-License-Identifier: MIT
//
// The connection of a program of actors to the `rehearse` process that drives it (simcore/remote/message_socket.hpp).
// Without that process there is no session, and the program simulates by itself.
//
// Fork:     in the first run() the process becomes a server, and never returns from it. run() returns in its copies:
//           each is one execution, and goes on with main() when nothing more can happen.
// Units:    dates are simulated.
// Errors:   a broken connection ends the process.
// Threads:  the program must have one thread at the first run().
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simcore/actor_api/simulation.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/kernel/world.hpp"
#include "simcore/remote/reports.hpp"
#include "simcore/use_recorder.hpp"

namespace rehearse::sim::kernel {

class Preparing;
class StateServer;
class TimedRecorder;
class UntimedWorld;

class Session {
 public:
  // Null: there is none.
  static Session* find();

  std::unique_ptr<World> make_world(std::unique_ptr<CostModel> costs) const;
  // After the kernel of a simulation was made, and before it is destroyed.
  void prepare(Kernel& kernel);
  void forget(Kernel& kernel);

  // Whether choices in this world come from this session.
  bool drives(World& world) const;
  RunReport run(Kernel& kernel, TimePoint until);
  // A run in simulated time begins; all actors that main() made exist.
  void note_begin(Kernel& kernel);
  // A run in simulated time has ended; its actors still exist. `is_last`: nothing can happen after it.
  void note_end(Kernel& kernel, const RunReport& report, bool is_last);
  // A run in simulated time must not go on behind this date: cut() ends the program then.
  TimePoint latest() const { return orders_ == remote::Orders::record ? reported_.latest : CostModel::never; }
  [[noreturn]] void cut(Kernel& kernel);

 private:
  struct Uses {
    std::unique_ptr<UseRecorder> recorder;
    bool are_sent = true;  // of all of its runs
  };

  explicit Session(int socket);
  ~Session();

  void serve(const std::string& platform);
  void begin_execution();
  std::uint32_t choose(UntimedWorld& world);
  void send_stop(Kernel& kernel, const RunReport& report);
  void send_done(const Kernel& kernel);
  void record_uses(Kernel& kernel);
  void send_uses(Kernel& kernel);
  [[noreturn]] void refuse(const std::string& feature);
  [[noreturn]] void wait_for_quit();
  remote::Message receive();
  void send(remote::MessageKind kind, std::string body);

  remote::Connection connection_;
  remote::Orders orders_ = remote::Orders::explore;
  remote::Reported reported_;
  bool is_copy_ = false;
  std::deque<std::uint32_t> choices_;    // that were received and not made yet
  std::uint64_t passed_ = 0;             // identifies the states so far
  std::unique_ptr<StateServer> states_;  // with Orders::states
  std::map<const Kernel*, std::unique_ptr<Preparing>> prepared_;
  std::map<const Kernel*, std::unique_ptr<TimedRecorder>> recorders_;
  std::map<const Kernel*, Uses> uses_;
};

}  // namespace rehearse::sim::kernel
