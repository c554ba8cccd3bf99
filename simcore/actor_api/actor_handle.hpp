// SPDX-License-Identifier: MIT
//
// An actor, seen from elsewhere.
//
// Ownership: handles are shared; one of an actor that has ended still knows its name.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "simcore/actor_api/reference.hpp"
#include "simcore/actor_api/resources.hpp"

namespace rehearse::sim {

namespace kernel {
struct ActorRecord;
void retain(ActorRecord* record);
void release(ActorRecord* record);
}  // namespace kernel

struct ActorOptions {
  double start_time = 0;  // a date in the past: now
  double kill_time = std::numeric_limits<double>::infinity();
  bool daemon = false;        // ended when no other actor is left
  bool auto_restart = false;  // starts again, from its beginning, when its host is back on
  std::size_t stack_bytes = 0;  // 0: as the Simulation says
  std::map<std::string, std::string> properties = {};
};

class ActorHandle {
 public:
  ActorHandle() = default;  // of nobody
  explicit ActorHandle(kernel::ActorRecord* record) : record_(record) {}
  explicit operator bool() const { return static_cast<bool>(record_); }
  bool operator==(const ActorHandle& other) const = default;

  const std::string& name() const;
  std::uint32_t pid() const;         // 1, 2... in the order of creation
  std::uint32_t parent_pid() const;  // 0: created from outside
  HostRef host() const;
  bool is_alive() const;
  bool is_suspended() const;
  bool is_daemon() const;
  std::uint32_t restart_count() const;
  std::optional<std::string> property(const std::string& name) const;

  void suspend() const;  // with what it is doing (not its sleep), until resume()
  void resume() const;
  void kill() const;     // unwinds its stack when it is its turn
  void join() const;     // waits until it has ended
  [[nodiscard]] bool join(double timeout) const;  // whether it has ended in time
  ActorHandle restart() const;         // kills it and starts it again; the new actor

  void set_host(HostRef host) const;   // moves it and its computations
  void set_kill_time(double date) const;
  void set_auto_restart(bool restart = true) const;
  void daemonize() const;
  // Called when it ends, last one first, with whether it was killed. Must not block.
  void on_exit(std::function<void(bool killed)> callback) const;

  kernel::ActorRecord* record() const { return record_.get(); }

 private:
  Reference<kernel::ActorRecord> record_;
};

}  // namespace rehearse::sim
