// SPDX-License-Identifier: MIT
//
// Folding of static arrays. All ranks have them before anything is known about their content, so they stay private
// until two ranks have written to them. Looks are at the first, second, fourth, eighth... step of each rank, so that
// they cost little and do not depend on the time.
#include <algorithm>
#include <bit>
#include <iterator>

#include "simcore/actor_memory.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"
#include "smpi/process/fold.hpp"

namespace rehearse::smpi {

void Folding::watch(const StaticArray& array) {
  const Key key{fmt::format("static {}", static_cast<const void*>(array.of_rank.front())), array.bytes};
  FoldSite& site = sites_[key];
  site = {.name = array.name, .bytes = array.bytes, .is_automatic = true, .is_static = true};
  site.arrays = array.of_rank.size();
  for (std::uint32_t i = 0; i < array.of_rank.size(); ++i) site.ranks.insert(array.first + i);
  const auto at = reinterpret_cast<std::uintptr_t>(array.of_rank.front());
  const std::uint64_t begin = page_ceiling(at) - at, end = page_floor(at + array.bytes) - at;
  if (std::ranges::find(options_.keep, array.name) != options_.keep.end()) site.kept = "--fold-keep";
  else if (array.of_rank.size() > 1 && begin < end)
    watched_.push_back({&fold_of(site, key, 0), array, begin, end - begin, std::nullopt});
}

void Folding::look_after_step(const Owner& owner) {
  if (watched_.empty() && arrays_folded_ == 0) return;
  if (std::has_single_bit(++all_steps_)) use_huge_pages();
  if (watched_.empty()) return;
  if (steps_.size() <= owner.rank) steps_.resize(owner.rank + 1);
  if (!std::has_single_bit(++steps_[owner.rank])) return;
  std::erase_if(watched_, [&](Watched& watched) { return is_decided(watched, owner); });
}

bool Folding::is_decided(Watched& watched, const Owner& owner) {
  const std::uint32_t index = owner.rank - watched.array.first;
  if (owner.rank < watched.array.first || index >= watched.array.of_rank.size()) return false;
  if (watched.first && watched.first->rank == owner.rank) return false;
  std::byte* begin = watched.array.of_rank[index] + watched.begin;
  std::vector<ByteRange> touched;
  append_touched({begin, begin + watched.bytes}, touched);
  if (touched.empty()) return false;
  if (!watched.first) {
    watched.first = owner;
    return false;
  }
  fold_static(watched, owner);
  return true;
}

void Folding::fold_static(Watched& watched, const Owner& second) {
  Fold& fold = *watched.fold;
  const auto begin_of = [&](std::uint32_t rank) {
    return watched.array.of_rank[rank - watched.array.first] + watched.begin;
  };
  std::vector<Piece> pieces{{0, watched.bytes}};
  for (const Owner& owner : {*watched.first, second})
    pieces = pages_without_addresses(fold, begin_of(owner.rank), owner, pieces);
  fold.state = pieces.empty() ? Fold::State::kept : Fold::State::folded;
  if (pieces.empty()) fold.site->kept = "all pages hold addresses";
  if (pieces.empty()) return;
  if (options_.within == 0) fold.shift = reinterpret_cast<std::uintptr_t>(begin_of(second.rank)) % huge_page_bytes;
  fold.pieces = std::move(pieces);
  problem_.clear();
  if (!open_file(fold) || !fill_file(fold, begin_of(watched.first->rank), fold.pieces)) {
    fold.site->kept = problem_;
    return;
  }
  for (std::uint32_t i = 0; i < watched.array.of_rank.size(); ++i) {
    std::byte* begin = begin_of(watched.array.first + i);
    if (fold_block(fold, begin, {nullptr, watched.bytes, {}, 0})) ++fold.live;
  }
  if (fold.site->folded == 0) fold.site->kept = problem_;
}

}  // namespace rehearse::smpi
