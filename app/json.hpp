// SPDX-License-Identifier: MIT
//
// A JSON document as a value: null, a truth value, a number, a text, an array, or an object whose keys stay in
// the order of their addition. The JSON library writes and reads it in json.cpp alone, because its headers cost more to
// compile than most sources that need a document.
//
// A braced list makes an object if each of its elements is a pair that begins with a text, and an array otherwise.
//
// Errors: JsonError, with the texts of the JSON library, if a value is of another kind than its reader expects.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::app {

struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Json;

// The types that a document converts to.
template <class T>
struct IsJsonReadable : std::bool_constant<std::is_arithmetic_v<T> && !std::is_same_v<T, char>> {};
template <>
struct IsJsonReadable<std::string> : std::true_type {};
template <class T>
struct IsJsonReadable<std::vector<T>> : IsJsonReadable<T> {};

// An array, a vector and the like, but no text.
template <class T>
concept JsonRange = requires(const T& range) {
  typename T::value_type;
  range.begin() != range.end();
}
&&!std::is_convertible_v<const T&, std::string> && !std::is_convertible_v<const T&, std::string_view> &&
    std::constructible_from<Json, const typename T::value_type&>;

class Json {
 public:
  class Item;  // of a braced list
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;

  Json() noexcept;
  Json(std::nullptr_t) noexcept;
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  template <class T>
  requires std::is_arithmetic_v<T> Json(T value) {
    if constexpr (std::is_same_v<T, bool>) value_ = value;
    else if constexpr (std::is_floating_point_v<T>) value_ = static_cast<double>(value);
    else if constexpr (std::is_signed_v<T>) value_ = static_cast<std::int64_t>(value);
    else value_ = static_cast<std::uint64_t>(value);
  }
  template <class First, class Second>
  Json(const std::pair<First, Second>& pair) : Json(array()) {
    push_back(Json(pair.first));
    push_back(Json(pair.second));
  }
  template <JsonRange T>
  Json(const T& range) : Json(array()) {
    for (const auto& each : range) push_back(Json(each));
  }
  Json(std::initializer_list<Item> items);
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  static Json array();
  static Json array(std::initializer_list<Item> items);
  static Json object(std::size_t expected_members = 0);

  bool is_null() const;
  bool is_boolean() const;
  bool is_number() const;
  bool is_number_unsigned() const;
  bool is_string() const;
  bool is_array() const;
  bool is_object() const;

  // The number of elements of an array or object; 0 for null, 1 for other values.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  // The values of an array or an object; a value of another kind is its own only element.
  template <class Owner>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Json;
    using difference_type = std::ptrdiff_t;
    using pointer = Owner*;
    using reference = Owner&;

    Iterator() = default;
    Iterator(Owner& owner, std::size_t index) : owner_(&owner), index_(index) {}
    Owner& operator*() const { return owner_->element(index_); }
    Owner* operator->() const { return &**this; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++index_;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    Owner* owner_ = nullptr;
    std::size_t index_ = 0;
  };
  auto begin() { return Iterator<Json>(*this, 0); }
  auto end() { return Iterator<Json>(*this, size()); }
  auto begin() const { return Iterator<const Json>(*this, 0); }
  auto end() const { return Iterator<const Json>(*this, size()); }

  // Null becomes an array, or an object.
  void push_back(Json value);
  void push_back(std::initializer_list<Item> items);
  Json& emplace_back(Json value);
  Json& back() { return element(size() - 1); }
  Json& operator[](std::string_view key);
  const Json& operator[](std::string_view key) const { return at(key); }
  const Json& operator[](std::size_t index) const { return element(index); }

  const Json& at(std::string_view key) const;
  const Json* find(std::string_view key) const;  // null: there is no such key, or this is not an object
  bool contains(std::string_view key) const { return find(key) != nullptr; }
  const Object& members() const;  // of an object
  // The value of this key of an object, or `otherwise`.
  template <class T>
  T value(std::string_view key, T otherwise) const {
    (void)members();
    const Json* found = find(key);
    return found == nullptr ? otherwise : found->get<T>();
  }

  template <class T>
  requires IsJsonReadable<T>::value T get()
  const {
    if constexpr (std::is_same_v<T, bool>) {
      return as_boolean();
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(as_number());
    } else if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(as_signed());
    } else if constexpr (std::is_unsigned_v<T>) {
      return static_cast<T>(as_unsigned());
    } else if constexpr (std::is_same_v<T, std::string>) {
      return as_text();
    } else {
      T all;
      for (const Json& each : as_array()) all.push_back(each.get<typename T::value_type>());
      return all;
    }
  }
  template <class T>
  requires IsJsonReadable<T>::value operator T() const { return get<T>(); }

  // Numbers are equal whatever their kind; keys must be in the same order.
  friend bool operator==(const Json& left, const Json& right);

  // On one line, or with this many blanks for each level. Bytes that are not UTF-8 become U+FFFD.
  std::string dump(int indent = -1) const;
  // The same text, in pieces: a large document is not in memory twice.
  void write(std::ostream& out, int indent = -1) const;

 private:
  bool as_boolean() const;
  double as_number() const;
  std::int64_t as_signed() const;
  std::uint64_t as_unsigned() const;
  const std::string& as_text() const;
  const Array& as_array() const;
  Json& element(std::size_t index);
  const Json& element(std::size_t index) const;
  const char* kind() const;
  class Text;
  void write(Text& text, int indent, std::size_t depth) const;

  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::unique_ptr<std::string>,
               std::unique_ptr<Array>, std::unique_ptr<Object>>
      value_;
};

struct Json::Member {
  std::string key;
  Json value;
  bool operator==(const Member&) const = default;
};

class Json::Item {
 public:
  Item() = default;
  Item(std::initializer_list<Item> items) : value_(items) {}
  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, Item> && std::constructible_from<Json, T>) Item(T&& value)
      : value_(std::forward<T>(value)) {}

  const Json& look() const { return value_; }
  Json take() const { return std::move(value_); }

 private:
  mutable Json value_;  // mutable: moved out of a constant braced list
};

// The error names the place of the fault.
Result<Json> parse_json(std::string_view text);

}  // namespace rehearse::app
