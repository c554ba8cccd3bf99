// SPDX-License-Identifier: MIT
//
// Where the lines of each rank are in a time-independent trace, found in one pass over its files.
//
// Forms:   one file with the lines of all ranks, in any interleaving; or an index: a file that names a file for each
//          rank, in order, relative to the index or else to the current folder.
// Memory:  24 bytes for each run of lines of one rank, so 24 bytes a line if the ranks take turns line by line.
// Source:  SimGrid's documentation, "SMPI: offline simulation"; ours: comm_split and comm_dup with numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/communicators.hpp"
#include "trace/ti/text_file.hpp"

namespace rehearse::trace::ti {

// Consecutive lines of one rank.
struct LineRun {
  std::uint64_t offset = 0;  // of their first byte
  std::uint64_t bytes = 0;
  std::uint64_t line = 1;  // of the first one
};

struct RankLines {
  std::uint32_t file = 0;  // index into Index::files
  std::vector<LineRun> runs;
  bool has_tests = false;  // some action is a test
};

struct Index {
  std::vector<TextFile> files;
  std::vector<RankLines> ranks;
  std::vector<std::vector<Split>> splits;  // by rank
};

Result<Index> make_index(const std::string& path);

// Whether the beginning of a file looks like a time-independent trace or like an index of one.
bool looks_like_text_trace(std::string_view beginning);

}  // namespace rehearse::trace::ti
