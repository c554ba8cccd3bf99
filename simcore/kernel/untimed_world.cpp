// SPDX-License-Identifier: MIT
//
// The list of all possible events.
#include "simcore/kernel/untimed_world.hpp"

#include <algorithm>
#include <exception>

#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/process_image.hpp"
#include "simcore/kernel/put_get_queue.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::sim::kernel {
namespace {

constexpr std::size_t usual_options = 256;  // more of them are possible, and cost states that are not recognised

std::string text_of(Footprint footprint) {
  static constexpr const char* names[] = {"mailbox", "queue",     "activity", "mutex", "semaphore",
                                          "barrier", "condition", "variable", "actor", "resource"};
  const char* const name = names[static_cast<std::size_t>(footprint.what)];
  if (footprint.what == Touched::mailbox && footprint.asked != nullptr)
    return fmt::format("{} '{}'", name, static_cast<const PutGetQueue*>(footprint.asked)->name);
  return footprint.object == 0 ? fmt::format("some {}", name) : fmt::format("{} {}", name, footprint.object);
}

// Of a step that touches no object of others: a sleep begins, for instance.
bool is_of_itself(const Footprint& footprint) { return footprint.what == Touched::actor && footprint.object == 0; }

// Distinguishes the other events of an actor or an activity by their kind.
std::uint64_t identity_of(const Timer& timer) {
  switch (timer.kind) {
    case TimerKind::actor_wakes: return Naming::mix(static_cast<const ActorRecord&>(timer).naming.self, 1);
    case TimerKind::actor_is_killed: return Naming::mix(static_cast<const KillTimer&>(timer).actor->naming.self, 2);
    case TimerKind::pause_ends: return Naming::mix(static_cast<const ActivityRecord&>(timer).identity, 3);
  }
  return 0;
}

// The end of an activity is a step of its own. It changes what its sender and its receiver find, so it depends on all
// their steps; an actor itself is an object that these steps read. An actor that waits for the end, or has no handle of
// the activity, makes no such steps: then the end only needs its put or its get.
Way way_of(const ActorRecord& actor) {
  Way way;
  way.who = actor.naming.self;
  const Footprint& footprint = actor.about_to;
  if (actor.doomed) way.touches_anything = true;
  else if (footprint.ask != nullptr) footprint.ask(footprint.asked, actor, way);
  else way.touches_anything = footprint != Footprint{};
  if (!actor.has_activities || way.touches_anything) return way;
  if (way.touch_count == Way::touches_max) way.touches_anything = true;
  else way.add({actor.naming.self, Access::reads});
  return way;
}

// Whether nobody but its sender and its receiver can notice its end.
bool concerns_its_owners(const ActivityRecord& activity, const Callbacks& callbacks) {
  if (activity.extras || activity.is_parallel || activity.is_stream || !activity.members.empty()) return false;
  if (!callbacks.on_activity_start.empty() || !callbacks.on_activity_end.empty()) return false;
  if (activity.arrived || (activity.place != nullptr && activity.place->receiver)) return false;
  if (activity.issuer == nullptr && activity.receiver == nullptr) return false;
  for (const ListNode* node = activity.waiters.next; node != &activity.waiters; node = node->next) {
    const auto& waiter = owner_of<ActorRecord, WaitPlace>(const_cast<ListNode&>(*node));
    if (&waiter != activity.issuer && &waiter != activity.receiver) return false;
  }
  return true;
}

bool waits_for(const ActorRecord* actor, const ActivityRecord& activity) {
  for (const ListNode* node = activity.waiters.next; node != &activity.waiters; node = node->next)
    if (&owner_of<ActorRecord, WaitPlace>(const_cast<ListNode&>(*node)) == actor) return true;
  return false;
}

Way way_of_end(const ActivityRecord& activity, const Callbacks& callbacks) {
  Way way;
  way.who = activity.identity;
  way.touches_anything = !concerns_its_owners(activity, callbacks);
  if (way.touches_anything) return way;
  const bool is_message = activity.place != nullptr;
  if (activity.is_forgotten || waits_for(activity.issuer, activity)) {
    if (is_message) way.add({activity.identity, Access::needs});
  } else if (activity.issuer != nullptr) {
    way.add({activity.issuer->naming.self, Access::writes});
  }
  if (waits_for(activity.receiver, activity)) way.add({activity.receipt, Access::needs});
  else if (activity.receiver != nullptr) way.add({activity.receiver->naming.self, Access::writes});
  return way;
}

// Only the sleeping actor notices the end of its sleep, except by dates, which are not explored.
Way way_of_alarm(const Timer& timer) {
  Way way;
  way.who = identity_of(timer);
  way.touches_anything = true;
  if (timer.kind != TimerKind::actor_wakes) return way;
  const auto& actor = static_cast<const ActorRecord&>(timer);
  if (actor.phase == ActorRecord::Phase::alive && actor.waiting == Waiting::date && !actor.doomed) {
    way.touches_anything = false;
    way.add({actor.naming.self, Access::writes});
  } else if (actor.queued_at != 0) {
    way.add({actor.queued_at, Access::frees});  // it gives up its place in the queue
  }
  return way;
}

}  // namespace

bool is_timeout(const Option& option) {
  if (option.kind != Option::Kind::alarm || option.timer->kind != TimerKind::actor_wakes) return false;
  const auto& actor = static_cast<const ActorRecord&>(*option.timer);
  return actor.phase == ActorRecord::Phase::alive && actor.waiting != Waiting::date;
}

UntimedWorld::UntimedWorld(std::unique_ptr<CostModel> states, Dates dates)
    : states_(std::move(states)), is_still_(dates == Dates::still) {
  if (dates == Dates::paced) paces_.emplace(*states_);
  if (!is_still_) return;
  options_.reserve(usual_options);
  ways_.reserve(usual_options);
  waiting_.reserve(usual_options);
  pending_.reserve(usual_options);
  alarms_.reserve(usual_options);
}

// The order of these lists decides nothing but the order of the options.
void UntimedWorld::describe_sets(ProcessImage& image) const {
  image.leave_out(options_.data(), options_.capacity() * sizeof options_[0]);
  image.leave_out(ways_.data(), ways_.capacity() * sizeof ways_[0]);
  image.leave_out(waiting_.data(), waiting_.capacity() * sizeof waiting_[0]);
  image.leave_out(pending_.data(), pending_.capacity() * sizeof pending_[0]);
  image.leave_out(alarms_.data(), alarms_.capacity() * sizeof alarms_[0]);
  for (const ActivityRecord* activity : pending_) image.add_to_set(reinterpret_cast<std::uintptr_t>(activity) << 2 | 1);
  for (const Alarm& alarm : alarms_) image.add_to_set(reinterpret_cast<std::uintptr_t>(alarm.timer) << 2 | 2);
}

void UntimedWorld::add_option(const Option& option, const Way& way) {
  options_.push_back(option);
  ways_.push_back(way);
}

std::span<const Option> UntimedWorld::options() {
  options_.clear();
  ways_.clear();
  waiting_.clear();
  if (is_still_) strayed_ = false;
  ListNode& ready = kernel_->scheduler().ready();
  for (ListNode* node = ready.next; node != &ready; node = node->next) {
    ActorRecord& actor = owner_of<ActorRecord, ReadyPlace>(*node);
    const Way way = way_of(actor);
    if (way.is_possible) add_option({Option::Kind::step, &actor, nullptr, nullptr, actor.about_to}, way);
    else waiting_.push_back(way);
  }
  for (ActivityRecord* activity : pending_)
    if (!activity->suspended)
      add_option({Option::Kind::end, nullptr, activity, nullptr, {}}, way_of_end(*activity, kernel_->callbacks()));
  for (const Alarm& alarm : alarms_)
    add_option({Option::Kind::alarm, nullptr, nullptr, alarm.timer, {}}, way_of_alarm(*alarm.timer));
  ways_.insert(ways_.end(), waiting_.begin(), waiting_.end());
  return options_;
}

void UntimedWorld::take(std::uint32_t option) {
  REHEARSE_ASSERT(option < options_.size(), "a choice among the options");
  const Option taken = options_[option];
  if (!is_still_) kernel_->happens_outside(ways_[option].who);
  strayed_ = false;
  switch (taken.kind) {
    case Option::Kind::step: return kernel_->scheduler().run_actor(*taken.actor);
    case Option::Kind::end: {
      if (paces_) now_ = paces_->pass_until_end(*taken.activity, now_);
      const bool failed = crosses_what_is_off(*taken.activity);
      std::erase(pending_, taken.activity);
      return kernel_->activities().finish(*taken.activity, failed ? ActivityState::failed : ActivityState::finished,
                                          failed ? Failure::resource : Failure::none);
    }
    case Option::Kind::alarm: {
      const auto found =
          std::find_if(alarms_.begin(), alarms_.end(), [&](const Alarm& alarm) { return alarm.timer == taken.timer; });
      if (!is_still_) now_ = paces_ ? paces_->pass_until(found->date, now_) : std::max(now_, found->date);
      cancel_timer(*taken.timer);
      return kernel_->ring(*taken.timer);
    }
  }
}

bool UntimedWorld::step(TimePoint) {
  const auto now = options();
  if (now.empty()) return false;
  REHEARSE_ASSERT(now.size() == 1, "choices are taken from outside, by options() and take()");
  take(0);
  return true;
}

// Other actors may run first. Never throws: it is also called in destructors.
void UntimedWorld::before(const Footprint& footprint) {
  ActorRecord* self = running_actor();
  if (self == nullptr || self->doomed || std::uncaught_exceptions() > 0) return strays();
  self->about_to = footprint;
  self->granted = self->timed_out = false;  // the last wait is over
  tidy_stack();
  kernel_->scheduler().let_others_go_first(*self, footprint.waiting, footprint.waited_for);
  self->about_to = {};
  tidy_stack();
  if (footprint.ask == nullptr) note_anything();
}

void UntimedWorld::strays() {
  strayed_ = true;
  note_anything();
}

bool UntimedWorld::crosses_what_is_off(const ActivityRecord& activity) {
  if (activity.kind == ActivityKind::exec && !activity.is_parallel) return !states_->is_host_on(activity.host, now_);
  if (activity.kind != ActivityKind::comm && !activity.is_stream) return false;
  const auto route = kernel_->platform().find_route(activity.host, activity.destination);
  return !route || std::any_of(route->links.begin(), route->links.end(),
                               [&](LinkId link) { return !states_->is_link_on(link, now_); });
}

void UntimedWorld::link_went_off(LinkId) {
  const std::vector<ActivityRecord*> before = pending_;
  for (ActivityRecord* activity : before)
    if (activity->kind == ActivityKind::comm || activity->is_stream)
      if (crosses_what_is_off(*activity))
        kernel_->activities().cancel(*activity, ActivityState::failed, Failure::resource);
}

bool UntimedWorld::start(ActivityRecord& activity) {
  const bool crosses = activity.kind == ActivityKind::comm || activity.is_stream;
  if (crosses && !kernel_->platform().find_route(activity.host, activity.destination)) return false;
  if (paces_ && !paces_->start(activity, now_)) return false;
  pending_.push_back(&activity);
  return true;
}

void UntimedWorld::stop(ActivityRecord& activity) {
  if (paces_) paces_->stop(activity, now_);
  std::erase(pending_, &activity);
}

void UntimedWorld::suspend(ActivityRecord& activity) {
  if (paces_) paces_->suspend(activity, now_);
}

void UntimedWorld::resume(ActivityRecord& activity) {
  if (paces_) paces_->resume(activity, now_);
}

void UntimedWorld::set_timer(Timer& timer, TimePoint date) {
  timer.place = 0;
  alarms_.push_back({&timer, date});
}

void UntimedWorld::cancel_timer(Timer& timer) {
  timer.place = Timer::absent;
  std::erase_if(alarms_, [&](const Alarm& alarm) { return alarm.timer == &timer; });
}

std::string UntimedWorld::describe(const Option& option) const {
  switch (option.kind) {
    case Option::Kind::step:
      return "actor '" + option.actor->name + "' goes on" +
             (is_of_itself(option.footprint) ? "" : ", with " + text_of(option.footprint));
    case Option::Kind::end: {
      const ActivityRecord& activity = *option.activity;
      const std::string place = activity.place != nullptr ? " at '" + activity.place->name + "'" : "";
      switch (activity.kind) {
        case ActivityKind::comm: return "the message" + place + " arrives";
        case ActivityKind::exec: return "the computation on '" + kernel_->host_name(activity.host) + "' ends";
        case ActivityKind::io: return "the disk access ends";
        case ActivityKind::mess:
        case ActivityKind::pause: return "the pause ends";
      }
      return "";
    }
    case Option::Kind::alarm:
      if (option.timer->kind == TimerKind::actor_wakes) {
        const auto& actor = *static_cast<const ActorRecord*>(option.timer);
        return "actor '" + actor.name + (actor.waiting == Waiting::date ? "' wakes up" : "' waits no longer");
      }
      if (option.timer->kind == TimerKind::actor_is_killed)
        return "actor '" + static_cast<const KillTimer*>(option.timer)->actor->name + "' is killed";
      return "a pause ends";
  }
  return "";
}

}  // namespace rehearse::sim::kernel
