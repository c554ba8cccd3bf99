// SPDX-License-Identifier: MIT
//
// Platforms from texts, and their routes as texts.
#pragma once

#include <string>

#include "simcore/platform.hpp"

namespace rehearse::testing {

// From what stands between <platform> and </platform>. A mistake fails the test.
Platform platform_with(const std::string& elements, RoutesOf routes = RoutesOf::the_documentation);

// The same inside of one zone of this kind, with the name z.
Platform zone_platform(const std::string& routing, const std::string& elements);

// What is wrong with the whole text, without the name of the file; "nothing".
std::string mistake_in(const std::string& text);

// The names of the links, with blanks between them; "none" where there is no route.
std::string route_text(const Platform& platform, const std::string& from, const std::string& to);

double route_latency(const Platform& platform, const std::string& from, const std::string& to);

}  // namespace rehearse::testing
