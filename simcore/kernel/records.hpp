// SPDX-License-Identifier: MIT
//
// The kernel's records of actors and activities.
//
// Ownership: counted (retain, release). The kernel holds a reference to what is alive or in progress.
// Invariant: a record is in each of its lists exactly while the comment of that hook says so.
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
#include "simcore/fiber/fiber.hpp"
#include "simcore/kernel/intrusive_list.hpp"
#include "simcore/kernel/timer_heap.hpp"
#include "simcore/platform.hpp"
#include "simcore/time.hpp"
#include "simcore/way.hpp"

namespace rehearse::sim::kernel {

class Kernel;
struct PutGetQueue;
class RecordPool;

// What an actor waits for, for reports.
enum class Waiting : std::uint8_t {
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

// What few actors need.
struct ActorExtras {
  std::vector<std::function<void(bool)>> on_exit;
  ActorOptions options;
  std::uint32_t restart_count = 0;
  KillTimer kill_timer;
};

enum class Touched : std::uint8_t {
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

// What an actor is about to do something to.
struct Footprint {
  Touched what = Touched::actor;
  std::uint64_t object = 0;  // its number, for people; 0 of an actor: nothing
  // Says, as things are now, in what way it touches what, and whether it can; empty: anything, and it can.
  void (*ask)(const void* asked, const ActorRecord& self, Way& way) = nullptr;
  const void* asked = nullptr;
  Waiting waiting = Waiting::turn;  // for what, while it cannot
  const void* waited_for = nullptr;
  bool operator==(const Footprint&) const = default;
};

// Gives numbers to what something makes, which depend on nothing but what made it before.
struct Naming {
  std::uint64_t self = 0;
  std::uint64_t made = 0;

  std::uint64_t next() { return mix(self, ++made); }
  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t z = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) | 1;
  }
};

struct ReadyPlace;
struct WaitPlace;
struct HostPlace;

struct ActorRecord : Hook<ReadyPlace>,  // it can run, and its turn has not come
                     Hook<WaitPlace>,   // it waits at an activity, a mutex...
                     Hook<HostPlace>,   // it is alive or to start
                     Timer {            // of its sleep, timeout or start
  ActorRecord() : Timer(TimerKind::actor_wakes) {}

  enum class Phase : std::uint8_t { to_start, alive, ended };

  std::uint32_t references = 0;
  std::uint32_t pid = 0;
  Kernel* kernel = nullptr;
  Fiber fiber;
  HostId host;
  std::uint32_t parent_pid = 0;
  Phase phase = Phase::to_start;
  Waiting waiting = Waiting::nothing;
  bool doomed = false;     // to be unwound as soon as it runs
  bool deep = false;       // was unwound: more than its stack's first page was used
  bool overflown = false;  // it has been reported
  bool suspended = false;
  bool parked = false;     // could run if it were not suspended
  bool timed_out = false;  // why it woke
  bool granted = false;    // it was given what it waited for
  bool daemon = false;
  bool host_failed = false;     // why it is doomed
  Footprint about_to;           // while it lets others go first
  std::uint64_t queued_at = 0;  // the name of the object for whose token it waits in a queue; 0: none
  Naming naming;
  const void* object = nullptr;  // what it waits for: an ActivityRecord, a Mutex...
  ListNode issued;               // its activities in progress
  ListNode receiving;            // those that it gets
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
enum class Failure : std::uint8_t { none, resource, peer, no_route, timeout };

struct SetRecord;

struct InSet;       // its place in the set
struct InActivity;  // its place among those who look at the activity

// An activity's membership in a set.
struct SetMember : Hook<InSet>, Hook<InActivity> {
  Reference<ActivityRecord> activity;
  SetRecord* set = nullptr;
};

// What few activities need.
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
};

struct MailboxPlace;
struct IssuerPlace;
struct ReceiverPlace;
struct ProgressPlace;

struct ActivityRecord : Hook<MailboxPlace>,   // it waits in its mailbox or queue
                        Hook<IssuerPlace>,    // it was posted or began, not ended; of issuer (of a comm: the sender)
                        Hook<ReceiverPlace>,  // the same, of receiver
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
  bool is_write = false;         // io
  bool is_get = false;           // comm, mess: created by the receiver
  bool has_source = false;       // comm, io stream: `host` is set; exec: host is set; io: disk is set
  bool has_destination = false;  // comm, io stream: `destination` is set
  bool is_stream = false, reads_disk = false, writes_disk = false;
  bool arrived = false;      // comm for a permanent receiver: its get has not come yet
  bool is_parallel = false;  // exec
  std::uint32_t threads = 1;
  std::uint32_t cost = no_cost;  // its number in the cost model
  std::uint64_t identity = 0;    // see Naming
  Kernel* kernel = nullptr;
  RecordPool* pool = nullptr;
  ActorRecord* issuer = nullptr;  // sender, or who started it; null when it has ended
  ActorRecord* receiver = nullptr;
  PutGetQueue* place = nullptr;     // of a comm or mess between actors
  Reference<ActivityRecord> alias;  // it has met this one, which stands for both from now on
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

  bool is_done() const { return state >= ActivityState::finished; }
  // Itself, or what stands for it since it has met.
  ActivityRecord& present() {
    ActivityRecord* record = this;
    while (record->alias) record = record->alias.get();
    return *record;
  }
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
