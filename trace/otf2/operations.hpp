// SPDX-License-Identifier: MIT
//
// The collectives of OTF2.
#pragma once

#include <otf2/otf2.h>

#include <cstdarg>
#include <cstdint>

#include "simcore/operation.hpp"

namespace rehearse::trace::otf2 {

OTF2_CollectiveOp operation_of(CollectiveKind kind);
// by_flow: none of MPI's data movements.
CollectiveKind kind_of(OTF2_CollectiveOp operation);

// libotf2 prints its errors unless there is a function for them. Ours are in the results.
OTF2_ErrorCode be_silent(void* data, const char* file, std::uint64_t line, const char* function, OTF2_ErrorCode code,
                         const char* format, va_list arguments);

}  // namespace rehearse::trace::otf2
