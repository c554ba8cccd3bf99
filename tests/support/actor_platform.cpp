// SPDX-License-Identifier: MIT
//
// The platform of the tests of actors, through the reader of platform files.
#include "tests/support/actor_platform.hpp"

#include <stdexcept>

#include "tests/support/plain_cost_model.hpp"
#include "tests/support/temporary_file.hpp"

namespace rehearse::testing {

Platform actor_platform(const std::string& more) { return actor_platform_with(more + "</zone>"); }

Platform actor_platform_with(const std::string& ending) {
  const TemporaryFile file(
      "<platform version='4.1'><zone id='z' routing='Full'>"
      "<host id='alpha' speed='1Gf'><disk id='disk' read_bw='100MBps' write_bw='40MBps'/></host>"
      "<host id='beta' speed='1Gf'/><host id='gamma' speed='1Gf'/>"
      "<link id='ab' bandwidth='1MBps' latency='1ms'/><link id='ag' bandwidth='10MBps' latency='0s'/>"
      "<route src='alpha' dst='beta'><link_ctn id='ab'/></route>"
      "<route src='alpha' dst='gamma'><link_ctn id='ag'/></route>" +
      ending + "</platform>");
  auto platform = make_platform(file.path());
  if (!platform) throw std::runtime_error(platform.error().text);
  return std::move(platform.value());
}

PlainSimulation::PlainSimulation(const std::string& more)
    : PlatformHolder{actor_platform(more)},
      Simulation(held_platform, std::make_unique<PlainCostModel>(held_platform)) {}

}  // namespace rehearse::testing
