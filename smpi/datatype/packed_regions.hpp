// SPDX-License-Identifier: MIT
//
// The regions of MPI_Pack and of received MPI_PACKED messages, so that MPI_Unpack can be compared with them.
//
// Certain: a region is known as long as its bytes are those that were put there. Nothing is said of regions of more
//          than 64 KiB, of more than 4096 runs of equal elements, or of what other calls or the program moved there.
// Travels: the signature of a message of MPI_PACKED says what was packed, where the number says all of it (up to four
//          short runs, or elements of one type); otherwise the receiver knows nothing.
// Ownership: in the rank's memory, rolled back with it.
// Source:  MPI 4.1, 5.2: what is unpacked must match what was packed, or what a message received as MPI_PACKED was of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simcore/ids.hpp"
#include "smpi/datatype/datatype.hpp"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

// In the number of a message: it is what was packed, and matches any receive.
inline constexpr std::uint64_t manner_of_packed = 127;

bool is_packed_type(const Datatype& type);

// Equal elements in a row.
struct ElementRun {
  std::uint32_t element = 0;  // as a SignatureNumber has it
  std::int64_t length = 0;
};

struct PackedRegion {
  std::vector<ElementRun> runs;
  std::int64_t bytes = 0;
  std::uint64_t content = 0;      // a hash of the bytes
  CreationSite site;              // of the call that packed or sent it
  std::optional<ActorId> sender;  // empty: the rank itself packed it
};

// That what is unpacked is not what was packed.
struct UnpackMismatch {
  std::string what;  // empty: it is
  CreationSite packed;
  std::optional<ActorId> sender;
};

class PackedRegions {
 public:
  // `count` elements of the type were packed behind `position` bytes of the buffer.
  void add(const std::byte* buffer, std::int64_t position, const Datatype& type, std::int64_t count);
  // A message was received as MPI_PACKED; its number may be one of packed data or of plain elements.
  void add_received(const std::byte* buffer, std::int64_t bytes, std::uint64_t number, ActorId sender,
                    const CreationSite& sent);
  // Something else was written there.
  void forget(const std::byte* buffer, std::int64_t bytes);

  // For the message that consists of these bytes; 0: not known.
  std::uint64_t number_of(const std::byte* buffer, std::int64_t bytes) const;
  UnpackMismatch compare(const std::byte* buffer, std::int64_t position, const Datatype& type,
                         std::int64_t count) const;

 private:
  const PackedRegion* find(const std::byte* buffer) const;

  std::map<const std::byte*, PackedRegion> regions_;  // by where they begin
};

// Of the calling rank, if it ever packed or received such data; else null.
PackedRegions* find_packed_regions();
PackedRegions& packed_regions();

}  // namespace rehearse::smpi
