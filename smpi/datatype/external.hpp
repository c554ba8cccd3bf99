// SPDX-License-Identifier: MIT
//
// The portable representation "external32": big-endian, with the sizes that the standard fixes.
//
// Source: MPI 5.0, 14.5.2. `long` has 4 bytes there, `long double` is the IEEE format of 16 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// The bytes of one element of the type.
std::int64_t external_size(const BasicType& basic);
std::int64_t external_size(const Datatype& type);

// Conversion from and to the packed form (pack.hpp) of `count` elements.
std::vector<std::byte> to_external(const Datatype& type, std::int64_t count, std::span<const std::byte> packed);
std::vector<std::byte> from_external(const Datatype& type, std::int64_t count, std::span<const std::byte> external);

}  // namespace rehearse::smpi
