// SPDX-License-Identifier: MIT
//
// The events of actors as a recording with a lane for each actor, for the same pictures as runs of MPI programs.
//
// Threads: none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/recording.hpp"
#include "simcore/actor_events.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct ActorPictures {
  Recording recording;
  Platform platform;  // only the hosts of the actors: the program makes its own, which is in another process
};

class ActorRecorder {
 public:
  void add(const ActorEvent& event);

  // Call it once. `platform`: the name of the program's platform. `stops`: actors that did not come to their end.
  Result<ActorPictures> finish(const std::string& platform, TimePoint end, const ActorsEnd& stops);

 private:
  void start(const ActorEvent& event);
  void add_interval(const ActorEvent& event, std::uint32_t lane);
  void connect(RecordedMessage& message) const;
  std::uint32_t place_of(const Frame& frame);

  struct KnownHost {
    std::string name;
    double speed = 0;
  };
  Recording recording_;
  std::vector<KnownHost> hosts_;
  std::map<std::uint32_t, std::uint32_t> lanes_;  // by number of the actor
};

}  // namespace rehearse::app
