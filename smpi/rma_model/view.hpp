// SPDX-License-Identifier: MIT
//
// The knowledge of one rank, its records, and its image of all window memory.
//
// Values: in an execution without a race, any two conflicting accesses are ordered, so the value of a byte for a rank
// is
//         that after all writes that happened before. The image has it. If there is a race, the image has some value.
// Source: lazy release consistency: Keleher, Cox, Zwaenepoel, "Lazy Release Consistency for Software Distributed Shared
//         Memory", ISCA 1992.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "smpi/rma_model/held_records.hpp"
#include "smpi/rma_model/memory_image.hpp"
#include "smpi/rma_model/record_index.hpp"
#include "smpi/rma_model/records.hpp"

namespace rehearse::smpi::model {

using Race = std::pair<RecordRef, RecordRef>;

// An element that unordered operations replace by different values.
struct Clash {
  std::uint64_t window = 0;
  std::uint32_t owner = 0;
  std::uintptr_t address = 0;
};

class View {
 public:
  View(std::uint32_t actor, std::uint32_t ranks);

  // Adds an access of this rank: sets its id, date, knowledge, and what precedes it. A record that changes the memory
  // by itself (content, change) is applied.
  // `earlier`: what happened before it, if less than now.
  RecordRef add(Record record, KnowledgeRef earlier = nullptr);
  // The effect of this rank's operation has happened before now.
  void know_effect(RecordId operation) { know_effects({&operation, 1}); }
  void know_effects(std::span<const RecordId> operations);
  // A version of a record of this rank, or of another one, of which more may be known.
  void settle(const RecordRef& record);
  // The operations that need this exposure get what happened before it. Returns them.
  struct Exposure {
    std::optional<std::uint32_t> origin;  // nothing: all origins
    std::uint32_t owner = 0;
    std::uint64_t window = 0, number = 0;
  };
  std::vector<RecordId> expose(const Exposure& exposure, const Opening& opening);
  // Another rank's records, and that all that it knows has happened before now.
  void learn(std::span<const std::byte> news);
  void learn(News news);

  // For anybody.
  std::vector<std::byte> news() const { return write_news(news_of(records_)); }
  // For these ranks: without the records that all of them are known to have.
  std::vector<std::byte> news_for(std::span<const ActorId> ranks) const;
  // For a partner that has these records. As if the effects of some operations had happened before now, and those of
  // others had not.
  std::vector<std::byte> news_with(std::span<const RecordId> effects, std::span<const RecordId> without,
                                   const HeldRecords& held) const;

  const Knowledge& known() const { return known_; }
  // The same, shared while nothing changes.
  KnowledgeRef known_now() const;
  std::uint64_t lamport() const { return lamport_; }
  const Records& records() const { return records_; }
  const HeldRows& held_rows() const { return own_.rows(); }
  // By rank: the number of accumulates that are no requests (updates_before), begin where `operation` does, and
  // happened before it.
  std::vector<std::uint32_t> updates_before(const Record& operation) const;
  RecordRef find(RecordId id) const;
  MemoryImage& image() { return image_; }
  // Whether the image has changed since the last call by something other than add().
  bool take_changed() { return std::exchange(is_changed_, false); }
  // Races between records, each once.
  std::vector<Race> take_races() { return std::exchange(races_, {}); }
  // Likewise.
  std::vector<Clash> take_clashes() { return std::exchange(clashes_, {}); }
  std::size_t size() const { return records_.size(); }

 private:
  void insert(const RecordRef& record);
  void find_races(const RecordRef& record);
  void compare(const RecordRef& record, const RecordRef& other);
  bool is_visible(const Record& first, const Record& second) const;
  void add_effect(Knowledge& to, RecordId operation, std::vector<RecordId>* added = nullptr) const;
  KnowledgeRef add_prior(Record& record);
  KnowledgeRef knowledge_of_operation() const;
  News news_of(Records records) const;
  void add_held(std::uint32_t rank, const HeldRows& rows);
  void apply(std::vector<RecordRef> fresh);
  bool are_late(const std::vector<RecordRef>& fresh) const;

  // An accumulate that is no request, by its first byte.
  struct Update {
    std::uintptr_t begin = 0;
    RecordId id;
    auto operator<=>(const Update&) const = default;
  };

  std::uint32_t actor_;
  Knowledge known_;
  // Of the last moment; null: known_ has changed since. Its number of this rank's operations may be too small.
  mutable KnowledgeRef shared_known_;
  Records records_;
  RecordIndex index_;
  SharedMap<Update, std::monostate> updates_;
  SharedMap<std::uintptr_t, RecordId> last_atomics_;  // of this rank in lock epochs, by first byte
  RecordSet unapplied_;                               // records that change memory and are not in the image
  HeldRecords own_;                                   // all records
  std::map<std::uint32_t, HeldRows> others_;          // by rank: records that it has for sure
  MemoryImage image_;
  std::uint64_t lamport_ = 0, applied_lamport_ = 0;
  bool is_changed_ = false, has_separate_ = false;  // has_separate_: a record of a window of the separate model
  std::vector<Race> races_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<RecordRef>> carriers_;  // by actor and window
  std::vector<Clash> clashes_;
};

}  // namespace rehearse::smpi::model
