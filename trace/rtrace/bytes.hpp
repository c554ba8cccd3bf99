// SPDX-License-Identifier: MIT
//
// Numbers as bytes: variable-length integers, 7 bits a byte, the lowest first; signed ones in zig-zag order.
//
// Errors:  a ByteReader that reads behind its end, or a number that is too long, fails: is_good() is false from then
//          on, and each number reads as 0.
// Source:  the varints of Protocol Buffers (LEB128).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse::trace::rtrace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
}

// Differences modulo 2^64, so that every pair of numbers has one.
constexpr std::int64_t difference(std::int64_t value, std::int64_t from) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(from));
}
constexpr std::int64_t sum(std::int64_t value, std::int64_t change) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(change));
}

inline void put(Bytes& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<std::uint8_t>(value));
}
inline void put_signed(Bytes& out, std::int64_t value) { put(out, zigzag(value)); }

inline void put(Bytes& out, std::string_view text) {
  put(out, std::uint64_t{text.size()});
  out.insert(out.end(), text.begin(), text.end());
}

// Little-endian, of a fixed length.
inline void put_fixed(Bytes& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

class ByteReader {
 public:
  ByteReader() = default;
  explicit ByteReader(std::span<const std::uint8_t> bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool is_good() const { return is_good_; }
  bool is_at_end() const { return at_ == end_; }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }

  std::uint64_t get() {
    if (at_ != end_ && *at_ < 0x80) return *at_++;
    return get_long();
  }
  std::int64_t get_signed() { return unzigzag(get()); }
  std::uint64_t get_fixed(int bytes) {
    std::uint64_t value = 0;
    if (remaining() < static_cast<std::size_t>(bytes)) return fail();
    for (int i = 0; i < bytes; ++i) value |= std::uint64_t{*at_++} << (8 * i);
    return value;
  }
  // A number of things, each of which takes at least one byte.
  std::size_t get_count() {
    const std::uint64_t count = get();
    if (count > remaining()) return fail();
    return count;
  }
  std::span<const std::uint8_t> get_bytes(std::uint64_t count) {
    if (count > remaining()) {
      fail();
      return {};
    }
    const std::span<const std::uint8_t> bytes(at_, count);
    at_ += count;
    return bytes;
  }
  std::string get_text() {
    const auto bytes = get_bytes(get());
    return {bytes.begin(), bytes.end()};
  }

 private:
  std::uint64_t get_long() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) return fail();
      const std::uint8_t byte = *at_++;
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }
  std::uint64_t fail() {
    is_good_ = false;
    at_ = end_;
    return 0;
  }

  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  bool is_good_ = true;
};

}  // namespace rehearse::trace::rtrace
