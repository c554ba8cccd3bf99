// SPDX-License-Identifier: MIT
//
// The checker of proof files: docs/proofs.md describes the format, and what an accepted file proves.
//
// It is independent of the search for proofs (mc/flow/): it makes all equations from the steps in the file, and uses
// integers only. It is small, so that a person can check it.
//
// Errors:  a file that does not have the format is an Error with the line. A file that has it and is no proof is
//          refused.
// Threads: safe.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

#include "simcore/support/result.hpp"

namespace rehearse::proof {

struct Judgement {
  std::string refusal;  // the line and the reason; empty: the file is a proof
  std::uint64_t nets = 0, steps = 0, questions = 0, multipliers = 0;
};

Result<Judgement> check_proof(std::istream& in);

}  // namespace rehearse::proof
