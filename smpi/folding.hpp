// SPDX-License-Identifier: MIT
//
// Folded memory: arrays of ranks that share their physical pages, because the values in them do not matter.
//
// Fold:      the arrays of one name and size, or of one place of allocation, size and position among its arrays. Its
//            arrays, of any ranks, map one file in memory. Each array keeps its own addresses.
// Automatic: the first array of a place stays private until another rank has one (the pilot). Then its pages that hold
//            addresses of its rank are kept apart: they stay private in all arrays. All others are folded.
// Static:    arrays that each rank has at the same place from the beginning, of zeros at first. They fold when a second
//            rank has written to its array; pages that hold addresses of either rank are kept apart.
// Huge:      parts of 2 MiB that are written are huge pages, where the kernel has them (MADV_COLLAPSE, Linux 6.1; it
//            needs no setting). Then each array needs hardly any page tables.
// Messages:  data that are sent from folded memory are not copied, but their sizes count.
// Errors:    allocations that need more mappings than the kernel allows: see problem(). No memory: null.
// Ownership: outside the memory of ranks; lives longer than the program.
// Threads:   none. Functions that allocate or release run on a rank, within a HostAllocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace rehearse {
class Arena;
}

namespace rehearse::smpi {

// Arrays of one place or name, and of one size.
struct FoldSite {
  std::string name;         // given by the program, or "solve at solve.c:12"
  std::uint64_t bytes = 0;  // of each array
  bool is_automatic = false;
  bool is_static = false;
  std::uint64_t arrays = 0;  // allocated so far
  std::uint64_t folded = 0;  // of these
  std::set<std::uint32_t> ranks = {};
  std::uint64_t pages_apart = 0;  // of each array: they hold addresses
  std::string kept = {};          // the reason why nothing is folded; empty: there is none
};

// Memory of this process, in bytes.
struct FoldedMemory {
  std::uint64_t resident = 0;  // physical memory, where a shared page counts once
  std::uint64_t shared = 0;    // of this: the pages that folded arrays share
  std::uint64_t mapped = 0;    // sum of the folded arrays
  std::uint64_t page_tables = 0;
  std::uint64_t mappings = 0;  // of folded arrays, not in bytes
  std::uint64_t huge = 0;      // of `shared`: in huge pages
};

class Folding {
 public:
  struct Options {
    bool folds_named = true;             // memory of rehearse_shared_alloc
    std::uint64_t above = 0;             // fold allocations of at least this size; 0: none
    std::uint64_t within = 0;            // bytes of a tile: parts of an array share memory as well; 0: no tiles
    std::vector<std::string> keep = {};  // places that are not folded: FUNCTION or FILE:LINE
  };
  explicit Folding(Options options);
  ~Folding();
  Folding(const Folding&) = delete;
  Folding& operator=(const Folding&) = delete;

  const Options& options() const { return options_; }
  bool is_automatic(std::uint64_t bytes) const { return options_.above != 0 && bytes >= options_.above; }
  // For arrays of ranks that also have code in this memory (Mapping::copied).
  void make_executable() { is_executable_ = true; }

  // The rank that asks.
  struct Owner {
    std::uint32_t rank = 0;
    Arena* heap = nullptr;
    std::byte* begin = nullptr;  // of its range
    std::byte* end = nullptr;
  };
  // Pieces of an array, in bytes from its beginning.
  using Piece = std::pair<std::uint64_t, std::uint64_t>;

  // An array that the program names. `shared`: only the whole pages of these pieces are folded; empty: all pages.
  // Null: no memory, or a problem.
  void* allocate(const Owner& owner, const std::string& name, std::uint64_t bytes, std::span<const Piece> shared = {});

  // A place of allocation: all calls with the same active functions.
  struct Place {
    std::uint64_t hash = 0;
    std::string (*name)() = nullptr;  // called for the first allocation of a place
  };
  void* allocate(const Owner& owner, const Place& place, std::uint64_t alignment, std::uint64_t bytes);

  // Arrays of the ranks from `first` on, each at the same place of its rank's range.
  struct StaticArray {
    std::string name;
    std::uint64_t bytes = 0;
    std::uint32_t first = 0;
    std::vector<std::byte*> of_rank;
  };
  void watch(const StaticArray& array);
  // To be called after each step of a rank.
  void look_after_step(const Owner& owner);

  // Why the last allocation failed; empty: no memory.
  const std::string& problem() const { return problem_; }

  // Whether unfold() has something to do for this block.
  bool knows(const void* block) const { return blocks_.contains(reinterpret_cast<std::uintptr_t>(block)); }
  // Before a block of a rank's heap is released: makes its pages private and zero again if it is folded.
  void unfold(const void* block);

  // Whether all of this memory is folded.
  bool covers(std::span<const std::byte> memory) const;

  // Results of calls that all ranks share. Null: none is known.
  void* const* find_result(const std::string& call) const;
  void* store_result(const std::string& call, void* result);

  // Whether the program may have read data of other ranks.
  bool corrupts_data() const { return arrays_folded_ > 0 || results_used_ > 0; }
  std::vector<FoldSite> sites() const;
  // The largest use of memory so far: measured before an array is released, and now.
  FoldedMemory most_memory();

 private:
  struct Fold;
  struct Watched;
  struct Block {
    Fold* fold = nullptr;
    std::uint64_t bytes = 0;    // whole pages
    std::vector<Piece> pieces;  // folded parts, of whole pages
    std::uint64_t mappings = 0;
  };
  using Key = std::pair<std::string, std::uint64_t>;  // name or place, and bytes

  Fold& fold_of(FoldSite& site, const Key& key, std::uint64_t position);
  bool open_file(Fold& fold);
  std::vector<Piece> pages_without_addresses(Fold& fold, const std::byte* begin, const Owner& owner,
                                             std::vector<Piece> pieces);
  bool is_decided(Watched& watched, const Owner& owner);
  void fold_static(Watched& watched, const Owner& second);
  void use_huge_pages(Fold& fold, std::byte* begin, const Block& block);
  void use_huge_pages();
  bool fold_pilot(Fold& fold, std::vector<Piece> pieces);
  bool fill_file(const Fold& fold, const std::byte* begin, const std::vector<Piece>& pieces);
  bool fold_block(Fold& fold, std::byte* begin, Block block);
  bool map_pieces(const Fold& fold, std::byte* begin, Block& block);
  bool has_room(const FoldSite& site, std::uint64_t mappings);
  bool fails(const std::string& what);
  void measure();

  Options options_;
  bool is_executable_ = false;
  std::map<Key, FoldSite> sites_;
  std::map<std::pair<Key, std::uint64_t>, std::unique_ptr<Fold>> folds_;
  std::map<std::uintptr_t, Block> blocks_;  // by address
  std::map<std::string, void*> results_;
  std::vector<Watched> watched_;      // static arrays that are not decided
  std::vector<std::uint64_t> steps_;  // of each rank
  std::uint64_t all_steps_ = 0;
  bool has_huge_pages_ = true;  // until the kernel refuses
  std::string problem_;
  std::uint64_t arrays_folded_ = 0, mapped_ = 0, mappings_ = 0, room_ = 0;
  mutable std::uint64_t results_used_ = 0;
  bool knows_room_ = false, has_grown_ = false;
  FoldedMemory most_;
};

// Of the calling rank; null: nothing is folded, or this is no rank.
Folding* folding_of_rank();
bool is_folded(std::span<const std::byte> memory);

// The same data without an address if they are in folded memory (see Data in simcore/operation.hpp).
std::span<const std::byte> without_folded(std::span<const std::byte> data);

}  // namespace rehearse::smpi
