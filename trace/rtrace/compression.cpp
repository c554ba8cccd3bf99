// SPDX-License-Identifier: MIT
//
// See compression.hpp.
#include "trace/rtrace/compression.hpp"

#include <xxhash.h>
#include <zstd.h>

#include <new>

namespace rehearse::trace::rtrace {

void compress(std::span<const std::uint8_t> bytes, Bytes& out) {
  constexpr int level = 3;
  const std::size_t before = out.size();
  out.resize(before + ZSTD_compressBound(bytes.size()));
  const std::size_t size = ZSTD_compress(out.data() + before, out.size() - before, bytes.data(), bytes.size(), level);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // there is room: the only other reason is memory
  out.resize(before + size);
}

Decompressor::~Decompressor() { ZSTD_freeDCtx(context_); }

std::optional<Bytes> Decompressor::decompress(std::span<const std::uint8_t> compressed, std::size_t bytes) {
  // No input of this size can be so large, so a damaged number does not reserve memory.
  constexpr std::size_t most_per_byte = 1 << 17;
  if (bytes / most_per_byte > compressed.size()) return std::nullopt;
  if (ZSTD_getFrameContentSize(compressed.data(), compressed.size()) != bytes) return std::nullopt;
  if (context_ == nullptr) context_ = ZSTD_createDCtx();
  if (context_ == nullptr) throw std::bad_alloc();
  Bytes out(bytes);
  const std::size_t size = ZSTD_decompressDCtx(context_, out.data(), out.size(), compressed.data(), compressed.size());
  if (ZSTD_isError(size) != 0 || size != bytes) return std::nullopt;
  return out;
}

std::uint32_t checksum(std::span<const std::uint8_t> bytes) {
  return static_cast<std::uint32_t>(XXH64(bytes.data(), bytes.size(), 0));
}

}  // namespace rehearse::trace::rtrace
