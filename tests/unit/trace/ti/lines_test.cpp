// SPDX-License-Identifier: MIT
//
// The lines of a rank through windows of any size.
#include "trace/ti/lines.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/trace/ti/trace_files.hpp"

namespace rehearse::trace::ti {
namespace {

using Numbered = std::vector<std::pair<std::uint64_t, std::string>>;

Numbered lines_of(const std::string& path, std::uint32_t rank, std::size_t window) {
  const auto index = make_index(path);
  REQUIRE(index);
  const RankLines& of_rank = index.value().ranks[rank];
  Lines lines(index.value().files[of_rank.file], of_rank.runs, window);
  Numbered all;
  while (const auto line = lines.next()) all.emplace_back(lines.number(), *line);
  CHECK_FALSE(lines.problem());
  return all;
}

TEST_CASE("ti lines: a rank gets its own lines with their numbers, whatever the window") {
  const TraceFiles files;
  const std::string long_line = "0 compute " + std::string(500, '1');
  const std::string path =
      files.write("t.ti", "# a comment\n0 init\n1 init\n\n0 compute 1\n" + long_line + "\n1 compute 2\n0 finalize");
  const Numbered zero = {{2, "0 init"}, {5, "0 compute 1"}, {6, long_line}, {8, "0 finalize"}};
  const Numbered one = {{3, "1 init"}, {7, "1 compute 2"}};
  for (const std::size_t window : {1u, 2u, 7u, 64u, 65536u}) {
    CHECK(lines_of(path, 0, window) == zero);
    CHECK(lines_of(path, 1, window) == one);
  }
}

TEST_CASE("ti lines: a file that became shorter is a problem") {
  const TraceFiles files;
  const std::string path = files.write("t.ti", "0 init\n0 compute 1\n0 compute 2\n0 compute 3\n");
  const auto index = make_index(path);
  REQUIRE(index);
  const RankLines& of_rank = index.value().ranks[0];
  Lines lines(index.value().files[of_rank.file], of_rank.runs, 8);
  CHECK(lines.next() == "0 init");
  files.write("t.ti", "0 init\n");
  while (lines.next()) {
  }
  REQUIRE(lines.problem());
  CHECK(lines.problem()->text == path + ": cannot read: it has become shorter");
}

}  // namespace
}  // namespace rehearse::trace::ti
