// SPDX-License-Identifier: MIT
//
// An .rtrace file: its header, tables and index; and a reader of the actions of one rank.
//
// Memory:  one block of each rank that is read.
// Errors:  open(): not this format, a newer version, damage of header, tables or index. A reader: a damaged block. Each
//          is one line that begins with the path.
// Cut:     a file that ends early is read up to its last whole block; cut_off() says so.
// Threads: none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/rtrace/block.hpp"
#include "trace/rtrace/block_index.hpp"
#include "trace/rtrace/compression.hpp"
#include "trace/rtrace/event.hpp"
#include "trace/rtrace/tables.hpp"

namespace rehearse::trace::rtrace {

// Whether a file that begins like this is one.
bool looks_like_rtrace(std::string_view beginning);

class File {
 public:
  static Result<std::unique_ptr<File>> open(const std::string& path);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& path() const { return path_; }
  std::uint32_t ranks() const { return ranks_; }
  const std::string& about() const { return about_; }
  // Whether the volumes of reductions are among the actions.
  bool has_reductions() const { return has_reductions_; }
  const Tables& tables() const { return tables_; }
  const Index& index() const { return index_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t actions(std::uint32_t rank) const;
  // Nothing: the file is whole.
  const std::optional<std::string>& cut_off() const { return cut_off_; }
  // Blocks of a rank, as indices into index().blocks.
  const std::vector<std::uint32_t>& blocks_of(std::uint32_t rank) const { return blocks_of_[rank]; }

  struct LoadedBlock {
    std::uint32_t rank = 0, actions = 0, next_request = 0;
    Bytes columns;
  };
  // The error does not name the path.
  Result<LoadedBlock> load(const BlockPlace& place) const;

 private:
  struct Chunk {
    std::uint8_t kind = 0;
    Bytes content;
    std::uint64_t end = 0;  // offset behind it
  };
  explicit File(std::string path) : path_(std::move(path)) {}
  Result<void> read();
  Result<void> read_header(std::uint64_t& offset);
  bool read_trailer(std::uint64_t& index_offset) const;
  Result<void> read_with_index(std::uint64_t index_offset);
  Result<void> read_without_index(std::uint64_t offset);
  bool add_tables(const Chunk& chunk);
  bool add_about(std::string_view more);
  // Nothing: it is not whole, or its checksum differs.
  std::optional<Chunk> chunk_at(std::uint64_t offset) const;
  bool read_bytes(std::uint64_t offset, void* to, std::size_t bytes) const;
  std::optional<Bytes> unpack(ByteReader& in) const;
  Error damaged(const std::string& what) const { return Error{path_ + ": the file is damaged: " + what}; }

  std::string path_;
  int file_ = -1;
  std::uint64_t bytes_ = 0;
  std::uint32_t ranks_ = 0;
  std::string about_;
  bool has_reductions_ = false;
  Tables tables_;
  Index index_;
  std::vector<std::vector<std::uint32_t>> blocks_of_;
  std::optional<std::string> cut_off_;
  mutable Decompressor decompressor_;
};

// The actions of one rank. The File must outlive it.
class Reader {
 public:
  Reader(const File& file, std::uint32_t rank) : file_(file), rank_(rank) {}

  // False: there are no more, or problem() says what is wrong with the next one.
  bool next(Event& event);
  // The block at hand, for repetitions (BlockReader::next_state()). Its states mean something until block_number()
  // changes, which is 0 before the first next().
  const BlockReader& block() const { return block_; }
  std::size_t block_number() const { return next_block_; }
  // Requires: block() knows the next state. False: problem() says what is wrong with it.
  bool skip() {
    ++number_;
    const char* problem = block_.skip();
    if (problem != nullptr) [[unlikely]]
      fail(problem);
    return problem == nullptr;
  }
  const std::optional<Error>& problem() const { return problem_; }
  // Of the last action, from 1 on.
  std::uint64_t number() const { return number_; }
  Caller caller() const { return {{rank_}, file_.ranks()}; }
  // Before the first action of a block: the number of the rank's next request. Otherwise as it was set.
  std::uint32_t& next_request() { return next_request_; }
  void fail(const std::string& what);

 private:
  bool load_next();

  const File& file_;
  std::uint32_t rank_;
  BlockReader block_;
  std::size_t next_block_ = 0;
  std::uint64_t number_ = 0;
  std::uint32_t next_request_ = 0;
  bool is_empty_ = true;
  std::optional<Error> problem_;
};

}  // namespace rehearse::trace::rtrace
