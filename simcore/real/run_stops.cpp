// SPDX-License-Identifier: MIT
//
// See run_stops.hpp.
#include "simcore/real/run_stops.hpp"

#include <utility>

#include "simcore/remote/failures.hpp"

namespace rehearse::real {

void add_stops(const std::vector<Member>& members, const std::string& program, RealActorRun& run) {
  remote::Stop stop;
  for (const Member& member : members) {
    if (!member.report) continue;
    const remote::Places places(program, member.base_address);
    const ActorsEnd end = remote::end_of(member.report->stop, places);
    run.stops.failed.insert(run.stops.failed.end(), end.failed.begin(), end.failed.end());
    run.stops.blocked.insert(run.stops.blocked.end(), end.blocked.begin(), end.blocked.end());
    const remote::Stop& part = member.report->stop;
    stop.failed.insert(stop.failed.end(), part.failed.begin(), part.failed.end());
    stop.blocked.insert(stop.blocked.end(), part.blocked.begin(), part.blocked.end());
  }
  if (!run.id.empty() || (stop.failed.empty() && stop.blocked.empty())) return;
  remote::Point point;
  point.kind = remote::Point::Kind::stopped;
  point.stop = std::move(stop);
  const remote::Failure failure = remote::failure_of(point, "", remote::Places(program, 0));
  run.id = failure.id;
  run.what = failure.what;
}

}  // namespace rehearse::real
