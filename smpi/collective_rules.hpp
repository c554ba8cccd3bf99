// SPDX-License-Identifier: MIT
//
// The rules in smpi/collective/rules/, by which other MPI libraries choose algorithms for collectives.
#pragma once

#include <span>

#include "simcore/collective_schedule.hpp"

namespace rehearse::smpi {

// `ompi` and `mpich`.
std::span<const RuleSet> collective_rules();

}  // namespace rehearse::smpi
