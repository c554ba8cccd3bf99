// SPDX-License-Identifier: MIT
//
// Platforms from texts, and their routes as texts.
#pragma once

#include <string>

#include "simcore/platform.hpp"

namespace rehearse::testing {

// `elements` is the content between <platform> and </platform>. The test fails if it is invalid.
Platform platform_with(const std::string& elements, RoutesOf routes = RoutesOf::the_documentation);

// The same within one zone with this routing, named z.
Platform zone_platform(const std::string& routing, const std::string& elements);

// The error in the whole text, without the name of the file; "nothing" if there is none.
std::string mistake_in(const std::string& text);

// The names of the links, with blanks between them; "none" if there is no route.
std::string route_text(const Platform& platform, const std::string& from, const std::string& to);

double route_latency(const Platform& platform, const std::string& from, const std::string& to);

}  // namespace rehearse::testing
