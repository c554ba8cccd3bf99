// SPDX-License-Identifier: MIT
//
// See platform_links.hpp.
#include "simcore/packet/platform_links.hpp"

#include "simcore/support/format.hpp"

namespace rehearse::packet {
namespace {

std::optional<Error> check_link(const Platform& platform, LinkId link, std::string_view model) {
  const Link& checked = platform.link(link);
  const auto refuse = [&](const char* what, const char* accepted) {
    return Error{fmt::format("platform {}: link '{}' {}; network model {} accepts {}", platform.name(), checked.name,
                             what, model, accepted)};
  };
  if (checked.sharing == LinkSharing::wifi) return refuse("is WIFI", "SHARED, SPLITDUPLEX, FATPIPE");
  if (platform.concurrency_limit(link) > 0) return refuse("has a limit of concurrent flows", "links without one");
  return std::nullopt;
}

}  // namespace

Result<PlatformLinks> read_links(const Platform& platform, const Parameters& parameters, std::string_view model) {
  PlatformLinks links;
  for (std::uint32_t i = 0; i < platform.links().size(); ++i) {
    const LinkId link{i};
    if (const auto error = check_link(platform, link, model)) return *error;
    links.has_profiles |= platform.bandwidth_profile(link) != nullptr || platform.latency_profile(link) != nullptr;
    const Properties* properties = platform.properties(link);
    if (properties == nullptr || !properties->contains("packet")) continue;
    auto parsed = parse_link_parameters(properties->at("packet"), parameters);
    if (!parsed)
      return Error{fmt::format("platform {}: link '{}': property packet: {}", platform.name(), platform.link(link).name,
                               parsed.error().text)};
    links.own.resize(platform.links().size());
    links.own[i] = parsed.value();
  }
  return links;
}

}  // namespace rehearse::packet
