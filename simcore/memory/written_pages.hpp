// SPDX-License-Identifier: MIT
//
// The pages of a range that were written since the last query: the kernel protects them against writing, notes the
// first write to each and permits it (userfaultfd with asynchronous write protection, Linux 6.7 on).
//
// Cost:    a microsecond for each page that is written for the first time, some nanoseconds for each page of a query.
// Errors:  watch() returns null if the kernel does not support this. In a forked process, all present pages count as
//          written once.
// Threads: none.
#pragma once

#include <sys/types.h>

#include <memory>
#include <vector>

#include "simcore/memory/pages.hpp"

namespace rehearse {

class WrittenPages {
 public:
  // `range`: whole pages of private memory. Null: the kernel does not report them.
  static std::unique_ptr<WrittenPages> watch(ByteRange range);
  ~WrittenPages();
  WrittenPages(const WrittenPages&) = delete;
  WrittenPages& operator=(const WrittenPages&) = delete;

  ByteRange range() const { return range_; }
  void extend(std::byte* end);

  // Appends the runs of present pages that were written since the last call; at the first call, all present pages.
  void take(std::vector<ByteRange>& out);
  // Appends the runs of absent pages, which read as zero.
  void append_absent(std::vector<ByteRange>& out);

 private:
  explicit WrittenPages(ByteRange range) : range_(range) {}
  bool begin();
  void end();
  bool protect(ByteRange range);
  bool scan(const struct PageQuestion& question, std::vector<ByteRange>& out) const;

  ByteRange range_;
  int faults_ = -1, pages_ = -1;  // descriptors; -1: the kernel does not report any more
  pid_t process_ = 0;             // the process whose memory they observe
};

}  // namespace rehearse
