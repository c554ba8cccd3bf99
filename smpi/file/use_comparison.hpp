// SPDX-License-Identifier: MIT
//
// Compares two accesses to a file between which there is no synchronisation, and reports what is wrong with them.
#pragma once

#include "smpi/file/file.hpp"

namespace rehearse::smpi {

// The use of a file by member `rank`.
struct MemberUse {
  int rank = 0;
  const FileUse& use;
};

// `mine` is of the calling rank. True: they race, which is reported as an error.
bool compare_uses(const File& file, const MemberUse& theirs, const FileUse& mine);

}  // namespace rehearse::smpi
