// SPDX-License-Identifier: MIT
//
// See contributions.hpp.
#include "trace/rtrace/contributions.hpp"

#include <algorithm>
#include <variant>

#include "simcore/support/hash.hpp"
#include "trace/rtrace/collective_form.hpp"
#include "trace/rtrace/event_conversion.hpp"

namespace rehearse::trace::rtrace {

namespace {

std::uint64_t hash_of_list(const Contributions::Sizes& sizes) {
  std::uint64_t hash = (sizes.by_member.size() * 2 + (sizes.are_equal ? 1 : 0)) ^ sizes.signature;
  for (const std::uint64_t size : sizes.by_member) hash = hash_with(hash, size);
  return hash;
}

}  // namespace

bool needs_contributions(CollectiveKind kind) {
  return kind == CollectiveKind::broadcast || kind == CollectiveKind::scatter || kind == CollectiveKind::scatterv ||
         kind == CollectiveKind::gatherv || kind == CollectiveKind::allgatherv || kind == CollectiveKind::alltoallv;
}

Result<Contributions> Contributions::make(const File& file) {
  Contributions all;
  all.columns_.resize(file.tables().contexts().size());
  for (std::size_t i = 0; i < all.columns_.size(); ++i)
    all.columns_[i].resize(file.tables().contexts()[i].members.size());
  for (std::uint32_t rank = 0; rank < file.ranks(); ++rank)
    if (auto done = all.read(file, rank); !done) return done.error();
  all.list_of_hash_.clear();
  return all;
}

Result<void> Contributions::read(const File& file, std::uint32_t rank) {
  Reader reader(file, rank);
  Event event;
  Asked asked;
  std::vector<std::optional<std::uint32_t>> member_of(columns_.size());
  while (reader.next(event)) {
    if (const char* what = to_operation(event, reader.next_request(), file.tables(), reader.caller(), asked)) {
      reader.fail(what);
      break;
    }
    const auto* collective = std::get_if<Collective>(&asked.operation);
    if (collective == nullptr || !needs_contributions(kind_of(*collective))) continue;
    const auto context = static_cast<std::size_t>(event.numbers[place::context]);
    if (!member_of[context]) {
      const auto found = std::ranges::find(collective->members, ActorId{rank});
      if (found == collective->members.end()) continue;
      member_of[context] = static_cast<std::uint32_t>(found - collective->members.begin());
    }
    const std::uint64_t whole = collective->contribution.size();
    const std::span<const std::uint64_t> segments = collective->segment_bytes;
    const bool are_equal = segments.empty() || event.has(flag::equal);
    append(columns_[context][*member_of[context]],
           {segments.empty() ? std::span(&whole, 1) : segments.first(are_equal ? 1 : segments.size()), are_equal,
            collective->signature});
  }
  if (reader.problem()) return *reader.problem();
  return {};
}

void Contributions::append(Column& column, const Sizes& sizes) {
  if (is_full()) return;
  const std::uint32_t list = list_of(sizes);
  const std::uint64_t end = column.empty() ? 0 : column.back().end;
  if (!column.empty() && column.back().list == list) {
    ++column.back().end;
    return;
  }
  column.push_back({end + 1, list});
  ++runs_;
}

bool Contributions::is_full() const {
  constexpr std::size_t most_bytes = std::size_t{128} << 20, bytes_of_list = sizeof(List) + 40;
  return sizes_.size() * sizeof(std::uint64_t) + lists_.size() * bytes_of_list + runs_ * sizeof(Run) >= most_bytes;
}

std::uint32_t Contributions::list_of(const Sizes& sizes) {
  const auto next = static_cast<std::uint32_t>(lists_.size());
  const std::uint64_t hash = hash_of_list(sizes);
  const auto found = list_of_hash_.find(hash);
  if (found != list_of_hash_.end()) {
    const List& list = lists_[found->second];
    const auto kept = std::span(sizes_).subspan(list.first, list.count);
    const bool is_same = list.are_equal == sizes.are_equal && list.signature == sizes.signature;
    if (is_same && std::ranges::equal(kept, sizes.by_member)) return found->second;
  }
  list_of_hash_[hash] = next;
  lists_.push_back({sizes_.size(), sizes.by_member.size(), sizes.are_equal, sizes.signature});
  sizes_.insert(sizes_.end(), sizes.by_member.begin(), sizes.by_member.end());
  return next;
}

std::optional<Contributions::Sizes> Contributions::find(std::uint32_t context, std::uint32_t member,
                                                        std::uint64_t number) const {
  if (context >= columns_.size() || member >= columns_[context].size()) return std::nullopt;
  const Column& column = columns_[context][member];
  const auto run = std::ranges::upper_bound(column, number, {}, &Run::end);
  if (run == column.end()) return std::nullopt;
  const List& list = lists_[run->list];
  return Sizes{std::span(sizes_).subspan(list.first, list.count), list.are_equal, list.signature};
}

}  // namespace rehearse::trace::rtrace
