// SPDX-License-Identifier: MIT
//
// The life of actors: made, suspended, moved, killed, ended, started again with their host.
//
// Ownership: a living actor, or one that is to start, is held here; whoever names one holds a Reference.
// Errors:    what cannot start or move is BadUse or HostFailure.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "simcore/actor_api/simulation.hpp"
#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

class Actors {
 public:
  Actors(Kernel& kernel, std::size_t hosts) : kernel_(kernel), on_host_(std::make_unique<ListNode[]>(hosts)) {}

  ActorRecord* add(std::string name, HostId host, std::function<void()> function, const ActorOptions& options);
  // The same for an actor of a description: on a host that is off it starts with the host, or not at all.
  void deploy(std::string name, HostId host, std::function<void()> function, const ActorOptions& options);
  ActorRecord* restart(ActorRecord& actor);
  void start_late(ActorRecord& actor);  // its start time has come

  void kill(ActorRecord& actor);
  void set_kill_date(ActorRecord& actor, TimePoint date);
  // Whoever still waits for a lock in a destructor after this will never get it: that stack is abandoned.
  void kill_all();
  // It has returned or was unwound: on its own stack, or on the killer's if it has never run.
  void end(ActorRecord& actor);

  void suspend(ActorRecord& actor);
  void resume(ActorRecord& actor);
  void set_host(ActorRecord& actor, HostId host);
  void make_daemon(ActorRecord& actor);
  void end_idle_daemons();  // if nobody else does anything

  ActorRecord* find(std::uint32_t pid) const;
  std::vector<ActorRecord*> living();
  std::vector<ActorRecord*> on(HostId host);

  // ---- hosts that change
  void host_went_off(HostId host);
  void host_came_on(HostId host);
  bool awaits_hosts() const;  // whether a profile may still start an actor again

 private:
  struct Restart {
    HostId host;
    std::string name;
    std::function<void()> function;
    ActorOptions options;
    std::uint32_t count;
  };

  FailedActor not_started(std::string name, HostId host) const;
  void drop_activities(ActorRecord& actor, bool cancelled);

  Kernel& kernel_;
  std::uint32_t living_ = 0;  // actors that are alive or to start, daemons included
  std::uint32_t daemons_ = 0;
  std::vector<ActorRecord*> by_pid_;     // null: ended
  std::unique_ptr<ListNode[]> on_host_;  // actors by host
  std::vector<Restart> restarts_;
  bool program_ended_ = false;  // an actor has ended that would not start again with its host
};

}  // namespace rehearse::sim::kernel
