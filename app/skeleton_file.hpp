// SPDX-License-Identifier: MIT
//
// Skeletons of the many-node method as JSON documents.
//
// Document: rehearse_skeleton (1), name, clusters, markers, let, communicators, body (docs/many-node.md).
// Errors:   one line with the file, the place in the document, the value and what is accepted.
#pragma once

#include <memory>
#include <string>

#include "app/json.hpp"
#include "manynode/profile.hpp"
#include "manynode/skeleton.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// `profile`: its clusters replace those of the skeleton, and its markers those with the same name; null: none.
Result<manynode::Skeleton> skeleton_from_json(const Json& document, const manynode::Profile* profile);

// Of a file, with its name in the error.
Result<std::shared_ptr<const manynode::Skeleton>> read_skeleton(const std::string& file,
                                                                const manynode::Profile* profile = nullptr);

}  // namespace rehearse::app
