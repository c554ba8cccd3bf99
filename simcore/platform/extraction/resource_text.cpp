// SPDX-License-Identifier: MIT
//
// Writes resources with all that the format has for them.
#include "simcore/platform/extraction/resource_text.hpp"

#include <map>

#include "simcore/platform/generator/number_text.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::platform {

namespace {

constexpr std::string_view up_ending = "_UP", down_ending = "_DOWN";

std::string law_text(const ProfileLaw& law) {
  switch (law.kind) {
    case ProfileLaw::Kind::constant: return "DET " + number_text(law.first);
    case ProfileLaw::Kind::normal: return "NORM " + number_text(law.first) + " " + number_text(law.second);
    case ProfileLaw::Kind::uniform: return "UNIF " + number_text(law.first) + " " + number_text(law.second);
    case ProfileLaw::Kind::exponential: break;
  }
  return "EXP " + number_text(law.first);
}

// One trace for each profile, however many elements use it.
class TraceTexts {
 public:
  void add(const Profile* profile, const char* kind, const std::string& element) {
    if (profile == nullptr) return;
    const auto [at, is_new] = numbers_.emplace(profile, numbers_.size());
    const std::string name = fmt::format("trace-{}", at->second);
    if (is_new)
      traces_ += fmt::format("  <trace id=\"{}\" periodicity=\"0\">\n{}  </trace>\n", name, profile_text(*profile));
    connections_ +=
        fmt::format("  <trace_connect kind=\"{}\" trace=\"{}\" element=\"{}\"/>\n", kind, name, xml_text(element));
  }
  std::string text() const { return traces_ + connections_; }

 private:
  std::map<const Profile*, std::size_t> numbers_;  // order of addresses has no effect: only looked up
  std::string traces_, connections_;
};

}  // namespace

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') escaped += "&lt;";
    else if (c == '>') escaped += "&gt;";
    else if (c == '&') escaped += "&amp;";
    else if (c == '"') escaped += "&quot;";
    else if (c == '\n' || c == '\t' || c == '\r') escaped += fmt::format("&#{};", static_cast<int>(c));
    else escaped += c;
  }
  return escaped;
}

std::string profile_text(const Profile& profile) {
  std::string text;
  if (profile.is_stochastic()) text += profile.repeats() ? "STOCHASTIC LOOP\n" : "STOCHASTIC\n";
  for (const ProfileStep& step : profile.steps()) text += law_text(step.delay) + " " + law_text(step.value) + "\n";
  if (profile.is_stochastic()) return text;
  if (profile.period() > 0) text += "PERIODICITY " + number_text(profile.period()) + "\n";
  for (const ProfilePoint& point : profile.points())
    text += number_text(point.date) + " " + number_text(point.value) + "\n";
  return text;
}

std::string properties_text(const Properties* properties) {
  std::string text;
  if (properties == nullptr) return text;
  for (const auto& [key, value] : *properties)
    text += fmt::format("<prop id=\"{}\" value=\"{}\"/>", xml_text(key), xml_text(value));
  return text;
}

std::string speed_attributes(const Platform& platform, HostId host) {
  std::string speeds;
  for (const double speed : platform.speeds(host)) speeds += (speeds.empty() ? "" : ",") + number_text(speed) + "f";
  std::string text = fmt::format("speed=\"{}\" core=\"{}\"", speeds, platform.host(host).cores);
  if (platform.initial_pstate(host) > 0) text += fmt::format(" pstate=\"{}\"", platform.initial_pstate(host));
  return text;
}

ResourceText::ResourceText(const Platform& platform, std::span<const LinkId> links) : platform_(platform) {
  for (std::uint32_t i = 0; i < platform.links().size(); ++i) opposites_.push_back({i});
  for (const LinkId id : links) {
    if (opposites_[id.value] != id) {  // the second one of a pair
      continue;
    }
    links_.push_back(id);
    const std::string& name = platform.link(id).name;
    const bool is_up = name.ends_with(up_ending);
    if (!is_up && !name.ends_with(down_ending)) continue;
    const std::string base = name.substr(0, name.size() - (is_up ? up_ending : down_ending).size());
    const auto other = platform.find_link(base + std::string(is_up ? down_ending : up_ending));
    if (base.empty() || !other || platform.find_link(base) || has_extras(id) || has_extras(*other)) continue;
    const Link &one = platform.link(id), &two = platform.link(*other);
    if (one.sharing != LinkSharing::shared || two.sharing != LinkSharing::shared ||
        one.bytes_per_second != two.bytes_per_second || one.latency_seconds != two.latency_seconds)
      continue;
    opposites_[id.value] = *other;
    opposites_[other->value] = id;
  }
}

bool ResourceText::has_extras(LinkId link) const {
  return platform_.properties(link) != nullptr || platform_.bandwidth_profile(link) != nullptr ||
         platform_.latency_profile(link) != nullptr || platform_.state_profile(link) != nullptr;
}

LinkId ResourceText::opposite(LinkId link) const { return opposites_[link.value]; }

std::string ResourceText::host(HostId id, const std::string& more) const {
  std::string inside;
  for (const DiskId number : platform_.disks_of(id)) {
    const Disk& disk = platform_.disk(number);
    inside += fmt::format("<disk id=\"{}\" read_bw=\"{}Bps\" write_bw=\"{}Bps\">{}</disk>", xml_text(disk.name),
                          number_text(disk.read_bytes_per_second), number_text(disk.write_bytes_per_second),
                          properties_text(platform_.properties(number)));
  }
  inside += properties_text(platform_.properties(id));
  const std::string start = fmt::format("<host id=\"{}\" {}{}", xml_text(platform_.host(id).name),
                                        speed_attributes(platform_, id), more.empty() ? "" : " " + more);
  return inside.empty() ? start + "/>" : start + ">" + inside + "</host>";
}

std::string ResourceText::link(LinkId id) const {
  const Link& link = platform_.link(id);
  std::string_view name = link.name;
  const bool is_pair = opposite(id) != id;
  if (is_pair) name.remove_suffix((name.ends_with(up_ending) ? up_ending : down_ending).size());
  const char* policy = is_pair ? "SPLITDUPLEX" : link.sharing == LinkSharing::fatpipe ? "FATPIPE" : "SHARED";
  return fmt::format("<link id=\"{}\" bandwidth=\"{}Bps\" latency=\"{}s\" sharing_policy=\"{}\">{}</link>",
                     xml_text(name), number_text(link.bytes_per_second), number_text(link.latency_seconds), policy,
                     properties_text(platform_.properties(id)));
}

std::string ResourceText::links() const {
  std::string text;
  for (const LinkId id : links_) text += "    " + link(id) + "\n";
  return text;
}

std::string ResourceText::use(LinkId id) const {
  const std::string& name = platform_.link(id).name;
  if (opposite(id) == id) return "<link_ctn id=\"" + xml_text(name) + "\"/>";
  const bool is_up = name.ends_with(up_ending);
  const std::string base = name.substr(0, name.size() - (is_up ? up_ending : down_ending).size());
  return fmt::format("<link_ctn id=\"{}\" direction=\"{}\"/>", xml_text(base), is_up ? "UP" : "DOWN");
}

std::string ResourceText::traces(std::span<const HostId> hosts) const {
  TraceTexts traces;
  for (const HostId id : hosts) {
    const std::string& name = platform_.host(id).name;
    traces.add(platform_.speed_profile(id), "SPEED", name);
    traces.add(platform_.state_profile(id), "HOST_AVAIL", name);
  }
  for (const LinkId id : links_) {
    const std::string& name = platform_.link(id).name;
    traces.add(platform_.bandwidth_profile(id), "BANDWIDTH", name);
    traces.add(platform_.latency_profile(id), "LATENCY", name);
    traces.add(platform_.state_profile(id), "LINK_AVAIL", name);
  }
  return traces.text();
}

}  // namespace rehearse::platform
