// SPDX-License-Identifier: MIT
//
// Values as bytes, between two processes of one machine.
//
// Errors: an Unpacker that has come to its end returns empty values, and is_good() is false.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace rehearse::remote {

class Packer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T> &&(!std::is_convertible_v<T, std::string_view>)Packer& add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Packer& add(std::string_view text) {
    add(static_cast<std::uint32_t>(text.size()));
    bytes_.append(text);
    return *this;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T value() {
    T result{};
    const std::string_view bytes = part(sizeof result);
    if (is_good_) std::memcpy(&result, bytes.data(), sizeof result);
    return result;
  }
  std::string text() { return std::string(part(value<std::uint32_t>())); }
  bool is_good() const { return is_good_; }

 private:
  std::string_view part(std::size_t bytes) {
    is_good_ = is_good_ && bytes <= rest_.size();
    if (!is_good_) return {};
    const std::string_view result = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return result;
  }

  std::string_view rest_;
  bool is_good_ = true;
};

}  // namespace rehearse::remote
