// SPDX-License-Identifier: MIT
//
// The disks that hold the files of actors in simulated time.
//
// Model:   stripe i of each file is on disk i modulo the number of disks. An access moves the bytes for each disk in
//          one piece, and the pieces for several disks at once. A piece on a disk of the actor's own host takes the
//          time of the disk. For another host, a piece that is written is a stream over the network to the disk, and
//          then an acknowledgement; one that is read is a request, and then a stream back. A stream is as fast as the
//          slower of disk and network.
// Units:   bytes.
// Threads: none.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/storage_access.hpp"

namespace rehearse {

struct FileSystem {
  // Empty: each actor has the files on the disks of its own host.
  std::vector<DiskId> disks;
  std::uint64_t stripe_bytes = std::uint64_t{1} << 20;
};

// The bytes of these extents on each of `disks` disks.
std::vector<std::uint64_t> striped_bytes(std::span<const FileExtent> extents, std::uint64_t stripe_bytes,
                                         std::size_t disks);

}  // namespace rehearse
