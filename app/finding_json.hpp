// SPDX-License-Identifier: MIT
//
// The common parts of all reports in JSON: findings, and the text of the document.
//
// Shape: keys in the order in which they are added; docs/manual.md lists them, and they are stable.
#pragma once

#include <string>

#include "app/json.hpp"
#include "simcore/finding.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

Json to_json(const Finding& finding);

// The inverse; the error names the missing or wrong key.
Result<Finding> finding_from_json(const Json& json);

std::string_view name_of(Severity severity);

// A call of a rank at its place in the program: the common part of locations of findings and places of decisions.
template <class Place>
Json place_to_json(const Place& place) {
  return {{"rank", place.actor.value},
          {"call", place.call},
          {"file", place.file},
          {"line", place.line},
          {"function", place.function}};
}

template <class Place>
void read_place(const Json& json, Place& place) {
  place.actor.value = json.at("rank");
  place.call = json.at("call");
  place.file = json.at("file");
  place.line = json.at("line");
  place.function = json.at("function");
}

// The document with a line break after it. Texts come from the user's program and need not be UTF-8.
std::string text_of(const Json& document);

}  // namespace rehearse::app
