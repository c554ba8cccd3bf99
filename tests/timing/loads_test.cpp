// SPDX-License-Identifier: MIT
//
// Reports to an observer of resources: how much hosts and links have done by which date.
#include <map>

#include "tests/timing/scene.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace this_actor = rehearse::sim::this_actor;

namespace {

// Adds up a quantity that keeps its rate until the next change.
class Sum {
 public:
  void set_rate(double rate, double now) {
    total_ = at(now);
    since_ = now;
    rate_ = rate;
  }
  double at(double now) const { return total_ + rate_ * (now - since_); }
  double rate() const { return rate_; }

 private:
  double total_ = 0, rate_ = 0, since_ = 0;
};

class Meter : public ResourceObserver {
 public:
  void on_host_speed(HostId host, double flops_per_second, TimePoint now) override {
    speeds_[host.value] = flops_per_second;
    update(host, now);
  }
  void on_host_load(HostId host, double cores, TimePoint now) override {
    cores_[host.value] = cores;
    update(host, now);
  }
  void on_link_load(LinkId link, double bytes_per_second, TimePoint now) override {
    bytes_[link.value].set_rate(bytes_per_second, now.seconds());
  }

  // A speed that was not reported is that of the beginning.
  void begin_with(HostId host, double flops_per_second) { speeds_[host.value] = flops_per_second; }
  double flops(HostId host, double now) { return flops_[host.value].at(now); }
  double bytes(LinkId link, double now) { return bytes_[link.value].at(now); }
  double bytes_per_second(LinkId link) { return bytes_[link.value].rate(); }

 private:
  void update(HostId host, TimePoint now) {
    flops_[host.value].set_rate(cores_[host.value] * speeds_[host.value], now.seconds());
  }

  std::map<std::uint32_t, double> speeds_, cores_;
  std::map<std::uint32_t, Sum> flops_, bytes_;
};

}  // namespace

TEST_CASE("timing 107: 200 Mflop slowed down at 10.5 s end at 18.0 s, 100 Mflop more at 20.0 s; the load is 0.04167",
          "[timing]") {
  Scene scene("energy_hosts");
  Meter meter;
  scene->costs().observe(meter, {.speeds = true, .loads = true});
  const auto host = scene->host("MyHost1");
  meter.begin_with(host.id(), host.speed());
  scene.actor("MyHost1", [&] {
    this_actor::sleep_for(10);
    CHECK(meter.flops(host.id(), 10) == 0);
    this_actor::execute(2e8);
    scene.note();
    CHECK_THAT(meter.flops(host.id(), this_actor::now()), Printed(2e8, 0));
    const double possible = 4 * (10.5 * 1e8 + 7.5 * 2e7);
    CHECK_THAT(meter.flops(host.id(), this_actor::now()) / possible, Printed(0.04167, 5));
    host.set_pstate(1);
    this_actor::execute(1e8);
    scene.note();
    CHECK_THAT(meter.flops(host.id(), this_actor::now()), Printed(3e8, 0));
    this_actor::sleep_for(4);
    CHECK_THAT(meter.flops(host.id(), this_actor::now()), Printed(3e8, 0));
  });
  scene.actor("MyHost1", [&] {
    this_actor::sleep_for(10.5);
    host.set_pstate(2);
  });
  scene.run();
  CHECK_THAT(scene.dates(), AllPrinted({18.0, 20.0}));
}

TEST_CASE("timing 108: transfers of 1 GB load links with 1.25e8 byte/s, and with 3.19036e7 and 6.28314e7 bytes at last",
          "[timing]") {
  Scene scene("backbone_cluster");
  Meter meter;
  scene->costs().observe(meter, {.loads = true});
  const auto up = scene->link("hundred_link_0_UP").id(), down = scene->link("hundred_link_1_DOWN").id();
  const auto backbone = scene->link("hundred_backbone").id();
  const auto send = [&] { sim::Comm::sendto_async(scene->host("node-0"), scene->host("node-1"), 1e9).detach(); };
  scene.actor("node-42", [&] {
    for (const double date : {1, 11, 14}) {
      this_actor::sleep_until(date);
      send();
    }
  });
  const auto bytes_in_second = [&](LinkId link, double begin) {
    this_actor::sleep_until(begin);
    const double before = meter.bytes(link, begin);
    this_actor::sleep_for(1);
    return meter.bytes(link, begin + 1) - before;
  };
  scene.actor("node-51", [&] {
    // The other simulator counts the whole first second (1.3125e8), though nothing flows in the latency of 7.806 ms.
    CHECK_THAT(bytes_in_second(backbone, 1), Printed(1.3125e8 * (1 - 13.01 * 0.0006), 0));
    CHECK_THAT(bytes_in_second(backbone, 2), Printed(1.3125e8, 0));
    CHECK_THAT(meter.bytes_per_second(up), Printed(1.25e8, 0));
    CHECK_THAT(meter.bytes_per_second(down), Printed(1.25e8, 0));
    CHECK_THAT(bytes_in_second(up, 8), Printed(1.25e8, 0));
    CHECK_THAT(bytes_in_second(up, 9), Printed(3.19036e7, -2));
    CHECK_THAT(bytes_in_second(down, 10), Printed(0, 0));
    CHECK_THAT(bytes_in_second(down, 26), Printed(1.25e8, 0));
    CHECK_THAT(bytes_in_second(down, 27), Printed(6.28314e7, -2));
  });
  scene.run();
}
