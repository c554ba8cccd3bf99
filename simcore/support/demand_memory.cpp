// SPDX-License-Identifier: MIT
//
// See demand_memory.hpp.
//
// Source: msync(2): with MS_ASYNC it does nothing on Linux, but it fails if there is no mapping somewhere in the range.
#include "simcore/support/demand_memory.hpp"
#include "simcore/support/page.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>

namespace rehearse {
namespace {

constexpr std::size_t large_bytes = 16 * page_bytes;

// The distance between the bytes that are accessed.
std::size_t step_for(std::span<const std::byte> memory) {
  if (memory.size() < large_bytes) return page_bytes;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(memory.data()) & ~(page_bytes - 1);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(memory.data()) + memory.size();
  const int error = errno;
  const bool is_mapped = msync(reinterpret_cast<void*>(begin), end - begin, MS_ASYNC) == 0;
  errno = error;
  return is_mapped ? memory.size() : page_bytes;
}

}  // namespace

void demand_readable(std::span<const std::byte> memory) {
  if (memory.empty()) return;
  const volatile std::byte* at = memory.data();
  const std::size_t step = step_for(memory);
  for (std::size_t i = 0; i < memory.size(); i += step) static_cast<void>(at[i]);
  static_cast<void>(at[memory.size() - 1]);
}

void demand_writable(std::span<std::byte> memory) {
  if (memory.empty()) return;
  volatile std::byte* at = memory.data();
  const std::size_t step = step_for(memory);
  for (std::size_t i = 0; i < memory.size(); i += step) at[i] = at[i];
  at[memory.size() - 1] = at[memory.size() - 1];
}

}  // namespace rehearse
