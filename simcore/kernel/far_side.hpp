// SPDX-License-Identifier: MIT
//
// What a kernel asks for when its actors are in several processes. Each process has all records that main() makes, but
// runs only the actors of its own hosts; the others are `far`.
//
// Mailboxes: all puts and gets of a mailbox meet in one process, its home. There they are matched as in one process,
//            with records that stand for those of other processes (RemoteEnds).
// Threads:   none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "simcore/kernel/records.hpp"
#include "simcore/platform.hpp"

namespace rehearse::sim::kernel {

struct PutGetQueue;

// Of a message at its home: the ends that are in other processes, by their process and number there.
struct RemoteEnds {
  struct End {
    std::uint32_t process = 0;
    std::uint64_t number = 0;
  };
  std::optional<End> sender, receiver;
  bool has_payload = false;  // it came with its announcement
};

enum class FarOrder : std::uint8_t { kill, suspend, resume };

class FarSide {
 public:
  virtual ~FarSide() = default;

  // ---- hosts and actors
  virtual bool is_near(HostId host) const = 0;
  // The number of the next actor that an actor here makes; `next` in one process.
  virtual std::uint32_t number_of_actor(std::uint32_t next) const = 0;
  virtual void order(const ActorRecord& far, FarOrder order) = 0;
  virtual void actor_ends(const ActorRecord& actor, bool killed) = 0;
  virtual void host_is_set(HostId host, bool is_on) = 0;  // by an actor here

  // An actor here uses a mutex, a queue or another object that is in the memory of one process. `name`: the same in all
  // processes.
  virtual void uses(std::uint64_t name, Touched what) = 0;

  // ---- mailboxes; `place` belongs to one
  virtual void post_far(ActivityRecord& activity) = 0;  // a put or get whose home is not here, or unknown
  // Waits until the home is known, and claims it. BadUse: it is elsewhere, so `what` is not possible.
  virtual void require_home(const PutGetQueue& place, const char* what) = 0;
  // After the limit of the running actor's wait: takes the message back. False: it has ended meanwhile.
  virtual bool take_back(ActivityRecord& activity) = 0;

  // The program asks for something that does not exist between processes: ends the run by an error.
  [[noreturn]] virtual void refuse(const std::string& what) = 0;
};

}  // namespace rehearse::sim::kernel
