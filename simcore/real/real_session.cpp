// SPDX-License-Identifier: MIT
//
// See real_session.hpp.
#include "simcore/real/real_session.hpp"

#include <sys/prctl.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "simcore/kernel/crash_report.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/state_profiles.hpp"
#include "simcore/kernel/stop_report.hpp"
#include "simcore/real/entry.hpp"
#include "simcore/real/program_streams.hpp"
#include "simcore/support/hash.hpp"

namespace rehearse::real {

using remote::Packer;
using remote::Unpacker;
using sim::kernel::Kernel;

namespace {

constexpr int pings = 16;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(RealWorld::SteadyClock::now().time_since_epoch()).count();
}

// A word of SSH_CONNECTION: address and port of the client, then of the server.
std::string word_of_ssh(int index) {
  const char* text = std::getenv("SSH_CONNECTION");
  std::istringstream words(text != nullptr ? text : "");
  std::string word;
  for (int i = 0; i <= index; ++i)
    if (!(words >> word)) return "";
  return word;
}

std::string digest_of(Kernel& kernel) {
  StableHash hash;
  for (const Host& host : kernel.platform().hosts()) hash.add(host.name);
  for (const sim::kernel::ActorRecord* actor : kernel.actors().living()) {
    hash.add(actor->name);
    hash.add(kernel.host_name(actor->host));
  }
  return std::to_string(hash.value());
}

}  // namespace

RealSession* RealSession::find() {
  static RealSession* const session = []() -> RealSession* {
    const char* text = std::getenv(real_actors_variable);
    RealActorsPlace place;
    if (text == nullptr || !RealActorsPlace::read(text, place)) return nullptr;
    unsetenv(real_actors_variable);
    auto* made = new RealSession(place);
    made->join();
    return made;
  }();
  return session;
}

RealSession::RealSession(const RealActorsPlace& place)
    : place_(place),
      control_(io_, [this](ControlKind kind, const std::string& body) { received(kind, body); }),
      network_(io_, {[this](std::uint32_t process, PeerKind kind, std::string_view body) {
                       if (world_ != nullptr) world_->received(process, kind, body);
                     },
                     [this](std::uint32_t process) {
                       if (world_ != nullptr) world_->lost(process);
                     }}) {}

RealSession::~RealSession() = default;

void RealSession::join() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::string coordinator = place_.coordinator;
  if (coordinator.starts_with("tcp:ssh:")) coordinator = "tcp:" + word_of_ssh(0) + coordinator.substr(7);
  const std::string address = place_.address == "ssh" ? word_of_ssh(2) : place_.address;
  if (const auto done = control_.connect(coordinator); !done)
    leave_program("the coordinator of the run cannot be reached: " + done.error().text);
  const auto port = network_.open(address);
  control_.send(ControlKind::hello, Packer()
                                        .add(protocol_version)
                                        .add(place_.process)
                                        .add(place_.secret)
                                        .add(sim::kernel::base_address())
                                        .add(address)
                                        .add(port ? port.value() : std::uint16_t{0})
                                        .take());
  if (!port) {
    control_.send(ControlKind::refused, port.error().text);
    leave_program();
  }
  while (!peers_) io_.run_one();
  if (const auto done = network_.connect(place_.process, *peers_, place_.secret); !done) {
    control_.send(ControlKind::refused, "the processes cannot reach each other: " + done.error().text);
    leave_program();
  }
  compare_clocks();
  sim::kernel::report_crashes_to(control_.descriptor());
  control_.send(ControlKind::connected, "");
}

void RealSession::compare_clocks() {
  std::int64_t least = INT64_MAX;
  for (int i = 0; i < pings; ++i) {
    coordinator_ns_.reset();
    const std::int64_t sent = now_ns();
    control_.send(ControlKind::ping, "");
    while (!coordinator_ns_) io_.run_one();
    const std::int64_t passed = now_ns() - sent;
    if (passed >= least) continue;
    least = passed;
    clock_difference_ns_ = *coordinator_ns_ - (sent + passed / 2);
  }
  clock_error_ = static_cast<double>(least) / 2 * 1e-9;
}

void RealSession::received(ControlKind kind, const std::string& body) {
  Unpacker unpacker(body);
  switch (kind) {
    case ControlKind::orders: {
      std::vector<PeerAddress> peers(unpacker.value<std::uint32_t>());
      for (PeerAddress& peer : peers) {
        peer.address = unpacker.text();
        peer.port = unpacker.value<std::uint16_t>();
      }
      peers_ = std::move(peers);
      return;
    }
    case ControlKind::pong: coordinator_ns_ = unpacker.value<std::int64_t>(); return;
    case ControlKind::start: start_ns_ = unpacker.value<std::int64_t>(); return;
    case ControlKind::home: {
      const std::string mailbox = unpacker.text();
      if (world_ != nullptr) world_->home_is(mailbox, unpacker.value<std::uint32_t>());
      return;
    }
    case ControlKind::probe:
      if (world_ != nullptr) world_->report_status(unpacker.value<std::uint64_t>());
      return;
    case ControlKind::lost:
      if (world_ != nullptr) world_->lost(unpacker.value<std::uint32_t>());
      return;
    case ControlKind::stop:
      if (world_ != nullptr) world_->stop();
      return;
    case ControlKind::finish: {
      sim::RunReport report;
      report.end = unpacker.value<double>();
      for (auto count = unpacker.value<std::uint32_t>(); count > 0 && unpacker.is_good(); --count) {
        sim::FailedActor& actor = report.failed.emplace_back();
        actor.name = unpacker.text();
        actor.host = unpacker.text();
        actor.what = unpacker.text();
        actor.date = unpacker.value<double>();
      }
      for (auto count = unpacker.value<std::uint32_t>(); count > 0 && unpacker.is_good(); --count) {
        sim::BlockedActor& actor = report.blocked.emplace_back();
        actor.name = unpacker.text();
        actor.host = unpacker.text();
        actor.waits_for = unpacker.text();
      }
      report_ = std::move(report);
      return;
    }
    default: return;  // not to this process
  }
}

std::unique_ptr<sim::kernel::World> RealSession::make_world(std::unique_ptr<CostModel> states) {
  const auto processes = static_cast<std::uint32_t>(peers_->size());
  return std::make_unique<RealWorld>(std::move(states),
                                     Connections{io_, control_, network_, place_.process, processes});
}

void RealSession::prepare(Kernel& kernel) { prepared_[&kernel] = std::make_unique<sim::kernel::Preparing>(kernel); }

void RealSession::forget(Kernel& kernel) { prepared_.erase(&kernel); }

bool RealSession::drives(sim::kernel::World& world) const { return dynamic_cast<RealWorld*>(&world) != nullptr; }

void RealSession::mark(bool begins) const { write_mark(real_output_mark(place_.secret, begins)); }

void RealSession::await_start(Kernel& kernel) {
  start_ns_.reset();
  report_.reset();
  control_.send(ControlKind::ready, to_bytes(Ready{digest_of(kernel), kernel.platform().name(), clock_error_}));
  while (!start_ns_) io_.run_one();
}

sim::RunReport RealSession::run(Kernel& kernel, TimePoint until) {
  auto& world = dynamic_cast<RealWorld&>(kernel.world());
  if (until != CostModel::never) world.refuse("run_until()");
  if (sim::kernel::goes_off_by_itself(kernel.platform())) world.refuse("hosts or links that go off by their profiles");
  world.divide();
  await_start(kernel);
  world_ = &world;
  mark(true);
  world.begin(RealWorld::SteadyClock::time_point(std::chrono::nanoseconds(*start_ns_ - clock_difference_ns_)));
  network_.begin_run(++run_);
  world.run_until_stopped();
  sim::RunReport report = finish(kernel);
  world_ = nullptr;
  return report;
}

sim::RunReport RealSession::finish(Kernel& kernel) {
  control_.send(ControlKind::report, to_bytes(world_->make_report()));
  while (!report_) io_.run_one();
  mark(false);
  if (report_->is_deadlock())
    for (const auto& callback : kernel.callbacks().on_deadlock) callback(*report_);
  mark(true);
  kernel.actors().kill_all();
  mark(false);
  return *report_;
}

// ---- entry.hpp

bool takes_part() { return RealSession::find() != nullptr; }
std::unique_ptr<sim::kernel::World> make_world(std::unique_ptr<CostModel> states) {
  return RealSession::find()->make_world(std::move(states));
}
std::uint64_t name_of_early_object() { return RealSession::find()->name_of_early_object(); }

void prepare(Kernel& kernel) {
  if (RealSession* session = RealSession::find()) session->prepare(kernel);
}

void forget(Kernel& kernel) {
  if (RealSession* session = RealSession::find()) session->forget(kernel);
}

bool drives(sim::kernel::World& world) { return takes_part() && RealSession::find()->drives(world); }
sim::RunReport run(Kernel& kernel, TimePoint until) { return RealSession::find()->run(kernel, until); }

}  // namespace rehearse::real
