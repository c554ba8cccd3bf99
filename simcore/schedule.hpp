// SPDX-License-Identifier: MIT
//
// The decisions that select one execution of all legal ones. They suffice to run it again.
//
// Text:  decisions joined by ';'. `A:r3<-B#5`: request 3 of actor A received request 5 of actor B. `A:o7=no`: its
//        operation 7 (counted from 0 over all its operations) got the answer no; `A:o7-15/4=no`: so did 7, 11, 15.
//        `A:o7=yes(0,2)`: yes, requests 0 and 2 of its list complete. `A:o9=saw B#5`: a probe saw that message.
//        `A:w3`: its send with request 3 waits until it is received, where others are buffered.
// Units: actors, requests and operations are numbers; see ids.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/support/result.hpp"

namespace rehearse {

// A send, named by its actor and request.
struct SendName {
  ActorId source;
  RequestId request;
  auto operator<=>(const SendName&) const = default;
};

// The answer to an Observe with a choice, or to a Probe.
struct Answer {
  bool flag = false;
  std::vector<std::uint32_t> completed;  // indices into Observe::requests, ascending
  SendName seen;                         // of a Probe with the answer yes
  bool operator==(const Answer&) const = default;
};

struct Schedule {
  std::map<std::pair<ActorId, RequestId>, SendName> matches;    // by receive
  std::map<std::pair<ActorId, std::uint32_t>, Answer> answers;  // by number of the operation, where there is a choice
  std::set<std::pair<ActorId, RequestId>> waits;  // standard sends that are not buffered, if others are (Policy::mixed)

  bool empty() const { return matches.empty() && answers.empty() && waits.empty(); }
  bool operator==(const Schedule&) const = default;
};

// The schedules that reproduce a finding: of one execution, or of two if the finding is a difference between them.
struct Witness {
  Schedule schedule;
  std::optional<Schedule> compared_with;  // of the first execution

  bool empty() const { return schedule.empty() && !compared_with; }
  bool operator==(const Witness&) const = default;
};

std::string to_text(const Schedule& schedule);
Result<Schedule> parse_schedule(const std::string& text);

// For two executions: `SCHEDULE against SCHEDULE`.
std::string to_text(const Witness& witness);
Result<Witness> parse_witness(const std::string& text);

}  // namespace rehearse
