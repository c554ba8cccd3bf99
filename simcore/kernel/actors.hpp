// SPDX-License-Identifier: MIT
//
// The life of actors: creation, suspension, moves, kills, ends, restarts with their host.
//
// Ownership: this object holds the actors that are alive or will start; any other user of one holds a Reference.
// Errors:    an actor that cannot start or move is BadUse or HostFailure.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "simcore/actor_api/simulation.hpp"
#include "simcore/kernel/records.hpp"

namespace rehearse::sim::kernel {

class FarSide;

class Actors {
 public:
  Actors(Kernel& kernel, std::size_t hosts) : kernel_(kernel), on_host_(std::make_unique<ListNode[]>(hosts)) {}

  ActorRecord* add(std::string name, HostId host, std::function<void()> function, const ActorOptions& options);
  // The same for an actor of a description. If its host is off, it starts with the host, or never.
  void deploy(std::string name, HostId host, std::function<void()> function, const ActorOptions& options);
  ActorRecord* restart(ActorRecord& actor);
  void start_late(ActorRecord& actor);  // its start time has come

  void kill(ActorRecord& actor);
  void set_kill_date(ActorRecord& actor, TimePoint date);
  // An actor that still waits for a lock in a destructor afterwards never gets it: its stack is abandoned.
  void kill_all();
  // The actor has returned or was unwound. Called on its own stack, or on the killer's if it has never run.
  void end(ActorRecord& actor);

  void suspend(ActorRecord& actor);
  void resume(ActorRecord& actor);
  void set_host(ActorRecord& actor, HostId host);
  void make_daemon(ActorRecord& actor);
  void end_idle_daemons();  // if nothing but daemons is active

  ActorRecord* find(std::uint32_t pid) const;
  // Those of hosts that are not near become far: they never run here.
  void part(const FarSide& far_side);
  void end_far(ActorRecord& actor, bool killed);  // as its process reports
  std::vector<ActorRecord*> living();
  const std::vector<ActorRecord*>& all() const { return by_pid_; }  // null: ended
  std::vector<ActorRecord*> on(HostId host);

  std::uint32_t count_near_to_wait_for() const;  // alive or to start, and no daemons

  // ---- changes of hosts
  void host_went_off(HostId host);
  void host_came_on(HostId host);
  bool awaits_hosts() const;  // whether a profile may still restart an actor

 private:
  struct Restart {
    HostId host;
    std::string name;
    std::function<void()> function;
    ActorOptions options;
    std::uint32_t count;
  };

  void require_near(const ActorRecord& actor, const char* what) const;
  FailedActor not_started(std::string name, HostId host) const;
  void stands_still(const ActorRecord& actor);
  void drop_activities(ActorRecord& actor, bool cancelled);

  Kernel& kernel_;
  std::uint32_t living_ = 0;  // actors that are alive or to start, daemons included
  std::uint32_t daemons_ = 0;
  std::vector<ActorRecord*> by_pid_;     // null: ended
  std::unique_ptr<ListNode[]> on_host_;  // actors by host
  std::vector<Restart> restarts_;
  bool program_ended_ = false;  // an actor without restart has ended
};

}  // namespace rehearse::sim::kernel
