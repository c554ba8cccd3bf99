// SPDX-License-Identifier: MIT
//
// What one rank or object knows of the others' accesses to window memory, while executions are explored.
//
// Order: each rank numbers its records, operations apart. A load or a store happened before a moment if the clock of
// that
//        moment counts it; the effect of an operation did if the moment's set of effects has it.
// Dates: `lamport` orders the records: if one happens before another, its number is smaller.
// Source: Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", CACM 21(7), 1978; Mattern,
//         "Virtual Time and Global States of Distributed Systems", 1989.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "smpi/handle_registry.hpp"
#include "smpi/rma/operation_message.hpp"
#include "smpi/rma_model/operation_set.hpp"
#include "smpi/rma_model/shared_map.hpp"

namespace rehearse::smpi::model {

// What has happened before a moment.
struct Knowledge {
  std::vector<std::uint32_t> clock;  // by rank: number of its records that are no operations
  // By rank: number of its operations that were issued. In the knowledge of an operation its own rank's number may be
  // too small (is_issued).
  std::vector<std::uint32_t> issued;
  OperationSet effects;  // operations that have taken effect

  void join(const Knowledge& other);
  bool operator==(const Knowledge&) const = default;
};
using KnowledgeRef = std::shared_ptr<const Knowledge>;

// content: the first known content of window memory. change: bytes that a rank wrote. load, store: accesses of the
// owner, or of any member of a shared window. operation: by a call. publish, absorb: of a window in the separate model,
// a call of the owner that brings its stores to the public copy, or the updates of others to the private one.
enum class RecordKind : std::uint8_t { content, change, load, store, operation, publish, absorb };

struct Bytes {
  std::uintptr_t begin = 0, end = 0;
  bool meets(const Bytes& other) const { return begin < other.end && other.begin < end; }
  bool operator==(const Bytes&) const = default;
};

struct Record {
  RecordId id;
  RecordKind kind = RecordKind::operation;
  bool is_settled = true;  // false: its place in the order of an AtomicObject is not known yet
  bool is_exposed =
      true;  // false: of a start or fence epoch, and `known` does not have what happened before the exposure yet
  std::uint32_t owner = 0;  // the rank that has the memory
  std::uint64_t lamport = 0;
  std::uint64_t window = 0;    // of an operation
  std::uint64_t exposure = 0;  // that it needs: of a start epoch its number for the origin; fence_exposure() of a fence
  std::uint64_t separate = 0;  // the window, if it is one of the separate model
  CreationSite site;
  std::vector<Bytes> memory;    // touched
  std::vector<std::byte> data;  // content, change: the bytes; operation: its message (operation_message.hpp)
  std::vector<RecordId> prior;  // earlier atomics of this rank at this place, which take effect before it
  KnowledgeRef known;           // what happened before it

  bool is_operation() const { return kind == RecordKind::operation; }
  bool is_access() const {
    return kind == RecordKind::load || kind == RecordKind::store || kind == RecordKind::operation;
  }
  bool carries() const { return kind == RecordKind::publish || kind == RecordKind::absorb; }
  bool changes_memory() const;
};
using RecordRef = std::shared_ptr<const Record>;
using Records = SharedMap<RecordId, RecordRef>;
using RecordSet = SharedMap<RecordId, std::monostate>;

// Whether the order of the operation among others can be seen, or decides about the value.
bool needs_order(const OperationHeader& header);
// Whether it is an accumulate that replaces: its order can be seen if others replace by other values, or read.
bool is_replacement(const OperationHeader& header);
// Whether it changes nothing and returns nothing.
bool is_idle(const OperationHeader& header);

// How much is known of a record. Of one with the final version nothing more can become known.
constexpr std::uint8_t final_version = 2;
std::uint8_t version_of(const Record& record);
// Whether more is known of the same record.
bool is_later_version(const Record& record, const Record& than);

// The exposure by the fence with this number on its window, from 1 on.
constexpr std::uint64_t fence_bit = std::uint64_t{1} << 29;
constexpr std::uint64_t fence_exposure(std::uint64_t number) { return fence_bit | number; }
constexpr bool is_by_fence(std::uint64_t exposure) { return (exposure & fence_bit) != 0; }

// An exposure of a window: what happened before it.
struct Opening {
  KnowledgeRef known;
  std::uint64_t lamport = 0;
};
// The record of a start or fence epoch, with what happened before its effect.
RecordRef exposed_version(const Record& record, const Opening& opening);

// Whether the record (of an operation: its effect) happened before the moment.
bool is_known(RecordId record, const Knowledge& moment);
inline bool is_known(const Record& record, const Knowledge& moment) { return is_known(record.id, moment); }
// Whether `operation` was issued before `record`.
bool is_issued(const Record& operation, const Record& record);
// Whether one of the accesses happens before the other.
bool are_ordered(const Record& a, const Record& b);
// In the separate model: whether the owner has to carry what `first` did to the copy that `second` uses.
bool needs_carrier(const Record& first, const Record& second);
// Whether two accesses that nothing orders are a race: they touch a byte, and so on (docs/design/one-sided.md).
bool conflict(const Record& a, const Record& b);

// The first element that two replacements replace by different values.
std::optional<std::uintptr_t> differing_replacement(const Record& a, const Record& b);

// Knowledge and records as they travel. Those of a rank name it, and what it has in the final version (HeldRows): it
// will always have that. They also say what other ranks have, as far as it knows: in a ring, nobody hears from the rank
// to which it sends. Records that the receiver is known to have may be left out.
struct News {
  Knowledge known;
  Records records;
  std::uint64_t lamport = 0;  // of a rank: not smaller than the number of any record that it has
  std::optional<std::uint32_t> from = {};
  std::vector<std::uint32_t> held = {};
  std::map<std::uint32_t, std::vector<std::uint32_t>> held_by_others = {};
};

std::vector<std::byte> write_news(const News& news);
News read_news(std::span<const std::byte> bytes);
// Of news that an owner sends when it exposes its window.
Opening opening_of(const News& news);

}  // namespace rehearse::smpi::model
