// SPDX-License-Identifier: MIT
//
// See text_table.hpp.
#include "app/cli/report/text_table.hpp"

#include <algorithm>

namespace rehearse::cli {

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - row[i].size(), ' ');
      line += (i > 0 ? "  " : "") + (i == 0 ? row[i] + blanks : blanks + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace rehearse::cli
