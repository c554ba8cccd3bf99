// SPDX-License-Identifier: MIT
//
// Writes explanations.
#include "app/cli/report/flow_explanation.hpp"

#include <algorithm>
#include <sstream>

#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

std::string number(double value, int digits = 6) {
  std::ostringstream text;
  text.precision(digits);
  text << value;
  return text.str();
}

std::string seconds(TimePoint date) { return number(date.seconds(), 10); }

std::string others(std::uint32_t flows) {
  if (flows <= 1) return "alone on it";
  return fmt::format("shared with {} other flow{}", flows - 1, flows == 2 ? "" : "s");
}

std::string reason(const Limit& limit, const Platform& platform) {
  const std::string what = "'" + limiting_resource(limit, platform) + "'";
  switch (limit.kind) {
    case LimitKind::latency: return "latency";
    case LimitKind::suspended: return "suspended";
    case LimitKind::waiting: return "waits: link " + what + " is at its limit of flows";
    case LimitKind::connection: return "waits for the transfer before it on its connection";
    case LimitKind::window: return "TCP window: at most " + number(limit.capacity) + " bytes/s at this latency";
    case LimitKind::rate: return "its own rate of " + number(limit.capacity) + " bytes/s";
    case LimitKind::link: return "link " + what + " of " + number(limit.capacity) + " bytes/s, " + others(limit.flows);
    case LimitKind::upload:
    case LimitKind::download:
      return std::string(name_of(limit.kind)) + " of host " + what + ", " + number(limit.capacity) + " bytes/s, " +
             others(limit.flows);
    case LimitKind::off: return what + " has no capacity now";
    default: return "nothing";
  }
}

std::string percent(double part) { return number(100 * part, 4) + " %"; }

// The changes of the model to the numbers of the platform, where they have an effect.
void explain_terms(std::ostream& out, const TransferTerms& terms, const Platform& platform) {
  if (terms.latency_seconds > 0 && terms.latency_factor != 1)
    out << "  the delay is the latency of the route, " << number(terms.latency_seconds) << " s, times "
        << number(terms.latency_factor) << " (--latency-factor)\n";
  if (terms.stored_seconds > 0)
    out << "  links that store and forward a frame add " << number(terms.stored_seconds)
        << " s to the delay (--store-and-forward)\n";
  if (terms.bandwidth_factor != 1)
    out << "  payload is " << percent(terms.bandwidth_factor) << " of the bytes on the links (--bandwidth-factor)\n";
  if (terms.cross_traffic <= 0) return;
  std::string both;
  for (const LinkId link : terms.links)
    if (std::ranges::find(terms.reverse, link) != terms.reverse.end())
      both += (both.empty() ? "'" : ", '") + platform.link(link).name + "'";
  out << "  each byte causes " << percent(terms.cross_traffic) << " of acknowledgements (--no-crosstraffic)";
  if (!both.empty())
    out << ", here over the same links: " << both << " carry " << number(1 + terms.cross_traffic)
        << " bytes for each byte";
  out << '\n';
}

}  // namespace

std::string_view name_of(LimitKind kind) {
  switch (kind) {
    case LimitKind::nothing: return "nothing";
    case LimitKind::latency: return "latency";
    case LimitKind::suspended: return "suspended";
    case LimitKind::waiting: return "waiting";
    case LimitKind::connection: return "connection";
    case LimitKind::window: return "window";
    case LimitKind::rate: return "rate";
    case LimitKind::link: return "link";
    case LimitKind::core: return "core";
    case LimitKind::host: return "host";
    case LimitKind::disk: return "disk";
    case LimitKind::upload: return "upload";
    case LimitKind::download: return "download";
    case LimitKind::off: return "off";
  }
  return "";
}

std::string limiting_resource(const Limit& limit, const Platform& platform) {
  switch (limit.kind) {
    case LimitKind::link:
    case LimitKind::waiting:
    case LimitKind::off: return platform.link(limit.link).name;
    case LimitKind::core:
    case LimitKind::host:
    case LimitKind::upload:
    case LimitKind::download: return platform.host(limit.host).name;
    case LimitKind::disk: return platform.disk(limit.disk).name;
    default: return "";
  }
}

std::string end_of(const app::FlowEnd& end, int digits) {
  switch (end.status) {
    case app::FlowStatus::done: return "to " + number(end.seconds, digits) + " s";
    case app::FlowStatus::failed: return "failed at " + number(end.seconds, digits) + " s";
    case app::FlowStatus::unfinished: break;
  }
  return "not finished";
}

void explain(std::ostream& out, const app::Flow& flow, const app::FlowEnd& end, const Platform& platform) {
  out << platform.host(flow.source).name << " -> " << platform.host(flow.destination).name << ": "
      << number(flow.bytes, 12) << " bytes from " << number(flow.start_seconds, 10) << " s " << end_of(end, 10) << '\n';
  for (const app::LimitedTime& time : end.limits) {
    out << "  " << seconds(time.from) << " .. " << seconds(time.to) << " s: " << reason(time.limit, platform);
    if (time.rate > 0) out << "; it gets " << number(time.rate) << " bytes/s of payload";
    out << '\n';
  }
  if (end.status == app::FlowStatus::failed) out << "  a link or host on its route is off\n";
  explain_terms(out, end.terms, platform);
}

}  // namespace rehearse::cli
