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

// Reports a finding about the calling rank, which continues. Its place is `site`, where the affected object was
// created; if `site` is empty, the current MPI call of the rank.
void report(std::string_view id, Severity severity, std::string message, CreationSite site = {});

// A place in the program that a finding is about.
struct ReportedPlace {
  CreationSite site;
  std::string what;                   // "is pending since here"
  std::optional<ActorId> actor = {};  // the rank of the place, if not the calling rank
  std::optional<Frame> frame = {};    // its place in the source; absent: it is looked up
};

// The same with several places: first `here`, then `others`. If `here.site` is empty, the first place is the current
// MPI call of the rank, with the text of `here.what`.
void report_places(std::string_view id, std::string message, const ReportedPlace& here,
                   std::span<const ReportedPlace> others);
// The same with these places only.
void report_at(std::string_view id, Severity severity, std::string message, const std::vector<ReportedPlace>& places);

// A finding about the calling rank, and `other` if there is one. It counts only if it is not withdrawn
// (simcore/provisional.hpp). `here`: the place, with a text.
struct ProvisionalReport {
  std::string id, message;
  ReportedPlace here;
  std::optional<ActorId> other = {};
};
void report_provisionally(const ProvisionalReport& what);
void withdraw_report(const ProvisionalReport& what);
// Reports that the calling rank no longer wants the message of this send to arrive.
void report_unwanted_send(RequestId send);

// Reports that the exploration leaves out some legal outcomes of the calling rank's operation. Each text is reported
// once.
void report_outcomes_left_out(const std::string& what);

// Reports the calling rank if it is about to end between MPI_Init and MPI_Finalize; `place`: see LaunchSpec::at_end.
void report_end(const void* place);

// "1 byte", "40 bytes"
std::string bytes_text(std::uint64_t bytes);

// "MPI_Type_vector at matrix.c:12". Unknown parts are left out.
std::string text_of(const CreationSite& site);

}  // namespace rehearse::smpi
