// SPDX-License-Identifier: MIT
//
// What one rank or object knows of the others' accesses to window memory, while executions are explored.
//
// Order: each rank numbers its records. A load, a store or the issue of an operation happened before a moment if the
//        clock of that moment counts it; the effect of an operation did if the moment's set of effects has it.
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
#include <set>
#include <span>
#include <vector>

#include "smpi/handle_registry.hpp"
#include "smpi/rma/operation_message.hpp"

namespace rehearse::smpi::model {

struct RecordId {
  std::uint32_t actor = 0;
  std::uint32_t number = 0;
  auto operator<=>(const RecordId&) const = default;
};

// What has happened before a moment.
struct Knowledge {
  std::vector<std::uint32_t> clock;  // by rank: number of its records
  std::set<RecordId> effects;        // operations that have taken effect

  void join(const Knowledge& other);
  bool operator==(const Knowledge&) const = default;
};
using KnowledgeRef = std::shared_ptr<const Knowledge>;

// content: the first known content of window memory. change: bytes that their owner wrote. load, store: accesses of
// the owner. exposed: the memory that operations of a fence or start epoch touched. operation: of a lock epoch.
enum class RecordKind : std::uint8_t { content, change, load, store, exposed, operation };

struct Bytes {
  std::uintptr_t begin = 0, end = 0;
  bool meets(const Bytes& other) const { return begin < other.end && other.begin < end; }
};

struct Record {
  RecordId id;
  RecordKind kind = RecordKind::operation;
  bool is_settled = true;   // false: its place in the order of an AtomicObject is not known yet
  std::uint32_t owner = 0;  // the rank that has the memory
  std::uint64_t lamport = 0;
  CreationSite site;
  std::vector<Bytes> memory;    // touched
  std::vector<std::byte> data;  // content, change: the bytes; operation: its message (operation_message.hpp)
  std::vector<RecordId> prior;  // earlier atomics of this rank at this place, which take effect before it
  KnowledgeRef known;           // what happened before it

  bool is_operation() const { return kind == RecordKind::operation; }
  bool is_access() const { return kind != RecordKind::content && kind != RecordKind::change; }
  bool changes_memory() const;
};
using RecordRef = std::shared_ptr<const Record>;

// Whether the record (of an operation: its effect) happened before the moment.
bool is_known(const Record& record, const Knowledge& moment);
// Whether one of the accesses happens before the other.
bool are_ordered(const Record& a, const Record& b);
// Whether two accesses that nothing orders are a race: they touch a byte, and so on (docs/design/one-sided.md).
bool conflict(const Record& a, const Record& b);

// Knowledge and records as they travel.
struct News {
  Knowledge known;
  std::map<RecordId, RecordRef> records;
};
std::vector<std::byte> write_news(const Knowledge& known, const std::map<RecordId, RecordRef>& records);
News read_news(std::span<const std::byte> bytes);

}  // namespace rehearse::smpi::model
