// SPDX-License-Identifier: MIT
//
// A disagreement between two members of one collective, which one of them finds in the remark of the other
// (Contribution::remark).
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/observation.hpp"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

struct Disagreement {
  std::string_view id;  // of the finding
  std::string what;     // the difference; empty: they agree
  ActorId other = {};
  CreationSite site = {};  // the call of the other member

  explicit operator bool() const { return !what.empty(); }
};

// Reports it with the places of both members. Does nothing if they agree.
void report_disagreement(const Disagreement& disagreement);

// The numbers that a remark consists of.
template <class Number>
std::vector<Number> numbers_of(const Remark& remark) {
  std::vector<Number> numbers(remark.text.size() / sizeof(Number));
  if (!numbers.empty()) std::memcpy(numbers.data(), remark.text.data(), numbers.size() * sizeof(Number));
  return numbers;
}

// "0, 1 and 2", "none". Of a long list, only the first numbers.
std::string list_text(const std::vector<int>& numbers);

}  // namespace rehearse::smpi
