// SPDX-License-Identifier: MIT
//
// Platforms from texts, and their routes as texts.
#include "tests/support/platform_texts.hpp"

#include <catch2/catch.hpp>

#include "tests/support/temporary_file.hpp"

namespace rehearse::testing {

Platform platform_with(const std::string& elements, RoutesOf routes) {
  const TemporaryFile file("<platform version=\"4.1\">\n" + elements + "\n</platform>\n");
  auto platform = make_platform(file.path(), routes);
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

Platform zone_platform(const std::string& routing, const std::string& elements) {
  return platform_with("<zone id='z' routing='" + routing + "'>" + elements + "</zone>");
}

std::string mistake_in(const std::string& text) {
  const TemporaryFile file(text);
  const auto platform = make_platform(file.path());
  if (platform) return "nothing";
  const std::string& error = platform.error().text;
  CHECK(error.find('\n') == std::string::npos);
  REQUIRE(error.starts_with(file.path()));
  return error.substr(file.path().size());
}

std::string route_text(const Platform& platform, const std::string& from, const std::string& to) {
  const auto source = platform.find_host(from), destination = platform.find_host(to);
  if (!source || !destination) FAIL("no host " << from << " or " << to);
  const auto route = platform.find_route(*source, *destination);
  if (!route) return "none";
  std::string text;
  for (const LinkId link : route->links) text += (text.empty() ? "" : " ") + platform.link(link).name;
  return text;
}

double route_latency(const Platform& platform, const std::string& from, const std::string& to) {
  return platform.find_route(platform.find_host(from).value(), platform.find_host(to).value()).value().latency_seconds;
}

}  // namespace rehearse::testing
