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

Result<std::unique_ptr<Writer>> Writer::create(const std::string& path, std::uint32_t ranks, const std::string& about,
                                               bool has_reductions) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return Error{path + ": cannot write: " + std::strerror(errno)};
  std::unique_ptr<Writer> writer(new Writer(path, file, ranks));
  Bytes preamble(magic.begin(), magic.end());
  put_fixed(preamble, version, 4);
  writer->write(preamble.data(), preamble.size());
  Bytes header;
  put(header, std::uint64_t{ranks});
  put(header, has_reductions ? feature::reductions : 0);
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
  const std::uint32_t first_request = rank.next_request;
  to_event(operation, answer, took, rank.next_request, tables_, event_);
  event_.site = tables_.site(site);
  ++actions_;
  if (is_wildcard(event_.kind, event_.flags)) return write_wildcard(id.value, std::get<Post>(operation), first_request);
  if (event_.kind == EventKind::observe && event_.has(flag::withdraws) && answer != nullptr && !answer->flag)
    index_.ranks[id.value].withdrawn.push_back(std::get<Observe>(operation).requests.front().value);
  note(id.value, first_request);
}

void Writer::append_undecided(ActorId id, const Operation& operation) {
  static constexpr Observation no_answer{false, {}, {}, nullptr, {}, {}};
  Rank& rank = ranks_[id.value];
  const std::uint32_t first_request = rank.next_request;
  to_event(operation, &no_answer, {}, rank.next_request, tables_, event_);
  event_.site = 0;
  event_.flags |= flag::undecided;
  ++actions_;
  note(id.value, first_request);
}

void Writer::note(std::uint32_t number, std::uint32_t first_request) {
  constexpr std::uint32_t most_noted = 64;
  constexpr std::size_t head = sizeof(Noted) / sizeof(std::uint64_t);
  Rank& rank = ranks_[number];
  const Noted noted{name_of_key(event_), first_request, static_cast<std::uint32_t>(event_.numbers.size()),
                    event_.volume};
  const std::size_t end = rank.notes_end + head + event_.numbers.size();
  if (end > rank.notes.size()) rank.notes.resize(2 * end);
  std::uint64_t* at = rank.notes.data() + rank.notes_end;
  rank.notes_end = end;
  std::memcpy(at, &noted, sizeof noted);
  at += head;
  for (const std::int64_t each : event_.numbers) *at++ = static_cast<std::uint64_t>(each);
  if (++rank.noted == most_noted) encode(number);
}

void Writer::encode(std::uint32_t number) {
  Rank& rank = ranks_[number];
  const std::uint64_t* at = rank.notes.data();
  for (; rank.noted > 0; --rank.noted) {
    Noted noted{};
    std::memcpy(&noted, at, sizeof noted);
    at += sizeof noted / sizeof *at;
    encode(number, {noted.name, {reinterpret_cast<const std::int64_t*>(at), noted.numbers}, noted.volume, {}},
           noted.first_request);
    at += noted.numbers;
  }
  rank.notes_end = 0;
}

// `first_request`: the number of the rank's next request before the event.
void Writer::encode(std::uint32_t number, const EventView& event, std::uint32_t first_request) {
  Rank& rank = ranks_[number];
  if (rank.block.size() == 0) rank.first_request = first_request;
  rank.block.append(event);
  if (rank.block.size() >= block_actions_) flush(number);
}

// The message may become known later, so the place of the event in its block matters.
void Writer::write_wildcard(std::uint32_t number, const Post& post, std::uint32_t first_request) {
  encode(number);
  Rank& rank = ranks_[number];
  if (std::exchange(rank.has_early, false) && rank.early.request == post.request.value) event_.took = rank.early.took;
  else rank.open[post.request.value] = {rank.block.wildcards(), rank.blocks};
  encode(number, {name_of_key(event_), event_.numbers, event_.volume, event_.took}, first_request);
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
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    encode(rank);
    flush(rank);
  }
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
