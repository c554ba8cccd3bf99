// SPDX-License-Identifier: MIT
//
// Volunteer computing: the hosts belong to other people and are available at random times. How much work is done in a
// week, and how much of the work is begun and then lost?
//
// Prints:
//   200 volunteers in a week: 31225 units begun, 28217 returned, 9.6 % lost
#include <iomanip>
#include <iostream>

#include "simcore/actor_api.hpp"
#include "simcore/platform_builder.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr int volunteers = 200;
constexpr double hour = 3600, week = 7 * 24 * hour;

// Hosts of different speeds that are on for 8 hours and off for 4, on average. Their owners slow them down meanwhile.
rehearse::Result<rehearse::Platform> homes() {
  using rehearse::ProfileLaw;
  const ProfileLaw on_for{ProfileLaw::Kind::exponential, 1 / (8 * hour)};
  const ProfileLaw off_for{ProfileLaw::Kind::exponential, 1 / (4 * hour)};
  const ProfileLaw on{ProfileLaw::Kind::constant, 1}, off{ProfileLaw::Kind::constant, 0};
  const ProfileLaw busy_for{ProfileLaw::Kind::exponential, 1 / (0.5 * hour)};
  const ProfileLaw share{ProfileLaw::Kind::uniform, 0.2, 1.0};
  const auto presence =
      std::make_shared<rehearse::Profile>(std::vector<rehearse::ProfileStep>{{on_for, off}, {off_for, on}}, true);
  const auto speed = std::make_shared<rehearse::Profile>(std::vector<rehearse::ProfileStep>{{busy_for, share}}, true);

  rehearse::PlatformBuilder builder;
  const auto star = builder.add_zone(builder.world(), "internet", rehearse::ZoneRouting::star);
  for (int i = 0; i <= volunteers; ++i) {
    const std::string name = i == 0 ? "project" : "home " + std::to_string(i);
    const auto host = builder.add_host(star, {.name = name, .speeds = {1e9 * (1 + i % 5)}});
    const auto line = builder.add_link({"line of " + name, i == 0 ? 125e6 : 2e6, 20e-3});
    builder.set_leg(star, host, {.up = {line.up}, .down = {line.down}});
    if (i == 0) continue;
    builder.set_state_profile(host, presence);
    builder.set_speed_profile(host, speed);
  }
  return builder.finish("homes");
}

}  // namespace

int main() {
  auto platform = homes();
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  sim::Mailbox &units = simulation.mailbox("units"), &results = simulation.mailbox("results");
  constexpr double unit_flops = 5e12, unit_bytes = 1e6;
  int begun = 0, returned = 0;

  simulation.add_actor("server", simulation.host("project"),
                       [&] {
                         while (true) {
                           try {
                             units.put(unit_flops, unit_bytes);
                           } catch (const sim::NetworkFailure&) {  // a home turned off during the transfer
                           }
                         }
                       },
                       {.kill_time = week, .daemon = true});
  simulation.add_actor("collector", simulation.host("project"),
                       [&] {
                         while (true) {
                           try {
                             results.receive();
                             ++returned;
                           } catch (const sim::NetworkFailure&) {
                           }
                         }
                       },
                       {.kill_time = week});
  for (int i = 1; i <= volunteers; ++i) {
    simulation.add_actor("volunteer", simulation.host("home " + std::to_string(i)),
                         [&] {
                           while (true) {
                             const auto flops = units.get<double>();
                             ++begun;
                             sim::this_actor::execute(flops);
                             results.put(true, 1e4);
                           }
                         },
                         {.daemon = true, .auto_restart = true});
  }
  const auto report = simulation.run();
  std::cout << report.text() << volunteers << " volunteers in a week: " << begun << " units begun, " << returned
            << " returned, " << std::fixed << std::setprecision(1) << 100.0 * (begun - returned) / begun << " % lost\n";
}
