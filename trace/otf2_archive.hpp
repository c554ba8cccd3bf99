// SPDX-License-Identifier: MIT
//
// Archives of the Open Trace Format 2: recorded executions with dates.
//
// Built:  with libotf2 where it was found. Otherwise has_otf2() is false, and the functions return an error that says
// so. Units:  dates in picoseconds; bytes. Errors: the file, with the error of libotf2. Source: OTF2 3.0 (VI-HPS);
// sizes of collectives as Score-P records them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "simcore/support/result.hpp"
#include "simcore/time.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace {

bool has_otf2();

// A record of a rank. Its kind says which fields count.
struct ArchiveRecord {
  enum class Kind : std::uint8_t {
    enter,               // region
    leave,               // region
    send,                // peer, tag, bytes: of the world
    isend,               // the same, and request
    isend_complete,      // request
    irecv_request,       // request
    irecv,               // peer, tag, bytes, request
    recv,                // peer, tag, bytes
    collective_begin,    // nothing
    collective_end,      // collective, communicator, root, bytes (sent), received
    collective_request,  // request
    collective_complete  // request, collective, communicator, root, bytes (sent), received
  } kind{};
  CollectiveKind collective = CollectiveKind::by_flow;
  std::uint32_t region = 0;
  std::uint32_t peer = 0;
  std::uint32_t communicator = 0;
  std::uint32_t root = ~0u;  // none
  Tag tag = 0;
  TimePoint date;
  std::uint64_t bytes = 0, received = 0, request = 0;
};

struct ArchiveContent {
  std::string platform;
  std::vector<std::string> hosts;                         // by rank
  std::vector<std::string> regions;                       // functions of MPI (MPI_...) and others
  std::vector<std::vector<std::uint32_t>> communicators;  // members as ranks; the first one is the world
  std::vector<std::vector<ArchiveRecord>> records;        // by rank, in the order of dates
  TimePoint end;
};
// `file` ends with .otf2. The folder with the same name, without the ending, and FILE.def belong to it.
Result<void> write_archive(const std::string& file, const ArchiveContent& content);

// An anchor file begins with a kind of block, a byte order, and the name of the format.
inline bool looks_like_archive(std::string_view beginning) {
  return beginning.size() > 6 && beginning.substr(2, 5) == std::string_view("OTF2\0", 5);
}

// The calls of MPI in an archive. The time between two calls is computation: `flops_per_second` for each second, or the
// counter PAPI_TOT_INS, if the archive has it, with one flop for each instruction. Memory: all actions.
Result<std::unique_ptr<Trace>> open_archive(const std::string& file);
inline constexpr double archive_flops_per_second = 1e10;

}  // namespace rehearse::trace
