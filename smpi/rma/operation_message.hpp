// SPDX-License-Identifier: MIT
//
// An operation on a window as bytes that travel to the target: what to do, the touched memory, and the data. The target
// or, for accesses in which it takes no part, the driver carries it out.
//
// Format: OperationHeader, then TargetBlocks, then the packed data, unless it is lent (lent_data.hpp) or stored
//         already; of a compare-and-swap the value to compare with, then the new one.
// Memory: addresses are those of the target; all ranks of a job are in one address space. carry_out() allocates only
//         the answer.
// Source: MPI 5.0, 12.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "mpi.h"
#include "simcore/operation.hpp"
#include "smpi/datatype/datatype.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/op/op.hpp"
#include "smpi/rma/lent_data.hpp"

namespace rehearse::smpi {

struct Window;

// fetch: an accumulate that returns the old values.
enum class Deed : std::uint8_t { put, get, accumulate, fetch, swap };

constexpr bool is_atomic(Deed deed) { return deed >= Deed::accumulate; }
constexpr bool has_answer(Deed deed) { return deed == Deed::get || deed == Deed::fetch || deed == Deed::swap; }

// Without gaps: the bytes of a message are compared and hashed.
struct OperationHeader {
  Deed deed = Deed::put;
  OpCode op = OpCode::replace;  // of accumulate and fetch
  std::uint8_t heard = 0;       // 1: its origin may have heard from the target since the epoch began
  std::uint8_t is_stored = 0;   // 1: the origin has done it
  std::uint8_t unused[4] = {};
  MPI_Datatype element = MPI_DATATYPE_NULL;  // of atomics: the predefined type of all elements
  std::uint64_t blocks = 0;
  std::uint64_t data_bytes = 0;  // also of data that is not in the message
  std::uint64_t answer_bytes = 0;
  const char* function = "";  // of the call, in static storage
  const void* place = nullptr;
  const LentData* lent = nullptr;
};
static_assert(std::has_unique_object_representations_v<OperationHeader>);

// Consecutive memory of the target: `count` bytes or, of atomics, elements.
struct TargetBlock {
  std::byte* address = nullptr;
  std::uint64_t count = 0;
};

// The memory that `count` elements of a committed type touch, in the order of packing.
std::vector<TargetBlock> blocks_of(const Datatype& type, MPI_Count count, std::byte* address);

// The same as elements of one predefined type; that type is null if the elements differ, or if there are none.
struct ElementBlocks {
  std::vector<TargetBlock> blocks;
  const BasicType* element = nullptr;
  bool differ = false;
};
ElementBlocks element_blocks_of(const Datatype& type, MPI_Count count, std::byte* address);

// The first `bytes` packed bytes of these blocks; an element counts `unit` bytes.
void shorten(std::vector<TargetBlock>& blocks, std::uint64_t bytes, std::uint64_t unit);

// `data`: not copied if the header has lent data.
std::vector<std::byte> make_message(OperationHeader header, std::span<const TargetBlock> blocks,
                                    std::span<const std::byte> data);

// A message in memory that stays.
class OperationView {
 public:
  explicit OperationView(std::span<const std::byte> message);

  // The message, without what follows it in memory.
  std::span<const std::byte> message() const { return message_.first(bytes()); }
  const OperationHeader& header() const { return header_; }
  std::uint64_t bytes() const;  // of the whole message
  TargetBlock block(std::uint64_t index) const;
  // Bytes from the beginning of a block to the beginning of the next one that would touch it.
  std::uint64_t bytes_of(const TargetBlock& block) const;
  std::span<const std::byte> data() const;
  bool updates() const { return header_.deed != Deed::get && header_.op != OpCode::no_op; }
  CreationSite site() const { return {header_.function, header_.place}; }

  // Appends the message without data: the origin has done it.
  void append_as_stored(std::vector<std::byte>& to) const;

  // Does it. The answer, if it has one, is appended.
  void carry_out(std::vector<std::byte>& answer) const;

 private:
  bool has_data() const { return header_.lent == nullptr && header_.is_stored == 0; }
  void combine(const TargetBlock& block, std::span<const std::byte> values) const;
  void swap(std::byte* place) const;

  std::span<const std::byte> message_;
  OperationHeader header_;
};

// Whether both replace the same elements by the same values, and return nothing.
bool are_same_replacement(const OperationView& a, const OperationView& b);

// Whether all touched memory is attached to this dynamic window.
bool is_attached(const Window& window, const OperationView& operation);

}  // namespace rehearse::smpi
