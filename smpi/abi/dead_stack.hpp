// SPDX-License-Identifier: MIT
//
// Makes the stack below the calling function read as zero, as far as calls that poll come: what other calls left there
// would otherwise be in what our functions never write of their frames, and a rank that polls would not be seen to be
// where it was before (History::is_going_round).
#pragma once

namespace rehearse::smpi {

void clear_dead_stack();

}  // namespace rehearse::smpi
