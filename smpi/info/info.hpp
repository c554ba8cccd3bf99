// SPDX-License-Identifier: MIT
//
// Info objects: ordered lists of keys with values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi.h"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

using Hints = std::vector<std::pair<std::string, std::string>>;

using InfoTable = HandleRegistry<MPI_Info, Hints, HandleKind::info>;

struct Infos {
  InfoTable table;
};

// Of the calling rank.
InfoTable& infos();

// The keys and values of the handle: none for MPI_INFO_NULL and MPI_INFO_ENV. Null if the handle is not an info object.
const Hints* find_hints(MPI_Info handle);

// The value of a key, or null.
const std::string* find_hint(const Hints& hints, std::string_view key);

// The alignment of allocated memory that the hint mpi_minimum_memory_alignment requests, at least the default; 0: its
// value is not a valid alignment.
std::size_t alignment_in(const Hints& hints);

// A new info object of the program.
MPI_Info add_info(Hints hints);

}  // namespace rehearse::smpi
