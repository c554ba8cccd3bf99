// SPDX-License-Identifier: MIT
//
// The scenarios on our simulation core, through simcore/actor_api.hpp.
#include <cstdio>
#include <cstdlib>

#include "scenarios.hpp"
#include "simcore/actor_api.hpp"

namespace rehearse::bench {
namespace {

namespace this_actor = sim::this_actor;

class RehearseSide {
 public:
  using Flow = sim::Comm;
  using Mailbox = sim::Mailbox*;

  explicit RehearseSide(const Arguments& arguments)
      : platform_(must(make_platform(arguments.platform))), simulation_(platform_, options_of(arguments)) {
    const std::size_t count = platform_.hosts().size();
    hosts_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) hosts_.push_back(simulation_.host("node-" + std::to_string(i)));
  }

  std::size_t host_count() const { return hosts_.size(); }
  Mailbox mailbox(const std::string& name) { return &simulation_.mailbox(name); }
  double now() const { return simulation_.now(); }
  void run() {
    const sim::RunReport report = simulation_.run();
    if (report.is_deadlock() || !report.failed.empty()) fail(report.text());
  }

  template <class Code>
  void add_actor(const char* name, std::size_t host, Code code) {
    simulation_.add_actor(name, hosts_[host], std::move(code));
  }
  template <class Code>
  void add_daemon(const char* name, std::size_t host, Code code) {
    sim::ActorOptions options;
    options.daemon = true;
    simulation_.add_actor(name, hosts_[host], std::move(code), options);
  }

  void sleep_until(double date) { this_actor::sleep_until(date); }
  void sleep_for(double seconds) { this_actor::sleep_for(seconds); }
  void yield() { this_actor::yield(); }
  void execute(double flops) { this_actor::execute(flops); }

  Flow start_flow(std::size_t source, std::size_t destination, double bytes) {
    return sim::Comm::sendto_async(hosts_[source], hosts_[destination], bytes);
  }
  void wait(Flow& flow) { flow.wait(); }

  template <class T>
  void put(Mailbox mailbox, T* payload, double bytes) {
    mailbox->put(payload, bytes);
  }
  template <class T>
  void put_detached(Mailbox mailbox, T* payload, double bytes) {
    mailbox->put_detached(payload, bytes);
  }
  template <class T>
  T* get(Mailbox mailbox) {
    return mailbox->get<T*>();
  }

 private:
  [[noreturn]] static void fail(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::exit(1);
  }
  // --stack=KILOBYTES, of an actor
  static sim::SimulationOptions options_of(const Arguments& arguments) {
    sim::SimulationOptions result;
    for (const std::string& option : arguments.options) {
      if (!option.starts_with("--stack=")) Arguments::fail(option + " is not an option");
      result.stack_bytes = std::strtoul(option.c_str() + 8, nullptr, 10) << 10;
    }
    return result;
  }
  static Platform must(Result<Platform> result) {
    if (!result) fail(result.error().text);
    return std::move(result.value());
  }

  Platform platform_;
  sim::Simulation simulation_;
  std::vector<sim::HostRef> hosts_;
};

}  // namespace
}  // namespace rehearse::bench

int main(int argc, char** argv) {
  return rehearse::bench::run_scenario<rehearse::bench::RehearseSide>(rehearse::bench::parse_arguments(argc, argv));
}
