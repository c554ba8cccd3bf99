// SPDX-License-Identifier: MIT
//
// One XML element with its place: attributes by name, each error naming file and line.
//
// Errors: the first mistake met is kept in the document; readers go on with a default value and the
//         loader stops at the next element.
#pragma once

#include <initializer_list>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "simcore/support/result.hpp"

namespace rehearse::platform {

// A file's text and its parsed form.
class XmlDocument {
 public:
  explicit XmlDocument(std::string file);

  pugi::xml_node root() const { return tree_; }
  const std::optional<Error>& mistake() const { return mistake_; }
  // Remembers the first mistake only.
  void refuse(pugi::xml_node where, const std::string& what);

 private:
  int line_of(std::ptrdiff_t offset) const;

  std::string file_;
  std::string text_;
  pugi::xml_document tree_;
  std::optional<Error> mistake_;
};

class Element {
 public:
  Element(XmlDocument& document, pugi::xml_node node) : document_(document), node_(node) {}

  std::string_view tag() const { return node_.name(); }
  pugi::xml_node node() const { return node_; }
  bool has(const char* name) const { return !node_.attribute(name).empty(); }
  void refuse(const std::string& what) const { document_.refuse(node_, what); }

  // Refuses every attribute that is not in one of the lists, saying which kind it is.
  void check_attributes(std::initializer_list<std::string_view> accepted,
                        std::initializer_list<std::string_view> unsupported = {}) const;

  std::string required(const char* name) const;
  std::string optional(const char* name, const char* otherwise) const;
  std::uint32_t number(const char* name, std::uint32_t otherwise) const;
  double seconds(const char* name, const char* otherwise) const;
  double bytes_per_second(const char* name) const;

  // The index of the attribute's value (any case) among the choices.
  std::size_t choice(const char* name, std::initializer_list<std::string_view> choices,
                     std::string_view otherwise) const;

 private:
  double unwrap(Result<double> value, const char* name) const;

  XmlDocument& document_;
  pugi::xml_node node_;
};

}  // namespace rehearse::platform
