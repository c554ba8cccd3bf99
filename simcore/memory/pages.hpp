// SPDX-License-Identifier: MIT
//
// The touched pages of a range, from the kernel.
//
// Errors:  if the kernel does not report them (no /proc), every page counts as touched.
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

// The same for pages that are in memory and belong to this process alone: no pages of files. If the kernel does not
// report them, no page counts.
void append_private(ByteRange range, std::vector<ByteRange>& out);

// Makes whole pages fault when they are touched, without a separate mapping. False: the kernel is older than Linux
// 6.13.
bool install_guard(ByteRange range);

// Makes the range read as zero; long ranges give their pages back to the kernel.
void clear_bytes(ByteRange range);

}  // namespace rehearse
