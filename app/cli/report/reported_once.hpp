// SPDX-License-Identifier: MIT
//
// Findings that differ only in the rank that they happen to: texts name them once, reports for programs one by one.
#pragma once

#include <string>
#include <vector>

#include "simcore/finding.hpp"

namespace rehearse::cli {

struct ReportedOnce {
  const Finding* finding = nullptr;
  std::vector<ActorId> others;  // to whom the same happens at the same place

  // " (likewise ranks 1 and 2)", or nothing.
  std::string likewise() const;
};

// In the order of the first ones, which `findings` must keep.
std::vector<ReportedOnce> reported_once(const std::vector<Finding>& findings);

}  // namespace rehearse::cli
