// SPDX-License-Identifier: MIT
//
// Writes a file while its ranks run, in any order between ranks.
//
// Method:  an event is first noted in a list of its rank, and encoded with some others. So the state of the encoding,
//          which is different for each rank, is read rarely and then often.
// Memory:  a block of each rank, and about 20 bytes for each written block.
// Errors:  create() and finish(): the path, and the system's reason.
// Threads: none.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "simcore/support/result.hpp"
#include "trace/rtrace/block.hpp"
#include "trace/rtrace/block_index.hpp"
#include "trace/rtrace/event.hpp"
#include "trace/rtrace/layout.hpp"
#include "trace/rtrace/tables.hpp"

namespace rehearse::trace::rtrace {

class Writer {
 public:
  // `about`: JSON. `has_reductions`: the volumes of reductions are among the actions.
  static Result<std::unique_ptr<Writer>> create(const std::string& path, std::uint32_t ranks, const std::string& about,
                                                bool has_reductions = false);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // The rank's next action. `answer`: null if there was none. `took`: the duration of a read of the clock. `site`:
  // Program::site().
  void append(ActorId rank, const Operation& operation, const Observation* answer, Duration took, std::uint64_t site);
  // A receive with a wildcard, or an Observe that is answered in some way: see Asked::is_undecided.
  void append_undecided(ActorId rank, const Operation& operation);
  // A receive with a wildcard gets a message; before or after it is appended.
  void set_took(ActorId rank, RequestId receive, std::uint32_t source, Tag tag);

  std::uint64_t actions() const { return actions_; }
  std::uint64_t bytes() const { return offset_; }

  // Completes the file. `find_site` gives the place of a site. `about`: JSON object with more members; empty: none.
  using FindSite = std::function<void(Site&)>;
  Result<void> finish(const FindSite& find_site, std::string about = {});

 private:
  struct OpenWildcard {
    std::uint32_t wildcard = 0;  // in its block
    std::uint64_t block = 0;     // of the rank
  };
  // An event that is not encoded, in front of its numbers.
  struct Noted {
    std::uint64_t name;  // name_of_key()
    std::uint32_t first_request;
    std::uint32_t numbers;
    std::int64_t volume;
  };
  struct Rank {
    std::uint32_t next_request = 0;
    std::uint32_t noted = 0;  // events in `notes`
    std::size_t notes_end = 0;
    std::vector<std::uint64_t> notes;  // each a Noted and its numbers, up to notes_end
    BlockWriter block;
    std::uint64_t blocks = 0;
    std::uint32_t first_request = 0;  // next_request at the start of the block
    std::unordered_map<std::uint32_t, OpenWildcard> open;
    LateTook early;  // of a receive that is not appended yet
    bool has_early = false;
  };

  Writer(std::string path, std::FILE* file, std::uint32_t ranks);
  void note(std::uint32_t rank, std::uint32_t first_request);
  void encode(std::uint32_t rank);
  void encode(std::uint32_t rank, const EventView& event, std::uint32_t first_request);
  void write_wildcard(std::uint32_t rank, const Post& post, std::uint32_t first_request);
  void flush(std::uint32_t rank);
  void write_chunk(ChunkKind kind, const Bytes& content);
  void write(const void* data, std::size_t bytes);

  std::string path_;
  std::FILE* file_;
  std::uint64_t offset_ = 0;
  bool has_failed_ = false;
  std::uint32_t block_actions_;
  std::vector<Rank> ranks_;
  Tables tables_;
  Index index_;
  Event event_;
  std::uint64_t actions_ = 0;
};

}  // namespace rehearse::trace::rtrace
