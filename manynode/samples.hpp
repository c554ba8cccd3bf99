// SPDX-License-Identifier: MIT
//
// Measured times, and tables of numbers by rank, as they are read from CSV files.
//
// Format:  a header with the names of the columns, then a line for each row. Samples: rank, marker, iteration, seconds,
//          and any columns of counters (instructions, cycles); counters: rank, and any columns; scaling: ranks, rank,
//          value. Columns can be in any order. Empty lines and lines that begin with # do not count.
// Errors:  one line with file, line, value and what is accepted.
// Threads: none.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::manynode {

struct Execution {
  std::uint64_t iteration = 0;
  double seconds = 0;
};

// The executions of one marker on one rank, in the order of their iterations.
struct Series {
  std::uint32_t rank = 0;
  std::vector<Execution> executions;
};

struct SampleTable {
  std::map<std::string, std::vector<Series>> markers;               // by name; the series by rank
  std::map<std::string, std::map<std::uint32_t, double>> counters;  // sums by name and rank
  std::uint32_t ranks = 0;                                          // the greatest rank and one

  std::uint64_t size() const;
};

// Rows of numbers by rank.
struct CounterTable {
  std::vector<std::string> names;
  std::vector<bool> is_factor;            // by column: a logarithm to base 2, which counts by factors
  std::vector<std::uint32_t> ranks;       // by row, ascending
  std::vector<std::vector<double>> rows;  // by row and column
};

struct SizedValue {
  std::uint32_t ranks = 0;
  double value = 0;
};

// `name`: of the file, for errors. Reads on into `table`, so several files are one run.
Result<void> read_samples(std::string_view text, const std::string& name, SampleTable& table);
Result<CounterTable> read_counters(std::string_view text, const std::string& name);
Result<std::vector<SizedValue>> read_scaling(std::string_view text, const std::string& name);

// Sorts the series by rank and iteration. An error: an iteration that is there twice.
Result<void> finish(SampleTable& table);

}  // namespace rehearse::manynode
