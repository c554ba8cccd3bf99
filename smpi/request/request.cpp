// SPDX-License-Identifier: MIT
//
// See request.hpp.
#include "smpi/request/request.hpp"

#include <cstring>
#include <utility>

#include "simcore/actor.hpp"
#include "simcore/signature_number.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/sparse_copy.hpp"
#include "smpi/abi/dead_stack.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/amount.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/packed_regions.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/folding.hpp"
#include "smpi/p2p/buffered.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"
#include "smpi/report.hpp"
#include "smpi/request/withheld.hpp"

namespace rehearse::smpi {
namespace {

std::string envelope_text(const Ending& ending) {
  return fmt::format("the message from rank {} with tag {}", ending.source, ending.tag);
}

// The basic element with number `place` in consecutive elements of the type.
const Datatype* element_at(const Datatype& type, std::int64_t place) {
  if (type.parts().empty()) return &type;
  place %= type.elements();
  for (const Part& part : type.parts()) {
    const std::int64_t here = part.count * part.block * part.type->elements();
    if (part.count <= 0 || part.block <= 0 || here == 0) continue;
    if (place < here) return element_at(*part.type, place);
    place -= here;
  }
  return nullptr;
}

// ": element 3 is sent as MPI_INT but is received as MPI_DOUBLE"; empty if the number does not contain the element.
std::string first_difference(SignatureNumber sent, const Transfer& transfer) {
  static constexpr std::uint64_t max_place = 100000;
  const auto taken = static_cast<std::uint64_t>(transfer.type->elements() * transfer.count);
  for (std::uint64_t place = 0; place < max_place; ++place) {
    const auto element = sent.element_at(place);
    if (!element) break;
    const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL);
    const Datatype* given = predefined_datatype(reinterpret_cast<MPI_Datatype>(first + *element));
    const Datatype* wanted = place < taken ? element_at(*transfer.type, static_cast<std::int64_t>(place)) : nullptr;
    if (given == nullptr || (wanted != nullptr && wanted->basic() == given->basic())) continue;
    const std::string here = wanted == nullptr ? "follows the last element of the receive"
                                               : fmt::format("is received as {}", wanted->basic()->name);
    return fmt::format(": element {} is sent as {} but {}", place, given->basic()->name, here);
  }
  return "";
}

// ", sent by MPI_Send at ring.c:12"; empty if the place is unknown.
std::string sent_text(const CreationSite& sent) { return sent.function[0] == '\0' ? "" : ", sent by " + text_of(sent); }

// The error for a message of a neighbourhood collective whose length differs from that of its block.
Trouble count_trouble(const Completion& completion, const Ending& ending, std::uint64_t expected) {
  const std::string given = bytes_text(completion.data.size()) + sent_text(site_of(completion.origin));
  return {MPI_ERR_TRUNCATE,
          fmt::format("rank {} sends {}, but {} {} expected from it", ending.source, given, bytes_text(expected),
                      expected == 1 ? "is" : "are"),
          "collective.count"};
}

// The difference in type between the message and the receive.
TypeMismatch type_mismatch(const Transfer& transfer, const Completion& completion, const Ending& ending) {
  if (completion.signature == 0 || SignatureNumber{completion.signature}.manner() == manner_of_packed) return {};
  const bool is_full = ending.bytes == transfer.type->size() * transfer.count;
  const std::uint64_t expected = is_full ? signature_of(*transfer.type, transfer.count)
                                         : signature_of_bytes(*transfer.type, ending.bytes);
  if (expected == 0 || expected == completion.signature) return {};
  if (transfer.is_of_collective)
    return {fmt::format("rank {} sends {}, which differ in type from the data expected from it ({} of {}){}",
                        ending.source, bytes_text(static_cast<std::uint64_t>(ending.bytes)), transfer.count,
                        describe(*transfer.type), first_difference({completion.signature}, transfer)),
            completion.source, site_of(completion.origin), "collective.signature"};
  return {fmt::format("{} ({}) differs in type from the receive ({}){}", envelope_text(ending),
                      bytes_text(static_cast<std::uint64_t>(ending.bytes)), describe(*transfer.type),
                      first_difference({completion.signature}, transfer)),
          completion.source, site_of(completion.origin)};
}

// Records the types of a message of MPI_PACKED until other data is written there.
void note_packed(const Transfer& transfer, const Completion& completion, std::int64_t bytes) {
  const auto* buffer = static_cast<const std::byte*>(transfer.buffer);
  if (is_packed_type(*transfer.type))
    packed_regions().add_received(buffer, bytes, completion.signature, completion.source, site_of(completion.origin));
  else if (PackedRegions* regions = find_packed_regions())
    regions->forget(buffer + transfer.type->true_lower_bound(), transfer.type->extent() * transfer.count);
}

// Whether the data come from folded memory, or would go there: their values mean nothing.
bool moves_nothing(const Transfer& transfer, std::span<const std::byte> data) {
  if (data.data() == nullptr) return true;
  if (!transfer.type->contiguous()) return false;
  return is_folded({static_cast<const std::byte*>(transfer.buffer) + transfer.type->layout()[0].offset, data.size()});
}

void apply_kept(Request& request) {
  const KeptContributions kept = *std::exchange(request.kept, std::nullopt);
  request.trouble = request.collective.apply(kept.all());
}

bool end_one_use(Request& request, BufferToken& token) {
  EndedUse ended = end_use(std::exchange(token, 0));
  if (ended.changed) request.more().changed.push_back(std::move(*ended.changed));
  return ended.has_place;
}

}  // namespace

// The memory of freed requests, for new ones: a list whose links are in the blocks themselves. Not in explorations: the
// list has the order in which requests ended, so states that a rank reaches in several orders would differ.
struct RequestPool {
  void* first = nullptr;
};

void* Request::operator new(std::size_t bytes) {
  RequestPool& pool = per_rank<RequestPool>();
  if (pool.first == nullptr) return ::operator new(bytes);
  return std::exchange(pool.first, *static_cast<void**>(pool.first));
}

void Request::operator delete(void* block) {
  if (block == nullptr) return;
  if (detail::clearing_rank != nullptr) return ::operator delete(block);
  RequestPool& pool = per_rank<RequestPool>();
  *static_cast<void**>(block) = pool.first;
  pool.first = block;
}

KeptContributions::KeptContributions(Contributions from) {
  std::size_t bytes = 0;
  for (const Contributions::Data part : from) bytes += part.size();
  data_.reserve(bytes);  // so that it does not move
  views_.reserve(from.size());
  for (const Contributions::Data part : from) {
    const std::byte* begin = data_.data() + data_.size();
    data_.insert(data_.end(), part.begin(), part.end());
    views_.emplace_back(begin, part.size());
  }
}

RequestTable& requests() { return per_rank<RequestTables>().made; }

MPI_Request add_request(std::unique_ptr<Request> request) {
  return requests().insert(std::move(request), creation_site());
}

void give_request(MPI_Request* variable, std::unique_ptr<Request> request) {
  if (Request* before = find_request(*variable); before != nullptr && before->state != Request::State::inactive)
    before->more().overwritten = creation_site();
  *variable = add_request(std::move(request));
}

std::uint64_t next_list_number() { return ++per_rank<RequestTables>().lists; }

Received receive_message(const Communicator& communicator, const Transfer& transfer, const Completion& completion,
                         bool has_place) {
  heard_from_others();
  note_received(completion);
  Received received;
  const auto capacity = static_cast<std::uint64_t>(transfer.type->size() * transfer.count);
  const std::uint64_t bytes = completion.data.size();
  const std::uint64_t kept = bytes < capacity ? bytes : capacity;
  const std::uint64_t moved = has_place ? kept : 0;
  received.ending.source = communicator.peer_rank_of(completion.source);
  received.ending.tag = completion.tag;
  received.ending.bytes = static_cast<MPI_Count>(kept);
  if (transfer.is_of_collective && bytes != capacity) {
    received.trouble = count_trouble(completion, received.ending, capacity);
  } else if (bytes > capacity && buffer_checks().truncation) {
    received.trouble.error = MPI_ERR_TRUNCATE;
    const std::string sent = sent_text(site_of(completion.origin));
    received.trouble.text = envelope_text(received.ending) + sent + (sent.empty() ? " has " : ", has ") +
                            amount_text(SignatureNumber{completion.signature}, bytes) +
                            ", but the receive has room for " + amount_text(transfer.count, *transfer.type);
  } else if (bytes <= capacity) {
    received.type_mismatch = type_mismatch(transfer, completion, received.ending);
  }
  if (moved > 0 && moves_nothing(transfer, completion.data.first(moved))) {
  } else if (moved > 0 && moved < sparse_copy_bytes && transfer.type->contiguous()) {
    std::byte* to = static_cast<std::byte*>(transfer.buffer) + transfer.type->layout()[0].offset;
    std::memcpy(to, completion.data.data(), moved);
  } else if (moved > 0) unpack(*transfer.type, transfer.count, completion.data.first(moved), transfer.buffer);
  if (moved > 0) note_packed(transfer, completion, static_cast<std::int64_t>(moved));
  if (moved > 0 && buffer_checks().accesses && transfer.type->contiguous()) {
    const std::byte* to = static_cast<const std::byte*>(transfer.buffer) + transfer.type->layout()[0].offset;
    note_arrived(to, moved, {site_of(completion.origin), completion.source});
  }
  return received;
}

bool end_uses(Request& request) {
  bool has_place = true;
  for (BufferToken& token : request.buffers) has_place &= end_one_use(request, token);
  if (!request.extra) return has_place;
  for (Piece& piece : request.extra->pieces) has_place &= end_one_use(request, piece.buffer);
  for (BufferToken& token : request.extra->buffers) has_place &= end_one_use(request, token);
  request.extra->buffers.clear();
  return has_place;
}

void release_uses(Request& request) {
  for (BufferToken& token : request.buffers)
    if (token != 0)
      if (auto changed = per_rank<PendingBuffers>().release(std::exchange(token, 0), creation_site()))
        request.more().changed.push_back(std::move(*changed));
}

void complete_request(Request& request, const Completion& completion) {
  const bool has_place = end_uses(request);
  request.state = Request::State::complete;
  switch (request.kind) {
    case Request::Kind::send:
      if (request.transfer.mode == SendMode::synchronous) heard_from_others();
      request.ending = Ending{};
      return;
    case Request::Kind::receive: {
      Received received = receive_message(*request.communicator, request.transfer, completion, has_place);
      request.ending = received.ending;
      request.trouble = std::move(received.trouble);
      request.type_mismatch = std::move(received.type_mismatch);
      return;
    }
    case Request::Kind::compound:
    case Request::Kind::generalized: return;
    case Request::Kind::one_sided:
      heard_from_others();
      request.ending = Ending{};
      if (has_place) request.trouble = request.extra->take_answer(completion.data);
      return;
    case Request::Kind::collective:
      heard_from_others();
      request.ending = Ending{};
      if (request.extra) request.ending.bytes = request.extra->file_bytes;
      if (!has_place) return;
      if (request.collective.runs_user_code) {
        request.kept.emplace(Contributions(completion.contributions));
      } else {
        request.trouble = request.collective.apply({completion.contributions, completion.shared, completion.remarks});
        request.type_mismatch = std::exchange(request.trouble.types, {});
      }
      return;
  }
}

bool complete_piece(Request& request, std::size_t index, const Completion& completion) {
  std::vector<Piece>& pieces = request.extra->pieces;
  Piece& piece = pieces[index];
  piece.done = true;
  if (piece.opens) {
    std::memcpy(&request.extra->peer_partitions, completion.data.data(), sizeof(MPI_Count));
    if (pieces.size() == 1) return false;
  }
  bool has_place = end_one_use(request, piece.buffer);
  if (piece.receives && !piece.opens) {
    for (BufferToken& token : request.extra->buffers) has_place &= end_one_use(request, token);
    request.extra->buffers.clear();
    Received received = receive_message(*request.communicator, piece.transfer, completion, has_place);
    if (request.extra->partitions > 0) received.ending.bytes += request.ending.bytes;
    if (request.extra->has_receive_status) request.ending = received.ending;
    if (request.trouble.error == MPI_SUCCESS) request.trouble = std::move(received.trouble);
    if (!request.type_mismatch) request.type_mismatch = std::move(received.type_mismatch);
  }
  for (const Piece& other : pieces)
    if (!other.done) return false;
  has_place = end_uses(request) && has_place;
  request.state = Request::State::complete;
  if (request.extra->is_of_file) request.ending.bytes = request.extra->file_bytes;
  if (has_place && request.extra->take_answer) request.trouble = request.extra->take_answer({});
  return true;
}

void settle_request(Request& request) {
  if (request.extra)
    for (const ChangedBuffer& changed : std::exchange(request.extra->changed, {})) report_changed(changed);
  report_late_changes();
  if (request.type_mismatch) report_type_mismatch(std::exchange(request.type_mismatch, {}));
  if (request.kept) apply_kept(request);
  if (request.extra && request.state == Request::State::complete)
    for (const auto& section : request.extra->sections) section->scatter();
}

Trouble conclude_request(MPI_Request* handle, MPI_Status* status) {
  Request& request = *find_request(*handle);
  const CreationSite started = requests().site(*handle);
  const bool is_elsewhere = started.return_address != nullptr &&
                            started.return_address != creation_site().return_address;
  if (request.type_mismatch && is_elsewhere) report_type_mismatch(std::exchange(request.type_mismatch, {}), started);
  if (request.trouble.error == MPIX_ERR_PROC_FAILED_PENDING) {  // a receive that other processes may still complete
    request.state = Request::State::pending;
    return std::exchange(request.trouble, {});
  }
  settle_request(request);
  write_status(status, request.ending);
  Trouble trouble = std::exchange(request.trouble, {});
  if (request.kind == Request::Kind::generalized) trouble = conclude_generalized(request, status);
  if (request.persistent) {
    request.state = Request::State::inactive;
  } else {
    requests().erase(*handle);
    *handle = MPI_REQUEST_NULL;
  }
  return trouble;
}

void report_type_mismatch(const TypeMismatch& mismatch, const CreationSite& received) {
  const bool is_elsewhere = received.return_address != nullptr;
  const std::string place = text_of(is_elsewhere ? received : creation_site());
  const bool is_message = mismatch.id == "message.type";
  std::string what = mismatch.what;
  if (is_message)
    what += sent_text(mismatch.sent) +
            (place.empty() ? "" : (is_elsewhere ? ", received by " : ", received in ") + place);
  else if (mismatch.sent.function[0] != '\0' && !place.empty())
    what += "; sent in " + text_of(mismatch.sent) + ", received in " + place;
  std::vector<ReportedPlace> others;
  if (mismatch.sent.function[0] != '\0')
    others.push_back({mismatch.sent, is_message ? "was sent here" : "sends it here", mismatch.sender});
  report_places(mismatch.id, what,
                {received, is_elsewhere ? "was started here"
                           : is_message ? "receives it"
                                        : "receives it"},
                others);
}

}  // namespace rehearse::smpi
