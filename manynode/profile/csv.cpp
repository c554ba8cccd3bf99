// SPDX-License-Identifier: MIT
//
// See csv.hpp.
#include "manynode/profile/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\"";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (std::size_t begin = 0;;) {
    const std::size_t comma = line.find(',', begin);
    fields.push_back(trimmed(line.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return;
    begin = comma + 1;
  }
}

}  // namespace

bool CsvReader::take_line() {
  while (at_ < text_.size()) {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    current_ = trimmed(text_.substr(at_, end - at_));
    at_ = end + 1;
    ++line_;
    if (!current_.empty() && current_.front() != '#') return true;
  }
  return false;
}

Result<void> CsvReader::open(const std::vector<std::string_view>& required) {
  std::string expected;
  for (const std::string_view each : required) expected += (expected.empty() ? "" : ",") + std::string(each);
  if (!take_line()) return Error{fmt::format("{}: empty, expected a header with {}", name_, expected)};
  split_fields(current_, fields_);
  for (const std::string_view each : fields_) {
    if (each.empty() || std::ranges::find(columns_, each) != columns_.end()) {
      return Error{fmt::format("{}:{}: column '{}' in the header, expected names that differ", name_, line_, each)};
    }
    columns_.emplace_back(each);
  }
  for (const std::string_view each : required) {
    if (std::ranges::find(columns_, each) == columns_.end()) {
      return Error{fmt::format("{}:{}: no column '{}', expected a header with {}", name_, line_, each, expected)};
    }
  }
  return {};
}

std::size_t CsvReader::column(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name);
  REHEARSE_ASSERT(found != columns_.end(), "a column that open() did not require");
  return static_cast<std::size_t>(found - columns_.begin());
}

bool CsvReader::next() {
  if (problem_ || !take_line()) return false;
  split_fields(current_, fields_);
  if (fields_.size() == columns_.size()) return true;
  problem_ = Error{
      fmt::format("{}:{}: {} fields, expected {} as in the header", name_, line_, fields_.size(), columns_.size())};
  return false;
}

void CsvReader::refuse(std::size_t column, std::string_view expected) {
  if (problem_) return;
  problem_ =
      Error{fmt::format("{}:{}: {} '{}', expected {}", name_, line_, columns_[column], fields_[column], expected)};
}

double CsvReader::number(std::size_t column) {
  const std::string_view text = fields_[column];
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  refuse(column, "a number");
  return 0;
}

std::uint64_t CsvReader::whole(std::size_t column, std::uint64_t most) {
  const std::string_view text = fields_[column];
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault == std::errc() && end == text.data() + text.size() && value <= most) return value;
  refuse(column, fmt::format("a whole number from 0 to {}", most));
  return 0;
}

}  // namespace rehearse::manynode
