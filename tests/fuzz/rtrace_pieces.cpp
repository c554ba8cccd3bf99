// SPDX-License-Identifier: MIT
//
// See rtrace_pieces.hpp. The layout of a file is that of trace/rtrace/layout.hpp.
#include "tests/fuzz/rtrace_pieces.hpp"

#include <optional>
#include <vector>

#include "tests/fuzz/harness.hpp"
#include "trace/rtrace/block_index.hpp"
#include "trace/rtrace/compression.hpp"
#include "trace/rtrace/layout.hpp"

namespace rehearse::fuzz {
namespace {

using namespace rehearse::trace::rtrace;

struct Piece {
  ChunkKind kind{};
  Bytes numbers;  // before the packed part
  Bytes packed;
};

// How many numbers come before the packed part.
std::size_t numbers_of(ChunkKind kind) {
  switch (kind) {
    case ChunkKind::header: return 2;
    case ChunkKind::block: return 3;
    case ChunkKind::tables:
    case ChunkKind::index: return 0;
  }
  return 0;
}

std::vector<Piece> pieces_of(const std::string& file) {
  std::vector<Piece> pieces;
  ByteReader in(std::span(reinterpret_cast<const std::uint8_t*>(file.data()), file.size()));
  in.get_bytes(preamble_bytes);
  while (in.remaining() > trailer_bytes) {
    Piece piece;
    piece.kind = static_cast<ChunkKind>(in.get_fixed(1));
    const std::uint64_t length = in.get_fixed(4);
    in.get_fixed(4);
    ByteReader content(in.get_bytes(length));
    for (std::size_t i = numbers_of(piece.kind); i > 0; --i) put(piece.numbers, content.get());
    const std::uint64_t bytes = content.get();
    piece.packed = Decompressor().decompress(content.get_bytes(content.remaining()), bytes).value_or(Bytes{});
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

void mutate_some(Bytes& bytes, SplitMix& random) {
  std::string text(bytes.begin(), bytes.end());
  mutate_bytes(text, random);
  bytes.assign(text.begin(), text.end());
}

// The index with the places at which the chunks are now; nothing: it cannot be read.
std::optional<Bytes> moved_index(const Bytes& index, const std::vector<Piece>& pieces,
                                 const std::vector<std::uint64_t>& places) {
  ByteReader in(index);
  const std::size_t tables = read_table_offsets(in).size();
  const std::size_t blocks = in.get_count();
  for (std::size_t i = 0; i < 3 * blocks; ++i) in.get();
  if (!in.is_good()) return std::nullopt;
  Bytes moved, of_blocks;
  std::size_t found_tables = 0, found_blocks = 0;
  std::uint64_t last = 0;
  Bytes of_tables;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (pieces[i].kind == ChunkKind::tables) {
      put(of_tables, places[i]);
      ++found_tables;
    } else if (pieces[i].kind == ChunkKind::block) {
      ByteReader numbers(pieces[i].numbers);
      put(of_blocks, places[i] - last);
      last = places[i];
      put(of_blocks, numbers.get());
      put(of_blocks, numbers.get());
      ++found_blocks;
    }
  }
  if (found_tables != tables || found_blocks != blocks) return std::nullopt;
  put(moved, std::uint64_t{tables});
  moved.insert(moved.end(), of_tables.begin(), of_tables.end());
  put(moved, std::uint64_t{blocks});
  moved.insert(moved.end(), of_blocks.begin(), of_blocks.end());
  const auto rest = in.get_bytes(in.remaining());
  moved.insert(moved.end(), rest.begin(), rest.end());
  return moved;
}

void append(Bytes& out, const Piece& piece) {
  Bytes content = piece.numbers;
  put(content, std::uint64_t{piece.packed.size()});
  compress(piece.packed, content);
  out.push_back(static_cast<std::uint8_t>(piece.kind));
  put_fixed(out, content.size(), 4);
  put_fixed(out, checksum(content), 4);
  out.insert(out.end(), content.begin(), content.end());
}

}  // namespace

void mutate_recording(std::string& file, SplitMix& random) {
  if (random.below(16) == 0) {  // without new checksums
    mutate_bytes(file, random);
    if (random.below(2) == 0) file.resize(below(random, file.size()));
    return;
  }
  std::vector<Piece> pieces = pieces_of(file);
  for (std::size_t i = below(random, 4); i > 0; --i) {
    Piece& piece = pieces[below(random, pieces.size())];
    const bool of_numbers = !piece.numbers.empty() && random.below(8) == 0;
    mutate_some(of_numbers ? piece.numbers : piece.packed, random);
  }
  if (random.below(16) == 0) std::swap(pieces[below(random, pieces.size())], pieces[below(random, pieces.size())]);
  Bytes out(file.begin(), file.begin() + preamble_bytes);
  std::vector<std::uint64_t> places;
  const bool has_index = pieces.back().kind == ChunkKind::index && random.below(4) != 0;
  for (Piece& piece : pieces) {
    if (piece.kind == ChunkKind::index) {
      if (!has_index) continue;
      if (auto moved = moved_index(piece.packed, pieces, places)) piece.packed = std::move(*moved);
    }
    places.push_back(out.size());
    append(out, piece);
  }
  if (has_index) {
    put_fixed(out, places.back(), 8);
    out.insert(out.end(), end_magic.begin(), end_magic.end());
  }
  file.assign(out.begin(), out.end());
}

}  // namespace rehearse::fuzz
