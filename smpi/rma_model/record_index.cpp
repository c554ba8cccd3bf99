// SPDX-License-Identifier: MIT
//
// See record_index.hpp.
#include "smpi/rma_model/record_index.hpp"

#include <algorithm>
#include <bit>

namespace rehearse::smpi::model {
namespace {

// The first record behind this one, of the same actor and kind, that the knowledge does not have; it has this one.
RecordId first_unknown(RecordId id, const Knowledge& known) {
  return {id.actor, id.is_operation() ? known.effects.end_of_run(id) : known.clock[id.actor]};
}

}  // namespace

void RecordIndex::add(const Record& record) {
  for (const Bytes& piece : record.memory)
    if (piece.begin < piece.end) {
      // A piece that begins where another one of this record and size does has the same entry, with the larger end.
      Pieces& pieces = by_size_[static_cast<unsigned>(std::bit_width(piece.end - piece.begin - 1))];
      std::uintptr_t& end = pieces[{piece.begin, record.id}];
      end = std::max(end, piece.end);
    }
}

std::vector<RecordId> RecordIndex::meeting(std::span<const Bytes> memory, const Knowledge* unless_known) const {
  std::vector<RecordId> found;
  for (const Bytes& bytes : memory)
    for (const auto& [logarithm, pieces] : by_size_)
      if (bytes.begin < bytes.end) find(pieces, std::uintptr_t{1} << logarithm, bytes, unless_known, found);
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

void RecordIndex::find(const Pieces& pieces, std::uintptr_t largest, const Bytes& bytes, const Knowledge* unless_known,
                       std::vector<RecordId>& found) {
  auto at = pieces.lower_bound({bytes.begin - std::min(bytes.begin, largest - 1), {}});
  while (at != pieces.end() && at->first.begin < bytes.end) {
    const auto& [place, end] = *at++;
    if (end <= bytes.begin) continue;
    if (unless_known == nullptr || !is_known(place.record, *unless_known)) {
      found.push_back(place.record);
      continue;
    }
    const Place next{place.begin, first_unknown(place.record, *unless_known)};
    if (at != pieces.end() && at->first < next) at = pieces.lower_bound(next);
  }
}

}  // namespace rehearse::smpi::model
