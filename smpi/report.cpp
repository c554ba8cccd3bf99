// SPDX-License-Identifier: MIT
//
// See report.hpp.
#include "smpi/report.hpp"

#include <utility>

#include "simcore/actor.hpp"

namespace rehearse::smpi {

void report(std::string_view id, Severity severity, std::string message, CreationSite site) {
  Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.message = std::move(message);
  finding.actors = {current_actor()};
  if (site.function[0] != '\0') {
    Location location;
    location.actor = current_actor();
    location.call = site.function;
    location.what = "was created here";
    finding.locations.push_back(std::move(location));
  }
  ask(Report{&finding});
}

}  // namespace rehearse::smpi
