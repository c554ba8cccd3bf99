// SPDX-License-Identifier: MIT
//
// Activities of all kinds, on top of the kernel.
#include "simcore/actor_api/activity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "simcore/kernel/far_side.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/put_get_queue.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::sim {

using kernel::ActivityKind;
using kernel::ActivityRecord;
using kernel::Failure;
using kernel::Touched;

namespace {

kernel::Kernel& kernel_of(const ActivityRecord& record) { return *record.kernel; }

// The date after `seconds` from now.
TimePoint date_after(kernel::Kernel& kernel, double seconds) {
  const TimePoint duration = kernel::date_from(seconds);
  if (duration >= CostModel::never) return duration;
  const TimePoint date = kernel.now() + (duration - TimePoint{});
  return date < kernel.now() ? CostModel::never : date;
}

void require_not_started(const ActivityRecord& record, const char* what) {
  if (record.state == ActivityState::started) throw BadUse(std::string(what) + " of an activity that has started");
}

// A transfer that is not part of a graph starts when both its ends are known.
void start_if_known(ActivityRecord& record) {
  const bool is_free = !record.extras || record.extras->predecessors.empty();
  if (record.has_source && record.has_destination && record.state == ActivityState::inited && is_free)
    kernel_of(record).activities().request_start(record);
  else kernel_of(record).activities().try_start(record);
}

void require_positive(double value, const char* what) {
  if (!(value > 0)) throw BadUse(fmt::format("{} must be positive, not {:f}", what, value));
}

}  // namespace

ActivityRecord* Activity::record() const {
  ActivityRecord* record = record_.get();
  if (record == nullptr) throw BadUse("the handle refers to no activity");
  const kernel::ActorRecord* self = kernel::running_actor();
  const bool is_new = record->state == ActivityState::inited && self != nullptr && record->maker == self->naming.self;
  if (!is_new) kernel::strays();
  return &record->present();
}

bool Activity::operator==(const Activity& other) const {
  if (!record_ || !other.record_) return record_ == other.record_;
  return record() == other.record();
}

void Activity::begin() const {
  ActivityRecord& record = *this->record();
  if (kernel::ActorRecord* self = kernel::running_actor()) self->has_activities = true;
  kernel_of(record).before({Touched::activity, 0});
  kernel_of(record).activities().request_start(record);
}

void Activity::rename(std::string name) const { record()->more().name = std::move(name); }

void Activity::categorise(std::string_view category) const {
  ActivityRecord& record = *this->record();
  require_not_started(record, "set_category()");
  record.category = kernel_of(record).categories().number(category);
}

void Activity::wait() const {
  if (!record_) throw BadUse("the handle refers to no activity");
  const Reference<ActivityRecord> record(record_);
  (void)kernel_of(*record).activities().wait(*record, CostModel::never);
}

bool Activity::wait_for(double seconds) const {
  const Reference<ActivityRecord> record(this->record());
  return kernel_of(*record).activities().wait(*record, date_after(kernel_of(*record), seconds));
}

bool Activity::wait_until(double date) const {
  const Reference<ActivityRecord> record(this->record());
  return kernel_of(*record).activities().wait(*record, kernel::date_from(date));
}

void Activity::wait_for_or_cancel(double seconds) const {
  if (wait_for(seconds)) return;
  cancel();
  throw TimeoutError(fmt::format("the activity did not end within {:f} s", seconds));
}

bool Activity::test() const {
  ActivityRecord& record = *this->record();
  kernel_of(record).before({Touched::activity, 0});
  if (!record.is_done()) return false;
  kernel_of(record).activities().throw_if_failed(record);
  return true;
}

void Activity::cancel() const {
  const Reference<ActivityRecord> record(this->record());
  kernel_of(*record).before({Touched::activity, 0});
  kernel_of(*record).activities().cancel(*record, ActivityState::canceled, Failure::none);
}

void Activity::suspend() const {
  ActivityRecord& record = *this->record();
  kernel::FarSide* far = kernel_of(record).world().far_side();
  if (far != nullptr && record.kind == ActivityKind::comm) far->refuse("a message is suspended");
  kernel_of(record).activities().suspend(record);
}

void Activity::resume() const { kernel_of(*record()).activities().resume(*record()); }
bool Activity::is_suspended() const { return record()->suspended; }
void Activity::detach() const {
  ActivityRecord& record = *this->record();
  record.detached = true;
  if (record.state == ActivityState::inited) begin();
}

ActivityState Activity::state() const { return record()->state; }
bool Activity::is_done() const { return record()->is_done(); }

double Activity::remaining() const {
  ActivityRecord& record = *this->record();
  if (record.is_done() && record.state == ActivityState::finished) return 0;
  if (record.state != ActivityState::started) return record.is_parallel ? 1 : record.amount;
  return kernel_of(record).world().remaining(record);
}

double Activity::rate() const {
  ActivityRecord& record = *this->record();
  return record.state == ActivityState::started ? kernel_of(record).world().rate(record) : 0;
}

double Activity::start_time() const {
  const TimePoint date = record()->started;
  return date.picoseconds < 0 ? -1 : date.seconds();
}

double Activity::finish_time() const {
  const TimePoint date = record()->finished;
  return date.picoseconds < 0 ? -1 : date.seconds();
}

const std::string& Activity::name() const {
  static const std::string none;
  const ActivityRecord& record = *this->record();
  return record.extras ? record.extras->name : none;
}

void Activity::add_successor(const Activity& successor) const {
  ActivityRecord& before = *record();
  ActivityRecord& after = *successor.record();
  if (after.state == ActivityState::started || after.is_done())
    throw BadUse("an activity that has started cannot get a predecessor");
  if (before.state == ActivityState::finished) return;
  if (kernel::is_before(after, before)) throw BadUse("the dependencies of activities form a cycle");
  const auto& known = before.more().successors;
  if (std::any_of(known.begin(), known.end(), [&](const auto& s) { return s.get() == &after; }))
    throw BadUse("it is already a successor");
  kernel::link(before, after);
}

void Activity::remove_successor(const Activity& successor) const {
  ActivityRecord& before = *record();
  const Reference<ActivityRecord> after(successor.record());
  const auto& known = before.more().successors;
  if (std::none_of(known.begin(), known.end(), [&](const auto& s) { return s == after; }))
    throw BadUse("it is not a successor");
  kernel::unlink(before, *after);
  kernel_of(*after).activities().try_start(*after);
}

std::vector<Activity> Activity::successors() const {
  std::vector<Activity> result;
  const ActivityRecord& record = *this->record();
  if (record.extras)
    for (const auto& successor : record.extras->successors) result.emplace_back(successor.get());
  return result;
}

std::vector<Activity> Activity::predecessors() const {
  std::vector<Activity> result;
  const ActivityRecord& record = *this->record();
  if (record.extras)
    for (ActivityRecord* predecessor : record.extras->predecessors) result.emplace_back(predecessor);
  return result;
}

void Activity::on_start(std::function<void(const Activity&)> callback) const {
  record()->more().on_start.push_back(std::move(callback));
}

void Activity::on_completion(std::function<void(const Activity&)> callback) const {
  record()->more().on_completion.push_back(std::move(callback));
}

// ---------------------------------------------------------------- Comm

const Comm& Comm::set_rate(double bytes_per_second) const {
  require_positive(bytes_per_second, "a rate");
  record()->limit = bytes_per_second;
  if (record()->state == ActivityState::started) kernel_of(*record()).world().set_rate(*record());
  return *this;
}

const Comm& Comm::set_payload(Payload payload) const {
  require_not_started(*record(), "the payload");
  record()->payload = std::move(payload);
  return *this;
}

double Comm::bytes() const { return record()->amount; }
Payload& Comm::payload() const { return record()->payload; }

const Comm& Comm::set_source(HostRef host) const {
  require_not_started(*record(), "the source");
  record()->host = host.id();
  record()->has_source = true;
  start_if_known(*record());
  return *this;
}

const Comm& Comm::set_destination(HostRef host) const {
  require_not_started(*record(), "the destination");
  record()->destination = host.id();
  record()->has_destination = true;
  start_if_known(*record());
  return *this;
}

HostRef Comm::source() const { return HostRef(kernel_of(*record()), record()->host); }
HostRef Comm::destination() const { return HostRef(kernel_of(*record()), record()->destination); }

void Comm::sendto(HostRef source, HostRef destination, double bytes) {
  sendto_async(source, destination, bytes).wait();
}

Comm Comm::sendto_init(HostRef source, HostRef destination, double bytes) {
  if (!(bytes >= 0)) throw BadUse(fmt::format("a transfer of {:f} bytes", bytes));
  ActivityRecord* record = source.kernel()->activities().make(ActivityKind::comm);
  record->amount = bytes;
  record->host = source.id();
  record->destination = destination.id();
  record->has_source = record->has_destination = true;
  return Comm(record);
}

Comm Comm::sendto_async(HostRef source, HostRef destination, double bytes) {
  return sendto_init(source, destination, bytes).start();
}

// ---------------------------------------------------------------- Exec

const Exec& Exec::set_host(HostRef host) const {
  ActivityRecord& record = *this->record();
  if (record.is_parallel) throw BadUse("a parallel task cannot be moved");
  record.host = host.id();
  record.has_source = true;
  if (record.state == ActivityState::started) {
    kernel_of(record).world().set_host(record);
    return *this;
  }
  kernel_of(record).activities().try_start(record);
  if (record.extras)  // transfers that come here can start now
    for (ActivityRecord* transfer : std::vector(record.extras->predecessors))
      kernel_of(record).activities().try_start(*transfer);
  return *this;
}

const Exec& Exec::unset_host() const {
  require_not_started(*record(), "the host");
  record()->has_source = false;
  return *this;
}

const Exec& Exec::set_hosts(const std::vector<HostRef>& hosts, std::vector<double> flops,
                            std::vector<double> bytes) const {
  ActivityRecord& record = *this->record();
  require_not_started(record, "the hosts");
  if (hosts.empty()) throw BadUse("a parallel task on no host");
  if (!flops.empty() && flops.size() != hosts.size())
    throw BadUse(fmt::format("a parallel task on {} hosts with {} amounts of flops", hosts.size(), flops.size()));
  if (!bytes.empty() && bytes.size() != hosts.size() * hosts.size())
    throw BadUse(fmt::format(
        "a parallel task on {} hosts with {} amounts of bytes: the square of the number of hosts is expected",
        hosts.size(), bytes.size()));
  const auto is_bad = [](double amount) { return !(amount >= 0); };
  if (std::any_of(flops.begin(), flops.end(), is_bad) || std::any_of(bytes.begin(), bytes.end(), is_bad))
    throw BadUse("a parallel task with negative amounts");
  auto& task = record.more();
  task.hosts.clear();
  for (const HostRef& host : hosts) task.hosts.push_back(host.id());
  task.flops = std::move(flops);
  task.bytes = std::move(bytes);
  record.host = task.hosts.front();
  record.is_parallel = true;
  record.has_source = true;
  kernel_of(record).activities().try_start(record);
  return *this;
}

HostRef Exec::host() const { return HostRef(kernel_of(*record()), record()->host); }

const Exec& Exec::set_bound(double flops_per_second) const {
  require_positive(flops_per_second, "a bound");
  record()->limit = flops_per_second;
  if (record()->state == ActivityState::started) kernel_of(*record()).world().set_rate(*record());
  return *this;
}

const Exec& Exec::set_priority(double priority) const {
  require_positive(priority, "a priority");
  record()->priority = priority;
  if (record()->state == ActivityState::started) kernel_of(*record()).world().set_priority(*record());
  return *this;
}

const Exec& Exec::set_thread_count(std::uint32_t threads) const {
  require_not_started(*record(), "the number of threads");
  if (threads == 0) throw BadUse("an execution by no thread");
  record()->threads = threads;
  return *this;
}

const Exec& Exec::set_flops(double flops) const {
  require_not_started(*record(), "the flops");
  if (!(flops >= 0)) throw BadUse(fmt::format("a computation of {:f} flops", flops));
  record()->amount = flops;
  return *this;
}

const Exec& Exec::set_code(std::function<void()> code) const {
  require_not_started(*record(), "the code");
  if (!code) throw BadUse("a computation whose code is an empty function");
  record()->more().code = std::make_unique<kernel::Code>();
  record()->extras->code->function = std::move(code);
  return *this;
}

double Exec::flops() const { return record()->amount; }

double Exec::remaining_ratio() const {
  const double whole = record()->is_parallel ? 1 : record()->amount;
  return whole > 0 ? remaining() / whole : 0;
}

// ---------------------------------------------------------------- Io, Mess

const Io& Io::set_disk(DiskRef disk) const {
  require_not_started(*record(), "the disk");
  record()->disk = disk.id();
  record()->host = disk.host().id();
  record()->has_source = true;
  kernel_of(*record()).activities().try_start(*record());
  return *this;
}

const Io& Io::set_kind(IoKind kind) const {
  require_not_started(*record(), "the kind");
  record()->is_write = kind == IoKind::write;
  return *this;
}

const Io& Io::set_priority(double priority) const {
  require_positive(priority, "a priority");
  record()->priority = priority;
  if (record()->state == ActivityState::started) kernel_of(*record()).world().set_priority(*record());
  return *this;
}

double Io::bytes() const { return record()->amount; }

Io Io::stream_init(HostRef source, std::optional<DiskRef> from, HostRef destination, std::optional<DiskRef> to,
                   double bytes) {
  if (!(bytes >= 0)) throw BadUse(fmt::format("a stream of {:f} bytes", bytes));
  if (from && from->host() != source) throw BadUse("disk '" + from->name() + "' is not at '" + source.name() + "'");
  if (to && to->host() != destination) throw BadUse("disk '" + to->name() + "' is not at '" + destination.name() + "'");
  ActivityRecord* record = source.kernel()->activities().make(ActivityKind::io);
  record->is_stream = true;
  record->amount = bytes;
  record->host = source.id();
  record->destination = destination.id();
  record->has_source = record->has_destination = true;
  record->reads_disk = from.has_value();
  record->writes_disk = to.has_value();
  if (from) record->disk = from->id();
  if (to) record->target_disk = to->id();
  return Io(record);
}

Io Io::stream_async(HostRef source, std::optional<DiskRef> from, HostRef destination, std::optional<DiskRef> to,
                    double bytes) {
  return stream_init(source, from, destination, to, bytes).start();
}

void Io::stream(HostRef source, std::optional<DiskRef> from, HostRef destination, std::optional<DiskRef> to,
                double bytes) {
  stream_async(source, from, destination, to, bytes).wait();
}

const Mess& Mess::set_payload(Payload payload) const {
  require_not_started(*record(), "the payload");
  record()->payload = std::move(payload);
  return *this;
}

Payload& Mess::payload() const { return record()->payload; }

}  // namespace rehearse::sim
