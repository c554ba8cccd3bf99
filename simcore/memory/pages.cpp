// SPDX-License-Identifier: MIT
//
// Touched pages, from /proc/self/pagemap (a word per page: bit 63 present, bit 62 swapped, bit 61 of a file or shared).
#include "simcore/memory/pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace rehearse {
namespace {

// The kernel's table of this process. It is opened again each time, because after a fork an open file still
// reports the parent.
class Pagemap {
 public:
  Pagemap() : descriptor_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~Pagemap() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Pagemap(const Pagemap&) = delete;
  Pagemap& operator=(const Pagemap&) = delete;

  // Returns the number of words read, from this page on.
  std::size_t read(std::uintptr_t page, std::span<std::uint64_t> words) const {
    const auto got = pread(descriptor_, words.data(), words.size_bytes(), static_cast<off_t>(page * 8));
    return got <= 0 ? 0 : static_cast<std::size_t>(got) / 8;
  }

 private:
  int descriptor_;
};

std::uintptr_t page_of(const std::byte* address) { return reinterpret_cast<std::uintptr_t>(address) / page_bytes; }
std::byte* page_address(std::uintptr_t page) { return reinterpret_cast<std::byte*>(page * page_bytes); }

void append_run(std::uintptr_t first, std::uintptr_t last, ByteRange clip, std::vector<ByteRange>& out) {
  std::byte* begin = std::max(page_address(first), clip.begin);
  std::byte* end = std::min(page_address(last), clip.end);
  if (!out.empty() && out.back().end == begin && begin != clip.begin) out.back().end = end;
  else out.push_back({begin, end});
}

// Appends the runs of pages whose words `counts`. False: the kernel does not report the rest, from *page on.
template <class Counts>
bool append_runs(ByteRange range, std::uintptr_t* page, Counts&& counts, std::vector<ByteRange>& out) {
  constexpr std::size_t batch = 512;
  const Pagemap pagemap;
  std::uint64_t words[batch];
  const std::uintptr_t last = page_of(range.end - 1) + 1;
  while (*page < last) {
    const std::size_t wanted = std::min<std::size_t>(batch, last - *page);
    const std::size_t count = pagemap.read(*page, std::span(words, wanted));
    if (count == 0) return false;
    for (std::size_t i = 0; i < count;) {
      std::size_t end = i;
      while (end < count && counts(words[end])) ++end;
      if (end > i) append_run(*page + i, *page + end, range, out);
      i = end + 1;
    }
    *page += count;
  }
  return true;
}

}  // namespace

void append_touched(ByteRange range, std::vector<ByteRange>& out) {
  constexpr std::uint64_t held = std::uint64_t{3} << 62;
  std::uintptr_t page = page_of(range.begin);
  const auto is_held = [](std::uint64_t word) { return (word & held) != 0; };
  if (!append_runs(range, &page, is_held, out)) append_run(page, page_of(range.end - 1) + 1, range, out);
}

void append_private(ByteRange range, std::vector<ByteRange>& out) {
  constexpr std::uint64_t there = std::uint64_t{1} << 63, swapped = std::uint64_t{1} << 62, shared = swapped >> 1;
  std::uintptr_t page = page_of(range.begin);
  append_runs(
      range, &page, [](std::uint64_t word) { return (word & (there | swapped | shared)) == there; }, out);
}

void clear_bytes(ByteRange range) {
  constexpr std::size_t cheaper_to_write = 16 * page_bytes;
  if (range.begin >= range.end) return;
  if (range.bytes() > cheaper_to_write) {
    std::byte* first = page_address(page_of(range.begin + page_bytes - 1));
    std::byte* last = page_address(page_of(range.end));
    madvise(first, static_cast<std::size_t>(last - first), MADV_DONTNEED);
    std::memset(range.begin, 0, static_cast<std::size_t>(first - range.begin));
    range.begin = last;
  }
  std::memset(range.begin, 0, range.bytes());
}

bool install_guard(ByteRange range) {
  constexpr int madv_guard_install = 102;  // absent from the headers of Debian 12
  return madvise(range.begin, range.bytes(), madv_guard_install) == 0;
}

}  // namespace rehearse
