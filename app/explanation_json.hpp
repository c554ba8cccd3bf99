// SPDX-License-Identifier: MIT
//
// The explanation of a counter-example as JSON and back.
//
// Errors: explanation_from_json throws JsonError if a key is missing or of another kind.
#pragma once

#include "app/counterexample.hpp"
#include "app/finding_json.hpp"

namespace rehearse::app {

Json to_json(const Explanation& explanation);
Explanation explanation_from_json(const Json& json);

Json to_json(const mc::Decision& decision);  // with `text`, for people

}  // namespace rehearse::app
