// SPDX-License-Identifier: MIT
//
// The sends that rely on buffering: the hint of `check --needed-buffering`.
//
// Method:  mc/needed_buffers.hpp.
// Process: the exploration is in a separate process, for about `seconds`.
#pragma once

#include <string>
#include <vector>

#include "app/job.hpp"
#include "mc/explore.hpp"

namespace rehearse::app {

struct BufferingHints {
  std::vector<Finding> hints;  // one note with the places of the sends, or none
  std::string left_out;        // why there is none; empty: there is one, or none is needed
};

// `verdict`: of an exploration with these options.
BufferingHints needed_buffering(const Job& program, const mc::ExploreOptions& how, const mc::Verdict& verdict,
                                double seconds);

}  // namespace rehearse::app
