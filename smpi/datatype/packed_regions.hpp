// SPDX-License-Identifier: MIT
//
// The regions of MPI_Pack and of received MPI_PACKED messages, so that MPI_Unpack can be compared with them.
//
// Limits:  a region is known as long as its bytes do not change. Regions of more than 64 KiB or of more than 4096 runs
//          of equal elements are not known, nor is data that other calls or the program moved there.
// Message: the signature of a message of MPI_PACKED describes the packed data if its number can hold all of it (up to
//          four short runs, or elements of one type); otherwise the types of the data are unknown to the receiver.
// Ownership: in the rank's memory, rolled back with it.
// Source:  MPI 4.1, 5.2: unpacked data must match the packed data, or the data of the message received as MPI_PACKED.
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

// In the number of a message: the number describes packed data, and matches any receive.
inline constexpr std::uint64_t manner_of_packed = 127;

bool is_packed_type(const Datatype& type);

// Equal elements in a row.
struct ElementRun {
  std::uint32_t element = 0;  // as in a SignatureNumber
  std::int64_t length = 0;
};

struct PackedRegion {
  std::vector<ElementRun> runs;
  std::int64_t bytes = 0;
  std::uint64_t content = 0;      // a hash of the bytes
  CreationSite site;              // of the call that packed or sent it
  std::optional<ActorId> sender;  // empty: the rank itself packed it
};

// A difference between unpacked and packed data.
struct UnpackMismatch {
  std::string what;  // empty: there is none
  CreationSite packed;
  std::optional<ActorId> sender;
};

class PackedRegions {
 public:
  // `count` elements of the type were packed behind `position` bytes of the buffer.
  void add(const std::byte* buffer, std::int64_t position, const Datatype& type, std::int64_t count);
  // A message was received as MPI_PACKED; its signature number may describe packed data or plain elements.
  void add_received(const std::byte* buffer, std::int64_t bytes, std::uint64_t number, ActorId sender,
                    const CreationSite& sent);
  // Other data was written there.
  void forget(const std::byte* buffer, std::int64_t bytes);

  // The signature number of a message that consists of these bytes; 0: not known.
  std::uint64_t number_of(const std::byte* buffer, std::int64_t bytes) const;
  UnpackMismatch compare(const std::byte* buffer, std::int64_t position, const Datatype& type,
                         std::int64_t count) const;

 private:
  const PackedRegion* find(const std::byte* buffer) const;

  std::map<const std::byte*, PackedRegion> regions_;  // by their beginnings
};

// Of the calling rank, if it ever packed or received such data; else null.
PackedRegions* find_packed_regions();
PackedRegions& packed_regions();

}  // namespace rehearse::smpi
