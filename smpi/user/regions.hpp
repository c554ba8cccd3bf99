// SPDX-License-Identifier: MIT
//
// The named regions of the program that a rank is in.
#pragma once

#include <string>
#include <vector>

namespace rehearse::smpi {

struct Regions {
  std::vector<const char*> names;  // the program's own; the innermost is the last
};

// The innermost one of a rank with this actor_slot(), or nothing; also outside of ranks.
std::string region_name(const void* slot);

// " (in region NAME)" for a rank with this actor_slot(), or nothing; also outside of ranks.
std::string region_text(const void* slot);

}  // namespace rehearse::smpi
