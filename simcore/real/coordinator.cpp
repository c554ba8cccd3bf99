// SPDX-License-Identifier: MIT
//
// The end of a run by itself is found by two waves of probes, as Mattern's four counters: if all processes are passive
// in both, and as many messages were received at the first as were sent at the second, nothing is on its way.
//
// Source: Mattern, Algorithms for distributed termination detection, Distributed Computing 2, 1987.
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "simcore/kernel/records.hpp"
#include "simcore/real/member.hpp"
#include "simcore/real/real_protocol.hpp"
#include "simcore/real/run_stops.hpp"
#include "simcore/real_coordinator.hpp"
#include "simcore/remote/failures.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

using real::ControlKind;
using real::Member;
using real::ProcessReport;
using real::Ready;
using real::Status;
using remote::Packer;
using remote::Unpacker;

namespace {

constexpr double least_notice_seconds = 0.002;  // from the message about the start to the start

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

const char* name_of(sim::kernel::Touched what) {
  using sim::kernel::Touched;
  switch (what) {
    case Touched::queue: return "a message queue";
    case Touched::mutex: return "a mutex";
    case Touched::semaphore: return "a semaphore";
    case Touched::barrier: return "a barrier";
    case Touched::condition: return "a condition variable";
    case Touched::variable: return "a shared variable";
    default: return "an object";
  }
}

}  // namespace

class RealCoordinator::Core {
 public:
  Core(std::uint32_t processes, std::string program, Send send)
      : program_(std::move(program)), send_(std::move(send)), members_(processes) {
    run_.processes.resize(processes);
  }

  void receive(std::uint32_t process, const RealMessage& message);
  void lost(std::uint32_t process);
  void ended(std::uint32_t process, int status, std::string_view errors);
  bool is_over() const {
    return std::ranges::all_of(members_, [](const Member& member) { return member.is_lost; });
  }
  bool has_started() const { return phase_ != Phase::joining; }
  void interrupt();
  const RealActorRun& run() const { return run_; }

 private:
  enum class Phase : std::uint8_t { joining, waiting, running, stopping };
  struct User {
    std::uint32_t process = 0;
    std::string actor, host;
  };

  void send(std::uint32_t process, ControlKind kind, std::string body);
  void send_to_all(ControlKind kind, const std::string& body);
  bool all(bool (*holds)(const Member& member)) const;
  void refuse(const std::string& what);
  void hello(std::uint32_t process, Unpacker& body);
  void join();
  void begin_run();
  void ask(std::uint32_t process, Unpacker& body);
  void uses(std::uint32_t process, Unpacker& body);
  void look_for_end();
  void stop_run();
  void finish_run();

  std::string program_;
  Send send_;
  Phase phase_ = Phase::joining;
  std::vector<Member> members_;
  RealActorRun run_;
  std::map<std::string, std::uint32_t> homes_;
  std::map<std::string, std::set<std::uint32_t>> waiting_;  // for a home
  std::map<std::uint64_t, User> users_;                     // of objects, by name
  bool is_interrupted_ = false;
  std::uint64_t probe_ = 0;
  std::optional<std::uint64_t> wave_;  // the first wave found this number of messages; the second one is on its way
};

void RealCoordinator::Core::send(std::uint32_t process, ControlKind kind, std::string body) {
  if (members_[process].is_lost) return;
  ++members_[process].orders;
  send_(process, {static_cast<std::uint32_t>(kind), std::move(body)});
}

void RealCoordinator::Core::send_to_all(ControlKind kind, const std::string& body) {
  for (std::uint32_t i = 0; i < members_.size(); ++i) send(i, kind, body);
}

// Of those that are not lost.
bool RealCoordinator::Core::all(bool (*holds)(const Member& member)) const {
  return std::ranges::all_of(members_, [&](const Member& member) { return member.is_lost || holds(member); });
}

void RealCoordinator::Core::refuse(const std::string& what) {
  if (run_.refused.empty()) run_.refused = what;
}

void RealCoordinator::Core::receive(std::uint32_t process, const RealMessage& message) {
  Unpacker body(message.body);
  Member& member = members_[process];
  switch (static_cast<ControlKind>(message.kind)) {
    case ControlKind::hello: return hello(process, body);
    case ControlKind::connected: member.is_connected = true; return;
    case ControlKind::ping: return send(process, ControlKind::pong, Packer().add(now_ns()).take());
    case ControlKind::ready: {
      Ready ready;
      if (!real::from_bytes(message.body, ready)) return refuse("a damaged message");
      run_.processes[process].clock_error = ready.clock_error;
      run_.platform = ready.platform;
      member.ready = std::move(ready);
      if (phase_ == Phase::joining) phase_ = Phase::waiting;
      return begin_run();
    }
    case ControlKind::ask: return ask(process, body);
    case ControlKind::uses: return uses(process, body);
    case ControlKind::status: {
      Status status;
      if (!real::from_bytes(message.body, status)) return refuse("a damaged message");
      member.status = status;
      return look_for_end();
    }
    case ControlKind::report: {
      ProcessReport report;
      if (!real::from_bytes(message.body, report)) return refuse("a damaged message");
      member.report = std::move(report);
      return finish_run();
    }
    case ControlKind::refused: return refuse(message.body);
    case ControlKind::crashed: member.crash = body.value<remote::CrashNotice>(); return;
    default: return refuse("an unknown message");
  }
}

// ---------------------------------------------------------------- the begin

void RealCoordinator::Core::hello(std::uint32_t process, Unpacker& body) {
  Member& member = members_[process];
  if (body.value<std::uint32_t>() != real::protocol_version)
    return refuse(
        "the program was compiled with another version of Rehearse; compile it again (rehearse c++ --actors)");
  body.value<std::uint32_t>();
  body.text();
  member.base_address = body.value<std::uint64_t>();
  member.address = body.text();
  member.port = body.value<std::uint16_t>();
  member.has_hello = true;
  join();
}

void RealCoordinator::Core::join() {
  if (!std::ranges::all_of(members_, &Member::has_hello)) return;
  Packer orders;
  orders.add(static_cast<std::uint32_t>(members_.size()));
  for (const Member& member : members_) orders.add(member.address).add(member.port);
  send_to_all(ControlKind::orders, orders.take());
}

void RealCoordinator::Core::begin_run() {
  if (phase_ != Phase::waiting ||
      !std::ranges::all_of(members_, [](const Member& member) { return member.ready.has_value(); }))
    return;
  const Ready* first = nullptr;
  double clock_error = 0;
  for (const Member& member : members_) {
    if (!member.ready) continue;
    if (first == nullptr) first = &*member.ready;
    if (member.ready->digest != first->digest)
      return refuse("the processes have made different actors or hosts: main() does not do the same in all of them");
    clock_error = std::max(clock_error, member.ready->clock_error);
  }
  homes_.clear();
  waiting_.clear();
  users_.clear();
  wave_.reset();
  phase_ = Phase::running;
  const double notice = std::max(least_notice_seconds, 4 * clock_error);
  const std::int64_t date = now_ns() + static_cast<std::int64_t>(notice * 1e9);
  for (Member& member : members_) {
    member.ready.reset();
    member.status.reset();
    member.report.reset();
  }
  send_to_all(ControlKind::start, Packer().add(date).take());
}

// ---------------------------------------------------------------- the run

void RealCoordinator::Core::ask(std::uint32_t process, Unpacker& body) {
  const std::string mailbox = body.text();
  const bool claims = body.value<bool>();
  auto home = homes_.find(mailbox);
  std::set<std::uint32_t>& waiting = waiting_[mailbox];
  waiting.insert(process);
  if (home == homes_.end() && claims) home = homes_.emplace(mailbox, process).first;
  if (home == homes_.end()) return;
  const std::string answer = Packer().add(mailbox).add(home->second).take();
  for (const std::uint32_t each : waiting) send(each, ControlKind::home, answer);
  waiting_.erase(mailbox);
}

void RealCoordinator::Core::uses(std::uint32_t process, Unpacker& body) {
  const auto name = body.value<std::uint64_t>();
  const auto what = body.value<sim::kernel::Touched>();
  User user{process, body.text(), body.text()};
  const auto [first, is_new] = users_.try_emplace(name, user);
  if (is_new || first->second.process == process) return;
  refuse(fmt::format("{} that actor '{}' on '{}' and actor '{}' on '{}' share: it is in the memory of one process",
                     name_of(what), first->second.actor, first->second.host, user.actor, user.host));
}

void RealCoordinator::Core::look_for_end() {
  if (phase_ != Phase::running) return;
  const bool has_no_actors = all([](const Member& member) {
    return member.status && member.status->actors_to_wait_for == 0 && !member.status->has_free_work;
  });
  if (has_no_actors) return stop_run();
  if (wave_) {
    for (const Member& member : members_)
      if (!member.is_lost && (!member.status || member.status->probe != probe_)) return;
    const std::uint64_t before = *std::exchange(wave_, std::nullopt);
    if (quiet_count(members_) == before) return stop_run();
  }
  wave_ = quiet_count(members_);
  if (wave_) send_to_all(ControlKind::probe, Packer().add(++probe_).take());
}

void RealCoordinator::Core::stop_run() {
  phase_ = Phase::stopping;
  wave_.reset();
  send_to_all(ControlKind::stop, "");
}

void RealCoordinator::Core::interrupt() {
  is_interrupted_ = true;
  if (phase_ == Phase::running) stop_run();
}

// ---------------------------------------------------------------- the end

void RealCoordinator::Core::finish_run() {
  if (phase_ != Phase::stopping || !all([](const Member& member) { return member.report.has_value(); })) return;
  phase_ = Phase::waiting;
  run_.has_run = true;
  run_.actors.clear();
  run_.end = 0;
  Packer failed, blocked;
  std::uint32_t failed_count = 0, blocked_count = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (!members_[i].report) continue;
    const ProcessReport& report = *members_[i].report;
    run_.end = std::max(run_.end, report.end);
    RealProcess& process = run_.processes[i];
    process.messages = report.messages;
    process.bytes = report.bytes;
    process.socket_bytes = report.socket_bytes;
    process.flops = report.flops;
    process.flop_seconds = report.flop_seconds;
    for (const real::ActorLine& actor : report.actors)
      run_.actors.push_back({actor.number, actor.name, actor.host, actor.is_daemon, actor.has_ended, actor.end,
                             static_cast<std::uint32_t>(i)});
    for (std::size_t at = 0; at < report.stop.failed.size(); ++at, ++failed_count) {
      const remote::StoppedActor& actor = report.stop.failed[at];
      failed.add(actor.name).add(actor.host).add(actor.what).add(report.failed_dates[at]);
    }
    // An interrupted run has no deadlock.
    for (const remote::StoppedActor& actor : report.stop.blocked) {
      if (is_interrupted_) break;
      blocked.add(actor.name).add(actor.host).add(actor.what);
      ++blocked_count;
    }
  }
  std::ranges::stable_sort(run_.actors, {}, &RealActor::number);
  run_.stops = {};
  if (!is_interrupted_) real::add_stops(members_, program_, run_);
  send_to_all(ControlKind::finish, Packer().add(run_.end).add(failed_count).take() + failed.take() +
                                       Packer().add(blocked_count).take() + blocked.take());
}

void RealCoordinator::Core::lost(std::uint32_t process) {
  Member& member = members_[process];
  if (std::exchange(member.is_lost, true)) return;
  const bool is_in_run = phase_ == Phase::running || phase_ == Phase::stopping;
  run_.processes[process].is_lost = is_in_run;
  const bool others_wait = std::ranges::any_of(members_, [](const Member& other) { return other.ready.has_value(); });
  if (!is_in_run) {
    if (phase_ == Phase::joining || others_wait || member.ready)
      refuse(fmt::format("process {} ended before the run began", process));
    return;
  }
  std::erase_if(homes_, [&](const auto& home) { return home.second == process; });
  for (auto& [mailbox, waiting] : waiting_) waiting.erase(process);
  send_to_all(ControlKind::lost, Packer().add(process).take());
  wave_.reset();
  if (is_over()) return;
  look_for_end();
  finish_run();
}

void RealCoordinator::Core::ended(std::uint32_t process, int status, std::string_view errors) {
  if (WIFEXITED(status)) {
    if (run_.exit_status == 0) run_.exit_status = WEXITSTATUS(status);
    return;
  }
  if (!WIFSIGNALED(status) || !run_.id.empty()) return;
  const remote::Places places(program_, members_[process].base_address);
  remote::Point point;
  point.kind = remote::Point::Kind::crashed;
  point.crash = members_[process].crash;
  point.status = status;
  const remote::Failure failure = remote::failure_of(point, std::string(errors), places);
  run_.id = failure.id;
  run_.what = failure.what;
  if (failure.at) run_.stops.failed.push_back(*failure.at);
}

RealCoordinator::RealCoordinator(std::uint32_t processes, std::string program, Send send)
    : core_(std::make_unique<Core>(processes, std::move(program), std::move(send))) {}

RealCoordinator::~RealCoordinator() = default;

void RealCoordinator::receive(std::uint32_t process, const RealMessage& message) { core_->receive(process, message); }
void RealCoordinator::lost(std::uint32_t process) { core_->lost(process); }
void RealCoordinator::ended(std::uint32_t process, int status, std::string_view errors) {
  core_->ended(process, status, errors);
}
void RealCoordinator::interrupt() { core_->interrupt(); }
bool RealCoordinator::is_refused() const { return !core_->run().refused.empty(); }
bool RealCoordinator::has_started() const { return core_->has_started(); }
bool RealCoordinator::is_over() const { return core_->is_over(); }
const RealActorRun& RealCoordinator::run() const { return core_->run(); }

}  // namespace rehearse
