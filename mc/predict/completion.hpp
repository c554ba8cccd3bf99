// SPDX-License-Identifier: MIT
//
// When sends complete under a policy.
#pragma once

#include <cstdint>
#include <vector>

#include "mc/predict/course.hpp"
#include "simcore/policy.hpp"

namespace rehearse::mc::predict {

// at_once: whatever happens. when_matched: not before. by_room: when it is matched, or when the unmatched bytes of its
// channel up to it fit.
enum class Completion : std::uint8_t { at_once, when_matched, by_room };

// By message.
std::vector<Completion> completions(const Course& course, const Policy& policy);

}  // namespace rehearse::mc::predict
