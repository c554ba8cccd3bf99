// SPDX-License-Identifier: MIT
//
// See session.hpp.
#include "simcore/kernel/session.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "simcore/kernel/crash_report.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/state_profiles.hpp"
#include "simcore/kernel/state_server.hpp"
#include "simcore/kernel/stop_report.hpp"
#include "simcore/kernel/timed_recorder.hpp"
#include "simcore/kernel/timed_world.hpp"
#include "simcore/kernel/untimed_world.hpp"
#include "simcore/remote/wire.hpp"
#include "simcore/support/hash.hpp"
#include "simcore/use_map.hpp"

namespace rehearse::sim::kernel {
namespace {

using remote::Message;
using remote::MessageKind;
using remote::Orders;

// By this note `rehearse` recognises programs of actors.
struct Note {
  std::uint32_t name_bytes = 9, content_bytes = 4, type = 1;
  char name[12] = "rehearse";
  std::uint32_t version = remote::protocol_version;
};
[[gnu::section(".note.rehearse.actors"), gnu::used]] constexpr Note note;

// The descriptor that `rehearse` left to us; programs that this one starts do not get it.
int inherited_socket() {
  const char* text = std::getenv(remote::variable);
  if (text == nullptr) return -1;
  int socket = -1;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), socket);
  if (error != std::errc{} || *end != '\0' || fcntl(socket, F_SETFD, FD_CLOEXEC) != 0) socket = -1;
  unsetenv(remote::variable);
  return socket;
}

bool has_several_threads() {
  std::error_code problem;
  const std::filesystem::directory_iterator tasks("/proc/self/task", problem);
  return !problem && std::distance(begin(tasks), end(tasks)) > 1;
}

std::uint64_t state_after(std::uint64_t passed, const UntimedWorld& world, std::size_t choices) {
  passed = hash_with(passed, choices);
  for (const Way& way : world.ways()) passed = hash_with(hash_with(passed, way.who), way.is_possible);
  return passed;
}

}  // namespace

Session* Session::find() {
  static Session* const session = [] {
    const int socket = inherited_socket();
    return socket < 0 ? nullptr : new Session(socket);
  }();
  return session;
}

Session::Session(int socket) : connection_(socket) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  send(MessageKind::hello, remote::Packer().add(remote::protocol_version).add(base_address()).take());
  const Message given = receive();
  remote::Unpacker body(given.body);
  orders_ = body.value<Orders>();
  reported_ = body.value<remote::Reported>();
  if (orders_ == Orders::record) report_crashes_to(connection_.descriptor());
  if (orders_ == Orders::states) states_ = std::make_unique<StateServer>(connection_);
}

Session::~Session() = default;

std::unique_ptr<World> Session::make_world(std::unique_ptr<CostModel> costs) const {
  switch (orders_) {
    case Orders::explore: return std::make_unique<UntimedWorld>(std::move(costs));
    case Orders::replay: return std::make_unique<UntimedWorld>(std::move(costs), UntimedWorld::Dates::paced);
    case Orders::states: return std::make_unique<UntimedWorld>(std::move(costs), UntimedWorld::Dates::still);
    case Orders::record: break;
  }
  return std::make_unique<TimedWorld>(std::move(costs));
}

void Session::prepare(Kernel& kernel) {
  prepared_[&kernel] = std::make_unique<Preparing>(kernel);
  if (orders_ == Orders::replay || (orders_ == Orders::record && reported_.events))
    recorders_[&kernel] = std::make_unique<TimedRecorder>(kernel, connection_);
  if (orders_ == Orders::record && reported_.uses) record_uses(kernel);
}

void Session::record_uses(Kernel& kernel) {
  if (kernel.platform().hosts().size() > map_hosts_max)
    refuse("a map of more than 100,000 hosts (" + kernel.platform().name() + ")");
  auto recorder = std::make_unique<UseRecorder>(kernel.platform());
  if (!kernel.costs().observe_uses(*recorder))
    refuse("a map of a simulation with a cost model that does not tell the uses of links (packets, or one of the "
           "program)");
  uses_[&kernel].recorder = std::move(recorder);
}

void Session::forget(Kernel& kernel) {
  send_uses(kernel);
  uses_.erase(&kernel);
  prepared_.erase(&kernel);
  recorders_.erase(&kernel);
}

bool Session::drives(World& world) const { return dynamic_cast<UntimedWorld*>(&world) != nullptr; }

RunReport Session::run(Kernel& kernel, TimePoint until) {
  auto& world = dynamic_cast<UntimedWorld&>(kernel.world());
  if (!is_copy_) serve(kernel.platform().name());
  if (until != CostModel::never) refuse("run_until() (dates are not explored)");
  if (goes_off_by_itself(kernel.platform())) refuse("hosts or links that go off by their profiles");
  while (true) {
    kernel.actors().end_idle_daemons();
    if (world.options().empty()) break;
    world.take(states_ ? states_->choose(kernel, world, __builtin_frame_address(0)) : choose(world));
    if (kernel.race()) break;
  }
  if (states_) states_->note_end(kernel, world);
  // The end has no state message, but the last step counts, too, and so do actors that wait for a token.
  remote::State last{world.now(), passed_, passed_, 0, world.strayed(), world.has_read_dates(), {}};
  if (!kernel.race()) last.ways.assign(world.ways().begin(), world.ways().end());
  send(MessageKind::last, remote::to_bytes(last));
  RunReport report = kernel.report();
  if (const auto recorder = recorders_.find(&kernel); recorder != recorders_.end()) recorder->second->cut();
  if (kernel.race() || !report.failed.empty() || report.is_deadlock()) {
    send_stop(kernel, report);
    wait_for_quit();
  }
  kernel.end_of_run(report);
  send_done(kernel);
  return report;
}

void Session::note_begin(Kernel& kernel) {
  if (orders_ != Orders::record) return;
  std::set<std::uint32_t> hosts;
  for (const ActorRecord* actor : kernel.actors().living()) hosts.insert(actor->host.value);
  send(MessageKind::begins, remote::Packer().add(static_cast<std::uint32_t>(hosts.size())).take());
}

void Session::note_end(Kernel& kernel, const RunReport& report, bool is_last) {
  if (orders_ != Orders::record) return;
  if (const auto recorder = recorders_.find(&kernel); recorder != recorders_.end()) recorder->second->cut();
  if (const auto uses = uses_.find(&kernel); uses != uses_.end()) uses->second.are_sent = false;
  if (is_last) send_uses(kernel);
  if (!report.failed.empty() || report.is_deadlock()) send_stop(kernel, report);
  send_done(kernel);
}

void Session::cut(Kernel& kernel) {
  if (const auto recorder = recorders_.find(&kernel); recorder != recorders_.end()) recorder->second->cut();
  if (const auto uses = uses_.find(&kernel); uses != uses_.end()) uses->second.are_sent = false;
  send_uses(kernel);
  send(MessageKind::cut, "");
  send_done(kernel);
  std::fflush(nullptr);
  std::_Exit(0);
}

void Session::send_uses(Kernel& kernel) {
  const auto found = uses_.find(&kernel);
  if (found == uses_.end() || std::exchange(found->second.are_sent, true)) return;
  kernel.costs().report_uses(kernel.now());
  const UseTable table = found->second.recorder->finish(kernel.now(), kernel.categories());
  send(MessageKind::uses, to_bytes(map_of(kernel.platform(), table)));
}

void Session::send_done(const Kernel& kernel) {
  send(MessageKind::done, remote::Packer().add(kernel.now().picoseconds).add(kernel.platform().name()).take());
}

// The server: returns in a copy only.
void Session::serve(const std::string& platform) {
  if (has_several_threads()) refuse("a program that has several threads at its first run()");
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  send(MessageKind::ready, platform);
  if (states_) {
    states_->serve();
    is_copy_ = true;
    return;
  }
  while (true) {
    const Message order = receive();
    if (order.kind != MessageKind::fork) std::_Exit(0);
    std::fflush(nullptr);  // so that no copy writes it again
    const pid_t server = getpid();
    const pid_t copy = fork();
    if (copy == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != server) std::_Exit(1);
      return begin_execution();
    }
    int status = 0;
    while (copy > 0 && waitpid(copy, &status, 0) < 0 && errno == EINTR) continue;
    send(MessageKind::ended, remote::Packer().add(status).take());
  }
}

void Session::begin_execution() {
  is_copy_ = true;
  report_crashes_to(connection_.descriptor());
  send(MessageKind::begun, remote::Packer().add(getpid()).take());
}

std::uint32_t Session::choose(UntimedWorld& world) {
  const std::size_t count = world.options().size();
  const std::uint64_t before = std::exchange(passed_, state_after(passed_, world, count));
  while (choices_.empty()) {
    remote::State state{
        world.now(), before, passed_, static_cast<std::uint32_t>(count), world.strayed(), world.has_read_dates(), {}};
    state.ways.assign(world.ways().begin(), world.ways().end());
    send(MessageKind::state, remote::to_bytes(state));
    Message order = receive();
    for (; order.kind == MessageKind::describe; order = receive()) {
      std::vector<std::string> texts;
      for (const Option& option : world.options()) texts.push_back(world.describe(option));
      send(MessageKind::texts, remote::to_bytes(texts));
    }
    if (order.kind != MessageKind::take) std::_Exit(0);
    remote::Unpacker given(order.body);
    for (auto left = given.value<std::uint32_t>(); left > 0; --left) choices_.push_back(given.value<std::uint32_t>());
  }
  const std::uint32_t choice = choices_.front();
  choices_.pop_front();
  if (choice >= count) refuse("a program that offers other steps after the same choices (it is not deterministic)");
  return choice;
}

void Session::send_stop(Kernel& kernel, const RunReport& report) {
  send(MessageKind::stopped, remote::to_bytes(make_stop(kernel, report)));
}

void Session::refuse(const std::string& feature) {
  send(MessageKind::refused, feature);
  wait_for_quit();
}

void Session::wait_for_quit() {
  if (states_) std::_Exit(0);
  receive();
  std::_Exit(0);
}

Message Session::receive() {
  Message message;
  if (connection_.receive(message) != remote::Connection::Received::message) std::_Exit(1);
  return message;
}

void Session::send(MessageKind kind, std::string body) {
  if (!connection_.send({kind, std::move(body)})) std::_Exit(1);
}

}  // namespace rehearse::sim::kernel
