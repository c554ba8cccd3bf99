// SPDX-License-Identifier: MIT
//
// Files in memory that ranks map, and the memory of this process.
//
// Units: bytes. Errors: see errno.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rehearse::smpi {

// False: not all of it could be written.
bool write_all(int file, const std::byte* from, std::size_t bytes, std::uint64_t offset);

// The physical memory of the file.
std::uint64_t resident_bytes(int file);

// As the kernel counts it: a page of a file as often as it is mapped.
struct ProcessMemory {
  std::uint64_t of_process = 0;  // resident, of this process alone
  std::uint64_t of_files = 0;    // resident, of files on disk
  std::uint64_t page_tables = 0;
};
ProcessMemory process_memory();

}  // namespace rehearse::smpi
