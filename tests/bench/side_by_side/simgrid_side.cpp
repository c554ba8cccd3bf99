// SPDX-License-Identifier: MIT
//
// The scenarios on libsimgrid, through its public S4U interface. Built by bench.py where the package libsimgrid-dev is
// installed; no part of the build or of the tests.
//
// Options of the simulator (--cfg=...) may stand anywhere on the command line; it takes them out.
#include <simgrid/s4u.hpp>

#include "scenarios.hpp"

namespace {

namespace s4u = simgrid::s4u;
using rehearse::bench::Arguments;

class SimgridSide {
 public:
  using Flow = s4u::CommPtr;
  using Mailbox = s4u::Mailbox*;

  explicit SimgridSide(const Arguments& arguments) : engine_(s4u::Engine::get_instance()) {
    engine_->load_platform(arguments.platform);
    engine_->seal_platform();
    const std::size_t count = engine_->get_host_count();
    hosts_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) hosts_.push_back(engine_->host_by_name("node-" + std::to_string(i)));
  }

  std::size_t host_count() const { return hosts_.size(); }
  Mailbox mailbox(const std::string& name) { return s4u::Mailbox::by_name(name); }
  double now() const { return s4u::Engine::get_clock(); }
  void run() { engine_->run(); }

  template <class Code>
  void add_actor(const char* name, std::size_t host, Code code) {
    s4u::Actor::create(name, hosts_[host], std::move(code));
  }
  template <class Code>
  void add_daemon(const char* name, std::size_t host, Code code) {
    s4u::Actor::create(name, hosts_[host], std::move(code))->daemonize();
  }

  void sleep_until(double date) { s4u::this_actor::sleep_until(date); }
  void sleep_for(double seconds) { s4u::this_actor::sleep_for(seconds); }
  void yield() { s4u::this_actor::yield(); }
  void execute(double flops) { s4u::this_actor::execute(flops); }

  Flow start_flow(std::size_t source, std::size_t destination, double bytes) {
    return s4u::Comm::sendto_async(hosts_[source], hosts_[destination], static_cast<std::uint64_t>(bytes));
  }
  void wait(Flow& flow) { flow->wait(); }

  template <class T>
  void put(Mailbox mailbox, T* payload, double bytes) {
    mailbox->put(payload, static_cast<std::uint64_t>(bytes));
  }
  template <class T>
  void put_detached(Mailbox mailbox, T* payload, double bytes) {
    mailbox->put_init(payload, static_cast<std::uint64_t>(bytes))->detach();
  }
  template <class T>
  T* get(Mailbox mailbox) {
    return mailbox->get<T>();
  }

 private:
  s4u::Engine* engine_;
  std::vector<s4u::Host*> hosts_;
};

}  // namespace

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  return rehearse::bench::run_scenario<SimgridSide>(rehearse::bench::parse_arguments(argc, argv));
}
