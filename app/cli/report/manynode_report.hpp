// SPDX-License-Identifier: MIT
//
// Profiles of the many-node method as text and as a page for browsers.
//
// Order: the same profile gives the same bytes.
#pragma once

#include <iosfwd>
#include <string>

#include "app/json.hpp"
#include "manynode/profile.hpp"

namespace rehearse::cli {

// Tables of clusters and markers. `most`: number of rows of markers.
std::string text_of(const manynode::Profile& profile, std::size_t most);

// `profile`: its document, with `subject`, the name of the samples.
void write_profile_page(std::ostream& out, const app::Json& profile);

}  // namespace rehearse::cli
