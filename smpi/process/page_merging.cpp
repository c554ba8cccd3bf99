// SPDX-License-Identifier: MIT
//
// Finds equal runs of pages, and maps them from one file.
//
// Method: pages that are private to this process are hashed, rank by rank in ascending order. A page that equals a page
//         of the file, or of an earlier rank, begins a run, which extends as long as both continue with equal pages. So
//         an array that ranks have in common becomes one mapping in each rank, although all its pages may be equal.
#include "smpi/page_merging.hpp"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "simcore/support/format.hpp"
#include "simcore/support/hash.hpp"
#include "simcore/support/page.hpp"
#include "smpi/process/mapping.hpp"
#include "smpi/process/memory_file.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t view_bytes = std::uint64_t{1} << 40;  // the most that the file ever holds
constexpr std::chrono::milliseconds look_again{1};            // a look costs about a microsecond
constexpr int set_memory_merge = 67;                          // of prctl; absent from the headers of Debian 12

std::uintptr_t number_of(const std::byte* address) { return reinterpret_cast<std::uintptr_t>(address); }
std::byte* pointer_to(std::uintptr_t address) { return reinterpret_cast<std::byte*>(address); }

bool are_equal(const std::byte* page, const std::byte* other) { return std::memcmp(page, other, page_bytes) == 0; }

bool is_zero(const std::byte* page) {
  static constexpr std::array<std::byte, page_bytes> zeros{};
  return *page == std::byte{} && are_equal(page, zeros.data());
}

}  // namespace

PageMerging::~PageMerging() {
  if (view_ != nullptr) munmap(view_, view_bytes);
  if (file_ >= 0) close(file_);
}

bool PageMerging::open_file() {
  if (file_ >= 0) return true;
  is_failed_ = true;  // until all of this is done
  room_ = mapping_room().mappings / 2;
  file_ = memfd_create("rehearse-merged", MFD_CLOEXEC);
  if (file_ < 0) return false;
  void* view = mmap(nullptr, view_bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, file_, 0);
  if (view == MAP_FAILED) return false;
  view_ = static_cast<std::byte*>(view);
  is_failed_ = false;
  return true;
}

bool PageMerging::is_due() {
  const auto now = std::chrono::steady_clock::now();
  if (is_failed_ || now - looked_ < look_again) return false;
  looked_ = now;
  std::ifstream statm("/proc/self/statm");
  std::uint64_t virtual_pages = 0, resident = 0, of_files = 0;
  if (!(statm >> virtual_pages >> resident >> of_files)) return false;
  const std::uint64_t bytes = (resident - std::min(resident, of_files)) * page_bytes;
  private_after_ = std::min(private_after_, bytes);
  return bytes >= private_after_ + std::max(every_, private_after_ / 4);
}

void PageMerging::scan(std::span<const Area> ranks) {
  if (is_failed_ || !open_file()) return;
  measure();
  for (const Area& area : ranks) merge_rank(area);
  candidates_.clear();
  own_.clear();
  earlier_.clear();
  ++most_.scans;
  most_.zeros = zeros_;
  count_users();
  madvise(view_, pages_.size() * page_bytes, MADV_DONTNEED);
  private_after_ = process_memory().of_process;
}

void PageMerging::merge_rank(const Area& area) {
  own_.clear();
  std::vector<ByteRange> runs;
  for (const ByteRange& part : area) {
    const ByteRange pages{pointer_to(page_ceiling(number_of(part.begin))), pointer_to(page_floor(number_of(part.end)))};
    if (pages.begin < pages.end) append_private(pages, runs);
  }
  for (const ByteRange& run : runs)
    for (const std::byte* page = run.begin; page < run.end;) page = merge_pages(page, run);
  const std::byte** end = nullptr;  // of the last run of pages of this rank
  for (const auto& [hash, page] : own_) {
    candidates_.emplace(hash, page);
    if (end == nullptr || *end != page) end = &earlier_.insert_or_assign(page, page).first->second;
    *end = page + page_bytes;
  }
}

// Returns the next page to look at.
const std::byte* PageMerging::merge_pages(const std::byte* page, const ByteRange& run) {
  if (const std::uint64_t pages = droppable(page, run.end); pages > 0) {
    madvise(const_cast<std::byte*>(page), pages * page_bytes, MADV_DONTNEED);
    return page + pages * page_bytes;
  }
  std::uint64_t hash = hash_in_memory(page, page_bytes);
  const Match match = find(page, hash);
  const std::uint64_t pages = match.page == nullptr ? 1 : length_of(page, run.end, match);
  if (match.page != nullptr && pages >= shortest() && share(page, pages, match)) return page + pages * page_bytes;
  const std::byte* end = page + pages * page_bytes;
  while (page < end) {
    own_.emplace_back(hash, page);
    page += page_bytes;
    if (page < end) hash = hash_in_memory(page, page_bytes);
  }
  return end;
}

// The number of pages from here on that keep their content when the kernel takes them back: pages of zeros, and private
// copies that equal their page of the file again.
std::uint64_t PageMerging::droppable(const std::byte* page, const std::byte* end) {
  std::uint64_t pages = 0;
  for (; page < end; page += page_bytes, ++pages) {
    const Place place = place_of(page);
    if (place.is_merged && (place.page == nullptr || !are_equal(page, place.page))) break;
    if (!place.is_merged && !is_zero(page)) break;
    zeros_ += place.is_merged ? 0 : 1;
  }
  return pages;
}

PageMerging::Place PageMerging::place_of(const std::byte* page) const {
  auto run = runs_.upper_bound(number_of(page));
  if (run == runs_.begin()) return {};
  --run;
  const std::uint64_t at = (number_of(page) - run->first) / page_bytes;
  if (at >= run->second.pages) return {};
  const std::uint64_t index = run->second.first + at;
  return {true, pages_[index].is_there ? view_ + index * page_bytes : nullptr};
}

PageMerging::Match PageMerging::find(const std::byte* page, std::uint64_t hash) const {
  if (const auto known = by_hash_.find(hash); known != by_hash_.end())
    if (const std::byte* in_file = view_ + known->second * page_bytes; are_equal(page, in_file)) return {in_file, true};
  const auto candidate = candidates_.find(hash);
  if (candidate == candidates_.end() || end_of_earlier(candidate->second) == nullptr) return {};
  return are_equal(page, candidate->second) ? Match{candidate->second, false} : Match{};
}

// The end of the private run of an earlier rank that has this page; null: it has been merged.
const std::byte* PageMerging::end_of_earlier(const std::byte* page) const {
  const auto after = earlier_.upper_bound(page);
  if (after == earlier_.begin() || std::prev(after)->second <= page) return nullptr;
  return std::prev(after)->second;
}

// The number of pages from here on that equal the matching ones.
std::uint64_t PageMerging::length_of(const std::byte* page, const std::byte* end, const Match& match) const {
  const std::byte* limit = match.is_in_file ? view_ + pages_.size() * page_bytes : end_of_earlier(match.page);
  const std::byte* other = match.page;
  std::uint64_t pages = 0;
  for (; page < end && other < limit; page += page_bytes, other += page_bytes, ++pages) {
    if (match.is_in_file && !pages_[static_cast<std::uint64_t>(other - view_) / page_bytes].is_there) break;
    if (!are_equal(page, other)) break;
  }
  return pages;
}

// A mapping costs the kernel memory, too, and their number is limited. So with fewer left, runs must be longer.
std::uint64_t PageMerging::shortest() const {
  const std::uint64_t used = 2 * runs_.size();
  return used < room_ / 2 ? shortest_run : used < room_ / 4 * 3 ? 4 * shortest_run : 16 * shortest_run;
}

bool PageMerging::share(const std::byte* page, std::uint64_t pages, const Match& match) {
  if (2 * runs_.size() + 4 > room_) {
    most_.is_limited = true;
    return false;
  }
  if (match.is_in_file) return map(page, pages, static_cast<std::uint64_t>(match.page - view_) / page_bytes);
  const std::uint64_t first = pages_.size();
  if (!append(match.page, pages) || !map(match.page, pages, first)) return false;
  const std::byte* begin = match.page;
  const std::byte* end = begin + pages * page_bytes;
  const auto run = std::prev(earlier_.upper_bound(begin));
  const std::byte* end_of_run = std::exchange(run->second, begin);
  if (run->first == begin) earlier_.erase(run);
  if (end < end_of_run) earlier_.emplace(end, end_of_run);
  return map(page, pages, first);
}

bool PageMerging::append(const std::byte* from, std::uint64_t pages) {
  const std::uint64_t at = pages_.size() * page_bytes;
  if (at + pages * page_bytes > view_bytes || !write_all(file_, from, pages * page_bytes, at)) return false;
  for (std::uint64_t i = 0; i < pages; ++i) {
    const std::uint64_t hash = hash_in_memory(from + i * page_bytes, page_bytes);
    by_hash_.emplace(hash, pages_.size());
    pages_.push_back({hash, true});
  }
  return true;
}

bool PageMerging::map(const std::byte* page, std::uint64_t pages, std::uint64_t first) {
  const int protection = PROT_READ | PROT_WRITE | (is_executable_ ? PROT_EXEC : 0);
  const std::uint64_t bytes = pages * page_bytes;
  if (mmap(const_cast<std::byte*>(page), bytes, protection, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file_,
           static_cast<off_t>(first * page_bytes)) == MAP_FAILED) {
    most_.is_limited = true;
    return false;
  }
  cut(number_of(page), number_of(page) + bytes);
  runs_[number_of(page)] = {pages, first};
  return true;
}

// The part is not merged any more.
void PageMerging::cut(std::uintptr_t begin, std::uintptr_t end) {
  auto run = runs_.upper_bound(begin);
  if (run != runs_.begin()) --run;
  while (run != runs_.end() && run->first < end) {
    const auto [at, whole] = *run;
    const std::uintptr_t end_of_run = at + whole.pages * page_bytes;
    if (end_of_run <= begin) {
      ++run;
      continue;
    }
    run = runs_.erase(run);
    if (at < begin) runs_[at] = {(begin - at) / page_bytes, whole.first};
    if (end < end_of_run) runs_[end] = {(end_of_run - end) / page_bytes, whole.first + (end - at) / page_bytes};
  }
}

void PageMerging::separate(ByteRange range, bool keeps_content) {
  if (runs_.empty()) return;
  const std::uintptr_t begin = page_floor(number_of(range.begin)), end = page_ceiling(number_of(range.end));
  const int protection = PROT_READ | PROT_WRITE | (is_executable_ ? PROT_EXEC : 0);
  auto run = runs_.upper_bound(begin);
  if (run != runs_.begin()) --run;
  std::vector<std::byte> content;
  for (; run != runs_.end() && run->first < end; ++run) {
    const std::uintptr_t from = std::max(begin, run->first);
    const std::uintptr_t to = std::min(end, run->first + run->second.pages * page_bytes);
    if (to <= from) continue;
    if (keeps_content) content.assign(pointer_to(from), pointer_to(to));
    mmap(pointer_to(from), to - from, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    madvise(pointer_to(from), to - from, MADV_NOHUGEPAGE);  // as the memory around it
    if (keeps_content) std::memcpy(pointer_to(from), content.data(), content.size());
  }
  cut(begin, end);
}

// Pages of the file that no rank uses any more give their memory back.
void PageMerging::count_users() {
  std::vector<bool> is_used(pages_.size());
  std::uint64_t merged = 0;
  std::vector<ByteRange> copies;
  for (const auto& [at, run] : runs_) {
    copies.clear();
    append_private({pointer_to(at), pointer_to(at + run.pages * page_bytes)}, copies);
    copies.push_back({pointer_to(at + run.pages * page_bytes), nullptr});
    std::uint64_t page = 0;
    for (const ByteRange& copy : copies) {
      const std::uint64_t end = (number_of(copy.begin) - at) / page_bytes;
      for (merged += end - page; page < end; ++page) is_used[run.first + page] = true;
      page = (number_of(copy.end) - at) / page_bytes;
    }
  }
  std::uint64_t shared = 0;
  for (std::uint64_t i = 0; i < pages_.size(); ++i) {
    shared += is_used[i] ? 1 : 0;
    if (is_used[i] || !pages_[i].is_there) continue;
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(i * page_bytes), page_bytes);
    pages_[i].is_there = false;
    if (const auto known = by_hash_.find(pages_[i].hash); known != by_hash_.end() && known->second == i)
      by_hash_.erase(known);
  }
  if (merged - shared < most_.merged - most_.shared) return;
  most_.merged = merged;
  most_.shared = shared;
  most_.mappings = runs_.size();
}

void PageMerging::measure() {
  const ProcessMemory now = process_memory();
  most_.resident = std::max(most_.resident, now.of_process + now.of_files + resident_bytes(file_));
}

MergedMemory PageMerging::most_memory() {
  measure();
  return most_;
}

Result<void> merge_by_kernel(const std::string& folder) {
  int runs = 0;
  std::ifstream in(folder + "/run");
  if (!(in >> runs)) return Error{folder + "/run: this kernel does not merge equal pages (KSM)"};
  if (runs != 1)
    return Error{
        fmt::format("{}/run: {}: the kernel's scanner of equal pages (KSM) is off; accepted: 1", folder, runs)};
  if (prctl(set_memory_merge, 1, 0, 0, 0) == 0) return {};
  return Error{fmt::format("this kernel cannot merge equal pages of a process (PR_SET_MEMORY_MERGE, Linux 6.4): {}",
                           std::strerror(errno))};
}

}  // namespace rehearse::smpi
