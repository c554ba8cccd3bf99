// SPDX-License-Identifier: MIT
//
// The lines that make a communicator with a number. The index counts them and the reader names what they made, so both
// ask here.
//
// Form: RANK comm_split PARENT COLOUR KEY NUMBER; RANK comm_dup PARENT NUMBER. Other forms of these actions, which have
//       no numbers, mean nothing.
#pragma once

#include <span>
#include <string_view>

#include "trace/ti/spelling.hpp"

namespace rehearse::trace::ti {

enum class SplitWords { none, split, duplicate };

// Of all words of a line.
inline SplitWords split_words(std::span<const std::string_view> words) {
  if (words.size() == 6 && Spelling(words[1]).text() == "comm_split") return SplitWords::split;
  if (words.size() == 4 && Spelling(words[1]).text() == "comm_dup") return SplitWords::duplicate;
  return SplitWords::none;
}

}  // namespace rehearse::trace::ti
