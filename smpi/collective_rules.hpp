// SPDX-License-Identifier: MIT
//
// Which algorithms the known MPI libraries choose for collectives: the rules in smpi/collective/rules/.
#pragma once

#include <span>

#include "simcore/collective_schedule.hpp"

namespace rehearse::smpi {

// `ompi` and `mpich`.
std::span<const RuleSet> collective_rules();

}  // namespace rehearse::smpi
