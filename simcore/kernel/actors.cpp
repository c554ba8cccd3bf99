// SPDX-License-Identifier: MIT
//
// See actors.hpp.
#include "simcore/kernel/actors.hpp"

#include <algorithm>
#include <utility>

#include "simcore/kernel/causality.hpp"
#include "simcore/kernel/far_side.hpp"
#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim::kernel {
namespace {

ActorRecord& on_host(ListNode& node) { return owner_of<ActorRecord, HostPlace>(node); }
ListNode& host_place(ActorRecord& actor) { return static_cast<Hook<HostPlace>&>(actor); }
ActivityRecord& issued(ListNode& node) { return owner_of<ActivityRecord, IssuerPlace>(node); }
ActivityRecord& received(ListNode& node) { return owner_of<ActivityRecord, ReceiverPlace>(node); }

bool is_plain(const ActorOptions& options) {
  return !options.auto_restart && options.properties.empty() && options.category.empty();
}

}  // namespace

FailedActor Actors::not_started(std::string name, HostId host) const {
  return {std::move(name), kernel_.host_name(host), "not started: its host is off", kernel_.now().seconds()};
}

ActorRecord* Actors::add(std::string name, HostId host, std::function<void()> function, const ActorOptions& options) {
  if (!function) throw BadUse("actor '" + name + "' has no function");
  const TimePoint start = date_from(options.start_time);
  if (start <= kernel_.now() && !kernel_.costs().is_host_on(host, kernel_.now()))
    throw HostFailure("actor '" + name + "' cannot start: host '" + kernel_.host_name(host) + "' is off");
  FarSide* far_side = kernel_.world().far_side();
  const ActorRecord* parent = running_actor();
  if (far_side != nullptr && parent != nullptr && !far_side->is_near(host))
    far_side->refuse("actor '" + parent->name + "' makes actor '" + name + "' on '" + kernel_.host_name(host) +
                     "', a host of another process");
  auto* actor = new ActorRecord;
  retain(actor);
  strays();
  actor->kernel = &kernel_;
  actor->name = std::move(name);
  actor->function = std::move(function);
  actor->host = host;
  actor->stack_bytes = options.stack_bytes != 0 ? options.stack_bytes : kernel_.scheduler().stack_bytes();
  if (far_side != nullptr && parent != nullptr)
    by_pid_.resize(far_side->number_of_actor(static_cast<std::uint32_t>(by_pid_.size()) + 1) - 1);
  by_pid_.push_back(actor);
  actor->pid = static_cast<std::uint32_t>(by_pid_.size());
  actor->naming.counts = kernel_.world().numbers_objects();
  actor->naming.self = actor->naming.counts ? kernel_.naming().next() : Naming::mix(actor->pid, 0);
  actor->parent_pid = parent != nullptr && parent->kernel == &kernel_ ? parent->pid : 0;
  if (Causality* causality = kernel_.world().causality(); causality != nullptr && actor->parent_pid != 0)
    causality->orders(*parent, *actor);
  on_host_[host.value].push_back(host_place(*actor));
  ++living_;
  if (!is_plain(options)) actor->more().options = options;
  actor->category = kernel_.categories().number(options.category);
  if (actor->category == 0 && actor->parent_pid != 0 && parent->category != 0) {
    actor->category = parent->category;  // also if it restarts
    actor->more().options.category = kernel_.categories().names()[parent->category];
  }
  if (options.daemon) make_daemon(*actor);
  const TimePoint end = date_from(options.kill_time);
  if (end != CostModel::never) set_kill_date(*actor, end);
  if (start > kernel_.now()) kernel_.world().set_timer(*actor, start);
  else kernel_.scheduler().make_ready(*actor);
  return actor;
}

// If its host is off, the actor starts with the host, or never.
void Actors::start_late(ActorRecord& actor) {
  if (kernel_.costs().is_host_on(actor.host, kernel_.now())) return kernel_.scheduler().wake(actor);
  const Reference<ActorRecord> keep(&actor);
  ActorOptions options = actor.extras ? actor.extras->options : ActorOptions{};
  options.daemon = actor.daemon;
  options.stack_bytes = actor.stack_bytes;
  if (options.auto_restart) restarts_.push_back({actor.host, actor.name, actor.function, options, 0});
  else kernel_.note_failure(not_started(actor.name, actor.host));
  kill(actor);
}

void Actors::deploy(std::string name, HostId host, std::function<void()> function, const ActorOptions& options) {
  if (date_from(options.start_time) > kernel_.now() || kernel_.costs().is_host_on(host, kernel_.now())) {
    add(std::move(name), host, std::move(function), options);
  } else if (options.auto_restart) {
    restarts_.push_back({host, std::move(name), std::move(function), options, 0});
  } else {
    kernel_.note_failure(not_started(std::move(name), host));
  }
}

void Actors::make_daemon(ActorRecord& actor) {
  require_near(actor, "daemonize()");
  if (actor.daemon || actor.phase == ActorRecord::Phase::ended) return;
  actor.daemon = true;
  ++daemons_;
}

void Actors::set_kill_date(ActorRecord& actor, TimePoint date) {
  KillTimer& timer = actor.more().kill_timer;
  timer.actor = &actor;
  if (timer.is_set()) kernel_.world().cancel_timer(timer);
  if (date != CostModel::never && actor.phase != ActorRecord::Phase::ended) kernel_.world().set_timer(timer, date);
}

ActorRecord* Actors::find(std::uint32_t pid) const {
  return pid >= 1 && pid <= by_pid_.size() ? by_pid_[pid - 1] : nullptr;
}

std::vector<ActorRecord*> Actors::living() {
  std::vector<ActorRecord*> result;
  for (ActorRecord* actor : by_pid_)
    if (actor != nullptr) result.push_back(actor);
  return result;
}

std::vector<ActorRecord*> Actors::on(HostId host) {
  std::vector<ActorRecord*> result;
  ListNode& head = on_host_[host.value];
  for (ListNode* node = head.next; node != &head; node = node->next) result.push_back(&on_host(*node));
  return result;
}

// The running actor stops this one: what it did is past.
void Actors::stands_still(const ActorRecord& actor) {
  const ActorRecord* self = running_actor();
  if (self == nullptr || self == &actor) return;
  if (Causality* causality = kernel_.world().causality()) causality->orders(actor, *self);
}

void Actors::part(const FarSide& far_side) {
  for (ActorRecord* actor : living()) {
    if (far_side.is_near(actor->host)) continue;
    actor->is_far = true;
    ready_place(*actor).unlink();
    kernel_.scheduler().withdraw(*actor);
    set_kill_date(*actor, CostModel::never);
    --living_;
    if (actor->daemon) --daemons_;
  }
}

std::uint32_t Actors::count_near_to_wait_for() const { return living_ - daemons_; }

void Actors::require_near(const ActorRecord& actor, const char* what) const {
  if (actor.is_far)
    throw BadUse(std::string(what) + ": actor '" + actor.name + "' is on '" + kernel_.host_name(actor.host) +
                 "', a host of another process");
}

void Actors::end_far(ActorRecord& actor, bool killed) {
  if (actor.phase == ActorRecord::Phase::ended) return;
  const Reference<ActorRecord> keep(&actor);
  actor.doomed = true;
  drop_activities(actor, killed);
  actor.phase = ActorRecord::Phase::ended;
  host_place(actor).unlink();
  by_pid_[actor.pid - 1] = nullptr;
  release(&actor);
  kernel_.scheduler().wake_all(actor.joiners);
}

void Actors::kill(ActorRecord& actor) {
  if (actor.phase == ActorRecord::Phase::ended || actor.doomed) return;
  if (actor.is_far) return kernel_.world().far_side()->order(actor, FarOrder::kill);
  if (&actor == running_actor()) kernel_.scheduler().leave();
  actor.doomed = true;
  stands_still(actor);
  kernel_.scheduler().withdraw(actor);
  drop_activities(actor, true);  // now, not when its stack unwinds: they must not be matched any more
  if (actor.phase == ActorRecord::Phase::to_start) {
    ready_place(actor).unlink();
    end(actor);
    release(&actor);
    return;
  }
  if (!ready_place(actor).is_linked()) kernel_.scheduler().ready().push_back(ready_place(actor));
}

void Actors::suspend(ActorRecord& actor) {
  if (actor.suspended || actor.doomed || actor.phase == ActorRecord::Phase::ended) return;
  if (actor.is_far) return kernel_.world().far_side()->order(actor, FarOrder::suspend);
  actor.suspended = true;
  stands_still(actor);
  if (ready_place(actor).is_linked()) {
    ready_place(actor).unlink();
    actor.parked = true;
  }
  for (ListNode* node = actor.issued.next; node != &actor.issued; node = node->next)
    kernel_.activities().suspend(issued(*node));
  for (ListNode* node = actor.receiving.next; node != &actor.receiving; node = node->next)
    kernel_.activities().suspend(received(*node));
  if (&actor != running_actor()) return;
  while (actor.suspended) kernel_.scheduler().block(actor, Waiting::resumption, nullptr);
}

void Actors::resume(ActorRecord& actor) {
  if (actor.is_far) return kernel_.world().far_side()->order(actor, FarOrder::resume);
  if (!actor.suspended) return;
  actor.suspended = false;
  if (const ActorRecord* self = running_actor(); self != nullptr && self != &actor)
    if (Causality* causality = kernel_.world().causality()) causality->orders(*self, actor);
  for (ListNode* node = actor.issued.next; node != &actor.issued; node = node->next)
    kernel_.activities().resume(issued(*node));
  for (ListNode* node = actor.receiving.next; node != &actor.receiving; node = node->next)
    kernel_.activities().resume(received(*node));
  if (std::exchange(actor.parked, false)) kernel_.scheduler().make_ready(actor);
  else if (actor.waiting == Waiting::resumption) kernel_.scheduler().wake(actor);
}

void Actors::set_host(ActorRecord& actor, HostId host) {
  if (actor.phase == ActorRecord::Phase::ended || actor.host == host) return;
  require_near(actor, "set_host()");
  if (FarSide* far_side = kernel_.world().far_side(); far_side != nullptr && !far_side->is_near(host))
    far_side->refuse("actor '" + actor.name + "' moves to '" + kernel_.host_name(host) +
                     "', a host of another process");
  if (!kernel_.costs().is_host_on(host, kernel_.now()))
    throw HostFailure("actor '" + actor.name + "' cannot move: host '" + kernel_.host_name(host) + "' is off");
  const HostId old = std::exchange(actor.host, host);
  host_place(actor).unlink();
  on_host_[host.value].push_back(host_place(actor));
  for (ListNode* node = actor.issued.next; node != &actor.issued; node = node->next) {
    ActivityRecord& activity = issued(*node);
    if (activity.kind != ActivityKind::exec || activity.is_parallel || activity.host != old) continue;
    activity.host = host;
    if (activity.cost != ActivityRecord::no_cost) kernel_.world().set_host(activity);
  }
}

ActorRecord* Actors::restart(ActorRecord& actor) {
  require_near(actor, "restart()");
  ActorOptions options = actor.extras ? actor.extras->options : ActorOptions{};
  options.daemon = actor.daemon;
  options.stack_bytes = actor.stack_bytes;
  const std::uint32_t count = actor.extras ? actor.extras->restart_count : 0;
  const auto function = actor.function;
  const Reference<ActorRecord> keep(&actor);
  if (&actor == running_actor()) {
    ActorRecord* again = add(actor.name, actor.host, function, options);
    again->more().restart_count = count + 1;
    kernel_.scheduler().leave();
  }
  kill(actor);
  ActorRecord* again = add(actor.name, actor.host, function, options);
  again->more().restart_count = count + 1;
  return again;
}

void Actors::end(ActorRecord& actor) {
  const bool killed = actor.doomed;
  if (Causality* causality = kernel_.world().causality()) causality->touches_anything(actor);  // for later joins
  if (actor.extras) {
    auto& callbacks = actor.extras->on_exit;
    while (!callbacks.empty()) {
      const auto callback = std::move(callbacks.back());
      callbacks.pop_back();
      callback(killed);
    }
    if (actor.extras->kill_timer.is_set()) kernel_.world().cancel_timer(actor.extras->kill_timer);
  }
  actor.doomed = true;  // so that it cannot be suspended or killed any more
  drop_activities(actor, killed);
  actor.phase = ActorRecord::Phase::ended;
  actor.function = nullptr;
  host_place(actor).unlink();
  by_pid_[actor.pid - 1] = nullptr;
  --living_;
  if (actor.daemon) --daemons_;
  else if (!actor.extras || !actor.extras->options.auto_restart) program_ended_ = true;
  kernel_.scheduler().wake_all(actor.joiners);
  for (const auto& callback : kernel_.callbacks().on_actor_end) callback(ActorHandle(&actor));
  if (FarSide* far_side = kernel_.world().far_side()) far_side->actor_ends(actor, killed);
}

// The activities of a killed actor are cancelled; those of an actor that returned continue.
void Actors::drop_activities(ActorRecord& actor, bool cancelled) {
  while (!actor.issued.empty()) {
    const Reference<ActivityRecord> activity(&issued(*actor.issued.next));
    static_cast<Hook<IssuerPlace>&>(*activity).unlink();
    activity->issuer = nullptr;
    if (cancelled && !activity->detached) kernel_.activities().cancel(*activity, ActivityState::failed, Failure::peer);
  }
  while (!actor.receiving.empty()) {
    const Reference<ActivityRecord> activity(&received(*actor.receiving.next));
    static_cast<Hook<ReceiverPlace>&>(*activity).unlink();
    activity->receiver = nullptr;
    if (cancelled) kernel_.activities().cancel(*activity, ActivityState::failed, Failure::peer);
  }
}

bool Actors::awaits_hosts() const {
  if (living_ == 0 && program_ended_) return false;
  return std::any_of(restarts_.begin(), restarts_.end(),
                     [&](const Restart& restart) { return kernel_.platform().state_profile(restart.host) != nullptr; });
}

void Actors::end_idle_daemons() {
  if (daemons_ == 0 || daemons_ != living_ || kernel_.scheduler().has_ready()) return;
  if (!kernel_.activities().only_daemons_work()) return;
  for (ActorRecord* actor : living()) kill(*actor);
}

void Actors::kill_all() {
  kernel_.scheduler().set_in_order(true);
  std::size_t killed = 0;  // number of pids that are doomed; their last actions may create more actors
  while (killed < by_pid_.size()) {
    restarts_.clear();
    for (; killed < by_pid_.size(); ++killed)
      if (ActorRecord* actor = by_pid_[killed]) actor->is_far ? end_far(*actor, true) : kill(*actor);
    kernel_.scheduler().run_ready();
  }
}

void Actors::host_went_off(HostId host) {
  for (ActorRecord* actor : on(host)) {
    const Reference<ActorRecord> keep(actor);
    if (actor->is_far) continue;  // its process kills it
    if (actor->phase == ActorRecord::Phase::to_start && static_cast<Timer&>(*actor).is_set()) continue;
    if (actor->extras && actor->extras->options.auto_restart && !actor->doomed) {
      ActorOptions options = actor->extras->options;
      options.daemon = actor->daemon;
      restarts_.push_back({host, actor->name, actor->function, options, actor->extras->restart_count + 1});
    }
    if (actor == running_actor()) actor->host_failed = true;  // StateChanges::handle() ends it last
    else kill(*actor);
  }
}

void Actors::host_came_on(HostId host) {
  std::vector<Restart> mine;
  std::erase_if(restarts_, [&](Restart& restart) {
    if (restart.host != host) return false;
    mine.push_back(std::move(restart));
    return true;
  });
  for (Restart& restart : mine) {
    restart.options.start_time = 0;
    ActorRecord* actor = add(std::move(restart.name), host, std::move(restart.function), restart.options);
    actor->more().restart_count = restart.count;
  }
}

}  // namespace rehearse::sim::kernel
