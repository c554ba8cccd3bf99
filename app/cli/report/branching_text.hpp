// SPDX-License-Identifier: MIT
//
// The places at which an exploration branches most: candidates for a change or a bound if it is too large.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/check_report.hpp"
#include "app/finding_json.hpp"

namespace rehearse::cli {

// "; branches most: MPI_Iprobe at a.c:41 (73 %), MPI_Recv from any source at a.c:88 (20 %)"; empty if there are none.
std::string branches_most(const std::vector<app::BranchingPlace>& places);

app::Json to_json(const std::vector<app::BranchingPlace>& places);

}  // namespace rehearse::cli
