// SPDX-License-Identifier: MIT
//
// Moves the data of a buffer, given by address, count and committed datatype, to and from contiguous bytes.
//
// Units:  sizes in bytes; a buffer of `count` elements packs to exactly type.size() * count bytes.
// Errors: none here; the callers have checked types, counts and room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// The data in its place, if it is contiguous there; otherwise nothing.
std::optional<std::span<const std::byte>> contiguous_data(const Datatype& type, std::int64_t count, const void* buffer);

// Writes size * count bytes to `out`.
void pack(const Datatype& type, std::int64_t count, const void* buffer, std::byte* out);

// Writes the packed bytes into the buffer. Fewer bytes than size * count fill the first elements, the last one perhaps
// in part; more bytes are a caller's bug (asserted).
void unpack(const Datatype& type, std::int64_t count, std::span<const std::byte> data, void* buffer);

// Copies from one buffer to another in the same memory, like a send and a receive (MPI_Sendrecv to oneself,
// MPI_IN_PLACE...). The buffers do not overlap. Copies the smaller of the two sizes.
void copy(const Datatype& from_type, std::int64_t from_count, const void* from, const Datatype& to_type,
          std::int64_t to_count, void* to);

// Reads both ends: if the memory is not mapped, the caller crashes, and not a later reader. Data without an address
// have no memory.
inline void look_at(std::span<const std::byte> data) {
  if (data.empty() || data.data() == nullptr) return;
  static_cast<void>(*static_cast<const volatile std::byte*>(&data.front()));
  static_cast<void>(*static_cast<const volatile std::byte*>(&data.back()));
}

// For calls whose C interface takes the same structure for input and output.
inline void* writable(const void* buffer) { return const_cast<void*>(buffer); }

// The packed bytes of a send buffer: the user's own memory if it is contiguous, else a packed copy.
class PackedData {
 public:
  PackedData(const Datatype& type, std::int64_t count, const void* buffer);
  PackedData(PackedData&&) = default;
  PackedData& operator=(PackedData&&) = default;
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::unique_ptr<std::byte[]> copy_;
  std::span<const std::byte> bytes_;
};

}  // namespace rehearse::smpi
