// SPDX-License-Identifier: MIT
//
// An XML element with its place: attributes by name. Each error names file and line.
//
// Errors: the document records the first mistake. Readers then continue with a default value, and the loader stops at
//         the next element.
#pragma once

#include <initializer_list>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::platform {

// A file's text and its parsed form.
class XmlDocument {
 public:
  explicit XmlDocument(std::string file);
  XmlDocument(std::string file, std::string text);

  pugi::xml_node root() const { return tree_; }
  const std::optional<Error>& mistake() const { return mistake_; }
  // Records only the first mistake.
  void refuse(pugi::xml_node where, const std::string& what);
  int line_of(pugi::xml_node node) const { return line_of(node.offset_debug()); }

 private:
  int line_of(std::ptrdiff_t offset) const;
  void parse();

  std::string file_;
  std::string text_;
  mutable std::vector<std::size_t> line_ends_;  // computed on demand
  pugi::xml_document tree_;
  std::optional<Error> mistake_;
};

struct TextPlace {
  std::string text;
  int line = 0;  // of its first character
};

class Element {
 public:
  Element(XmlDocument& document, pugi::xml_node node) : document_(&document), node_(node) {}

  std::string_view tag() const { return node_.name(); }
  pugi::xml_node node() const { return node_; }
  bool has(const char* name) const { return !node_.attribute(name).empty(); }
  void refuse(const std::string& what) const { document_->refuse(node_, what); }
  std::vector<Element> children() const;  // only elements
  TextPlace text() const;                 // the text directly in the element

  // Refuses every attribute that is not in the list.
  void check_attributes(std::initializer_list<std::string_view> accepted) const;
  // For <platform>: accepts the version and no other attribute.
  void check_version() const;

  std::string required(const char* name) const;
  std::string optional(const char* name, const char* otherwise) const;
  std::uint32_t number(const char* name, std::uint32_t otherwise) const;
  double seconds(const char* name, const char* otherwise) const;
  double real(const char* name, double otherwise) const;  // without unit, or in seconds with one
  double bytes_per_second(const char* name) const;
  double rate_or_nothing(const char* name) const;     // 0 if it is absent or 0
  std::vector<double> rates(const char* name) const;  // separated by , or ;

  // The index of the attribute's value (any case) among the choices.
  std::size_t choice(const char* name, std::initializer_list<std::string_view> choices,
                     std::string_view otherwise) const;

 private:
  double unwrap(Result<double> value, const char* name) const;

  XmlDocument* document_;
  pugi::xml_node node_;
};

}  // namespace rehearse::platform
