// SPDX-License-Identifier: MIT
//
// Words and numbers.
#include "proof/lines.hpp"

#include <sstream>

namespace rehearse::proof {

void Lines::next() {
  for (std::string line; std::getline(in_, line);) {
    ++number_;
    std::istringstream stream(line);
    words_.clear();
    for (std::string word; stream >> word;) words_.push_back(std::move(word));
    if (!words_.empty() && words_.front().front() != '#') return;
  }
  is_over_ = true;
  words_.clear();
}

std::uint32_t Lines::index(std::size_t word, std::size_t end, const char* what) const {
  if (word >= words_.size()) refuse(std::string("the number of a ") + what + " is missing");
  const std::string& text = words_[word];
  std::uint32_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || value >= end)
    refuse("'" + text + "' is not the number of a " + what + " (below " + std::to_string(end) + ")");
  return value;
}

std::int64_t Lines::integer(std::size_t word) const {
  if (word >= words_.size()) refuse("an integer is missing");
  const std::string& text = words_[word];
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) refuse("'" + text + "' is not an integer of 64 bits");
  return value;
}

void Lines::require_words(std::size_t count) const {
  if (words_.size() > count) refuse("'" + words_[count] + "' is too much here");
}

}  // namespace rehearse::proof
