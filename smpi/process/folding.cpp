// SPDX-License-Identifier: MIT
//
// Arrays of ranks that map the same files in memory.
//
// Method: an array is a block of its rank's heap, of whole pages. The file is mapped over these pages, so the addresses
//         of the rank do not depend on folding. Before the block is released, private pages take their place again.
#include "smpi/folding.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "simcore/actor_memory.hpp"
#include "simcore/arena.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"
#include "smpi/process/fold.hpp"
#include "smpi/process/mapping.hpp"
#include "smpi/process/memory_file.hpp"
#include "smpi/process/rank_state.hpp"

namespace rehearse::smpi {

namespace {

// The cut of [begin, end) to whole pages.
Folding::Piece whole_pages(const Folding::Piece& piece, std::uint64_t bytes) {
  const std::uint64_t end = piece.second >= bytes ? page_ceiling(bytes) : page_floor(piece.second);
  return {page_ceiling(piece.first), end};
}

// Where huge pages fit.
std::uint64_t alignment_of(std::uint64_t bytes) { return bytes >= huge_page_bytes ? huge_page_bytes : page_bytes; }

bool is_kept(const std::string& name, const std::vector<std::string>& keep) {
  const std::size_t at = name.rfind(" at ");
  const std::string function = name.substr(0, at), place = at == std::string::npos ? "" : name.substr(at + 4);
  return std::ranges::any_of(keep, [&](const std::string& each) {
    return each == function || each == place || place.ends_with("/" + each);
  });
}

// Whether a word of the page is an address of the range.
bool holds_address(const std::byte* page, const Folding::Owner& owner) {
  const auto begin = reinterpret_cast<std::uintptr_t>(owner.begin);
  const auto bytes = static_cast<std::uint64_t>(owner.end - owner.begin);
  for (std::size_t i = 0; i < page_bytes; i += sizeof(std::uintptr_t)) {
    std::uintptr_t word = 0;
    std::memcpy(&word, page + i, sizeof word);
    if (word - begin < bytes) return true;
  }
  return false;
}

}  // namespace

Folding::Folding(Options options) : options_(std::move(options)) {}

Folding::~Folding() {
  for (const auto& [key, fold] : folds_)
    if (fold->file >= 0) close(fold->file);
}

bool Folding::fails(const std::string& what) {
  problem_ = what + ": " + std::strerror(errno);
  return false;
}

Folding::Fold& Folding::fold_of(FoldSite& site, const Key& key, std::uint64_t position) {
  std::unique_ptr<Fold>& fold = folds_[{key, position}];
  if (!fold) {
    fold = std::make_unique<Fold>();
    fold->site = &site;
  }
  return *fold;
}

bool Folding::open_file(Fold& fold) {
  const std::uint64_t bytes = page_ceiling(fold.site->bytes) + fold.shift;
  fold.file_bytes = options_.within == 0 ? bytes : std::min(bytes, options_.within);
  if (fold.file >= 0) return true;
  fold.file = memfd_create("rehearse-folded", MFD_CLOEXEC);
  if (fold.file < 0) return fails("a file in memory for folded arrays");
  if (ftruncate(fold.file, static_cast<off_t>(fold.file_bytes)) == 0) return true;
  return fails("the size of a file in memory for folded arrays");
}

// The kernel's limit is read when the first array is folded: then all ranks are loaded.
bool Folding::has_room(const FoldSite& site, std::uint64_t mappings) {
  if (!knows_room_) room_ = mapping_room().mappings;
  knows_room_ = true;
  if (mappings_ + mappings <= room_) return true;
  const std::uint64_t left = room_ - std::min(room_, mappings_);
  problem_ =
      fmt::format("folding: an array of {} bytes ({}) needs {} mappings of memory, and the kernel allows {} more; "
                  "accepted: {}fewer folded arrays, or sysctl vm.max_map_count={}",
                  site.bytes, site.name, mappings, left, options_.within == 0 ? "" : "larger tiles (--fold-within), ",
                  2 * (room_ + mappings));
  return false;
}

// Maps the file over the pieces of the block.
bool Folding::map_pieces(const Fold& fold, std::byte* begin, Block& block) {
  std::uint64_t mappings = 0;  // the private memory behind a piece becomes a mapping of its own
  for (const auto& [from, to] : block.pieces) mappings += (to - from + fold.file_bytes - 1) / fold.file_bytes + 1;
  if (!has_room(*fold.site, mappings)) return false;
  const int protection = PROT_READ | PROT_WRITE | (is_executable_ ? PROT_EXEC : 0);
  for (const auto& [from, to] : block.pieces)
    for (std::uint64_t at = from; at < to;) {
      const std::uint64_t offset = (at + fold.shift) % fold.file_bytes;
      const std::uint64_t bytes = std::min(to - at, fold.file_bytes - offset);
      if (mmap(begin + at, bytes, protection, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fold.file,
               static_cast<off_t>(offset)) == MAP_FAILED)
        return fails("a mapping of a folded array");
      at += bytes;
      mapped_ += bytes;
    }
  block.mappings = mappings;
  mappings_ += mappings;
  return true;
}

bool Folding::fold_block(Fold& fold, std::byte* begin, Block block) {
  block.fold = &fold;
  block.pieces = fold.pieces;
  if (!open_file(fold) || !map_pieces(fold, begin, block)) return false;
  ++arrays_folded_;
  ++fold.site->folded;
  has_grown_ = true;
  if (std::has_single_bit(fold.site->folded)) use_huge_pages(fold, begin, block);
  blocks_[reinterpret_cast<std::uintptr_t>(begin)] = std::move(block);
  return true;
}

void* Folding::allocate(const Owner& owner, const std::string& name, std::uint64_t bytes,
                        std::span<const Piece> shared) {
  problem_.clear();
  const Key key{name, bytes};
  FoldSite& site = sites_[key];
  site.name = name;
  site.bytes = bytes;
  const std::uint64_t room = page_ceiling(bytes);
  auto* begin = static_cast<std::byte*>(owner.heap->allocate_aligned(alignment_of(room), room));
  if (begin == nullptr) return nullptr;
  ++site.arrays;
  site.ranks.insert(owner.rank);
  Fold& fold = fold_of(site, key, 0);
  fold.state = Fold::State::folded;
  fold.pieces.assign(1, {0, room});
  if (!shared.empty()) {
    fold.pieces.clear();
    for (const Piece& piece : shared)
      if (const Piece pages = whole_pages(piece, bytes); pages.first < pages.second) fold.pieces.push_back(pages);
  }
  if (fold.pieces.empty()) {
    site.kept = "no whole page is shared";
    return begin;
  }
  if (fold_block(fold, begin, {nullptr, room, {}, 0})) {
    ++fold.live;
    return begin;
  }
  owner.heap->release(begin);
  return nullptr;
}

// The parts of these pieces of the array whose pages hold no address of its rank.
std::vector<Folding::Piece> Folding::pages_without_addresses(Fold& fold, const std::byte* begin, const Owner& owner,
                                                             std::vector<Piece> pieces) {
  std::vector<Piece> left;
  for (const Piece& piece : pieces) {
    std::vector<ByteRange> touched;
    append_touched({const_cast<std::byte*>(begin) + piece.first, const_cast<std::byte*>(begin) + piece.second},
                   touched);
    std::uint64_t from = piece.first;
    for (const ByteRange& run : touched)
      for (const std::byte* page = run.begin; page < run.end; page += page_bytes) {
        if (!holds_address(page, owner)) continue;
        ++fold.pages_apart;
        const auto at = static_cast<std::uint64_t>(page - begin);
        if (from < at) left.emplace_back(from, at);
        from = at + page_bytes;
      }
    if (from < piece.second) left.emplace_back(from, piece.second);
  }
  fold.site->pages_apart = std::max(fold.site->pages_apart, fold.pages_apart);
  return left;
}

bool Folding::fill_file(const Fold& fold, const std::byte* begin, const std::vector<Piece>& pieces) {
  auto* array = const_cast<std::byte*>(begin);
  std::vector<ByteRange> touched;
  for (const auto& [from, to] : pieces) append_touched({array + from, array + to}, touched);
  for (const ByteRange& run : touched)
    for (const std::byte* at = run.begin; at < run.end; at += page_bytes)
      if (!write_all(fold.file, at, page_bytes,
                     (static_cast<std::uint64_t>(at - begin) + fold.shift) % fold.file_bytes))
        return fails("a file in memory for folded arrays");
  return true;
}

// The data of the pilot become those of all arrays.
bool Folding::fold_pilot(Fold& fold, std::vector<Piece> pieces) {
  if (!open_file(fold) || !fill_file(fold, fold.pilot, pieces)) return false;
  fold.pieces = std::move(pieces);
  return fold_block(fold, fold.pilot, {nullptr, page_ceiling(fold.site->bytes), {}, 0});
}

void* Folding::allocate(const Owner& owner, const Place& place, std::uint64_t alignment, std::uint64_t bytes) {
  using State = Fold::State;
  problem_.clear();
  const Key key{fmt::format("{:x}", place.hash), bytes};
  const auto [entry, is_new] = sites_.try_emplace(key);
  FoldSite& site = entry->second;
  if (is_new) {
    site = {.name = place.name(), .bytes = bytes, .is_automatic = true};
    if (is_kept(site.name, options_.keep)) site.kept = "--fold-keep";
  }
  const std::uint64_t room = page_ceiling(bytes);
  auto* begin = static_cast<std::byte*>(owner.heap->allocate_aligned(std::max(alignment, alignment_of(room)), room));
  if (begin == nullptr) return nullptr;
  ++site.arrays;
  site.ranks.insert(owner.rank);
  if (!site.kept.empty()) return begin;
  std::uint64_t position = 0;  // among the live arrays of the rank
  for (auto at = blocks_.lower_bound(reinterpret_cast<std::uintptr_t>(owner.begin));
       at != blocks_.end() && at->first < reinterpret_cast<std::uintptr_t>(owner.end); ++at)
    position += at->second.fold->site == &site;
  Fold& fold = fold_of(site, key, position);
  if (fold.state == State::pilot && fold.pilot_owner.rank != owner.rank) {
    fold.pages_apart = 0;
    std::vector<Piece> pieces = pages_without_addresses(fold, fold.pilot, fold.pilot_owner, {{0, room}});
    fold.state = pieces.empty() ? State::kept : State::folded;
    if (pieces.empty()) site.kept = "all pages hold addresses";
    else if (!fold_pilot(fold, std::move(pieces))) fold.state = State::kept;
  }
  const Block block{&fold, room, {}, 0};
  if (fold.state == State::folded && problem_.empty() && !fold_block(fold, begin, block)) fold.state = State::kept;
  if (!problem_.empty()) {
    owner.heap->release(begin);
    return nullptr;
  }
  ++fold.live;
  if (fold.state == State::folded) return begin;
  blocks_[reinterpret_cast<std::uintptr_t>(begin)] = block;
  if (fold.state != State::empty) return begin;
  fold.state = State::pilot;
  fold.pilot = begin;
  fold.pilot_owner = owner;
  return begin;
}

// The file gives its memory back when no array maps it any more.
void Folding::unfold(const void* block) {
  const auto found = blocks_.find(reinterpret_cast<std::uintptr_t>(block));
  if (found == blocks_.end()) return;
  if (has_grown_) measure();
  Block& array = found->second;
  auto* begin = reinterpret_cast<std::byte*>(found->first);
  const int protection = PROT_READ | PROT_WRITE | (is_executable_ ? PROT_EXEC : 0);
  for (const auto& [from, to] : array.pieces) {
    mmap(begin + from, to - from, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    madvise(begin + from, to - from, MADV_NOHUGEPAGE);  // as the memory around it
    mapped_ -= to - from;
  }
  mappings_ -= array.mappings;
  Fold& fold = *array.fold;
  if (fold.pilot == begin) {
    fold.pilot = nullptr;
    if (fold.state == Fold::State::pilot) fold.state = Fold::State::empty;
  }
  if (--fold.live == 0 && fold.file >= 0 && ftruncate(fold.file, 0) == 0 &&
      ftruncate(fold.file, static_cast<off_t>(fold.file_bytes)) != 0) {
    close(fold.file);
    fold.file = -1;
  }
  if (fold.live == 0) fold.is_huge.clear();
  blocks_.erase(found);
}

bool Folding::covers(std::span<const std::byte> memory) const {
  if (blocks_.empty() || memory.empty()) return false;
  const auto first = reinterpret_cast<std::uintptr_t>(memory.data());
  auto at = blocks_.upper_bound(first);
  if (at == blocks_.begin()) return false;
  --at;
  const std::uint64_t begin = first - at->first, end = begin + memory.size();
  return std::ranges::any_of(at->second.pieces,
                             [&](const Piece& piece) { return piece.first <= begin && end <= piece.second; });
}

void* const* Folding::find_result(const std::string& call) const {
  const auto found = results_.find(call);
  if (found == results_.end()) return nullptr;
  ++results_used_;
  return &found->second;
}

void* Folding::store_result(const std::string& call, void* result) {
  return results_.emplace(call, result).first->second;
}

std::vector<FoldSite> Folding::sites() const {
  std::vector<FoldSite> all;
  for (const auto& [key, site] : sites_) {
    all.push_back(site);
    if (site.kept.empty() && site.folded == 0)
      all.back().kept = site.is_static ? "fewer than two ranks write to it" : "one rank only";
  }
  std::ranges::stable_sort(all, [](const FoldSite& a, const FoldSite& b) { return a.name < b.name; });
  return all;
}

// A page that several ranks map counts several times in the resident set of the process, so shared pages are counted in
// their files.
void Folding::measure() {
  has_grown_ = false;
  const ProcessMemory all = process_memory();
  FoldedMemory now;
  now.resident = all.of_process + all.of_files;
  now.page_tables = all.page_tables;
  for (const auto& [key, fold] : folds_) {
    now.shared += resident_bytes(fold->file);
    now.huge += huge_page_bytes * static_cast<std::uint64_t>(std::ranges::count(fold->is_huge, true));
  }
  now.resident += now.shared;
  now.mapped = mapped_;
  now.mappings = mappings_;
  if (now.resident + now.page_tables > most_.resident + most_.page_tables) most_ = now;
}

FoldedMemory Folding::most_memory() {
  measure();
  return most_;
}

Folding* folding_of_rank() {
  const RankState* rank = running_rank();
  return rank == nullptr ? nullptr : rank->world->spec.folding;
}

bool is_folded(std::span<const std::byte> memory) {
  const Folding* folding = folding_of_rank();
  return folding != nullptr && folding->covers(memory);
}

std::span<const std::byte> without_folded(std::span<const std::byte> data) {
  return is_folded(data) ? std::span<const std::byte>(static_cast<const std::byte*>(nullptr), data.size()) : data;
}

}  // namespace rehearse::smpi
