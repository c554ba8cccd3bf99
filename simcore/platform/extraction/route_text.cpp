// SPDX-License-Identifier: MIT
//
// Writes routes in the order of the plan.
#include "simcore/platform/extraction/route_text.hpp"

#include <algorithm>
#include <ranges>

#include "simcore/support/format.hpp"

namespace rehearse::platform {

RouteText::RouteText(const Platform& platform, const RoutePlan& plan, const ResourceText& resources,
                     std::span<const std::string> zones)
    : platform_(platform), plan_(plan), resources_(resources), zones_(zones), own_(plan.groups().size()) {
  plan.for_each_route([this](const RouteBetweenGroups& way) {
    take(way);
    return true;
  });
  write_waiting(false);
}

void RouteText::take(const RouteBetweenGroups& way) {
  if (is_reverse_of_waiting(way)) return write_waiting(true);
  write_waiting(false);
  if (way.from != way.to) {
    waiting_ = way;
    return;
  }
  const std::string name = xml_text(platform_.host(plan_.groups()[way.from].host).name);
  own_[way.from] = element("route", fmt::format("src=\"{0}\" dst=\"{0}\"", name), way.links, true);
}

bool RouteText::is_reverse_of_waiting(const RouteBetweenGroups& way) const {
  return waiting_ && waiting_->from == way.to && waiting_->to == way.from &&
         std::ranges::equal(waiting_->links, way.links | std::views::reverse,
                            [this](LinkId x, LinkId y) { return resources_.opposite(x) == y; });
}

void RouteText::write_waiting(bool is_symmetrical) {
  if (!waiting_) return;
  const std::string ends = end("src", waiting_->from) + " " + end("dst", waiting_->to);
  between_ += element(zones_.empty() ? "route" : "zoneRoute", ends, waiting_->links, is_symmetrical);
  waiting_.reset();
}

std::string RouteText::end(const char* which, std::size_t number) const {
  const HostGroup& group = plan_.groups()[number];
  if (group.is_zone())
    return fmt::format("{0}=\"{1}\" gw_{0}=\"{2}\"", which, xml_text(group.name()), xml_text(group.router()));
  const std::string host = xml_text(platform_.host(group.host).name);
  if (zones_.empty()) return fmt::format("{}=\"{}\"", which, host);
  return fmt::format("{0}=\"{1}\" gw_{0}=\"{2}\"", which, xml_text(zones_[number]), host);
}

std::string RouteText::element(const char* tag, const std::string& ends, std::span<const LinkId> links,
                               bool is_symmetrical) {
  ++count_;
  std::string text = fmt::format("    <{} {}{}>", tag, ends, is_symmetrical ? "" : " symmetrical=\"NO\"");
  for (const LinkId link : links) text += resources_.use(link);
  return text + "</" + tag + ">\n";
}

}  // namespace rehearse::platform
