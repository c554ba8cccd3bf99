// SPDX-License-Identifier: MIT
//
// Reads a counter-example and compares the hash of its programs.
#include "app/explain.hpp"

namespace rehearse::app {

Result<ExplainReport> explain(const std::string& file) {
  auto read = read_counterexample(file);
  if (!read) return read.error();
  const auto hash = hash_of_programs(read.value());
  const bool is_outdated = hash && hash.value() != read.value().program_hash;
  return ExplainReport{std::move(read.value()), is_outdated};
}

}  // namespace rehearse::app
