// SPDX-License-Identifier: MIT
//
// Compares and merges lists of pages.
#include "simcore/memory/paged_part.hpp"

#include <algorithm>
#include <cstring>

namespace rehearse {
namespace {

constexpr ChangedPage::Copy zeros{};

const std::byte* data_of(const ChangedPage& changed) { return changed.copy ? changed.copy->data() : zeros.data(); }

bool equal(const std::byte* one, const std::byte* other) { return std::memcmp(one, other, page_bytes) == 0; }

// For merging ascending lists: the element of this page, which is then skipped, or null.
template <class Element>
const Element* take_at(const std::vector<Element>& list, std::size_t& at, const std::byte* page) {
  return at < list.size() && list[at].page == page ? &list[at++] : nullptr;
}

template <class Element>
std::byte* page_at(const std::vector<Element>& list, std::size_t at) {
  return at < list.size() ? list[at].page : reinterpret_cast<std::byte*>(UINTPTR_MAX);
}

std::vector<ByteRange> first_runs(WrittenPages& written) {
  std::vector<ByteRange> runs;
  written.take(runs);
  return runs;
}

}  // namespace

std::unique_ptr<PagedPart> PagedPart::make(ByteRange range) {
  auto written = WrittenPages::watch(range);
  if (!written) return nullptr;
  return std::unique_ptr<PagedPart>(new PagedPart(std::move(written)));
}

PagedPart::PagedPart(std::unique_ptr<WrittenPages> written)
    : written_(std::move(written)), runs_(first_runs(*written_)), first_(runs_) {
  std::size_t offset = 0;
  for (const ByteRange& piece : first_.pieces()) {
    offsets_.push_back(offset);
    offset += piece.bytes();
  }
  pages_copied_ = first_.bytes() / page_bytes;
}

const std::byte* PagedPart::first_copy(const std::byte* page) const {
  const auto pieces = first_.pieces();
  const auto after = std::ranges::upper_bound(pieces, page, std::less<>(), [](const ByteRange& r) { return r.begin; });
  if (after == pieces.begin() || (after - 1)->end <= page) return zeros.data();
  const auto index = static_cast<std::size_t>(after - 1 - pieces.begin());
  return first_.data() + offsets_[index] + (page - pieces[index].begin);
}

// Adds the absent pages that may have been present before.
void PagedPart::add_absent(ByteRange absent) {
  const auto add = [&](std::byte* begin, std::byte* end) {
    for (std::byte* page = std::max(begin, absent.begin); page < std::min(end, absent.end); page += page_bytes)
      suspects_.push_back({page, false});
  };
  const auto pieces = first_.pieces();
  auto piece = std::ranges::upper_bound(pieces, absent.begin, std::less<>(), [](const ByteRange& r) { return r.end; });
  for (; piece != pieces.end() && piece->begin < absent.end; ++piece) add(piece->begin, piece->end);
  auto known = std::ranges::lower_bound(*known_, absent.begin, std::less<>(), &ChangedPage::page);
  for (; known != known_->end() && known->page < absent.end; ++known) add(known->page, known->page + page_bytes);
}

void PagedPart::find_suspects() {
  suspects_.clear();
  runs_.clear();
  written_->append_absent(runs_);
  for (const ByteRange& run : runs_) add_absent(run);
  runs_.clear();
  written_->take(runs_);
  for (const ByteRange& run : runs_)
    for (std::byte* page = run.begin; page < run.end; page += page_bytes) suspects_.push_back({page, true});
  std::ranges::stable_sort(suspects_, std::less<>(), &Suspect::page);
  const auto same = std::ranges::unique(suspects_, std::equal_to<>(), &Suspect::page);
  suspects_.erase(same.begin(), same.end());
}

// The current content of the page. Its `page` is null if the content equals the first copy.
ChangedPage PagedPart::compared(const Suspect& suspect, const ChangedPage* known, std::size_t& bytes) {
  const std::byte* now = suspect.is_there ? suspect.page : zeros.data();
  if (equal(now, first_copy(suspect.page))) return {};
  if (known != nullptr && equal(now, data_of(*known))) return *known;
  if (!suspect.is_there || equal(now, zeros.data())) return {suspect.page, nullptr};
  auto copy = std::make_shared<ChangedPage::Copy>();
  std::memcpy(copy->data(), now, page_bytes);
  bytes += sizeof *copy;
  ++pages_copied_;
  return {suspect.page, std::move(copy)};
}

PagedState PagedPart::save(std::size_t& bytes) {
  find_suspects();
  if (suspects_.empty()) return known_;
  std::vector<ChangedPage> now;
  now.reserve(known_->size() + suspects_.size());
  std::size_t suspect = 0, known = 0;
  while (suspect < suspects_.size() || known < known_->size()) {
    std::byte* page = std::min(page_at(suspects_, suspect), page_at(*known_, known));
    const ChangedPage* before = take_at(*known_, known, page);
    if (const Suspect* doubtful = take_at(suspects_, suspect, page); doubtful != nullptr) {
      if (ChangedPage changed = compared(*doubtful, before, bytes); changed.page != nullptr) now.push_back(changed);
    } else {
      now.push_back(*before);
    }
  }
  now.shrink_to_fit();
  bytes += now.size() * sizeof now.front();
  known_ = std::make_shared<const std::vector<ChangedPage>>(std::move(now));
  return known_;
}

void PagedPart::write(std::byte* page, const ChangedPage* wanted, bool is_there) {
  const std::byte* data = wanted != nullptr ? data_of(*wanted) : first_copy(page);
  if (!is_there && data == zeros.data()) return;
  std::memcpy(page, data, page_bytes);
  ++pages_restored_;
}

void PagedPart::restore(const PagedState& state) {
  find_suspects();
  std::size_t suspect = 0, known = 0, wanted = 0;
  for (;;) {
    std::byte* page = std::min({page_at(suspects_, suspect), page_at(*known_, known), page_at(*state, wanted)});
    if (page == reinterpret_cast<std::byte*>(UINTPTR_MAX)) break;
    const Suspect* doubtful = take_at(suspects_, suspect, page);
    const ChangedPage* before = take_at(*known_, known, page);
    const ChangedPage* after = take_at(*state, wanted, page);
    const bool is_as_wanted = doubtful == nullptr && before != nullptr && after != nullptr &&
                              before->copy == after->copy;
    if (!is_as_wanted) write(page, after, doubtful == nullptr || doubtful->is_there);
  }
  known_ = state;
  runs_.clear();
  written_->take(runs_);  // the pages that the restore has just written
}

}  // namespace rehearse
