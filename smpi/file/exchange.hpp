// SPDX-License-Identifier: MIT
//
// The content of a file that several ranks have open, while each of them keeps it in its memory: the ranks exchange
// their changes in collective calls, and compare their accesses.
//
// Rules:   without atomic mode, a rank need not see what another one writes before both have called MPI_File_sync (or
//          closed and opened the file). So a program without races reads only what it knows from an exchange.
// Races:   two accesses of different ranks that touch a byte, one of which writes, between two synchronisations.
// Atomic:  the order of two such accesses can be seen in atomic mode. It is a choice if both take turns
//          (atomic_log.hpp); otherwise outcomes are left out.
// Disk:    if the file is on the disk, only the lists of accesses are exchanged, and only among few members.
// Source:  MPI 5.0, 14.6.1.
#pragma once

#include <span>
#include <string>

#include "smpi/file/file.hpp"

namespace rehearse::smpi {

// Before the members open the file: all get the content of the one that changed it since the last exchange.
// Returns an error, raised. `agreement`: see meet().
int exchange_at_open(const File& file, const char* call, const Agreement& agreement);

// All get the changes of all. `synchronises`: later accesses are ordered behind those so far.
int exchange(File& file, const char* call, const Agreement& agreement, bool synchronises);

// More members do not compare their accesses to a file on the disk: each of them would get the lists of all.
inline constexpr int compared_members_max = 256;

// Notes an access. `takes_turns`, `content`: see FileUse.
void note_use(File& file, bool writes, std::span<const FileRange> ranges, bool takes_turns, std::uint64_t content = 0);
// The same; accesses from one place in the program are one use. `is_pending`: see FileUse.
void add_use(File& file, const FileUse& use, bool is_pending);
// Notes that the rank asks for the size.
void note_size_use(File& file);

}  // namespace rehearse::smpi
