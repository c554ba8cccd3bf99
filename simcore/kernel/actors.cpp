// SPDX-License-Identifier: MIT
//
// The life of actors: made, suspended, moved, killed, ended, started again with their host.
#include <algorithm>
#include <utility>

#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim::kernel {
namespace {

ActorRecord& on_host(ListNode& node) { return owner_of<ActorRecord, HostPlace>(node); }
ListNode& host_place(ActorRecord& actor) { return static_cast<Hook<HostPlace>&>(actor); }
ActivityRecord& issued(ListNode& node) { return owner_of<ActivityRecord, IssuerPlace>(node); }
ActivityRecord& received(ListNode& node) { return owner_of<ActivityRecord, ReceiverPlace>(node); }

bool is_plain(const ActorOptions& options) { return !options.auto_restart && options.properties.empty(); }

bool needs(const ActivityRecord& activity, HostId host) {
  if (activity.is_parallel) {
    const auto& hosts = activity.extras->hosts;
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
  }
  if (activity.kind == ActivityKind::mess || activity.kind == ActivityKind::pause) return false;
  const bool has_two_ends = activity.kind == ActivityKind::comm || activity.is_stream;
  return activity.host == host || (has_two_ends && activity.destination == host);
}

}  // namespace

ActorRecord* Kernel::add_actor(std::string name, HostId host, std::function<void()> function,
                               const ActorOptions& options) {
  if (!function) throw BadUse("actor '" + name + "' has no function");
  const TimePoint start = date_from(options.start_time);
  if (start <= now() && !costs().is_host_on(host, now()))
    throw HostFailure("actor '" + name + "' cannot start: host '" + host_name(host) + "' is off");
  auto* actor = new ActorRecord;
  retain(actor);
  rehearse::sim::kernel::strays();
  actor->kernel = this;
  actor->naming.self = naming().next();
  actor->name = std::move(name);
  actor->function = std::move(function);
  actor->host = host;
  actor->stack_bytes = options.stack_bytes != 0 ? options.stack_bytes : stack_bytes_;
  by_pid_.push_back(actor);
  actor->pid = static_cast<std::uint32_t>(by_pid_.size());
  const ActorRecord* parent = running_actor();
  actor->parent_pid = parent != nullptr && parent->kernel == this ? parent->pid : 0;
  on_host_[host.value].push_back(host_place(*actor));
  ++living_;
  if (!is_plain(options)) actor->more().options = options;
  if (options.daemon) make_daemon(*actor);
  const TimePoint end = date_from(options.kill_time);
  if (end != CostModel::never) set_kill_date(*actor, end);
  if (start > now()) world_->set_timer(*actor, start);
  else make_ready(*actor);
  return actor;
}

// On a host that is off it starts with the host, or not at all.
void Kernel::start_late(ActorRecord& actor) {
  if (costs().is_host_on(actor.host, now())) return wake(actor);
  const Reference<ActorRecord> keep(&actor);
  ActorOptions options = actor.extras ? actor.extras->options : ActorOptions{};
  options.daemon = actor.daemon;
  options.stack_bytes = actor.stack_bytes;
  if (options.auto_restart) restarts_.push_back({actor.host, actor.name, actor.function, options, 0});
  else failed_.push_back({actor.name, host_name(actor.host), "not started: its host is off", now().seconds()});
  kill(actor);
}

void Kernel::deploy(std::string name, HostId host, std::function<void()> function, const ActorOptions& options) {
  if (date_from(options.start_time) > now() || costs().is_host_on(host, now())) {
    add_actor(std::move(name), host, std::move(function), options);
  } else if (options.auto_restart) {
    restarts_.push_back({host, std::move(name), std::move(function), options, 0});
  } else {
    failed_.push_back({std::move(name), host_name(host), "not started: its host is off", now().seconds()});
  }
}

void Kernel::make_daemon(ActorRecord& actor) {
  if (actor.daemon || actor.phase == ActorRecord::Phase::ended) return;
  actor.daemon = true;
  ++daemons_;
}

void Kernel::set_kill_date(ActorRecord& actor, TimePoint date) {
  KillTimer& timer = actor.more().kill_timer;
  timer.actor = &actor;
  if (timer.is_set()) world_->cancel_timer(timer);
  if (date != CostModel::never && actor.phase != ActorRecord::Phase::ended) world_->set_timer(timer, date);
}

ActorRecord* Kernel::find_actor(std::uint32_t pid) const {
  return pid >= 1 && pid <= by_pid_.size() ? by_pid_[pid - 1] : nullptr;
}

std::vector<ActorRecord*> Kernel::living_actors() {
  std::vector<ActorRecord*> result;
  for (ActorRecord* actor : by_pid_)
    if (actor != nullptr) result.push_back(actor);
  return result;
}

std::vector<ActorRecord*> Kernel::actors_on(HostId host) {
  std::vector<ActorRecord*> result;
  ListNode& head = on_host_[host.value];
  for (ListNode* node = head.next; node != &head; node = node->next) result.push_back(&on_host(*node));
  return result;
}

void Kernel::kill(ActorRecord& actor) {
  if (actor.phase == ActorRecord::Phase::ended || actor.doomed) return;
  if (&actor == running_actor()) leave();
  actor.doomed = true;
  withdraw(actor);
  drop_activities(actor, true);  // now, not when its stack unwinds: nobody is to meet it any more
  if (actor.phase == ActorRecord::Phase::to_start) {
    ready_place(actor).unlink();
    end_actor(actor);
    release(&actor);
    return;
  }
  if (!ready_place(actor).is_linked()) ready_.push_back(ready_place(actor));
}

void Kernel::suspend(ActorRecord& actor) {
  if (actor.suspended || actor.doomed || actor.phase == ActorRecord::Phase::ended) return;
  actor.suspended = true;
  if (ready_place(actor).is_linked()) {
    ready_place(actor).unlink();
    actor.parked = true;
  }
  for (ListNode* node = actor.issued.next; node != &actor.issued; node = node->next) suspend(issued(*node));
  for (ListNode* node = actor.receiving.next; node != &actor.receiving; node = node->next) suspend(received(*node));
  if (&actor != running_actor()) return;
  while (actor.suspended) block(actor, Waiting::resumption, nullptr);
}

void Kernel::resume(ActorRecord& actor) {
  if (!actor.suspended) return;
  actor.suspended = false;
  for (ListNode* node = actor.issued.next; node != &actor.issued; node = node->next) resume(issued(*node));
  for (ListNode* node = actor.receiving.next; node != &actor.receiving; node = node->next) resume(received(*node));
  if (std::exchange(actor.parked, false)) make_ready(actor);
  else if (actor.waiting == Waiting::resumption) wake(actor);
}

void Kernel::set_host(ActorRecord& actor, HostId host) {
  if (actor.phase == ActorRecord::Phase::ended || actor.host == host) return;
  if (!costs().is_host_on(host, now()))
    throw HostFailure("actor '" + actor.name + "' cannot move: host '" + host_name(host) + "' is off");
  const HostId old = std::exchange(actor.host, host);
  host_place(actor).unlink();
  on_host_[host.value].push_back(host_place(actor));
  for (ListNode* node = actor.issued.next; node != &actor.issued; node = node->next) {
    ActivityRecord& activity = issued(*node);
    if (activity.kind != ActivityKind::exec || activity.is_parallel || activity.host != old) continue;
    activity.host = host;
    if (activity.cost != ActivityRecord::no_cost) world_->set_host(activity);
  }
}

ActorRecord* Kernel::restart(ActorRecord& actor) {
  ActorOptions options = actor.extras ? actor.extras->options : ActorOptions{};
  options.daemon = actor.daemon;
  options.stack_bytes = actor.stack_bytes;
  const std::uint32_t count = actor.extras ? actor.extras->restart_count : 0;
  const auto function = actor.function;
  const Reference<ActorRecord> keep(&actor);
  if (&actor == running_actor()) {
    ActorRecord* again = add_actor(actor.name, actor.host, function, options);
    again->more().restart_count = count + 1;
    leave();
  }
  kill(actor);
  ActorRecord* again = add_actor(actor.name, actor.host, function, options);
  again->more().restart_count = count + 1;
  return again;
}

// On the actor's own stack, or on the killer's if it has never run.
void Kernel::end_actor(ActorRecord& actor) {
  const bool killed = actor.doomed;
  if (actor.extras) {
    auto& callbacks = actor.extras->on_exit;
    while (!callbacks.empty()) {
      const auto callback = std::move(callbacks.back());
      callbacks.pop_back();
      callback(killed);
    }
    if (actor.extras->kill_timer.is_set()) world_->cancel_timer(actor.extras->kill_timer);
  }
  actor.doomed = true;  // nothing can suspend or kill it any more
  drop_activities(actor, killed);
  actor.phase = ActorRecord::Phase::ended;
  actor.function = nullptr;
  host_place(actor).unlink();
  by_pid_[actor.pid - 1] = nullptr;
  --living_;
  if (actor.daemon) --daemons_;
  else if (!actor.extras || !actor.extras->options.auto_restart) program_ended_ = true;
  wake_all(actor.joiners);
  for (const auto& callback : callbacks_.on_actor_end) callback(ActorHandle(&actor));
}

// What a killed actor was doing is cancelled; what one that returned had started goes on.
void Kernel::drop_activities(ActorRecord& actor, bool cancelled) {
  while (!actor.issued.empty()) {
    const Reference<ActivityRecord> activity(&issued(*actor.issued.next));
    static_cast<Hook<IssuerPlace>&>(*activity).unlink();
    activity->issuer = nullptr;
    if (cancelled && !activity->detached) cancel(*activity, ActivityState::failed, Failure::peer);
  }
  while (!actor.receiving.empty()) {
    const Reference<ActivityRecord> activity(&received(*actor.receiving.next));
    static_cast<Hook<ReceiverPlace>&>(*activity).unlink();
    activity->receiver = nullptr;
    if (cancelled) cancel(*activity, ActivityState::failed, Failure::peer);
  }
}

bool Kernel::awaits_hosts() const {
  if (living_ == 0 && program_ended_) return false;
  return std::any_of(restarts_.begin(), restarts_.end(),
                     [&](const Restart& restart) { return platform_.state_profile(restart.host) != nullptr; });
}

void Kernel::set_host_on(HostId host, bool is_on) {
  if (costs().is_host_on(host, now()) == is_on) return;
  costs().set_host_on(host, is_on, now());
  handle_state_changes();
}

void Kernel::handle_state_changes() {
  // Killing and starting may lead to further changes, which are appended.
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const StateChange change = changes_[i];
    if (change.is_host) {
      if (change.is_on) host_came_on(HostId{change.id});
      else host_went_off(HostId{change.id});
      for (const auto& callback : callbacks_.on_host_state) callback(HostRef(*this, HostId{change.id}), change.is_on);
    } else {
      if (!change.is_on) world_->link_went_off(LinkId{change.id});
      for (const auto& callback : callbacks_.on_link_state) callback(LinkRef(*this, LinkId{change.id}), change.is_on);
    }
  }
  changes_.clear();
  ActorRecord* self = running_actor();
  if (self != nullptr && self->kernel == this && self->host_failed) leave();
}

void Kernel::host_went_off(HostId host) {
  for (ActorRecord* actor : actors_on(host)) {
    const Reference<ActorRecord> keep(actor);
    if (actor->phase == ActorRecord::Phase::to_start && static_cast<Timer&>(*actor).is_set()) continue;
    if (actor->extras && actor->extras->options.auto_restart && !actor->doomed) {
      ActorOptions options = actor->extras->options;
      options.daemon = actor->daemon;
      restarts_.push_back({host, actor->name, actor->function, options, actor->extras->restart_count + 1});
    }
    if (actor == running_actor()) actor->host_failed = true;  // when everything else is done
    else kill(*actor);
  }
  std::vector<Reference<ActivityRecord>> lost;
  for (ListNode* node = in_progress_.next; node != &in_progress_; node = node->next) {
    auto& activity = owner_of<ActivityRecord, ProgressPlace>(*node);
    if (activity.state == ActivityState::started && needs(activity, host)) lost.emplace_back(&activity);
  }
  for (const auto& activity : lost) cancel(*activity, ActivityState::failed, Failure::resource);
}

void Kernel::host_came_on(HostId host) {
  std::vector<Restart> mine;
  std::erase_if(restarts_, [&](Restart& restart) {
    if (restart.host != host) return false;
    mine.push_back(std::move(restart));
    return true;
  });
  for (Restart& restart : mine) {
    restart.options.start_time = 0;
    ActorRecord* actor = add_actor(std::move(restart.name), host, std::move(restart.function), restart.options);
    actor->more().restart_count = restart.count;
  }
}

}  // namespace rehearse::sim::kernel
