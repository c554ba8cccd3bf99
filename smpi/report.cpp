// SPDX-License-Identifier: MIT
//
// See report.hpp.
#include "smpi/report.hpp"

#include <utility>

#include "simcore/actor.hpp"
#include "smpi/process.hpp"

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
    if (site.return_address != nullptr) {
      const Frame place = find_source(static_cast<const char*>(site.return_address) - 1);
      location.file = place.file;
      location.line = place.line;
      location.function = place.function;
    }
    finding.locations.push_back(std::move(location));
  }
  ask(Report{&finding});
}

}  // namespace rehearse::smpi
