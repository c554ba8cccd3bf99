// SPDX-License-Identifier: MIT
//
// The ids of all findings with what they mean: what `rehearse list checks` prints.
//
// Shape: in the order of the table; the first word of an id is its class. tests/architecture/catalogue_test.py compares
//        the table with the ids that the sources make.
#pragma once

#include <span>
#include <string_view>

namespace rehearse::properties {

struct Check {
  std::string_view id;
  std::string_view text;
};

std::span<const Check> catalogue();

}  // namespace rehearse::properties
