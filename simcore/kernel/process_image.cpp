// SPDX-License-Identifier: MIT
//
// See process_image.hpp. Reads /proc/self/maps.
#include "simcore/kernel/process_image.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>
#include <string_view>

#include "simcore/support/page.hpp"

namespace rehearse::sim::kernel {
namespace {

constexpr std::size_t ranges_max = 16384, map_bytes = std::size_t{1} << 20;
constexpr std::size_t first_number = 0x2d0;        // of glibc on x86-64
constexpr std::size_t control_block_bytes = 2304;  // at least the fixed part of it

// The place of the thread's number in its control block, which each copy of the process changes; null: not found. The
// first words are pointers, half of which can look like a number.
const void* place_of_thread_number() {
  const auto* block = reinterpret_cast<const char*>(pthread_self());
  const pid_t number = getpid();  // of the only thread
  for (std::size_t at = first_number; at + sizeof number <= control_block_bytes; at += 2 * sizeof(void*))
    if (std::memcmp(block + at, &number, sizeof number) == 0) return block + at;
  return nullptr;
}

bool is_zero(const char* bytes, std::size_t count) {
  return count == 0 || (bytes[0] == 0 && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

}  // namespace

struct ProcessImage::Shared {
  Range left_out[ranges_max];
  char map[map_bytes];
  std::size_t map_used;
};

ProcessImage::ProcessImage() {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  shared_ = static_cast<Shared*>(memory);
  thread_number_ = place_of_thread_number();
}

ProcessImage::~ProcessImage() { munmap(shared_, sizeof(Shared)); }

void ProcessImage::begin() {
  left_out_count_ = 0;
  has_too_many_ = shares_memory_ = false;
  all_ = set_ = {};
  leave_out(this, sizeof *this);
}

void ProcessImage::leave_out(const void* begin, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  if (bytes == 0) return;
  if (left_out_count_ == ranges_max) has_too_many_ = true;
  else shared_->left_out[left_out_count_++] = {at, at + bytes};
}

void ProcessImage::leave_out(const void* begin, const void* end) {
  leave_out(begin, static_cast<std::size_t>(static_cast<const char*>(end) - static_cast<const char*>(begin)));
}

void ProcessImage::mix(const void* bytes, std::size_t count, std::uint64_t address) {
  const WideHash content = wide_hash(bytes, count);
  const std::uint64_t words[] = {all_.low, all_.high, content.low, content.high, address, count};
  all_ = wide_hash(words, sizeof words);
}

void ProcessImage::add(const void* begin, const void* end) {
  take_bytes(reinterpret_cast<std::uintptr_t>(begin), reinterpret_cast<std::uintptr_t>(end));
}

void ProcessImage::add_to_set(const void* bytes, std::size_t count) {
  const WideHash hash = wide_hash(bytes, count);
  set_.low += hash.low;
  set_.high += hash.high;
}

// Page by page, so that zeros do not depend on the size of the mapping.
void ProcessImage::take_bytes(std::uintptr_t begin, std::uintptr_t end) {
  while (begin < end) {
    const std::uintptr_t next = std::min(end, (begin / page_bytes + 1) * page_bytes);
    const auto* bytes = reinterpret_cast<const char*>(begin);
    if (!is_zero(bytes, next - begin)) mix(bytes, next - begin, begin);
    begin = next;
  }
}

// Those parts of the range that are not left out; left_out is sorted.
void ProcessImage::take_range(std::uintptr_t begin, std::uintptr_t end) {
  for (std::size_t i = 0; i < left_out_count_ && begin < end; ++i) {
    const Range& hole = shared_->left_out[i];
    if (hole.end <= begin) continue;
    if (hole.begin >= end) break;
    if (hole.begin > begin) take_bytes(begin, hole.begin);
    begin = std::max(begin, hole.end);
  }
  if (begin < end) take_bytes(begin, end);
}

bool ProcessImage::read_map() {
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  shared_->map_used = 0;
  ssize_t got = 0;
  while ((got = read(file, shared_->map + shared_->map_used, map_bytes - shared_->map_used)) > 0)
    shared_->map_used += static_cast<std::size_t>(got);
  close(file);
  return got == 0 && shared_->map_used < map_bytes;
}

std::optional<WideHash> ProcessImage::hash() {
  const struct mallinfo2 heap = mallinfo2();
  if (thread_number_ != nullptr) leave_out(thread_number_, sizeof(pid_t));
  if (!read_map()) return std::nullopt;
  const std::string_view map(shared_->map, shared_->map_used);
  // First the unused top of the heap, which ends where the heap ends: its header counts.
  const auto top_of = [&](std::uintptr_t end) {
    constexpr std::size_t header = 2 * sizeof(std::size_t);
    if (heap.keepcost > header)
      leave_out(reinterpret_cast<const void*>(end - heap.keepcost + header), heap.keepcost - header);
  };
  const auto for_each_line = [&](auto&& visit) {
    for (std::size_t at = 0; at < map.size();) {
      const std::size_t end = std::min(map.find('\n', at), map.size());
      const std::string_view line = map.substr(at, end - at);
      at = end + 1;
      std::uintptr_t first = 0, last = 0;
      const auto [dash, problem] = std::from_chars(line.data(), line.data() + line.size(), first, 16);
      const auto [blank, problem_too] = std::from_chars(dash + 1, line.data() + line.size(), last, 16);
      if (problem == std::errc{} && problem_too == std::errc{})
        visit(first, last, std::string_view(blank + 1, 4), line);
    }
  };
  for_each_line([&](std::uintptr_t, std::uintptr_t last, std::string_view, std::string_view line) {
    if (line.ends_with("[heap]")) top_of(last);
  });
  if (has_too_many_) return std::nullopt;
  std::sort(shared_->left_out, shared_->left_out + left_out_count_,
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  // Holes may overlap: each begins no earlier than the one before it ends.
  for (std::size_t i = 1; i < left_out_count_; ++i) {
    Range& hole = shared_->left_out[i];
    hole.begin = std::max(hole.begin, shared_->left_out[i - 1].end);
    hole.end = std::max(hole.end, hole.begin);
  }
  for_each_line([&](std::uintptr_t first, std::uintptr_t last, std::string_view rights, std::string_view) {
    if (rights[1] != 'w') return;
    if (rights[3] == 'p') return take_range(first, last);
    const bool is_ours = first == reinterpret_cast<std::uintptr_t>(shared_) ||
                         first == reinterpret_cast<std::uintptr_t>(this);
    shares_memory_ = shares_memory_ || !is_ours;  // what others write there is no state of the program
  });
  if (shares_memory_) return std::nullopt;
  const std::uint64_t words[] = {all_.low, all_.high, set_.low, set_.high};
  return wide_hash(words, sizeof words);
}

}  // namespace rehearse::sim::kernel
