// SPDX-License-Identifier: MIT
//
// Inferred skeletons as JSON documents.
#pragma once

#include <string>

#include "app/json.hpp"
#include "manynode/skeleton_inference.hpp"

namespace rehearse::app {

// `profile`: a document of a profile, whose clusters and markers the skeleton takes; null: none.
Json to_json(const manynode::SkeletonText& skeleton, const std::string& name, const Json& about, const Json& profile);

// One operation on each line, for reading and changing by hand.
std::string text_of_skeleton(const Json& skeleton);

}  // namespace rehearse::app
