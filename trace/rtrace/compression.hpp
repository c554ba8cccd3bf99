// SPDX-License-Identifier: MIT
//
// Compression and checksums of the parts of a file.
//
// Source: zstd (RFC 8878); XXH64, which is the same in each version of xxHash.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "trace/rtrace/bytes.hpp"

namespace rehearse::trace::rtrace {

// Appends the compressed bytes.
void compress(std::span<const std::uint8_t> bytes, Bytes& out);

// Nothing: the input is not the compressed form of so many bytes.
std::optional<Bytes> decompress(std::span<const std::uint8_t> compressed, std::size_t bytes);

std::uint32_t checksum(std::span<const std::uint8_t> bytes);

}  // namespace rehearse::trace::rtrace
