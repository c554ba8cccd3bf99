// SPDX-License-Identifier: MIT
//
// A CSV file with a header: its columns by name, its rows in order.
//
// Errors:    one line with file and line.
// Ownership: fields point into the text.
// Threads:   none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::manynode {

class CsvReader {
 public:
  CsvReader(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  // Reads the header. `required`: columns that it must have.
  Result<void> open(const std::vector<std::string_view>& required);
  const std::vector<std::string>& columns() const { return columns_; }
  // The place of a column of the header; requires that it is there.
  std::size_t column(std::string_view name) const;

  // False: no more rows, or an error.
  bool next();
  const std::optional<Error>& problem() const { return problem_; }
  std::string_view field(std::size_t column) const { return fields_[column]; }

  // Of the row that was read last. A fault is kept as problem(), and the result is 0.
  double number(std::size_t column);
  std::uint64_t whole(std::size_t column, std::uint64_t most);
  // Keeps the first fault.
  void refuse(std::size_t column, std::string_view expected);

 private:
  bool take_line();

  std::string_view text_;
  std::string name_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 0;
  std::string_view current_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> fields_;
  std::optional<Error> problem_;
};

}  // namespace rehearse::manynode
