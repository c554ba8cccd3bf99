// SPDX-License-Identifier: MIT
//
// An archive that a child process reads with libotf2, as definitions and events. Damaged archives make libotf2 crash or
// never end, which must not happen to us.
//
// Errors:   without the name of the file. If libotf2 crashes, or reads nothing for 5 s of processor time, they say so.
// Protocol: definitions() once, then next() until it returns false. The events of a rank end with end_of_rank; ranks
//           follow each other as in Definitions::locations.
// Threads:  none.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/otf2/definitions.hpp"

namespace rehearse::trace::otf2 {

// Kind says which fields count.
struct ArchiveEvent {
  enum class Kind : std::uint8_t {
    enter,                // time, ref: region
    leave,                // the same
    counter,              // bytes: instructions
    real_counter,         // bytes: the bits of a double
    send,                 // peer, ref: communicator, tag, bytes
    isend,                // the same, and request
    isend_complete,       // request
    irecv_request,        // request
    irecv,                // as isend
    recv,                 // as send
    cancelled,            // request
    collective,           // operation, ref: communicator, peer: root, bytes, received
    collective_request,   // request
    collective_complete,  // as collective, and request
    end_of_rank
  } kind{};
  std::uint32_t ref = 0, peer = 0, tag = 0, operation = 0;
  std::uint64_t time = 0, bytes = 0, received = 0, request = 0;
};
static_assert(std::is_trivially_copyable_v<ArchiveEvent>);

class ArchiveProcess {
 public:
  explicit ArchiveProcess(std::string file);
  ~ArchiveProcess();  // ends the child
  ArchiveProcess(const ArchiveProcess&) = delete;
  ArchiveProcess& operator=(const ArchiveProcess&) = delete;

  Result<Definitions> definitions();
  // False: the end, or a problem.
  bool next(ArchiveEvent& event);
  // Why there is no further event.
  const std::string& problem() const { return problem_; }

 private:
  bool take(void* target, std::size_t bytes);
  bool take(std::string& text);
  bool fill();
  void end_child();

  int pipe_ = -1;
  pid_t child_ = -1;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::string problem_;
};

// ---- the side of the child

class PipeWriter {
 public:
  explicit PipeWriter(int out) : out_(out) {}
  void add(const ArchiveEvent& event);
  void flush();
  bool is_broken() const { return is_broken_; }

 private:
  int out_;
  std::string text_;
  bool is_broken_ = false;
};

void send_definitions(const Definitions& definitions, int out);
// Behind everything else. `problem`: empty if the archive was read.
void send_end(const std::string& problem, int out);
[[noreturn]] void be_archive_process(const std::string& file, int out, int parent);

}  // namespace rehearse::trace::otf2
