// SPDX-License-Identifier: MIT
//
// The parts of an .rtrace file.
//
// Layout:  magic, version (4 bytes), chunks, trailer. A chunk is a letter, the length of its content (4 bytes), the
//          checksum of its content (4 bytes), and the content. Numbers of fixed length are little-endian, the others
//          are varints (bytes.hpp). `packed` is the length of some bytes, and then these bytes, compressed.
//          H, header:  number of ranks; from version 2 on features (a bit each); packed: what is known about the
//                      recording, as JSON
//          T, tables:  packed: additions to the tables (tables.hpp)
//          B, block:   rank, number of actions, number of the rank's next request; packed: columns (block.hpp)
//          I, index:   packed: blocks, late wildcards, withdrawn receives, sites, and what was known only at the end,
//                      as JSON (block_index.hpp)
//          The trailer is the offset of the index (8 bytes) and a second magic.
// Cut:     a file without a trailer has no index. Its whole blocks are readable.
// Version: grows when an older reader would misunderstand a file. Version 1 has no features and no undecided actions.
#pragma once

#include <cstdint>
#include <string_view>

namespace rehearse::trace::rtrace {

inline constexpr std::string_view magic = "\x89rtrace\n";
inline constexpr std::string_view end_magic = "rtrace\n\x89";
inline constexpr std::uint32_t version = 2, oldest_version = 1;
inline constexpr std::size_t preamble_bytes = magic.size() + 4;
inline constexpr std::size_t chunk_head_bytes = 9;
inline constexpr std::size_t trailer_bytes = 8 + end_magic.size();

namespace feature {
inline constexpr std::uint64_t reductions = 1;  // the volumes of reductions are among the actions
inline constexpr std::uint64_t all = 1;
}  // namespace feature

enum class ChunkKind : std::uint8_t { header = 'H', tables = 'T', block = 'B', index = 'I' };

// Of a trace with any number of ranks, so that the windows of all ranks together stay small.
constexpr std::uint32_t block_actions(std::uint32_t ranks) {
  constexpr std::uint32_t all = 1u << 22, least = 1024, most = 65536;
  const std::uint32_t each = all / (ranks == 0 ? 1 : ranks);
  return each < least ? least : each > most ? most : each;
}

}  // namespace rehearse::trace::rtrace
