// SPDX-License-Identifier: MIT
//
// Which pages of a range the actor ever touched, asked from the kernel.
//
// Errors:  where the kernel does not say (no /proc), every page counts as touched.
// Threads: none.
#pragma once

#include <cstddef>
#include <vector>

#include "simcore/support/page.hpp"

namespace rehearse {

struct ByteRange {
  std::byte* begin = nullptr;
  std::byte* end = nullptr;
  std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
};

// Appends the maximal runs of touched pages of `range`, clipped to it, ascending.
void append_touched(ByteRange range, std::vector<ByteRange>& out);

// Makes whole pages fault when they are touched, without a mapping of their own. False: this kernel cannot (Linux 6.13
// can).
bool install_guard(ByteRange range);

// Makes the range read as zero; long ranges give their pages back to the kernel.
void clear_bytes(ByteRange range);

}  // namespace rehearse
