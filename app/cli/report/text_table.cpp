// SPDX-License-Identifier: MIT
//
// See text_table.hpp.
#include "app/cli/report/text_table.hpp"

#include <algorithm>

namespace rehearse::cli {
namespace {

bool is_quantity(const std::string& cell) {
  return cell.empty() || cell == "-" || (cell[0] >= '0' && cell[0] <= '9') ||
         (cell[0] == '-' && cell.size() > 1 && cell[1] >= '0' && cell[1] <= '9');
}

}  // namespace

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  std::vector<bool> is_right;
  for (const std::vector<std::string>& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    is_right.resize(widths.size(), true);
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
      if (&row != &rows_.front() && !is_quantity(row[i])) is_right[i] = false;
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - row[i].size(), ' ');
      line += (i > 0 ? "  " : "") + (i > 0 && is_right[i] ? blanks + row[i] : row[i] + blanks);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace rehearse::cli
