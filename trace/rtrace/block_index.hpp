// SPDX-License-Identifier: MIT
//
// The index at the end of a file: the places of tables and blocks, and facts that were known only after their block was
// written.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/rtrace/bytes.hpp"
#include "trace/rtrace/event.hpp"
#include "trace/rtrace/tables.hpp"

namespace rehearse::trace::rtrace {

struct BlockPlace {
  std::uint64_t offset = 0;  // of its chunk
  std::uint32_t rank = 0;
  std::uint32_t actions = 0;
};

// A receive with a wildcard that got its message after its block was written.
struct LateTook {
  std::uint32_t request = 0;
  Took took = {};
};

struct RankIndex {
  std::vector<LateTook> late;            // by request
  std::vector<std::uint32_t> withdrawn;  // receives that the rank cancelled in time, in order
};

struct Index {
  std::vector<std::uint64_t> tables;  // offsets of their chunks
  std::vector<BlockPlace> blocks;     // by offset
  std::vector<RankIndex> ranks;
  std::string about;  // JSON object about the recording that was known only at its end; empty: none
};

// With the places of the sites.
Bytes write_index(const Index& index, const Tables& tables);

// The first part of an index: with the tables at these offsets, the rest can be read.
std::vector<std::uint64_t> read_table_offsets(ByteReader& in);
// False: malformed.
bool read_index(ByteReader& in, std::uint32_t ranks, Index& index, Tables& tables);

}  // namespace rehearse::trace::rtrace
