// SPDX-License-Identifier: MIT
//
// Demands that memory is accessible before other code uses it: if it is not, the demand fails with a segmentation fault
// at that place.
//
// Accuracy: of large memory the ends are used and the kernel says whether it has something everywhere in between, so
//           that no pages are made; what is there, but not to be used, in the middle of it, is not noticed.
// Threads:  safe; what is demanded for writing must not be written by others meanwhile.
#pragma once

#include <cstddef>
#include <span>

namespace rehearse {

void demand_readable(std::span<const std::byte> memory);
void demand_writable(std::span<std::byte> memory);  // it holds afterwards what it held before

}  // namespace rehearse
