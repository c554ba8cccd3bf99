// SPDX-License-Identifier: MIT
//
// Sends the events of a run in simulated time to `rehearse`: starts and ends of actors, their waits, their messages.
//
// Threads: none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simcore/actor_api/activity.hpp"
#include "simcore/kernel/scheduler.hpp"
#include "simcore/remote/reports.hpp"

namespace rehearse::sim::kernel {

class TimedRecorder final : public WaitWatch {
 public:
  // All must outlive it; the kernel notifies it from now on.
  TimedRecorder(Kernel& kernel, remote::Connection& connection);
  ~TimedRecorder() override;

  void begins(const ActorRecord& actor) override;
  void ends(const ActorRecord& actor, Waiting waiting, const void* object) override;

  // Waits that have not ended, at the end of a run.
  void cut();

 private:
  struct Wait {
    TimePoint begin;
    std::string what;
    std::vector<std::uint64_t> frames;
  };
  void send(const remote::TimedEvent& event);
  void message_ended(const ActivityRecord& activity);
  remote::TimedEvent interval_of(const ActorRecord& actor, Waiting waiting, const void* object, const Wait& wait);

  Kernel& kernel_;
  remote::Connection& connection_;
  std::map<const ActorRecord*, Wait> waits_;
};

}  // namespace rehearse::sim::kernel
