// SPDX-License-Identifier: MIT
//
// See platform_links.hpp.
#include "simcore/packet/platform_links.hpp"

#include <regex>

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

LossRule rule_of(const PacketLoss& loss) { return {loss.probability, 0, loss.window}; }

Result<void> add_to_links(const PacketLoss& loss, const Platform& platform, PlatformLinks& links) {
  const std::regex chosen(loss.links);
  links.own.resize(platform.links().size());
  bool has_matched = false;
  for (std::uint32_t i = 0; i < platform.links().size(); ++i) {
    if (!std::regex_search(platform.links()[i].name, chosen)) continue;
    links.own[i].rules.push_back(rule_of(loss));
    has_matched = true;
  }
  if (has_matched) return {};
  return Error{fmt::format("no link of platform {} matches; accepted: an expression for links such as '{}'",
                           platform.name(), platform.links().empty() ? "" : platform.links().front().name)};
}

// Names of hosts can have dashes, too.
Result<void> add_pair(const PacketLoss& loss, const Platform& platform, PlatformLinks& links) {
  const std::string_view text = loss.hosts;
  std::optional<PairRule> found;
  for (std::size_t dash = text.find('-'); dash != std::string_view::npos; dash = text.find('-', dash + 1)) {
    const auto source = platform.find_host(text.substr(0, dash)),
               destination = platform.find_host(text.substr(dash + 1));
    if (!source || !destination) continue;
    if (found) return Error{"several pairs of hosts have these names; accepted: links:REGEX"};
    found = {*source, *destination, rule_of(loss)};
  }
  if (!found)
    return Error{fmt::format("'{}' is no pair of hosts of platform {}; accepted: HOST-HOST with hosts such as '{}', or "
                             "links:REGEX",
                             text, platform.name(), platform.hosts().front().name)};
  if (found->source == found->destination)
    return Error{"both hosts are the same; accepted: different hosts, because no packets cross a link inside a host"};
  links.pairs.push_back(*found);
  return {};
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

Result<void> add_losses(std::span<const PacketLoss> losses, const Platform& platform, PlatformLinks& links) {
  for (const PacketLoss& loss : losses) {
    const auto added = loss.links.empty() ? add_pair(loss, platform, links) : add_to_links(loss, platform, links);
    if (!added) return Error{fmt::format("'{}': {}", loss.text, added.error().text)};
  }
  return {};
}

}  // namespace rehearse::packet
