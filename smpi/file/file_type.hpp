// SPDX-License-Identifier: MIT
//
// The layout of a datatype in a file whose elements have other sizes than those in memory.
//
// Method:  the tree of the datatype over elements of the file. A constructor that counts in elements of its old type
//          counts in their extents in the file; one that counts in bytes means bytes of the file. Elements have byte
//          alignment.
// Source:  MPI 5.0, 14.5 (displacements in portable datatypes are scaled, those in bytes are not) and 14.5.3
//          (alignment).
#pragma once

#include <cstdint>
#include <functional>

#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// Bytes of an element of this predefined type in the file. Not called for pairs, but for their halves.
using SizeInFile = std::function<std::int64_t(const BasicType&)>;

// Committed. Its elements are bytes.
DatatypeRef type_in_file(const Datatype& type, const SizeInFile& size);

// The bytes of the data of one element of the type in the file.
std::int64_t bytes_in_file(const Datatype& type, const SizeInFile& size);

// The elements of predefined types, and their bytes in memory, in the first `file_bytes` bytes of the data of a type.
// An element of which the file has a part does not count.
struct ReadElements {
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
};
ReadElements elements_in(const Datatype& type, std::int64_t file_bytes, const SizeInFile& size);

}  // namespace rehearse::smpi
