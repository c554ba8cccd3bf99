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

struct ZSTD_DCtx_s;

namespace rehearse::trace::rtrace {

// Appends the compressed bytes.
void compress(std::span<const std::uint8_t> bytes, Bytes& out);

// Keeps the working memory of zstd, of 160 KB: a file has a block for each rank, and getting memory for each of them
// takes longer than decompressing a small one.
class Decompressor {
 public:
  Decompressor() = default;
  ~Decompressor();
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;

  // Nothing: the input is not the compressed form of so many bytes.
  std::optional<Bytes> decompress(std::span<const std::uint8_t> compressed, std::size_t bytes);

 private:
  ZSTD_DCtx_s* context_ = nullptr;
};

std::uint32_t checksum(std::span<const std::uint8_t> bytes);

}  // namespace rehearse::trace::rtrace
