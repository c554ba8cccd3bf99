// SPDX-License-Identifier: MIT
//
// A large part of an actor's memory, saved page by page: states share the pages in which they do not differ, and going
// from one to another costs the pages in which they do.
//
// Shape:     a state is the list of pages that differ from a first copy; a list shares the copies of its pages, and,
//            where nothing was written since, itself, with the one before it.
// Needs:     a kernel that reports which pages were written (WrittenPages).
// Ownership: states can be kept as long as anybody likes, and are of this part only.
// Threads:   none.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "simcore/memory/image.hpp"
#include "simcore/memory/written_pages.hpp"

namespace rehearse {

struct ChangedPage {
  using Copy = std::array<std::byte, page_bytes>;
  std::byte* page = nullptr;
  std::shared_ptr<const Copy> copy;  // null: zeros
};
using PagedState = std::shared_ptr<const std::vector<ChangedPage>>;  // ascending

class PagedPart {
 public:
  // Null where the kernel does not report what is written. `range`: whole pages; what is there now is the first copy.
  static std::unique_ptr<PagedPart> make(ByteRange range);

  ByteRange range() const { return written_->range(); }
  void extend(std::byte* end) { written_->extend(end); }

  // What is there now. Adds to `bytes` what it takes more than the states before.
  PagedState save(std::size_t& bytes);
  void restore(const PagedState& state);

  std::size_t bytes() const { return first_.bytes() + known_->size() * page_bytes; }  // of a state, about
  std::size_t pages_copied() const { return pages_copied_; }                          // since the beginning
  std::size_t pages_restored() const { return pages_restored_; }

 private:
  explicit PagedPart(std::unique_ptr<WrittenPages> written);

  struct Suspect {  // a page that may differ from what is known
    std::byte* page = nullptr;
    bool is_there = true;
  };
  void find_suspects();
  void add_absent(ByteRange absent);
  const std::byte* first_copy(const std::byte* page) const;
  ChangedPage compared(const Suspect& suspect, const ChangedPage* known, std::size_t& bytes);
  void write(std::byte* page, const ChangedPage* wanted, bool is_there);

  std::unique_ptr<WrittenPages> written_;
  std::vector<ByteRange> runs_;  // being looked at
  MemoryImage first_;
  std::vector<std::size_t> offsets_;                                       // of the first copy's pieces in its data
  PagedState known_ = std::make_shared<const std::vector<ChangedPage>>();  // what was there when somebody looked last
  std::vector<Suspect> suspects_;                                          // ascending
  std::size_t pages_copied_ = 0, pages_restored_ = 0;
};

}  // namespace rehearse
