// SPDX-License-Identifier: MIT
//
// Findings that do not stop the rank.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/ids.hpp"
#include "simcore/program.hpp"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

// Reports a finding about the calling rank, which continues. Its place is where the object that it is
// about was made, else the MPI call that the rank is in.
void report(std::string_view id, Severity severity, std::string message, CreationSite site = {});

// A place in the program that a finding is about.
struct ReportedPlace {
  CreationSite site;
  std::string what;                   // "is pending since here"
  std::optional<ActorId> actor = {};  // whose it is, if not the calling rank's
  std::optional<Frame> frame = {};    // where it is in the source; otherwise that is looked up
};

// The same, with places: those of `others` behind that of the MPI call that the rank is in, or of `here`, if it is in
// none, about which `what` is said.
void report_places(std::string_view id, std::string message, const ReportedPlace& here,
                   std::span<const ReportedPlace> others);
// The same of these places alone.
void report_at(std::string_view id, Severity severity, std::string message, const std::vector<ReportedPlace>& places);

// Reports what is wrong only if it is not taken back (simcore/provisional.hpp), of the calling rank and, if it concerns
// another one, that. `here`: the place, and what is done there.
struct ProvisionalReport {
  std::string id, message;
  ReportedPlace here;
  std::optional<ActorId> other = {};
};
void report_provisionally(const ProvisionalReport& what);
void withdraw_report(const ProvisionalReport& what);
// That the calling rank does not want the message of this send to arrive any more.
void report_unwanted_send(RequestId send);

// Says that what the calling rank does here could legally go in more ways than it ever does. The first time only.
void report_outcomes_left_out(const std::string& what);

// Reports the calling rank if it is about to end between MPI_Init and MPI_Finalize; `place`: see LaunchSpec::at_end.
void report_end(const void* place);

// "1 byte", "40 bytes"
std::string bytes_text(std::uint64_t bytes);

// "MPI_Type_vector at matrix.c:12", as far as it is known.
std::string text_of(const CreationSite& site);

}  // namespace rehearse::smpi
