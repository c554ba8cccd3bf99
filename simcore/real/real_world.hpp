// SPDX-License-Identifier: MIT
//
// A world in real time: dates are seconds since the common start, computations are performed, messages cross TCP
// connections. It waits in the event loop for the next date, end or message.
//
// Order:   actors run in the order in which they become ready, each until it blocks; those that become ready meanwhile
//          run in the next round, after the messages that have come.
// Threads: that of the io_context; computations have others.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "simcore/kernel/far_side.hpp"
#include "simcore/kernel/world.hpp"
#include "simcore/real/control.hpp"
#include "simcore/real/peers.hpp"
#include "simcore/real/performed_flops.hpp"
#include "simcore/real/post_office.hpp"

namespace rehearse::real {

// The connections of this process, which outlive a simulation.
struct Connections {
  boost::asio::io_context& io;
  ControlLink& control;
  PeerNetwork& network;
  std::uint32_t self = 0;
  std::uint32_t processes = 1;
};

class RealWorld final : public sim::kernel::World, public sim::kernel::FarSide {
 public:
  using SteadyClock = std::chrono::steady_clock;

  RealWorld(std::unique_ptr<CostModel> states, const Connections& connections);
  ~RealWorld() override;

  // ---- of the session
  void divide();                              // hosts among the processes; before the start
  void begin(SteadyClock::time_point start);  // the date 0
  void received(std::uint32_t process, PeerKind kind, std::string_view body);
  void lost(std::uint32_t process);
  void home_is(const std::string& mailbox, std::uint32_t process) { mail_->home_is(mailbox, process); }
  void report_status(std::uint64_t probe);
  void run_until_stopped();
  void stop() { is_stopped_ = true; }
  ProcessReport make_report();
  bool is_near(HostId host) const override { return process_of_[host.value] == connections_.self; }

  // ---- World
  void attach(sim::kernel::Kernel& kernel) override;
  CostModel& costs() override { return *states_; }
  TimePoint now() const override;
  bool step(TimePoint until) override;
  bool runs_in_order() const override { return false; }
  void before(const sim::kernel::Footprint&) override {}
  void strays() override {}
  void link_went_off(LinkId link) override;
  bool start(sim::kernel::ActivityRecord& activity) override;
  void stop(sim::kernel::ActivityRecord& activity) override;
  void suspend(sim::kernel::ActivityRecord& activity) override;
  void resume(sim::kernel::ActivityRecord& activity) override;
  void set_rate(sim::kernel::ActivityRecord& activity) override;
  void set_priority(sim::kernel::ActivityRecord& activity) override;
  void set_host(sim::kernel::ActivityRecord& activity) override;
  double remaining(sim::kernel::ActivityRecord& activity) override;
  double rate(sim::kernel::ActivityRecord& activity) override;
  void set_timer(sim::kernel::Timer& timer, TimePoint date) override { timers_.set(timer, date); }
  void cancel_timer(sim::kernel::Timer& timer) override { timers_.remove(timer); }
  sim::kernel::FarSide* far_side() override { return this; }

  // ---- FarSide
  std::uint32_t number_of_actor(std::uint32_t next) const override;
  void order(const sim::kernel::ActorRecord& far, sim::kernel::FarOrder order) override;
  void actor_ends(const sim::kernel::ActorRecord& actor, bool killed) override;
  void host_is_set(HostId host, bool is_on) override;
  void uses(std::uint64_t name, sim::kernel::Touched what) override;
  void post_far(sim::kernel::ActivityRecord& activity) override { mail_->post(activity); }
  void require_home(const sim::kernel::PutGetQueue& place, const char* what) override;
  bool take_back(sim::kernel::ActivityRecord& activity) override { return mail_->take_back(activity); }
  [[noreturn]] void refuse(const std::string& what) override;

 private:
  void send_to_all(PeerKind kind, const std::string& body);
  void computation_ended(std::uint32_t number);
  void begin_computation(sim::kernel::ActivityRecord& activity);
  bool run_ready();
  bool ring();
  void wait();
  bool is_passive() const;

  Connections connections_;
  std::unique_ptr<CostModel> states_;  // only for the states and speeds of resources
  sim::kernel::Kernel* kernel_ = nullptr;
  SteadyClock::time_point start_;
  bool is_running_ = false, is_stopped_ = false;
  std::uint32_t first_actors_ = 0;         // that main() made
  std::vector<std::uint32_t> process_of_;  // by host
  sim::kernel::TimerHeap timers_;
  Computations computations_;
  std::map<std::uint32_t, sim::Reference<sim::kernel::ActivityRecord>> computing_;  // by number
  std::unique_ptr<PostOffice> mail_;
  std::set<std::uint64_t> used_;
  std::vector<ActorLine> ended_;
  double last_end_ = 0;
  std::uint64_t last_probe_ = 0;                          // of the coordinator
  bool has_reported_ = false, has_reported_end_ = false;  // the present idle state; that no actor is left
};

}  // namespace rehearse::real
