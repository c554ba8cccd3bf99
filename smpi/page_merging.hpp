// SPDX-License-Identifier: MIT
//
// Merged memory: equal pages of different ranks are one physical page until a rank writes to one of them. The program
// cannot see it.
//
// Method:    a scan between two steps of ranks compares the private pages of all ranks. Runs of equal pages become
//            private mappings of one file in memory, so a write makes a private copy of its page. Pages of zeros go
//            back to the kernel.
// When:      memory has grown by a number of bytes, and by a quarter, since the last scan. The time is looked at to
//            save requests to the kernel; it decides only about memory.
// Not here:  stacks, small blocks, free memory, and equal pages within a rank.
// Snapshots: cannot save merged memory: the kernel does not report its pages as touched. See merge_by_kernel().
// Errors:    when the kernel allows no more mappings or files, pages stay private.
// Ownership: outside the memory of ranks; lives longer than the program.
// Threads:   none. separate() runs on a rank within a HostAllocation, the others between the steps of ranks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simcore/actor_memory.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::smpi {

// Pages are of 4 KiB. The numbers of pages and mappings are those of the scan after which merging saved most.
struct MergedMemory {
  std::uint64_t scans = 0;
  std::uint64_t merged = 0;  // pages of ranks that are merged
  std::uint64_t shared = 0;  // physical pages behind them
  std::uint64_t mappings = 0;
  std::uint64_t zeros = 0;     // pages of zeros that went back to the kernel, in all scans
  std::uint64_t resident = 0;  // physical memory of this process when it was largest, in bytes; a page counts once
  bool is_limited = false;     // pages stayed private because the kernel allows no more mappings
};

class PageMerging {
 public:
  explicit PageMerging(std::uint64_t every_bytes) : every_(every_bytes) {}
  ~PageMerging();
  PageMerging(const PageMerging&) = delete;
  PageMerging& operator=(const PageMerging&) = delete;

  // For ranks that also have code in their memory (Mapping::copied).
  void make_executable() { is_executable_ = true; }

  // Whether memory has grown enough for a scan.
  bool is_due();

  // The memory of a rank that may be merged: disjoint, ascending.
  using Area = std::vector<ByteRange>;
  static constexpr std::uint64_t smallest_block = 64 << 10;  // smaller ones have no run of pages that is long enough
  void scan(std::span<const Area> ranks);

  // Makes the memory private again, before it is cleared or released. Without `keeps_content`, merged pages become
  // zero.
  void separate(ByteRange range, bool keeps_content);

  // Now, or the most so far.
  MergedMemory most_memory();

 private:
  struct Run {  // of merged pages, by address
    std::uint64_t pages = 0;
    std::uint64_t first = 0;  // page of the file
  };
  struct FilePage {
    std::uint64_t hash = 0;
    bool is_there = false;
  };
  // Known equal content: a page of the file, or a private page of an earlier rank in this scan.
  struct Match {
    const std::byte* page = nullptr;  // null: none
    bool is_in_file = false;
  };
  using Runs = std::map<std::uintptr_t, Run>;

  // Where a page of a rank is mapped from.
  struct Place {
    bool is_merged = false;           // although the rank may have a private copy
    const std::byte* page = nullptr;  // of the file; null: it has none any more
  };
  static constexpr std::uint64_t shortest_run = 16;  // pages

  bool open_file();
  void merge_rank(const Area& area);
  const std::byte* merge_pages(const std::byte* page, const ByteRange& run);
  std::uint64_t droppable(const std::byte* page, const std::byte* end);
  Place place_of(const std::byte* page) const;
  Match find(const std::byte* page, std::uint64_t hash) const;
  const std::byte* end_of_earlier(const std::byte* page) const;
  std::uint64_t length_of(const std::byte* page, const std::byte* end, const Match& match) const;
  std::uint64_t shortest() const;
  bool share(const std::byte* page, std::uint64_t pages, const Match& match);
  bool append(const std::byte* from, std::uint64_t pages);
  bool map(const std::byte* page, std::uint64_t pages, std::uint64_t first);
  void cut(std::uintptr_t begin, std::uintptr_t end);
  void count_users();
  void measure();

  std::uint64_t every_;
  bool is_executable_ = false, is_failed_ = false;
  int file_ = -1;
  std::byte* view_ = nullptr;  // of the whole file
  std::vector<FilePage> pages_;
  std::unordered_map<std::uint64_t, std::uint64_t> by_hash_;  // pages of the file
  Runs runs_;
  std::uint64_t room_ = 0;  // for mappings
  MergedMemory most_;
  std::uint64_t zeros_ = 0, private_after_ = 0;
  std::chrono::steady_clock::time_point looked_ = {};

  // Of the current scan:
  std::unordered_map<std::uint64_t, const std::byte*> candidates_;     // pages of earlier ranks, by hash
  std::vector<std::pair<std::uint64_t, const std::byte*>> own_;        // of the current rank
  std::map<const std::byte*, const std::byte*, std::less<>> earlier_;  // private runs of earlier ranks: begin, end
};

// Lets the kernel merge equal pages of this process and of its later children (KSM), which snapshots do not notice.
// `folder`: of the kernel's settings. Errors: the kernel cannot, or its scanner is off.
Result<void> merge_by_kernel(const std::string& folder = "/sys/kernel/mm/ksm");

}  // namespace rehearse::smpi
