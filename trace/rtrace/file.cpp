// SPDX-License-Identifier: MIT
//
// See file.hpp.
#include "trace/rtrace/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "trace/rtrace/layout.hpp"

namespace rehearse::trace::rtrace {

namespace {

constexpr std::uint64_t most_ranks = std::uint64_t{1} << 24, most_sparse_ranks = 65536;

}  // namespace

bool looks_like_rtrace(std::string_view beginning) { return beginning.starts_with(magic); }

Result<std::unique_ptr<File>> File::open(const std::string& path) {
  std::unique_ptr<File> file(new File(path));
  file->file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file->file_ < 0) return Error{path + ": cannot read: " + std::strerror(errno)};
  if (auto done = file->read(); !done) return done.error();
  return file;
}

File::~File() {
  if (file_ >= 0) ::close(file_);
}

bool File::read_bytes(std::uint64_t offset, void* to, std::size_t bytes) const {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::pread(file_, at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    offset += static_cast<std::uint64_t>(got);
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

std::optional<Bytes> File::unpack(ByteReader& in) const {
  const std::uint64_t bytes = in.get();
  if (!in.is_good()) return std::nullopt;
  return decompressor_.decompress(in.get_bytes(in.remaining()), bytes);
}

std::optional<File::Chunk> File::chunk_at(std::uint64_t offset) const {
  std::array<std::uint8_t, chunk_head_bytes> head{};
  if (offset > bytes_ || bytes_ - offset < head.size() || !read_bytes(offset, head.data(), head.size()))
    return std::nullopt;
  ByteReader in(head);
  Chunk chunk;
  chunk.kind = static_cast<std::uint8_t>(in.get_fixed(1));
  const std::uint64_t length = in.get_fixed(4);
  const auto sum = static_cast<std::uint32_t>(in.get_fixed(4));
  chunk.end = offset + head.size() + length;
  if (chunk.end > bytes_) return std::nullopt;
  chunk.content.resize(length);
  if (!read_bytes(offset + head.size(), chunk.content.data(), length)) return std::nullopt;
  if (checksum(chunk.content) != sum) return std::nullopt;
  return chunk;
}

Result<void> File::read() {
  struct stat status {};
  if (::fstat(file_, &status) != 0) return Error{path_ + ": cannot read: " + std::strerror(errno)};
  bytes_ = static_cast<std::uint64_t>(status.st_size);
  std::uint64_t offset = 0;
  if (auto done = read_header(offset); !done) return done;
  index_.ranks.resize(ranks_);
  std::uint64_t index_offset = 0;
  auto done = read_trailer(index_offset) ? read_with_index(index_offset) : read_without_index(offset);
  if (!done) return done;
  blocks_of_.resize(ranks_);
  for (std::uint32_t i = 0; i < index_.blocks.size(); ++i) blocks_of_[index_.blocks[i].rank].push_back(i);
  return {};
}

Result<void> File::read_header(std::uint64_t& offset) {
  std::array<std::uint8_t, preamble_bytes> preamble{};
  if (bytes_ < preamble.size() || !read_bytes(0, preamble.data(), preamble.size()))
    return damaged("it ends in its header");
  ByteReader in(std::span<const std::uint8_t>(preamble).subspan(magic.size()));
  const std::uint64_t given = in.get_fixed(4);
  if (given < oldest_version || given > version)
    return Error{path_ + ": version " + std::to_string(given) + " of the format; this program reads versions " +
                 std::to_string(oldest_version) + " to " + std::to_string(version)};
  const auto header = chunk_at(preamble_bytes);
  if (!header || header->kind != static_cast<std::uint8_t>(ChunkKind::header))
    return damaged("its header is not whole, or its checksum differs");
  ByteReader content(header->content);
  const std::uint64_t ranks = content.get();
  const std::uint64_t features = given == 1 ? 0 : content.get();
  const auto about = unpack(content);
  const bool is_possible = ranks <= most_sparse_ranks || ranks <= bytes_;  // each has a block, unless the file is cut
  if (ranks == 0 || ranks > most_ranks || !is_possible || features > feature::all || !about)
    return damaged("malformed header");
  ranks_ = static_cast<std::uint32_t>(ranks);
  has_reductions_ = (features & feature::reductions) != 0;
  about_.assign(about->begin(), about->end());
  offset = header->end;
  return {};
}

// Both are JSON objects, so their members make one.
bool File::add_about(std::string_view more) {
  if (more.empty()) return true;
  if (!about_.ends_with('}') || !more.starts_with('{')) return false;
  about_.pop_back();
  if (!about_.ends_with('{')) about_ += ',';
  about_ += more.substr(1);
  return true;
}

bool File::read_trailer(std::uint64_t& index_offset) const {
  std::array<std::uint8_t, trailer_bytes> trailer{};
  if (bytes_ < trailer.size() || !read_bytes(bytes_ - trailer.size(), trailer.data(), trailer.size())) return false;
  ByteReader in(trailer);
  index_offset = in.get_fixed(8);
  return std::memcmp(trailer.data() + 8, end_magic.data(), end_magic.size()) == 0;
}

bool File::add_tables(const Chunk& chunk) {
  ByteReader in(chunk.content);
  const auto additions = unpack(in);
  return additions && tables_.add(*additions, ranks_);
}

Result<void> File::read_with_index(std::uint64_t index_offset) {
  const auto chunk = chunk_at(index_offset);
  if (!chunk || chunk->kind != static_cast<std::uint8_t>(ChunkKind::index) || chunk->end != bytes_ - trailer_bytes)
    return damaged("its index is not where its end says, or the checksum differs");
  ByteReader in(chunk->content);
  const auto index = unpack(in);
  if (!index) return damaged("malformed index");
  ByteReader entries(*index);
  for (const std::uint64_t offset : read_table_offsets(entries)) {
    const auto tables = chunk_at(offset);
    if (!tables || !add_tables(*tables)) return damaged("its tables at byte " + std::to_string(offset));
  }
  if (!read_index(entries, ranks_, index_, tables_) || !add_about(index_.about)) return damaged("malformed index");
  return {};
}

// A file that was cut short, or that nobody completed.
Result<void> File::read_without_index(std::uint64_t offset) {
  std::uint64_t actions = 0;
  while (const auto chunk = chunk_at(offset)) {
    if (chunk->kind == static_cast<std::uint8_t>(ChunkKind::tables)) {
      if (!add_tables(*chunk)) return damaged("its tables at byte " + std::to_string(offset));
    } else if (chunk->kind == static_cast<std::uint8_t>(ChunkKind::block)) {
      ByteReader in(chunk->content);
      const std::uint64_t rank = in.get(), count = in.get();
      if (!in.is_good() || rank >= ranks_ || count > most_block_actions)
        return damaged("the block at byte " + std::to_string(offset));
      index_.blocks.push_back({offset, static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(count)});
      actions += count;
    } else {
      break;
    }
    offset = chunk->end;
  }
  cut_off_ = "the file is cut short or damaged at byte " + std::to_string(offset) + ": it has " +
             std::to_string(index_.blocks.size()) +
             (index_.blocks.size() == 1 ? " whole block with " : " whole blocks with ") + std::to_string(actions) +
             " actions";
  return {};
}

std::uint64_t File::actions(std::uint32_t rank) const {
  std::uint64_t actions = 0;
  for (const std::uint32_t block : blocks_of_[rank]) actions += index_.blocks[block].actions;
  return actions;
}

Result<File::LoadedBlock> File::load(const BlockPlace& place) const {
  const auto chunk = chunk_at(place.offset);
  if (!chunk || chunk->kind != static_cast<std::uint8_t>(ChunkKind::block))
    return Error{"the block at byte " + std::to_string(place.offset) + " is not whole, or its checksum differs"};
  ByteReader in(chunk->content);
  LoadedBlock block;
  block.rank = static_cast<std::uint32_t>(in.get());
  block.actions = static_cast<std::uint32_t>(in.get());
  block.next_request = static_cast<std::uint32_t>(in.get());
  auto columns = unpack(in);
  if (!columns || block.rank != place.rank || block.actions != place.actions || block.actions > most_block_actions)
    return Error{"the block at byte " + std::to_string(place.offset) + " is malformed"};
  block.columns = std::move(*columns);
  return block;
}

bool Reader::load_next() {
  const std::vector<std::uint32_t>& blocks = file_.blocks_of(rank_);
  if (next_block_ == blocks.size()) return false;
  auto loaded = file_.load(file_.index().blocks[blocks[next_block_++]]);
  if (!loaded) {
    fail(loaded.error().text);
    return false;
  }
  next_request_ = loaded.value().next_request;
  if (const char* problem = block_.load(std::move(loaded.value().columns), loaded.value().actions)) {
    fail(problem);
    return false;
  }
  is_empty_ = false;
  return true;
}

bool Reader::next(Event& event) {
  if (problem_) return false;
  while (is_empty_ || block_.is_at_end())
    if (!load_next()) return false;
  ++number_;
  if (const char* problem = block_.next(event)) {
    fail(problem);
    return false;
  }
  return true;
}

void Reader::fail(const std::string& what) {
  if (problem_) return;
  problem_ = Error{file_.path() + ": the file is damaged: rank " + std::to_string(rank_) + ", action " +
                   std::to_string(number_) + ": " + what};
}

}  // namespace rehearse::trace::rtrace
