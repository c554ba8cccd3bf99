// SPDX-License-Identifier: MIT
//
// Values as bytes, for messages that leave the process (docs/real-actors.md).
//
// Types:  numbers, enumerations, aggregates of them that are trivially copyable, std::string, and std::array, pair,
//         tuple, optional, variant, vector, deque, list, map, set and their unordered kinds, of such types. A class
//         joins them by a member
//             template <class Archive> void wire(Archive& archive) { archive(name, parts); }
//         which needs a default constructor; for a foreign class, specialise Wire.
//         Pointers, references and views are refused: they mean nothing in another process.
// Units:  bytes in the layout of this machine: all processes run the same executable.
// Errors: a WireLoader at the end of its bytes gives empty values, and is_good() is false.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "simcore/actor_api/wire_fields.hpp"

namespace rehearse::sim {

template <class T>
struct Wire;

template <class T>
inline constexpr bool has_wire = Wire<T>::is_possible;

class WireSaver {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (Wire<Values>::save(values, *this), ...);
  }
  void add(const void* bytes, std::size_t count) { bytes_.append(static_cast<const char*>(bytes), count); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class WireLoader {
 public:
  explicit WireLoader(std::string_view bytes) : rest_(bytes) {}

  template <class... Values>
  void operator()(Values&... values) {
    ((values = Wire<Values>::load(*this)), ...);
  }
  std::string_view part(std::size_t bytes) {
    is_good_ = is_good_ && bytes <= rest_.size();
    if (!is_good_) return {};
    const std::string_view result = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return result;
  }
  bool is_good() const { return is_good_; }
  bool is_at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_good_ = true;
};

// The bytes of the value itself.
template <class T>
struct WireOfBytes {
  static constexpr bool is_possible = true;
  static void save(const T& value, WireSaver& saver) { saver.add(&value, sizeof value); }
  static T load(WireLoader& loader) {
    std::array<std::byte, sizeof(T)> bytes{};
    const std::string_view given = loader.part(sizeof(T));
    std::copy_n(reinterpret_cast<const std::byte*>(given.data()), given.size(), bytes.begin());
    return __builtin_bit_cast(T, bytes);
  }
};

struct NoWire {
  static constexpr bool is_possible = false;
};

template <class T>
concept HasWireMember = requires(T& value, WireSaver& saver, WireLoader& loader) {
  value.wire(saver);
  value.wire(loader);
};

template <class T>
struct WireOfMember {
  static constexpr bool is_possible = true;
  static void save(const T& value, WireSaver& saver) { const_cast<T&>(value).wire(saver); }
  static T load(WireLoader& loader) {
    T value{};
    value.wire(loader);
    return value;
  }
};

template <class T>
constexpr bool is_value_of_bytes() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::monostate>) return true;
  else return wire_fields::all_have_wire<T, Wire>();
}

template <class T>
struct Wire : std::conditional_t<HasWireMember<T>, WireOfMember<T>,
                                 std::conditional_t<is_value_of_bytes<T>(), WireOfBytes<T>, NoWire>> {};

// Only as a part of an aggregate.
template <class T, std::size_t count>
struct Wire<T[count]> {
  static constexpr bool is_possible = has_wire<T>;
};

template <class Rep, class Period>
struct Wire<std::chrono::duration<Rep, Period>> : WireOfBytes<std::chrono::duration<Rep, Period>> {};
template <class T>
struct Wire<std::complex<T>> : WireOfBytes<std::complex<T>> {};

// Elements one after the other, behind their number.
template <class Container, class Element>
struct WireOfElements {
  static constexpr bool is_possible = has_wire<Element>;
  static void save(const Container& container, WireSaver& saver) {
    saver(static_cast<std::uint64_t>(container.size()));
    for (const auto& element : container) Wire<Element>::save(element, saver);
  }
  static Container load(WireLoader& loader) {
    Container container;
    std::uint64_t count = Wire<std::uint64_t>::load(loader);
    for (; count > 0 && loader.is_good(); --count) container.insert(container.end(), Wire<Element>::load(loader));
    return container;
  }
};

template <>
struct Wire<std::string> {
  static constexpr bool is_possible = true;
  static void save(const std::string& text, WireSaver& saver) {
    saver(static_cast<std::uint64_t>(text.size()));
    saver.add(text.data(), text.size());
  }
  static std::string load(WireLoader& loader) { return std::string(loader.part(Wire<std::uint64_t>::load(loader))); }
};

template <class T>
struct Wire<std::vector<T>> : WireOfElements<std::vector<T>, T> {};
template <class T>
struct Wire<std::deque<T>> : WireOfElements<std::deque<T>, T> {};
template <class T>
struct Wire<std::list<T>> : WireOfElements<std::list<T>, T> {};
template <class T>
struct Wire<std::set<T>> : WireOfElements<std::set<T>, T> {};
template <class T>
struct Wire<std::unordered_set<T>> : WireOfElements<std::unordered_set<T>, T> {};
template <class Key, class T>
struct Wire<std::map<Key, T>> : WireOfElements<std::map<Key, T>, std::pair<Key, T>> {};
template <class Key, class T>
struct Wire<std::unordered_map<Key, T>> : WireOfElements<std::unordered_map<Key, T>, std::pair<Key, T>> {};

template <class First, class Second>
struct Wire<std::pair<First, Second>> {
  static constexpr bool is_possible = has_wire<std::remove_const_t<First>> && has_wire<Second>;
  template <class Pair>
  static void save(const Pair& pair, WireSaver& saver) {
    saver(pair.first, pair.second);
  }
  static std::pair<First, Second> load(WireLoader& loader) {
    return std::pair<First, Second>{Wire<std::remove_const_t<First>>::load(loader), Wire<Second>::load(loader)};
  }
};

template <class... Parts>
struct Wire<std::tuple<Parts...>> {
  static constexpr bool is_possible = (has_wire<Parts> && ...);
  static void save(const std::tuple<Parts...>& tuple, WireSaver& saver) {
    std::apply([&](const Parts&... parts) { saver(parts...); }, tuple);
  }
  static std::tuple<Parts...> load(WireLoader& loader) { return std::tuple<Parts...>{Wire<Parts>::load(loader)...}; }
};

template <class T, std::size_t count>
struct Wire<std::array<T, count>> {
  static constexpr bool is_possible = has_wire<T>;
  static void save(const std::array<T, count>& array, WireSaver& saver) {
    for (const T& element : array) saver(element);
  }
  static std::array<T, count> load(WireLoader& loader) {
    return [&]<std::size_t... index>(std::index_sequence<index...>) {
      return std::array<T, count>{((void)index, Wire<T>::load(loader))...};
    }
    (std::make_index_sequence<count>());
  }
};

template <class T>
struct Wire<std::optional<T>> {
  static constexpr bool is_possible = has_wire<T>;
  static void save(const std::optional<T>& value, WireSaver& saver) {
    saver(value.has_value());
    if (value) saver(*value);
  }
  static std::optional<T> load(WireLoader& loader) {
    if (!Wire<bool>::load(loader)) return std::nullopt;
    return Wire<T>::load(loader);
  }
};

template <class... Kinds>
struct Wire<std::variant<Kinds...>> {
  static constexpr bool is_possible = (has_wire<Kinds> && ...);
  using Value = std::variant<Kinds...>;
  static void save(const Value& value, WireSaver& saver) {
    saver(static_cast<std::uint32_t>(value.index()));
    std::visit([&](const auto& kind) { saver(kind); }, value);
  }
  static Value load(WireLoader& loader) { return load_kind<0>(Wire<std::uint32_t>::load(loader), loader); }

 private:
  template <std::size_t index>
  static Value load_kind(std::uint32_t wanted, WireLoader& loader) {
    if constexpr (index + 1 < sizeof...(Kinds))
      if (wanted != index) return load_kind<index + 1>(wanted, loader);
    return Value(std::in_place_index<index>, Wire<std::variant_alternative_t<index, Value>>::load(loader));
  }
};

}  // namespace rehearse::sim
