// SPDX-License-Identifier: MIT
//
// Two projects share a grid of volunteers: who gets what, where and when? Each home has signed up for one project or
// for both, and divides its time as its owner said. "climate" has run for long; "proteins" begins after eight hours,
// and its server has a slow line.
//
//   rehearse run --usage projects.html example_17_competing_projects [HOMES [HOURS]]
//
// HOMES: a factor on the number of homes in each city (default 1). HOURS: the length of the run (default 24).
//
// Picture: L. M. Schnorr, A. Legrand, J.-M. Vincent, Detection and analysis of resource usage anomalies in large
// distributed systems through multi-scale visualization, Concurrency and Computation 24(15), 2012 (volunteer grid).
//
// Prints:
//   america  climate 1205 units, proteins    0
//   asia     climate  506 units, proteins  471
//   europe   climate  886 units, proteins  322
//   together 3390 units in 24 h
#include <array>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>

#include "simcore/actor_api.hpp"
#include "simcore/platform_builder.hpp"

namespace sim = rehearse::sim;

namespace {

constexpr double hour = 3600;
constexpr double unit_flops = 4e12, unit_bytes = 2e6;

struct Region {
  const char* name;
  int cities, homes;      // homes in each city
  double share_proteins;  // of the time that a home gives to projects
};
constexpr std::array regions = {Region{"america", 4, 16, 0}, Region{"asia", 2, 24, 0.75}, Region{"europe", 5, 12, 0.4}};

// Homes in cities in regions. They are on for 10 hours and off for 3, on average, and differ in speed.
class Grid {
 public:
  explicit Grid(int factor) : internet_(builder_.add_zone(builder_.world(), "internet", rehearse::ZoneRouting::star)) {
    add_server("climate server", 125e6);
    add_server("proteins server", 200e3);
    for (const Region& region : regions)
      for (int city = 1; city <= region.cities; ++city) add_city(region, city, factor);
  }
  rehearse::Result<rehearse::Platform> finish() { return builder_.finish("volunteer grid"); }

 private:
  using Point = rehearse::PointId;

  void add_server(const std::string& name, double bytes_per_second) {
    const Point host = builder_.add_host(internet_, {.name = name, .speeds = {1e9}});
    add_line(internet_, host, {}, name, bytes_per_second, 5e-3);
  }
  void add_line(Point star, Point point, std::optional<Point> gateway, const std::string& name, double bytes_per_second,
                double latency) {
    const auto line =
        builder_.add_link({"line of " + name, bytes_per_second, latency, rehearse::LinkPolicy::split_duplex});
    builder_.set_leg(star, point, {.up = {line.up}, .down = {line.down}, .gateway = gateway});
  }
  Point region_zone(const Region& region) {
    const auto [known, is_new] = zones_.try_emplace(region.name);
    if (!is_new) return known->second;
    known->second = builder_.add_zone(internet_, region.name, rehearse::ZoneRouting::star);
    const Point router = builder_.add_router(known->second, std::string("router of ") + region.name);
    add_line(internet_, known->second, router, region.name, 1e9, 30e-3);
    return known->second;
  }
  void add_city(const Region& region, int number, int factor) {
    const std::string name = std::string(region.name) + " " + std::to_string(number);
    const Point outer = region_zone(region);
    const Point zone = builder_.add_zone(outer, name, rehearse::ZoneRouting::star);
    const Point router = builder_.add_router(zone, "router of " + name);
    add_line(outer, zone, router, name, 125e6, 5e-3);
    for (int home = 1; home <= factor * region.homes; ++home)
      add_home(zone, name + "-" + std::to_string(home), number + home);
  }
  void add_home(Point zone, const std::string& name, int kind) {
    using rehearse::ProfileLaw;
    static const auto presence = std::make_shared<rehearse::Profile>(
        std::vector<rehearse::ProfileStep>{
            {{ProfileLaw::Kind::exponential, 1 / (10 * hour)}, {ProfileLaw::Kind::constant, 0}},
            {{ProfileLaw::Kind::exponential, 1 / (3 * hour)}, {ProfileLaw::Kind::constant, 1}}},
        true);
    const Point host = builder_.add_host(zone, {.name = name, .speeds = {0.5e9 * (1 + kind % 4)}});
    add_line(zone, host, {}, name, 2e6, 10e-3);
    builder_.set_state_profile(host, presence);
  }

  rehearse::PlatformBuilder builder_;
  Point internet_;
  std::map<std::string, Point> zones_;
};

// Hands out units one after the other.
void serve(sim::Mailbox& units) {
  while (true) {
    try {
      units.put(true, unit_bytes);
    } catch (const sim::NetworkFailure&) {  // a home turned off during the transfer
    }
  }
}

// The project that has got less than its share of this home's time takes the next unit.
void volunteer(const Region& region, std::map<std::string, int>& done) {
  sim::Simulation& simulation = sim::this_actor::simulation();
  std::map<std::string, double> spent;
  while (true) {
    const bool is_proteins_turn = region.share_proteins > 0 && sim::this_actor::now() >= 8 * hour &&
                                  spent["proteins"] * (1 - region.share_proteins) <=
                                      spent["climate"] * region.share_proteins;
    const std::string project = is_proteins_turn ? "proteins" : "climate";
    sim::this_actor::set_category(project);
    try {
      simulation.mailbox("units of " + project).get<bool>();
    } catch (const sim::NetworkFailure&) {  // the server ended
      continue;
    }
    const double begin = sim::this_actor::now();
    sim::this_actor::execute(unit_flops);
    if (begin >= 8 * hour) spent[project] += sim::this_actor::now() - begin;
    ++done[std::string(region.name) + " " + project];
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int factor = argc > 1 ? std::atoi(argv[1]) : 1;
  const double hours = argc > 2 ? std::atof(argv[2]) : 24;
  if (factor < 1 || !(hours > 0)) {
    std::cerr << "accepted: [HOMES [HOURS]], a whole number from 1 on and a positive number\n";
    return 2;
  }
  auto platform = Grid(factor).finish();
  if (!platform) {
    std::cerr << platform.error().text << "\n";
    return 2;
  }
  sim::Simulation simulation(platform.value());
  std::map<std::string, int> done;
  for (const std::string project : {"climate", "proteins"})
    simulation.add_actor(project + " server", simulation.host(project + " server"),
                         [&simulation, project] { serve(simulation.mailbox("units of " + project)); },
                         {.kill_time = hours * hour, .category = project});
  for (const Region& region : regions)
    for (int city = 1; city <= region.cities; ++city)
      for (int home = 1; home <= factor * region.homes; ++home)
        simulation.add_actor("volunteer",
                             simulation.host(std::string(region.name) + " " + std::to_string(city) + "-" +
                                             std::to_string(home)),
                             [&done, &region] { volunteer(region, done); }, {.daemon = true, .auto_restart = true});
  const auto report = simulation.run();
  std::cout << report.text();
  int all = 0;
  for (const Region& region : regions) {
    const std::string name = region.name;
    std::cout << std::left << std::setw(8) << name << " climate " << std::right << std::setw(4)
              << done[name + " climate"] << " units, proteins " << std::setw(4) << done[name + " proteins"] << "\n";
    all += done[name + " climate"] + done[name + " proteins"];
  }
  std::cout << "together " << all << " units in " << report.end / hour << " h\n";
}
