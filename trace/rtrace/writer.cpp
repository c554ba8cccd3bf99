// SPDX-License-Identifier: MIT
//
// See writer.hpp.
#include "trace/rtrace/writer.hpp"

#include <cerrno>
#include <cstring>
#include <utility>
#include <variant>

#include "trace/rtrace/bytes.hpp"
#include "trace/rtrace/compression.hpp"
#include "trace/rtrace/event_conversion.hpp"

namespace rehearse::trace::rtrace {

namespace {

void put_packed(Bytes& out, std::span<const std::uint8_t> bytes) {
  put(out, std::uint64_t{bytes.size()});
  compress(bytes, out);
}

}  // namespace

Result<std::unique_ptr<Writer>> Writer::create(const std::string& path, std::uint32_t ranks, const std::string& about) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return Error{path + ": cannot write: " + std::strerror(errno)};
  std::unique_ptr<Writer> writer(new Writer(path, file, ranks));
  Bytes preamble(magic.begin(), magic.end());
  put_fixed(preamble, version, 4);
  writer->write(preamble.data(), preamble.size());
  Bytes header;
  put(header, std::uint64_t{ranks});
  put_packed(header, std::span(reinterpret_cast<const std::uint8_t*>(about.data()), about.size()));
  writer->write_chunk(ChunkKind::header, header);
  return writer;
}

Writer::Writer(std::string path, std::FILE* file, std::uint32_t ranks)
    : path_(std::move(path)), file_(file), block_actions_(block_actions(ranks)), ranks_(ranks) {
  index_.ranks.resize(ranks);
}

Writer::~Writer() {
  if (file_ != nullptr) std::fclose(file_);
}

void Writer::write(const void* data, std::size_t bytes) {
  offset_ += bytes;
  if (!has_failed_ && std::fwrite(data, 1, bytes, file_) != bytes) has_failed_ = true;
}

void Writer::write_chunk(ChunkKind kind, const Bytes& content) {
  Bytes head;
  head.push_back(static_cast<std::uint8_t>(kind));
  put_fixed(head, content.size(), 4);
  put_fixed(head, checksum(content), 4);
  write(head.data(), head.size());
  write(content.data(), content.size());
}

void Writer::append(ActorId id, const Operation& operation, const Observation* answer, Duration took,
                    std::uint64_t site) {
  Rank& rank = ranks_[id.value];
  if (rank.block.size() == 0) rank.first_request = rank.next_request;
  to_event(operation, answer, took, rank.next_request, tables_, event_);
  event_.site = tables_.site(site);
  ++actions_;
  if (is_wildcard(event_.kind, event_.flags)) {
    write_wildcard(rank, std::get<Post>(operation));
  } else {
    rank.block.append(event_);
    if (event_.kind == EventKind::observe && event_.has(flag::withdraws) && answer != nullptr && !answer->flag)
      index_.ranks[id.value].withdrawn.push_back(std::get<Observe>(operation).requests.front().value);
  }
  if (rank.block.size() >= block_actions_) flush(id.value);
}

void Writer::write_wildcard(Rank& rank, const Post& post) {
  if (std::exchange(rank.has_early, false) && rank.early.request == post.request.value) event_.took = rank.early.took;
  else rank.open[post.request.value] = {rank.block.wildcards(), rank.blocks};
  rank.block.append(event_);
}

void Writer::set_took(ActorId id, RequestId receive, std::uint32_t source, Tag tag) {
  Rank& rank = ranks_[id.value];
  const Took took{Took::State::message, source, tag};
  if (receive.value >= rank.next_request) {
    rank.early = {receive.value, took};
    rank.has_early = true;
    return;
  }
  const auto found = rank.open.find(receive.value);
  if (found == rank.open.end()) return;
  if (found->second.block == rank.blocks) rank.block.set_took(found->second.wildcard, took);
  else index_.ranks[id.value].late.push_back({receive.value, took});
  rank.open.erase(found);
}

void Writer::flush(std::uint32_t number) {
  Rank& rank = ranks_[number];
  if (rank.block.size() == 0) return;
  if (const Bytes additions = tables_.take_additions(); !additions.empty()) {
    Bytes content;
    put_packed(content, additions);
    index_.tables.push_back(offset_);
    write_chunk(ChunkKind::tables, content);
  }
  index_.blocks.push_back({offset_, number, rank.block.size()});
  Bytes content, columns;
  put(content, std::uint64_t{number});
  put(content, std::uint64_t{rank.block.size()});
  put(content, std::uint64_t{rank.first_request});
  rank.block.finish(columns);
  put_packed(content, columns);
  write_chunk(ChunkKind::block, content);
  ++rank.blocks;
}

Result<void> Writer::finish(const FindSite& find_site, std::string about) {
  index_.about = std::move(about);
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) flush(rank);
  for (Site& site : tables_.sites())
    if (site.number != 0) find_site(site);
  const std::uint64_t index_offset = offset_;
  Bytes content;
  put_packed(content, write_index(index_, tables_));
  write_chunk(ChunkKind::index, content);
  Bytes trailer;
  put_fixed(trailer, index_offset, 8);
  trailer.insert(trailer.end(), end_magic.begin(), end_magic.end());
  write(trailer.data(), trailer.size());
  errno = 0;
  const bool is_closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (has_failed_ || !is_closed)
    return Error{path_ + ": cannot write: " + (errno == 0 ? "the disk may be full" : std::strerror(errno))};
  return {};
}

}  // namespace rehearse::trace::rtrace
