// SPDX-License-Identifier: MIT
//
// Mutations of recordings that pass their checksums.
#pragma once

#include <string>

#include "simcore/support/random.hpp"

namespace rehearse::fuzz {

void mutate_recording(std::string& file, SplitMix& random);

}  // namespace rehearse::fuzz
