// SPDX-License-Identifier: MIT
//
// The number of letters to change, insert or leave out (Levenshtein's distance), by its recurrence, a row at a time.
#include "app/cli/spelling.hpp"

#include <algorithm>
#include <numeric>

namespace rehearse::cli {
namespace {

std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view given, const std::vector<std::string>& words) {
  const std::string* nearest = nullptr;
  std::size_t least = given.size() / 3 + 1;
  for (const std::string& word : words) {
    const std::size_t steps = distance(given, word);
    if (steps >= least) continue;
    least = steps;
    nearest = &word;
  }
  return nearest == nullptr ? "" : " (did you mean '" + *nearest + "'?)";
}

}  // namespace rehearse::cli
