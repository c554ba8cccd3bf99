// SPDX-License-Identifier: MIT
//
// Tables in texts for people: columns are as wide as their longest cell. Columns of quantities are right-aligned,
// except the first one.
#pragma once

#include <string>
#include <vector>

namespace rehearse::cli {

class TextTable {
 public:
  // The first row is the header.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  // Lines without blanks at their ends.
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace rehearse::cli
