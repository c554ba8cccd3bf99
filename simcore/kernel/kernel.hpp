// SPDX-License-Identifier: MIT
//
// The kernel of one simulation: its actors and activities, who waits for what, who runs next. Everything that the
// classes of the actor API do goes through here; what time is, its World knows.
//
// Protocol: block() and its kin are called on an actor's own stack; the rest from anywhere. An actor runs until it
//           blocks. One that is doomed gets Killed out of the call in which it blocks, unless it is being unwound:
//           then a lock is waited for all the same, and anything else is CancelError.
// Threads:  none.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "simcore/actor_api/exceptions.hpp"
#include "simcore/actor_api/simulation.hpp"
#include "simcore/actor_api/synchronisation.hpp"
#include "simcore/fiber/stack_slabs.hpp"
#include "simcore/kernel/records.hpp"
#include "simcore/kernel/world.hpp"

namespace rehearse::sim::kernel {

// The actor that runs on this thread; null outside.
ActorRecord* running_actor();
ActorRecord& this_actor_record();  // BadUse outside

// The first must finish before the second starts. Nobody checks here that there is no circle.
void link(ActivityRecord& before, ActivityRecord& after);
void unlink(ActivityRecord& before, ActivityRecord& after);
bool is_before(const ActivityRecord& first, const ActivityRecord& second);  // also by way of others

// While it lives, what is made on this thread by no actor is made for this kernel's simulation.
class Preparing {
 public:
  explicit Preparing(Kernel& kernel);
  ~Preparing();
  Preparing(const Preparing&) = delete;
  Preparing& operator=(const Preparing&) = delete;

 private:
  Kernel* outer_;
};

// `never` for what is beyond the range of dates.
TimePoint date_from(double seconds);

struct Callbacks {
  std::vector<std::function<void(double)>> on_time_advance;
  std::vector<std::function<void(const Activity&)>> on_activity_start, on_activity_end;
  std::vector<std::function<void(const ActorHandle&)>> on_actor_start, on_actor_end;
  std::vector<std::function<void(const HostRef&, bool)>> on_host_state;
  std::vector<std::function<void(const LinkRef&, bool)>> on_link_state;
  std::vector<std::function<void(const RunReport&)>> on_deadlock;
};

class Kernel final : private ResourceObserver {
 public:
  Kernel(Simulation& simulation, const Platform& platform, std::unique_ptr<World> world, std::size_t stack_bytes);
  ~Kernel();

  Simulation& simulation() { return simulation_; }
  const Platform& platform() const { return platform_; }
  World& world() { return *world_; }
  CostModel& costs() { return world_->costs(); }
  TimePoint now() const { return world_->now(); }
  Callbacks& callbacks() { return callbacks_; }
  auto& functions() { return functions_; }  // by name, for deployment

  // ---- running
  RunReport run(TimePoint until);
  RunReport report();  // as of now
  const std::vector<FailedActor>& failed() const { return failed_; }
  bool has_ready() const { return !ready_.empty(); }
  void run_ready();                      // all that can, in order, and whom they wake
  void happens_outside(std::uint64_t identity) { outside_ = {identity, 0}; }  // what comes next, in nobody's step
  void run_actor(ActorRecord& actor);    // this one of those that can, until it blocks
  ListNode& ready() { return ready_; }
  void ring(Timer& timer);               // its date has come; it is no longer set
  void time_has_passed(double seconds);  // for the callbacks
  void handle_state_changes();           // what the cost model reported while it advanced
  void end_idle_daemons();               // if nobody else does anything
  bool awaits_hosts() const;             // whether a profile may still start an actor again

  // ---- blocking; on the stack of `self`, the running actor
  void block(ActorRecord& self, Waiting waiting, const void* object);
  bool block_until(ActorRecord& self, Waiting waiting, const void* object, TimePoint date);  // false: the date came
  void block_for_lock(ActorRecord& self, Waiting waiting, const void* object);
  void yield(ActorRecord& self);
  // As yield, but never throws; `waiting`, `object`: why, for reports.
  void let_others_go_first(ActorRecord& self, Waiting waiting, const void* object);
  void make_ready(ActorRecord& actor);
  void wake(ActorRecord& actor, bool timed_out = false);
  void wake_all(ListNode& waiting);  // in their order
  void before(const Footprint& footprint) { world_->before(footprint); }
  std::uint32_t next_object_id() { return ++objects_; }
  Naming& naming();  // of the running actor, or of what happens outside
  std::uint64_t next_search() { return ++searches_; }

  // ---- actors
  ActorRecord* add_actor(std::string name, HostId host, std::function<void()> function, const ActorOptions& options);
  // The same for an actor of a description: on a host that is off it starts with the host, or not at all.
  void deploy(std::string name, HostId host, std::function<void()> function, const ActorOptions& options);
  void kill(ActorRecord& actor);
  void suspend(ActorRecord& actor);
  void resume(ActorRecord& actor);
  void set_host(ActorRecord& actor, HostId host);
  void set_kill_date(ActorRecord& actor, TimePoint date);
  void make_daemon(ActorRecord& actor);
  ActorRecord* restart(ActorRecord& actor);
  ActorRecord* find_actor(std::uint32_t pid) const;
  std::vector<ActorRecord*> living_actors();
  std::vector<ActorRecord*> actors_on(HostId host);
  [[noreturn]] void leave();  // of the running actor

  // ---- activities
  ActivityRecord* make_activity(ActivityKind kind);
  void request_start(ActivityRecord& activity);
  void try_start(ActivityRecord& activity);  // if it wants to, and can
  void launch(ActivityRecord& activity);     // now
  bool wait(ActivityRecord& activity, TimePoint limit);  // false: the date came; throws what went wrong
  void throw_if_failed(const ActivityRecord& activity) const;
  void finish(ActivityRecord& activity, ActivityState state, Failure failure);
  void cancel(ActivityRecord& activity, ActivityState state, Failure failure);  // whatever it is doing
  void suspend(ActivityRecord& activity);
  void resume(ActivityRecord& activity);
  void track(ActivityRecord& activity);  // it is posted or begins: owners and kernel know of it

  // ---- mailboxes and queues
  Mailbox& mailbox(std::string_view name);
  MessageQueue& message_queue(std::string_view name);
  // A put or a get of the running actor: what it has become, which its partner may have begun.
  Reference<ActivityRecord> put(MeetingPlace& place, Payload payload, double bytes);
  Reference<ActivityRecord> get(MeetingPlace& place);
  void post(ActivityRecord& activity);  // one that was made before

  // ---- hosts
  void set_host_on(HostId host, bool is_on);
  void host_went_off(HostId host);
  void host_came_on(HostId host);

  std::string describe(const ActorRecord& actor) const;  // what it waits for
  const std::string& host_name(HostId host) const { return platform_.host(host).name; }

 private:
  friend void release(ActorRecord* record);

  struct StateChange {
    bool is_host;
    std::uint32_t id;
    bool is_on;
  };
  struct Restart {
    HostId host;
    std::string name;
    std::function<void()> function;
    ActorOptions options;
    std::uint32_t count;
  };

  void on_host_state(HostId host, bool is_on, TimePoint) override { changes_.push_back({true, host.value, is_on}); }
  void on_link_state(LinkId link, bool is_on, TimePoint) override { changes_.push_back({false, link.value, is_on}); }

  void pause(ActorRecord& self);  // switches to whoever runs next
  void check(ActorRecord& self);
  void check_stack(ActorRecord& self);
  void withdraw(ActorRecord& self);  // from what it waits at
  ActorRecord* take_ready();
  void begin(ActorRecord& actor);
  void start_late(ActorRecord& actor);  // its start time has come
  static void actor_entry(Fiber& fiber);
  void run_body(ActorRecord& actor);
  void end_actor(ActorRecord& actor);
  void bury(ActorRecord& actor);
  void drop_activities(ActorRecord& actor, bool cancelled);
  bool only_daemons_work() const;
  void kill_everybody();
  StackSlabs& stacks_of(std::size_t bytes);
  void untrack(ActivityRecord& activity);
  ActivityRecord* make_message(MeetingPlace& place);
  ActivityRecord* take_waiting(MeetingPlace& place);
  void enqueue(MeetingPlace& place, ActivityRecord& activity);
  void merge(ActivityRecord& into, ActivityRecord& from);
  void release_successors(ActivityRecord& activity);
  bool is_assigned(const ActivityRecord& activity) const;
  [[noreturn]] void throw_failure(const ActivityRecord& activity) const;

  Simulation& simulation_;
  const Platform& platform_;
  std::unique_ptr<World> world_;
  std::size_t stack_bytes_;
  Callbacks callbacks_;
  std::map<std::string, std::function<void(const Simulation::Arguments&)>> functions_;
  RecordPool* pool_;

  ListNode ready_;
  Fiber scheduler_;
  bool in_order_ = false;
  bool running_ = false;
  ActorRecord* ended_ = nullptr;  // switched away for good: its stack is free
  std::uint32_t living_ = 0;      // actors that are alive or to start, daemons included
  std::uint32_t daemons_ = 0;
  std::uint32_t objects_ = 0;
  Naming outside_{1, 0};
  std::uint64_t searches_ = 0;
  std::vector<ActorRecord*> by_pid_;       // null: ended
  std::unique_ptr<ListNode[]> on_host_;    // actors by host
  ListNode in_progress_;                   // activities
  std::map<std::size_t, StackSlabs> stacks_;
  StackSlabs* common_stacks_ = nullptr;
  std::vector<StateChange> changes_;
  std::vector<Restart> restarts_;
  std::vector<FailedActor> failed_;
  bool program_ended_ = false;  // an actor has ended that would not start again with its host
  std::deque<Mailbox> mailboxes_;
  std::deque<MessageQueue> queues_;
  std::unordered_map<std::string, Mailbox*> mailbox_names_;
  std::unordered_map<std::string, MessageQueue*> queue_names_;
};

}  // namespace rehearse::sim::kernel
