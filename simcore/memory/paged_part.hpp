// SPDX-License-Identifier: MIT
//
// A large part of an actor's memory, saved page by page. States share equal pages. The cost of a switch between two
// states is proportional to the number of pages that differ.
//
// Shape:     a state is the list of pages that differ from a first copy. Consecutive states share the copies of equal
//            pages, and the whole list if nothing was written between them.
// Needs:     a kernel that reports written pages (WrittenPages).
// Ownership: states can be kept for any time, but are valid only for this part.
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
  // `range`: whole pages; their current content is the first copy. Null: the kernel does not report written pages.
  static std::unique_ptr<PagedPart> make(ByteRange range);

  ByteRange range() const { return written_->range(); }
  void extend(std::byte* end) { written_->extend(end); }

  // Saves the current content. Adds to `bytes` the memory that earlier states do not share.
  PagedState save(std::size_t& bytes);
  void restore(const PagedState& state);

  std::size_t bytes() const { return first_.bytes() + known_->size() * page_bytes; }  // approximate size of a state
  std::size_t pages_copied() const { return pages_copied_; }                          // since the beginning
  std::size_t pages_restored() const { return pages_restored_; }

 private:
  explicit PagedPart(std::unique_ptr<WrittenPages> written);

  struct Suspect {  // a page that may differ from the known state
    std::byte* page = nullptr;
    bool is_there = true;
  };
  void find_suspects();
  void add_absent(ByteRange absent);
  const std::byte* first_copy(const std::byte* page) const;
  ChangedPage compared(const Suspect& suspect, const ChangedPage* known, std::size_t& bytes);
  void write(std::byte* page, const ChangedPage* wanted, bool is_there);

  std::unique_ptr<WrittenPages> written_;
  std::vector<ByteRange> runs_;  // scratch memory
  MemoryImage first_;
  std::vector<std::size_t> offsets_;  // of the pieces of the first copy in its data
  PagedState known_ = std::make_shared<const std::vector<ChangedPage>>();  // the last state saved or restored
  std::vector<Suspect> suspects_;                                          // ascending
  std::size_t pages_copied_ = 0, pages_restored_ = 0;
};

}  // namespace rehearse
