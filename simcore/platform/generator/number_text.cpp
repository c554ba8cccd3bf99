// SPDX-License-Identifier: MIT
//
// Writes numbers without a loss.
#include "simcore/platform/generator/number_text.hpp"

#include <charconv>

namespace rehearse::platform {

std::string number_text(double value) {
  char text[40];
  const auto [end, code] = std::to_chars(text, text + sizeof text, value);
  return {text, end};
}

}  // namespace rehearse::platform
