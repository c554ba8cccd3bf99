// SPDX-License-Identifier: MIT
//
// The energy of a run: of hosts, links and ranks.
//
// Hosts:   simcore/energy.hpp. Only computation is a load: a rank that waits for a message costs no more than an idle
//          core.
// Ranks:   those of a host divide its energy. Each has an equal share of what the host would consume without load. They
//          divide the rest in proportion to their computation. Links belong to no rank.
// Units:   joules, watts, seconds.
// Errors:  start: a platform without any wattage, a property that is invalid, a network model that tells no loads.
// Threads: none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "simcore/energy.hpp"
#include "simcore/engine.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct HostEnergyUse {
  HostId host;
  double joules = 0;
  double idle_joules = 0;   // of these: without load
  std::uint32_t ranks = 0;  // on the host
};

struct LinkEnergyUse {
  LinkId link;
  double joules = 0;
};

struct EnergyUse {
  double seconds = 0;
  std::vector<HostEnergyUse> hosts;  // with a wattage, in the order of the platform
  std::vector<LinkEnergyUse> links;  // likewise
  std::vector<double> ranks;         // by rank; empty: no host has a wattage

  double host_joules() const;
  double link_joules() const;
  double joules() const { return host_joules() + link_joules(); }
  double idle_joules() const;
  double watts() const { return seconds > 0 ? joules() / seconds : 0; }
};

class EnergyMeter {
 public:
  // Before the first start of the model, which it observes. Both must outlive it. `network`: the name of the model.
  static Result<std::unique_ptr<EnergyMeter>> start(const Platform& platform, CostModel& costs,
                                                    const std::string& network);

  EnergyUse finish(const RunResult& result);

 private:
  EnergyMeter(const Platform& platform, std::unique_ptr<HostEnergy> hosts, std::unique_ptr<LinkEnergy> links);

  const Platform& platform_;
  std::unique_ptr<HostEnergy> hosts_;
  std::unique_ptr<LinkEnergy> links_;
};

// joules, idle_joules, watts, hosts, links, ranks.
Json to_json(const EnergyUse& use, const Platform& platform);

}  // namespace rehearse::app
