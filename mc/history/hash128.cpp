// SPDX-License-Identifier: MIT
//
// Hashing by xxHash.
#include "mc/history/hash128.hpp"

#define XXH_INLINE_ALL  // inlined: most hashes are of a few words
#include <xxhash.h>

namespace rehearse::mc::history {

Hash128 hash_bytes(const void* data, std::size_t size) {
  const bool is_unknown = data == nullptr && size > 0;
  const XXH128_hash_t h = is_unknown ? XXH3_128bits_withSeed(&size, sizeof size, size) : XXH3_128bits(data, size);
  return {h.low64, h.high64};
}

}  // namespace rehearse::mc::history
