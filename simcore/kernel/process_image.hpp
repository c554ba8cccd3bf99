// SPDX-License-Identifier: MIT
//
// A hash of the memory of this process, to recognise a state in which it was before.
//
// Counts:  all private memory that the process can write, without the parts that are left out. Equal hashes mean equal
//          bytes at equal addresses. Pages of zeros do not count, whether they were touched or not.
// Leaves out by itself: memory that is shared with other processes, such as that of this object; the thread's number in
//          the control block of the C library; the part of the heap that was never handed out (mallinfo2).
// Memory:  allocates nothing after its construction, because the heap counts.
// Threads: the process has one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "simcore/support/wide_hash.hpp"

namespace rehearse::sim::kernel {

class ProcessImage {
 public:
  ProcessImage();
  ~ProcessImage();
  ProcessImage(const ProcessImage&) = delete;
  ProcessImage& operator=(const ProcessImage&) = delete;

  void begin();  // forgets the last image
  void leave_out(const void* begin, std::size_t bytes);
  void leave_out(const void* begin, const void* end);
  void add(const void* begin, const void* end);  // counts, although it is in a range that is left out
  // Count; their order does not.
  void add_to_set(std::uint64_t word) { add_to_set(&word, sizeof word); }
  void add_to_set(const void* bytes, std::size_t count);

  // Empty: too many parts, or memory that is mapped as shared (shares_memory()).
  std::optional<WideHash> hash();
  bool shares_memory() const { return shares_memory_; }

 private:
  struct Range {
    std::uintptr_t begin, end;
  };
  struct Shared;

  void take_range(std::uintptr_t begin, std::uintptr_t end);
  void take_bytes(std::uintptr_t begin, std::uintptr_t end);
  bool read_map();
  void mix(const void* bytes, std::size_t count, std::uint64_t address);

  Shared* shared_ = nullptr;
  const void* thread_number_ = nullptr;  // its place in the control block; null: not found
  std::size_t left_out_count_ = 0;
  bool has_too_many_ = false;
  bool shares_memory_ = false;
  WideHash all_;
  WideHash set_;
};

}  // namespace rehearse::sim::kernel
