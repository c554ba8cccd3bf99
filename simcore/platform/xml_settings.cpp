// SPDX-License-Identifier: MIT
//
// Adds settings to the text of a platform file, and keeps the rest; and the settings alone.
#include <pugixml.hpp>
#include <sstream>

#include "simcore/platform_text.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse {

namespace {

// The mistake, or nothing.
std::optional<Error> read_document(const std::string& file, pugi::xml_document& document) {
  const std::optional<std::string> text = read_file(file);
  if (!text) return Error{fmt::format("platform '{}': cannot read; accepted: a platform file (XML)", file)};
  const pugi::xml_parse_result parsed = document.load_buffer(text->data(), text->size(), pugi::parse_full);
  if (!parsed) return Error{fmt::format("{}: not well-formed XML: {}", file, parsed.description())};
  if (!document.child("platform")) return Error{fmt::format("{}: no <platform>; accepted: a platform file", file)};
  return std::nullopt;
}

}  // namespace

Result<std::string> config_text(const std::string& file) {
  pugi::xml_document document;
  if (const auto mistake = read_document(file, document)) return *mistake;
  std::ostringstream out;
  for (const pugi::xml_node config : document.child("platform").children("config"))
    config.print(out, "  ", pugi::format_default, pugi::encoding_utf8, 1);
  return out.str();
}

Result<std::string> text_with_settings(const std::string& file, const PlatformSettingTexts& settings) {
  pugi::xml_document document;
  if (const auto mistake = read_document(file, document)) return *mistake;
  pugi::xml_node platform = document.child("platform");
  pugi::xml_node config = platform.child("config");
  if (!config) {
    config = platform.prepend_child("config");
    config.append_attribute("id").set_value("General");
  }
  for (const auto& [key, value] : settings) {
    for (pugi::xml_node each = platform.child("config"); each; each = each.next_sibling("config"))
      while (pugi::xml_node old = each.find_child_by_attribute("prop", "id", key.c_str())) each.remove_child(old);
    pugi::xml_node prop = config.append_child("prop");
    prop.append_attribute("id").set_value(key.c_str());
    prop.append_attribute("value").set_value(value.c_str());
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace rehearse
