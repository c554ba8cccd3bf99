// SPDX-License-Identifier: MIT
//
// Windows of files that the program does not see. Member 0 has their memory; members access it as in epochs of locks.
// So explorations treat these accesses like those of the program's windows.
//
// Ownership: in the rank's memory. All functions work on a window of this rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "smpi/file/file.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {

inline constexpr int hidden_owner = 0;

// Collective. `kind` is different for each window of a file. The memory is zero at first.
MPI_Win open_hidden_window(const File& file, const char* call, std::uint64_t kind, const std::string& name,
                           std::uint64_t bytes);
// All accesses are over.
void close_hidden_window(MPI_Win& window);

// Read and write the memory from this byte on.
void get_hidden(Window& window, std::uint64_t place, std::span<std::byte> to);
void put_hidden(Window& window, std::uint64_t place, std::span<const std::byte> from);

}  // namespace rehearse::smpi
