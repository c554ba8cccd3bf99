// SPDX-License-Identifier: MIT
//
// Copies page by page of the destination. Reading an untouched page maps the shared page of zeros; the
// few kernels without one give it memory of its own.
#include "simcore/support/sparse_copy.hpp"

#include "simcore/support/page.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace rehearse {
namespace {

constexpr std::size_t stride = 64;

bool is_zero(const std::byte* at, std::size_t bytes) {
  std::size_t i = 0;
  for (; i + stride <= bytes; i += stride) {
    std::uint64_t words[stride / sizeof(std::uint64_t)];
    std::memcpy(words, at + i, stride);
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    if (any != 0) return false;
  }
  return std::all_of(at + i, at + bytes, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

void copy_sparsely(std::byte* to, const std::byte* from, std::size_t bytes, Target target) {
  while (bytes > 0) {
    const std::size_t in_page = reinterpret_cast<std::uintptr_t>(to) % page_bytes;
    const std::size_t part = std::min(bytes, page_bytes - in_page);
    if (!is_zero(from, part) || (target == Target::anything && !is_zero(to, part))) std::memcpy(to, from, part);
    to += part;
    from += part;
    bytes -= part;
  }
}

}  // namespace rehearse
