// SPDX-License-Identifier: MIT
//
// See file_system.hpp.
#include <algorithm>

#include "simcore/file_system.hpp"

namespace rehearse {

namespace {

// The bytes before `end` that are on this disk.
std::uint64_t bytes_before(std::uint64_t end, std::uint64_t stripe, std::uint64_t disk, std::uint64_t disks) {
  const std::uint64_t round = stripe * disks, begin = stripe * disk;
  const std::uint64_t rest = end % round;
  return end / round * stripe + (rest > begin ? std::min(rest - begin, stripe) : 0);
}

}  // namespace

std::vector<std::uint64_t> striped_bytes(std::span<const FileExtent> extents, std::uint64_t stripe_bytes,
                                         std::size_t disks) {
  std::vector<std::uint64_t> bytes(disks);
  for (const FileExtent& extent : extents)
    for (std::size_t disk = 0; disk < disks; ++disk)
      bytes[disk] += bytes_before(extent.begin + extent.bytes, stripe_bytes, disk, disks) -
                     bytes_before(extent.begin, stripe_bytes, disk, disks);
  return bytes;
}

}  // namespace rehearse
