// SPDX-License-Identifier: MIT
//
// Entries of interposers for functions that a rank must not call: a call ends the rank as unsupported, with the name
// and the reason.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "smpi/process/interposers.hpp"
#include "smpi/process/refusals.hpp"

namespace rehearse::smpi {

template <std::size_t size>
struct FunctionName {
  char text[size];
  consteval FunctionName(const char (&from)[size]) { std::copy_n(from, size, text); }
};

template <FunctionName name>
[[noreturn]] void refuse() {
  const std::string what = std::string(name.text) + " (" + std::string(reason_of_refusal(name.text)) + ")";
  fail_rank(FailureKind::unsupported, "unsupported.function", what);
}

template <FunctionName name>
std::pair<std::string_view, void*> refused() {
  return {name.text, function_address(refuse<name>)};
}

}  // namespace rehearse::smpi
