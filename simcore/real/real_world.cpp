// SPDX-License-Identifier: MIT
//
// See real_world.hpp.
#include "simcore/real/real_world.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/put_get_queue.hpp"
#include "simcore/kernel/stop_report.hpp"
#include "simcore/real/program_streams.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::real {

using remote::Packer;
using remote::Unpacker;
using sim::ActivityState;
using sim::kernel::ActivityKind;
using sim::kernel::ActivityRecord;
using sim::kernel::ActorRecord;
using sim::kernel::Failure;
using sim::kernel::FarOrder;
using sim::kernel::PutGetQueue;
using sim::kernel::Timer;

namespace {

constexpr auto idle_patience = std::chrono::milliseconds(2);  // before the coordinator hears that nothing happens

bool is_pause(const ActivityRecord& activity) { return activity.kind == ActivityKind::pause; }

}  // namespace

RealWorld::RealWorld(std::unique_ptr<CostModel> states, const Connections& connections)
    : connections_(connections),
      states_(std::move(states)),
      computations_(connections.io, [this](std::uint32_t number) { computation_ended(number); }) {}

RealWorld::~RealWorld() = default;

void RealWorld::attach(sim::kernel::Kernel& kernel) {
  kernel_ = &kernel;
  process_of_.assign(kernel.platform().hosts().size(), connections_.self);
  mail_ = std::make_unique<PostOffice>(
      kernel, connections_.network, connections_.self,
      [this](const std::string& mailbox, bool claims) {
        connections_.control.send(ControlKind::ask, Packer().add(mailbox).add(claims).take());
      },
      [this](const std::string& what) { refuse(what); });
}

void RealWorld::refuse(const std::string& what) {
  connections_.control.send(ControlKind::refused, what);
  leave_program();
}

// ---- the begin and the end of a run

// Hosts with actors are divided in their order; a host without any is in the process of the one before it.
void RealWorld::divide() {
  const auto actors = kernel_->actors().living();
  std::vector<bool> has_actors(process_of_.size());
  for (const ActorRecord* actor : actors) has_actors[actor->host.value] = true;
  const auto count = static_cast<std::uint32_t>(std::count(has_actors.begin(), has_actors.end(), true));
  if (count < connections_.processes)
    refuse(
        fmt::format("{} processes for {} hosts with actors; accepted: up to {}", connections_.processes, count, count));
  std::uint32_t process = 0, passed = 0;
  for (std::size_t host = 0; host < process_of_.size(); ++host) {
    if (has_actors[host])
      process = static_cast<std::uint32_t>(std::uint64_t{passed++} * connections_.processes / count);
    process_of_[host] = process;
  }
  first_actors_ = actors.empty() ? 0 : actors.back()->pid;
  kernel_->actors().part(*this);
  kernel_->exchange().leave_homes();
  kernel_->exchange().for_receivers([this](PutGetQueue& place) {
    const std::uint32_t home = process_of_[place.receiver.host().id().value];
    place.home = home == connections_.self ? PutGetQueue::here : home;
  });
}

void RealWorld::begin(SteadyClock::time_point start) {
  start_ = start;
  is_running_ = true;
  is_stopped_ = has_reported_ = has_reported_end_ = false;
  ended_.clear();
  last_end_ = 0;
}

TimePoint RealWorld::now() const {
  if (!is_running_) return {};
  const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(SteadyClock::now() - start_).count();
  return TimePoint{passed > 0 ? passed * 1000 : 0};
}

void RealWorld::run_until_stopped() {
  while (!is_stopped_ && SteadyClock::now() < start_) connections_.io.run_one_until(start_);
  while (!is_stopped_) step(CostModel::never);
}

ProcessReport RealWorld::make_report() {
  ProcessReport report;
  const sim::RunReport now = kernel_->report();
  report.stop = make_stop(*kernel_, now);
  for (const sim::FailedActor& actor : now.failed) report.failed_dates.push_back(actor.date);
  report.end = last_end_;
  report.actors = ended_;
  for (const ActorRecord* actor : kernel_->actors().living())
    if (!actor->is_far)
      report.actors.push_back({actor->pid, actor->name, kernel_->host_name(actor->host), actor->daemon, false, 0});
  report.messages = mail_->counters().messages;
  report.bytes = mail_->counters().bytes;
  report.socket_bytes = connections_.network.bytes_written();
  report.flops = computations_.flops();
  report.flop_seconds = computations_.thread_seconds();
  return report;
}

// ---- the loop

bool RealWorld::step(TimePoint) {
  bool has_acted = run_ready();
  has_acted = mail_->finish_near() || has_acted;
  has_acted = ring() || has_acted;
  has_acted = connections_.io.poll() > 0 || has_acted;
  if (has_acted) has_reported_ = false;
  if (!has_acted) wait();
  return !is_stopped_;
}

// Those that are ready now, not those that they wake.
bool RealWorld::run_ready() {
  sim::kernel::ListNode& ready = kernel_->scheduler().ready();
  std::size_t count = 0;
  for (const sim::kernel::ListNode* node = ready.next; node != &ready; node = node->next) ++count;
  const bool has_any = count > 0;
  for (; count > 0 && !ready.empty() && !is_stopped_; --count)
    kernel_->scheduler().run_actor(sim::kernel::owner_of<ActorRecord, sim::kernel::ReadyPlace>(*ready.next));
  return has_any;
}

bool RealWorld::ring() {
  bool has_rung = false;
  while (!timers_.empty() && timers_.first_date() <= now()) {
    Timer& timer = timers_.first();
    timers_.remove(timer);
    kernel_->ring(timer);
    has_rung = true;
  }
  return has_rung;
}

bool RealWorld::is_passive() const {
  return timers_.empty() && !computations_.is_busy() && !connections_.network.is_writing_content() &&
         !mail_->has_near();
}

void RealWorld::wait() {
  flush_output();
  const bool is_at_end = kernel_->actors().count_near_to_wait_for() == 0 && kernel_->activities().only_daemons_work();
  if (is_at_end && !has_reported_end_) report_status(0);
  has_reported_end_ = is_at_end;
  SteadyClock::time_point limit = SteadyClock::time_point::max();
  if (!timers_.empty()) {
    const std::int64_t wanted = timers_.first_date().picoseconds / 1000 + 1;
    constexpr std::int64_t longest = std::int64_t{3600} * 1'000'000'000;
    limit = SteadyClock::now() + std::chrono::nanoseconds(std::min(longest, wanted - now().picoseconds / 1000));
  }
  const bool may_report = is_passive() && !has_reported_;
  if (may_report) limit = SteadyClock::now() + idle_patience;
  const std::size_t handled = limit == SteadyClock::time_point::max() ? connections_.io.run_one()
                                                                      : connections_.io.run_one_until(limit);
  if (handled > 0) {
    has_reported_ = false;
  } else if (may_report) {
    has_reported_ = true;
    report_status(0);
  }
  if (connections_.io.stopped()) connections_.io.restart();
}

void RealWorld::report_status(std::uint64_t probe) {
  Status status;
  if (probe > 0) last_probe_ = probe;
  status.probe = last_probe_;
  status.is_passive = is_passive() && !kernel_->scheduler().has_ready();
  status.sent_to = connections_.network.sent_to();
  status.received_from = connections_.network.received_from();
  status.orders_received = connections_.control.received_count();
  status.actors_to_wait_for = kernel_->actors().count_near_to_wait_for();
  status.has_free_work = !kernel_->activities().only_daemons_work();
  connections_.control.send(ControlKind::status, to_bytes(status));
}

// ---- activities

bool RealWorld::start(ActivityRecord& activity) {
  if (!is_running_) refuse("an activity that main() starts");
  switch (activity.kind) {
    case ActivityKind::pause:
      timers_.set(activity, now() + (sim::kernel::date_from(activity.amount) - TimePoint{}));
      return true;
    case ActivityKind::exec: begin_computation(activity); return true;
    case ActivityKind::comm:
      if (activity.place == nullptr) refuse("a transfer between hosts without a mailbox (Comm::sendto())");
      if (std::isfinite(activity.limit)) refuse("a rate of a message (Comm::set_rate())");
      mail_->start(activity);
      return true;
    case ActivityKind::io: refuse("an access to a disk"); break;
    case ActivityKind::mess: break;
  }
  return true;
}

void RealWorld::begin_computation(ActivityRecord& activity) {
  if (activity.is_parallel) refuse("a parallel task");
  if (!is_near(activity.host))
    refuse("a computation on '" + kernel_->host_name(activity.host) + "', a host of another process");
  if (activity.priority != 1) refuse("a priority of a computation");
  const bool has_run = activity.extras && activity.extras->code;  // the code is the computation
  activity.cost = computations_.start(has_run ? 0 : activity.amount, activity.threads, activity.limit);
  computing_[activity.cost] = sim::Reference<ActivityRecord>(&activity);
  if (activity.suspended) computations_.suspend(activity.cost, true);
}

void RealWorld::computation_ended(std::uint32_t number) {
  const auto found = computing_.find(number);
  if (found == computing_.end()) return;
  const auto activity = std::move(found->second);
  computing_.erase(found);
  activity->cost = ActivityRecord::no_cost;
  kernel_->activities().finish(*activity, ActivityState::finished, Failure::none);
}

void RealWorld::stop(ActivityRecord& activity) {
  if (static_cast<Timer&>(activity).is_set()) timers_.remove(activity);
  if (activity.kind != ActivityKind::exec || activity.cost == ActivityRecord::no_cost) return;
  computations_.stop(activity.cost);
  computing_.erase(activity.cost);
  activity.cost = ActivityRecord::no_cost;
}

void RealWorld::suspend(ActivityRecord& activity) {
  Timer& alarm = activity;
  if (alarm.is_set()) {
    activity.priority = remaining(activity);  // a member without another use in a pause
    timers_.remove(alarm);
  }
  if (activity.kind == ActivityKind::exec) computations_.suspend(activity.cost, true);
}

void RealWorld::resume(ActivityRecord& activity) {
  if (is_pause(activity)) timers_.set(activity, now() + Duration::from_seconds(activity.priority));
  if (activity.kind == ActivityKind::exec) computations_.suspend(activity.cost, false);
}

void RealWorld::set_rate(ActivityRecord& activity) {
  if (activity.kind == ActivityKind::comm) refuse("a rate of a message (Comm::set_rate())");
  computations_.set_bound(activity.cost, activity.limit);
}

void RealWorld::set_priority(ActivityRecord&) { refuse("a priority of a computation"); }

void RealWorld::set_host(ActivityRecord& activity) {
  if (!is_near(activity.host))
    refuse("a computation moves to '" + kernel_->host_name(activity.host) + "', a host of another process");
}

double RealWorld::remaining(ActivityRecord& activity) {
  if (activity.kind == ActivityKind::exec) return computations_.remaining(activity.cost);
  if (!is_pause(activity)) return activity.amount;
  const Timer& alarm = activity;
  return alarm.is_set() ? (timers_.date_at(alarm.place) - now()).seconds() : activity.priority;
}

double RealWorld::rate(ActivityRecord& activity) {
  if (is_pause(activity)) return activity.suspended ? 0 : 1;
  const double passed = (now() - activity.started).seconds();
  return passed > 0 ? (activity.amount - remaining(activity)) / passed : 0;
}

void RealWorld::link_went_off(LinkId link) { refuse("link '" + kernel_->platform().link(link).name + "' goes off"); }

// ---- between processes

void RealWorld::send_to_all(PeerKind kind, const std::string& body) {
  for (std::uint32_t i = 0; i < connections_.processes; ++i)
    if (i != connections_.self) connections_.network.send(i, kind, body);
}

void RealWorld::received(std::uint32_t process, PeerKind kind, std::string_view body) {
  if (is_stopped_) return;
  Unpacker unpacker(body);
  switch (kind) {
    case PeerKind::actor_ended: {
      ActorRecord* actor = kernel_->actors().find(unpacker.value<std::uint32_t>());
      if (actor != nullptr && actor->is_far) kernel_->actors().end_far(*actor, unpacker.value<bool>());
      return;
    }
    case PeerKind::order: {
      ActorRecord* actor = kernel_->actors().find(unpacker.value<std::uint32_t>());
      if (actor == nullptr || actor->is_far) return;
      const sim::Reference<ActorRecord> keep(actor);
      switch (unpacker.value<FarOrder>()) {
        case FarOrder::kill: return kernel_->actors().kill(*actor);
        case FarOrder::suspend: return kernel_->actors().suspend(*actor);
        case FarOrder::resume: return kernel_->actors().resume(*actor);
      }
      return;
    }
    case PeerKind::host_state: {
      const HostId host{unpacker.value<std::uint32_t>()};
      kernel_->changes().set_host_on(host, unpacker.value<bool>());
      return;
    }
    default: return mail_->received(process, kind, body);
  }
}

void RealWorld::lost(std::uint32_t process) {
  if (is_stopped_ || !is_running_) return;
  for (ActorRecord* actor : kernel_->actors().living())
    if (actor->is_far && process_of_[actor->host.value] == process) kernel_->actors().end_far(*actor, true);
  mail_->lost(process);
  for (std::uint32_t host = 0; host < process_of_.size(); ++host)
    if (process_of_[host] == process) kernel_->changes().set_host_on(HostId{host}, false);
}

std::uint32_t RealWorld::number_of_actor(std::uint32_t next) const {
  if (next <= first_actors_) return next;
  const std::uint32_t turn = (next - first_actors_ - 1) % connections_.processes;
  return next + (connections_.self + connections_.processes - turn) % connections_.processes;
}

void RealWorld::order(const ActorRecord& far, FarOrder order) {
  if (!is_running_) return;
  connections_.network.send(process_of_[far.host.value], PeerKind::order, Packer().add(far.pid).add(order).take());
}

void RealWorld::actor_ends(const ActorRecord& actor, bool killed) {
  if (!is_running_ || is_stopped_) return;
  const double date = now().seconds();
  if (!actor.daemon) last_end_ = date;
  ended_.push_back({actor.pid, actor.name, kernel_->host_name(actor.host), actor.daemon, true, date});
  if (actor.pid <= first_actors_) send_to_all(PeerKind::actor_ended, Packer().add(actor.pid).add(killed).take());
}

void RealWorld::host_is_set(HostId host, bool is_on) {
  send_to_all(PeerKind::host_state, Packer().add(host.value).add(is_on).take());
}

void RealWorld::uses(std::uint64_t name, sim::kernel::Touched what) {
  if (!used_.insert(name).second) return;
  const ActorRecord& user = sim::kernel::this_actor_record();
  connections_.control.send(ControlKind::uses,
                            Packer().add(name).add(what).add(user.name).add(kernel_->host_name(user.host)).take());
}

void RealWorld::require_home(const PutGetQueue& place, const char* what) {
  if (is_running_) mail_->require_home(const_cast<PutGetQueue&>(place), what);
}

}  // namespace rehearse::real
