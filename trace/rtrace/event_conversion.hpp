// SPDX-License-Identifier: MIT
//
// Operations and their answers as Events, and back.
//
// Ownership: an Asked owns the lists that its operation points to; texts and members are those of the tables.
// Errors:    to_operation() says what is wrong with an Event that no recorder wrote.
#pragma once

#include <cstdint>
#include <vector>

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "trace/rtrace/event.hpp"
#include "trace/rtrace/tables.hpp"

namespace rehearse::trace::rtrace {

// Makes the event of an operation; its site is not set. `answer`: null if the operation was not answered. `took`: the
// duration of a read of the clock. `next_request`: of the rank, before and after the operation.
void to_event(const Operation& operation, const Observation* answer, Duration took, std::uint32_t& next_request,
              Tables& tables, Event& event);

// An operation and its recorded answer.
struct Asked {
  Operation operation = End{};
  EventKind kind = EventKind::end;
  bool is_unanswered = false;
  bool yes = false;  // of an Observe or a Probe
  // The recording does not say which message a receive took; or which request an Observe found complete: of those
  // that no earlier Observe of this kind took, one (any), or the first (all).
  bool is_undecided = false;
  std::vector<std::uint32_t> completed;  // of an Observe that was answered yes: indices of its requests
  Pattern seen = {};                     // of a Probe that was answered yes: the message
  std::uint32_t site = 0;
  std::vector<RequestId> requests;
  std::vector<std::uint64_t> segments;
};

// What is wrong with a computation of infinitely many flops.
inline constexpr const char* no_volume = "a volume that is not a number";

// Null: done. Otherwise: what is wrong.
const char* to_operation(const Event& event, std::uint32_t& next_request, const Tables& tables, const Caller& caller,
                         Asked& asked);

}  // namespace rehearse::trace::rtrace
