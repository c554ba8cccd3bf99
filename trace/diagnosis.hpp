// SPDX-License-Identifier: MIT
//
// Checks what the ranks of a trace ask for and get: messages that are longer than their receives, and nonblocking
// operations that the trace never completes. Other faults are found by the drivers and judges of all programs.
//
// Units:   bytes.
// Memory:  one entry for each open request.
// Threads: none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/observation.hpp"
#include "simcore/operation.hpp"

namespace rehearse::trace {

// Of one rank.
class Diagnosis {
 public:
  explicit Diagnosis(std::uint32_t rank) : rank_(rank) {}

  // An action as it is written in the file.
  struct Place {
    std::string text, file;
    std::uint64_t line = 0;
  };

  // The rank asks for the operation, and gets the answer. `at`: its action. `is_at_end`: the rank has no more actions.
  // The findings about it, at most one for each request.
  std::vector<Finding> on_answer(const Operation& operation, const Observation& answer, const Place& at,
                                 bool is_at_end);

 private:
  struct Open {
    Place place;
    std::uint64_t capacity_bytes = 0;
  };

  Finding truncated(const Completion& message, const Open& receive) const;
  Finding left_open(const Open& request) const;
  Location location(const Place& place, std::string what) const;

  std::uint32_t rank_;
  std::map<std::uint32_t, Open> open_;  // by request
};

}  // namespace rehearse::trace
