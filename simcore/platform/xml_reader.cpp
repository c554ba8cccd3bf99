// SPDX-License-Identifier: MIT
//
// XML elements with their places: pugixml's byte offsets turned into lines.
#include "simcore/platform/xml_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cctype>
#include <fstream>
#include <sstream>

#include "simcore/platform/units.hpp"

namespace rehearse::platform {

namespace {

std::string joined(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

XmlDocument::XmlDocument(std::string file) : file_(std::move(file)) {
  std::ifstream in(file_, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (!in || !bytes) {
    mistake_ = Error{"platform '" + file_ +
                     "': no such file that can be read, and not a built-in platform (laptop, "
                     "cluster:N)"};
    return;
  }
  text_ = bytes.str();
  const pugi::xml_parse_result result =
      tree_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result)
    mistake_ = Error{file_ + ":" + std::to_string(line_of(result.offset)) +
                     ": not well-formed XML: " + result.description()};
}

int XmlDocument::line_of(std::ptrdiff_t offset) const {
  const auto end = text_.begin() + std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_));
  return 1 + static_cast<int>(std::count(text_.begin(), end, '\n'));
}

void XmlDocument::refuse(pugi::xml_node where, const std::string& what) {
  if (mistake_) return;
  mistake_ = Error{file_ + ":" + std::to_string(line_of(where.offset_debug())) + ": " + what};
}

void Element::check_attributes(std::initializer_list<std::string_view> accepted,
                               std::initializer_list<std::string_view> unsupported) const {
  const auto in = [](std::initializer_list<std::string_view> list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    const std::string_view name = attribute.name();
    if (in(accepted, name)) continue;
    const char* why = in(unsupported, name) ? "is not supported" : "does not exist";
    refuse("attribute '" + std::string(name) + "' of <" + std::string(tag()) + "> " + why +
           "; accepted: " + joined(accepted));
  }
}

std::string Element::required(const char* name) const {
  if (!has(name))
    refuse("<" + std::string(tag()) + "> needs the attribute '" + std::string(name) + "'");
  return node_.attribute(name).value();
}

std::string Element::optional(const char* name, const char* otherwise) const {
  return has(name) ? node_.attribute(name).value() : otherwise;
}

std::uint32_t Element::number(const char* name, std::uint32_t otherwise) const {
  if (!has(name)) return otherwise;
  const std::string text = node_.attribute(name).value();
  std::uint32_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  // The format's own default for pstate is written "0.0".
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (code != std::errc() || (!rest.empty() && rest != ".0"))
    refuse("attribute '" + std::string(name) + "' is '" + text + "', not a whole number");
  return value;
}

double Element::unwrap(Result<double> value, const char* name) const {
  if (value) return value.value();
  refuse("attribute '" + std::string(name) + "': " + value.error().text);
  return 1;
}

double Element::seconds(const char* name, const char* otherwise) const {
  return unwrap(parse_seconds(optional(name, otherwise)), name);
}

double Element::bytes_per_second(const char* name) const {
  const double value = unwrap(parse_bytes_per_second(required(name)), name);
  if (value > 0) return value;
  refuse("attribute '" + std::string(name) + "': a bandwidth must be greater than 0");
  return 1;
}

std::size_t Element::choice(const char* name, std::initializer_list<std::string_view> choices,
                            std::string_view otherwise) const {
  const std::string text = has(name) ? node_.attribute(name).value() : std::string(otherwise);
  std::size_t index = 0;
  for (const std::string_view choice : choices) {
    if (equal_in_any_case(choice, text)) return index;
    ++index;
  }
  refuse(std::string(name) + "=\"" + text + "\" of <" + std::string(tag()) +
         "> is not supported; accepted: " + joined(choices));
  return 0;
}

}  // namespace rehearse::platform
