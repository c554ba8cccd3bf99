// SPDX-License-Identifier: MIT
//
// Findings that differ only in their rank: texts contain them once, reports for programs one by one.
#pragma once

#include <string>
#include <vector>

#include "simcore/finding.hpp"

namespace rehearse::cli {

struct ReportedOnce {
  const Finding* finding = nullptr;
  std::vector<ActorId> others;  // with the same finding at the same place

  // " (likewise ranks 1 and 2)", or nothing.
  std::string likewise() const;
};

// In the order of the first ones. The results refer to `findings`.
std::vector<ReportedOnce> reported_once(const std::vector<Finding>& findings);

}  // namespace rehearse::cli
