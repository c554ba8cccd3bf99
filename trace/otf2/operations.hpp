// SPDX-License-Identifier: MIT
//
// The collectives of OTF2.
#pragma once

#include <otf2/otf2.h>

#include "simcore/operation.hpp"

namespace rehearse::trace::otf2 {

OTF2_CollectiveOp operation_of(CollectiveKind kind);
// by_flow: none of MPI's data movements.
CollectiveKind kind_of(OTF2_CollectiveOp operation);

}  // namespace rehearse::trace::otf2
