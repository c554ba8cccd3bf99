// SPDX-License-Identifier: MIT
//
// The bytes of files: on the disk or, while the disk must not change, in the calling rank's memory
// (smpi/process/files.hpp).
//
// Errors:  as the system calls: -1 and errno; class_of_errno() gives the MPI error class.
// Threads: called on ranks only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rehearse::smpi {

class RankFiles;

// The rank's own view of files; null: the disk itself.
RankFiles* kept_files();

// Of `shared` and `second` handles (exchange.hpp, second_handle.hpp), a use does not count as one of this rank alone.
enum class StoredUse : std::uint8_t { alone, shared, second };
int open_stored(const char* name, int flags, int mode, StoredUse use);
int close_stored(int descriptor);
// As many bytes as there are; -1: an error.
std::int64_t read_stored(int descriptor, void* to, std::size_t bytes, std::int64_t place);
bool write_stored(int descriptor, const void* from, std::size_t bytes, std::int64_t place);
std::int64_t size_of_stored(int descriptor);
bool resize_stored(int descriptor, std::int64_t bytes);
// `shared`: by all ranks that exchange the content.
int remove_stored(const char* name, bool shared);

int class_of_errno(int number);

}  // namespace rehearse::smpi
