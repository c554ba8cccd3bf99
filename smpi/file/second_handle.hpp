// SPDX-License-Identifier: MIT
//
// Second handles: files that a rank opens alone while it has them open together with others, who exchange or compare
// their accesses (exchange.hpp).
//
// Rules:   accesses by two handles from different calls of MPI_File_open are ordered only if the first handle is
//          synchronised or closed behind the first access and, after that, the second handle is synchronised or opened
//          before the second access. So an exchange of the members takes along what a second handle has written and
//          synchronised, and the handle has to be synchronised once more to rely on what others have written.
// Races:   accesses of a second handle and of the members' handle; compared by an exchange or, if the other access is
//          of an earlier one, at once.
// Left out, by name: two second handles that access the same bytes; one that outlives the members' handle, or that
//          changes the size or deletes the file.
// Source:  MPI 5.0, 14.6.1.
#pragma once

#include <cstdint>
#include <vector>

#include "smpi/file/file.hpp"

namespace rehearse::smpi {

// A file that the rank opens: finds the handle of several members that it belongs to.
void find_members_handle(File& file);

// What the other accesses of an exchange mean to the second handles of the calling rank. `all`: of each member.
void note_others_uses(const File& members, const std::vector<std::vector<FileUse>>& all);

// An access by a second handle.
void note_second_use(File& file, bool writes, std::span<const FileRange> ranges, std::uint64_t content);

// MPI_File_sync, MPI_File_close of a second handle.
void synchronise_second(File& file);

// The members close their handle.
void leave_second_handles(File& members);

// A second handle sets the size, or deletes the file.
void doubt_second(const File& file, const char* what);

}  // namespace rehearse::smpi
