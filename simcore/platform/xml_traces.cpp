// SPDX-License-Identifier: MIT
//
// Platform files: traces of speeds, bandwidths, latencies and failures, inline or from files.
#include <filesystem>

#include "simcore/platform/xml_loader.hpp"

namespace rehearse::platform {

namespace {

// Names are relative to the platform file if such a file exists, otherwise to the working folder.
std::string place_of(const std::string& name, const std::string& platform_file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path beside = fs::path(platform_file).parent_path() / name;
  return fs::exists(beside, ignored) || !fs::exists(name, ignored) ? beside.string() : name;
}

}  // namespace

// Null if the attribute is absent or wrong.
SharedProfile XmlLoader::read_profile_file(const Element& element, const char* attribute) {
  if (!element.has(attribute) || failed()) return nullptr;
  const std::string name = element.required(attribute);
  if (name.empty()) return nullptr;  // the default of the format
  SharedProfile& known = profile_files_[name];
  if (known) return known;
  auto profile = read_profile(place_of(name, file_), 0);
  if (!profile) {
    element.refuse("attribute '" + std::string(attribute) + "': " + profile.error().text);
    return nullptr;
  }
  known = std::make_shared<const Profile>(std::move(profile.value()));
  return known;
}

void XmlLoader::read_trace(const Element& element) {
  element.check_attributes({"id", "file", "periodicity"});
  const std::string name = element.required("id");
  const double periodicity = element.real("periodicity", 0);
  (void)element.required("periodicity");
  const std::string file = element.optional("file", "");
  if (!failed() && traces_.contains(name)) element.refuse("'" + name + "' is already the name of a trace");
  if (failed()) return;
  const TextPlace inside = element.text();
  auto profile = file.empty() ? parse_profile(inside.text, file_, inside.line, periodicity)
                              : read_profile(place_of(file, file_), periodicity);
  if (!profile) return element.refuse("trace '" + name + "': " + profile.error().text);
  traces_[name] = std::make_shared<const Profile>(std::move(profile.value()));
}

void XmlLoader::connect_traces() {
  for (const Element& element : connections_) {
    if (failed()) return;
    connect_trace(element);
  }
}

void XmlLoader::connect_trace(const Element& element) {
  element.check_attributes({"kind", "trace", "element"});
  const std::size_t kind =
      element.choice("kind", {"SPEED", "HOST_AVAIL", "LINK_AVAIL", "BANDWIDTH", "LATENCY"}, "SPEED");
  const std::string name = element.required("trace");
  const std::string target = element.required("element");
  const auto trace = traces_.find(name);
  if (!failed() && trace == traces_.end()) element.refuse("trace '" + name + "' is not described");
  if (failed()) return;
  if (kind < 2) {
    const auto host = builder_.find_point(target);
    if (!host || !builder_.is_host(*host))
      return element.refuse("'" + target +
                            "' is not a host; of links accepted: kind LINK_AVAIL, "
                            "BANDWIDTH, LATENCY");
    if (kind == 0) builder_.set_speed_profile(*host, trace->second);
    else builder_.set_state_profile(*host, trace->second);
    return accept(element);
  }
  const auto link = builder_.find_link(target);
  if (!link)
    return element.refuse("'" + target +
                          "' is not a link; of hosts accepted: kind SPEED, "
                          "HOST_AVAIL");
  if (kind == 2) builder_.set_state_profile(*link, trace->second);
  if (kind == 3) builder_.set_bandwidth_profile(*link, trace->second);
  if (kind == 4) builder_.set_latency_profile(*link, trace->second);
  accept(element);
}

}  // namespace rehearse::platform
