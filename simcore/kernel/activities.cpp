// SPDX-License-Identifier: MIT
//
// See activities.hpp.
#include "simcore/kernel/activities.hpp"
#include "simcore/kernel/record_pool.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "simcore/kernel/causality.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/put_get_queue.hpp"

namespace rehearse::sim::kernel {
namespace {

ListNode& progress_hook(ActivityRecord& activity) { return static_cast<Hook<ProgressPlace>&>(activity); }

void call(const std::vector<std::function<void(const Activity&)>>& callbacks, ActivityRecord& activity) {
  for (std::size_t i = 0; i < callbacks.size(); ++i) callbacks[i](Activity(&activity));
}

// A message of a queue, or an empty computation: it ends at once, even in a world without time.
bool is_instant(const ActivityRecord& activity) {
  if (activity.kind == ActivityKind::mess) return true;
  return activity.kind == ActivityKind::exec && !activity.is_parallel && activity.amount == 0;
}

// A transfer between two computations goes to the host of the second one.
void infer_destination(ActivityRecord& activity) {
  if (activity.kind != ActivityKind::comm || activity.has_destination || !activity.extras) return;
  for (const auto& successor : activity.extras->successors)
    if (successor->kind == ActivityKind::exec && successor->has_source) {
      activity.destination = successor->host;
      activity.has_destination = true;
      return;
    }
}

bool search(const ActivityRecord& from, const ActivityRecord& target, std::uint64_t mark) {
  std::vector<const ActivityRecord*> todo{&from};
  while (!todo.empty()) {
    const ActivityRecord& at = *todo.back();
    todo.pop_back();
    if (&at == &target) return true;
    if (!at.extras || at.extras->visited == mark) continue;
    at.extras->visited = mark;
    for (const auto& successor : at.extras->successors) todo.push_back(successor.get());
  }
  return false;
}

bool needs(const ActivityRecord& activity, HostId host) {
  if (activity.is_parallel) {
    const auto& hosts = activity.extras->hosts;
    return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
  }
  if (activity.kind == ActivityKind::mess || activity.kind == ActivityKind::pause) return false;
  const bool has_two_ends = activity.kind == ActivityKind::comm || activity.is_stream;
  return activity.host == host || (has_two_ends && activity.destination == host);
}

bool is_assigned(const ActivityRecord& activity) {
  switch (activity.kind) {
    case ActivityKind::comm: return activity.place != nullptr || (activity.has_source && activity.has_destination);
    case ActivityKind::exec: return activity.has_source;
    case ActivityKind::io: return activity.has_source && (!activity.is_stream || activity.has_destination);
    case ActivityKind::mess:
    case ActivityKind::pause: return true;
  }
  return true;
}

// Whether only a step that depends on all steps of this actor can end the activity, or the actor itself starts it.
bool is_own(const ActivityRecord& activity, const ActorRecord& self) {
  if (activity.extras || activity.kind == ActivityKind::mess) return false;
  if (activity.state == ActivityState::inited) return activity.place == nullptr && activity.maker == self.naming.self;
  return activity.issuer == &self || activity.receiver == &self;
}

[[noreturn]] void throw_failure(const Kernel& kernel, const ActivityRecord& activity) {
  switch (activity.failure) {
    case Failure::timeout: throw TimeoutError("the other side of the communication did not wait so long");
    case Failure::peer:
      if (activity.kind == ActivityKind::exec) throw CancelError("the actor that computed was killed");
      throw NetworkFailure("the other side of the communication was killed");
    case Failure::code: std::rethrow_exception(activity.extras->code->exception);
    case Failure::no_route:
      throw NetworkFailure("there is no route from '" + kernel.host_name(activity.host) + "' to '" +
                           kernel.host_name(activity.destination) + "'");
    case Failure::none:
    case Failure::resource: break;
  }
  switch (activity.kind) {
    case ActivityKind::exec: throw HostFailure("a host went off: '" + kernel.host_name(activity.host) + "'");
    case ActivityKind::io:
      if (!activity.is_stream)
        throw StorageFailure("the host of disk '" + kernel.platform().disks()[activity.disk.value].name + "' went off");
      throw StorageFailure("the stream from '" + kernel.host_name(activity.host) + "' to '" +
                           kernel.host_name(activity.destination) + "' broke: a host or a link went off");
    default:
      throw NetworkFailure("the route from '" + kernel.host_name(activity.host) + "' to '" +
                           kernel.host_name(activity.destination) + "' broke: a host or a link is off");
  }
}

}  // namespace

void link(ActivityRecord& before, ActivityRecord& after) {
  before.more().successors.emplace_back(&after);
  after.more().predecessors.push_back(&before);
}

void unlink(ActivityRecord& before, ActivityRecord& after) {
  std::erase(after.more().predecessors, &before);
  std::erase_if(before.more().successors, [&](const auto& successor) { return successor.get() == &after; });
}

bool is_before(const ActivityRecord& first, const ActivityRecord& second) {
  return search(first, second, first.kernel->activities().next_search());
}

Activities::Activities(Kernel& kernel) : kernel_(kernel), pool_(new RecordPool(!kernel.world().numbers_objects())) {}

Activities::~Activities() { pool_->let_go(); }

ActivityRecord* Activities::make(ActivityKind kind) {
  ActivityRecord* record = pool_->take();
  record->kind = kind;
  record->kernel = &kernel_;
  record->identity = kernel_.naming().next();
  record->limit = unlimited;
  record->maker = 0;
  record->category = 0;
  if (const ActorRecord* self = running_actor()) {
    record->maker = self->naming.self;
    record->category = self->category;
  }
  return record;
}

void Activities::request_start(ActivityRecord& activity) {
  if (activity.state == ActivityState::started) return;
  if (activity.state == ActivityState::finished) throw BadUse("an activity that has finished cannot start again");
  if (activity.wants_start && activity.state == ActivityState::starting && activity.place != nullptr) return;
  activity.wants_start = true;
  activity.state = ActivityState::starting;
  activity.failure = Failure::none;
  activity.finished = TimePoint{-1};
  ActorRecord* self = running_actor();
  if (self != nullptr) self->has_activities = true;
  note_release(activity.identity);
  if (self != nullptr && self->kernel == &kernel_ && activity.place == nullptr) activity.issuer = self;
  try_start(activity);
}

void Activities::try_start(ActivityRecord& activity) {
  if (!activity.wants_start || activity.state != ActivityState::starting) return;
  if (activity.extras && !activity.extras->predecessors.empty()) return;
  infer_destination(activity);
  if (!is_assigned(activity)) return;
  if (activity.place != nullptr) return kernel_.exchange().post(activity);
  track(activity);
  launch(activity);
}

void Activities::launch(ActivityRecord& activity) {
  if (activity.issuer != nullptr && activity.kind == ActivityKind::comm && activity.place != nullptr)
    activity.host = activity.issuer->host;
  if (activity.receiver != nullptr && activity.kind == ActivityKind::comm)
    activity.destination = activity.receiver->host;
  activity.state = ActivityState::started;
  activity.started = kernel_.now();
  if (activity.extras && activity.extras->code)
    kernel_.code_workers().begin(*activity.extras->code, !is_instant(activity));
  if (activity.extras && !activity.extras->on_start.empty()) call(activity.extras->on_start, activity);
  if (!kernel_.callbacks().on_activity_start.empty()) call(kernel_.callbacks().on_activity_start, activity);
  if (is_instant(activity)) return finish(activity, ActivityState::finished, Failure::none);
  if (!kernel_.world().start(activity)) return finish(activity, ActivityState::failed, Failure::no_route);
  if (activity.suspended && activity.state == ActivityState::started) kernel_.world().suspend(activity);
}

void Activities::track(ActivityRecord& activity) {
  retain(&activity);
  in_progress_.push_back(progress_hook(activity));
  if (activity.issuer != nullptr) activity.issuer->issued.push_back(static_cast<Hook<IssuerPlace>&>(activity));
  if (activity.receiver != nullptr) activity.receiver->receiving.push_back(static_cast<Hook<ReceiverPlace>&>(activity));
}

void Activities::untrack(ActivityRecord& activity) {
  static_cast<Hook<IssuerPlace>&>(activity).unlink();
  static_cast<Hook<ReceiverPlace>&>(activity).unlink();
  if (!progress_hook(activity).is_linked()) return;
  progress_hook(activity).unlink();
  release(&activity);
}

void Activities::finish(ActivityRecord& activity, ActivityState state, Failure failure) {
  const Reference<ActivityRecord> keep(&activity);
  strays();  // the end is no step of its own if an actor causes it
  if (activity.extras && activity.extras->code) complete_code(activity, state, failure);
  activity.state = state;
  activity.failure = failure;
  activity.finished = kernel_.now();
  untrack(activity);
  if (state != ActivityState::finished) activity.payload.reset();
  while (!activity.members.empty()) {
    auto& member = owner_of<SetMember, InActivity>(*activity.members.next);
    static_cast<Hook<InActivity>&>(member).unlink();
    static_cast<Hook<InSet>&>(member).unlink();
    member.set->ended.push_back(static_cast<Hook<InSet>&>(member));
    if (ActorRecord* waiter = std::exchange(member.set->waiter, nullptr)) kernel_.scheduler().wake(*waiter);
  }
  kernel_.scheduler().wake_all(activity.waiters);
  if (activity.extras && !activity.extras->on_completion.empty()) call(activity.extras->on_completion, activity);
  if (!kernel_.callbacks().on_activity_end.empty()) call(kernel_.callbacks().on_activity_end, activity);
  if (state == ActivityState::finished && activity.extras) release_successors(activity);
}

// Before anybody notices the end.
void Activities::complete_code(ActivityRecord& activity, ActivityState& state, Failure& failure) {
  Code& code = *activity.extras->code;
  kernel_.code_workers().complete(code);
  if (state != ActivityState::finished) return;
  if (code.exception) {
    state = ActivityState::failed;
    failure = Failure::code;
  } else {
    code.function = nullptr;  // with what it holds: the computation cannot start again
  }
}

void Activities::release_successors(ActivityRecord& activity) {
  const auto successors = std::move(activity.extras->successors);
  activity.extras->successors.clear();
  for (const auto& successor : successors) {
    std::erase(successor->more().predecessors, &activity);
    const bool is_transfer = successor->kind == ActivityKind::comm && successor->place == nullptr;
    if (!is_transfer || activity.kind != ActivityKind::exec || successor->has_source) continue;
    successor->host = activity.host;
    successor->has_source = true;
  }
  for (const auto& successor : successors) {
    if (!successor->more().predecessors.empty()) continue;
    if (successor->state == ActivityState::inited) {
      successor->wants_start = true;
      successor->state = ActivityState::starting;
    }
    try_start(*successor);
  }
}

void Activities::cancel(ActivityRecord& activity, ActivityState state, Failure failure) {
  if (activity.is_done()) return;
  const Reference<ActivityRecord> keep(&activity);
  if (activity.place != nullptr) activity.place->remove_unmatched(queue_hook(activity));
  if (std::exchange(activity.arrived, false)) release(&activity);
  if (activity.state == ActivityState::started) kernel_.world().stop(activity);
  activity.wants_start = false;
  finish(activity, state, failure);
}

void Activities::suspend(ActivityRecord& activity) {
  if (activity.suspended || activity.is_done()) return;
  activity.suspended = true;
  if (activity.state == ActivityState::started) kernel_.world().suspend(activity);
}

void Activities::resume(ActivityRecord& activity) {
  if (!activity.suspended) return;
  activity.suspended = false;
  if (activity.state == ActivityState::started) kernel_.world().resume(activity);
}

bool Activities::wait(ActivityRecord& activity, TimePoint limit) {
  tidy_stack();
  ActorRecord& self = this_actor_record();
  if (!is_own(activity.present(), self)) strays();
  // This is not a separate step: it makes no difference whether the activity ends before or after it.
  const bool has_others = self.has_activities;
  if (activity.present().state == ActivityState::inited) request_start(activity.present());
  self.has_activities = has_others || limit != CostModel::never;
  bool in_time = true;
  while (in_time && !activity.present().is_done()) {
    activity.present().waiters.push_back(wait_place(self));
    in_time = kernel_.scheduler().block_until(self, Waiting::activity, &activity, limit);
  }
  if (!activity.present().is_done()) return false;
  note_acquire(activity.present().identity);
  note_acquire(activity.present().receipt);
  if (activity.present().state != ActivityState::finished) note_anything();  // somebody may have cancelled it
  throw_if_failed(activity.present());  // also if the other side gave up at the same moment
  return true;
}

void Activities::throw_if_failed(const ActivityRecord& activity) const {
  if (activity.state == ActivityState::canceled) throw CancelError("the activity was cancelled");
  if (activity.state == ActivityState::failed) throw_failure(kernel_, activity);
}

bool Activities::only_daemons_work() const {
  for (const ListNode* node = in_progress_.next; node != &in_progress_; node = node->next) {
    const auto& activity = owner_of<ActivityRecord, ProgressPlace>(const_cast<ListNode&>(*node));
    // A message with its home in another process is no more than a wait there.
    if (activity.place != nullptr && activity.place->home != PutGetQueue::here) continue;
    const ActorRecord* owner = activity.issuer != nullptr ? activity.issuer : activity.receiver;
    if (activity.state == ActivityState::started && owner == nullptr) return false;
  }
  return true;
}

void Activities::cancel_all() {
  while (!in_progress_.empty()) {
    auto& activity = owner_of<ActivityRecord, ProgressPlace>(*in_progress_.next);
    cancel(activity, ActivityState::canceled, Failure::none);
  }
}

void Activities::host_went_off(HostId host) {
  std::vector<Reference<ActivityRecord>> lost;
  for (ListNode* node = in_progress_.next; node != &in_progress_; node = node->next) {
    auto& activity = owner_of<ActivityRecord, ProgressPlace>(*node);
    if (activity.state == ActivityState::started && needs(activity, host)) lost.emplace_back(&activity);
  }
  for (const auto& activity : lost) cancel(*activity, ActivityState::failed, Failure::resource);
}

}  // namespace rehearse::sim::kernel
