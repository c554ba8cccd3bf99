// SPDX-License-Identifier: MIT
//
// See buffer.hpp.
#include "smpi/collective/buffer.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "simcore/support/demand_memory.hpp"
#include "simcore/support/sparse_copy.hpp"
#include "smpi/buffers/unwritten.hpp"
#include "smpi/collective/element_types.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/process.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uint64_t placed_bytes = 16384;  // a smaller amount of data is copied once more rather than placed

}  // namespace

Buffer checked_buffer(Arguments& check, const BufferArguments& arguments, std::string_view name, int blocks) {
  check.count(arguments.count, name == "sendbuf" ? "sendcount" : name == "recvbuf" ? "recvcount" : "count");
  const Datatype* type = check.type(arguments.datatype);
  check.buffer(arguments.address, arguments.count * blocks, type, name);
  return {const_cast<void*>(arguments.address), arguments.count, DatatypeRef(type)};
}

void check_distinct(Arguments& check, const Buffer& send, const Buffer& receive) {
  if (check.failed() || send.address != receive.address) return;
  const bool both_hold_data = send.bytes() > 0 && receive.bytes() > 0;
  check.require(!both_hold_data, MPI_ERR_BUFFER,
                "the send and the receive buffer are the same memory; pass MPI_IN_PLACE instead");
}

Blocks checked_blocks(Arguments& check, const BlocksArguments& arguments, std::string_view name, int blocks) {
  const bool sends = name == "sendbuf";
  check.counts(arguments.counts, blocks, sends ? "sendcounts" : "recvcounts");
  if (blocks > 0) check.pointer(arguments.displacements.address(), sends ? "sdispls" : "rdispls");
  const Datatype* type = check.type(arguments.datatype);
  if (check.failed()) return {};
  const Buffer whole{const_cast<void*>(arguments.address), 0, DatatypeRef(type)};
  std::vector<Buffer> made;
  for (int i = 0; i < blocks; ++i) {
    made.push_back(whole.block(arguments.displacements[i], arguments.counts[i]));
    check.buffer(made.back().address, arguments.counts[i], type, name);
  }
  return Blocks(std::move(made));
}

Blocks checked_typed_blocks(Arguments& check, const TypedBlocksArguments& arguments, std::string_view name,
                            int blocks) {
  const bool sends = name == "sendbuf";
  check.counts(arguments.counts, blocks, sends ? "sendcounts" : "recvcounts");
  if (blocks > 0) {
    check.pointer(arguments.displacements.address(), sends ? "sdispls" : "rdispls");
    check.pointer(arguments.datatypes, sends ? "sendtypes" : "recvtypes");
  }
  std::vector<Buffer> made;
  for (int i = 0; !check.failed() && i < blocks; ++i) {
    const Datatype* type = check.type(arguments.datatypes[i]);
    void* address = address_behind(arguments.address, arguments.displacements[i]);
    check.buffer(address, arguments.counts[i], type, name);
    made.push_back({address, arguments.counts[i], DatatypeRef(type)});
  }
  return Blocks(std::move(made));
}

Blocks Blocks::equal(const Buffer& first, int blocks) {
  Blocks made;
  made.first_ = first;
  made.all_ = {first.address, first.count * blocks, first.type};
  made.count_ = static_cast<std::size_t>(blocks);
  return made;
}

std::uint64_t Blocks::bytes() const {
  if (first_.type) return first_.bytes() * count_;
  std::uint64_t bytes = 0;
  for (const Buffer& block : each_) bytes += block.bytes();
  return bytes;
}

std::uint64_t Blocks::signature() const {
  std::uint64_t signature = 1;
  for (std::size_t i = 0; i < size(); ++i) signature = combine_signatures(signature, (*this)[i].signature());
  return signature;
}

std::vector<std::span<std::byte>> places_of(const Blocks& blocks) {
  if (blocks.empty() || blocks.bytes() < placed_bytes) return {};
  std::vector<std::span<std::byte>> places;
  places.reserve(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Buffer block = blocks[i];
    const auto data = block.count == 0 ? std::span<const std::byte>()
                                       : contiguous_data(*block.type, block.count, block.address);
    if (!data || data->size() >= sparse_copy_bytes) return {};
    places.emplace_back(const_cast<std::byte*>(data->data()), data->size());
  }
  const Buffer* all = blocks.as_one();
  if (all != nullptr && contiguous_data(*all->type, all->count, all->address))
    demand_writable({places.front().data(), static_cast<std::size_t>(all->bytes())});
  else
    for (const std::span<std::byte> place : places) demand_writable(place);
  return places;
}

PackedBlocks::PackedBlocks(const Blocks& blocks) {
  if (const Buffer* all = blocks.as_one()) {
    segments_.assign(blocks.size(), blocks.empty() ? 0 : blocks[0].bytes());
    data_ = one_.emplace(*all->type, all->count, all->address).bytes();
    return;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) segments_.push_back(blocks[i].bytes());
  copy_.resize(blocks.bytes());
  std::byte* out = copy_.data();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Buffer block = blocks[i];
    if (block.bytes() > 0) pack(*block.type, block.count, block.address, out);
    out += block.bytes();
  }
  data_ = copy_;
}

namespace {

// Whether the data is already in its place in the buffer.
bool lies_in(const Buffer& buffer, std::span<const std::byte> data) {
  const auto place = contiguous_data(*buffer.type, buffer.count, buffer.address);
  return place && place->data() == data.data();
}

}  // namespace

Trouble receive_block(const Buffer& buffer, std::span<const std::byte> data, int rank) {
  const std::uint64_t expected = buffer.bytes();
  const std::uint64_t moved = std::min<std::uint64_t>(expected, data.size());
  if (moved > 0 && data.data() != nullptr && !lies_in(buffer, data))
    unpack(*buffer.type, buffer.count, data.first(moved), buffer.address);
  if (moved > 0 && buffer_checks().accesses)
    if (const auto place = contiguous_data(*buffer.type, buffer.count, buffer.address))
      note_arrived(place->data(), moved, {});
  return data.size() == expected ? Trouble{} : count_trouble(rank, data.size(), buffer);
}

namespace {

// The first block whose types differ from those that its sender reports. The caller's own block is not compared again.
TypeMismatch compare_types(const Communicator& communicator, const Blocks& blocks, Contributions contributions) {
  for (std::size_t i = 0; i < contributions.remarks().size(); ++i) {
    const bool is_own = !communicator.is_inter() && static_cast<int>(i) == communicator.rank();
    if (is_own || contributions[i].empty() || contributions.remarks()[i].text.empty()) continue;
    const TakenBlock taken{communicator, static_cast<int>(i), blocks[i]};
    if (taken.buffer.bytes() != contributions[i].size()) continue;  // their counts differ
    if (TypeMismatch found = type_mismatch(taken, contributions.remarks()[i])) return found;
  }
  return {};
}

}  // namespace

Trouble receive_blocks(const Communicator& communicator, const Blocks& blocks, Contributions contributions, int skip) {
  Trouble first;
  const Buffer* all = blocks.as_one();
  const std::uint64_t bytes = blocks.empty() ? 0 : blocks[0].bytes();
  const bool is_looked_at = buffer_checks().accesses;
  // Blocks without gaps are copied directly, because there may be very many small ones.
  std::byte* place = nullptr;
  if (const auto data = all ? contiguous_data(*all->type, all->count, all->address) : std::nullopt)
    place = const_cast<std::byte*>(data->data());
  for (int rank = 0; rank < static_cast<int>(blocks.size()); ++rank) {
    if (rank == skip) continue;
    const auto i = static_cast<std::size_t>(rank);
    if (place != nullptr && contributions[i].size() == bytes) {
      if (bytes > 0 && contributions[i].data() != nullptr && contributions[i].data() != place + i * bytes)
        std::memcpy(place + i * bytes, contributions[i].data(), bytes);
      if (bytes > 0 && is_looked_at) note_arrived(place + i * bytes, bytes, {});
      continue;
    }
    Trouble trouble = receive_block(blocks[i], contributions[i], rank);
    if (first.error == MPI_SUCCESS) first = std::move(trouble);
  }
  if (!contributions.remarks().empty()) first.types = compare_types(communicator, blocks, contributions);
  return first;
}

}  // namespace rehearse::smpi
