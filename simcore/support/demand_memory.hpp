// SPDX-License-Identifier: MIT
//
// Demands that memory is accessible before other code uses it: if it is not, the demand fails with a segmentation fault
// at that place.
//
// Accuracy: in large memory, only the ends are accessed, so that no pages are created. The kernel reports whether the
//           memory between them is mapped. A mapped part without access rights is not noticed there.
// Threads:  safe; other threads must not write memory that is demanded for writing.
#pragma once

#include <cstddef>
#include <span>

namespace rehearse {

void demand_readable(std::span<const std::byte> memory);
void demand_writable(std::span<std::byte> memory);  // keeps its content

}  // namespace rehearse
