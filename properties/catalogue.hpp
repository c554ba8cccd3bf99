// SPDX-License-Identifier: MIT
//
// The ids of all findings, with their meaning, the clause of the standard and advice. `rehearse list checks`, the pages
// of docs/checks and the reports use it.
//
// Shape:  in the order of the table; the first word of an id is its class. tests/architecture/catalogue_test.py
//         compares the table with the ids in the sources.
// Source: the MPI standard, version 4.1, by section.
#pragma once

#include <span>
#include <string_view>

namespace rehearse::properties {

enum class Grade {
  error,
  warning,
  note,
  limit,  // not a finding: reports that a part was not explored
};

struct Check {
  std::string_view id;
  Grade grade;
  std::string_view text;    // the error
  std::string_view clause;  // number and title of a section of the standard; empty: the check is not about MPI
  std::string_view advice;  // recommended change, as a sentence
};

std::span<const Check> catalogue();

const Check* find_check(std::string_view id);  // null: there is none

}  // namespace rehearse::properties
