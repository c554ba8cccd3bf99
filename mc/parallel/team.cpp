// SPDX-License-Identifier: MIT
//
// The coordinator's side.
#include "mc/parallel/team.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include "mc/records/records.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::parallel {

using records::Reader;
using records::Writer;

namespace {

constexpr int long_wait_ms = 20, short_wait_ms = 2;
constexpr double patience_seconds = 2;      // wait for workers to stop
constexpr double donation_seconds = 0.001;  // time for a donation to arrive
constexpr std::uint32_t deaths_per_member = 16;
constexpr std::size_t executions_read_at_once = 16;

}  // namespace

Team::Team(const Exploration& exploration, verdict::Ledger& ledger, verdict::Watch& watch)
    : exploration_(exploration),
      ledger_(ledger),
      watch_(watch),
      read_(executions_read_at_once),
      executions_before_(ledger.executions()),
      operations_before_(ledger.operations()) {
  void* mapped = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  shared_ = new (mapped) Shared();
}

Team::~Team() {
  end_all();
  munmap(shared_, sizeof(Shared));
}

bool Team::start(Member& member, bool inherits) {
  std::vector<int> siblings;
  for (const auto& other : members_)
    if (other->channel.descriptor() >= 0) siblings.push_back(other->channel.descriptor());
  auto child = start_worker(exploration_, *shared_, *member.slot, siblings, inherits);
  if (!child) return false;
  member.pid = child->pid;
  member.channel = std::move(child->channel);
  return true;
}

// Parts are consecutive intervals of [0, 1].
double Team::fraction_done() const {
  double remaining = 0, end = 1;
  for (auto part = parts_.rbegin(); part != parts_.rend(); end = (part++)->begin) {
    double at = part->begin;
    for (const auto& member : members_)
      if (member->part && &**member->part == &*part) at = std::max(at, member->slot->position.load());
    if (!part->is_finished) remaining += std::max(0.0, end - at);
  }
  return std::clamp(1 - remaining, 0.0, 1.0);
}

// The first worker of a new exploration goes on where this process stopped.
void Team::start_members(bool is_new) {
  for (std::uint32_t i = 0; i < exploration_.options.strategy.jobs; ++i) {
    auto member = std::make_unique<Member>();
    member->slot = &shared_->slots[i];
    if (!start(*member, is_new && i == 0)) break;
    if (is_new && i == 0) member->part = parts_.begin();
    members_.push_back(std::move(member));
  }
  if (!members_.empty()) add_helpers();
  started_ = static_cast<std::uint32_t>(members_.size());
}

// Workers on other machines. Each gets a part when one waits.
void Team::add_helpers() {
  std::vector<std::string> machines{""};
  for (const Helper& helper : exploration_.options.strategy.helpers) {
    const int descriptor = fcntl(helper.descriptor, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0) continue;
    auto member = std::make_unique<Member>();
    member->channel = Channel(descriptor);
    member->slot = &shared_->slots[members_.size()];
    const auto machine = std::ranges::find(machines, helper.machine);
    member->is_helper = true;
    member->machine = static_cast<std::size_t>(machine - machines.begin());
    if (machine == machines.end()) machines.push_back(helper.machine);
    members_.push_back(std::move(member));
  }
}

bool Team::run() {
  const bool is_new = parts_.empty();
  if (is_new) {
    parts_.emplace_back().assignment.path = exploration_.explorer->remaining();
    parts_.back().begin = exploration_.explorer->position();
  }
  watch_.estimate([this] { return fraction_done(); });
  start_members(is_new);
  if (members_.empty()) return false;
  while (!parts_.empty()) {
    if (!count_finished()) {
      if (will_save_) collect();
      save();
      break;
    }
    if (parts_.empty()) break;
    if (const auto reason = objection()) {
      halt(*reason);
      break;
    }
    assign_waiting();
    ask_for_donations();
    const bool some_wait = std::any_of(members_.begin(), members_.end(), [](const auto& m) { return !m->part; });
    listen(some_wait ? short_wait_ms : long_wait_ms);
  }
  end_all();
  return true;
}

void Team::listen(int milliseconds) {
  std::vector<pollfd> lines;
  std::vector<Member*> listened;  // replace_dead() removes a lost one from members_
  for (const auto& member : members_) {
    lines.push_back({member->channel.descriptor(), POLLIN, 0});
    listened.push_back(member.get());
  }
  if (poll(lines.data(), lines.size(), milliseconds) <= 0) return;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].revents == 0) continue;
    Member& member = *listened[i];
    const bool lives = member.channel.fetch();
    while (const std::optional<Frame> frame = member.channel.next()) handle(member, *frame);
    if (!lives) replace_dead(member);
  }
}

void Team::handle(Member& member, const Frame& frame) {
  Reader message(frame.bytes);
  const auto kind = static_cast<WorkerReport>(frame.kind);
  if (kind == WorkerReport::progress) return get(message, *member.slot);
  if (kind == WorkerReport::died) {
    ++deaths_;
    const std::string how(message.text());
    if (message.number() == member.assignments) give_up_part(member, how);
    if (has_died_too_often()) member.channel.shut_down();  // listen() then removes it
    return;
  }
  REHEARSE_ASSERT(member.part, "a report from a worker without a part");
  Part& part = **member.part;
  switch (kind) {
    case WorkerReport::log:
      part.received += message.number();
      part.log.append(std::string_view(frame.bytes).substr(frame.bytes.size() - message.remaining()));
      break;
    case WorkerReport::donation: take_donation(member, message); break;
    case WorkerReport::finished:
      part.is_finished = true;
      member.part.reset();
      break;
    case WorkerReport::remaining:
      get(message, part.rest.emplace());
      member.part.reset();
      break;
    case WorkerReport::unchanged:
      waiting_.insert(waiting_.begin(), *member.part);
      member.part.reset();
      break;
    case WorkerReport::standing: member.standing = message.text(); break;
    case WorkerReport::progress:
    case WorkerReport::died: break;  // see above
  }
}

void Team::take_donation(Member& member, Reader& message) {
  reduction::Donation donation;
  get(message, donation);
  const Parts::iterator donor = *member.part;
  const Parts::iterator part = parts_.emplace(std::next(donor));
  part->assignment.path = std::move(donation.path);
  part->begin = donation.position;
  donor->assignment.donated.push_back({donor->received, donation.cut});
  waiting_.push_back(part);
}

// The process behind the channel has ended. A machine that is lost gets no other worker.
void Team::replace_dead(Member& member) {
  ++deaths_;
  const bool is_here = member.pid >= 0;
  const std::string how = is_here ? describe_end(reap(member.pid)) : "with their machine";
  member.pid = -1;
  member.channel.close();
  give_up_part(member, how);
  if (!is_here || has_died_too_often() || !start(member, false))
    std::erase_if(members_, [&](const auto& m) { return m.get() == &member; });
}

bool Team::has_died_too_often() { return deaths_ > deaths_per_member * started_; }

// The worker has died; another one must do its part.
void Team::give_up_part(Member& member, const std::string& how) {
  member.slot->bytes = 0;
  if (member.part) {
    Part& part = **member.part;
    if (!member.standing.empty() && part.place_of_death == member.standing) {
      leave_out(part, how);
    } else {
      part.place_of_death = member.standing;
      part.assignment.skip = part.received;
      part.assignment.is_careful = true;
      waiting_.insert(waiting_.begin(), *member.part);
    }
    member.part.reset();
  }
  member.standing.clear();
}

void Team::leave_out(Part& part, const std::string& how) {
  Writer entry;
  entry.plain(EntryKind::left_out);
  entry.text("two exploring processes ended " + how +
             " at the same place; the executions after it are left out: " + part.place_of_death);
  part.log += entry.bytes();
  part.is_finished = true;
}

// Counts several executions at once, so that the ledger can prefetch the entries of their classes from memory. The kind
// of the first one has been read. `remaining`: bytes of the log after the last execution counted.
bool Team::count_executions(Reader& reader, std::size_t& remaining) {
  std::size_t count = 0;
  do {
    Read& read = read_[count++];
    read.operations = reader.number();
    get(reader, read.execution);
    read.behind = reader.remaining();
    ledger_.expect(read.execution);
  } while (count < read_.size() && reader.takes(EntryKind::execution));
  for (std::size_t i = 0; i < count; ++i) {
    remaining = read_[i].behind;
    ledger_.add_operations(read_[i].operations);
    if (!ledger_.take(read_[i].execution)) return false;
  }
  return true;
}

// A log has only whole entries. False: the exploration must stop here.
bool Team::count_log(Part& part) {
  Reader reader(part.log);
  std::size_t remaining = reader.remaining();
  bool goes_on = true;
  while (goes_on && !reader.at_end()) {
    switch (reader.plain<EntryKind>()) {
      case EntryKind::execution: goes_on = count_executions(reader, remaining); continue;
      case EntryKind::operations: ledger_.add_operations(reader.number()); break;
      case EntryKind::limits: {
        verdict::Limits limits;
        get(reader, limits);
        ledger_.add_limits(limits);
        break;
      }
      case EntryKind::left_out: ledger_.leave_out(std::string(reader.text())); break;
      case EntryKind::end:
        goes_on = ledger_.stop(std::string(reader.text()));
        is_hopeless_ = true;
        break;
    }
    remaining = reader.remaining();
  }
  REHEARSE_ASSERT(reader.is_good(), "a log that cannot be read");
  part.log.erase(0, part.log.size() - remaining);
  return goes_on;
}

bool Team::count_finished() {
  while (!parts_.empty()) {
    if (!count_log(parts_.front())) return false;
    if (!parts_.front().is_finished) return true;
    parts_.pop_front();
  }
  return true;
}

// Also counts executions that come after a missing part.
void Team::count_all() {
  for (Part& part : parts_)
    if (!count_log(part)) return;
}

void Team::assign_waiting() {
  for (const auto& member : members_) {
    if (waiting_.empty()) return;
    if (member->part) continue;
    const Parts::iterator part = waiting_.front();
    waiting_.erase(waiting_.begin());
    Writer message;
    put(message, part->assignment);
    member->part = part;
    ++member->assignments;
    member->slot->position = part->begin;
    member->channel.send(static_cast<std::uint8_t>(Order::assignment), message.bytes());  // dead: see listen()
  }
}

void Team::ask_for_donations() {
  const auto idle = static_cast<std::int32_t>(
      std::count_if(members_.begin(), members_.end(), [](const auto& m) { return !m->part; }));
  if (shared_->donations_wanted > idle) shared_->donations_wanted = idle;
  if (idle == 0 || watch_.seconds() < asked_at_ + donation_seconds) return;
  asked_at_ = watch_.seconds();
  shared_->donations_wanted = idle;
  std::int32_t orders = idle;  // one of each worker on another machine
  for (const auto& member : members_) {
    if (!member->is_helper || !member->part || orders-- <= 0) continue;
    Writer message;
    message.number(1);
    member->channel.send(static_cast<std::uint8_t>(Order::donations), message.bytes());
  }
}

// The reason to stop now, from the limits on time, memory and numbers.
std::optional<std::string> Team::objection() {
  std::uint64_t executions = executions_before_, operations = operations_before_;
  for (const Shared::Slot& slot : shared_->slots) {
    executions += slot.executions;
    operations += slot.operations;
  }
  if (members_.empty()) return "the exploring processes ended repeatedly";
  return watch_.objection(executions, operations, most_bytes());
}

// Of the workers on one machine.
std::uint64_t Team::most_bytes() const {
  std::vector<std::uint64_t> bytes(members_.size() + 1);
  for (const auto& member : members_) bytes[member->machine] += member->slot->bytes;
  return std::ranges::max(bytes);
}

// Stops the workers and waits for their last reports, for a limited time.
void Team::collect() {
  shared_->stops = true;
  for (const auto& member : members_)
    if (member->is_helper) member->channel.send(static_cast<std::uint8_t>(Order::stop), {});
  const double begin = watch_.seconds();
  const auto is_busy = [](const auto& member) { return member->part.has_value(); };
  while (std::any_of(members_.begin(), members_.end(), is_busy) && watch_.seconds() < begin + patience_seconds)
    listen(short_wait_ms);
}

// Stops for a reason other than a finding. Counts all executions known so far, which may be all executions.
void Team::halt(const std::string& reason) {
  collect();
  const bool goes_on = count_finished();
  if (parts_.empty()) return;
  save();
  if (!goes_on) return;
  ledger_.stop(reason);
  count_all();
}

// Writes the remaining work that the worker reported, or the part as donated with the executions to skip.
void Team::put_part(const Part& part, Writer& to) {
  Assignment assignment = part.assignment;
  assignment.skip = part.received;
  if (part.rest) assignment = {*part.rest, 0, {}, false};
  put(to, assignment);
  to.number(part.is_finished);
  to.plain(part.begin);
  to.text(part.log);
}

void Team::save() {
  if (!will_save_ || is_hopeless_ || parts_.empty()) return;
  Writer to;
  ledger_.save(to);
  to.number(parts_.size());
  for (const Part& part : parts_) put_part(part, to);
  remaining_ = std::move(to.bytes());
}

std::string Team::remaining_of(const verdict::Ledger& ledger, const reduction::ReceivesFromExplorer& explorer) {
  Part part;
  part.assignment.path = explorer.remaining();
  part.begin = explorer.position();
  Writer to;
  ledger.save(to);
  to.number(1);
  put_part(part, to);
  return std::move(to.bytes());
}

void Team::load(Reader& from) {
  const std::size_t count = from.count();
  for (std::size_t i = 0; i < count; ++i) {
    Part& part = parts_.emplace_back();
    get(from, part.assignment);
    part.received = part.assignment.skip;
    part.is_finished = from.number() != 0;
    part.begin = from.plain<double>();
    part.log = from.text();
    if (!part.is_finished) waiting_.push_back(std::prev(parts_.end()));
  }
  if (count == 0) from.fail();
}

void Team::end_all() {
  for (const auto& member : members_) {
    if (member->is_helper) member->channel.shut_down();
    if (member->pid < 0) continue;
    kill(member->pid, SIGKILL);
    reap(member->pid);
    member->pid = -1;
  }
  if (members_.empty()) return;
  members_.clear();
  std::uint64_t runs = 0;
  for (const Shared::Slot& slot : shared_->slots) runs += slot.application_runs;
  ledger_.add_application_runs(runs);
}

}  // namespace rehearse::mc::parallel
