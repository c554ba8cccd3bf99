// SPDX-License-Identifier: MIT
//
// The lines of a proof file as words. Empty lines and lines that begin with # are left out.
//
// Errors: BadLine, with the number of the line. Only this component throws and catches it.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse::proof {

struct BadLine {
  std::string text;
};

class Lines {
 public:
  explicit Lines(std::istream& in) : in_(in) { next(); }

  bool is_over() const { return is_over_; }
  std::uint64_t number() const { return number_; }
  const std::vector<std::string>& words() const { return words_; }
  bool is(std::string_view first_word) const { return !is_over_ && words_.front() == first_word; }
  void next();

  // "line 7: TEXT"
  std::string placed(const std::string& text) const { return "line " + std::to_string(number_) + ": " + text; }
  [[noreturn]] void refuse(const std::string& text) const { throw BadLine{placed(text)}; }

  // The word as a number below `end`.
  std::uint32_t index(std::size_t word, std::size_t end, const char* what) const;
  std::int64_t integer(std::size_t word) const;
  void require_words(std::size_t count) const;

 private:
  std::istream& in_;
  std::uint64_t number_ = 0;
  bool is_over_ = false;
  std::vector<std::string> words_;
};

}  // namespace rehearse::proof
