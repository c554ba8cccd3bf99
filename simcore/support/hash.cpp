// SPDX-License-Identifier: MIT
//
// The only file that includes xxHash.
#include "simcore/support/hash.hpp"

#define XXH_INLINE_ALL  // a hash of a few words is not worth a call
#include <xxhash.h>

#include "simcore/support/wide_hash.hpp"

namespace rehearse {

std::uint64_t hash_in_memory(const void* data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

WideHash wide_hash(const void* data, std::size_t bytes) {
  const XXH128_hash_t hash = XXH3_128bits(data, bytes);
  return {hash.low64, hash.high64};
}

}  // namespace rehearse
