// SPDX-License-Identifier: MIT
//
// See report.hpp.
#include "smpi/report.hpp"

#include <set>
#include <utility>

#include "simcore/actor.hpp"
#include "simcore/provisional.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi.hpp"
#include "smpi/library.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"

namespace rehearse::smpi {
namespace {

Frame frame_of_call(const void* return_address) {
  return return_address == nullptr ? Frame{} : find_source(static_cast<const char*>(return_address) - 1);
}

struct LeftOut {
  std::set<std::string> reported;
};

// A place of the calling rank.
Location place_of(std::string call, const Frame& frame) {
  Location location;
  location.actor = current_actor();
  location.call = std::move(call);
  location.file = frame.file;
  location.line = frame.line;
  location.function = frame.function;
  return location;
}

Location place_of(std::string call, const void* return_address) {
  return place_of(std::move(call), frame_of_call(return_address));
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

std::string text_of(const CreationSite& site) {
  const Frame frame = frame_of_call(site.return_address);
  std::string text = site.function;
  if (!frame.file.empty()) text += fmt::format(" at {}:{}", frame.file, frame.line);
  return text;
}

void report(std::string_view id, Severity severity, std::string message, CreationSite site) {
  Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.message = std::move(message);
  finding.actors = {current_actor()};
  if (site.function[0] != '\0') {
    finding.locations.push_back(place_of(site.function, site.return_address));
    finding.locations.back().what = id.starts_with("resource.") ? "was created here" : "was started here";
  } else {
    finding.locations.push_back(place_of(print_current_call(), current_call_site()));
  }
  ask(Report{&finding});
}

void report_places(std::string_view id, std::string message, const ReportedPlace& here,
                   std::span<const ReportedPlace> others) {
  Finding finding;
  finding.id = id;
  finding.message = std::move(message);
  finding.actors = {current_actor()};
  const bool in_call = here.site.return_address == nullptr;
  finding.locations.push_back(in_call      ? place_of(print_current_call(), current_call_site())
                              : here.frame ? place_of(here.site.function, *here.frame)
                                           : place_of(here.site.function, here.site.return_address));
  finding.locations.back().what = here.what;
  for (const ReportedPlace& other : others) {
    finding.locations.push_back(place_of(other.site.function, other.site.return_address));
    finding.locations.back().what = other.what;
    if (other.actor) finding.locations.back().actor = *other.actor;
  }
  ask(Report{&finding});
}

void report_at(std::string_view id, Severity severity, std::string message, const std::vector<ReportedPlace>& places) {
  Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.message = std::move(message);
  finding.actors = {current_actor()};
  for (const ReportedPlace& place : places) {
    finding.locations.push_back(place_of(place.site.function, place.site.return_address));
    finding.locations.back().what = place.what;
    if (place.actor) finding.locations.back().actor = *place.actor;
  }
  ask(Report{&finding});
}

namespace {

void report_under(std::string_view mark, const ProvisionalReport& what) {
  Finding finding;
  finding.id = std::string(mark) + what.id;
  finding.message = what.message;
  finding.actors = {current_actor()};
  if (what.other) finding.actors.push_back(*what.other);
  finding.locations.push_back(place_of(what.here.site.function, what.here.site.return_address));
  finding.locations.back().what = what.here.what;
  ask(Report{&finding});
}

}  // namespace

void report_provisionally(const ProvisionalReport& what) { report_under(provisional_mark, what); }
void withdraw_report(const ProvisionalReport& what) { report_under(withdrawn_mark, what); }

void report_unwanted_send(RequestId send) { report(unwanted_send, Severity::note, std::to_string(send.value)); }

void report_end(const void* place) {
  const Library* mpi = find_per_rank<Library>();
  if (mpi == nullptr || mpi->phase != Phase::running) return;
  Finding finding;
  finding.id = "lifecycle.finalized";
  finding.message = "ends without MPI_Finalize";
  finding.actors = {current_actor()};
  finding.locations.push_back(place_of("", place));
  ask(Report{&finding});
}

void report_outcomes_left_out(const std::string& what) {
  if (per_rank<LeftOut>().reported.insert(what).second) report(outcomes_left_out, Severity::note, what);
}

}  // namespace rehearse::smpi
