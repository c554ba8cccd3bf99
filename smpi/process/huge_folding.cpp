// SPDX-License-Identifier: MIT
//
// Huge pages for folded arrays. MADV_COLLAPSE makes one from the pages of a file, whatever the settings for the whole
// machine say, and arrays that are touched later map it as one entry of their page tables.
//
// When:   a part of 2 MiB is at least half written: an array must not need much more memory than it would without.
//         Looks are when an array is mapped, and at steps of ranks, each time after twice as many as before.
// Source: madvise(2), MADV_COLLAPSE; Linux, Documentation/admin-guide/mm/transhuge.rst.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "smpi/process/fold.hpp"

namespace rehearse::smpi {
namespace {

constexpr int make_huge_page = 25;  // MADV_COLLAPSE; absent from the headers of Debian 12

// The bytes of the file that are in memory, by parts of huge_page_bytes.
std::vector<std::uint64_t> present_bytes(int file, std::uint64_t bytes) {
  std::vector<std::uint64_t> present(bytes / huge_page_bytes);
  for (off_t from = lseek(file, 0, SEEK_DATA); from >= 0;) {
    const off_t to = lseek(file, from, SEEK_HOLE);
    if (to < 0) break;
    for (auto at = static_cast<std::uint64_t>(from); at < static_cast<std::uint64_t>(to);) {
      const std::uint64_t part = at / huge_page_bytes;
      const std::uint64_t end = std::min((part + 1) * huge_page_bytes, static_cast<std::uint64_t>(to));
      if (part < present.size()) present[part] += end - at;
      at = end;
    }
    from = lseek(file, to, SEEK_DATA);
  }
  return present;
}

}  // namespace

void Folding::use_huge_pages(Fold& fold, std::byte* begin, const Block& block) {
  const std::uint64_t parts = fold.file_bytes / huge_page_bytes;
  if (!has_huge_pages_ || parts == 0) return;
  fold.is_huge.resize(parts);
  if (std::ranges::find(fold.is_huge, false) == fold.is_huge.end()) return;
  const std::vector<std::uint64_t> present = present_bytes(fold.file, fold.file_bytes);
  for (std::uint64_t part = 0; part < parts && has_huge_pages_; ++part) {
    if (fold.is_huge[part] || present[part] < huge_page_bytes / 2 || part * huge_page_bytes < fold.shift) continue;
    const std::uint64_t at = part * huge_page_bytes - fold.shift;
    const bool is_whole = std::ranges::any_of(block.pieces, [&](const Piece& piece) {
      return piece.first <= at && at + huge_page_bytes <= piece.second;
    });
    if (!is_whole || reinterpret_cast<std::uintptr_t>(begin + at) % huge_page_bytes != 0) continue;
    fold.is_huge[part] = madvise(begin + at, huge_page_bytes, make_huge_page) == 0;
    has_huge_pages_ = fold.is_huge[part] || errno != EINVAL;
  }
}

// For arrays that were mapped before any of them was written.
void Folding::use_huge_pages() {
  std::set<const Fold*> done;
  for (const auto& [address, block] : blocks_)
    if (!block.pieces.empty() && done.insert(block.fold).second)
      use_huge_pages(*block.fold, reinterpret_cast<std::byte*>(address), block);
}

}  // namespace rehearse::smpi
