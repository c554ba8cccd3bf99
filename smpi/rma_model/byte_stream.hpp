// SPDX-License-Identifier: MIT
//
// Values without gaps as bytes, one behind the other, within one job.
//
// Errors: reading past the end is asserted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "simcore/support/assert.hpp"

namespace rehearse::smpi::model {

class ByteWriter {
 public:
  template <class T>
  void add(const T& value) {
    static_assert(std::has_unique_object_representations_v<T>);
    add_bytes(std::as_bytes(std::span(&value, 1)));
  }
  // The number of values, then the values.
  template <class T, std::size_t extent>
  void add_all(std::span<T, extent> values) {
    static_assert(std::has_unique_object_representations_v<T>);
    add(static_cast<std::uint64_t>(values.size()));
    add_bytes(std::as_bytes(values));
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void add_bytes(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

  std::vector<std::byte> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T one() {
    T value;
    copy(&value, sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> all() {
    std::vector<T> values(one<std::uint64_t>());
    copy(values.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  void copy(void* to, std::size_t bytes) {
    REHEARSE_ASSERT(bytes <= rest_.size(), "the value is complete");
    if (bytes > 0) std::memcpy(to, rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
  }

  std::span<const std::byte> rest_;
};

}  // namespace rehearse::smpi::model
