// SPDX-License-Identifier: MIT
//
// The name of an action without regard to case, as tracers write it in several ways.
#pragma once

#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace rehearse::trace::ti {

class Spelling {
 public:
  explicit Spelling(std::string_view word) : length_(word.size() <= most ? word.size() : 0) {
    for (std::size_t i = 0; i < length_; ++i)
      lower_[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[i])));
  }

  // Empty: longer than any name.
  std::string_view text() const { return {lower_.data(), length_}; }

 private:
  static constexpr std::size_t most = 24;
  std::array<char, most> lower_;
  std::size_t length_;
};

}  // namespace rehearse::trace::ti
