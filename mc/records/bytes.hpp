// SPDX-License-Identifier: MIT
//
// Values as bytes, for another process of this program or a later run of it on this machine.
//
// Errors: a Reader at the end of its bytes, or at an impossible value, becomes bad and returns zeros from then on. The
//         caller checks is_good() before it uses the values.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace rehearse::mc::records {

class Writer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void plain(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }

  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T> T plain() {
    T value{};
    if (has(sizeof value)) {
      std::memcpy(&value, rest_.data(), sizeof value);
      rest_.remove_prefix(sizeof value);
    }
    return value;
  }
  // Whether this value is next. If so, skips it.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  bool takes(const T& value) {
    if (rest_.size() < sizeof value || std::memcmp(rest_.data(), &value, sizeof value) != 0) return false;
    rest_.remove_prefix(sizeof value);
    return true;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (shift > 63 || !has(1)) return fail(), 0;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  // A number of values that follow, each of at least one byte.
  std::size_t count() {
    const std::uint64_t value = number();
    return has(value) ? value : 0;
  }
  std::string_view text() {
    const std::size_t size = count();
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }

  bool at_end() const { return rest_.empty(); }
  bool is_good() const { return good_; }
  std::size_t remaining() const { return rest_.size(); }
  void fail() {
    good_ = false;
    rest_ = {};
  }

 private:
  bool has(std::uint64_t bytes) {
    if (bytes > rest_.size()) fail();
    return good_;
  }

  std::string_view rest_;
  bool good_ = true;
};

}  // namespace rehearse::mc::records
