// SPDX-License-Identifier: MIT
//
// The kernel's records of actors and activities.
//
// Ownership: reference counts (retain, release). The kernel has references to living actors and activities in progress.
// Invariant: a record is in the list of a hook exactly while the condition in the hook's comment holds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor_api/activity.hpp"
#include "simcore/actor_api/actor_handle.hpp"
#include "simcore/actor_api/payload.hpp"
#include "simcore/actor_api/reference.hpp"
#include "simcore/fiber.hpp"
#include "simcore/kernel/code.hpp"
#include "simcore/kernel/intrusive_list.hpp"
#include "simcore/kernel/naming.hpp"
#include "simcore/kernel/timer_heap.hpp"
#include "simcore/platform.hpp"
#include "simcore/time.hpp"
#include "simcore/way.hpp"

namespace rehearse::sim::kernel {

class Kernel;
struct PutGetQueue;
struct RemoteEnds;
class RecordPool;

// The kind of object that an actor waits for, for reports.
enum class Waiting : std::uint64_t {  // as wide as a pointer: a Footprint has no gaps
  nothing,
  turn,
  date,
  activity,
  set,
  mutex,
  semaphore,
  barrier,
  condition,
  actor,
  resumption,
};

struct KillTimer : Timer {
  KillTimer() : Timer(TimerKind::actor_is_killed) {}
  ActorRecord* actor = nullptr;
};

// State that only few actors need.
struct ActorExtras {
  std::vector<std::function<void(bool)>> on_exit;
  ActorOptions options;
  std::uint32_t restart_count = 0;
  KillTimer kill_timer;
};

enum class Touched : std::uint64_t {
  mailbox,
  queue,
  activity,
  mutex,
  semaphore,
  barrier,
  condition,
  variable,
  actor,
  resource,
};

// The object that the next visible action of an actor touches.
struct Footprint {
  Touched what = Touched::actor;
  std::uint64_t object = 0;  // its number, for texts; 0 of an actor: none
  // Fills in the Way of the action in the current state. Null: it may touch any object, and is possible.
  void (*ask)(const void* asked, const ActorRecord& self, Way& way) = nullptr;
  const void* asked = nullptr;
  Waiting waiting = Waiting::turn;  // the kind of object, while the action is not possible
  const void* waited_for = nullptr;
  bool operator==(const Footprint&) const = default;
};

struct ReadyPlace;
struct WaitPlace;
struct HostPlace;
struct ActorRecord : Hook<ReadyPlace>,  // it can run and waits for its turn
                     Hook<WaitPlace>,   // it waits for an activity, a mutex...
                     Hook<HostPlace>,   // it is alive or will start
                     Timer {            // of its sleep, timeout or start
  ActorRecord() : Timer(TimerKind::actor_wakes) {}

  enum class Phase : std::uint8_t { to_start, alive, ended };

  std::uint32_t references = 0;
  std::uint32_t pid = 0, category = 0;  // of the activities that it makes
  Kernel* kernel = nullptr;
  Fiber fiber;
  HostId host;
  std::uint32_t parent_pid = 0;
  Phase phase = Phase::to_start;
  Waiting waiting = Waiting::nothing;
  bool doomed = false;     // it will be unwound when it runs next
  bool deep = false;       // it was unwound: that used more than its stack's first page
  bool overflown = false;  // its overflow has been reported
  bool suspended = false;
  bool parked = false;     // it could run if it were not suspended
  bool timed_out = false;  // the reason why it woke up
  bool granted = false;    // it got the object that it waited for
  bool daemon = false;
  bool is_far = false;          // it runs in another process (far_side.hpp)
  bool host_failed = false;     // the reason why it is doomed
  bool has_activities = false;  // it has started one without waiting for its end at once
  Footprint about_to;           // its next action, while others run first
  std::uint64_t queued_at = 0;  // number of the object whose token it waits for in a queue; 0: none
  Naming naming;
  const void* object = nullptr;  // the object that it waits for: an ActivityRecord, a Mutex...
  ListNode issued;               // its activities in progress
  ListNode receiving;            // activities that it receives
  ListNode joiners;              // actors that wait for its end
  std::function<void()> function;
  std::string name;
  std::size_t stack_bytes = 0;
  std::unique_ptr<ActorExtras> extras;

  ActorExtras& more() {
    if (!extras) extras = std::make_unique<ActorExtras>();
    return *extras;
  }
};

enum class ActivityKind : std::uint8_t { comm, exec, io, mess, pause };

// Why an activity failed, for the exception.
enum class Failure : std::uint8_t { none, resource, peer, no_route, timeout, code };

struct SetRecord;
struct InSet;       // its place in the set
struct InActivity;  // its place in the activity's list of members

// An activity's membership in a set.
struct SetMember : Hook<InSet>, Hook<InActivity> {
  Reference<ActivityRecord> activity;
  SetRecord* set = nullptr;
};

// State that only few activities need.
struct ActivityExtras {
  std::string name;
  std::vector<Reference<ActivityRecord>> successors;
  std::vector<ActivityRecord*> predecessors;  // that have not finished; each has this one among its successors
  std::uint64_t visited = 0;                  // the last search that came here
  std::vector<std::function<void(const Activity&)>> on_start;
  std::vector<std::function<void(const Activity&)>> on_completion;
  std::vector<HostId> hosts;  // of a parallel task
  std::vector<double> flops;
  std::vector<double> bytes;
  std::unique_ptr<Code> code;  // of a computation
};

struct MailboxPlace;
struct IssuerPlace;
struct ReceiverPlace;
struct ProgressPlace;
struct ActivityRecord : Hook<MailboxPlace>,   // it waits in its mailbox or queue
                        Hook<IssuerPlace>,    // posted or begun, not ended: list of its issuer (sender)
                        Hook<ReceiverPlace>,  // the same: list of its receiver
                        Hook<ProgressPlace>,  // it is posted or in progress: the kernel holds a reference
                        Timer {               // of a pause
  static constexpr std::uint32_t no_cost = ~0u;

  ActivityRecord() : Timer(TimerKind::pause_ends) {}

  std::uint32_t references = 0;
  ActivityKind kind = ActivityKind::comm;
  ActivityState state = ActivityState::inited;
  Failure failure = Failure::none;
  bool wants_start = false;
  bool suspended = false;
  bool detached = false;
  bool is_forgotten = false;     // its sender has no handle of it
  bool is_write = false;         // io
  bool is_get = false;           // comm, mess: created by the receiver
  bool has_source = false;       // comm, io stream: `host` is set; exec: host is set; io: disk is set
  bool has_destination = false;  // comm, io stream: `destination` is set
  bool is_stream = false, reads_disk = false, writes_disk = false;
  bool arrived = false;      // comm for a permanent receiver: its get was not made yet
  bool is_parallel = false;  // exec
  std::uint32_t threads = 1, category = 0;
  std::uint32_t cost = no_cost;  // its number in the cost model
  std::uint64_t identity = 0;    // see Naming
  std::uint64_t receipt = 0;     // the number of its get
  std::uint64_t maker = 0;       // Naming::self of the actor that made it; 0: none
  Kernel* kernel = nullptr;
  RecordPool* pool = nullptr;
  ActorRecord* issuer = nullptr;  // the actor that sends or started it; null when that actor has ended
  ActorRecord* receiver = nullptr;
  PutGetQueue* place = nullptr;     // of a comm or mess between actors
  Reference<ActivityRecord> alias;  // it was matched with this one, which now stands for both
  HostId host, destination;
  DiskId disk, target_disk;
  double amount = 0;
  double limit = 0;  // rate or bound; infinite: none
  double priority = 1;
  TimePoint started{-1}, finished{-1};
  Payload payload;
  ListNode waiters;  // actors
  ListNode members;  // memberships in sets
  std::unique_ptr<ActivityExtras> extras;
  std::shared_ptr<RemoteEnds> remote;  // a message with an end in another process (far_side.hpp)

  bool is_done() const { return state >= ActivityState::finished; }
  // The record itself, or the one that stands for it since they were matched.
  ActivityRecord& present() { return *(alias ? &alias->present() : this); }
  const ActivityRecord& present() const { return *(alias ? &std::as_const(*alias).present() : this); }
  ActivityExtras& more() {
    if (!extras) extras = std::make_unique<ActivityExtras>();
    return *extras;
  }
};

struct SetRecord {
  ListNode pending;
  ListNode ended;
  ListNode unused;  // members to use again
  std::size_t size = 0;
  ActorRecord* waiter = nullptr;
  Activity failed;
};

inline ListNode& ready_place(ActorRecord& actor) { return static_cast<Hook<ReadyPlace>&>(actor); }
inline ListNode& wait_place(ActorRecord& actor) { return static_cast<Hook<WaitPlace>&>(actor); }
inline ListNode& queue_hook(ActivityRecord& activity) { return static_cast<Hook<MailboxPlace>&>(activity); }

}  // namespace rehearse::sim::kernel
