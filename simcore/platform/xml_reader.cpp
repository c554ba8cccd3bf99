// SPDX-License-Identifier: MIT
//
// Reads XML elements with their places, from the byte offsets of pugixml.
#include "simcore/platform/xml_reader.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "simcore/platform/built_in.hpp"
#include "simcore/platform/units.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::platform {

namespace {

std::string joined(std::initializer_list<std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

XmlDocument::XmlDocument(std::string file) : file_(std::move(file)) {
  std::optional<std::string> text = read_file(file_);
  if (!text) {
    mistake_ = Error{"platform '" + file_ + "': no such readable file, and not a built-in platform (" +
                     std::string(built_in_names()) + ")"};
    return;
  }
  text_ = std::move(*text);
  parse();
}

XmlDocument::XmlDocument(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
  parse();
}

void XmlDocument::parse() {
  const pugi::xml_parse_result result =
      tree_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result)
    mistake_ =
        Error{fmt::format("{}:{}: not well-formed XML: {}", file_, line_of(result.offset), result.description())};
}

int XmlDocument::line_of(std::ptrdiff_t offset) const {
  if (line_ends_.empty())
    for (std::size_t i = 0; i <= text_.size(); ++i)
      if (i == text_.size() || text_[i] == '\n') line_ends_.push_back(i);
  const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0));
  const auto line = std::lower_bound(line_ends_.begin(), line_ends_.end(), at);
  return 1 + static_cast<int>(std::min(line, line_ends_.end() - 1) - line_ends_.begin());
}

void XmlDocument::refuse(pugi::xml_node where, const std::string& what) {
  if (mistake_) return;
  mistake_ = Error{fmt::format("{}:{}: {}", file_, line_of(where.offset_debug()), what)};
}

std::vector<Element> Element::children() const {
  std::vector<Element> elements;
  for (const pugi::xml_node node : node_.children())
    if (node.type() == pugi::node_element) elements.emplace_back(*document_, node);
  return elements;
}

TextPlace Element::text() const {
  for (const pugi::xml_node node : node_.children())
    if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata)
      return {node.value(), document_->line_of(node)};
  return {"", document_->line_of(node_)};
}

void Element::check_attributes(std::initializer_list<std::string_view> accepted) const {
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    const std::string_view name = attribute.name();
    if (std::find(accepted.begin(), accepted.end(), name) != accepted.end()) continue;
    refuse("attribute '" + std::string(name) + "' of <" + std::string(tag()) +
           "> does not exist; accepted: " + joined(accepted));
  }
}

void Element::check_version() const {
  check_attributes({"version"});
  const std::string version = required("version");
  if (version != "4" && version != "4.0" && version != "4.1")
    refuse("platform version '" + version + "' is not supported; accepted: 4.0, 4.1");
}

std::string Element::required(const char* name) const {
  if (!has(name)) refuse("<" + std::string(tag()) + "> needs the attribute '" + std::string(name) + "'");
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
  // The format's default for pstate is "0.0".
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (code != std::errc() || (!rest.empty() && rest != ".0"))
    refuse("attribute '" + std::string(name) + "' is '" + text + "', not a whole number of at least 0");
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

double Element::real(const char* name, double otherwise) const {
  if (!has(name)) return otherwise;
  const std::string text = node_.attribute(name).value();
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  return unwrap(parse_seconds(text), name);
}

double Element::bytes_per_second(const char* name) const {
  const double value = unwrap(parse_bytes_per_second(required(name)), name);
  if (value > 0) return value;
  refuse("attribute '" + std::string(name) + "': a bandwidth must be greater than 0");
  return 1;
}

double Element::rate_or_nothing(const char* name) const {
  return has(name) ? unwrap(parse_bytes_per_second(required(name)), name) : 0;
}

std::vector<double> Element::rates(const char* name) const {
  std::vector<double> values;
  const std::string text = required(name);
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(",;", start), text.size());
    values.push_back(unwrap(parse_bytes_per_second(text.substr(start, end - start)), name));
    start = end + 1;
  }
  return values;
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
