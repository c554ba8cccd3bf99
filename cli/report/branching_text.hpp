// SPDX-License-Identifier: MIT
//
// Where an exploration branches most: what to change or to bound where it is too large.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/report/json.hpp"
#include "mc/explore.hpp"
#include "smpi/process.hpp"

namespace rehearse::cli {

struct BranchingPlace {
  std::string call;              // "MPI_Recv"
  bool of_any_source = false;    // it may take messages of any rank
  Frame frame;                   // no file: not known
  std::uint64_t executions = 0;  // that were reached by another answer there
  double share = 0;              // of all executions but the first
};

// Most first. `program`: whose places these are.
std::vector<BranchingPlace> branching_places(const smpi::LoadedProgram& program, const mc::Verdict& verdict);

// "; branches most: MPI_Iprobe at a.c:41 (73 %), MPI_Recv from any source at a.c:88 (20 %)"; empty if there are none.
std::string branches_most(const std::vector<BranchingPlace>& places);

Json to_json(const std::vector<BranchingPlace>& places);

}  // namespace rehearse::cli
