// SPDX-License-Identifier: MIT
//
// The loop of a run, and its report.
#include <cmath>
#include <utility>

#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/put_get_queue.hpp"
#include "simcore/kernel/session.hpp"
#include "simcore/real/entry.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::sim::kernel {

TimePoint date_from(double seconds) {
  if (std::isnan(seconds)) throw BadUse("a date or duration that is not a number");
  if (seconds >= CostModel::never.seconds()) return CostModel::never;
  if (seconds < 0) return TimePoint{0};
  return TimePoint{} + Duration::from_seconds(seconds);
}

Kernel::Kernel(Simulation& simulation, const Platform& platform, std::unique_ptr<World> world,
               const SimulationOptions& options)
    : simulation_(simulation),
      platform_(platform),
      world_(std::move(world)),
      code_workers_(world_->runs_in_order() ? options.workers : 1, world_->numbers_objects()),
      scheduler_(*this, *world_, options.stack_bytes),
      activities_(*this),
      actors_(*this, platform.hosts().size()),
      changes_(*this, world_->costs()),
      exchange_(*this) {
  world_->attach(*this);
  outside_.counts = world_->numbers_objects();
  scheduler_.set_tidy(!world_->numbers_objects());
}

Kernel::~Kernel() {
  actors_.kill_all();
  activities_.cancel_all();
}

RunReport Kernel::run(TimePoint until) {
  if (running_) throw BadUse("a simulation is run by one run() at a time");
  if (Session* session = Session::find(); session != nullptr && session->drives(*world_))
    return session->run(*this, until);
  if (real::drives(*world_)) return real::run(*this, until);
  running_ = true;
  Session* const session = Session::find();
  if (session != nullptr) session->note_begin(*this);
  const TimePoint latest = session != nullptr ? session->latest() : CostModel::never;
  scheduler_.set_in_order(world_->runs_in_order());
  while (true) {
    actors_.end_idle_daemons();
    if (latest < until && is_due_after(latest)) session->cut(*this);
    if (!world_->step(until)) break;
  }
  RunReport result = report();
  if (until != CostModel::never) result.blocked.clear();
  if (session != nullptr) session->note_end(*this, result, until == CostModel::never);
  if (until == CostModel::never) end_of_run(result);
  running_ = false;
  return result;
}

// If something is left to happen, and only after this date, the date comes.
bool Kernel::is_due_after(TimePoint date) {
  const TimePoint next = world_->next_date();
  if (next <= date || next == CostModel::never) return false;
  while (world_->step(date)) continue;  // profiles may have events until then
  return true;
}

void Kernel::end_of_run(const RunReport& report) {
  if (report.is_deadlock())
    for (const auto& callback : callbacks_.on_deadlock) callback(report);
  actors_.kill_all();
}

void Kernel::publish(const std::string& name, std::int64_t value) {
  published_.set(this_actor_record().pid, name, value);
}

void Kernel::time_has_passed(double seconds) {
  for (const auto& callback : callbacks_.on_time_advance) callback(seconds);
}

void Kernel::ring(Timer& timer) {
  switch (timer.kind) {
    case TimerKind::actor_wakes: {
      auto& actor = static_cast<ActorRecord&>(timer);
      return actor.phase == ActorRecord::Phase::to_start ? actors_.start_late(actor) : scheduler_.wake(actor, true);
    }
    case TimerKind::actor_is_killed: return actors_.kill(*static_cast<KillTimer&>(timer).actor);
    case TimerKind::pause_ends:
      return activities_.finish(static_cast<ActivityRecord&>(timer), ActivityState::finished, Failure::none);
  }
}

RunReport Kernel::report() {
  RunReport result;
  result.end = now().seconds();
  result.failed = failed_;
  for (ActorRecord* actor : actors_.living())
    if (!actor->daemon && !actor->is_far)
      result.blocked.push_back({actor->name, host_name(actor->host), describe(*actor)});
  return result;
}

namespace {

std::string describe_activity(const ActivityRecord& activity, const ActorRecord& actor, const Kernel& kernel) {
  const bool is_unmatched = activity.state == ActivityState::starting && activity.place != nullptr;
  const std::string where = activity.place != nullptr ? "'" + activity.place->name + "'" : "";
  switch (activity.kind) {
    case ActivityKind::comm: {
      if (activity.place == nullptr)
        return "a transfer from '" + kernel.host_name(activity.host) + "' to '" +
               kernel.host_name(activity.destination) + "'";
      const bool sends = activity.issuer == &actor;
      if (!is_unmatched) return (sends ? "its message to mailbox " : "a message from mailbox ") + where + ", under way";
      return (sends ? "a receiver at mailbox " : "a message in mailbox ") + where;
    }
    case ActivityKind::mess: return (activity.is_get ? "a message in queue " : "a receiver at queue ") + where;
    case ActivityKind::exec:
      return activity.is_parallel ? "a parallel task" : "a computation on '" + kernel.host_name(activity.host) + "'";
    case ActivityKind::io: return "a disk access";
    case ActivityKind::pause: return "a pause";
  }
  return "";
}

}  // namespace

std::string Kernel::describe(const ActorRecord& actor) const {
  const std::string suspended = actor.suspended ? "somebody to resume it" : "";
  switch (actor.waiting) {
    case Waiting::nothing: return actor.phase == ActorRecord::Phase::to_start ? "its start" : "nothing";
    case Waiting::turn: return actor.suspended ? suspended : "its turn";
    case Waiting::date: return actor.parked ? suspended : "a date";
    case Waiting::activity:
      return actor.parked ? suspended
                          : describe_activity(*static_cast<const ActivityRecord*>(actor.object), actor, *this);
    case Waiting::set: return fmt::format("one of {} activities", static_cast<const SetRecord*>(actor.object)->size);
    case Waiting::mutex: {
      const auto* owner = static_cast<const Mutex*>(actor.object)->owner().record();
      if (owner == nullptr) return "a mutex";
      return "a mutex held by '" + owner->name + "'" +
             (owner->phase == ActorRecord::Phase::ended ? ", which has ended" : "");
    }
    case Waiting::semaphore: return "a semaphore";
    case Waiting::barrier: return "the others at a barrier";
    case Waiting::condition: return "a condition variable";
    case Waiting::actor: return "the end of '" + static_cast<const ActorRecord*>(actor.object)->name + "'";
    case Waiting::resumption: return suspended;
  }
  return "";
}

}  // namespace rehearse::sim::kernel
