// SPDX-License-Identifier: MIT
//
// Failures of processes, as user-level failure mitigation (ULFM) has them: which ranks of a program can fail, and the
// messages by which the others learn of it.
//
// Method:  a rank that fails sends a notice to every other rank and ends. Who waits for it waits for its notice, too.
//          So a driver needs no notion of failures: to it they are messages, choices and ends (docs/soundness.md).
// Source:  MPI Forum, Fault Tolerance Working Group, User Level Failure Mitigation; Bland, Bouteiller, Herault,
//          Bosilca, Dongarra, Post-failure recovery of MPI communication capability, IJHPCA 27(3), 2013.
// Threads: none.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/notice.hpp"

namespace rehearse::smpi {

// The failures of one program. Of a program without any, no rank looks for notices.
struct FailurePlan {
  // The rank fails at the start of its `call`-th call that communicates or waits for communication, from 1 on.
  struct AtCall {
    std::uint32_t rank = 0;
    std::uint64_t call = 1;
    bool operator==(const AtCall&) const = default;
  };

  // Number of ranks that fail at any such call. The driver chooses them, and the calls: Choose.
  std::uint32_t chosen = 0;
  std::vector<AtCall> at_calls;
  std::vector<std::uint32_t> mortal;  // further ranks that can be lost (LoadedProgram::lose); ascending
  bool may_revoke = false;            // the program may revoke communicators, also if no rank fails

  bool is_possible() const { return chosen > 0 || !at_calls.empty() || !mortal.empty(); }
  bool operator==(const FailurePlan&) const = default;
};

// The plan of the calling rank's program.
const FailurePlan& failure_plan();

// Ends the calling rank, which is lost: LaunchSpec::when_lost.
void leave_lost(std::string_view why);

// The reports of a rank that fails. The first one is a finding; of a failure that the driver chose, the report only
// tells judges.
inline constexpr std::string_view process_failure = "failure.process";
inline constexpr std::string_view chosen_failure = "chosen_failure";

// The finding of a rank that ends because it heard of a failure and has the error handler for that.
inline constexpr std::string_view failure_fatal = "failure.fatal";

// The tags of notices.
inline constexpr Tag death_tag = death_notice_tag;
inline constexpr Tag revocation_tag = revocation_notice_tag;
inline constexpr Tag agreement_tag = -0x7f03;  // the sender's part in an agreement, or none, because it has failed
inline constexpr Tag mortality_tag = -0x7f04;  // which ranks can fail

// Whether a rank that waits for such a message waits for nothing that others owe it.
inline bool is_background_tag(Tag tag) { return tag == death_tag || tag == revocation_tag; }

}  // namespace rehearse::smpi
