// SPDX-License-Identifier: MIT
//
// A handle of an actor, for other code.
//
// Ownership: handles are shared; the handle of an ended actor still has its name.
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
  bool daemon = false;          // ends when no other actor remains
  bool auto_restart = false;    // starts again, from its beginning, when its host is back on
  std::size_t stack_bytes = 0;  // 0: default of the Simulation
  std::map<std::string, std::string> properties = {};
  // Of its computations and messages, in maps of the run. "": that of the actor that adds it.
  std::string category = {};
};

class ActorHandle {
 public:
  ActorHandle() = default;  // refers to no actor
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

  void suspend() const;  // the actor and its activity (not its sleep), until resume()
  void resume() const;
  void kill() const;                              // unwinds its stack when it runs next
  void join() const;                              // waits until it has ended
  [[nodiscard]] bool join(double timeout) const;  // whether it has ended in time
  ActorHandle restart() const;                    // kills it and starts it again; returns the new actor

  void set_host(HostRef host) const;  // moves it and its computations
  void set_kill_time(double date) const;
  void set_auto_restart(bool restart = true) const;
  void daemonize() const;
  // Called when it ends, the last callback first. The argument says whether it was killed. Must not block.
  void on_exit(std::function<void(bool killed)> callback) const;

  kernel::ActorRecord* record() const { return record_.get(); }

 private:
  Reference<kernel::ActorRecord> record_;
};

}  // namespace rehearse::sim
